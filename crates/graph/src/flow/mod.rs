//! The value-flow graph: which values reach the nodes that calls are made through.
//!
//! Nodes are variables, parameters, results, fields and elements; an edge means "a value here may
//! also be there"; a value is a function or an object of a concrete type. For
//!
//! ```go
//! var s Shape = Square{}   // value Square begins at s
//! t := s                   // edge s -> t
//! t.Area()                 // call through t: runs Square.Area, and no other Area
//! ```
//!
//! The languages give fragments, one for each part of a file's bodies. [`merged`] joins them into
//! one graph, which later revisions patch. Two kinds of edges are in no fragment and are added on
//! demand: between the parameters and results of an interface's method and those of the methods it
//! may run ([`queries`]), and between generic code and its instances ([`instances`]). [`solve`]
//! computes the values of a node and the nodes of a value; [`sites`] turns these into the targets
//! of a call and the calls of a target; [`reasons`] finds the shortest chain to print.

mod components;
mod dispatch;
mod instances;
mod merged;
mod queries;
mod reached_nodes;
mod reasons;
mod sites;
mod solve;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};

use codeweft_db::{FileFlows, Lang, NameId, Reason, SymbolId, Unit};
use rustc_hash::FxHashMap;

use crate::hierarchy::TypeTable;
use crate::query_context::QueryContext;
use crate::revision_cache::SymbolMemo;
use dispatch::DispatchRelation;
use instances::InstanceLinks;
use merged::{FlowNodeId, MergedFlowGraph};
pub(crate) use queries::FlowQueries;
pub(crate) use reasons::ForwardReach;
pub(crate) use sites::{Dispatch, FlowCallSite};
use solve::SolvedSets;
pub(crate) use solve::locked;

/// The flow graph of one language at one revision, with what was solved in it.
pub(crate) struct FlowGraph {
    merged: MergedFlowGraph,
    instances: InstanceLinks,
    /// The types and interfaces that `hierarchy` was computed from.
    types: Arc<TypeTable>,
    hierarchy: DispatchCaches,
    relation: DispatchRelation,
    solved: Solutions,
}

/// A memo of finished results.
type KeyedCache<K, V> = Mutex<FxHashMap<K, Arc<V>>>;

/// Properties of methods and types that stay valid as long as the types are the same.
#[derive(Default)]
struct DispatchCaches {
    /// By rows, in one step.
    dispatch_targets: SymbolMemo,
    dispatched_from: SymbolMemo,
    named: Mutex<FxHashMap<SymbolId, NameId>>,
    tables: KeyedCache<NameId, sites::DispatchTable>,
    passes: Mutex<FxHashMap<(u32, u32), bool>>,
}

/// Solutions that stay valid as long as the graph and the types are the same.
#[derive(Default)]
struct Solutions {
    solved: SolvedSets,
    /// The nodes that dispatch links to the node of a parameter or result; `true` means backward.
    linked: KeyedCache<(FlowNodeId, bool), [FlowNodeId]>,
    matching_values: KeyedCache<(NameId, sites::CallGoal), sites::MatchingValues>,
    escapes: KeyedCache<(), [(FlowNodeId, Reason)]>,
}

impl FlowGraph {
    /// Creates the graph of these units by patching an earlier revision's, if there is one, and
    /// drops the memos that the patch invalidates.
    fn next(
        query: &QueryContext<'_>,
        lang: Lang,
        previous: Option<FlowGraph>,
        units: &[(Unit, Arc<[FileFlows]>)],
        types: Arc<TypeTable>,
    ) -> FlowGraph {
        let mut flow = previous.unwrap_or_else(|| FlowGraph {
            merged: MergedFlowGraph::default(),
            instances: InstanceLinks::default(),
            types: types.clone(),
            hierarchy: DispatchCaches::default(),
            relation: DispatchRelation::default(),
            solved: Solutions::default(),
        });
        let changed = flow.merged.patch(units);
        let same_types = Arc::ptr_eq(&flow.types, &types);
        if !same_types {
            flow.types = types;
            flow.hierarchy = DispatchCaches::default();
        }
        if changed.graph || changed.calls || !same_types {
            flow.relation = DispatchRelation::default();
        }
        if changed.graph || !same_types {
            flow.solved = Solutions::default();
            if changed.instances || !same_types {
                flow.instances = InstanceLinks::default();
            }
            flow.instances.add(query, lang, &mut flow.merged);
        }
        flow
    }
}

impl QueryContext<'_> {
    /// Returns the flow graph of a language; `None` for languages without value flow.
    pub(crate) fn flow_queries(&self, lang: Lang) -> Option<FlowQueries<'_>> {
        let language = self.languages.of(lang)?;
        let flow = self.flow(lang);
        (!flow.merged.is_empty()).then_some(FlowQueries {
            query: self,
            language,
            flow,
        })
    }

    /// As [`QueryContext::flow_queries`], for the language of a symbol.
    pub(crate) fn flow_queries_of(&self, symbol: SymbolId) -> Option<FlowQueries<'_>> {
        self.flow_queries(self.lang(symbol)?)
    }

    fn flow(&self, lang: Lang) -> Arc<FlowGraph> {
        if let Some(known) = locked(&self.cache.flows).get(&lang) {
            return known.clone();
        }
        let units = self.units_of(lang);
        let read = self.map(&units, |languages, db, &unit| {
            let language = languages.of(lang);
            language.map_or_else(Arc::default, |language| language.flows(db, unit))
        });
        let units: Vec<(Unit, Arc<[FileFlows]>)> = units.iter().copied().zip(read).collect();
        let types = match units.iter().all(|(_, rows)| rows.is_empty()) {
            true => Arc::default(),
            false => self.types(lang),
        };
        let mut flows = locked(&self.cache.flows);
        if let Some(known) = flows.get(&lang) {
            return known.clone();
        }
        let previous = locked(&self.cache.previous.flows).remove(&lang);
        let previous = previous.and_then(Arc::into_inner);
        let flow = Arc::new(FlowGraph::next(self, lang, previous, &units, types));
        flows.insert(lang, flow.clone());
        flow
    }
}
