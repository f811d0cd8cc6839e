//! What a Go text declares and comments (Go spec, Declarations and scope; Comments).

use codeweft_syntax::text_parts::{TextDeclaration, TextParts, start_with_comments};
use codeweft_syntax::{Items, Names, Ranges, Span};

use crate::parts::AsGo as _;
use crate::scan::GoScanner;
use crate::{Expr, Item, ItemKind};

/// Returns the package-level declarations with fields and interface methods, and the comments.
pub(crate) fn text_parts(text: &str, items: &Items, ranges: &Ranges, names: &Names) -> TextParts {
    let mut declarations = Vec::new();
    let Some(items) = items.go() else {
        return TextParts::default();
    };
    for (item, &span) in items.items.iter().zip(&ranges.items) {
        let name = names.text(item.name).to_string();
        let qualified_name = match &item.kind {
            ItemKind::Method { receiver, .. } => {
                format!("{}.{name}", names.text(items.code.name(receiver.base)))
            }
            _ => name.clone(),
        };
        let is_definition = matches!(
            item.kind,
            ItemKind::Func { .. } | ItemKind::Method { .. } | ItemKind::Type { .. }
        );
        let start = if is_definition {
            start_with_comments(text, span.start, &["//"])
        } else {
            span.start
        };
        declarations.push(TextDeclaration {
            name,
            qualified_name: qualified_name.clone(),
            span: Span { start, ..span },
            is_definition,
        });
        for (field, span) in members(items, item, ranges) {
            let name = names.text(field).to_string();
            declarations.push(TextDeclaration {
                qualified_name: format!("{qualified_name}.{name}"),
                name,
                span,
                is_definition: false,
            });
        }
    }
    declarations.sort_by_key(|one| one.span.start);
    TextParts {
        declarations,
        comments: comments(text),
    }
}

/// Returns the fields of a struct type and the methods of an interface type, with their ranges.
fn members(
    items: &crate::Items,
    item: &Item,
    ranges: &Ranges,
) -> Vec<(codeweft_syntax::NameId, Span)> {
    let ItemKind::Type { ty, .. } = item.kind else {
        return Vec::new();
    };
    let list = match items.code.exprs[ty] {
        Expr::Struct(list) | Expr::Interface(list) => list,
        _ => return Vec::new(),
    };
    let members = items.code.fields_of(list).filter_map(|field| {
        let span = ranges.fields.get(field.into_raw().into_u32() as usize)?;
        let tok = items.code.fields[field].tok;
        Some((items.code.name(tok), *span))
    });
    members.collect()
}

/// Returns the ranges between lexemes that have a comment.
fn comments(text: &str) -> Vec<Span> {
    let mut comments = Vec::new();
    let mut end = 0;
    let mut add = |start: usize, end: usize| {
        if text
            .get(start..end)
            .is_some_and(|between| between.contains('/'))
        {
            comments.push(Span {
                start: start as u32,
                end: end as u32,
            });
        }
    };
    for lexeme in GoScanner::new(text.as_bytes(), 0) {
        add(end, lexeme.start);
        end = lexeme.end;
    }
    add(end, text.len());
    comments
}

#[cfg(test)]
mod tests {
    use codeweft_syntax::Names;

    use crate::GO;

    #[test]
    fn declarations_have_their_types_and_comments_are_all_that_is_no_lexeme() {
        let text = "// Package p.\npackage p\n\n// T has /* one */ field.\ntype T struct {\n\tA int // first\n}\n\nvar v = \"// none\"\n\n// M does.\nfunc (t *T) M() {}\n";
        let names = Names::default();
        let ir = codeweft_syntax::lower(text, GO, &names, &|| false).unwrap();
        let parts = super::text_parts(text, &ir.items, &ir.ranges, &names);
        let of = |span: codeweft_syntax::Span| &text[span.start as usize..span.end as usize];
        let declarations: Vec<(&str, bool, &str)> = parts
            .declarations
            .iter()
            .map(|one| (&*one.qualified_name, one.is_definition, of(one.span)))
            .collect();
        assert_eq!(
            declarations,
            [
                (
                    "T",
                    true,
                    "// T has /* one */ field.\ntype T struct {\n\tA int // first\n}"
                ),
                ("T.A", false, "A int"),
                ("v", false, "var v = \"// none\""),
                ("T.M", true, "// M does.\nfunc (t *T) M() {}"),
            ]
        );
        let comments: Vec<&str> = parts.comments.iter().map(|&span| of(span).trim()).collect();
        let wanted = [
            "// Package p.",
            "// T has /* one */ field.",
            "// first",
            "// M does.",
        ];
        assert_eq!(comments, wanted);
    }
}
