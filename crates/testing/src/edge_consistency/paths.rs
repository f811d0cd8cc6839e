//! `path` between the two ends of one edge: it must exist, and each of its steps must be an edge.

use codeweft_db::RootDb;
use codeweft_graph::RevisionCache;
use codeweft_graph::answer::{GraphRequest, Operation};

use super::execution::execute_unlimited;
use super::{Edge, Sides};
use crate::SeededRng;

/// A random sample of edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sampling {
    /// The number of edges.
    pub count: usize,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// Queries `path` from source to target of sampled edges; returns a line for each error.
pub fn paths(sides: &Sides, db: &RootDb, sampling: Sampling) -> Vec<String> {
    let cache = RevisionCache::default();
    let mut rng = SeededRng::new(sampling.seed);
    let calls = &sides.exported_calls;
    let mut edges: Vec<Edge> = calls.list.clone();
    rng.shuffle(&mut edges);
    edges.truncate(sampling.count);
    let mut wrong = Vec::new();
    for edge in edges {
        let text = |number| sides.names.text(number);
        let (from, to) = (text(edge.from), text(edge.to));
        let mut request = GraphRequest::new(Operation::Path, from);
        request.to = to.to_owned();
        request.include_context = false;
        let steps = match execute_unlimited(db, &cache, &request) {
            Ok(response) => response.results,
            Err(error) => {
                wrong.push(format!("path {from} -> {to}: {}", error.message));
                continue;
            }
        };
        let language = &from[..3];
        let ids: Vec<String> = steps
            .iter()
            .map(|step| format!("{language}{}", step.node.id))
            .collect();
        let ends = (
            ids.first().map(String::as_str),
            ids.last().map(String::as_str),
        );
        if ends != (Some(from), Some(to)) {
            wrong.push(format!("path {from} -> {to} is {ids:?}"));
            continue;
        }
        for (pair, step) in ids.windows(2).zip(&steps[1..]) {
            for site in &step.sites {
                let known = |text: &str| sides.names.known(text).unwrap_or(u32::MAX);
                let one = Edge {
                    from: known(&pair[0]),
                    to: known(&pair[1]),
                    file: known(&site.file),
                    line: site.line,
                    column: site.column,
                    how: known(&site.resolution),
                };
                // The export has no calls inside libraries.
                let own = sides.nodes.iter();
                let mut own = own.filter(|node| !node.external);
                if own.any(|node| node.id == one.from) && !calls.has(&one) {
                    wrong.push(format!(
                        "path {from} -> {to} goes from {} to {} at {}:{}:{} {}, which is no edge",
                        pair[0], pair[1], site.file, site.line, site.column, site.resolution
                    ));
                }
            }
        }
    }
    wrong
}
