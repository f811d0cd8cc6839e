//! Excerpts of Python texts for editors: docstrings and signatures.

use codeweft_db::{DeclarationRange, EditorText, NodeKind};
use codeweft_python_syntax::detail;
use codeweft_syntax::code::CodeToken;
use codeweft_syntax::detail::DeclarationDetail;
use codeweft_syntax::excerpt::{
    first_lines, header_end, indent, line_of, one_line, without_indent,
};
use codeweft_syntax::scopes::ScopeRange;

use crate::language::Python;

impl EditorText for Python {
    /// Returns the docstring (PEP 257).
    fn doc(&self, text: &str, declaration: &DeclarationRange, kind: NodeKind) -> String {
        match kind {
            NodeKind::Package => docstring(text),
            NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Interface => {
                let body = self.header_end(text, declaration);
                let body = body.and_then(|colon| text.get(colon + 1..));
                body.map_or_else(String::new, docstring)
            }
            _ => String::new(),
        }
    }

    /// Returns a function or class without its body, the line of anything else.
    fn declaration_header(
        &self,
        text: &str,
        declaration: &DeclarationRange,
        kind: NodeKind,
    ) -> String {
        match kind {
            NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Interface => {
                let Some((start, end)) = header(text, declaration) else {
                    let declared =
                        text.get(declaration.span.start as usize..declaration.span.end as usize);
                    return one_line(declared.unwrap_or(""));
                };
                first_lines(text[start..end].trim_end(), indent(text, start as u32))
            }
            _ => line_of(text, declaration.name.start),
        }
    }

    fn detail(
        &self,
        text: &str,
        declaration: &DeclarationRange,
        kind: NodeKind,
    ) -> DeclarationDetail {
        match kind {
            NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Interface => {
                let start = declaration.span.start;
                let end = self.header_end(text, declaration);
                let declared = end.and_then(|end| text.get(start as usize..end));
                let indent = indent(text, start);
                let lines = declared.unwrap_or("").lines();
                let lines = lines.map(|line| line.strip_prefix(indent).unwrap_or(line));
                let lines: Vec<&str> = lines.collect();
                detail::definition_detail(&lines.join("\n"), kind == NodeKind::Method)
            }
            // The declaration of a variable is its name.
            _ => detail::variable_detail(&line_of(text, declaration.name.start)),
        }
    }

    fn code_tokens(&self, text: &str) -> Vec<CodeToken> {
        codeweft_python_syntax::code::code_tokens(text)
    }

    fn scopes_at(&self, text: &str, offset: u32) -> Vec<ScopeRange> {
        codeweft_python_syntax::scopes_at::scopes_at(text, offset)
    }

    fn header_end(&self, text: &str, declaration: &DeclarationRange) -> Option<usize> {
        header(text, declaration).map(|(_, end)| end)
    }

    fn begins_declaration(&self, before: &str) -> bool {
        matches!(before, "def" | "class" | "async def" | "type" | "")
    }
}

/// Returns the range from the keyword to before the colon of a `def` or `class` (Python reference,
/// Compound statements).
fn header(text: &str, declaration: &DeclarationRange) -> Option<(usize, usize)> {
    let name = declaration.name.start as usize;
    let line = text.get(..name)?.rfind('\n').map_or(0, |end| end + 1);
    let begin = &text[line..name];
    let keyword = ["async", "def", "class"]
        .iter()
        .filter_map(|word| begin.find(word))
        .min()?;
    let end = header_end(&text[name..], |letter, _| letter == ':')?;
    Some((line + keyword, name + end))
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
            return closed(body, quote).map_or_else(String::new, without_indent);
        }
    }
    String::new()
}

/// Returns a string up to its closing quote.
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
