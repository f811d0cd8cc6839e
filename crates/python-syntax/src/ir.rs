//! The intermediate representation of a Python module: what name resolution and type inference
//! need, without offsets.
//!
//! Lowering follows the flow of values inside each scope: a read of a local name becomes the
//! [`Node`] of the value that reaches it, or a [`Node::Phi`] of several. Only names of other
//! scopes, and everything that needs another file, are left to the crate `codeweft-python`.
//!
//! ```python
//! if c:
//!     x = 1
//! else:
//!     x = f()
//! x           # Phi[Constant(Int), Call f]: no lookup of `x` is left
//! ```
//!
//! Every module, class, function and lambda is an [`Item`] with a [`Body`] of the same number.
//! Comprehensions are inlined in the enclosing body. The nodes of a body are in evaluation order in
//! an arena of their own. The part of them that other code can infer something from (headers of
//! declarations, bindings of modules and classes, captured variables, results, stores into
//! attributes of `self`) is copied into [`Items::code`] (see `slices`), so that an edit which
//! changes none of it leaves the items equal.

mod uses;

use codeweft_syntax::NameId;
use codeweft_syntax::codec::Codec;
pub use uses::*;

/// Marks the absence of an item, node, list, token or parameter.
pub const NONE: u32 = u32::MAX;

/// The imports of a Python module.
#[derive(Clone, PartialEq, Eq, Debug, Default, Codec)]
pub struct Header {
    /// Every import in text order: one entry for each target of an `import` statement, one for each
    /// `from` statement. Statements inside functions and classes are included.
    pub imports: Box<[Import]>,
}

/// One import (Python reference, The import statement).
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub struct Import {
    /// The dotted name as written, without leading dots; empty in `from . import x`.
    pub module: NameId,
    /// The number of leading dots: 0 for an absolute import.
    pub level: u32,
    /// The names of `from … import a, b`; each may be a submodule. Empty for `import m` and `*`.
    pub names: Box<[NameId]>,
    /// The name that each of `names` binds: its alias or itself. `import a.b` has the one name `a`,
    /// `import a.b as c` the one name `c`; empty for `*`.
    pub bound: Box<[NameId]>,
    /// The form of the statement.
    pub form: ImportForm,
    /// The condition under which it runs.
    pub guard: Guard,
    /// Whether it is inside a function, and so runs when that is called, not when the module is
    /// loaded.
    pub in_function: bool,
}

/// The forms of an import.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub enum ImportForm {
    /// `import a.b`: binds `a`.
    Module,
    /// `import a.b as c`: binds `a.b`.
    ModuleAs,
    /// `from m import a, b as c`
    Names,
    /// `from m import *`
    Star,
}

/// The innermost relevant condition around an import or a binding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Codec)]
pub enum Guard {
    /// Unconditional.
    #[default]
    None,
    /// `if TYPE_CHECKING:`
    TypeChecking,
    /// The body of a `try` that handles `ImportError`, or the body of such a handler.
    ImportError,
    /// A branch of another test of `sys.version_info`, `sys.platform` or `os.name`.
    Version,
    /// A branch that runs from Python 3.N on: of `if sys.version_info >= (3, N):`, or the `else` of `<`.
    Since(u16),
    /// A branch that runs before Python 3.N only: of `if sys.version_info < (3, N):`, or the `else` of `>=`.
    Before(u16),
    /// Any other branch, loop or `try`.
    Other,
}

/// The declarations of a module, with everything that other code can infer from its bodies.
#[derive(Clone, PartialEq, Eq, Debug, Default, Codec)]
pub struct Items {
    /// Item 0 is the module; the others are in text order, so a parent precedes its children.
    pub items: Box<[Item]>,
    /// The parameters of all functions and lambdas.
    pub params: Box<[Param]>,
    /// The names that scopes bind: see [`Item::bindings`].
    pub bindings: Box<[Binding]>,
    /// Stores into attributes of the first parameter of methods, in text order.
    pub stores: Box<[Store]>,
    /// The changes of the module's `__all__`, in text order.
    pub all: Box<[AllChange]>,
    /// The nodes that headers, bindings, results and stores refer to. Each item's nodes are one
    /// range: [`Item::nodes`].
    pub code: Code,
}

/// A half-open range of numbers in an arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Codec)]
pub struct Range {
    /// The first.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Range {
    /// Returns the numbers of the range.
    pub fn iter(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The number of a node in a [`Code`]; number 0 of every arena is [`Node::Opaque`].
pub type NodeId = u32;
/// The number of a list of nodes in a [`Code`]; number 0 is the empty list.
pub type ListId = u32;
/// A token. For items, its index in `Ranges::item_tokens`; for bodies, its index in
/// `Ranges::body_tokens` minus the first of the body.
pub type Tok = u32;

/// A module, class, function or lambda.
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub struct Item {
    /// The item whose scope it is declared in; [`NONE`] for the module.
    pub parent: u32,
    /// Its name; `<lambda>` for a lambda, the empty name for the module.
    pub name: NameId,
    /// How many items of the same parent and name precede it.
    pub nth: u32,
    /// The kind of item.
    pub kind: ItemKind,
    /// The token of its name; of the keyword for a lambda; [`NONE`] for the module.
    pub tok: Tok,
    /// The decorators in text order, nodes of the parent's range.
    pub decorators: Box<[NodeId]>,
    /// PEP 695 type parameters: name and bound (a type expression), nodes of the parent's range.
    pub type_params: Box<[(NameId, NodeId)]>,
    /// The parameters of a function or lambda in `Items::params`, in text order.
    pub params: Range,
    /// The annotation of the result, read as a type; [`NONE`] without one. In the parent's range.
    pub returns: NodeId,
    /// The bases of a class in text order, `*x` as [`Node::Star`]. In the parent's range.
    pub bases: Box<[NodeId]>,
    /// For each of `bases` the token of its last name outside brackets (`a.B[T]`: `B`), or its
    /// first token if it has no name.
    pub base_toks: Box<[Tok]>,
    /// The keyword arguments of a class statement, `metaclass` included. In the parent's range.
    pub keywords: Box<[(NameId, NodeId)]>,
    /// The nodes of `Items::code` that this item's own code evaluates.
    pub nodes: Range,
    /// The names it binds in `Items::bindings`. For a module or class: every name in text order,
    /// once per binding. For a function: only names that a nested scope reads. A name that a
    /// function declares `global` or `nonlocal` is listed with the scope it belongs to.
    pub bindings: Range,
    /// The values of its `return` statements, and `None` for the end of the body if that is
    /// reached; for a lambda its expression. In its own range.
    pub results: Box<[NodeId]>,
    /// The values it yields; `yield from x` as [`Node::Iter`] of `x`. In its own range.
    pub yields: Box<[NodeId]>,
    /// Flags of a function.
    pub flags: Flags,
    /// The condition under which it is declared.
    pub guard: Guard,
}

/// The kinds of items.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub enum ItemKind {
    /// The module itself.
    Module,
    /// A class.
    Class,
    /// A function or method.
    Function,
    /// A lambda expression.
    Lambda,
}

/// Properties of a function that its text determines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Codec)]
pub struct Flags {
    /// `async def`
    pub is_async: bool,
    /// Whether it yields: a generator.
    pub is_generator: bool,
    /// Whether its body is only `...` or a docstring; or neither returns a value nor yields, and it
    /// is a method, or ends with `raise NotImplementedError`. The results of such a body say nothing
    /// about those of its implementations and overrides.
    pub is_stub: bool,
    /// Whether its end can be reached, or it returns without a value.
    pub falls_through: bool,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
pub struct Param {
    /// Its name.
    pub name: NameId,
    /// How it accepts arguments.
    pub kind: ParamKind,
    /// Its annotation, read as a type; [`NONE`] without one. In the range of the item's parent.
    pub annotation: NodeId,
    /// Its default; [`NONE`] without one. In the range of the item's parent.
    pub default: NodeId,
    /// The token of its name.
    pub tok: Tok,
}

/// The kinds of parameters (Python reference, Function definitions).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub enum ParamKind {
    /// Before `/`.
    PositionalOnly,
    /// Positional or keyword.
    Normal,
    /// `*args`
    Star,
    /// After `*`.
    KeywordOnly,
    /// `**kwargs`
    DoubleStar,
}

/// One binding of a name in a scope.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
pub struct Binding {
    /// The name, mangled where the reference requires it (Python reference, Identifiers).
    pub name: NameId,
    /// The binding operation.
    pub kind: BindingKind,
    /// The item whose code runs the binding and whose range has the node of `kind`: the scope
    /// itself, or a function that declares the name `global` or `nonlocal`.
    pub owner: u32,
    /// The token of the name.
    pub tok: Tok,
    /// The condition under which it runs.
    pub guard: Guard,
}

/// An operation that binds a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
#[expect(missing_docs, reason = "the fields are told with their variants")]
pub enum BindingKind {
    /// `def` or `class`.
    Item(u32),
    /// An import: its number in the header, and the index into its `bound` names.
    Import { import: u32, which: u32 },
    /// `from m import *`: the import's number; the name is the empty name.
    Star(u32),
    /// An assignment, loop, `with`, `except`, `match`, `:=`: the value and the annotation read as a
    /// type, each [`NONE`] if absent. A `value` of [`NONE`] is a bare annotation.
    Value { value: NodeId, annotation: NodeId },
    /// `type X = …` (PEP 695): the type expression.
    TypeAlias(NodeId),
    /// A parameter of a function, by its number among the function's.
    Param(u32),
    /// `del x`
    Deleted,
}

/// An assignment `self.name = value` in a method, or `cls.name = value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
pub struct Store {
    /// The class that the method belongs to.
    pub class: u32,
    /// The method.
    pub method: u32,
    /// The attribute, mangled.
    pub name: NameId,
    /// The value, in the method's range; [`NONE`] for a bare annotation.
    pub value: NodeId,
    /// The annotation read as a type, in the method's range; [`NONE`] without one.
    pub annotation: NodeId,
    /// The token of the attribute.
    pub tok: Tok,
}

/// A change of `__all__`.
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub enum AllChange {
    /// `=` with a display of strings.
    Set(Box<[NameId]>),
    /// `+=`, `.extend`, `.append` with strings.
    Add(Box<[NameId]>),
    /// `.remove`
    Remove(NameId),
    /// `+= mod.__all__`, `.extend(mod.__all__)`, and the same inside `=`: the node of `mod` in the
    /// module's range.
    AddOf(NodeId),
    /// Any other change.
    Unknown,
}

/// The bodies of a module: `bodies[i]` belongs to item `i`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Codec)]
pub struct Bodies {
    /// The nodes of all bodies.
    pub code: Code,
    /// The uses in all bodies.
    pub uses: Box<[Use]>,
    /// By item number.
    pub bodies: Box<[Body]>,
}

/// The code of one item. Nested items have bodies of their own, but their headers (decorators,
/// defaults, bases, annotations) are evaluated here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Codec)]
pub struct Body {
    /// Its first token in `Ranges::body_tokens`; the tokens up to the next body's first are its
    /// own.
    pub first_tok: Tok,
    /// Its nodes in `Bodies::code`. Operands precede the nodes that use them, except for the back
    /// edges of [`Node::Phi`].
    pub nodes: Range,
    /// Its uses in `Bodies::uses`, ordered by token.
    pub uses: Range,
    /// The list of the values of its `return` statements, as [`Item::results`], in its own nodes.
    pub results: ListId,
    /// The list of the values that it yields, as [`Item::yields`], in its own nodes.
    pub yields: ListId,
}

/// An arena of nodes with their lists.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Codec)]
pub struct Code {
    /// The nodes; number 0 is [`Node::Opaque`].
    pub nodes: Box<[Node]>,
    /// List `i` is `list_items[list_starts[i]..list_starts[i + 1]]`; number 0 is empty.
    pub list_starts: Box<[u32]>,
    /// The elements of all lists.
    pub list_items: Box<[NodeId]>,
    /// The calls.
    pub calls: Box<[Call]>,
}

impl Code {
    /// Returns the nodes of a list.
    pub fn list(&self, list: ListId) -> &[NodeId] {
        let bound = |at: u32| self.list_starts.get(at as usize).copied().unwrap_or(0) as usize;
        self.list_items
            .get(bound(list)..bound(list + 1))
            .unwrap_or(&[])
    }
}

/// The callee and the arguments of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Codec)]
pub struct Call {
    /// The callee.
    pub callee: NodeId,
    /// Positional arguments; `*x` as [`Node::Star`].
    pub positional: ListId,
    /// Keyword arguments in text order; `**x` with the empty name.
    pub keywords: Box<[(NameId, NodeId)]>,
}

/// A value, as far as the text of one scope determines it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(missing_docs, reason = "the fields are told with their variants")]
pub enum Node {
    /// Unknown or unread.
    Opaque,
    /// A constant other than a short string.
    Constant(Constant),
    /// A constant string of up to 64 bytes.
    Str(NameId),
    /// A name of the module's scope, or else of the builtins.
    Global(NameId),
    /// A variable of an enclosing function (or, in annotation scopes, class).
    Free { scope: u32, name: NameId },
    /// A type parameter (PEP 695) of an enclosing item, by number.
    TypeParam { item: u32, number: u32 },
    /// The parameter of this function, by its number.
    Param(u32),
    /// A function, class or lambda declared in this scope, before its decorators are applied.
    Item(u32),
    /// The value bound to an item's name after its decorators; only for items that have some.
    Decorated(u32),
    /// An imported module or name: the import's number, and the index into its `bound` names.
    Import { import: u32, which: u32 },
    /// `base.name`, the name mangled.
    Attr { base: NodeId, name: NameId },
    /// A call, by its number in `Code::calls`.
    Call(u32),
    /// `base[index]`
    Subscript { base: NodeId, index: NodeId },
    /// `a:b:c`
    Slice,
    /// `await value`
    Await(NodeId),
    /// The value of a `yield` expression inside a generator: what the caller sent.
    Sent,
    /// The value of `yield from value`.
    YieldFrom(NodeId),
    /// An element of the iteration over a value.
    Iter(NodeId),
    /// An element of the `async for` iteration over a value.
    AsyncIter(NodeId),
    /// The value that `with value` binds.
    Enter(NodeId),
    /// The value that `async with value` binds.
    AsyncEnter(NodeId),
    /// Element `at` of an unpacked value; negative indices count from the end (behind a star).
    Unpack { base: NodeId, at: i32 },
    /// The list that a starred target is assigned.
    UnpackRest(NodeId),
    /// `left op right`
    Binary {
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
    },
    /// `op value`
    Unary { op: UnaryOp, value: NodeId },
    /// `left op right`, one comparison of a chain.
    Compare {
        op: CompareOp,
        left: NodeId,
        right: NodeId,
    },
    /// `(a, b)`
    Tuple(ListId),
    /// `[a, b]`, or a comprehension with its one element.
    List(ListId),
    /// `{a, b}`, or a comprehension with its one element.
    Set(ListId),
    /// `{k: v}`, or a comprehension: keys and values alternate; `**x` is [`Node::Star`] followed by
    /// [`Node::Opaque`].
    Dict(ListId),
    /// A generator expression, by its element.
    Generator(NodeId),
    /// `*value` in a display or in arguments.
    Star(NodeId),
    /// An f-string, by its parts. A t-string is no string and becomes [`Node::Opaque`].
    Format(ListId),
    /// Any one of several values: conditional expressions, `and`, `or`.
    Union(ListId),
    /// The values that reach one point along several paths. May have back edges.
    ///
    /// ```python
    /// x = a
    /// while c:
    ///     x = f(x)    # the read of `x` is Phi[a, Call f]; the call is a back edge
    /// ```
    Phi(ListId),
    /// The value on the branch where `isinstance(value, class)` is true, or, negated, false.
    ///
    /// ```python
    /// if isinstance(x, C):
    ///     x           # Narrow { value: x, class: C, holds: true }
    /// else:
    ///     x           # Narrow { value: x, class: C, holds: false }
    /// ```
    Narrow {
        value: NodeId,
        class: NodeId,
        holds: bool,
    },
    /// The value where it is not `None` (`holds` is true) or is (false): after tests of truth and `is None`.
    NotNone { value: NodeId, holds: bool },
    /// An instance of the exception class or classes that an `except` clause names.
    Caught(NodeId),
    /// An expression read as a type (an annotation, parsed if it is a string): an object of that
    /// type.
    Type(NodeId),
    /// The enclosing class, as a method sees it: the cell `__class__`.
    ClassCell(u32),
    /// The attribute of a match subject that a positional class pattern tests.
    MatchPosition { base: NodeId, at: u32 },
}

/// The kinds of constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(missing_docs, reason = "named after the types")]
pub enum Constant {
    None,
    Bool,
    Int,
    Float,
    Complex,
    Str,
    Bytes,
    Ellipsis,
}

/// Binary operators (Python reference, Emulating numeric types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub struct BinaryOp {
    /// The operator.
    pub kind: BinaryKind,
    /// Whether it is the augmented assignment `left op= right`.
    pub augmented: bool,
}

/// The operators of [`BinaryOp`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(missing_docs, reason = "named after the special methods")]
pub enum BinaryKind {
    Add,
    Sub,
    Mul,
    MatMul,
    TrueDiv,
    FloorDiv,
    Mod,
    Pow,
    LShift,
    RShift,
    And,
    Xor,
    Or,
}

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(missing_docs, reason = "named after the special methods")]
pub enum UnaryOp {
    Neg,
    Pos,
    Invert,
    /// `not`: tests truth and returns a bool.
    Not,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(missing_docs, reason = "named after the special methods")]
pub enum CompareOp {
    Lt,
    Le,
    Eq,
    Ne,
    Gt,
    Ge,
    /// `left in right`
    In,
    NotIn,
    Is,
    IsNot,
}
