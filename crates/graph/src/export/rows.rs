//! Rows as they leave the graph.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::answer::{Node, ReceiverKind};

/// The kinds of edges (docs/graph.md §1).
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

    /// The name on the wire.
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

/// A package's part of an export.
#[derive(Clone, PartialEq, Debug)]
pub struct PackageRows {
    /// Its printed name; of the universe the empty text.
    pub name: Arc<str>,
    /// Whether it belongs to a library: then only what edges touch is there.
    pub external: bool,
    /// In order of id.
    pub nodes: Vec<Node>,
    /// In order of (from, type, to, file, line, column).
    pub edges: Vec<EdgeRow>,
}

/// An edge as printed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct EdgeRow {
    /// The id of the node it leads from.
    pub from: Arc<str>,
    /// The id of the node it leads to.
    pub to: Arc<str>,
    /// What it says.
    #[serde(rename = "type")]
    pub edge_type: EdgeType,
    /// The name token of the use; `implements` has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Of calls: `exact`, `dispatch`, `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    /// Of references: `read`, `write`, `type`, `embed`, `key`, `value`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Of `implements` from a type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receiver: Option<ReceiverKind>,
    /// Of `implements` from an instance of a generic type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_args: Vec<String>,
    /// Whether it holds in a test unit only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub test: bool,
    /// How it was found, where it is not exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether the use stands in a function literal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_literal: bool,
}

/// A place in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Location {
    /// As [`Node::file`].
    pub file: Arc<str>,
    /// 1-based.
    pub line: u32,
    /// 1-based, in bytes.
    pub column: u32,
}
