//! Bounds how deep the syntax tree of a text can be, before it is made.

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Mode;
use ruff_python_parser::lexer::lex;

/// The greatest bound that is accepted.
const MAX_NESTING: u32 = 400;

/// Returns whether the tree of a text is shallow. Each open bracket and each indentation counts one,
/// as does each operator, dot and closed bracket since the last comma at its level, of which each
/// may be an operand of the next.
///
/// ```text
/// f(a + b, -c)     1 + 1 behind `+`, 1 + 1 behind `-`
/// a.b().c()        dots and calls: 4 at the end
/// ```
pub(crate) fn is_shallow(text: &str) -> bool {
    let mut lexer = lex(text, Mode::Module);
    // The operators since the last comma in each open bracket, below them those outside brackets.
    let mut open: Vec<u32> = vec![0];
    let mut nesting = 0u32;
    let mut indents = 0u32;
    loop {
        match lexer.next_token() {
            TokenKind::EndOfFile => return true,
            TokenKind::Indent => indents += 1,
            TokenKind::Dedent => indents = indents.saturating_sub(1),
            TokenKind::Newline | TokenKind::Semi if open.len() == 1 => {
                open[0] = 0;
                nesting = 0;
            }
            TokenKind::Lpar | TokenKind::Lsqb | TokenKind::Lbrace => {
                open.push(0);
                nesting += 1;
            }
            TokenKind::Rpar | TokenKind::Rsqb | TokenKind::Rbrace => {
                if open.len() > 1 {
                    let operators = open.pop().unwrap_or(0);
                    nesting -= operators;
                    // The bracket is a link of a chain now.
                    if let Some(around) = open.last_mut() {
                        *around += 1;
                    }
                }
            }
            TokenKind::Comma => {
                if let Some(operators) = open.last_mut() {
                    nesting -= std::mem::take(operators);
                }
            }
            TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringStart
            | TokenKind::FStringMiddle
            | TokenKind::FStringEnd
            | TokenKind::TStringStart
            | TokenKind::TStringMiddle
            | TokenKind::TStringEnd
            | TokenKind::Comment
            | TokenKind::NonLogicalNewline
            | TokenKind::Newline
            | TokenKind::Semi
            | TokenKind::Colon
            | TokenKind::Equal
            | TokenKind::True
            | TokenKind::False
            | TokenKind::None
            | TokenKind::Ellipsis => {}
            _ => {
                if let Some(operators) = open.last_mut() {
                    *operators += 1;
                    nesting += 1;
                }
            }
        }
        if nesting + indents > MAX_NESTING {
            return false;
        }
    }
}
