//! The walk: breadth first, level by level, each level in order of id (docs/architecture.md, "The way of a question").

use std::collections::hash_map::Entry;

use codeweft_db::SymbolId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::link::{InexactReason, Link};
use crate::query_context::QueryContext;

/// A walk ends past so many nodes, and says so, unless the answer is to be whole.
const MOST_NODES: usize = 200_000;

/// How many rings are listed.
const MOST_RINGS: usize = 20;

/// A node of the walk.
#[derive(Clone, Debug)]
pub(crate) struct VisitedNode {
    /// The node.
    pub(crate) symbol: SymbolId,
    /// The smallest depth it was found at.
    pub(crate) depth: u32,
    /// Every link between it and the level before.
    pub(crate) links: Vec<Link>,
}

/// What a walk found.
#[derive(Default)]
pub(crate) struct Traversal {
    /// In order of depth, then id.
    pub(crate) listed: Vec<VisitedNode>,
    /// The first rings, as ids in the direction of the edges.
    pub(crate) rings: Vec<Vec<String>>,
    /// How many rings there are.
    pub(crate) rings_total: u32,
    /// Whether the walk ended at its bound.
    pub(crate) bounded: bool,
}

impl Traversal {
    /// The starts, then the nodes whose neighbours were asked for: what is not known of any of them
    /// may belong to what the walk lists.
    pub(crate) fn expanded(&self, starts: &[SymbolId], depth: u32) -> Vec<SymbolId> {
        let mut expanded = starts.to_vec();
        let inner = self.listed.iter().filter(|listed| listed.depth < depth);
        expanded.extend(inner.map(|listed| listed.symbol));
        expanded
    }
}

/// How a walk goes on.
pub(crate) struct TraversalOptions<'a> {
    /// The most steps.
    pub(crate) depth: u32,
    /// Whether a step goes from a node to what uses it: rings are printed the other way round.
    pub(crate) backward: bool,
    /// See [`QueryContext::most_nodes`].
    pub(crate) most_nodes: usize,
    /// Told a whole level before its nodes are asked one by one.
    pub(crate) prepare: &'a dyn Fn(&[SymbolId]),
    /// The neighbours of a node with the links to each.
    pub(crate) step: &'a dyn Fn(SymbolId) -> Vec<(SymbolId, Vec<Link>)>,
}

impl QueryContext<'_> {
    /// How many nodes a walk lists at most.
    pub(crate) fn most_nodes(&self) -> usize {
        if self.whole { usize::MAX } else { MOST_NODES }
    }

    /// Walks from all starts at once. A start is listed only where an edge leads back to it.
    pub(crate) fn walk(&self, starts: &[SymbolId], course: &TraversalOptions<'_>) -> Traversal {
        let mut walk = Traversal::default();
        let mut parents: Parents = starts.iter().map(|&start| (start, (None, 0))).collect();
        let mut listed: FxHashSet<SymbolId> = FxHashSet::default();
        let mut rings: FxHashSet<Vec<SymbolId>> = FxHashSet::default();
        let mut frontier = self.in_order(starts.to_vec());
        for depth in 1..=course.depth {
            let mut level: FxHashMap<SymbolId, Vec<Link>> = FxHashMap::default();
            let mut next = FxHashSet::default();
            (course.prepare)(&frontier);
            for &from in &frontier {
                for (to, links) in (course.step)(from) {
                    match parents.entry(to) {
                        Entry::Vacant(slot) => {
                            slot.insert((Some(from), depth));
                            next.insert(to);
                        }
                        Entry::Occupied(_) => rings.extend(ring(&parents, from, to)),
                    }
                    if !listed.contains(&to) {
                        level.entry(to).or_default().extend(links);
                    }
                }
            }
            let mut found = self.in_order(level.keys().copied().collect());
            let room = course.most_nodes.saturating_sub(listed.len());
            if found.len() > room {
                found.truncate(room);
                walk.bounded = true;
            }
            for &symbol in &found {
                listed.insert(symbol);
                walk.listed.push(VisitedNode {
                    symbol,
                    depth,
                    links: self.distinct(level.remove(&symbol).unwrap_or_default()),
                });
            }
            if walk.bounded || next.is_empty() {
                break;
            }
            frontier = found;
            frontier.retain(|symbol| next.contains(symbol));
        }
        self.print_rings(&mut walk, rings, course.backward);
        walk
    }

    fn print_rings(&self, walk: &mut Traversal, rings: FxHashSet<Vec<SymbolId>>, backward: bool) {
        let mut printed: Vec<Vec<String>> = rings
            .into_iter()
            .map(|ring| {
                let mut ids: Vec<String> = ring.iter().map(|&s| self.id(s).to_string()).collect();
                if backward {
                    ids.reverse();
                }
                let smallest = (0..ids.len()).min_by_key(|&at| &ids[at]).unwrap_or(0);
                ids.rotate_left(smallest);
                ids
            })
            .collect();
        printed.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        printed.dedup();
        walk.rings_total = printed.len() as u32;
        printed.truncate(MOST_RINGS);
        walk.rings = printed;
    }

    /// One link a place: the best resolution wins, of several targets the first by id.
    pub(crate) fn distinct(&self, mut links: Vec<Link>) -> Vec<Link> {
        let better = |one: &Link, other: &Link| match (one.why, other.why) {
            (Some(InexactReason::Flow(one_target)), Some(InexactReason::Flow(other_target))) => {
                let order = one.resolution.cmp(&other.resolution);
                let by_id = || self.id(one_target).cmp(&self.id(other_target));
                order.then_with(by_id).is_lt()
            }
            _ => (one.resolution, one.why) < (other.resolution, other.why),
        };
        if links.len() > 1 {
            let mut best: FxHashMap<_, Link> = FxHashMap::default();
            for link in links.drain(..) {
                best.entry((link.file, link.spot))
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
}

/// From where and at which depth each node was found.
type Parents = FxHashMap<SymbolId, (Option<SymbolId>, u32)>;

/// The ring that an edge closes: from an ancestor of `from`, or `from` itself, down the tree.
fn ring(parents: &Parents, from: SymbolId, to: SymbolId) -> Option<Vec<SymbolId>> {
    let (_, own) = *parents.get(&from)?;
    let (_, above) = *parents.get(&to)?;
    // An ancestor stands so many steps above; what stands beside or below is none.
    let steps = own.checked_sub(above)?;
    if steps == 0 && from != to {
        return None;
    }
    let mut ring = vec![from];
    let mut at = from;
    for _ in 0..steps {
        at = parents.get(&at)?.0?;
        ring.push(at);
    }
    if at != to {
        return None;
    }
    ring.reverse();
    Some(ring)
}
