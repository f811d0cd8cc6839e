//! Excerpts of Go texts for editors: doc comments and signatures.

use codeweft_db::{DeclarationRange, EditorText, NodeKind};
use codeweft_go_syntax::detail;
use codeweft_syntax::code::CodeToken;
use codeweft_syntax::detail::DeclarationDetail;
use codeweft_syntax::excerpt::{first_lines, header_end, indent, one_line, without_indent};
use codeweft_syntax::scopes::ScopeRange;

use crate::language::Go;

impl EditorText for Go {
    /// Returns the doc comment ("Go Doc Comments").
    fn doc(&self, text: &str, declaration: &DeclarationRange, _kind: NodeKind) -> String {
        doc_comment(text, declaration)
    }

    /// Returns a function without its body, the first lines of a type, the line of anything else. A
    /// name of a group gets the group's keyword (Go spec, Constant declarations).
    fn declaration_header(
        &self,
        text: &str,
        declaration: &DeclarationRange,
        kind: NodeKind,
    ) -> String {
        let span = declaration.span;
        let declared = text.get(span.start as usize..span.end as usize);
        let declared = declared.unwrap_or("");
        match kind {
            NodeKind::Function | NodeKind::Method => {
                let header = &declared[..end_of_header(declared)];
                first_lines(header.trim_end(), indent(text, span.start))
            }
            NodeKind::Interface | NodeKind::Struct | NodeKind::Type => {
                keyword("type", &first_lines(declared, indent(text, span.start)))
            }
            NodeKind::Constant => keyword("const", &one_line(declared)),
            NodeKind::Variable => keyword("var", &one_line(declared)),
            _ => one_line(declared),
        }
    }

    fn detail(
        &self,
        text: &str,
        declaration: &DeclarationRange,
        kind: NodeKind,
    ) -> DeclarationDetail {
        let span = declaration.span;
        let declared = text.get(span.start as usize..span.end as usize);
        let declared = declared.unwrap_or("");
        let mut detail = match kind {
            NodeKind::Method if !declared.starts_with("func") => {
                detail::interface_method_detail(declared)
            }
            NodeKind::Function | NodeKind::Method => {
                detail::function_detail(&declared[..end_of_header(declared)])
            }
            NodeKind::Interface | NodeKind::Struct | NodeKind::Type => {
                detail::type_detail(declared)
            }
            NodeKind::Field => detail::field_detail(declared),
            NodeKind::Constant | NodeKind::Variable => detail::value_detail(declared),
            _ => DeclarationDetail::default(),
        };
        let before = text.get(..span.start as usize).unwrap_or("");
        let lines = &before[..before.rfind('\n').map_or(0, |end| end + 1)];
        let directives = detail::directives(lines);
        detail.annotations.splice(0..0, directives);
        detail
    }

    fn code_tokens(&self, text: &str) -> Vec<CodeToken> {
        codeweft_go_syntax::code::code_tokens(text)
    }

    fn scopes_at(&self, text: &str, offset: u32) -> Vec<ScopeRange> {
        codeweft_go_syntax::scopes::scopes_at(text, offset)
    }

    fn header_end(&self, text: &str, declaration: &DeclarationRange) -> Option<usize> {
        let start = declaration.span.start as usize;
        let declared = text.get(start..declaration.span.end as usize)?;
        Some(start + end_of_header(declared))
    }
}

/// Returns the comment that ends on the line before a declaration; without one the comment behind it
/// in its last line.
fn doc_comment(text: &str, declaration: &DeclarationRange) -> String {
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

/// Returns the comment that ends a text, without its marks and without directives (`//go:build`).
fn comment_above(before: &str) -> String {
    let trimmed = before.trim_end_matches([' ', '\t', '\r']);
    let trimmed = trimmed.strip_suffix('\n').unwrap_or(trimmed);
    let last = trimmed.trim_end_matches([' ', '\t', '\r']);
    if let Some(body) = last.strip_suffix("*/") {
        let comment = body.rfind("/*").map(|at| &body[at + 2..]);
        return comment.map_or_else(String::new, without_indent);
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

/// Returns the offset where the body of a function begins, else that of its end: the first brace
/// outside brackets that does not belong to a struct or interface type.
fn end_of_header(declared: &str) -> usize {
    let of_type = |before: &str| {
        let word = before.trim_end();
        word.ends_with("interface") || word.ends_with("struct")
    };
    header_end(declared, |letter, before| letter == '{' && !of_type(before))
        .unwrap_or(declared.len())
}

/// Returns a declaration with its keyword before it, which a group has only once.
fn keyword(word: &str, declared: &str) -> String {
    let has = declared
        .strip_prefix(word)
        .is_some_and(|rest| rest.starts_with(char::is_whitespace));
    if has {
        declared.to_owned()
    } else {
        format!("{word} {declared}")
    }
}
