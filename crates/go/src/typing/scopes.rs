//! The names that blocks of a function declare.

use codeweft_syntax::go::Tok;

use crate::types::Ty;

/// A name declared in a block of a function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub kind: LocalKind,
    /// The token of its declaration: in the items' code for parameters, in the bodies' for others.
    pub tok: Tok,
    pub in_items: bool,
}

/// The kinds of locals.
#[derive(Clone, Copy, Debug)]
pub(super) enum LocalKind {
    /// A variable, with its index in [`Checker::closures`].
    Var(Ty, u32),
    /// A constant, with its index in [`Checker::values`].
    Const(Ty, u32),
    Type(Ty),
    Alias(Ty),
}
