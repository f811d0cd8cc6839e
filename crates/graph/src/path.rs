//! `path`: over calls, the fewest edges that are not exact, then the fewest edges, then the
//! smallest sequence of ids.

use std::sync::Arc;

use codeweft_db::{Resolution, SymbolClass, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::answer::{ApiError, GraphRequest, Operation};
use crate::completeness::UnresolvedSites;
use crate::filtering::ResultRow;
use crate::link::Link;
use crate::operations::OperationResult;
use crate::query_context::QueryContext;
use crate::targets::Target;
use crate::verdict::AnswerNouns;

/// The calls of a symbol as a path counts them.
#[derive(Default)]
struct Steps {
    /// Exact edges.
    exact: Vec<SymbolId>,
    /// Other edges that lie with the file.
    other: Vec<SymbolId>,
    /// Methods of interfaces and bases that are called where values are not followed: what may
    /// run there is one inexact edge away.
    dispatched: Vec<SymbolId>,
}

/// The cost of a path: edges that are not exact, then edges.
type Cost = (u32, u32);

/// A search from all starts at once, in order of cost.
struct Search<'a, 'q> {
    question: &'a QueryContext<'q>,
    most_edges: u32,
    steps: FxHashMap<SymbolId, Arc<Steps>>,
    /// The costs a node was reached at; each has fewer edges than those before it.
    settled: FxHashMap<SymbolId, Vec<Cost>>,
    /// The nodes that were reached at a cost.
    reached: FxHashMap<Cost, FxHashSet<SymbolId>>,
    /// The costs at which what a method may run was reached.
    dispatched: FxHashMap<SymbolId, Vec<Cost>>,
}

/// Whether a cost is no better in both parts than one of those.
fn beaten(costs: Option<&Vec<Cost>>, (inexact, edges): Cost) -> bool {
    costs.is_some_and(|costs| {
        let mut costs = costs.iter();
        costs.any(|&(known_inexact, known_edges)| known_inexact <= inexact && known_edges <= edges)
    })
}

impl<'a, 'q> Search<'a, 'q> {
    fn new(question: &'a QueryContext<'q>, starts: &[SymbolId], most_edges: u32) -> Search<'a, 'q> {
        let mut reached: FxHashMap<Cost, FxHashSet<SymbolId>> = FxHashMap::default();
        reached.insert((0, 0), starts.iter().copied().collect());
        Search {
            question,
            most_edges,
            steps: FxHashMap::default(),
            settled: FxHashMap::default(),
            reached,
            dispatched: FxHashMap::default(),
        }
    }

    fn steps(&mut self, symbol: SymbolId) -> Arc<Steps> {
        self.question.look_up();
        if let Some(steps) = self.steps.get(&symbol) {
            return steps.clone();
        }
        let question = self.question;
        let mut steps = Steps::default();
        for file in question.files_of_body(symbol) {
            for (_, callee, one) in question.calls_in(file).of(symbol) {
                match one.resolution {
                    Resolution::Exact => steps.exact.push(*callee),
                    Resolution::Dispatch | Resolution::Value => steps.other.push(*callee),
                    Resolution::Name => continue,
                }
                let link = Link::of_use(file, one);
                let joins_here = link.direct || question.key(*callee).class == SymbolClass::Type;
                if joins_here || question.is_followed(*callee, &link) {
                    question.may_run(*callee, link, |run, link| {
                        if link.resolution != Resolution::Name {
                            steps.other.push(run);
                        }
                    });
                } else if !question.runs(*callee).is_empty() {
                    steps.dispatched.push(*callee);
                }
            }
            if let Some(language) = question.languages.of(file.lang(question.db)) {
                let uses = language.uses(question.db, file);
                let own = |caller| caller == symbol;
                question.value_calls(file, &uses, own, |_, target, _| steps.other.push(target));
            }
        }
        for list in [&mut steps.exact, &mut steps.other, &mut steps.dispatched] {
            list.sort_unstable();
            list.dedup();
        }
        let steps = Arc::new(steps);
        self.steps.insert(symbol, steps.clone());
        steps
    }

    /// Whether the search ended at its bound: a node there calls something that was not reached.
    fn stopped(&mut self, most: u32) -> bool {
        let costs = |costs: &Vec<Cost>| costs.iter().all(|&(_, edges)| edges >= most);
        let last = self.settled.iter().filter(|(_, reached)| costs(reached));
        let last: Vec<SymbolId> = last.map(|(&node, _)| node).collect();
        last.into_iter().any(|node| {
            let steps = self.steps(node);
            let mut ahead = steps.exact.iter().chain(&steps.other);
            !steps.dispatched.is_empty() || ahead.any(|to| !self.settled.contains_key(to))
        })
    }

    /// The cost of the best path to one of the ends.
    fn run(&mut self, ends: &FxHashSet<SymbolId>) -> Option<Cost> {
        for inexact in 0..=self.most_edges {
            for edges in inexact..=self.most_edges {
                let cost = (inexact, edges);
                let Some(mut nodes) = self.reached.remove(&cost) else {
                    continue;
                };
                nodes.retain(|node| !beaten(self.settled.get(node), cost));
                for &node in &nodes {
                    self.settled.entry(node).or_default().push(cost);
                }
                let arrived = nodes.iter().any(|node| ends.contains(node));
                if !arrived && edges < self.most_edges {
                    self.expand(&nodes, cost);
                }
                self.reached.insert(cost, nodes);
                if arrived {
                    return Some(cost);
                }
            }
        }
        None
    }

    fn expand(&mut self, nodes: &FxHashSet<SymbolId>, (inexact, edges): Cost) {
        let list: Vec<SymbolId> = nodes.iter().copied().collect();
        self.question.prepare_calls(&list);
        let mut exact = Vec::new();
        let mut other = Vec::new();
        let mut dispatched = FxHashSet::default();
        for &node in &list {
            let steps = self.steps(node);
            exact.extend(&steps.exact);
            other.extend(&steps.other);
            dispatched.extend(&steps.dispatched);
        }
        for method in dispatched {
            if !beaten(self.dispatched.get(&method), (inexact, edges)) {
                let costs = self.dispatched.entry(method).or_default();
                costs.push((inexact, edges));
                other.extend(self.question.runs(method).iter());
            }
        }
        self.reach(exact, (inexact, edges + 1));
        self.reach(other, (inexact + 1, edges + 1));
    }

    fn reach(&mut self, nodes: Vec<SymbolId>, cost: Cost) {
        let settled = &self.settled;
        let fresh = nodes
            .into_iter()
            .filter(|node| !beaten(settled.get(node), cost));
        self.reached.entry(cost).or_default().extend(fresh);
    }

    /// Of the best paths the smallest sequence of ids.
    fn trace(&mut self, ends: &FxHashSet<SymbolId>, cost: Cost) -> Vec<SymbolId> {
        // The nodes of best paths by their number of edges from the start, each with how many of
        // those are not exact. A node has one such number there: a smaller one would be better.
        let at_end = self.reached.get(&cost).into_iter().flatten();
        let last: FxHashMap<SymbolId, u32> = at_end
            .filter(|node| ends.contains(node))
            .map(|&node| (node, cost.0))
            .collect();
        let mut layers = vec![last];
        for edges in (0..cost.1).rev() {
            let mut layer = FxHashMap::default();
            for inexact in 0..=cost.0.min(edges) {
                let nodes: Vec<SymbolId> = self
                    .reached
                    .get(&(inexact, edges))
                    .into_iter()
                    .flatten()
                    .copied()
                    .collect();
                for node in nodes {
                    let leads = self
                        .successors(node, inexact, &layers[layers.len() - 1])
                        .next()
                        .is_some();
                    if leads {
                        layer.insert(node, inexact);
                    }
                }
            }
            layers.push(layer);
        }
        layers.reverse();
        let mut path: Vec<SymbolId> = Vec::new();
        for (number, layer) in layers.iter().enumerate() {
            let candidates: Vec<SymbolId> = match path.last() {
                None => layer.keys().copied().collect(),
                Some(&last) => {
                    let inexact = layers[number - 1].get(&last).copied().unwrap_or(0);
                    self.successors(last, inexact, layer).collect()
                }
            };
            match self.question.in_order(candidates).first() {
                Some(&next) => path.push(next),
                None => break,
            }
        }
        path
    }

    /// The nodes of a layer that one more edge leads to at the layer's cost.
    fn successors<'l>(
        &mut self,
        node: SymbolId,
        inexact: u32,
        layer: &'l FxHashMap<SymbolId, u32>,
    ) -> impl Iterator<Item = SymbolId> + use<'l, 'a, 'q> {
        let steps = self.steps(node);
        let mut found = Vec::new();
        found.extend(
            steps
                .exact
                .iter()
                .filter(|to| layer.get(to) == Some(&inexact)),
        );
        let inexactly = |to: &SymbolId| layer.get(to) == Some(&(inexact + 1));
        found.extend(steps.other.iter().filter(|to| inexactly(to)));
        for &method in &steps.dispatched {
            let runs = self.question.runs(method);
            found.extend(runs.iter().filter(|to| inexactly(to)));
        }
        found.into_iter()
    }
}

/// Of how many nodes it is asked what could still call them.
const MOST_ASKED: usize = 1_000;

impl QueryContext<'_> {
    /// What could still call one of the ends, or one of what calls them within so many steps: of
    /// the first level where anything could. With the number of nodes where not all were asked.
    fn open_behind(&self, ends: &[SymbolId], most: u32) -> (UnresolvedSites, Option<u32>) {
        let mut seen: FxHashSet<SymbolId> = ends.iter().copied().collect();
        let mut level = ends.to_vec();
        let mut asked = 0;
        for _ in 0..most {
            let room = MOST_ASKED - asked;
            let cut = level.len() > room;
            level.truncate(room);
            asked += level.len();
            let openings = self.open_callers(&level);
            if openings.count() > 0 {
                return (openings, None);
            }
            if cut {
                return (openings, Some(asked as u32));
            }
            let callers = level
                .iter()
                .flat_map(|&symbol| self.callers_of(symbol, false));
            let mut next: Vec<SymbolId> = callers.map(|(caller, _)| caller).collect();
            next.retain(|&caller| seen.insert(caller));
            if next.is_empty() {
                break;
            }
            level = self.in_order(next);
        }
        (UnresolvedSites::default(), None)
    }

    /// The best path from the target to the request's `to`.
    pub(crate) fn path(
        &self,
        request: &GraphRequest,
        target: &Target,
    ) -> Result<OperationResult, ApiError> {
        let speech = AnswerNouns {
            one: "path",
            many: "nodes",
            could: "on the way could lead there",
        };
        let to = self.target(Operation::Path, &request.to)?;
        let ends: FxHashSet<SymbolId> = to.symbols.iter().copied().collect();
        let mut search = Search::new(self, &target.symbols, request.depth);
        let Some(cost) = search.run(&ends) else {
            let most = request.depth;
            let speech = AnswerNouns {
                one: match search.stopped(most) {
                    true => "path within the depth",
                    false => speech.one,
                },
                ..speech
            };
            let passed: FxHashSet<SymbolId> = search
                .settled
                .iter()
                .filter(|(_, costs)| costs.iter().any(|&(_, edges)| edges < most))
                .map(|(&node, _)| node)
                .collect();
            let ahead = self.unresolved_callees(&passed);
            // Where the language or what it calls runs code that no call in a text names, only
            // what leads to the end can tell that nothing does.
            let follows = |symbol: &SymbolId| {
                let language = self.language(*symbol);
                language.is_none_or(|language| !language.is_nominal())
            };
            let (openings, partial) = match ahead.count() {
                0 if !target.symbols.iter().all(follows) => self.open_behind(&to.symbols, most),
                _ => (ahead, None),
            };
            return Ok(OperationResult {
                partial,
                ..OperationResult::list(Vec::new(), openings, speech)
            });
        };
        let nodes = search.trace(&ends, cost);
        let mut drafts: Vec<ResultRow> = Vec::new();
        for (number, &node) in nodes.iter().enumerate() {
            let links = match number.checked_sub(1) {
                None => Vec::new(),
                Some(before) => {
                    let callees = self.callees_of(nodes[before], false).into_iter();
                    let mut to_node = callees.filter(|(callee, _)| *callee == node);
                    to_node.next().map_or_else(Vec::new, |(_, links)| links)
                }
            };
            drafts.push(ResultRow {
                depth: Some(number as u32),
                links,
                ..ResultRow::plain(node)
            });
        }
        Ok(OperationResult {
            whole: true,
            ..OperationResult::list(drafts, UnresolvedSites::default(), speech)
        })
    }
}
