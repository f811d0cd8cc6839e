//! The edges of a workspace as each side has them.

use rustc_hash::FxHashSet;

use super::{Edges, Names};

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
