//! What questions about reachability share.

use std::sync::Arc;

use codeweft_db::{File, FileUses, NameId, SymbolId};

use crate::memo::{Garbage, Memo};

/// A node of the search for what is in use, as a number: a declaration, its values as those of an
/// interface ("boxed"), or its members as other projects see them ("open").
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct LiveNode(u32);

impl LiveNode {
    /// How many nodes a symbol has.
    const KINDS: u32 = 3;

    /// Returns the node of a declaration: it is in use.
    pub(crate) fn declared(symbol: SymbolId) -> LiveNode {
        LiveNode(symbol.number() * LiveNode::KINDS)
    }

    /// Returns the node of a type whose values become values of an interface.
    pub(crate) fn boxed(symbol: SymbolId) -> LiveNode {
        LiveNode(symbol.number() * LiveNode::KINDS + 1)
    }

    /// Returns the node of a declaration that other projects can hold.
    pub(crate) fn open(symbol: SymbolId) -> LiveNode {
        LiveNode(symbol.number() * LiveNode::KINDS + 2)
    }

    /// Returns its number, below [`LiveNode::count`].
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }

    /// Returns the number of a declaration's symbol; `None` for the other kinds of nodes.
    pub(crate) fn declared_number(self) -> Option<u32> {
        (self.0.is_multiple_of(LiveNode::KINDS)).then_some(self.0 / LiveNode::KINDS)
    }

    /// Returns the number of nodes of so many symbols.
    pub(crate) fn count(symbols: usize) -> usize {
        symbols * LiveNode::KINDS as usize
    }
}

/// What one file says of the use of declarations.
#[derive(Default, Debug)]
pub(crate) struct FileEdges {
    /// From what is in use to what it uses, sorted, distinct.
    pub(crate) edges: Box<[(LiveNode, LiveNode)]>,
    /// The methods that declarations use, sorted, distinct: by the names of those of interfaces methods of
    /// types run.
    pub(crate) methods: Box<[(SymbolId, LiveNode)]>,
    /// See [`FileUses::unnamed_fields`].
    pub(crate) unnamed_fields: Box<[SymbolId]>,
    /// The uses whose targets are chosen by their names: target, body, token.
    pub(crate) guesses: Box<[(SymbolId, u32, u32)]>,
    /// Where values of types become values of interfaces: type, body, token.
    pub(crate) boxed: Box<[(SymbolId, u32, u32)]>,
}

/// The memos of questions about reachability.
#[derive(Default)]
pub(crate) struct ReachabilityMemos {
    /// The edges of each file, with what they were read from and the package of the file then: kept
    /// while both are the same.
    pub(super) edges: Memo<File, (Arc<FileUses>, SymbolId, Arc<FileEdges>)>,
    /// The names of the methods of a text's interfaces, with the text.
    pub(super) interfaces: Memo<File, (Arc<str>, Arc<[NameId]>)>,
}

impl ReachabilityMemos {
    /// Takes out what questions have computed and can compute again.
    pub(crate) fn give_back(&self) -> Garbage {
        Box::new((self.edges.take(), self.interfaces.take()))
    }
}
