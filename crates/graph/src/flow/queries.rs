//! Queries on the flow graph: the merged fragments with the edges of dispatch and instances.

use std::sync::Arc;

use codeweft_db::{FileFlows, FlowNode, FlowValue, Lang, Language, NONE, SymbolId, Unit};

use super::graph::FlowGraph;
use super::merged::{EdgeEnd, FlowNodeId, FlowNodeKey, FlowValueId};
use super::reached_nodes::ReachedNodes;
use super::solutions::{ALWAYS_KEPT, Solutions};
use super::solve::ValueFlowGraph;
use crate::query_context::QueryContext;
use crate::resolve_ahead::resolve_ahead;
use crate::type_graph;

/// The flow graph of a language, as one query sees it.
pub(crate) struct FlowQueries<'q> {
    pub(super) query: &'q QueryContext<'q>,
    pub(super) language: &'q dyn Language,
    pub(super) flow: Arc<FlowGraph>,
    /// What was solved before this question, and what it solves.
    pub(super) solutions: Arc<Solutions>,
}

impl FlowQueries<'_> {
    /// Returns a value by number.
    pub(super) fn value(&self, value: FlowValueId) -> FlowValue {
        self.flow.merged.values[value as usize]
    }

    /// Returns the identity of a node.
    pub(super) fn key(&self, node: FlowNodeId) -> FlowNodeKey {
        self.flow.merged.nodes[node as usize].key
    }

    /// Returns the values at a node, by number.
    pub(super) fn values(&self, node: FlowNodeId) -> Arc<[FlowValueId]> {
        self.solutions.solved.values(self, node)
    }

    /// Returns for each value the nodes that it reaches.
    pub(super) fn reached(&self, values: &[FlowValueId]) -> Vec<Arc<ReachedNodes>> {
        self.solutions.solved.reached(self, values)
    }

    /// Returns whether one of the values reaches a node; uses the backward solution if there is
    /// one.
    pub(super) fn any_reaches(&self, values: &[FlowValueId], node: FlowNodeId) -> bool {
        if let Some(reaches) = self.solutions.solved.known_to_reach(values, node) {
            return reaches;
        }
        let reached = self.reached(values);
        reached.iter().any(|reached| reached.contains(node))
    }

    /// Returns the parameters and results that dispatch links to a node: an argument of an
    /// interface's method flows to that parameter of every method it may run, and their results
    /// flow back to its result. Receivers are not linked: their types decide the dispatch.
    fn linked(&self, node: FlowNodeId, backward: bool) -> Arc<[FlowNodeId]> {
        let FlowNodeKey::Shared(key) = self.key(node) else {
            return Arc::default();
        };
        let (method, downward) = match key {
            FlowNode::Parameter(_, FlowNode::RECEIVER) => return Arc::default(),
            FlowNode::Parameter(method, _) => (method, !backward),
            FlowNode::Result(method, _) => (method, backward),
            _ => return Arc::default(),
        };
        let known = &self.solutions.linked;
        if let Some(linked) = known.get(&(node, backward)) {
            return linked;
        }
        let methods = if downward {
            self.dispatch_targets(method)
        } else {
            self.dispatched_from(method)
        };
        let linked = methods.iter().filter_map(|&other| {
            self.flow.merged.node(match key {
                FlowNode::Parameter(_, number) => FlowNode::Parameter(other, number),
                FlowNode::Result(_, number) => FlowNode::Result(other, number),
                _ => key,
            })
        });
        let linked: Arc<[FlowNodeId]> = linked.collect();
        known.insert((node, backward), linked.clone());
        linked
    }

    /// Returns the number of edges into or out of a node, but for those of dispatch.
    pub(super) fn degree(&self, node: FlowNodeId, backward: bool) -> usize {
        let known = &self.flow.merged.nodes[node as usize];
        let edges = if backward { &known.preds } else { &known.succs };
        edges.len() + self.flow.instances.edges(node, backward).len()
    }

    /// Returns the number of nodes where a value begins.
    pub(super) fn count_starts(&self, value: FlowValueId) -> usize {
        self.flow.merged.starts[value as usize].len() + self.flow.instances.starts(value).len()
    }

    /// Visits the edges into or out of a node.
    pub(super) fn visit(&self, node: FlowNodeId, backward: bool, visit: &mut dyn FnMut(EdgeEnd)) {
        let known = &self.flow.merged.nodes[node as usize];
        let edges = if backward { &known.preds } else { &known.succs };
        edges.iter().for_each(|&edge| visit(edge));
        let free = |node| EdgeEnd { node, pass: NONE };
        let instances = self.flow.instances.edges(node, backward).iter();
        instances.for_each(|&edge| visit(edge));
        let linked = self.linked(node, backward);
        linked.iter().for_each(|&node| visit(free(node)));
    }
}

impl ValueFlowGraph for FlowQueries<'_> {
    fn begins(&self, node: FlowNodeId, visit: &mut dyn FnMut(FlowValueId)) {
        let sources = self.flow.merged.nodes[node as usize].sources.iter();
        sources.for_each(|&(value, _)| visit(value));
        let instances = self.flow.instances.values(node).iter();
        instances.for_each(|&value| visit(value));
    }

    fn starts(&self, value: FlowValueId, visit: &mut dyn FnMut(FlowNodeId)) {
        let starts = self.flow.merged.starts[value as usize].iter();
        starts.for_each(|&node| visit(node));
        let instances = self.flow.instances.starts(value).iter();
        instances.for_each(|&node| visit(node));
    }

    fn preds(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
        self.visit(node, true, visit);
    }

    fn succs(&self, node: FlowNodeId, visit: &mut dyn FnMut(EdgeEnd)) {
        self.visit(node, false, visit);
    }

    /// An unknown value passes every filter.
    fn passes(&self, value: FlowValueId, through: u32) -> bool {
        let plain = self.value(value);
        if matches!(plain, FlowValue::Unknown(_)) {
            return true;
        }
        let known = &self.flow.hierarchy.passes;
        known.get_or((value, through), || {
            let db = self.query.db;
            self.language.flow_assignable(db, plain, through)
        })
    }

    fn check(&self) {
        self.query.poll_cancellation();
    }
}

/// Returns the flow graph of a language; `None` for languages without value flow.
pub(crate) fn queries<'q>(query: &'q QueryContext<'_>, lang: Lang) -> Option<FlowQueries<'q>> {
    let language = query.languages.of(lang)?;
    let known = &query.caches.flows;
    let (flow, solutions) = known.get_or(lang, || {
        let flow = flow(query, lang);
        let solutions = flow.solutions();
        (flow, solutions)
    });
    (!flow.merged.is_empty()).then_some(FlowQueries {
        query,
        language,
        flow,
        solutions,
    })
}

/// As [`queries`], for the language of a symbol.
pub(crate) fn queries_of<'q>(
    query: &'q QueryContext<'_>,
    symbol: SymbolId,
) -> Option<FlowQueries<'q>> {
    queries(query, query.lang(symbol)?)
}

/// As [`queries_of`], for what decides the methods that a call runs: in a language whose types are checked
/// when the code runs, the classes do.
pub(crate) fn dispatching_queries_of<'q>(
    query: &'q QueryContext<'_>,
    symbol: SymbolId,
) -> Option<FlowQueries<'q>> {
    let language = query.languages.of(query.lang(symbol)?)?;
    if language.is_dynamically_typed() {
        return None;
    }
    queries_of(query, symbol)
}

fn flow(query: &QueryContext<'_>, lang: Lang) -> Arc<FlowGraph> {
    if let Some(known) = query.cache.flow.graphs.get(&lang) {
        return known;
    }
    let units = query.units.of_lang(lang);
    let language = query.languages.of(lang);
    // A language without declared types follows the values of all units at once, and by itself.
    let is_dynamic = language.is_some_and(|language| language.is_dynamically_typed());
    if !is_dynamic {
        resolve_ahead(query, &units);
    }
    let read = query.map(&units, |languages, db, &unit| {
        let language = languages.of(lang);
        language.map_or_else(Arc::default, |language| language.flows(db, unit))
    });
    let units: Vec<(Unit, Arc<[FileFlows]>)> = units.iter().copied().zip(read).collect();
    let has_types = !is_dynamic && units.iter().any(|(_, rows)| !rows.is_empty());
    let types = has_types.then(|| type_graph::types(query, lang));
    let mut flows = query.cache.flow.graphs.lock();
    if let Some(known) = flows.get(&lang) {
        return known.clone();
    }
    let previous = query.cache.flow.previous.lock().remove(&lang);
    let previous = previous.and_then(Arc::into_inner);
    let flow = Arc::new(FlowGraph::next(
        &query.fan_out,
        lang,
        previous,
        &units,
        types,
    ));
    flows.insert(lang, flow.clone());
    flow
}

/// Returns a number that is another one for each graph of a language with other calls, values or types.
pub(crate) fn version(query: &QueryContext<'_>, lang: Lang) -> u64 {
    flow(query, lang).version
}

/// Drops the oldest solutions of this revision if they exceed the budget. To be called at the end
/// of a question; others that run meanwhile keep what they hold.
pub(crate) fn keep_within_budget(query: &QueryContext<'_>) {
    let memos = &query.cache.flow;
    let graphs: Vec<_> = memos.graphs.lock().values().cloned().collect();
    for flow in graphs {
        let solutions = flow.solutions();
        let is_small = memos.budget.per_mille > 0 && solutions.bytes() <= ALWAYS_KEPT;
        if is_small {
            continue;
        }
        if let Some(kept) = solutions.within(memos.budget.bytes(|| source_bytes(query))) {
            flow.set_solutions(kept);
        }
    }
}

/// Returns the bytes of source text of all languages.
fn source_bytes(query: &QueryContext<'_>) -> usize {
    let units = query.units.all.iter();
    let of_unit = units.filter_map(|&unit| {
        let language = query.languages.of(unit.lang(query.db))?;
        let files = language.files(query.db, unit);
        let lengths = files.iter().map(|file| file.text(query.db).len());
        Some(lengths.sum::<usize>())
    });
    of_unit.sum()
}
