//! Breadth-first walks, level by level, as the live engine makes them: each level is ordered by id before it is
//! followed, each node is listed once, and an edge back to an ancestor closes a cycle.

use std::collections::hash_map::Entry;
use std::rc::Rc;

use codeweft_graph::shaping::{MAX_CYCLES, MAX_NODES, in_smallest_rotation};
use rustc_hash::{FxHashMap, FxHashSet};

use super::failure::Found;
use super::links::{Link, Neighbours, ResultRow, distinct};
use super::rows::{Rows, Sid, Symbol};

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
    pub(super) fn expanded(&self, starts: &[Rc<Symbol>], depth: u32) -> Vec<Rc<Symbol>> {
        let inner = self.listed.iter().filter(|row| row.depth < Some(depth));
        let inner = inner.map(|row| row.symbol.clone());
        starts.iter().cloned().chain(inner).collect()
    }
}

/// Returns the neighbours of each node of a level.
pub(super) type Step<'a> = &'a mut dyn FnMut(&[Sid]) -> Found<FxHashMap<Sid, Neighbours>>;

/// Walks `depth` levels from all starts at once. A start is listed only if an edge leads back to it. `backward`:
/// a step goes from a node to its users, and cycles are printed in the opposite direction.
pub(super) fn walk(
    rows: &Rows<'_>,
    starts: &[Rc<Symbol>],
    (depth, backward): (u32, bool),
    step: Step<'_>,
) -> Found<Walked> {
    let mut walked = Walked::default();
    let mut parents: Parents = starts.iter().map(|one| (one.sid, (None, 0))).collect();
    let mut listed: FxHashSet<Sid> = FxHashSet::default();
    let mut cycles: FxHashSet<Vec<Sid>> = FxHashSet::default();
    let ordered = rows.in_order(starts.to_vec())?;
    let mut frontier: Vec<Sid> = ordered.iter().map(|one| one.sid).collect();
    for depth in 1..=depth {
        let mut level: FxHashMap<Sid, Vec<Link>> = FxHashMap::default();
        let mut next: FxHashSet<Sid> = FxHashSet::default();
        let mut found = step(&frontier)?;
        for &from in &frontier {
            for (to, links) in found.remove(&from).unwrap_or_default() {
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
        let symbols = rows.symbols(level.keys().copied().collect::<Vec<_>>())?;
        let mut order = rows.in_order(symbols)?;
        let left = MAX_NODES.saturating_sub(listed.len());
        if order.len() > left {
            order.truncate(left);
            walked.bounded = true;
        }
        frontier.clear();
        for symbol in order {
            listed.insert(symbol.sid);
            if next.contains(&symbol.sid) {
                frontier.push(symbol.sid);
            }
            walked.listed.push(ResultRow {
                depth: Some(depth),
                links: distinct(level.remove(&symbol.sid).unwrap_or_default()),
                ..ResultRow::plain(symbol)
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
    cycles: FxHashSet<Vec<Sid>>,
    backward: bool,
) -> Found<()> {
    let mut printed = Vec::new();
    for cycle in cycles {
        let symbols = rows.symbols(cycle.iter().copied())?;
        // A node that cannot be read breaks its cycles.
        if symbols.len() < cycle.len() {
            continue;
        }
        let mut ids: Vec<String> = symbols.iter().map(|one| one.id.to_string()).collect();
        if backward {
            ids.reverse();
        }
        printed.push(in_smallest_rotation(ids));
    }
    printed.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    printed.dedup();
    walked.cycles_total = printed.len() as u32;
    printed.truncate(MAX_CYCLES);
    walked.cycles = printed;
    Ok(())
}

/// The parent of each node in the order of the walk, and its depth.
type Parents = FxHashMap<Sid, (Option<Sid>, u32)>;

/// Returns the cycle that the edge `from -> to` closes, if `to` is `from` or one of its ancestors.
fn cycle(parents: &Parents, from: Sid, to: Sid) -> Option<Vec<Sid>> {
    let (_, own) = *parents.get(&from)?;
    let (_, of_ancestor) = *parents.get(&to)?;
    let steps = own.checked_sub(of_ancestor)?;
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
