//! Breadth-first traversal, level by level (docs/architecture.md, "The way of a question").
//!
//! Each level is ordered by id before it is expanded, so the result does not depend on threads or
//! hash order. Every node keeps its BFS parent; an edge back to an ancestor closes a cycle:
//!
//! ```text
//! start a:  a -> b -> c -> a
//! level 1: b (parent a)    level 2: c (parent b)    edge c -> a: cycle [a, b, c]
//! ```

use std::collections::hash_map::Entry;
use std::sync::Arc;

use codeweft_db::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::link::{InexactReason, Link};
use crate::query_context::QueryContext;
use crate::rendering::filtering::SitesByFile;
use crate::symbols;

/// A traversal stops after this many nodes, and the answer says so, unless limits are lifted.
pub const MAX_NODES: usize = 200_000;

/// How many cycles an answer lists.
pub const MAX_CYCLES: usize = 20;

/// A node found by a traversal.
#[derive(Clone, Debug)]
pub(crate) struct VisitedNode {
    /// The node.
    pub(crate) symbol: SymbolId,
    /// The smallest depth at which it was found, from 1.
    pub(crate) depth: u32,
    /// All links between it and the previous level.
    pub(crate) links: Vec<Link>,
    /// The sites of further links to it, which are only counted.
    pub(crate) counted: SitesByFile,
}

/// The result of a traversal.
#[derive(Default)]
pub(crate) struct Traversal {
    /// The nodes, by depth, then id.
    pub(crate) listed: Vec<VisitedNode>,
    /// The first cycles, as ids in the direction of the edges.
    pub(crate) cycles: Vec<Vec<String>>,
    /// The number of cycles found.
    pub(crate) cycles_total: u32,
    /// Whether the traversal stopped at its node limit.
    pub(crate) bounded: bool,
}

impl Traversal {
    /// Returns the starts and the nodes whose neighbours were requested. Unresolved sites of any of
    /// them could add to the result.
    pub(crate) fn expanded(&self, starts: &[SymbolId], depth: u32) -> Vec<SymbolId> {
        let mut expanded = starts.to_vec();
        let inner = self.listed.iter().filter(|listed| listed.depth < depth);
        expanded.extend(inner.map(|listed| listed.symbol));
        expanded
    }
}

/// Parameters of a traversal.
pub(crate) struct TraversalOptions<'a> {
    /// The number of levels.
    pub(crate) depth: u32,
    /// Whether a step goes from a node to its users; cycles are then printed in the opposite
    /// direction.
    pub(crate) backward: bool,
    /// See [`max_nodes`].
    pub(crate) max_nodes: usize,
    /// Called once per BFS level before its nodes are expanded (prefetch).
    pub(crate) prepare: &'a dyn Fn(&[SymbolId]),
    /// Returns the neighbours of a node with the links to each.
    pub(crate) step: &'a dyn Fn(SymbolId) -> Vec<(SymbolId, Vec<Link>)>,
}

/// Returns the node limit of traversals.
pub(super) fn max_nodes(query: &QueryContext<'_>) -> usize {
    if query.unlimited {
        usize::MAX
    } else {
        MAX_NODES
    }
}

/// Traverses from all starts at once. A start is listed only if an edge leads back to it.
pub(crate) fn traverse(
    query: &QueryContext<'_>,
    starts: &[SymbolId],
    options: &TraversalOptions<'_>,
) -> Traversal {
    let mut traversal = Traversal::default();
    let mut parents: Parents = starts.iter().map(|&start| (start, (None, 0))).collect();
    let mut listed: FxHashSet<SymbolId> = FxHashSet::default();
    let mut cycles: FxHashSet<Vec<SymbolId>> = FxHashSet::default();
    let mut frontier = symbols::in_order(query, starts.to_vec());
    for depth in 1..=options.depth {
        let mut level: FxHashMap<SymbolId, Vec<Link>> = FxHashMap::default();
        let mut next = FxHashSet::default();
        (options.prepare)(&frontier);
        for &from in &frontier {
            for (to, links) in (options.step)(from) {
                match parents.entry(to) {
                    Entry::Vacant(slot) => {
                        slot.insert((Some(from), depth));
                        next.insert(to);
                    }
                    Entry::Occupied(_) => cycles.extend(cycle(&parents, from, to)),
                }
                if !listed.contains(&to) {
                    level.entry(to).or_default().extend(links);
                }
            }
        }
        let mut level_order = symbols::in_order(query, level.keys().copied().collect());
        let remaining = options.max_nodes.saturating_sub(listed.len());
        if level_order.len() > remaining {
            level_order.truncate(remaining);
            traversal.bounded = true;
        }
        for &symbol in &level_order {
            listed.insert(symbol);
            traversal.listed.push(VisitedNode {
                symbol,
                depth,
                links: distinct(query, level.remove(&symbol).unwrap_or_default()),
                counted: SitesByFile::default(),
            });
        }
        if traversal.bounded || next.is_empty() {
            break;
        }
        frontier = level_order;
        frontier.retain(|symbol| next.contains(symbol));
    }
    let cycles = cycles.into_iter().collect();
    print_cycles(query, &mut traversal, cycles, options.backward);
    traversal
}

/// Prints distinct cycles into a traversal.
pub(super) fn print_cycles(
    query: &QueryContext<'_>,
    traversal: &mut Traversal,
    cycles: Vec<Vec<SymbolId>>,
    backward: bool,
) {
    let mut printed: Vec<Vec<Arc<str>>> = cycles
        .into_iter()
        .map(|cycle| {
            let mut ids: Vec<_> = cycle.iter().map(|&s| symbols::id(query, s)).collect();
            if backward {
                ids.reverse();
            }
            in_smallest_rotation(ids)
        })
        .collect();
    printed.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    printed.dedup();
    traversal.cycles_total = printed.len() as u32;
    let first = printed.iter().take(MAX_CYCLES);
    let texts = first.map(|ids| ids.iter().map(|id| id.to_string()).collect());
    traversal.cycles = texts.collect();
}

/// Returns a cycle from its smallest id on.
pub fn in_smallest_rotation<T: Ord>(mut ids: Vec<T>) -> Vec<T> {
    let smallest = (0..ids.len()).min_by_key(|&at| &ids[at]).unwrap_or(0);
    ids.rotate_left(smallest);
    ids
}

/// Keeps one link per position: the best resolution wins, among several flow targets the first
/// by id.
pub(super) fn distinct(query: &QueryContext<'_>, mut links: Vec<Link>) -> Vec<Link> {
    let better = |one: &Link, other: &Link| match (one.reason, other.reason) {
        (Some(InexactReason::Flow(one_target)), Some(InexactReason::Flow(other_target))) => {
            let order = one.resolution.cmp(&other.resolution);
            let by_id = || symbols::id(query, one_target).cmp(&symbols::id(query, other_target));
            order.then_with(by_id).is_lt()
        }
        _ => (one.resolution, one.reason) < (other.resolution, other.reason),
    };
    if links.len() > 1 {
        let mut best: FxHashMap<_, Link> = FxHashMap::default();
        for link in links.drain(..) {
            best.entry((link.file, link.key))
                .and_modify(|known| {
                    if better(&link, known) {
                        *known = link;
                    }
                })
                .or_insert(link);
        }
        links.extend(best.into_values());
    }
    links
}

/// The BFS parent and depth of each node.
type Parents = FxHashMap<SymbolId, (Option<SymbolId>, u32)>;

/// Returns the cycle that the edge `from -> to` closes, if `to` is `from` or one of its ancestors
/// in the BFS tree.
fn cycle(parents: &Parents, from: SymbolId, to: SymbolId) -> Option<Vec<SymbolId>> {
    let (_, own_depth) = *parents.get(&from)?;
    let (_, ancestor_depth) = *parents.get(&to)?;
    // An ancestor is exactly `own_depth - ancestor_depth` levels up; a node on the same or a lower
    // level is none.
    let steps = own_depth.checked_sub(ancestor_depth)?;
    if steps == 0 && from != to {
        return None;
    }
    let mut cycle = vec![from];
    let mut at = from;
    for _ in 0..steps {
        at = parents.get(&at)?.0?;
        cycle.push(at);
    }
    if at != to {
        return None;
    }
    cycle.reverse();
    Some(cycle)
}
