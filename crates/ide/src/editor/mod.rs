//! What editors ask, as plain data: no type of a protocol. Positions and ranges are 0-based, in
//! lines and in code units of the encoding that the client negotiated, of the text of the revision
//! that was asked; the end of a range is exclusive. Paths are absolute and normalised.

use codeweft_graph::answer::GraphResponse;
use codeweft_vfs::{Encoding, Position, Range};
use serde::{Deserialize, Serialize};

use crate::Snapshot;

/// A place in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Location {
    /// Absolute.
    pub path: String,
    /// Of the name that stands there.
    pub range: Range,
}

/// What the kinds of symbols are called in the graph (`function`, `method`, `struct`, …).
pub type Kind = codeweft_db::NodeKind;

/// A symbol as a tree or a list shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The symbol's id as the graph prints it; a question about the item brings it along.
    pub id: String,
    /// Its own name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// What it stands in: a package, or a type and its package.
    pub container: String,
    /// Absolute.
    pub path: String,
    /// The whole declaration.
    pub range: Range,
    /// Its name inside `range`.
    pub selection: Range,
}

/// One end of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Calls {
    /// The caller (of incoming calls) or the callee (of outgoing ones).
    pub item: Item,
    /// The called names, in the caller's file.
    pub sites: Vec<Range>,
}

/// A symbol of a document with what it holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outline {
    /// The symbol.
    pub item: Item,
    /// Its signature, short.
    pub detail: String,
    /// In the order of the text.
    pub children: Vec<Outline>,
}

/// How a name is used where it is highlighted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Access {
    /// It is read or called.
    Read,
    /// It is declared or written.
    Write,
}

/// What a hover shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The name that it is about.
    pub range: Range,
    /// The language of the signature, for its colours: `go`, `python`.
    pub language: &'static str,
    /// The declaration in one line or a few.
    pub signature: String,
    /// The comment before it (Go) or the docstring (Python), as plain text; may be empty.
    pub doc: String,
    /// `3 callers, 2 implementations`; empty of a local.
    pub counts: String,
}

impl Snapshot<'_> {
    /// Where what stands at a position is defined.
    pub fn definition(&self, _path: &str, _at: Position, _encoding: Encoding) -> Vec<Location> {
        todo!()
    }

    /// As [`Snapshot::definition`]; in Python the stub's where there is one.
    pub fn declaration(&self, _path: &str, _at: Position, _encoding: Encoding) -> Vec<Location> {
        todo!()
    }

    /// What implements an interface or a method of one, the subclasses of a class and the overrides
    /// of a method; of a concrete Go type its interfaces.
    pub fn implementation(&self, _path: &str, _at: Position, _encoding: Encoding) -> Vec<Location> {
        todo!()
    }

    /// Every use, of locals too, sorted; with its declaration where that is wanted.
    pub fn references(
        &self,
        _path: &str,
        _at: Position,
        _encoding: Encoding,
        _declaration: bool,
    ) -> Vec<Location> {
        todo!()
    }

    /// The uses in the same file.
    pub fn highlights(
        &self,
        _path: &str,
        _at: Position,
        _encoding: Encoding,
    ) -> Vec<(Range, Access)> {
        todo!()
    }

    /// What is shown when the pointer rests at a position.
    pub fn hover(&self, _path: &str, _at: Position, _encoding: Encoding) -> Option<Hover> {
        todo!()
    }

    /// The functions or methods that a call hierarchy from a position begins with; module code and
    /// initialisers have an item of their package.
    pub fn call_items(&self, _path: &str, _at: Position, _encoding: Encoding) -> Vec<Item> {
        todo!()
    }

    /// The types that a type hierarchy from a position begins with.
    pub fn type_items(&self, _path: &str, _at: Position, _encoding: Encoding) -> Vec<Item> {
        todo!()
    }

    /// Who calls a symbol: the rows of `callers`, depth 1, of `exact`, `dispatch` and `value`,
    /// uncut. Empty of an id that is gone.
    pub fn incoming(&self, _id: &str, _encoding: Encoding) -> Vec<Calls> {
        todo!()
    }

    /// Whom a symbol calls: the rows of `callees`, uncut. Empty of an id that is gone.
    pub fn outgoing(&self, _id: &str, _encoding: Encoding) -> Vec<Calls> {
        todo!()
    }

    /// What a type implements, embeds or extends directly.
    pub fn supertypes(&self, _id: &str, _encoding: Encoding) -> Vec<Item> {
        todo!()
    }

    /// What implements, embeds or extends a type directly.
    pub fn subtypes(&self, _id: &str, _encoding: Encoding) -> Vec<Item> {
        todo!()
    }

    /// The declarations of a document, nested.
    pub fn outline(&self, _path: &str, _encoding: Encoding) -> Vec<Outline> {
        todo!()
    }

    /// Declarations of the workspace whose names match, best first, at most `most`.
    pub fn search(&self, _query: &str, _most: usize, _encoding: Encoding) -> Vec<Item> {
        todo!()
    }

    /// The id of what stands at a position; `None` where nothing of the graph does.
    pub fn id_at(&self, _path: &str, _at: Position, _encoding: Encoding) -> Option<String> {
        todo!()
    }

    /// A question of the graph whose answer is never cut: for the editor's door.
    pub fn graph_whole(
        &self,
        _request: &codeweft_graph::answer::GraphRequest,
    ) -> Result<GraphResponse, codeweft_graph::answer::ApiError> {
        todo!()
    }
}
