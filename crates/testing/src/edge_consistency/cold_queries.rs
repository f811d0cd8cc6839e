//! Queries on an empty cache: they join nothing over all units, look up the units that name their
//! target, and must still give the same answer as the query did after all others.

use codeweft_db::RootDb;
use codeweft_graph::RevisionCache;
use codeweft_graph::answer::{GraphRequest, Operation};
use rustc_hash::FxHashSet;

use super::execution::execute_unlimited;
use super::exported::id_of;
use super::{Edge, Edges, Names, Sampling, Sides};
use crate::SeededRng;

/// Queries `callers` and `references` of randomly drawn nodes, in those languages in which one
/// query alone is fast; returns a line for each part that an answer lacks.
pub fn cold_queries(sides: &mut Sides, db: &RootDb, sampling: Sampling) -> Vec<String> {
    let mut wrong = Vec::new();
    for operation in [Operation::Callers, Operation::References] {
        let expected = match operation {
            Operation::Callers => &sides.callers,
            _ => &sides.references,
        };
        let mut targets: Vec<u32> = expected.list.iter().map(|edge| edge.to).collect();
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|&id| sides.names.text(id).starts_with("py:"));
        SeededRng::new(sampling.seed).shuffle(&mut targets);
        targets.truncate(sampling.count);
        let wanted: FxHashSet<u32> = targets.iter().copied().collect();
        let expected = expected.mapped(|edge| wanted.contains(&edge.to).then_some(edge));
        let mut found = Edges::default();
        for &target in &targets {
            let id = sides.names.text(target).to_owned();
            answer(&mut sides.names, db, operation, (target, &id), &mut found);
        }
        found.sort();
        let text = |number| sides.names.text(number);
        wrong.extend(expected.without(&found).into_iter().map(|edge| {
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
    request.include_literal_calls = operation == Operation::Callers;
    let Ok(response) = execute_unlimited(db, &RevisionCache::default(), &request) else {
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
