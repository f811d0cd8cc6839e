//! The data of requests and answers of editors.

use codeweft_vfs::Range;
use serde::{Deserialize, Serialize};

/// A range in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    /// The absolute path of the file.
    pub path: String,
    /// The range of the name.
    pub range: Range,
}

/// The kind of a symbol in the graph (`function`, `method`, `struct`, …).
pub type SymbolKindName = codeweft_db::NodeKind;

/// A symbol as a tree or a list shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolItem {
    /// The symbol's id as the graph prints it; later requests name the item by it.
    pub id: String,
    /// Its own name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKindName,
    /// Whether a package of its language is one file: a module.
    pub is_module: bool,
    /// Its container: a package, or a type and its package.
    pub container: String,
    /// The absolute path of the file.
    pub path: String,
    /// The whole declaration.
    pub range: Range,
    /// Its name inside `range`.
    pub selection: Range,
}

/// A caller or callee with the sites of its calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallItem {
    /// The caller (of incoming calls) or the callee (of outgoing ones).
    pub item: SymbolItem,
    /// The absolute path of the file of the sites: for incoming calls the item's, for outgoing ones the caller's;
    /// a package that calls from several files has a row for each.
    pub path: String,
    /// The called names.
    pub sites: Vec<Range>,
}

/// A symbol of a document with its members.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineItem {
    /// The symbol.
    pub item: SymbolItem,
    /// Its signature in one line.
    pub detail: String,
    /// Its members, in the order of the text.
    pub children: Vec<OutlineItem>,
}

/// The use of a highlighted name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Access {
    /// It is read or called.
    Read,
    /// It is declared or written.
    Write,
}

/// The content of a hover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The range of the name.
    pub range: Range,
    /// The language of the signature, for its colours: `go`, `python`.
    pub language: &'static str,
    /// The declaration in one line or a few.
    pub signature: String,
    /// The comment before it (Go) or the docstring (Python), as plain text; may be empty.
    pub doc: String,
    /// `3 callers, 2 implementations`; empty for a local.
    pub counts: String,
}
