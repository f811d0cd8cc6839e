//! The arenas of the intermediate form under construction.

use la_arena::Arena;

use super::ir::*;
use codeweft_syntax::{NameId, Span};

/// The arenas of a [`Code`] under construction, with the offsets of their tokens and fields.
#[derive(Default)]
pub(super) struct ArenaBuilder {
    pub(super) exprs: Vec<Expr>,
    pub(super) stmts: Vec<Stmt>,
    pub(super) sigs: Vec<Sig>,
    pub(super) fields: Vec<Field>,
    pub(super) field_spans: Vec<Span>,
    pub(super) literals: Vec<(SigId, StmtId)>,
    pub(super) ints: Vec<Option<i128>>,
    pub(super) lists: Vec<u32>,
    pub(super) names: Vec<NameId>,
    pub(super) offsets: Vec<u32>,
    /// Number of calls and cuts so far: an expression that contains one is never [`Expr::Const`].
    pub(super) calls: u32,
    /// Number of tokens of string literals so far.
    pub(super) texts: usize,
}

/// The lengths of an [`ArenaBuilder`], to see what was added since and to remove it.
#[derive(Clone, Copy)]
pub(super) struct ArenaMark {
    exprs: usize,
    stmts: usize,
    sigs: usize,
    fields: usize,
    literals: usize,
    ints: usize,
    lists: usize,
    names: usize,
    calls: u32,
    texts: usize,
}

impl ArenaBuilder {
    /// Creates arenas with capacity for `exprs` expressions, and for the rest in proportion.
    pub(super) fn with_capacity(exprs: usize) -> ArenaBuilder {
        let mut arenas = ArenaBuilder {
            exprs: Vec::with_capacity(exprs + 1),
            stmts: Vec::with_capacity(exprs / 4 + 1),
            lists: Vec::with_capacity(exprs + 1),
            names: Vec::with_capacity(exprs),
            offsets: Vec::with_capacity(exprs),
            ..ArenaBuilder::default()
        };
        arenas.exprs.push(Expr::Missing);
        arenas.stmts.push(Stmt::Empty);
        arenas.lists.push(0);
        arenas
    }

    pub(super) fn mark(&self) -> ArenaMark {
        ArenaMark {
            exprs: self.exprs.len(),
            stmts: self.stmts.len(),
            sigs: self.sigs.len(),
            fields: self.fields.len(),
            literals: self.literals.len(),
            ints: self.ints.len(),
            lists: self.lists.len(),
            names: self.names.len(),
            calls: self.calls,
            texts: self.texts,
        }
    }

    /// Returns whether no name, call or function literal was added since the mark.
    pub(super) fn is_constant_since(&self, mark: ArenaMark) -> bool {
        self.names.len() - self.texts == mark.names - mark.texts
            && self.calls == mark.calls
            && self.literals.len() == mark.literals
    }

    /// Returns whether a string literal was added since the mark.
    pub(super) fn has_text_since(&self, mark: ArenaMark) -> bool {
        self.texts > mark.texts
    }

    /// Removes what was added since the mark. No name may have been added.
    pub(super) fn rewind(&mut self, mark: ArenaMark) {
        self.exprs.truncate(mark.exprs);
        self.stmts.truncate(mark.stmts);
        self.sigs.truncate(mark.sigs);
        self.fields.truncate(mark.fields);
        self.field_spans.truncate(mark.fields);
        self.ints.truncate(mark.ints);
        self.names.truncate(mark.names);
        self.offsets.truncate(mark.names);
        self.texts = mark.texts;
        self.lists.truncate(mark.lists);
    }

    /// Returns the finished arenas, the spans of the fields and the offsets of the tokens.
    pub(super) fn finish(self) -> (Code, Box<[Span]>, Box<[u32]>) {
        fn shrunk<T>(mut all: Vec<T>) -> Vec<T> {
            all.shrink_to_fit();
            all
        }
        let code = Code {
            exprs: Arena::from_iter(shrunk(self.exprs)),
            stmts: Arena::from_iter(shrunk(self.stmts)),
            sigs: Arena::from_iter(shrunk(self.sigs)),
            fields: Arena::from_iter(shrunk(self.fields)),
            literals: shrunk(self.literals),
            ints: shrunk(self.ints),
            lists: shrunk(self.lists),
            names: shrunk(self.names),
        };
        (code, self.field_spans.into(), self.offsets.into())
    }
}
