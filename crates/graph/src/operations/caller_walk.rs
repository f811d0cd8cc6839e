//! The callers of callers of some symbols, over the compact table of callers.
//!
//! Gives what [`traverse`](super::traversal::traverse) gives for the same steps, but counts the sites
//! of the rows beyond the first level, by file; [`CallerWalk::add_links`] makes links of them for the
//! rows that are listed:
//!
//! ```text
//! errors.New at depth 10:   70,000 rows, 100 of them listed
//! ```

use std::cell::RefCell;
use std::sync::Arc;

use codeweft_db::{Lang, SymbolId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::{IncludedCalls, callers_of};
use super::literal_calls::LiteralCalls;
use super::traversal::{self, Traversal, VisitedNode};
use crate::call_graph::caller_table::{CallerTable, Callers, CompactCall, NodeNumber};
use crate::call_graph::{expect_lookups, prepare_indirect};
use crate::link::Link;
use crate::query_context::QueryContext;
use crate::rendering::filtering::{ResultRow, SitesByFile};
use crate::symbols;

/// The calls that the lists have: all but those that fit by name alone.
pub(crate) const LISTED: IncludedCalls = IncludedCalls {
    unresolved: false,
    of_literals: true,
};

/// How the walk reached a node.
#[derive(Clone, Copy)]
struct Reached {
    /// The node from which it was reached first; a start has itself.
    parent: NodeNumber,
    /// The depth, 0 for a start.
    depth: u32,
}

/// The nodes that a level lists, each with its links or its number of sites.
#[derive(Default)]
struct Level {
    /// The index of each node of the level in `nodes` and `rows`. What other nodes have here is of no
    /// use, so that nothing is cleared between two levels.
    indexes: Vec<u32>,
    nodes: Vec<NodeNumber>,
    rows: Vec<(Vec<Link>, SitesByFile)>,
}

impl Level {
    fn row(&mut self, node: NodeNumber) -> Option<&mut (Vec<Link>, SitesByFile)> {
        let slot = slot(&mut self.indexes, node);
        if self.nodes.get(*slot as usize) != Some(&node) {
            *slot = self.nodes.len() as u32;
            self.nodes.push(node);
            self.rows.push(Default::default());
        }
        self.rows.get_mut(*slot as usize)
    }
}

/// A walk from symbols to their callers.
#[derive(Default)]
pub(crate) struct CallerWalk {
    /// Whether calls of function literals are followed.
    follows_literals: bool,
    reached: Vec<Option<Reached>>,
    listed: FixedBitSet,
    seen_sites: FixedBitSet,
    cycles: FxHashSet<Vec<NodeNumber>>,
    /// The nodes whose callers are the first level, the second, and so on.
    frontiers: Vec<Vec<NodeNumber>>,
}

/// The first level of a walk: the neighbours of a start with the links to each.
type FirstLevel<'a> = &'a dyn Fn(SymbolId) -> Vec<(SymbolId, Vec<Link>)>;

/// Goes back from `starts` over `depth` levels, to at most `max_nodes` nodes; `None` if the table cannot hold
/// one of the calls. `literal_calls` hides calls of function literals beyond the first level, if it hides
/// any.
pub(crate) fn walk(
    query: &QueryContext<'_>,
    starts: &[SymbolId],
    (depth, max_nodes): (u32, usize),
    first: FirstLevel<'_>,
    literal_calls: &RefCell<LiteralCalls>,
) -> Option<(Traversal, CallerWalk)> {
    let table = query.callers();
    let mut walk = CallerWalk {
        follows_literals: literal_calls.borrow().are_listed(),
        ..CallerWalk::default()
    };
    let mut traversal = Traversal::default();
    let mut frontier: Vec<NodeNumber> = starts.iter().map(|&start| table.number(start)).collect();
    for &start in &frontier {
        *slot(&mut walk.reached, start) = Some(Reached {
            parent: start,
            depth: 0,
        });
    }
    table.sort(&mut frontier, |symbol| name_of(query, symbol));
    frontier.dedup();
    let mut level = Level::default();
    for depth in 1..=depth {
        level.rows.clear();
        level.nodes.clear();
        match depth {
            1 => walk.add_first_level(table, &frontier, first, &mut level),
            _ => walk.add_level(query, &frontier, depth, &mut level, literal_calls)?,
        }
        let mut order = level.nodes.clone();
        table.sort(&mut order, |symbol| name_of(query, symbol));
        let remaining = max_nodes.saturating_sub(traversal.listed.len());
        if order.len() > remaining {
            order.truncate(remaining);
            traversal.bounded = true;
        }
        for (&node, symbol) in order.iter().zip(table.symbols(&order)) {
            query.poll_cancellation();
            walk.listed.grow_and_insert(node as usize);
            let row = level.row(node).map(std::mem::take);
            let (links, counted) = row.unwrap_or_default();
            traversal.listed.push(VisitedNode {
                symbol,
                depth,
                links: traversal::distinct(query, links),
                counted,
            });
        }
        walk.frontiers.push(std::mem::take(&mut frontier));
        frontier = order;
        let is_new = |node| walk.of(node).is_some_and(|reached| reached.depth == depth);
        frontier.retain(|&node| is_new(node));
        if traversal.bounded || frontier.is_empty() {
            break;
        }
    }
    let cycles = std::mem::take(&mut walk.cycles).into_iter();
    let cycles = cycles.map(|cycle| table.symbols(&cycle)).collect();
    traversal::print_cycles(query, &mut traversal, cycles, true);
    Some((traversal, walk))
}

impl CallerWalk {
    fn add_first_level(
        &mut self,
        table: &CallerTable,
        frontier: &[NodeNumber],
        first: FirstLevel<'_>,
        level: &mut Level,
    ) {
        for (&from, symbol) in frontier.iter().zip(table.symbols(frontier)) {
            for (to, links) in first(symbol) {
                let to = table.number(to);
                self.reach(from, to, 1);
                if let Some(row) = level.row(to) {
                    row.0.extend(links);
                }
            }
        }
    }

    /// Adds the callers of a level's nodes; `None` if the table cannot hold one of the calls.
    fn add_level(
        &mut self,
        query: &QueryContext<'_>,
        frontier: &[NodeNumber],
        depth: u32,
        level: &mut Level,
        literal_calls: &RefCell<LiteralCalls>,
    ) -> Option<()> {
        let table = query.callers();
        let unknown = table.unknown(frontier);
        if unknown.len() > 1 {
            prepare_indirect(query, &unknown);
            expect_lookups(query, unknown.len());
            let found = query.map_in_contexts(&unknown, |query, &symbol| find(query, symbol));
            for (symbol, found) in unknown.into_iter().zip(found) {
                table.callers(table.number(symbol), |_| found)?;
            }
        }
        for &from in frontier {
            query.poll_cancellation();
            let callers: Callers = table.callers(from, |symbol| find(query, symbol))?;
            for calls in callers.chunk_by(|a, b| a.caller == b.caller) {
                let Some(to) = calls.first().map(|call| call.caller) else {
                    continue;
                };
                let followed;
                let mut calls = calls;
                if !self.follows_literals && calls.iter().any(|call| call.is_of_literal()) {
                    let (of_literals, others): (Vec<CompactCall>, Vec<CompactCall>) =
                        calls.iter().partition(|call| call.is_of_literal());
                    if let [caller] = table.symbols(&[to])[..] {
                        literal_calls.borrow_mut().add(caller, of_literals.len());
                    }
                    if others.is_empty() {
                        continue;
                    }
                    followed = others;
                    calls = &followed;
                }
                self.reach(from, to, depth);
                if self.listed.contains(to as usize) {
                    continue;
                }
                let Some((_, counted)) = level.row(to) else {
                    continue;
                };
                table.visit_files(calls, |site, file| {
                    let site = site as usize;
                    if site >= self.seen_sites.len() {
                        self.seen_sites.grow((site + 1).next_power_of_two());
                    }
                    if !self.seen_sites.put(site) {
                        counted.add(file);
                    }
                });
            }
        }
        Some(())
    }

    /// Notes that a step leads from one node to another.
    fn reach(&mut self, from: NodeNumber, to: NodeNumber, depth: u32) {
        let known = slot(&mut self.reached, to);
        if known.is_none() {
            *known = Some(Reached {
                parent: from,
                depth,
            });
        } else if let Some(cycle) = self.cycle(from, to) {
            self.cycles.insert(cycle);
        }
    }

    fn of(&self, node: NodeNumber) -> Option<Reached> {
        self.reached.get(node as usize).copied().flatten()
    }

    /// Returns the cycle that a step closes if it leads to where it comes from, or to a node through
    /// which that was reached first.
    fn cycle(&self, from: NodeNumber, to: NodeNumber) -> Option<Vec<NodeNumber>> {
        let steps = self.of(from)?.depth.checked_sub(self.of(to)?.depth)?;
        let mut at = from;
        for _ in 0..steps {
            at = self.of(at)?.parent;
        }
        if at != to {
            return None;
        }
        let mut cycle = vec![from];
        let mut at = from;
        for _ in 0..steps {
            at = self.of(at)?.parent;
            cycle.push(at);
        }
        cycle.reverse();
        Some(cycle)
    }

    /// Makes links of the counted sites of `rows`, which are rows of this walk.
    pub(crate) fn add_links(&self, query: &QueryContext<'_>, rows: &mut [ResultRow]) {
        let table = query.callers();
        let mut indexes: FxHashMap<NodeNumber, usize> = FxHashMap::default();
        // The walk has hundreds of thousands of calls, and few of them are of these callers.
        let mut callers_of_rows = FixedBitSet::with_capacity(self.reached.len());
        let mut depths = FxHashSet::default();
        for (index, row) in rows.iter().enumerate() {
            if !row.counted.is_empty() {
                let caller = table.number(row.symbol);
                indexes.insert(caller, index);
                callers_of_rows.grow_and_insert(caller as usize);
                depths.extend(row.depth);
            }
        }
        for (frontier, depth) in self.frontiers.iter().zip(1..) {
            if !depths.contains(&depth) {
                continue;
            }
            for &from in frontier {
                query.poll_cancellation();
                // A start has no list unless it is needed elsewhere; its callers have links.
                let callers = match depth {
                    1 => None,
                    _ => table.callers(from, |symbol| find(query, symbol)),
                };
                let calls = callers.iter().flat_map(|callers| callers.iter());
                let calls = calls.filter(|call| callers_of_rows.contains(call.caller as usize));
                for call in calls.filter(|call| self.follows_literals || !call.is_of_literal()) {
                    let row = indexes.get(&call.caller).and_then(|&at| rows.get_mut(at));
                    if let Some(row) = row.filter(|row| row.depth == Some(depth))
                        && let Some(link) = table.link(*call, from)
                        && row.counted.contains(link.file)
                    {
                        row.links.push(link);
                    }
                }
            }
        }
        for &index in indexes.values() {
            if let Some(row) = rows.get_mut(index) {
                row.counted = SitesByFile::default();
                row.links = traversal::distinct(query, std::mem::take(&mut row.links));
            }
        }
    }
}

/// Returns the entry of a node; entries up to it are created.
fn slot<T: Clone + Default>(list: &mut Vec<T>, node: NodeNumber) -> &mut T {
    let at = node as usize;
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    &mut list[at]
}

/// Returns the callers of a function for the table.
fn find(query: &QueryContext<'_>, symbol: SymbolId) -> Vec<(SymbolId, Vec<Link>)> {
    query.poll_cancellation();
    callers_of(query, symbol, LISTED)
}

fn name_of(query: &QueryContext<'_>, symbol: SymbolId) -> (Option<Lang>, Arc<str>) {
    (query.lang(symbol), symbols::id(query, symbol))
}
