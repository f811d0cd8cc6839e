//! The judge of inverse questions: over a whole workspace `callers` tell the edges that `callees`
//! and the export tell, and so do `implementations` and `implements`, `dependents` and
//! `dependencies`, `references`, and the first level of `impact`.
//!
//! [`Sides::read`] asks every question of every node, as a client asks it and uncut, and reads the
//! export; [`Sides::differences`] compares. What the specification lets differ is a rule in
//! [`compare`](self), with its place, never a list of exceptions.

mod asked;
mod compare;
mod edges;
mod exported;
mod first;
mod paths;
mod twins;

pub use compare::Difference;
pub use edges::{Edge, Edges, Names};
pub use first::first_asked;
pub use paths::{Sampling, paths};

use codeweft_db::RootDb;
use codeweft_graph::RevisionCache;
use rustc_hash::FxHashSet;

/// How the questions are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskOptions {
    /// On how many threads.
    pub threads: usize,
    /// Each question knows nothing of those before it: what one question joins for the next must
    /// not be what makes an answer right. Takes long.
    pub forgetting: bool,
    /// Also `impact` of a signature.
    pub signatures: bool,
}

impl Default for AskOptions {
    fn default() -> AskOptions {
        AskOptions {
            threads: 2,
            forgetting: false,
            signatures: false,
        }
    }
}

/// A node that was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AskedNode {
    /// Its id with its language before it, a number of [`Names`].
    pub id: u32,
    /// Its kind on the wire, a number of [`Names`].
    pub kind: u32,
    /// Whether it belongs to a library.
    pub external: bool,
}

/// Every edge of a workspace, from each side that tells it.
#[derive(Default)]
pub struct Sides {
    /// Texts by number.
    pub names: Names,
    /// The nodes of the export: all that the workspace declares, and what of libraries its edges
    /// touch.
    pub nodes: Vec<AskedNode>,
    /// Nodes of libraries beside them whose `callees` were asked: they call what `callers` of nodes
    /// told.
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
    /// The calls of the export that are uses of their target itself.
    pub exported_uses: Edges,
    /// By `callers`.
    pub callers: Edges,
    /// By `callees`.
    pub callees: Edges,
    /// By `implementations`.
    pub implementations: Edges,
    /// By `implements`.
    pub implements: Edges,
    /// By `dependents`.
    pub dependents: Edges,
    /// By `dependencies`.
    pub dependencies: Edges,
    /// By `references`.
    pub references: Edges,
    /// By `type_usages`; how is empty.
    pub type_usages: Edges,
    /// By `impact` of a behaviour: sites that call functions and methods.
    pub impact: Edges,
    /// By `impact` of a behaviour: nodes that a function or method reaches, without a place.
    pub impact_nodes: Edges,
    /// By `impact` of a signature, where it was asked: the nodes and sites of everything.
    pub impact_signature: Edges,
    /// By `callers` and `references` of plain ids of twins: the twin that each site is of, and
    /// where.
    pub of_twins: Edges,
    /// The ids of twins: declarations of one name in one place.
    pub twins: FxHashSet<u32>,
    /// Answers that were not whole, that named another target or that broke.
    pub broken: Vec<String>,
}

impl Sides {
    /// Reads the export and asks every question of every node.
    pub fn read(db: &RootDb, how: AskOptions) -> Sides {
        let mut sides = exported::read(db, how.threads);
        let kept = RevisionCache::default();
        codeweft_graph::follow_values(db, &kept, how.threads);
        asked::ask(&mut sides, db, &kept, how);
        sides
    }
}
