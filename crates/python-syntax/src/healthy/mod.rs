//! Reads healthy text with the parser of ruff, which is an order of magnitude faster than
//! tree-sitter, and writes the tree that tree-sitter would.
//!
//! The abstract syntax tree has the structure and the tokens have the positions: nodes are written
//! in the order of the text, while a cursor moves over the tokens. Where tree-sitter's grammar departs
//! from the Python reference, the reference counts. Of the texts with errors those are read in which only something is missing
//! between statements or elements, or these are in the wrong order: so they have a whole tree.
//!
//! ```text
//! (a).b        Attribute { value: Name a, attr: b }     tokens ( a ) . b
//!
//! Attribute                       start of its first token
//!  Paren                          from the tokens: the abstract tree has none
//!   Identifier `a`
//!  Identifier `b`, field attribute
//! ```

mod declarations;
mod exprs;
pub(super) mod nesting;
mod patterns;
mod statements;
mod strings;
mod targets;

use ruff_python_ast::token::{Token, TokenKind};
use ruff_python_parser::{Mode, ParseError, ParseErrorType, ParseOptions};
use ruff_text_size::{Ranged, TextRange};

use super::flat::{Flat, FlatIndex};
use super::kinds::{NodeField, PythonKind};

/// A longer text is not read, because the parser cannot be stopped.
const MAX_LEN: usize = 1 << 20;

/// A construct that has no tree here.
struct Unsupported;

/// What is written, or why it is not.
type Written<T = ()> = Result<T, Unsupported>;

/// Which texts are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Accepted {
    /// Those without errors.
    Healthy,
    /// Those, too, whose errors leave out nothing but what separates statements and elements.
    Whole,
}

/// Appends the tree of a text, and its errors. Returns its root, or `None` if the text must be read by tree-sitter; then nothing is
/// appended.
pub(super) fn push(text: &str, flat: &mut Flat, accepted: Accepted) -> Option<FlatIndex> {
    if text.len() > MAX_LEN || !nesting::is_shallow(text) {
        return None;
    }
    // The tree is as deep as the tokens are nested, so a bounded stack is enough for all passes over
    // it, its drop included.
    stacker::maybe_grow(1 << 20, 4 << 20, || {
        let parsed = ruff_python_parser::parse_unchecked(text, ParseOptions::from(Mode::Module));
        let module = parsed.syntax().as_module()?;
        let is_read = |error: &ParseError| accepted == Accepted::Whole && is_whole(error, text);
        if !parsed.errors().iter().all(is_read) {
            return None;
        }
        let root = flat.len();
        let mut writer = TreeWriter {
            text,
            tokens: parsed.tokens(),
            next: 0,
            end: 0,
            flat,
        };
        match writer.module(&module.body) {
            Ok(()) => {
                let errors = parsed.errors().iter();
                flat.errors
                    .extend(errors.map(|error| error.location.start().to_u32()));
                Some(root)
            }
            Err(Unsupported) => {
                flat.truncate(root);
                None
            }
        }
    })
}

/// Returns whether the tree of a text with an error has all that the text says. The grammar of tree-sitter has the statements of
/// Python 2.
fn is_whole(error: &ParseError, text: &str) -> bool {
    let before = text.get(..error.location.start().to_usize());
    let last_word = before.unwrap_or("").split_ascii_whitespace().next_back();
    match &error.error {
        ParseErrorType::SimpleStatementsOnSameLine => !matches!(last_word, Some("print" | "exec")),
        ParseErrorType::SimpleAndCompoundStatementOnSameLine
        | ParseErrorType::PositionalAfterKeywordArgument
        | ParseErrorType::PositionalAfterKeywordUnpacking
        | ParseErrorType::InvalidArgumentUnpackingOrder
        | ParseErrorType::ParamAfterVarKeywordParam
        | ParseErrorType::NonDefaultParamAfterDefaultParam => true,
        ParseErrorType::ExpectedToken { expected, .. } => *expected == TokenKind::Comma,
        _ => false,
    }
}

/// Writes the nodes of a text in preorder.
struct TreeWriter<'t> {
    text: &'t str,
    tokens: &'t [Token],
    /// The number of the next token.
    next: usize,
    /// Offset behind the last token or comment that a node contains.
    end: u32,
    flat: &'t mut Flat,
}

/// The offset of the first byte of a node.
fn start_of(node: &impl Ranged) -> u32 {
    node.start().to_u32()
}

impl TreeWriter<'_> {
    /// Begins a node that starts at an offset.
    fn open(&mut self, kind: PythonKind, field: NodeField, start: u32) -> FlatIndex {
        self.flat.open(kind, field, start)
    }

    /// Ends a node behind the last token that was read.
    fn close(&mut self, node: FlatIndex) {
        self.flat.close(node, self.end);
    }

    /// Writes a node with the children that `inner` writes.
    fn node(
        &mut self,
        kind: PythonKind,
        field: NodeField,
        start: u32,
        inner: impl FnOnce(&mut Self) -> Written,
    ) -> Written {
        let node = self.open(kind, field, start);
        inner(self)?;
        self.close(node);
        Ok(())
    }

    /// Writes a node without children that covers a range, and skips its tokens.
    fn leaf(&mut self, kind: PythonKind, field: NodeField, range: TextRange) {
        self.skip_to(range.start().to_u32());
        self.skip_to(range.end().to_u32());
        self.end = range.end().to_u32();
        let leaf = self.open(kind, field, range.start().to_u32());
        self.close(leaf);
    }

    /// Writes the next token as a leaf, which must be of a kind.
    fn token(&mut self, token: TokenKind, kind: PythonKind) -> Written {
        let range = self.expect(token)?;
        let leaf = self.open(kind, NodeField::Other, range.start().to_u32());
        self.close(leaf);
        Ok(())
    }

    /// Skips the tokens that start before an offset.
    fn skip_to(&mut self, offset: u32) {
        while let Some(token) = self.tokens.get(self.next)
            && token.start().to_u32() < offset
        {
            self.next += 1;
        }
    }

    /// Returns the next token that is neither a comment nor a line break inside brackets.
    fn peek(&mut self) -> Option<Token> {
        while let Some(&token) = self.tokens.get(self.next) {
            match token.kind() {
                TokenKind::Comment | TokenKind::NonLogicalNewline => self.next += 1,
                _ => return Some(token),
            }
        }
        None
    }

    /// Reads the next token if it is of a kind.
    fn eat(&mut self, kind: TokenKind) -> Option<TextRange> {
        let token = self.peek().filter(|token| token.kind() == kind)?;
        self.next += 1;
        self.end = token.end().to_u32();
        Some(token.range())
    }

    /// Reads the next token, which must be of a kind.
    fn expect(&mut self, kind: TokenKind) -> Written<TextRange> {
        self.eat(kind).ok_or(Unsupported)
    }

    /// Reads the parentheses before an offset, which enclose the node that starts there. Returns
    /// where each starts.
    fn parens_before(&mut self, offset: u32) -> Vec<u32> {
        let mut starts = Vec::new();
        while let Some(token) = self.tokens.get(self.next)
            && token.start().to_u32() < offset
        {
            if token.kind() == TokenKind::Lpar {
                starts.push(token.start().to_u32());
            }
            self.next += 1;
        }
        starts
    }

    /// Returns the text of a range.
    fn text(&self, range: TextRange) -> &str {
        self.text.get(range.to_std_range()).unwrap_or("")
    }
}
