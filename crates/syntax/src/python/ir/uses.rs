//! What the tokens of bodies do.

use super::*;
use crate::NameId;

/// The first number of scopes that are no items, see [`is_comprehension`].
pub const COMPREHENSION: u32 = 1 << 31;

/// Whether a scope is no item: a comprehension with its targets, or a `type` statement with its
/// type parameters. They are numbered in text order from [`COMPREHENSION`] on, so that equal names
/// of several stay apart.
pub fn is_comprehension(scope: u32) -> bool {
    scope >= COMPREHENSION && scope != NONE
}

/// One use in a body: what a token, or an operation at a token, does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Use {
    /// Where: the name's token; of a call of a callee without a name the opening parenthesis'.
    pub tok: Tok,
    /// What.
    pub kind: UseKind,
}

impl Use {
    /// In which part of a declaration a name stands, where it is a type's expression; else, and of
    /// all that is no name, [`TypeRole::None`].
    pub fn role(&self) -> TypeRole {
        match self.kind {
            UseKind::Name { role, .. } | UseKind::Attr { role, .. } => role,
            _ => TypeRole::None,
        }
    }
}

/// Which part of a declaration a use stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "named after the parts")]
pub enum TypeRole {
    #[default]
    None,
    Parameter,
    Result,
    /// The annotation of a variable of a module or function.
    Variable,
    /// The annotation of a class's variable or of `self.x`.
    Field,
    Base,
    /// Inside the brackets of a subscript of a type expression.
    TypeArgument,
    /// The second argument of `isinstance` and `issubclass`, the class of `except` and of a class
    /// pattern, the first of `cast`.
    Assertion,
    /// The right side of a type alias.
    Alias,
}

/// What a use does with its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(
    missing_docs,
    reason = "named after the contexts of the reference's ast"
)]
pub enum Access {
    Load,
    Store,
    /// `x += …`
    Augment,
    Delete,
    /// The callee of a call, a decorator, or what is raised: its call is a use of its own.
    Callee,
}

/// The kinds of uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are told with their variants")]
pub enum UseKind {
    /// A name: the item whose scope binds it ([`NONE`] where no scope of this file does: a builtin,
    /// or a name of a star import) or the comprehension ([`is_comprehension`]), and the value read
    /// or stored ([`NONE`] without one).
    Name {
        scope: u32,
        name: NameId,
        access: Access,
        role: TypeRole,
        value: NodeId,
    },
    /// `base.name`: the value read (a [`Node::Attr`]) or stored.
    Attr {
        base: NodeId,
        name: NameId,
        access: Access,
        role: TypeRole,
        value: NodeId,
    },
    /// A call: its node. The token is the callee's last name.
    Call(NodeId),
    /// A keyword argument's name: the call's node, and which keyword.
    Keyword { call: NodeId, which: u32 },
    /// The application of a decorator: the decorated item and which decorator. The token is the
    /// name of a plain one (`@a.b`: `b`), the `@` of one that is itself a call.
    Decorate { item: u32, which: u32 },
    /// A class statement: its item. The token is the class's name.
    ClassStatement(u32),
    /// A name in an import statement: see [`Node::Import`]. The token is the last part of a dotted
    /// name, but of `import a.b` the first, which it binds. Behind `from` `which` is [`NONE`].
    Import { import: u32, which: u32 },
    /// The last part of `import a.b`: the module that the whole names, by the import's number.
    ImportedModule(u32),
    /// A string in `__all__`.
    All(NameId),
    /// An operator, comparison, subscript, f-string part, truth test, unpacking: the node; the token
    /// is the operator's, of a subscript its `[`.
    Operator(NodeId),
    /// `base[index] = value`, `del base[index]`.
    SubscriptStore {
        base: NodeId,
        index: NodeId,
        access: Access,
    },
    /// A truth test of the value (`if`, `while`, `not`, `and`, `or`, `assert`).
    Truth(NodeId),
    /// `for`, comprehension, star, unpacking: iterates over the value; the token is the value's
    /// last byte.
    Iterate { value: NodeId, is_async: bool },
    /// `with`: enters and leaves the value; the token is the value's last byte.
    With { value: NodeId, is_async: bool },
    /// `await value`; the token is the keyword's.
    Await(NodeId),
    /// `raise value`, `raise … from value` of a name or an attribute: a class is called without
    /// arguments (Python reference, The raise statement). The token is the last name.
    Raise(NodeId),
}
