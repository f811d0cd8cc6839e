//! The intermediate form of a Go file: what resolution needs, without offsets.
//!
//! Types are unresolved expressions: the grammar cannot tell `T(x)` from `f(x)` nor `a[i]` from
//! `F[T]`, so both readings share one node and the room `go` decides. Parentheses, comments,
//! branch statements without a label and literal values that no constant expression needs are
//! dropped.

use std::sync::Arc;

use la_arena::{Arena, Idx, RawIdx};

use crate::NameId;

/// What a file says before its declarations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The name in the package clause; the empty name where there is none.
    pub package: NameId,
    /// Whether a comment ends on the line before the package clause.
    pub has_package_doc: bool,
    /// The build constraint: `//go:build`, else the `// +build` lines joined.
    pub constraint: Option<Constraint>,
    /// In text order.
    pub imports: Box<[Import]>,
    /// Whether a line says `// Code generated … DO NOT EDIT.` before the package clause.
    pub generated: bool,
    /// `//go:linkname local target` directives; the target is empty where it is not named.
    pub linknames: Box<[(NameId, NameId)]>,
}

/// One import spec.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The path, unquoted.
    pub path: NameId,
    /// How its package is named in the file.
    pub kind: ImportKind,
}

/// How an import is named (Go spec, Import declarations).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImportKind {
    /// By the package's own name.
    Plain,
    /// By an alias.
    Named(NameId),
    /// `.`: the exported names join the file's scope.
    Dot,
    /// `_`: for its side effects.
    Blank,
}

/// A build constraint (`go help buildconstraint`).
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// The number of a name token inside its [`Code`], from 0, in text order of lowering.
pub type Tok = u32;
/// An expression or a type.
pub type ExprId = Idx<Expr>;
/// A statement.
pub type StmtId = Idx<Stmt>;
/// A signature.
pub type SigId = Idx<Sig>;
/// A field, interface method, or embedded element.
pub type FieldId = Idx<Field>;

/// The expression that is not there. Number 0 of every arena is [`Expr::Missing`].
pub fn no_expr() -> ExprId {
    Idx::from_raw(RawIdx::from_u32(0))
}

/// The statement that is not there. Number 0 of every arena is [`Stmt::Empty`].
pub fn no_stmt() -> StmtId {
    Idx::from_raw(RawIdx::from_u32(0))
}

/// A run of numbers in [`Code::lists`]: the length stands at the index, the elements behind it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ListId(pub u32);

/// The empty list. `lists[0]` of every arena is 0.
pub const EMPTY_LIST: ListId = ListId(0);

/// The arenas that items or bodies of one file share. Each [`Expr`] has 12 bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    /// The name at each token, see [`Tok`]. The opening parenthesis of a call whose callee has
    /// no name is a token too, with the name `(`.
    pub names: Vec<NameId>,
}

impl Code {
    /// The raw elements of a list.
    pub fn list(&self, id: ListId) -> &[u32] {
        let at = id.0 as usize;
        let len = self.lists[at] as usize;
        &self.lists[at + 1..at + 1 + len]
    }

    /// A list as expressions.
    pub fn exprs_of(&self, id: ListId) -> impl ExactSizeIterator<Item = ExprId> + Clone + '_ {
        self.list(id)
            .iter()
            .map(|&raw| Idx::from_raw(RawIdx::from_u32(raw)))
    }

    /// A list as statements.
    pub fn stmts_of(&self, id: ListId) -> impl ExactSizeIterator<Item = StmtId> + Clone + '_ {
        self.list(id)
            .iter()
            .map(|&raw| Idx::from_raw(RawIdx::from_u32(raw)))
    }

    /// A list as fields.
    pub fn fields_of(&self, id: ListId) -> impl ExactSizeIterator<Item = FieldId> + Clone + '_ {
        self.list(id)
            .iter()
            .map(|&raw| Idx::from_raw(RawIdx::from_u32(raw)))
    }

    /// The name at a token.
    pub fn name(&self, tok: Tok) -> NameId {
        self.names[tok as usize]
    }
}

/// An expression or a type (Go spec, Expressions and Types).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(
    missing_docs,
    reason = "the fields are named by the syntax beside them"
)]
pub enum Expr {
    /// Not there, or not readable.
    Missing,
    /// Nested deeper than the bound; nothing is known of it.
    Opaque,
    /// An identifier; `true`, `nil`, `iota` and `_` too.
    Name(Tok),
    /// `base.name`, qualified identifiers too.
    Select { base: ExprId, tok: Tok },
    /// A call or a conversion; `spread` is `f(xs...)`.
    Call {
        fun: ExprId,
        args: ListId,
        spread: bool,
    },
    /// Around the callee of a call when the callee is neither a name nor a selector: `tok` is
    /// the opening parenthesis. Stands around instantiations (`f[int]`) too.
    Callee { fun: ExprId, tok: Tok },
    /// `base[a, b]`: index or instantiation.
    Index { base: ExprId, args: ListId },
    /// `base[lo:hi:max]`; the list holds the operands that are there.
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
    /// A string literal, by its length in bytes.
    Str(u32),
    /// Elements of a composite literal without identifier, call or function literal.
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

/// Unary operators but `*`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ChanDir {
    /// `chan T`
    Both,
    /// `chan<- T`
    Send,
    /// `<-chan T`
    Receive,
}

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sig {
    /// One entry a parameter; `a, b int` are two.
    pub params: Box<[Param]>,
    /// One entry a result.
    pub results: Box<[Param]>,
    /// Whether the last parameter is `...T`; its `ty` is `T`.
    pub variadic: bool,
}

/// A parameter or result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Param {
    /// Its name, if it has one (`_` is one).
    pub tok: Option<Tok>,
    /// Its type.
    pub ty: ExprId,
}

/// A struct field or an element of an interface.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Field {
    /// What it is.
    pub kind: FieldKind,
    /// The declared name; of an embedded type its last name token; 0 for a union.
    pub tok: Tok,
    /// The type; of a method [`no_expr`].
    pub ty: ExprId,
    /// A hash of the tag, 0 without one: tags are part of a struct type's identity.
    pub tag: u32,
}

/// The kinds of [`Field`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeParam {
    /// Its name.
    pub tok: Tok,
    /// Its constraint; one spec for several names is repeated.
    pub constraint: ExprId,
}

/// The declarations of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Items {
    /// Types, signatures, constant expressions and initialiser shapes.
    pub code: Code,
    /// In source order.
    pub items: Box<[Item]>,
}

/// A package-level declaration of one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// The declared name.
    pub name: NameId,
    /// Its token in the items' [`Code`].
    pub tok: Tok,
    /// How many items of the same name (and, for methods, receiver base) stand before it in the
    /// file: `init`, `_`, and duplicates in broken code.
    pub nth: u16,
    /// Whether part of it could not be read.
    pub broken: bool,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of [`Item`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// A function.
    Func {
        /// Its type parameters.
        type_params: Box<[TypeParam]>,
        /// Its signature.
        sig: SigId,
        /// `false`: in assembly or by linkname.
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
        /// `false`: in assembly or by linkname.
        has_body: bool,
    },
    /// A type.
    Type {
        /// `type A = B`
        alias: bool,
        /// Its type parameters.
        type_params: Box<[TypeParam]>,
        /// The right side.
        ty: ExprId,
    },
    /// One name of a const spec, with implicit repetition undone.
    Const {
        /// The declared type, or [`no_expr`].
        ty: ExprId,
        /// The value, or [`no_expr`]. Of a repeated spec the very nodes of the first.
        value: ExprId,
        /// The index of its spec in the group.
        iota: u32,
    },
    /// One name of a var spec.
    Var {
        /// The declared type, or [`no_expr`].
        ty: ExprId,
        /// Without declared type: the shape of the initialiser, i.e. what its type depends on
        /// (literal contents and function bodies left out); else [`no_expr`].
        shape: ExprId,
        /// `var a, b = f()`: which result; `None` where names and values pair up.
        result: Option<u16>,
    },
}

/// A method's receiver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receiver {
    /// The receiver's own name.
    pub tok: Option<Tok>,
    /// The base type's name token.
    pub base: Tok,
    /// `*T`
    pub pointer: bool,
    /// The names it gives to the type parameters of its base.
    pub type_params: Box<[Tok]>,
}

/// The bodies of a file, in chunks: what one body holds says nothing of the chunks of others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bodies {
    /// In source order; none of them empty.
    pub chunks: Box<[Arc<Chunk>]>,
}

/// Bodies that stand behind each other in a file. All of a small file are one chunk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chunk {
    /// The number of its first body in the file.
    pub first: u32,
    /// Statements and expressions of its bodies.
    pub code: Code,
    /// In source order.
    pub bodies: Box<[Body]>,
}

impl Bodies {
    /// How many bodies there are.
    pub fn count(&self) -> usize {
        let last = self.chunks.last();
        last.map_or(0, |chunk| chunk.first as usize + chunk.bodies.len())
    }

    /// Every body in source order, with its chunk.
    pub fn iter(&self) -> impl Iterator<Item = (&Chunk, &Body)> + '_ {
        let chunks = self.chunks.iter();
        chunks.flat_map(|chunk| chunk.bodies.iter().map(|body| (&**chunk, body)))
    }

    /// Every chunk, with the number in the file of the first token of its code.
    pub fn with_tokens(&self) -> impl Iterator<Item = (Tok, &Chunk)> + '_ {
        self.chunks.iter().scan(0, |next, chunk| {
            let first = *next;
            *next += chunk.code.names.len() as Tok;
            Some((first, &**chunk))
        })
    }

    /// The number in the file of the first token of a body, by the body's number.
    pub fn first_token(&self, body: u32) -> Option<Tok> {
        let before = self.chunks.partition_point(|chunk| chunk.first <= body);
        let (first, chunk) = self.with_tokens().nth(before.checked_sub(1)?)?;
        let body = chunk.bodies.get((body - chunk.first) as usize)?;
        Some(first + body.first_tok)
    }
}

/// The block of a function or method, or the initialisers of a var spec.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Body {
    /// Its item's number; of a var spec the first name's.
    pub item: u32,
    /// Its first token in the chunk's [`Code`]; tokens up to the next body's are its own.
    pub first_tok: Tok,
    /// What it holds.
    pub root: BodyRoot,
    /// Whether part of it could not be read.
    pub broken: bool,
}

/// What a [`Body`] holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BodyRoot {
    /// The block of a function.
    Block(StmtId),
    /// The values of a var spec.
    Values(ListId),
}

/// A statement (Go spec, Statements). Branch statements without a label are dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(
    missing_docs,
    reason = "the fields are named by the syntax beside them"
)]
pub enum Stmt {
    /// Not there.
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
    /// `label: stmt`; [`no_stmt`] where nothing follows.
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
    /// Several statements in the scope around them: `var ( … )`.
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
    /// `for key, value := range over { body }`; `define` tells `:=` from `=`.
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
    /// `case comm: body` of a select; [`no_stmt`] is `default`.
    Comm { comm: StmtId, body: ListId },
}
