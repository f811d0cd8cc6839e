//! The state of lowering one file: the cursor over the tree, the arenas that fill, the interner.

use la_arena::{Arena, Idx, RawIdx};
use rustc_hash::FxHashMap;
use tree_sitter::TreeCursor;

use super::ir::*;
use super::kinds::{GoKind, GoKinds};
use super::parse::Piece;
use crate::{NameId, Names, Span};

/// Nesting beyond this many expressions, statements and blocks inside each other is cut.
pub(super) const MAX_DEPTH: u32 = 256;

/// `stop` is asked once in this many expressions and statements.
const POLL_EVERY: u32 = 1024;

/// Arenas in the making, with what belongs to the ranges beside them.
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
    /// Calls and cuts so far: what holds one is never [`Expr::Const`].
    pub(super) calls: u32,
}

/// The lengths of a [`ArenaBuilder`], to tell what was added since and to take it back.
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
}

impl ArenaBuilder {
    /// A sink with room for `exprs` expressions and the rest in proportion.
    pub(super) fn with_capacity(exprs: usize) -> ArenaBuilder {
        let mut sink = ArenaBuilder {
            exprs: Vec::with_capacity(exprs + 1),
            stmts: Vec::with_capacity(exprs / 4 + 1),
            lists: Vec::with_capacity(exprs + 1),
            names: Vec::with_capacity(exprs),
            offsets: Vec::with_capacity(exprs),
            ..ArenaBuilder::default()
        };
        sink.exprs.push(Expr::Missing);
        sink.stmts.push(Stmt::Empty);
        sink.lists.push(0);
        sink
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
        }
    }

    /// Whether neither name, call nor function literal came since the mark.
    pub(super) fn is_constant_since(&self, mark: ArenaMark) -> bool {
        self.names.len() == mark.names
            && self.calls == mark.calls
            && self.literals.len() == mark.literals
    }

    /// Takes back what came since the mark. Names must not have come.
    pub(super) fn rewind(&mut self, mark: ArenaMark) {
        self.exprs.truncate(mark.exprs);
        self.stmts.truncate(mark.stmts);
        self.sigs.truncate(mark.sigs);
        self.fields.truncate(mark.fields);
        self.field_spans.truncate(mark.fields);
        self.ints.truncate(mark.ints);
        self.lists.truncate(mark.lists);
    }

    /// The finished arenas, the spans of the fields and the offsets of the tokens.
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

/// Lowering of one file. The functions that lower a node find the cursor on it and leave it there.
pub(super) struct GoLowering<'t, 'e> {
    /// The text as it was given, without byte-order mark: names are read here, so that repairs of
    /// the parser's copy never show.
    pub(super) text: &'t str,
    pub(super) names: &'e Names,
    stop: &'e dyn Fn() -> bool,
    pub(super) cursor: TreeCursor<'e>,
    kinds: &'static GoKinds,
    /// Offset of the parsed piece in the text.
    pub(super) base: u32,
    /// Where the piece ends: nodes that were closed behind it end there.
    pub(super) end: u32,
    /// See [`Piece::damaged`].
    pub(super) damaged: &'e [Span],
    /// Where new nodes go.
    pub(super) out: ArenaBuilder,
    /// The other of the two sinks (items, bodies).
    pub(super) other: ArenaBuilder,
    known: FxHashMap<&'t str, NameId>,
    pub(super) paren: NameId,
    pub(super) empty: NameId,
    /// Elements of the lists in the making, innermost last.
    scratch: Vec<u32>,
    /// Parameters of the signatures in the making, innermost last.
    pub(super) params: Vec<Param>,
    /// Kinds of the nodes on the left spine that are being lowered, innermost last.
    pub(super) spine: Vec<GoKind>,
    /// Statements found in ERROR nodes, to be put behind the statement at hand.
    pub(super) strays: Vec<StmtId>,
    pub(super) depth: u32,
    until_poll: u32,
    pub(super) stopped: bool,
    pub(super) cut: bool,
    /// The body of the piece's function, if it was read apart.
    pub(super) apart: Option<&'e Piece>,
    /// Whether the signature of the piece's function is made up.
    pub(super) guessed: bool,
    /// Whether the piece has errors: only then is MISSING looked for.
    pub(super) tree_has_error: bool,
    /// Whether the shape of an initialiser is being lowered.
    pub(super) shape: bool,
}

impl<'t, 'e> GoLowering<'t, 'e> {
    pub(super) fn new(
        text: &'t str,
        names: &'e Names,
        stop: &'e dyn Fn() -> bool,
        first: &'e Piece,
    ) -> Self {
        GoLowering {
            text,
            names,
            stop,
            cursor: first.tree.walk(),
            kinds: GoKinds::get(),
            base: 0,
            end: text.len() as u32,
            damaged: &[],
            out: ArenaBuilder::with_capacity(text.len() / 64),
            other: ArenaBuilder::with_capacity(match super::chunking::is_chunked(text.len()) {
                true => 1 << 10,
                false => text.len() / 16,
            }),
            known: FxHashMap::default(),
            paren: names.intern("("),
            empty: names.intern(""),
            scratch: Vec::new(),
            params: Vec::new(),
            spine: Vec::new(),
            strays: Vec::new(),
            depth: 0,
            until_poll: POLL_EVERY,
            stopped: false,
            cut: false,
            apart: None,
            guessed: false,
            tree_has_error: false,
            shape: false,
        }
    }

    /// Goes on with the tree of a piece.
    pub(super) fn enter_piece(&mut self, piece: &'e Piece) {
        self.cursor = piece.tree.walk();
        self.base = piece.base;
        self.end = piece.end;
        self.damaged = &piece.damaged;
        self.apart = piece.body.as_deref();
        self.guessed = piece.guessed;
        self.tree_has_error = !piece.errors.is_empty();
    }

    /// The distinct names met so far.
    pub(super) fn mentioned(&self) -> Vec<NameId> {
        self.known.values().copied().collect()
    }

    /// The kind of the node under the cursor.
    pub(super) fn kind(&self) -> GoKind {
        self.kinds.of(self.cursor.node())
    }

    /// The span of the node under the cursor in the text.
    pub(super) fn span(&self) -> Span {
        let node = self.cursor.node();
        Span {
            start: (self.base + node.start_byte() as u32).min(self.end),
            end: (self.base + node.end_byte() as u32).min(self.end),
        }
    }

    /// The text of a span.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// The text of the node under the cursor.
    pub(super) fn node_text(&self) -> &'t str {
        self.slice(self.span())
    }

    /// The number of a name, which is then mentioned.
    pub(super) fn intern(&mut self, text: &'t str) -> NameId {
        if text.is_empty() {
            return self.empty;
        }
        let names = self.names;
        *self.known.entry(text).or_insert_with(|| names.intern(text))
    }

    /// A token for the name under the cursor.
    pub(super) fn token(&mut self) -> Tok {
        let span = self.span();
        self.token_at(span)
    }

    /// A token for the name under the cursor, unless the parser made it up.
    pub(super) fn present_token(&mut self) -> Option<Tok> {
        (!self.is_missing()).then(|| self.token())
    }

    /// Whether the node under the cursor was made up by the parser to go on.
    pub(super) fn is_missing(&self) -> bool {
        self.tree_has_error && self.cursor.node().is_missing()
    }

    /// A token for the name at a span of the text.
    pub(super) fn token_at(&mut self, span: Span) -> Tok {
        let name = self.intern(self.slice(span));
        self.push_token(name, span.start)
    }

    /// A token for the opening parenthesis under the cursor.
    pub(super) fn paren_token(&mut self) -> Tok {
        let start = self.span().start;
        self.push_token(self.paren, start)
    }

    fn push_token(&mut self, name: NameId, offset: u32) -> Tok {
        let tok = self.out.names.len() as Tok;
        self.out.names.push(name);
        self.out.offsets.push(offset);
        tok
    }

    pub(super) fn alloc(&mut self, expr: Expr) -> ExprId {
        let id = self.out.exprs.len() as u32;
        self.out.exprs.push(expr);
        Idx::from_raw(RawIdx::from_u32(id))
    }

    pub(super) fn alloc_stmt(&mut self, stmt: Stmt) -> StmtId {
        let id = self.out.stmts.len() as u32;
        self.out.stmts.push(stmt);
        Idx::from_raw(RawIdx::from_u32(id))
    }

    pub(super) fn alloc_sig(&mut self, sig: Sig) -> SigId {
        let id = self.out.sigs.len() as u32;
        self.out.sigs.push(sig);
        Idx::from_raw(RawIdx::from_u32(id))
    }

    pub(super) fn alloc_field(&mut self, field: Field, span: Span) -> FieldId {
        let id = self.out.fields.len() as u32;
        self.out.fields.push(field);
        self.out.field_spans.push(span);
        Idx::from_raw(RawIdx::from_u32(id))
    }

    /// An expression of the current sink.
    pub(super) fn at(&self, id: ExprId) -> Expr {
        self.out.exprs[id.into_raw().into_u32() as usize]
    }

    /// Where a list begins in the scratch; lists inside of it must end before it does.
    pub(super) fn list_start(&self) -> usize {
        self.scratch.len()
    }

    pub(super) fn list_push<T>(&mut self, id: Idx<T>) {
        self.scratch.push(id.into_raw().into_u32());
    }

    pub(super) fn list_push_tok(&mut self, tok: Tok) {
        self.scratch.push(tok);
    }

    /// The elements pushed since `start`.
    pub(super) fn list_peek(&self, start: usize) -> &[u32] {
        &self.scratch[start..]
    }

    /// Forgets the elements pushed since `start`.
    pub(super) fn list_drop(&mut self, start: usize) {
        self.scratch.truncate(start);
    }

    /// Puts the elements pushed since `start` into the lists.
    pub(super) fn list_end(&mut self, start: usize) -> ListId {
        let len = self.scratch.len() - start;
        if len == 0 {
            return EMPTY_LIST;
        }
        let id = ListId(self.out.lists.len() as u32);
        self.out.lists.push(len as u32);
        self.out.lists.extend(self.scratch.drain(start..));
        id
    }

    /// Visits the children under the cursor. Comments are passed by; what an ERROR child holds
    /// goes to the strays.
    pub(super) fn children(&mut self, mut visit: impl FnMut(&mut Self, GoKind)) {
        if !self.cursor.goto_first_child() {
            return;
        }
        loop {
            match self.kind() {
                GoKind::Comment => {}
                GoKind::Error => self.stray_children(),
                kind => visit(self, kind),
            }
            if self.stopped || !self.cursor.goto_next_sibling() {
                break;
            }
        }
        self.cursor.goto_parent();
    }

    /// Counts one expression or statement and asks `stop` now and then; `true`: give up.
    pub(super) fn tick(&mut self) -> bool {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_EVERY;
            self.stopped |= (self.stop)();
        }
        self.stopped
    }

    /// Enters a level of nesting, or says that it is cut: then the names below are mentioned and
    /// nothing more is known of them.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.cut = true;
            self.out.calls += 1;
            self.mention_below();
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Identifiers every name below the node under the cursor, without recursion.
    pub(super) fn mention_below(&mut self) {
        let mut depth = 0u32;
        loop {
            if self.tick() {
                while depth > 0 {
                    self.cursor.goto_parent();
                    depth -= 1;
                }
                return;
            }
            if self.kind().is_name() {
                let text = self.node_text();
                self.intern(text);
            } else if self.cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            loop {
                if depth == 0 {
                    return;
                }
                if self.cursor.goto_next_sibling() {
                    break;
                }
                self.cursor.goto_parent();
                depth -= 1;
            }
        }
    }
}
