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

mod cold_queries;
mod compare;
mod edges;
mod exported;
mod paths;
mod queries;
mod redefinitions;

pub use cold_queries::cold_queries;
pub use compare::Difference;
pub use edges::{Edge, Edges, Names};
pub use paths::{Sampling, paths};

use codeweft_db::RootDb;
use codeweft_graph::answer::{ApiError, GraphRequest, GraphResponse};
use codeweft_graph::{QueryOptions, RevisionCache, execute};
use rustc_hash::FxHashSet;

/// Options of the queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskOptions {
    /// The number of threads.
    pub threads: usize,
    /// Each query starts with an empty cache: what one query joins for the next must not be what
    /// makes an answer right. Slow.
    pub cold_cache: bool,
    /// Also query `impact` of a signature change.
    pub signatures: bool,
}

impl Default for AskOptions {
    fn default() -> AskOptions {
        AskOptions {
            threads: 2,
            cold_cache: false,
            signatures: false,
        }
    }
}

/// Executes a request on one thread, without truncation.
fn execute_unlimited(
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

/// A queried node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueriedNode {
    /// Its id prefixed with its language, a number of [`Names`].
    pub id: u32,
    /// Its kind on the wire, a number of [`Names`].
    pub kind: u32,
    /// Whether it belongs to a library.
    pub external: bool,
}

/// Every edge of a workspace, from each side that has it.
#[derive(Default)]
pub struct Sides {
    /// The interned texts.
    pub names: Names,
    /// The nodes of the export: everything that the workspace declares, and the nodes of libraries
    /// that its edges touch.
    pub nodes: Vec<QueriedNode>,
    /// Further nodes of libraries whose `callees` were queried because `callers` named them.
    pub beside: FxHashSet<u32>,
    /// `calls` of the export.
    pub exported_calls: Edges,
    /// `implements` of the export.
    pub exported_implements: Edges,
    /// `embeds` of the export.
    pub exported_embeds: Edges,
    /// `imports` of the export.
    pub exported_imports: Edges,
    /// `references` of the export.
    pub exported_references: Edges,
    /// The export's calls that are references of their target itself.
    pub exported_uses: Edges,
    /// Edges from `callers`.
    pub callers: Edges,
    /// Edges from `callees`.
    pub callees: Edges,
    /// Edges from `implementations`.
    pub implementations: Edges,
    /// Edges from `implements`.
    pub implements: Edges,
    /// Edges from `dependents`.
    pub dependents: Edges,
    /// Edges from `dependencies`.
    pub dependencies: Edges,
    /// Edges from `references`.
    pub references: Edges,
    /// Edges from `type_usages`, without labels.
    pub type_usages: Edges,
    /// From `impact` of a behaviour change: sites that call functions and methods.
    pub impact: Edges,
    /// From `impact` of a behaviour change: nodes that a function or method reaches, without a
    /// site.
    pub impact_nodes: Edges,
    /// From `impact` of a signature change, if it was queried: all nodes and sites.
    pub impact_signature: Edges,
    /// From `callers` and `references` of plain ids with redefinitions: the redefinition that each
    /// site belongs to.
    pub of_redefinitions: Edges,
    /// The ids of redefinitions: several declarations of one name in one scope.
    pub redefinitions: FxHashSet<u32>,
    /// Answers that were truncated, that named another target or that failed.
    pub broken: Vec<String>,
}

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
