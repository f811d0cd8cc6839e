//! The consistency check of edges: over a whole workspace, `callers`, `callees` and the export must
//! have the same edges, and so must `implementations` and `implements`, `dependents` and
//! `dependencies`, `references`, and the first level of `impact`.
//!
//! [`Sides::read`] runs every operation on every node, as a client does and without truncation, and
//! reads the export; [`Sides::differences`] compares. Each permitted difference is a rule in
//! [`compare`](self) that cites the specification; there is no list of exceptions.
//!
//! ```text
//! for every edge  f -calls-> g :   g in callees(f)  <=>  f in callers(g)  <=>  f -> g in the export
//! ```
//!
//! [`verdicts`] compares what the two directions say of their completeness.

mod cold_queries;
mod compare;
mod edges;
mod execution;
mod exported;
mod paths;
mod queries;
mod redefinitions;
mod sides;
mod verdicts;

pub use cold_queries::cold_queries;
pub use compare::Difference;
pub use edges::{Edge, Edges, Names};
pub use paths::{Sampling, paths};
pub use queries::AskOptions;
pub use sides::{QueriedNode, Sides};
pub use verdicts::{Verdicts, verdicts};

use codeweft_db::RootDb;
use codeweft_graph::RevisionCache;

impl Sides {
    /// Reads the export and runs every operation on every node.
    pub fn read(db: &RootDb, how: AskOptions) -> Sides {
        let mut sides = exported::read(db, how.threads);
        let cache = RevisionCache::default();
        codeweft_graph::solve_value_flow(db, &cache, how.threads);
        queries::ask(&mut sides, db, &cache, how);
        sides
    }
}
