//! Doc comments and docstrings of declarations.

use codeweft_db::{DeclarationRange, Lang, NodeKind};

use super::signature::end_of_header;

/// Returns the doc comment (Go, "Go Doc Comments") or the docstring (PEP 257) of a declaration as plain text;
/// empty if there is none.
pub(super) fn doc(
    text: &str,
    declaration: &DeclarationRange,
    kind: NodeKind,
    lang: Lang,
) -> String {
    match lang {
        Lang::Go => go_comment(text, declaration),
        Lang::Python => match kind {
            NodeKind::Package => docstring(text),
            NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Interface => {
                let body =
                    end_of_header(text, declaration, lang).and_then(|colon| text.get(colon + 1..));
                body.map_or_else(String::new, docstring)
            }
            _ => String::new(),
        },
    }
}

/// Returns the comment that ends on the line before a declaration, else the comment behind it on its last line.
fn go_comment(text: &str, declaration: &DeclarationRange) -> String {
    let start = declaration.span.start as usize;
    let before = text.get(..start).unwrap_or("");
    let before = &before[..before.rfind('\n').map_or(0, |end| end + 1)];
    let above = comment_above(before);
    if !above.is_empty() {
        return above;
    }
    let after = text.get(declaration.span.end as usize..).unwrap_or("");
    let rest = after.split('\n').next().unwrap_or("").trim();
    let comment = rest.strip_prefix("//");
    comment.map_or_else(String::new, |comment| comment.trim().to_owned())
}

/// Returns the comment that ends a text, without its delimiters and without directives (`//go:build`).
fn comment_above(before: &str) -> String {
    let trimmed = before.trim_end_matches([' ', '\t', '\r']);
    let trimmed = trimmed.strip_suffix('\n').unwrap_or(trimmed);
    let last = trimmed.trim_end_matches([' ', '\t', '\r']);
    if let Some(body) = last.strip_suffix("*/") {
        let comment = body.rfind("/*").map(|at| &body[at + 2..]);
        return comment.map_or_else(String::new, plain);
    }
    let mut lines: Vec<&str> = Vec::new();
    for line in last.rsplit('\n') {
        let Some(comment) = line.trim().strip_prefix("//") else {
            break;
        };
        lines.push(comment);
    }
    lines.reverse();
    let is_directive = |line: &&str| {
        let word = line.split(':').next().unwrap_or("");
        line.contains(':')
            && !word.is_empty()
            && word.chars().all(|letter| letter.is_ascii_lowercase())
            && !line[word.len() + 1..].starts_with(char::is_whitespace)
    };
    lines.retain(|line| !is_directive(line));
    let lines: Vec<&str> = lines
        .into_iter()
        .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
        .collect();
    lines.join("\n").trim_matches('\n').to_owned()
}

/// Returns the string that a block begins with, by the rules of `inspect.cleandoc`.
fn docstring(block: &str) -> String {
    let mut rest = block;
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix('#') {
            Some(comment) => rest = comment.split_once('\n').map_or("", |(_, rest)| rest),
            None => break,
        }
    }
    let raw = rest.strip_prefix(['r', 'R', 'u', 'U']).unwrap_or(rest);
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        if let Some(body) = raw.strip_prefix(quote) {
            return closed(body, quote).map_or_else(String::new, plain);
        }
    }
    String::new()
}

/// Returns a string up to its closing quote; `None` if there is none.
fn closed<'t>(body: &'t str, quote: &str) -> Option<&'t str> {
    let mut escaped = false;
    for (at, letter) in body.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote.len() == 1 => return None,
            _ if body[at..].starts_with(quote) => return Some(&body[..at]),
            _ => {}
        }
    }
    None
}

/// Returns a text without the indent that all lines but the first share, and without blank lines around.
fn plain(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let later = text.lines().skip(1);
    let shared = later
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    let mut lines: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = match number {
            0 => line.trim_start(),
            _ => line.get(shared..).unwrap_or(line.trim_start()),
        };
        lines.push(line.trim_end());
    }
    lines.join("\n").trim_matches('\n').trim_end().to_owned()
}
