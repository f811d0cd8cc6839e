//! The intermediate form of a Python module: what resolution needs, without offsets.
//!
//! Lowering follows the flow of values inside each scope, so that a read of a local name is the
//! [`Node`] of the value that reaches it, joined by [`Node::Phi`] where several may. What is left
//! to the room `python` are the names of other scopes and everything that needs another file.
//!
//! Every module, class, function and lambda is an [`Item`] with one [`Body`] of the same number.
//! Comprehensions are inlined in the body around them. A body's nodes stand in its own arena in
//! the order of evaluation. The part of them that others can infer something from (headers of
//! declarations, bindings of modules and classes, captured variables, results, stores into
//! attributes of `self`) stands a second time in [`Items::code`], so that an edit which changes
//! none of it leaves the items equal.

mod uses;

use crate::NameId;
pub use uses::*;

/// No item, node, list, token or parameter.
pub const NONE: u32 = u32::MAX;

/// What is read of a Python module before its items: its imports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Header {
    /// Every import, in text order: each target of an `import` statement by itself, each `from`
    /// statement as a whole. Statements inside functions and classes count too.
    pub imports: Box<[Import]>,
}

/// One import (Python reference, The import statement).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The dotted name as written, without leading dots; empty in `from . import x`.
    pub module: NameId,
    /// How many leading dots: 0 is an absolute import.
    pub level: u32,
    /// The names of `from … import a, b`; each may be a submodule. Empty for `import m` and `*`.
    pub names: Box<[NameId]>,
    /// What each of `names` is bound to: its alias or itself. Of `import a.b` the one name `a`, of
    /// `import a.b as c` the one name `c`; empty for `*`.
    pub bound: Box<[NameId]>,
    /// Which form.
    pub form: ImportForm,
    /// The test around it.
    pub guard: Guard,
    /// Whether it stands inside a function: run when that is called, not when the module is.
    pub in_function: bool,
}

/// The forms of an import.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// What an import or a binding stands under, the innermost that counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Guard {
    /// Nothing.
    #[default]
    None,
    /// `if TYPE_CHECKING:`
    TypeChecking,
    /// The body of a `try` with a handler of `ImportError`, or such a handler's body.
    ImportError,
    /// A branch of a test of `sys.version_info`, `sys.platform` or `os.name`.
    Version,
    /// Any other branch, loop or `try`.
    Other,
}

/// The declarations of a module, with everything that others can infer from its bodies.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Items {
    /// Number 0 is the module; the others in text order, so a parent stands before its children.
    pub items: Box<[Item]>,
    /// The parameters of all functions and lambdas.
    pub params: Box<[Param]>,
    /// The names that scopes bind: see [`Item::bindings`].
    pub bindings: Box<[Binding]>,
    /// Stores into attributes of the first parameter of methods, in text order.
    pub stores: Box<[Store]>,
    /// What is done to `__all__` of the module, in text order.
    pub all: Box<[AllChange]>,
    /// The nodes behind headers, bindings, results and stores. The nodes of an item are one range
    /// of it: [`Item::nodes`].
    pub code: Code,
}

/// A range of numbers in an arena, half-open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Range {
    /// The first.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Range {
    /// The numbers.
    pub fn iter(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A node of a [`Code`]; number 0 of every arena is [`Node::Opaque`].
pub type NodeId = u32;
/// A list of nodes of a [`Code`]; number 0 is the empty list.
pub type ListId = u32;
/// A token: of items its number in `Ranges::item_tokens`; of bodies its number in
/// `Ranges::body_tokens` less the body's first.
pub type Tok = u32;

/// A module, class, function or lambda.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The item whose scope it is declared in; [`NONE`] for the module.
    pub parent: u32,
    /// Its name; of a lambda `<lambda>`, of the module the empty name.
    pub name: NameId,
    /// How many items of the same parent and name stand before it.
    pub nth: u32,
    /// What it is.
    pub kind: ItemKind,
    /// Its name's token; of a lambda the keyword's; [`NONE`] for the module.
    pub tok: Tok,
    /// The decorators in text order, nodes of the parent's range.
    pub decorators: Box<[NodeId]>,
    /// PEP 695 type parameters: name and bound (a type expression), nodes of the parent's range.
    pub type_params: Box<[(NameId, NodeId)]>,
    /// Of a function or lambda its parameters in `Items::params`, in text order.
    pub params: Range,
    /// The annotation of the result, read as a type; [`NONE`] without one. In the parent's range.
    pub returns: NodeId,
    /// Of a class its bases in text order, `*x` as [`Node::Star`]. In the parent's range.
    pub bases: Box<[NodeId]>,
    /// Of each of `bases` the token of its last name outside brackets (`a.B[T]`: `B`), of one
    /// without a name its first.
    pub base_toks: Box<[Tok]>,
    /// Of a class the keywords behind its bases, `metaclass` among them. In the parent's range.
    pub keywords: Box<[(NameId, NodeId)]>,
    /// The nodes of `Items::code` that this item's own code evaluates.
    pub nodes: Range,
    /// Of a module or class: every name it binds, in text order, several times where it is bound
    /// several times. Of a function: only names that a nested scope reads. A name that a function
    /// declares `global` or `nonlocal` stands with the scope it belongs to.
    pub bindings: Range,
    /// What its `return` statements give, and the fall through at its end where that is reached
    /// (`None`); of a lambda its expression. In its own range.
    pub results: Box<[NodeId]>,
    /// What it yields; `yield from x` as [`Node::Iter`] of `x`. In its own range.
    pub yields: Box<[NodeId]>,
    /// Flags of a function.
    pub flags: Flags,
    /// What it stands under.
    pub guard: Guard,
    /// Whether part of it could not be read.
    pub broken: bool,
}

/// The kinds of items.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// What a function's text says about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Flags {
    /// `async def`
    pub is_async: bool,
    /// It yields: a generator.
    pub is_generator: bool,
    /// Its body is only `...`, a docstring or `raise NotImplementedError`, of a method also `pass`:
    /// what stands in for it gives another result.
    pub is_stub: bool,
    /// Its end can be reached, or it returns without a value.
    pub falls_through: bool,
}

/// A parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: NameId,
    /// How it takes arguments.
    pub kind: ParamKind,
    /// Its annotation, read as a type; [`NONE`] without one. In the range of the item's parent.
    pub annotation: NodeId,
    /// Its default; [`NONE`] without one. In the range of the item's parent.
    pub default: NodeId,
    /// Its name's token.
    pub tok: Tok,
}

/// The kinds of parameters (Python reference, Function definitions).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Binding {
    /// The name, mangled where the reference says so.
    pub name: NameId,
    /// What binds it.
    pub kind: BindingKind,
    /// The item in whose range `kind`'s node stands and whose code runs it: the scope itself, or
    /// a function that declares the name `global` or `nonlocal`.
    pub owner: u32,
    /// The name's token.
    pub tok: Tok,
    /// What it stands under.
    pub guard: Guard,
}

/// What binds a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the fields are told with their variants")]
pub enum BindingKind {
    /// `def` or `class`.
    Item(u32),
    /// An import: its number in the header, and which of its `bound` names.
    Import { import: u32, which: u32 },
    /// `from m import *`: the import's number; the name is the empty name.
    Star(u32),
    /// An assignment, loop, `with`, `except`, `match`, `:=`: the value. With an annotation too: the
    /// second is the annotation read as a type, else [`NONE`]. A value of [`NONE`] is an annotation
    /// alone.
    Value { value: NodeId, annotation: NodeId },
    /// `type X = …` (PEP 695): the type expression.
    TypeAlias(NodeId),
    /// A parameter of a function, by its number among the function's.
    Param(u32),
    /// `del x`
    Deleted,
}

/// `self.name = value` in a method, or `cls.name = value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Store {
    /// The class around the method.
    pub class: u32,
    /// The method.
    pub method: u32,
    /// The attribute, mangled.
    pub name: NameId,
    /// The value, in the method's range; [`NONE`] with an annotation alone.
    pub value: NodeId,
    /// The annotation read as a type, in the method's range; [`NONE`] without one.
    pub annotation: NodeId,
    /// The attribute's token.
    pub tok: Tok,
}

/// A change of `__all__`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AllChange {
    /// `=` of a display of strings.
    Set(Box<[NameId]>),
    /// `+=`, `.extend`, `.append` of strings.
    Add(Box<[NameId]>),
    /// `.remove`
    Remove(NameId),
    /// `+= mod.__all__`, `.extend(mod.__all__)`, and the same inside `=`: the node of `mod` in the
    /// module's range.
    AddOf(NodeId),
    /// Anything else.
    Unknown,
}

/// The bodies of a module: `bodies[i]` belongs to item `i`.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Bodies {
    /// The nodes of all bodies.
    pub code: Code,
    /// The uses of all bodies.
    pub uses: Box<[Use]>,
    /// By item number.
    pub bodies: Box<[Body]>,
}

/// What an item's own code does; nested items have bodies of their own, but their headers
/// (decorators, defaults, bases, annotations) are evaluated here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Body {
    /// Its first token in `Ranges::body_tokens`; tokens up to the next body's are its own.
    pub first_tok: Tok,
    /// Its nodes in `Bodies::code`. Operands stand before what uses them, but for the back edges
    /// of [`Node::Phi`].
    pub nodes: Range,
    /// Its uses in `Bodies::uses`, in order of token.
    pub uses: Range,
}

/// An arena of nodes with their lists.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Code {
    /// The nodes; number 0 is [`Node::Opaque`].
    pub nodes: Box<[Node]>,
    /// List `i` is `list_items[list_starts[i]..list_starts[i + 1]]`; number 0 is empty.
    pub list_starts: Box<[u32]>,
    /// The lists' nodes.
    pub list_items: Box<[NodeId]>,
    /// The calls.
    pub calls: Box<[Call]>,
}

impl Code {
    /// The nodes of a list.
    pub fn list(&self, list: ListId) -> &[NodeId] {
        let bound = |at: u32| self.list_starts.get(at as usize).copied().unwrap_or(0) as usize;
        self.list_items
            .get(bound(list)..bound(list + 1))
            .unwrap_or(&[])
    }
}

/// The callee and the arguments of a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    /// The callee.
    pub callee: NodeId,
    /// Positional arguments; `*x` as [`Node::Star`].
    pub positional: ListId,
    /// Keyword arguments in text order; `**x` with the empty name.
    pub keywords: Box<[(NameId, NodeId)]>,
}

/// A value, as far as one scope's text tells it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the fields are told with their variants")]
pub enum Node {
    /// Not known; not read.
    Opaque,
    /// A constant other than a short string.
    Constant(Constant),
    /// A constant string of up to 64 bytes.
    Str(NameId),
    /// A name of the module's scope, else of the builtins.
    Global(NameId),
    /// A variable of a function (or, in annotation scopes, class) around this one.
    Free { scope: u32, name: NameId },
    /// A type parameter (PEP 695) of an item around, by number.
    TypeParam { item: u32, number: u32 },
    /// The parameter of this function, by its number.
    Param(u32),
    /// A function, class or lambda declared in this scope, before its decorators are applied.
    Item(u32),
    /// What an item's name is bound to behind its decorators; only where it has some.
    Decorated(u32),
    /// An imported module or name: the import's number, and which of its `bound` names.
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
    /// The value that `yield` gives back inside a generator: what was sent.
    Sent,
    /// The value of `yield from value`.
    YieldFrom(NodeId),
    /// An element of an iteration over the value.
    Iter(NodeId),
    /// The same for `async for`.
    AsyncIter(NodeId),
    /// What `with value` binds.
    Enter(NodeId),
    /// What `async with value` binds.
    AsyncEnter(NodeId),
    /// Element `at` of what is unpacked; negative from its end (behind a star).
    Unpack { base: NodeId, at: i32 },
    /// What a starred target takes: a list of elements.
    UnpackRest(NodeId),
    /// `left op right`
    Binary {
        op: BinaryOp,
        left: NodeId,
        right: NodeId,
    },
    /// `op value`
    Unary { op: UnaryOp, value: NodeId },
    /// `left op right`, one link of a chain.
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
    /// `{k: v}`, or a comprehension: keys and values in turn; `**x` as [`Node::Star`] with
    /// [`Node::Opaque`] behind it.
    Dict(ListId),
    /// A generator expression with its element.
    Generator(NodeId),
    /// `*value` in a display or in arguments.
    Star(NodeId),
    /// An f-string: a string; its parts. A t-string is none, and [`Node::Opaque`].
    Format(ListId),
    /// Any of them: conditional expressions, `and`, `or`.
    Union(ListId),
    /// What reaches a place along several paths; may have back edges.
    Phi(ListId),
    /// The value where `isinstance(value, class)` holds, or, negated, does not.
    Narrow {
        value: NodeId,
        class: NodeId,
        holds: bool,
    },
    /// The value where it is not `None` (true) or is (false): tests of truth and of `is None`.
    NotNone { value: NodeId, holds: bool },
    /// An instance of the exception class or classes that `except` names.
    Caught(NodeId),
    /// An expression read as a type (annotations, strings parsed): an object of that type.
    Type(NodeId),
    /// The class around, in a method: the cell `__class__`.
    ClassCell(u32),
    /// A match pattern's subject seen as an attribute of a class pattern by position.
    MatchPosition { base: NodeId, at: u32 },
}

/// Constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// Binary operators (Python reference, Emulating numeric types). The bit says whether the
/// statement is augmented: `+=`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BinaryOp {
    /// Which.
    pub kind: BinaryKind,
    /// `left op= right`
    pub augmented: bool,
}

/// Which binary operator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "named after the special methods")]
pub enum UnaryOp {
    Neg,
    Pos,
    Invert,
    /// `not`: asks for truth, gives a bool.
    Not,
}

/// Comparisons.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
