//! The verdicts of the two directions: where an answer to `callers` says that a site could call its
//! target, the answer to `callees` of the function around the site must not say that it is complete
//! without the target.
//!
//! ```text
//! callers(g): could be called in f at line 7   =>   callees(f) is incomplete, or lists g
//! ```

use codeweft_db::RootDb;
use codeweft_graph::RevisionCache;
use codeweft_graph::answer::{GraphRequest, GraphResponse, Operation};
use rustc_hash::FxHashMap;

use super::execution::execute_unlimited;
use super::{Sampling, Sides};
use crate::SeededRng;

/// The reasons of sites that are calls. At the others a function escapes, or is declared.
const OF_CALLS: [&str; 2] = ["unknown_receiver", "function_value"];

/// What was compared.
#[derive(Default, Debug)]
pub struct Verdicts {
    /// The number of sites in functions of the workspace.
    pub sites: usize,
    /// A line for each complete answer to `callees` that lacks a function of the workspace which, by
    /// `callers`, its body could call.
    pub wrong: Vec<String>,
}

/// Queries `callers` of randomly drawn functions and methods of the workspace, and `callees` of the
/// functions around the sites that an answer lists as possible.
pub fn verdicts(sides: &Sides, db: &RootDb, sampling: Sampling) -> Verdicts {
    let cache = RevisionCache::default();
    let kinds = ["function", "method"].map(|kind| sides.names.known(kind));
    let own = sides.nodes.iter().filter(|node| !node.external);
    let own = own.filter(|node| kinds.contains(&Some(node.kind)));
    let mut targets: Vec<u32> = own.map(|node| node.id).collect();
    SeededRng::new(sampling.seed).shuffle(&mut targets);
    targets.truncate(sampling.count);
    let answer = |operation, target: &str| {
        let mut request = GraphRequest::new(operation, target);
        request.depth = 1;
        request.include_context = false;
        execute_unlimited(db, &cache, &request).ok()
    };
    let mut callees: FxHashMap<(String, u32), Option<GraphResponse>> = FxHashMap::default();
    let mut found = Verdicts::default();
    for target in targets {
        let id = sides.names.text(target);
        let Some(callers) = answer(Operation::Callers, id) else {
            continue;
        };
        let sites = callers.completeness.first.iter();
        for site in sites.filter(|site| OF_CALLS.contains(&site.reason.as_str())) {
            let around = callees
                .entry((site.file.clone(), site.line))
                .or_insert_with(|| {
                    let line = format!("{}:{}", site.file, site.line);
                    let around = answer(Operation::Callees, &line)?;
                    // What the line itself declares does not have the site in its body.
                    let declared = answer(Operation::Definition, &around.target)?;
                    let mut declared = declared.results.iter().map(|one| &one.node);
                    let is_inside = declared.any(|node| node.name_line < site.line);
                    is_inside.then_some(around)
                });
            let Some(around) = around else {
                continue;
            };
            found.sites += 1;
            let lists = around
                .results
                .iter()
                .any(|one| id.get(3..) == Some(&*one.node.id));
            if around.completeness.complete && !lists {
                found.wrong.push(format!(
                    "callees {} is complete without {id}, which callers lists as possible at {}:{}:{} {}",
                    around.target, site.file, site.line, site.column, site.reason
                ));
            }
        }
    }
    found
}
