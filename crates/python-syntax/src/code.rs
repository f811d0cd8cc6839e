//! The code of a Python text (Python reference, Lexical analysis).

use codeweft_syntax::Span;
use codeweft_syntax::code::{CodeToken, words};
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, ParseOptions};
use ruff_text_size::Ranged as _;

use super::healthy::nesting;

/// Returns the tokens of a text. Comments and blank lines do not count, and what ends and indents statements
/// shows in their first tokens.
pub fn code_tokens(text: &str) -> Vec<CodeToken> {
    if !nesting::is_shallow(text) {
        return words(text);
    }
    let parsed = stacker::maybe_grow(1 << 20, 4 << 20, || {
        ruff_python_parser::parse_unchecked(text, ParseOptions::from(Mode::Module))
    });
    let mut tokens: Vec<CodeToken> = Vec::new();
    let mut statements = Statements {
        begins: true,
        ..Statements::default()
    };
    let mut blocks: u32 = 1;
    for token in parsed.tokens().iter() {
        let kind = token.kind();
        match kind {
            TokenKind::Comment | TokenKind::NonLogicalNewline => continue,
            TokenKind::Indent => blocks += 1,
            TokenKind::Dedent => blocks = u32::max(blocks - 1, 1),
            _ => {}
        }
        let (start, end) = (u32::from(token.start()), u32::from(token.end()));
        let word = text.get(start as usize..end as usize).unwrap_or("");
        let begins = statements.begins;
        if let Some(first) = statements.read(kind, word, tokens.len()) {
            let decorators = tokens.iter_mut().skip(first);
            decorators.for_each(|token| token.only_declares = true);
        }
        if matches!(
            kind,
            TokenKind::Indent | TokenKind::Dedent | TokenKind::Newline
        ) {
            continue;
        }
        tokens.push(CodeToken {
            span: Span { start, end },
            depth: if begins { blocks } else { 0 },
            only_declares: statements.is_import || statements.overload.is_some(),
        });
    }
    tokens
}

/// The statements that the tokens of a text are part of (Python library, `typing.overload`: only type
/// checkers read a decorated definition).
#[derive(Default)]
struct Statements {
    /// Whether the next token begins a statement.
    begins: bool,
    is_import: bool,
    /// The first token of the decorators before this one, and whether one of them is `overload`.
    decorators: Option<(usize, bool)>,
    /// Whether the tokens are in an overload: how deep its body is indented so far.
    overload: Option<u32>,
}

impl Statements {
    /// Reads the next token, whose number is given. Returns the number of the first token of the decorators
    /// of an overload that begins here.
    fn read(&mut self, kind: TokenKind, word: &str, number: usize) -> Option<usize> {
        let mut overloaded = None;
        let is_indent = matches!(kind, TokenKind::Indent | TokenKind::Dedent);
        if self.begins && !is_indent {
            if self.overload == Some(0) {
                self.overload = None;
            }
            self.is_import = matches!(kind, TokenKind::Import | TokenKind::From);
            match (kind, self.decorators) {
                (TokenKind::At, None) => self.decorators = Some((number, false)),
                (TokenKind::At, Some(_)) => {}
                (_, decorators) => {
                    overloaded = decorators.filter(|&(_, overload)| overload);
                    self.decorators = None;
                }
            }
        }
        match (&mut self.overload, &mut self.decorators) {
            (Some(depth), _) if kind == TokenKind::Indent => *depth += 1,
            (Some(depth), _) if kind == TokenKind::Dedent => *depth = depth.saturating_sub(1),
            (None, Some((_, overload))) => *overload |= word == "overload",
            _ => {}
        }
        let ends = matches!(kind, TokenKind::Newline | TokenKind::Semi);
        self.begins = ends || is_indent && self.begins;
        overloaded.map(|(first, _)| {
            self.overload = Some(0);
            first
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<&str> {
        let tokens = code_tokens(text).into_iter();
        let own = tokens.filter(|token| !token.only_declares);
        own.map(|token| &text[token.span.start as usize..token.span.end as usize])
            .collect()
    }

    #[test]
    fn comments_and_blank_lines_are_no_code() {
        let text = "# words\n\nx = 1  # more\n";
        assert_eq!(code(text), ["x", "=", "1"]);
    }

    #[test]
    fn imports_are_set_apart_and_indents_count() {
        let text = "from a import (\n  b,\n)\nif b:\n    import c; d()\n";
        let wanted = ["if", "b", ":", "d", "(", ")"];
        assert_eq!(code(text), wanted);
        let depths = |text: &str| -> Vec<u32> {
            code_tokens(text).iter().map(|token| token.depth).collect()
        };
        assert_eq!(depths("if b:\n    c\nd\n"), [1, 0, 0, 2, 1]);
        assert_eq!(depths("if b:\n    c\n    d\n"), [1, 0, 0, 2, 2]);
    }

    #[test]
    fn overloads_are_set_apart_with_their_decorators() {
        let text = "@x\n@t.overload\ndef f(): ...\n@overload\ndef f(a):\n    ...\n    a\n@x\ndef f(*a): g()\n";
        let wanted = ["@", "x", "def", "f", "(", "*", "a", ")", ":", "g", "(", ")"];
        assert_eq!(code(text), wanted);
    }

    #[test]
    fn a_text_with_errors_has_tokens() {
        assert_eq!(code("x = = 1\n"), ["x", "=", "=", "1"]);
    }
}
