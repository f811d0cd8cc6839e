//! The execution of one request.

use codeweft_db::RootDb;
use codeweft_graph::answer::{ApiError, GraphRequest, GraphResponse};
use codeweft_graph::{QueryOptions, RevisionCache, execute};

/// Executes a request on one thread, without truncation.
pub(super) fn execute_unlimited(
    db: &RootDb,
    cache: &RevisionCache,
    request: &GraphRequest,
) -> Result<GraphResponse, ApiError> {
    let options = QueryOptions {
        unlimited: true,
        ..QueryOptions::new(cache, 1)
    };
    execute(db, &request.clone().check()?, options)
}
