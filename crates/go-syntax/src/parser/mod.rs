//! A parser for healthy Go text, several times as fast as tree-sitter: it reads tokens from one
//! array, needs no tables and builds the [`FlatTree`] directly, without nodes that lowering ignores.
//!
//! It makes the tree that tree-sitter's would be flattened to, as far as lowering can see, or none:
//! at an error, at a construct that the grammar of tree-sitter-go does not know, and wherever the
//! grammar reads something else than the language does. Then tree-sitter takes over.
//!
//! ```text
//! text ── scanner ──> tokens ── declarations, statements, exprs, types ──> FlatTree or None
//! ```

mod declarations;
mod exprs;
mod scanner;
mod statements;
mod types;

use super::flat::{Children, FlatTree, NodeNumber};
use super::kinds::GoKind;
use scanner::{ScannedToken, Token, Tokens};

/// Nesting of expressions, types and statements from which a text is left to tree-sitter. Lowering
/// enters no more than two levels for each, so it cuts nothing before.
const MAX_DEPTH: u32 = 100;

/// `stop` is polled once in this many expressions, types and statements.
const POLL_EVERY: u32 = 4096;

/// Returns the tree of a healthy text; `None` where tree-sitter is to read it, also if `stop`
/// returned `true`.
pub(super) fn parse(text: &str, stop: &dyn Fn() -> bool) -> Option<FlatTree> {
    if u32::try_from(text.len()).is_err() {
        return None;
    }
    let Tokens { tokens, comments } = scanner::scan(text, stop)?;
    let mut parser = GoParser {
        text,
        tree: FlatTree::with_capacity(tokens.len() + tokens.len() / 2),
        tokens: &tokens,
        at: 0,
        depth: 0,
        in_header: false,
        stars: 0,
        absorbed: 0,
        until_poll: POLL_EVERY,
        stop,
    };
    let root = parser.source_file(&comments)?;
    parser.tree.set_root(root);
    Some(parser.tree)
}

/// The state of parsing one text. Functions that parse something expect its first token next, and
/// return `None` to give up.
struct GoParser<'t> {
    text: &'t str,
    tree: FlatTree,
    tokens: &'t [ScannedToken],
    /// The number of the next token.
    at: usize,
    depth: u32,
    /// Whether the header of a control statement is being read, outside brackets: there a brace
    /// behind a type name begins the block (Go spec, Composite literals).
    in_header: bool,
    /// Number of unary stars directly before the next operand.
    stars: u32,
    /// Number of stars that the last operand made part of its type.
    absorbed: u32,
    until_poll: u32,
    stop: &'t dyn Fn() -> bool,
}

impl GoParser<'_> {
    /// Returns the kind of the next token.
    fn peek(&self) -> Token {
        self.tokens[self.at].kind
    }

    /// Returns the kind of the token `ahead` behind the next.
    fn peek_at(&self, ahead: usize) -> Token {
        let token = self.tokens.get(self.at + ahead);
        token.map_or(Token::End, |token| token.kind)
    }

    /// Returns the offset of the next token.
    fn start(&self) -> u32 {
        self.tokens[self.at].start
    }

    /// Returns the offset behind the last token.
    fn last_end(&self) -> u32 {
        self.tokens[self.at.saturating_sub(1)].end
    }

    /// Moves behind the next token, which is not the end of the text.
    fn bump(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Moves behind the next token if it is of a kind.
    fn eat(&mut self, kind: Token) -> bool {
        let is_next = self.peek() == kind;
        if is_next {
            self.bump();
        }
        is_next
    }

    /// As [`GoParser::eat`], but gives up if the next token is of another kind.
    fn expect(&mut self, kind: Token) -> Option<()> {
        self.eat(kind).then_some(())
    }

    /// Moves behind a terminator: a semicolon, a line end or the end of the text.
    fn terminator(&mut self) -> Option<()> {
        (self.eat(Token::Semicolon) || self.eat(Token::LineEnd)).then_some(())
    }

    /// Adds a node for the next token.
    fn leaf(&mut self, kind: GoKind) -> NodeNumber {
        let token = self.tokens[self.at];
        self.bump();
        let span = (token.start, token.end);
        self.tree.push(kind, span, Children::new())
    }

    /// Adds a node for the next token, which must be an identifier.
    fn name(&mut self, kind: GoKind) -> Option<NodeNumber> {
        (self.peek() == Token::Ident).then(|| self.leaf(kind))
    }

    /// Adds a node from `start` to the end of the last token.
    fn node(&mut self, kind: GoKind, start: u32, children: Children) -> NodeNumber {
        let end = self.last_end();
        self.tree.push(kind, (start, end), children)
    }

    /// Appends a node to a list of children.
    fn append(&mut self, children: &mut Children, child: NodeNumber) {
        self.tree.append(children, child);
    }

    /// Reads with `read`, a level of nesting deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.until_poll -= 1;
        if self.until_poll == 0 {
            self.until_poll = POLL_EVERY;
            if (self.stop)() {
                return None;
            }
        }
        if self.depth >= MAX_DEPTH {
            return None;
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    /// Reads with `read`, inside brackets if not `in_header`.
    fn with_header<T>(
        &mut self,
        in_header: bool,
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let outer = std::mem::replace(&mut self.in_header, in_header);
        let found = read(self);
        self.in_header = outer;
        found
    }

    /// Returns the token behind the bracket that closes the one `ahead` behind the next token.
    fn behind_bracket(&self, ahead: usize) -> Option<Token> {
        let mut depth = 0_u32;
        let mut tokens = self.tokens[self.at + ahead..].iter();
        for token in tokens.by_ref() {
            match token.kind {
                Token::OpenBracket | Token::Open | Token::OpenBrace => depth += 1,
                Token::CloseBracket | Token::Close | Token::CloseBrace => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        break;
                    }
                }
                _ => {}
            }
        }
        tokens.next().map(|token| token.kind)
    }
}
