//! The intermediate representation of a Go file: what name resolution and typing need, without
//! offsets.
//!
//! Types are unresolved expressions: the grammar does not distinguish `T(x)` from `f(x)` or `a[i]` from
//! `F[T]`, so each pair shares one node, and the crate `codeweft-go` decides. Parentheses,
//! comments, branch statements without a label and literal values that no constant expression needs
//! are dropped.
//!
//! ```go
//! func f(x int) int { return g[int](x + 1) }
//! ```
//!
//! is an [`Item`] with a signature in [`Items::code`], and a [`Body`] with
//!
//! ```text
//! Block[ Return[ Call { fun: Callee(Index(Name g, [Name int])), args: [Binary(Add, Name x, Int 1)] } ] ]
//! ```

use std::sync::Arc;

use la_arena::{Arena, Idx, RawIdx};

use codeweft_syntax::NameId;
use codeweft_syntax::codec::Codec;

/// The part of a file before its declarations.
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub struct Header {
    /// The name in the package clause; the empty name if there is none.
    pub package: NameId,
    /// Whether a comment ends on the line before the package clause.
    pub has_package_doc: bool,
    /// The build constraint: `//go:build`, else the `// +build` lines joined.
    pub constraint: Option<Constraint>,
    /// In text order.
    pub imports: Box<[Import]>,
    /// Whether a line says `// Code generated … DO NOT EDIT.` before the package clause.
    pub generated: bool,
    /// `//go:linkname local target` directives; the target is the empty name if it is omitted.
    pub linknames: Box<[(NameId, NameId)]>,
}

/// An import spec.
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub struct Import {
    /// The path, unquoted.
    pub path: NameId,
    /// How the file refers to the package.
    pub kind: ImportKind,
}

/// The name under which a file uses an imported package (Go spec, Import declarations).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
pub enum ImportKind {
    /// The package's own name.
    Plain,
    /// An alias.
    Named(NameId),
    /// `.`: the exported names are declared in the file's scope.
    Dot,
    /// `_`: imported for its side effects only.
    Blank,
}

/// A build constraint (`go help buildconstraint`).
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub enum Constraint {
    /// A tag.
    Tag(Box<str>),
    /// `!x`
    Not(Box<Constraint>),
    /// `x && y`
    And(Box<Constraint>, Box<Constraint>),
    /// `x || y`
    Or(Box<Constraint>, Box<Constraint>),
}

/// The number of a name token inside its [`Code`], counted from 0 in the order of lowering.
pub type Tok = u32;
/// The absence of a token.
pub const NO_TOK: Tok = u32::MAX;
/// An expression or a type.
pub type ExprId = Idx<Expr>;
/// A statement.
pub type StmtId = Idx<Stmt>;
/// A signature.
pub type SigId = Idx<Sig>;
/// A field, interface method, or embedded element.
pub type FieldId = Idx<Field>;

/// Returns the absent expression: number 0 of every arena, which is [`Expr::Missing`].
pub fn no_expr() -> ExprId {
    Idx::from_raw(RawIdx::from_u32(0))
}

/// Returns the absent statement: number 0 of every arena, which is [`Stmt::Empty`].
pub fn no_stmt() -> StmtId {
    Idx::from_raw(RawIdx::from_u32(0))
}

/// A list of numbers in [`Code::lists`]: the length is at this index, the elements follow.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub struct ListId(pub u32);

/// The empty list. `lists[0]` of every arena is 0.
pub const EMPTY_LIST: ListId = ListId(0);

/// The arenas that all items, or all bodies of a chunk, share. An [`Expr`] has 12 bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default, Codec)]
pub struct Code {
    /// Expressions and types; number 0 is [`Expr::Missing`].
    pub exprs: Arena<Expr>,
    /// Statements; number 0 is [`Stmt::Empty`].
    pub stmts: Arena<Stmt>,
    /// Signatures of functions, literals, interface methods and function types.
    pub sigs: Arena<Sig>,
    /// Struct fields and interface elements.
    pub fields: Arena<Field>,
    /// Function literals: signature and body.
    pub literals: Vec<(SigId, StmtId)>,
    /// Values of integer literals that fit; `None` for larger ones.
    pub ints: Vec<Option<i128>>,
    /// Runs of numbers, see [`ListId`].
    pub lists: Vec<u32>,
    /// The name at each token, see [`Tok`]. A call whose callee has no name has a token at its
    /// opening parenthesis, with the name `(`; a string literal has one at its quote, with the name `"`.
    pub names: Vec<NameId>,
}

impl Code {
    /// Returns the raw elements of a list.
    pub fn list(&self, id: ListId) -> &[u32] {
        let at = id.0 as usize;
        let len = self.lists[at] as usize;
        &self.lists[at + 1..at + 1 + len]
    }

    /// Returns a list as expressions.
    pub fn exprs_of(&self, id: ListId) -> impl ExactSizeIterator<Item = ExprId> + Clone + '_ {
        self.list(id)
            .iter()
            .map(|&raw| Idx::from_raw(RawIdx::from_u32(raw)))
    }

    /// Returns a list as statements.
    pub fn stmts_of(&self, id: ListId) -> impl ExactSizeIterator<Item = StmtId> + Clone + '_ {
        self.list(id)
            .iter()
            .map(|&raw| Idx::from_raw(RawIdx::from_u32(raw)))
    }

    /// Returns a list as fields.
    pub fn fields_of(&self, id: ListId) -> impl ExactSizeIterator<Item = FieldId> + Clone + '_ {
        self.list(id)
            .iter()
            .map(|&raw| Idx::from_raw(RawIdx::from_u32(raw)))
    }

    /// Returns the name at a token.
    pub fn name(&self, tok: Tok) -> NameId {
        self.names[tok as usize]
    }
}

/// An expression or a type (Go spec, Expressions and Types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(
    missing_docs,
    reason = "the fields are named by the syntax beside them"
)]
pub enum Expr {
    /// Absent or unreadable.
    Missing,
    /// Nested deeper than the bound; its contents are unknown.
    Opaque,
    /// An identifier, including `true`, `nil`, `iota` and `_`.
    Name(Tok),
    /// `base.name`: a selector or a qualified identifier.
    Select { base: ExprId, tok: Tok },
    /// A call or a conversion; `spread` is `f(xs...)`.
    Call {
        fun: ExprId,
        args: ListId,
        spread: bool,
    },
    /// A wrapper of a callee that is neither a name nor a selector, such as an instantiation
    /// (`f[int]`): `tok` is the opening parenthesis of the call.
    Callee { fun: ExprId, tok: Tok },
    /// `base[a, b]`: index or instantiation.
    Index { base: ExprId, args: ListId },
    /// `base[lo:hi:max]`; the list holds the operands that are present.
    Slice { base: ExprId, operands: ListId },
    /// `base.(ty)`; [`no_expr`] for `.(type)`.
    Assert { base: ExprId, ty: ExprId },
    /// `*x`: dereference or pointer type.
    Star(ExprId),
    /// `op x`.
    Unary(UnaryOp, ExprId),
    /// `l op r`.
    Binary(BinaryOp, ExprId, ExprId),
    /// A composite literal; `ty` is [`no_expr`] where it is elided. Elements are values or
    /// [`Expr::KeyValue`].
    Composite { ty: ExprId, elems: ListId },
    /// `key: value` in a composite literal; a key that is an identifier is an [`Expr::Name`].
    KeyValue { key: ExprId, value: ExprId },
    /// A function literal, by its number in [`Code::literals`].
    FuncLit(u32),
    /// An integer literal, by its number in [`Code::ints`].
    Int(u32),
    /// A rune literal's code point.
    Rune(u32),
    /// A floating-point literal.
    Float,
    /// An imaginary literal.
    Imag,
    /// A string literal: its length in bytes where it can decide a type (in declarations, constants and arguments of
    /// `len`), else 0, and the token of its quote ([`NO_TOK`] in the shape of an initialiser).
    /// Its value is no part of the form, see [`crate::texts`].
    Str { len: u32, tok: Tok },
    /// Elements of a composite literal that contain no identifier, call or function literal, nor one of its first
    /// strings.
    Const,
    /// `[len]elem`
    Array { len: ExprId, elem: ExprId },
    /// `[...]elem`
    DotsArray(ExprId),
    /// `[]elem`
    SliceOf(ExprId),
    /// `map[key]value`
    Map { key: ExprId, value: ExprId },
    /// A channel type.
    Chan(ChanDir, ExprId),
    /// A function type.
    Func(SigId),
    /// A struct type, by its list of fields.
    Struct(ListId),
    /// An interface type, by its list of elements (fields, see [`FieldKind`]).
    Interface(ListId),
    /// `a | b` in a constraint.
    Union(ListId),
    /// `~x` in a constraint.
    Tilde(ExprId),
}

/// Unary operators except `*`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `!`
    Not,
    /// `^`
    Xor,
    /// `&`
    Address,
    /// `<-`
    Receive,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
#[expect(missing_docs, reason = "the operators of the specification, by name")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    AndNot,
    Shl,
    Shr,
    /// `==`, `!=`, `<`, `<=`, `>`, `>=`
    Compare,
    /// `&&`, `||`
    Logic,
}

/// The direction of a channel type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub enum ChanDir {
    /// `chan T`
    Both,
    /// `chan<- T`
    Send,
    /// `<-chan T`
    Receive,
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub struct Sig {
    /// One entry per parameter; `a, b int` has two.
    pub params: Box<[Param]>,
    /// One entry per result.
    pub results: Box<[Param]>,
    /// Whether the last parameter is `...T`; its `ty` is `T`.
    pub variadic: bool,
}

/// A parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub struct Param {
    /// Its name, if it has one (`_` counts).
    pub tok: Option<Tok>,
    /// Its type.
    pub ty: ExprId,
}

/// A struct field or an element of an interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub struct Field {
    /// The kind of field or element.
    pub kind: FieldKind,
    /// The token of the declared name; for an embedded type that of its last name; 0 for a union.
    pub tok: Tok,
    /// The type; [`no_expr`] for a method.
    pub ty: ExprId,
    /// A hash of the tag, 0 without one. Tags are part of a struct type's identity.
    pub tag: u32,
}

/// The kinds of [`Field`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub enum FieldKind {
    /// `name T` in a struct.
    Named,
    /// An embedded field of a struct (`T`, `*T`).
    Embedded,
    /// `Name(…) …` in an interface.
    Method(SigId),
    /// An embedded interface, union or `~T` in an interface.
    Element,
}

/// A type parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Codec)]
pub struct TypeParam {
    /// Its name.
    pub tok: Tok,
    /// Its constraint, repeated if one spec declares several names.
    pub constraint: ExprId,
}

/// The declarations of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Codec)]
pub struct Items {
    /// Types, signatures, constant expressions and initialiser shapes.
    pub code: Code,
    /// In source order.
    pub items: Box<[Item]>,
}

/// A package-level declaration of one name.
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub struct Item {
    /// The declared name.
    pub name: NameId,
    /// Its token in the items' [`Code`].
    pub tok: Tok,
    /// How many items of the same name (and, for methods, receiver base) precede it in the file:
    /// `init`, `_`, and duplicates in broken code.
    pub nth: u16,
    /// Whether part of it could not be read.
    pub broken: bool,
    /// The kind of declaration, with its parts.
    pub kind: ItemKind,
}

/// The kinds of [`Item`].
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub enum ItemKind {
    /// A function.
    Func {
        /// Its type parameters.
        type_params: Box<[TypeParam]>,
        /// Its signature.
        sig: SigId,
        /// `false` if it is implemented in assembly or by linkname.
        has_body: bool,
    },
    /// A method.
    Method {
        /// Its receiver.
        receiver: Receiver,
        /// Its own type parameters (Go 1.27).
        type_params: Box<[TypeParam]>,
        /// Its signature without the receiver.
        sig: SigId,
        /// `false` if it is implemented in assembly or by linkname.
        has_body: bool,
    },
    /// A type.
    Type {
        /// `type A = B`
        alias: bool,
        /// Its type parameters.
        type_params: Box<[TypeParam]>,
        /// The right-hand side.
        ty: ExprId,
    },
    /// One name of a const spec, with implicit repetition undone.
    Const {
        /// The declared type, or [`no_expr`].
        ty: ExprId,
        /// The value, or [`no_expr`]. Specs that repeat the first one implicitly share its nodes.
        value: ExprId,
        /// The index of its spec in the group.
        iota: u32,
    },
    /// One name of a var spec.
    Var {
        /// The declared type, or [`no_expr`].
        ty: ExprId,
        /// If no type is declared, the shape of the initialiser: the parts that determine its type,
        /// without literal contents and function bodies. Otherwise [`no_expr`].
        shape: ExprId,
        /// The result number in `var a, b = f()`; `None` if names and values pair up.
        result: Option<u16>,
    },
}

/// A method's receiver.
#[derive(Clone, PartialEq, Eq, Debug, Codec)]
pub struct Receiver {
    /// The receiver's own name.
    pub tok: Option<Tok>,
    /// The base type's name token.
    pub base: Tok,
    /// `*T`
    pub pointer: bool,
    /// The names it declares for the type parameters of its base.
    pub type_params: Box<[Tok]>,
}

/// The bodies of a file, in chunks. No chunk refers to another, so an edit in one body leaves all
/// other chunks equal.
#[derive(Clone, PartialEq, Eq, Debug, Default, Codec)]
pub struct Bodies {
    /// In source order; none is empty.
    pub chunks: Box<[Arc<Chunk>]>,
}

/// Consecutive bodies of a file, with their own arenas. A small file has a single chunk.
#[derive(Clone, PartialEq, Eq, Debug, Default, Codec)]
pub struct Chunk {
    /// The number of its first body within the file.
    pub first: u32,
    /// Statements and expressions of its bodies.
    pub code: Code,
    /// In source order.
    pub bodies: Box<[Body]>,
}

impl Bodies {
    /// Returns the number of bodies.
    pub fn count(&self) -> usize {
        let last = self.chunks.last();
        last.map_or(0, |chunk| chunk.first as usize + chunk.bodies.len())
    }

    /// Returns every body in source order, with its chunk.
    pub fn iter(&self) -> impl Iterator<Item = (&Chunk, &Body)> + '_ {
        let chunks = self.chunks.iter();
        chunks.flat_map(|chunk| chunk.bodies.iter().map(|body| (&**chunk, body)))
    }

    /// Returns every chunk with the file-wide number of the first token of its code.
    pub fn with_tokens(&self) -> impl Iterator<Item = (Tok, &Chunk)> + '_ {
        self.chunks.iter().scan(0, |next, chunk| {
            let first = *next;
            *next += chunk.code.names.len() as Tok;
            Some((first, &**chunk))
        })
    }

    /// Returns the file-wide number of the first token of a body, given the body's number.
    pub fn first_token(&self, body: u32) -> Option<Tok> {
        let before = self.chunks.partition_point(|chunk| chunk.first <= body);
        let (first, chunk) = self.with_tokens().nth(before.checked_sub(1)?)?;
        let body = chunk.bodies.get((body - chunk.first) as usize)?;
        Some(first + body.first_tok)
    }
}

/// The block of a function or method, or the initialisers of a var spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
pub struct Body {
    /// The number of its item; for a var spec that of the first name.
    pub item: u32,
    /// Its first token in the chunk's [`Code`]; the tokens up to the next body's first are its own.
    pub first_tok: Tok,
    /// Its contents.
    pub root: BodyRoot,
    /// Whether part of it could not be read.
    pub broken: bool,
}

/// The contents of a [`Body`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
pub enum BodyRoot {
    /// The block of a function.
    Block(StmtId),
    /// The values of a var spec.
    Values(ListId),
}

/// A statement (Go spec, Statements). Branch statements without a label are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Codec)]
#[expect(
    missing_docs,
    reason = "the fields are named by the syntax beside them"
)]
pub enum Stmt {
    /// Absent.
    Empty,
    /// An expression.
    Expr(ExprId),
    /// `ch <- value`
    Send(ExprId, ExprId),
    /// `x++`, `x--`
    IncDec(ExprId),
    /// `lhs = rhs`
    Assign { lhs: ListId, rhs: ListId },
    /// `lhs op= rhs`
    AssignOp(ExprId, ExprId),
    /// `lhs := rhs`; the left side's expressions are names.
    Define { lhs: ListId, rhs: ListId },
    /// A local var spec: names (tokens), type or [`no_expr`], values.
    Var {
        names: ListId,
        ty: ExprId,
        values: ListId,
    },
    /// A local const spec with implicit repetition undone: names (tokens), type, values, iota.
    Const {
        names: ListId,
        ty: ExprId,
        values: ListId,
        iota: u32,
    },
    /// `label: stmt`; [`no_stmt`] if nothing follows.
    Labeled { label: Tok, stmt: StmtId },
    /// `break label`, `continue label`, `goto label`
    Branch(Tok),
    /// A local type declaration.
    Type { tok: Tok, alias: bool, ty: ExprId },
    /// `go call`
    Go(ExprId),
    /// `defer call`
    Defer(ExprId),
    /// `return values`
    Return(ListId),
    /// A block with a scope of its own.
    Block(ListId),
    /// Several statements without a scope of their own: `var ( … )`.
    Group(ListId),
    /// `if init; cond { then } else { other }`
    If {
        init: StmtId,
        cond: ExprId,
        then: StmtId,
        other: StmtId,
    },
    /// `for init; cond; post { body }`
    For {
        init: StmtId,
        cond: ExprId,
        post: StmtId,
        body: StmtId,
    },
    /// `for key, value := range over { body }`; `define` is true for `:=`, false for `=`.
    Range {
        key: ExprId,
        value: ExprId,
        define: bool,
        over: ExprId,
        body: StmtId,
    },
    /// `switch init; tag { clauses }`; the clauses are [`Stmt::Clause`].
    Switch {
        init: StmtId,
        tag: ExprId,
        clauses: ListId,
    },
    /// `switch init; x := over.(type) { clauses }`.
    TypeSwitch {
        init: StmtId,
        bind: Option<Tok>,
        over: ExprId,
        clauses: ListId,
    },
    /// `case exprs: body`; `default` has no expressions.
    Clause { exprs: ListId, body: ListId },
    /// `select { clauses }`; the clauses are [`Stmt::Comm`].
    Select(ListId),
    /// `case comm: body` of a select; [`no_stmt`] for `default`.
    Comm { comm: StmtId, body: ListId },
}
