//! The operation `path`: the best path between two targets over calls.
//!
//! A path is better with fewer inexact edges (dispatch, values), then with fewer edges, then with
//! the smaller sequence of ids. The search is Dijkstra's with the cost (inexact, edges), bounded by
//! the request's depth. A node may be visited at several costs, because a path with more inexact
//! but fewer edges may still reach the end within the depth:
//!
//! ```text
//! a --exact--> b --exact--> c       c visited at (0, 2)
//! a --dispatch-------------> c      c visited at (1, 1) too: fewer edges
//! ```
//!
//! The path itself is traced backward over the visited costs and chosen forward by id.

use std::sync::Arc;

use codeweft_db::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls;
use super::calls::IncludedCalls;
use crate::answer::{ApiError, GraphRequest, Operation};
use crate::call_graph;
use crate::call_graph::CallSteps;
use crate::completeness;
use crate::completeness::unresolved_sites::UnresolvedSites;
use crate::operations::result::OperationResult;
use crate::query_context::QueryContext;
use crate::rendering::filtering::ResultRow;
use crate::symbols;
use crate::targets;
use crate::targets::resolved::Target;
use crate::type_graph;

/// The calls that a path follows: what runs inside a function, in its literals too.
const RESOLVED: IncludedCalls = IncludedCalls {
    unresolved: false,
    of_literals: true,
};

/// The cost of a path: (inexact edges, edges).
type Cost = (u32, u32);

/// A search from all starts at once, in order of cost.
struct Search<'a, 'q> {
    query: &'a QueryContext<'q>,
    max_edges: u32,
    /// The costs at which a node was visited; each has fewer edges than those before it.
    visited: FxHashMap<SymbolId, Vec<Cost>>,
    /// The nodes reached at a cost.
    reached: FxHashMap<Cost, FxHashSet<SymbolId>>,
    /// The costs at which the dispatch targets of a method were reached.
    dispatched: FxHashMap<SymbolId, Vec<Cost>>,
}

/// Returns whether one of `costs` is no worse in both parts.
fn dominated(costs: Option<&Vec<Cost>>, (inexact, edges): Cost) -> bool {
    costs.is_some_and(|costs| {
        let mut costs = costs.iter();
        costs.any(|&(known_inexact, known_edges)| known_inexact <= inexact && known_edges <= edges)
    })
}

impl<'a, 'q> Search<'a, 'q> {
    fn new(query: &'a QueryContext<'q>, starts: &[SymbolId], max_edges: u32) -> Search<'a, 'q> {
        let mut reached: FxHashMap<Cost, FxHashSet<SymbolId>> = FxHashMap::default();
        reached.insert((0, 0), starts.iter().copied().collect());
        Search {
            query,
            max_edges,
            visited: FxHashMap::default(),
            reached,
            dispatched: FxHashMap::default(),
        }
    }

    fn steps(&self, symbol: SymbolId) -> Arc<CallSteps> {
        call_graph::steps_of(self.query, symbol)
    }

    /// Returns whether the depth cut the search: a node at the last step calls an unreached one.
    fn is_cut_by_depth(&mut self, max_steps: u32) -> bool {
        let costs = |costs: &Vec<Cost>| costs.iter().all(|&(_, edges)| edges >= max_steps);
        let last = self.visited.iter().filter(|(_, reached)| costs(reached));
        let last: Vec<SymbolId> = last.map(|(&node, _)| node).collect();
        last.into_iter().any(|node| {
            let steps = self.steps(node);
            let mut ahead = steps.exact().iter().chain(steps.other());
            !steps.through().is_empty() || ahead.any(|to| !self.visited.contains_key(to))
        })
    }

    /// Returns the cost of the best path to one of the ends.
    fn run(&mut self, ends: &FxHashSet<SymbolId>) -> Option<Cost> {
        for inexact in 0..=self.max_edges {
            for edges in inexact..=self.max_edges {
                let cost = (inexact, edges);
                let Some(mut nodes) = self.reached.remove(&cost) else {
                    continue;
                };
                nodes.retain(|node| !dominated(self.visited.get(node), cost));
                for &node in &nodes {
                    self.visited.entry(node).or_default().push(cost);
                }
                let arrived = nodes.iter().any(|node| ends.contains(node));
                if !arrived && edges < self.max_edges {
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
        call_graph::prepare_steps(self.query, &list);
        let mut exact = Vec::new();
        let mut other = Vec::new();
        let mut dispatched = FxHashSet::default();
        for &node in &list {
            let steps = self.steps(node);
            exact.extend(steps.exact());
            other.extend(steps.other());
            dispatched.extend(steps.through());
        }
        for method in dispatched {
            if !dominated(self.dispatched.get(&method), (inexact, edges)) {
                let costs = self.dispatched.entry(method).or_default();
                costs.push((inexact, edges));
                other.extend(type_graph::dispatch_targets(self.query, method).iter());
            }
        }
        self.reach(exact, (inexact, edges + 1));
        self.reach(other, (inexact + 1, edges + 1));
    }

    fn reach(&mut self, nodes: Vec<SymbolId>, cost: Cost) {
        let visited = &self.visited;
        let fresh = nodes
            .into_iter()
            .filter(|node| !dominated(visited.get(node), cost));
        self.reached.entry(cost).or_default().extend(fresh);
    }

    /// Returns the best path with the smallest sequence of ids.
    fn trace(&mut self, ends: &FxHashSet<SymbolId>, cost: Cost) -> Vec<SymbolId> {
        // The nodes of best paths by their number of edges from the start, each with its number of
        // inexact edges. That number is unique for a node of a layer: a smaller one would make a
        // better path.
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
            match symbols::in_order(self.query, candidates).first() {
                Some(&next) => path.push(next),
                None => break,
            }
        }
        path
    }

    /// Returns the nodes of a layer that one more edge leads to at the layer's cost.
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
                .exact()
                .iter()
                .filter(|to| layer.get(to) == Some(&inexact)),
        );
        let inexactly = |to: &SymbolId| layer.get(to) == Some(&(inexact + 1));
        found.extend(steps.other().iter().filter(|to| inexactly(to)));
        for &method in steps.through() {
            let dispatch_targets = type_graph::dispatch_targets(self.query, method);
            found.extend(dispatch_targets.iter().filter(|to| inexactly(to)));
        }
        found.into_iter()
    }
}

/// Completeness is computed for at most this many nodes before the end.
const MAX_COMPLETENESS_NODES: usize = 1_000;

/// Returns the unresolved sites that could call one of the ends or one of their transitive
/// callers: those of the first level that has any. `Some(n)`: only `n` nodes were checked.
fn possible_predecessors(
    query: &QueryContext<'_>,
    ends: &[SymbolId],
    max_steps: u32,
) -> (UnresolvedSites, Option<u32>) {
    let mut seen: FxHashSet<SymbolId> = ends.iter().copied().collect();
    let mut level = ends.to_vec();
    let mut checked = 0;
    for _ in 0..max_steps {
        let remaining = MAX_COMPLETENESS_NODES - checked;
        let cut = level.len() > remaining;
        level.truncate(remaining);
        checked += level.len();
        let unresolved = completeness::unresolved_callers(query, &level, true);
        if unresolved.count() > 0 {
            return (unresolved, None);
        }
        if cut {
            return (unresolved, Some(checked as u32));
        }
        let callers = level
            .iter()
            .flat_map(|&symbol| calls::callers_of(query, symbol, RESOLVED));
        let mut next: Vec<SymbolId> = callers.map(|(caller, _)| caller).collect();
        next.retain(|&caller| seen.insert(caller));
        if next.is_empty() {
            break;
        }
        level = symbols::in_order(query, next);
    }
    (UnresolvedSites::default(), None)
}

/// Finds the best path from the target to the request's `to`.
pub(super) fn path(
    query: &QueryContext<'_>,
    request: &GraphRequest,
    target: &Target,
) -> Result<OperationResult, ApiError> {
    let to = targets::resolve_exactly(query, &Operation::Path.target_rules(), &request.to)?;
    let ends: FxHashSet<SymbolId> = to.symbols.iter().copied().collect();
    let mut search = Search::new(query, &target.symbols, request.depth);
    let Some(cost) = search.run(&ends) else {
        let max_steps = request.depth;
        let cut = search.is_cut_by_depth(max_steps);
        let passed: FxHashSet<SymbolId> = search
            .visited
            .iter()
            .filter(|(_, costs)| costs.iter().any(|&(_, edges)| edges < max_steps))
            .map(|(&node, _)| node)
            .collect();
        let ahead = completeness::unresolved_callees(query, &passed);
        // In a dynamically typed language code runs that no call names, so that the unresolved calls
        // ahead of the start are not all; the possible callers of the end are checked instead.
        let follows = |symbol: &SymbolId| {
            let language = query.language(*symbol);
            language.is_none_or(|language| !language.is_dynamically_typed())
        };
        let (unresolved, partial) = match ahead.count() {
            0 if !target.symbols.iter().all(follows) => {
                possible_predecessors(query, &to.symbols, max_steps)
            }
            _ => (ahead, None),
        };
        return Ok(OperationResult {
            partial,
            none: cut.then_some("path within the depth"),
            ..OperationResult::list(Vec::new(), unresolved)
        });
    };
    let nodes = search.trace(&ends, cost);
    let mut rows: Vec<ResultRow> = Vec::new();
    for (number, &node) in nodes.iter().enumerate() {
        let links = match number.checked_sub(1) {
            None => Vec::new(),
            Some(before) => {
                let callees = calls::callees_of(query, nodes[before], RESOLVED).into_iter();
                let mut to_node = callees.filter(|(callee, _)| *callee == node);
                to_node.next().map_or_else(Vec::new, |(_, links)| links)
            }
        };
        rows.push(ResultRow {
            depth: Some(number as u32),
            links,
            ..ResultRow::plain(node)
        });
    }
    Ok(OperationResult {
        unfiltered: true,
        ..OperationResult::list(rows, UnresolvedSites::default())
    })
}
