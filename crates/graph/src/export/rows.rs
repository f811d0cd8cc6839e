//! The rows of an export.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::answer::{Node, ReceiverKind};

/// The types of edges (docs/graph.md §1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the wire's own words")]
pub enum EdgeType {
    Calls,
    Embeds,
    Implements,
    Imports,
    References,
}

impl EdgeType {
    /// All of them, in the order of an export.
    pub const ALL: [EdgeType; 5] = [
        EdgeType::Calls,
        EdgeType::Embeds,
        EdgeType::Implements,
        EdgeType::Imports,
        EdgeType::References,
    ];

    /// Returns the name on the wire.
    pub fn wire_name(self) -> &'static str {
        match self {
            EdgeType::Calls => "calls",
            EdgeType::Embeds => "embeds",
            EdgeType::Implements => "implements",
            EdgeType::Imports => "imports",
            EdgeType::References => "references",
        }
    }
}

/// The rows of a package.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PackageRows {
    /// The printed name; empty for the builtins.
    pub name: Arc<str>,
    /// Whether it belongs to a library; then only nodes that edges touch are included.
    pub external: bool,
    /// The nodes, by id.
    pub nodes: Vec<Node>,
    /// The edges, by (from, type, to, file, line, column).
    pub edges: Vec<EdgeRow>,
}

/// An edge as printed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct EdgeRow {
    /// The id of the source node.
    pub from: Arc<str>,
    /// The id of the target node.
    pub to: Arc<str>,
    /// The type of the edge.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// The name token of the use; `implements` has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// For calls: `exact`, `dispatch` or `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// For references: `read`, `write`, `type`, `embed`, `key` or `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// For references to a type: in what it is written, as `type_usages` reports it; only in detailed packages.
    #[serde(skip)]
    pub usage: Option<&'static str>,
    /// For `implements` edges from a type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<ReceiverKind>,
    /// For `implements` edges from an instance of a generic type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_args: Vec<String>,
    /// Whether the edge exists in a test unit only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// How an inexact edge was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the use is inside a function literal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_literal: bool,
    /// For calls: whether only a function literal runs that is made inside the callee.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub of_literal: bool,
}

/// A position in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Location {
    /// As [`Node::file`].
    pub file: Arc<str>,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
}
