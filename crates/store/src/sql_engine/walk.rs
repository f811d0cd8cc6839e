//! Breadth-first walks, level by level, as the live engine makes them: each level is ordered by id before it is
//! followed, each node is listed once, and an edge back to an ancestor closes a cycle.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::rc::Rc;

use codeweft_graph::shaping::{MAX_CYCLES, MAX_NODES, in_smallest_rotation};
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Found;
use super::links::{Link, ResultRow};
use super::rows::{Rows, Sid, SymbolFact};

/// The result of a walk.
#[derive(Default)]
pub(super) struct Walked {
    /// The nodes, by depth, then id.
    pub(super) listed: Vec<ResultRow>,
    /// The first cycles, as ids in the direction of the edges.
    pub(super) cycles: Vec<Vec<String>>,
    /// The number of cycles.
    pub(super) cycles_total: u32,
    /// Whether the walk ended at its limit.
    pub(super) bounded: bool,
}

impl Walked {
    /// Returns the starts and the nodes whose neighbours were read.
    pub(super) fn expanded(&self, starts: &[Rc<SymbolFact>], depth: u32) -> Vec<Sid> {
        let inner = self.listed.iter().filter(|row| row.depth < Some(depth));
        let starts = starts.iter().map(|one| one.sid);
        starts.chain(inner.map(|row| row.symbol)).collect()
    }
}

/// Takes a node of a level, a neighbour, and the links between the two, which may be none.
pub(super) type VisitNeighbour<'a> = &'a mut dyn FnMut(Sid, Sid, &[Link]) -> Found<()>;

/// Passes the neighbours of the nodes of a level, in any order.
pub(super) type Step<'a> = &'a mut dyn FnMut(&[Sid], VisitNeighbour<'_>) -> Found<()>;

/// Walks `depth` levels from all starts at once. A start is listed only if an edge leads back to it. `backward`:
/// a step goes from a node to its users, and cycles are printed in the opposite direction.
pub(super) fn walk(
    rows: &Rows<'_>,
    starts: &[Rc<SymbolFact>],
    (depth, backward): (u32, bool),
    step: Step<'_>,
) -> Found<Walked> {
    let mut walked = Walked::default();
    let mut parents = Parents::default();
    let mut listed: FxHashSet<Sid> = FxHashSet::default();
    let mut cycles: FxHashSet<Box<[Sid]>> = FxHashSet::default();
    let ordered = rows.sids_in_order(starts.iter().map(|one| one.sid).collect())?;
    for (&sid, rank) in ordered.iter().zip(0..) {
        parents.insert(
            sid,
            Reached {
                parent: None,
                depth: 0,
                rank,
            },
        );
    }
    let mut frontier = ordered;
    for depth in 1..=depth {
        // The links to the nodes of the level, and the nodes: some have no link.
        let mut links: Vec<(Sid, Link)> = Vec::new();
        let mut level: Vec<Sid> = Vec::new();
        step(&frontier, &mut |from, to, of_both| {
            if let Some(cycle) = reach(&mut parents, (from, to), depth) {
                cycles.insert(cycle);
            }
            if !listed.contains(&to) {
                level.push(to);
                links.extend(of_both.iter().map(|link| (to, *link)));
            }
            Ok(())
        })?;
        links.sort_unstable();
        links.dedup_by_key(|(to, link)| (*to, link.position));
        let mut order = rows.sids_in_order(level)?;
        let left = MAX_NODES.saturating_sub(listed.len());
        if order.len() > left {
            order.truncate(left);
            walked.bounded = true;
        }
        frontier.clear();
        walked.listed.reserve(order.len());
        for sid in order {
            listed.insert(sid);
            if let Some(reached) = parents.get_mut(&sid).filter(|one| one.depth == depth) {
                reached.rank = frontier.len() as u32;
                frontier.push(sid);
            }
            let first = links.partition_point(|(to, _)| *to < sid);
            let end = links.partition_point(|(to, _)| *to <= sid);
            let own = links.get(first..end).unwrap_or_default().iter();
            walked.listed.push(ResultRow {
                depth: Some(depth),
                links: own.map(|(_, link)| *link).collect(),
                ..ResultRow::plain(sid)
            });
        }
        if walked.bounded || frontier.is_empty() {
            break;
        }
    }
    print_cycles(rows, &mut walked, cycles, backward)?;
    Ok(walked)
}

fn print_cycles(
    rows: &Rows<'_>,
    walked: &mut Walked,
    cycles: FxHashSet<Box<[Sid]>>,
    backward: bool,
) -> Found<()> {
    // The first ones, and how many there are.
    let mut first: BTreeSet<(usize, Vec<String>)> = BTreeSet::new();
    for cycle in cycles {
        let symbols = rows.symbols(cycle.iter().copied())?;
        // A node that cannot be read breaks its cycles.
        if symbols.len() < cycle.len() {
            continue;
        }
        walked.cycles_total += 1;
        let mut ids: Vec<String> = symbols.iter().map(|one| one.id.to_string()).collect();
        if backward {
            ids.reverse();
        }
        let ids = in_smallest_rotation(ids);
        first.insert((ids.len(), ids));
        if first.len() > MAX_CYCLES {
            first.pop_last();
        }
    }
    walked.cycles = first.into_iter().map(|(_, ids)| ids).collect();
    Ok(())
}

/// A node of a walk.
struct Reached {
    /// The first node of the level before that has an edge to it; none for a start.
    parent: Option<NonZeroU32>,
    depth: u32,
    /// Where it is in its level.
    rank: u32,
}

/// The nodes of a walk.
type Parents = FxHashMap<Sid, Reached>;

/// Notes the edge `from -> to` of a step; returns the cycle that it closes, if `to` was reached before.
fn reach(parents: &mut Parents, (from, to): (Sid, Sid), depth: u32) -> Option<Box<[Sid]>> {
    let rank = |parents: &Parents, of: Sid| parents.get(&of).map_or(u32::MAX, |one| one.rank);
    let known = parents.get(&to).map(|one| (one.depth, one.parent));
    match known {
        Some((before, _)) if before < depth => cycle(parents, from, to),
        Some((_, Some(parent))) if rank(parents, from) >= rank(parents, parent.get()) => None,
        _ => {
            let parent = NonZeroU32::new(from);
            let reached = Reached {
                parent,
                depth,
                rank: 0,
            };
            parents.insert(to, reached);
            None
        }
    }
}

/// Returns the cycle that the edge `from -> to` closes, if `to` is `from` or one of its ancestors.
fn cycle(parents: &Parents, from: Sid, to: Sid) -> Option<Box<[Sid]>> {
    let steps = parents
        .get(&from)?
        .depth
        .checked_sub(parents.get(&to)?.depth)?;
    if steps == 0 && from != to {
        return None;
    }
    let mut cycle = vec![from];
    let mut at = from;
    for _ in 0..steps {
        at = parents.get(&at)?.parent?.get();
        cycle.push(at);
    }
    if at != to {
        return None;
    }
    cycle.reverse();
    // A cycle is found from each of its nodes.
    let least = cycle.iter().zip(0..).min().map_or(0, |(_, at)| at);
    cycle.rotate_left(least);
    Some(cycle.into())
}
