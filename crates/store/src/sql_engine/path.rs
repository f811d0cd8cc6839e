//! The operation `path`: the best path between two targets over calls, by the rules of the live engine. The calls
//! that can be reached are read in one query; the search is in memory.
//!
//! A path is better with fewer inexact calls, then with fewer calls, then with the smaller sequence of ids. The search
//! goes by cost (inexact, calls): a node may be visited at several costs, since a path with more inexact but fewer
//! calls may still reach the end within the depth.

use std::rc::Rc;

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_graph::export::OpenKind;
use codeweft_graph::shaping::MAX_COMPLETENESS_NODES;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{self, RunSets};
use super::failure::Found;
use super::links::ResultRow;
use super::open_sites::OpenSites;
use super::operations::{libraries_may_use, sids};
use super::resolved::Target;
use super::result::Answer;
use super::rows::{Fact, Rows, Sid, SymbolFact};
use super::statements;
use super::target;

/// The cost of a path: (inexact calls, calls).
type Cost = (u32, u32);

/// The calls that can be reached, by caller: callee, and whether the call is exact.
struct Calls {
    rows: Vec<(Sid, Sid, bool)>,
}

impl Calls {
    fn read(rows: &Rows<'_>, starts: &[Sid]) -> Found<Calls> {
        let list = serde_json::Value::from(starts).to_string();
        let read = |row: &rusqlite::Row<'_>| {
            let call: (Sid, Sid, bool) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(call)
        };
        let mut found = Vec::new();
        rows.each(statements::REACHABLE, [list], read, &mut |call| {
            found.push(call);
            // Sets repeat: what is known is dropped before it takes memory.
            if found.len() == found.capacity() {
                found.sort_unstable();
                found.dedup();
            }
        })?;
        found.sort_unstable();
        found.dedup();
        Ok(Calls { rows: found })
    }

    /// Returns the callees of a node, each with whether a call of it is exact.
    fn of(&self, node: Sid) -> impl Iterator<Item = (Sid, bool)> + '_ {
        let from = self.rows.partition_point(|row| row.0 < node);
        let own = self.rows.get(from..).unwrap_or_default().iter();
        own.take_while(move |row| row.0 == node)
            .map(|&(_, to, exact)| (to, exact))
    }
}

/// A search from all starts at once, in order of cost.
struct Search<'a> {
    calls: &'a Calls,
    max_edges: u32,
    /// The costs at which a node was visited; each has fewer calls than those before it.
    visited: FxHashMap<Sid, Vec<Cost>>,
    /// The nodes reached at a cost.
    reached: FxHashMap<Cost, FxHashSet<Sid>>,
}

/// Returns whether one of `costs` is no worse in both parts.
fn dominated(costs: Option<&Vec<Cost>>, (inexact, edges): Cost) -> bool {
    let mut costs = costs.into_iter().flatten();
    costs.any(|&(known_inexact, known_edges)| known_inexact <= inexact && known_edges <= edges)
}

impl<'a> Search<'a> {
    fn new(calls: &'a Calls, starts: &[Sid], max_edges: u32) -> Search<'a> {
        let starts = starts.iter().copied().collect();
        Search {
            calls,
            max_edges,
            visited: FxHashMap::default(),
            reached: FxHashMap::from_iter([((0, 0), starts)]),
        }
    }

    /// Returns whether the depth cut the search: a node at the last step calls an unreached one.
    fn is_cut_by_depth(&self) -> bool {
        let at_last = |costs: &Vec<Cost>| costs.iter().all(|&(_, edges)| edges >= self.max_edges);
        let last = self.visited.iter().filter(|(_, costs)| at_last(costs));
        last.into_iter().any(|(&node, _)| {
            let mut callees = self.calls.of(node);
            callees.any(|(to, _)| !self.visited.contains_key(&to))
        })
    }

    /// Returns the cost of the best path to one of the ends.
    fn run(&mut self, ends: &FxHashSet<Sid>) -> Option<Cost> {
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
                    for &node in &nodes {
                        for (to, exact) in self.calls.of(node) {
                            let cost = (inexact + u32::from(!exact), edges + 1);
                            if !dominated(self.visited.get(&to), cost) {
                                self.reached.entry(cost).or_default().insert(to);
                            }
                        }
                    }
                }
                self.reached.insert(cost, nodes);
                if arrived {
                    return Some(cost);
                }
            }
        }
        None
    }

    /// Returns the nodes of the best paths by their number of calls from the start, each with its number of inexact
    /// calls. That number is unique for a node of a layer: a smaller one would make a better path.
    fn layers(&self, ends: &FxHashSet<Sid>, cost: Cost) -> Vec<FxHashMap<Sid, u32>> {
        let at_end = self.reached.get(&cost).into_iter().flatten();
        let mut layer: FxHashMap<Sid, u32> = at_end
            .filter(|node| ends.contains(node))
            .map(|&node| (node, cost.0))
            .collect();
        let mut layers = Vec::new();
        for edges in (0..cost.1).rev() {
            let mut before = FxHashMap::default();
            for inexact in 0..=cost.0.min(edges) {
                for &node in self.reached.get(&(inexact, edges)).into_iter().flatten() {
                    if self.successors(node, inexact, &layer).next().is_some() {
                        before.insert(node, inexact);
                    }
                }
            }
            layers.push(std::mem::replace(&mut layer, before));
        }
        layers.push(layer);
        layers.reverse();
        layers
    }

    /// Returns the nodes of a layer that one more call leads to at the layer's cost.
    fn successors<'l>(
        &'l self,
        node: Sid,
        inexact: u32,
        layer: &'l FxHashMap<Sid, u32>,
    ) -> impl Iterator<Item = Sid> + 'l {
        let callees = self.calls.of(node);
        let fits = move |&(to, exact): &(Sid, bool)| {
            layer.get(&to) == Some(&(inexact + u32::from(!exact)))
        };
        callees.filter(fits).map(|(to, _)| to)
    }

    /// Returns the best path with the smallest sequence of ids.
    fn trace(&self, rows: &Rows<'_>, layers: &[FxHashMap<Sid, u32>]) -> Found<Vec<Rc<SymbolFact>>> {
        let mut path: Vec<Rc<SymbolFact>> = Vec::new();
        let mut inexact = 0;
        for layer in layers {
            let candidates: Vec<Sid> = match path.last() {
                None => layer.keys().copied().collect(),
                Some(last) => self.successors(last.sid, inexact, layer).collect(),
            };
            let candidates = rows.in_order(rows.symbols(candidates)?)?;
            let Some(next) = candidates.into_iter().next() else {
                break;
            };
            inexact = layer.get(&next.sid).copied().unwrap_or(0);
            path.push(next);
        }
        Ok(path)
    }
}

/// Finds the best path from the target to the request's `to`, of at most `depth` calls.
pub(super) fn path(rows: &Rows<'_>, request: &GraphRequest, target: &Target) -> Found<Answer> {
    let depth = request.depth;
    let rules = Operation::Path.target_rules();
    let to = target::resolve_exactly(rows, &rules, &request.to)?;
    let ends: FxHashSet<Sid> = sids(&to.symbols).into_iter().collect();
    let starts = sids(&target.symbols);
    let calls = Calls::read(rows, &starts)?;
    let mut search = Search::new(&calls, &starts, depth);
    let Some(cost) = search.run(&ends) else {
        return without_path(rows, &search, target, &to, depth);
    };
    let layers = search.layers(&ends, cost);
    let nodes = search.trace(rows, &layers)?;
    let mut sets = RunSets::default();
    let mut found: Vec<ResultRow> = Vec::new();
    let mut before: Option<Sid> = None;
    for (node, number) in nodes.into_iter().zip(0..) {
        let links = match before {
            None => Vec::new(),
            Some(before) => {
                let callees = calls::callees_of(rows, before, &mut sets)?.into_iter();
                let mut to_node = callees.filter(|(callee, _)| *callee == node.sid);
                to_node.next().map_or_else(Vec::new, |(_, links)| links)
            }
        };
        before = Some(node.sid);
        found.push(ResultRow {
            depth: Some(number),
            links,
            ..ResultRow::plain(node.sid)
        });
    }
    Ok(Answer {
        unfiltered: true,
        ..Answer::list(found, OpenSites::default())
    })
}

/// Returns the answer if no path was found: what could lead on.
fn without_path(
    rows: &Rows<'_>,
    search: &Search<'_>,
    target: &Target,
    to: &Target,
    depth: u32,
) -> Found<Answer> {
    let passed = search.visited.iter();
    let passed = passed.filter(|(_, costs)| costs.iter().any(|&(_, edges)| edges < depth));
    let passed: Vec<Sid> = passed.map(|(&node, _)| node).collect();
    let mut open = OpenSites::default();
    open.add_all(rows, passed.iter().copied(), OpenKind::Callees)?;
    let mut lacks_libraries = false;
    for &node in &passed {
        let node = rows.fact(node)?;
        lacks_libraries |= node.is_some_and(Fact::is_of_read_library);
    }
    // In a dynamically typed language code runs that no call names; there the possible callers of the end count.
    let mut partial = None;
    let mut follows = true;
    for symbol in &target.symbols {
        follows &= !is_dynamically_typed(rows, symbol)?;
    }
    if open.count() == 0 && !follows {
        (open, partial) = possible_predecessors(rows, &to.symbols, depth)?;
        lacks_libraries |= libraries_may_use(rows, &sids(&to.symbols))?;
    }
    let is_cut = search.is_cut_by_depth();
    Ok(Answer {
        none: is_cut.then_some("path within the depth"),
        lacks_steps: is_cut,
        partial,
        lacks_libraries,
        ..Answer::list(Vec::new(), open)
    })
}

/// Returns whether a symbol is of a dynamically typed language.
fn is_dynamically_typed(rows: &Rows<'_>, symbol: &SymbolFact) -> Found<bool> {
    let lang = rows.lang(symbol)?;
    let language = lang.and_then(codeweft_graph::languages::language_of);
    Ok(language.is_some_and(|language| language.is_dynamically_typed()))
}

/// Returns the sites that could call one of the ends or one of their callers' callers: those of the first level that has
/// any. `Some(n)`: only `n` nodes were checked.
fn possible_predecessors(
    rows: &Rows<'_>,
    ends: &[Rc<SymbolFact>],
    depth: u32,
) -> Found<(OpenSites, Option<u32>)> {
    let mut level = sids(ends);
    let mut seen: FxHashSet<Sid> = level.iter().copied().collect();
    let mut checked = 0;
    for _ in 0..depth {
        let left = MAX_COMPLETENESS_NODES - checked;
        let cut = level.len() > left;
        level.truncate(left);
        checked += level.len();
        let mut open = OpenSites::default();
        open.add_all(rows, level.iter().copied(), OpenKind::CallersOfLiterals)?;
        if open.count() > 0 {
            return Ok((open, None));
        }
        if cut {
            return Ok((open, Some(checked as u32)));
        }
        let mut next: Vec<Sid> = Vec::new();
        calls::each_caller(rows, &level, &mut |_, caller, _| {
            if seen.insert(caller) {
                next.push(caller);
            }
            Ok(())
        })?;
        if next.is_empty() {
            break;
        }
        level = rows.sids_in_order(next)?;
    }
    Ok((OpenSites::default(), None))
}
