//! What a change of texts touches: the part of an `impact` with `diff` beside its results.

use serde::{Deserialize, Serialize};

use super::response::is_false;
use crate::export::EdgeRow;

/// A change of the workspace's texts: what differs between them before and after. Each list has at most
/// `max_results` elements, and beside it the number of all.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TextChange {
    /// The texts before the change, in words: `HEAD (3f0a91c2d4)`.
    pub before: String,
    /// The texts after it, in words: `the files as they are`.
    pub after: String,
    /// The files of a language that differ, by path.
    pub files: Vec<ChangedFile>,
    /// The number of such files.
    pub files_total: u32,
    /// The symbols that differ, by file and line: each with the position after the change, a removed one
    /// with that before it.
    pub symbols: Vec<ChangedSymbol>,
    /// The number of such symbols.
    pub symbols_total: u32,
    /// The tests that the change can reach: those that it surely can first, then by steps and id.
    pub tests: Vec<AffectedTest>,
    /// The number of such tests.
    pub tests_total: u32,
    /// The number of those that it reaches without a step of unknown target.
    pub tests_certain: u32,
    /// The edges that the change adds, without the possible targets of interface calls and of calls of
    /// function values. An edge that only moves is none.
    pub added_edges: Vec<EdgeRow>,
    /// The number of such edges.
    pub added_edges_total: u32,
    /// The edges that the change removes.
    pub removed_edges: Vec<EdgeRow>,
    /// The number of such edges.
    pub removed_edges_total: u32,
}

/// A file that a change touches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangedFile {
    /// As [`super::Node::file`].
    pub file: String,
    /// How it differs.
    pub change: FileChange,
}

/// How a file differs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileChange {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another text.
    Modified,
}

/// A symbol that a change touches.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChangedSymbol {
    /// As [`super::Node::id`].
    pub id: String,
    /// As [`super::Node::kind`].
    pub kind: String,
    /// As [`super::Node::file`].
    pub file: String,
    /// The line of its name; 1-based.
    pub line: u32,
    /// How it differs.
    pub change: SymbolChange,
}

/// How a symbol differs. Comments and white space do not count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SymbolChange {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// What users of it rely on differs: its parameters, results, type or bases.
    Signature,
    /// Other code of its declaration differs. Of a package or module: code outside of declarations.
    Behavior,
}

/// A test that a change can reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AffectedTest {
    /// As [`super::Node::id`].
    pub id: String,
    /// As [`super::Node::file`].
    pub file: String,
    /// The line of its name; 1-based.
    pub line: u32,
    /// The number of uses between the test and what differs, on the shortest way; 0 for a test that differs.
    pub steps: u32,
    /// Whether a step of unknown target is on every way to it: a call on a receiver of unknown type.
    #[serde(default, skip_serializing_if = "is_false")]
    pub possible: bool,
}
