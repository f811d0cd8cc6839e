//! The code of a Go text (Go spec, Lexical elements; cmd/compile, Compiler Directives).

use codeweft_syntax::Span;
use codeweft_syntax::code::CodeToken;

use super::scan::{GoLexeme, GoScanner, ScannedLexeme, is_line_start};

/// What begins a comment that is code: the compiler or the build reads it.
const DIRECTIVES: [&str; 2] = ["//go:", "//export "];

/// Returns the tokens of a text. An operator is one token a byte. Directives count, other comments do not,
/// and imports for their side effects alone are no imports that bind names.
pub fn code_tokens(text: &str) -> Vec<CodeToken> {
    let bytes = text.as_bytes();
    let lexemes: Vec<ScannedLexeme> = GoScanner::new(bytes, 0).collect();
    let mut tokens: Vec<CodeToken> = Vec::with_capacity(lexemes.len());
    let mut at = 0;
    while let Some(lexeme) = lexemes.get(at) {
        let declares = match keyword(bytes, lexeme) {
            b"import" => import_length(bytes, &lexemes[at..]),
            // Every file of a package has the clause.
            b"package" => 2.min(lexemes.len() - at),
            _ => 0,
        };
        let statement = &lexemes[at..at + declares.max(1)];
        let is_blank = |lexeme: &ScannedLexeme| &bytes[lexeme.start..lexeme.end] == b"_";
        for (number, lexeme) in statement.iter().enumerate() {
            // The path behind a blank name is the next token.
            let before = number
                .checked_sub(1)
                .and_then(|before| statement.get(before));
            let is_effect = is_blank(lexeme) || before.is_some_and(is_blank);
            tokens.push(CodeToken {
                span: span(lexeme.start, lexeme.end),
                depth: 0,
                only_declares: declares > 0 && !is_effect,
            });
        }
        at += statement.len();
    }
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        let comment = line.trim();
        if DIRECTIVES.iter().any(|begin| comment.starts_with(begin)) {
            let start = from + indent;
            tokens.push(CodeToken {
                span: span(start, start + comment.len()),
                depth: 0,
                only_declares: false,
            });
        }
        from += line.len();
    }
    tokens.sort_by_key(|token| token.span.start);
    tokens
}

fn span(start: usize, end: usize) -> Span {
    Span {
        start: start as u32,
        end: end as u32,
    }
}

/// Returns the word that begins a line; of anything else nothing.
fn keyword<'t>(bytes: &'t [u8], lexeme: &ScannedLexeme) -> &'t [u8] {
    let is_first = lexeme.lexeme == GoLexeme::Word && is_line_start(bytes, lexeme.start);
    if is_first {
        &bytes[lexeme.start..lexeme.end]
    } else {
        b""
    }
}

/// Returns the number of lexemes of the import declaration that some lexemes begin with.
fn import_length(bytes: &[u8], lexemes: &[ScannedLexeme]) -> usize {
    let is_group = lexemes
        .get(1)
        .is_some_and(|next| next.lexeme == GoLexeme::Symbol(b'('));
    let last = lexemes.iter().enumerate().skip(1).find(|(_, lexeme)| {
        if is_group {
            return lexeme.lexeme == GoLexeme::Symbol(b')');
        }
        // The path ends the declaration.
        lexeme.lexeme == GoLexeme::Literal
            || lexeme.lexeme == GoLexeme::Word && is_line_start(bytes, lexeme.start)
    });
    last.map_or(lexemes.len(), |(number, _)| number + 1)
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
    fn comments_are_no_code_and_directives_are() {
        let text = "package p // words\n/* more */\n//go:noinline\nfunc f() {}\n";
        let wanted = ["//go:noinline", "func", "f", "(", ")", "{", "}"];
        assert_eq!(code(text), wanted);
    }

    #[test]
    fn only_an_import_for_its_effects_is_code_by_itself() {
        let text =
            "package p\n\nimport \"fmt\"\n\nimport (\n\t\"os\"\n\t_ \"embed\"\n)\n\nvar x = 1\n";
        let wanted = ["_", "\"embed\"", "var", "x", "=", "1"];
        assert_eq!(code(text), wanted);
    }

    #[test]
    fn an_import_that_does_not_end_takes_the_rest() {
        assert_eq!(code("package p\nimport (\n\t\"os\"\n"), [""; 0]);
    }
}
