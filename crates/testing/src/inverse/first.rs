//! Questions that are the first of all: they join nothing over all units, look for the units that
//! name their target, and still tell what the same question told behind all others.

use codeweft_db::RootDb;
use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_graph::{RevisionCache, ask_whole};
use rustc_hash::FxHashSet;

use super::exported::id_of;
use super::{Edge, Edges, Names, Sampling, Sides};
use crate::SeededRng;

/// Asks `callers` and `references` of nodes by lot, of those languages where a question may be
/// asked alone in little time: the lines of what the answers lack.
pub fn first_asked(sides: &mut Sides, db: &RootDb, lots: Sampling) -> Vec<String> {
    let mut wrong = Vec::new();
    for operation in [Operation::Callers, Operation::References] {
        let told = match operation {
            Operation::Callers => &sides.callers,
            _ => &sides.references,
        };
        let mut targets: Vec<u32> = told.list.iter().map(|edge| edge.to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|&id| sides.names.text(id).starts_with("py:"));
        SeededRng::new(lots.seed).shuffle(&mut targets);
        targets.truncate(lots.count);
        let wanted: FxHashSet<u32> = targets.iter().copied().collect();
        let told = told.mapped(|edge| wanted.contains(&edge.to).then_some(edge));
        let mut found = Edges::default();
        for &target in &targets {
            let id = sides.names.text(target).to_owned();
            answer(&mut sides.names, db, operation, (target, &id), &mut found);
        }
        found.sort();
        let text = |number| sides.names.text(number);
        wrong.extend(told.without(&found).into_iter().map(|edge| {
            format!(
                "{operation:?} asked first lacks {} -> {} {} {}:{}:{}",
                text(edge.from),
                text(edge.to),
                text(edge.how),
                text(edge.file),
                edge.line,
                edge.column
            )
        }));
    }
    wrong
}

fn answer(
    names: &mut Names,
    db: &RootDb,
    operation: Operation,
    (target, id): (u32, &str),
    found: &mut Edges,
) {
    let mut request = GraphRequest::new(operation, id);
    request.depth = 1;
    request.include_context = false;
    let Ok(response) = ask_whole(db, &RevisionCache::default(), &request, 1) else {
        return;
    };
    for result in &response.results {
        let from = id_of(names, &result.node);
        for site in &result.sites {
            let how = match operation {
                Operation::Callers => site.resolution.as_str(),
                _ => site.kind.as_deref().unwrap_or(""),
            };
            found.list.push(Edge {
                from,
                to: target,
                file: names.number(&site.file),
                line: site.line,
                column: site.column,
                how: names.number(how),
            });
        }
    }
}
