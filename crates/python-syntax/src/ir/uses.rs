//! Uses: the operations at the tokens of bodies, such as reads, stores, calls and operators.

use super::*;
use codeweft_syntax::NameId;
use codeweft_syntax::codec::Codec;

/// The first number of scopes that are no items; see [`is_comprehension`].
pub const COMPREHENSION: u32 = 1 << 31;

/// Returns whether a scope is no item: a comprehension with its targets, or a `type` statement with
/// its type parameters. Such scopes are numbered in text order from [`COMPREHENSION`] on, so that
/// equal names in several of them stay apart.
pub fn is_comprehension(scope: u32) -> bool {
    scope >= COMPREHENSION && scope != NONE
}

/// A use in a body: the operation at a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub struct Use {
    /// The token of the name; for a call whose callee has no name, that of the opening parenthesis.
    pub tok: Tok,
    /// The operation.
    pub kind: UseKind,
}

impl Use {
    /// Returns the part of a declaration in which a name occurs as a type expression;
    /// [`TypeRole::None`] for all other names and operations.
    pub fn role(&self) -> TypeRole {
        match self.kind {
            UseKind::Name { role, .. } | UseKind::Attr { role, .. } => role,
            _ => TypeRole::None,
        }
    }
}

/// The part of a declaration or expression in which a type expression occurs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Codec)]
#[expect(missing_docs, reason = "named after the parts")]
pub enum TypeRole {
    #[default]
    None,
    Parameter,
    Result,
    /// The annotation of a variable of a module or function.
    Variable,
    /// The annotation of a class variable or of `self.x`.
    Field,
    Base,
    /// Inside the brackets of a subscript of a type expression.
    TypeArgument,
    /// The second argument of `isinstance` and `issubclass`, the class of an `except` clause or
    /// class pattern, or the first argument of `cast`.
    Assertion,
    /// The right-hand side of a type alias.
    Alias,
}

/// The way a use accesses its value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
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
    /// The callee of a call, a decorator, or a raised exception; the call itself is a separate use.
    Callee,
}

/// The kinds of uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(missing_docs, reason = "the fields are told with their variants")]
pub enum UseKind {
    /// A name: the scope that binds it, and the value read or stored ([`NONE`] without one). The
    /// scope is an item, a comprehension ([`is_comprehension`]), or [`NONE`] if no scope of this
    /// file binds the name (a builtin, or a name of a star import).
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
    /// A call: its node. The token is the last name of the callee.
    Call(NodeId),
    /// The name of a keyword argument: the node of the call, and the keyword's index.
    Keyword { call: NodeId, which: u32 },
    /// The application of a decorator: the decorated item, the decorator's index and its node. The
    /// token is the last name of a plain decorator (`@a.b`: `b`), or the `@` of one that is itself a
    /// call.
    Decorate {
        item: u32,
        which: u32,
        value: NodeId,
    },
    /// A class statement: its item. The token is the class's name.
    ClassStatement(u32),
    /// A name in an import statement, see [`Node::Import`]. The token is the last part of a dotted
    /// name, but for `import a.b` the first, which it binds. For the module of a `from` import,
    /// `which` is [`NONE`].
    Import { import: u32, which: u32 },
    /// The last part of `import a.b`, which names the whole module: the import's number.
    ImportedModule(u32),
    /// A string in `__all__`.
    All(NameId),
    /// An operator, comparison, subscript, f-string part, truth test or unpacking: its node. The
    /// token is the operator's, `[` for a subscript.
    Operator(NodeId),
    /// `base[index] = value`, `del base[index]`; the value is [`NONE`] for `del`.
    SubscriptStore {
        base: NodeId,
        index: NodeId,
        value: NodeId,
        access: Access,
    },
    /// A truth test of the value (`if`, `while`, `not`, `and`, `or`, `assert`).
    Truth(NodeId),
    /// An iteration over the value by `for`, a comprehension, a star or unpacking. The token is the
    /// value's last byte.
    Iterate { value: NodeId, is_async: bool },
    /// A `with` statement that enters and exits the value; the token is the value's last byte.
    With { value: NodeId, is_async: bool },
    /// `await value`. The token is the keyword's.
    Await(NodeId),
    /// `raise value` or `raise … from value` with a name or an attribute: a class is instantiated
    /// without arguments (Python reference, The raise statement). The token is the last name.
    Raise(NodeId),
    /// A string whose value its node does not have: an f-string, or a constant that is long or has an escape; each of
    /// several adjacent ones. The token is the string's prefix or quote; [`crate::texts`] reads the value.
    Text(NodeId),
    /// The text before the first value of an f-string, if it is short and has no escape. The token is that of the
    /// string.
    TextStart { value: NodeId, text: NameId },
}
