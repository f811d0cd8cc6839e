//! The state of lowering one file: the tree cursor, the arenas under construction and the name
//! interner.
//!
//! The cursor carries the position: a function that lowers a node is called with the cursor on the
//! node, and returns with the cursor there. Lists are collected on a stack, so that nested lists
//! need no allocation of their own:
//!
//! ```text
//! let start = l.list_start();     stack: … | start
//! l.list_push(expr);              stack: … | expr       (lists begun in between have ended)
//! l.list_end(start)               stack: … |            moved to `Code::lists`
//! ```

use la_arena::{Idx, RawIdx};
use rustc_hash::FxHashMap;

use super::arenas::ArenaBuilder;
use super::chunking::is_chunked;
use super::flat::FlatCursor;
use super::ir::*;
use super::kinds::GoKind;
use super::parse::Piece;
use codeweft_syntax::{NameId, Names, Span};

/// Expressions, statements and blocks nested deeper than this become opaque.
pub(super) const MAX_DEPTH: u32 = 256;

/// `stop` is polled once in this many expressions and statements.
const POLL_EVERY: u32 = 1024;

/// The lowering of one file. Functions that lower a node expect the cursor on it and leave it
/// there.
pub(super) struct GoLowering<'t, 'e> {
    /// The text as given, without byte-order mark. Names are read from it, so that repairs of the
    /// parser's copy are invisible.
    pub(super) text: &'t str,
    pub(super) names: &'e Names,
    stop: &'e dyn Fn() -> bool,
    pub(super) cursor: FlatCursor<'e>,
    /// Offset in the text of the parsed piece.
    pub(super) base: u32,
    /// End of the piece: the spans of nodes that were closed behind it end here.
    pub(super) end: u32,
    /// Damaged specs of the piece; see [`Piece::damaged`].
    pub(super) damaged: &'e [Span],
    /// The arenas that receive new nodes: those of the items or of the bodies.
    pub(super) out: ArenaBuilder,
    /// The other of the two arenas.
    pub(super) other: ArenaBuilder,
    known: FxHashMap<&'t str, NameId>,
    pub(super) paren: NameId,
    pub(super) quote: NameId,
    /// The name of the predeclared function `len`.
    pub(super) len: NameId,
    /// Whether the arenas that receive new nodes are those of the bodies.
    pub(super) in_bodies: bool,
    /// The number of constants and of calls of `len` around: only there the length of a string of a body can decide a type.
    pub(super) measuring: u32,
    pub(super) empty: NameId,
    /// Elements of the lists under construction, innermost last.
    list_stack: Vec<u32>,
    /// Parameters of the signatures under construction, innermost last.
    pub(super) params: Vec<Param>,
    /// Kinds of the nodes on the left spine that is being lowered, innermost last.
    pub(super) spine: Vec<GoKind>,
    /// Statements recovered from ERROR nodes, to be added after the current statement.
    pub(super) recovered: Vec<StmtId>,
    pub(super) depth: u32,
    until_poll: u32,
    pub(super) stopped: bool,
    pub(super) cut: bool,
    /// The body of the piece's function, if it was parsed separately.
    pub(super) separate_body: Option<&'e Piece>,
    /// Whether the signature of the piece's function was made up.
    pub(super) guessed: bool,
    /// Whether the tree of the piece has errors: only then are MISSING nodes looked for.
    pub(super) tree_has_error: bool,
    /// Whether the shape of an initialiser is being lowered; see [`ItemKind::Var`].
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
            base: 0,
            end: text.len() as u32,
            damaged: &[],
            out: ArenaBuilder::with_capacity(text.len() / 64),
            other: ArenaBuilder::with_capacity(if is_chunked(text.len()) {
                1 << 10
            } else {
                text.len() / 16
            }),
            known: FxHashMap::default(),
            paren: names.intern("("),
            quote: names.intern("\""),
            len: names.intern("len"),
            in_bodies: false,
            measuring: 0,
            empty: names.intern(""),
            list_stack: Vec::new(),
            params: Vec::new(),
            spine: Vec::new(),
            recovered: Vec::new(),
            depth: 0,
            until_poll: POLL_EVERY,
            stopped: false,
            cut: false,
            separate_body: None,
            guessed: false,
            tree_has_error: false,
            shape: false,
        }
    }

    /// Continues with the tree of a piece.
    pub(super) fn enter_piece(&mut self, piece: &'e Piece) {
        self.cursor = piece.tree.walk();
        self.base = piece.base;
        self.end = piece.end;
        self.damaged = &piece.damaged;
        self.separate_body = piece.body.as_deref();
        self.guessed = piece.guessed;
        self.tree_has_error = !piece.errors.is_empty();
    }

    /// Returns the distinct names interned so far.
    pub(super) fn identifiers(&self) -> Vec<NameId> {
        self.known.values().copied().collect()
    }

    /// Returns the kind of the node under the cursor.
    pub(super) fn kind(&self) -> GoKind {
        self.cursor.node().kind
    }

    /// Returns the span in the text of the node under the cursor.
    pub(super) fn span(&self) -> Span {
        let node = self.cursor.node();
        Span {
            start: (self.base + node.start).min(self.end),
            end: (self.base + node.end).min(self.end),
        }
    }

    /// Returns the text of a span.
    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    /// Returns the text of the node under the cursor.
    pub(super) fn node_text(&self) -> &'t str {
        self.slice(self.span())
    }

    /// Interns a name, which thereby counts as an identifier of the file.
    pub(super) fn intern(&mut self, text: &'t str) -> NameId {
        if text.is_empty() {
            return self.empty;
        }
        let names = self.names;
        *self.known.entry(text).or_insert_with(|| names.intern(text))
    }

    /// Adds a token for the name under the cursor.
    pub(super) fn token(&mut self) -> Tok {
        let span = self.span();
        self.token_at(span)
    }

    /// Adds a token for the name under the cursor, unless the parser inserted it.
    pub(super) fn present_token(&mut self) -> Option<Tok> {
        (!self.is_missing()).then(|| self.token())
    }

    /// Returns whether the parser inserted the node under the cursor to recover from an error.
    pub(super) fn is_missing(&self) -> bool {
        self.tree_has_error && self.cursor.node().is_missing
    }

    /// Adds a token for the name at a span of the text.
    pub(super) fn token_at(&mut self, span: Span) -> Tok {
        let name = self.intern(self.slice(span));
        self.push_token(name, span.start)
    }

    /// Adds a token for the opening parenthesis under the cursor.
    pub(super) fn paren_token(&mut self) -> Tok {
        let start = self.span().start;
        self.push_token(self.paren, start)
    }

    /// Adds a token for the string literal under the cursor.
    pub(super) fn text_token(&mut self) -> Tok {
        let start = self.span().start;
        self.out.texts += 1;
        self.push_token(self.quote, start)
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

    /// Returns an expression of the current arenas.
    pub(super) fn at(&self, id: ExprId) -> Expr {
        self.out.exprs[id.into_raw().into_u32() as usize]
    }

    /// Begins a list: returns its start on the list stack. Lists begun later must end before it
    /// does.
    pub(super) fn list_start(&self) -> usize {
        self.list_stack.len()
    }

    pub(super) fn list_push<T>(&mut self, id: Idx<T>) {
        self.list_stack.push(id.into_raw().into_u32());
    }

    pub(super) fn list_push_tok(&mut self, tok: Tok) {
        self.list_stack.push(tok);
    }

    /// Returns the elements pushed since `start`.
    pub(super) fn list_peek(&self, start: usize) -> &[u32] {
        &self.list_stack[start..]
    }

    /// Drops the elements pushed since `start`.
    pub(super) fn list_drop(&mut self, start: usize) {
        self.list_stack.truncate(start);
    }

    /// Ends a list: moves the elements pushed since `start` into [`Code::lists`].
    pub(super) fn list_end(&mut self, start: usize) -> ListId {
        let len = self.list_stack.len() - start;
        if len == 0 {
            return EMPTY_LIST;
        }
        let id = ListId(self.out.lists.len() as u32);
        self.out.lists.push(len as u32);
        self.out.lists.extend(self.list_stack.drain(start..));
        id
    }

    /// Visits the children of the node under the cursor, except comments. Statements in an ERROR
    /// child are recovered instead.
    pub(super) fn children(&mut self, mut visit: impl FnMut(&mut Self, GoKind)) {
        if !self.cursor.goto_first_child() {
            return;
        }
        loop {
            match self.kind() {
                GoKind::Comment => {}
                GoKind::Error => self.recover_children(),
                kind => visit(self, kind),
            }
            if self.stopped || !self.cursor.goto_next_sibling() {
                break;
            }
        }
        self.cursor.goto_parent();
    }

    /// Counts an expression or statement and polls `stop` now and then. Returns whether to give up.
    pub(super) fn tick(&mut self) -> bool {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_EVERY;
            self.stopped |= (self.stop)();
        }
        self.stopped
    }

    /// Enters a level of nesting. Returns `false` at the depth limit, after interning the names
    /// below; nothing else of the node is lowered then.
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            self.cut = true;
            self.out.calls += 1;
            self.intern_below();
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Interns every name below the node under the cursor, without recursion.
    pub(super) fn intern_below(&mut self) {
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
