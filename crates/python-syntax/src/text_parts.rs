//! What a Python text declares and comments (Python reference, Lexical analysis; PEP 257).

use codeweft_syntax::text_parts::{TextDeclaration, TextParts, start_with_comments};
use codeweft_syntax::{Items, Names, Ranges, Span};
use ruff_python_ast::token::TokenKind;
use ruff_python_parser::{Mode, ParseOptions};
use ruff_text_size::Ranged as _;

use crate::healthy::nesting;
use crate::parts::AsPython as _;
use crate::{BindingKind, ItemKind, NONE};

/// Returns the classes, functions and methods of a module, its variables and those of classes, the attributes that methods
/// store, and the comments and docstrings. What functions declare inside is not included.
pub(crate) fn text_parts(text: &str, items: &Items, ranges: &Ranges, names: &Names) -> TextParts {
    let Some(items) = items.python() else {
        return TextParts::default();
    };
    let mut declarations = Vec::new();
    // The qualified name of each item that is in no function; of the module the empty one.
    let mut qualified: Vec<Option<String>> = Vec::with_capacity(items.items.len());
    let within = |scope: &str, name: &str| match scope {
        "" => name.to_owned(),
        scope => format!("{scope}.{name}"),
    };
    let token = |tok: u32, name: &str| {
        let start = ranges.item_tokens.get(tok as usize).copied().unwrap_or(0);
        Span {
            start,
            end: start + name.len() as u32,
        }
    };
    for (number, item) in items.items.iter().enumerate() {
        if item.kind == ItemKind::Module {
            qualified.push(Some(String::new()));
            continue;
        }
        let parent = items.items.get(item.parent as usize);
        let scope = qualified.get(item.parent as usize).cloned().flatten();
        let is_nested =
            parent.is_none_or(|parent| !matches!(parent.kind, ItemKind::Module | ItemKind::Class));
        let scope = scope.filter(|_| !is_nested && item.kind != ItemKind::Lambda);
        let name = names.text(item.name);
        qualified.push(scope.as_ref().map(|scope| within(scope, name)));
        let (Some(scope), Some(&span)) = (scope, ranges.items.get(number)) else {
            continue;
        };
        declarations.push(TextDeclaration {
            qualified_name: within(&scope, name),
            name: name.to_string(),
            span: Span {
                start: start_with_comments(text, span.start, &["#", "@"]),
                ..span
            },
            is_definition: true,
        });
    }
    let mut add_variable = |scope: &str, name: &str, tok: u32| {
        declarations.push(TextDeclaration {
            qualified_name: within(scope, name),
            name: name.to_owned(),
            span: token(tok, name),
            is_definition: false,
        });
    };
    for (item, scope) in items.items.iter().zip(&qualified) {
        let Some(scope) = scope.as_ref().filter(|_| item.kind != ItemKind::Function) else {
            continue;
        };
        for binding in items.bindings.get(item.bindings.iter()).unwrap_or(&[]) {
            if matches!(
                binding.kind,
                BindingKind::Value { .. } | BindingKind::TypeAlias(_)
            ) && binding.tok != NONE
            {
                add_variable(scope, names.text(binding.name), binding.tok);
            }
        }
    }
    for store in &items.stores {
        if let Some(Some(scope)) = qualified.get(store.class as usize) {
            add_variable(scope, names.text(store.name), store.tok);
        }
    }
    declarations.sort_by_key(|one| one.span.start);
    let mut known = std::collections::HashSet::new();
    // Each name of a scope once: a variable may be bound in many statements.
    declarations.retain(|one| one.is_definition || known.insert(one.qualified_name.clone()));
    TextParts {
        declarations,
        comments: comments(text),
    }
}

/// Returns the comments, and the strings that are statements of their own.
fn comments(text: &str) -> Vec<Span> {
    if !nesting::is_shallow(text) {
        return Vec::new();
    }
    let parsed = stacker::maybe_grow(1 << 20, 4 << 20, || {
        ruff_python_parser::parse_unchecked(text, ParseOptions::from(Mode::Module))
    });
    let mut comments: Vec<Span> = Vec::new();
    let mut begins = true;
    // The string that a statement begins with, as long as nothing is behind it.
    let mut string: Option<Span> = None;
    for token in parsed.tokens().iter() {
        let span = Span {
            start: token.start().into(),
            end: token.end().into(),
        };
        match token.kind() {
            TokenKind::Comment => comments.push(span),
            TokenKind::NonLogicalNewline | TokenKind::Indent | TokenKind::Dedent => {}
            TokenKind::Newline | TokenKind::Semi => {
                comments.extend(string.take());
                begins = true;
            }
            TokenKind::String if begins => {
                string = Some(span);
                begins = false;
            }
            _ => {
                string = None;
                begins = false;
            }
        }
    }
    comments.sort_by_key(|span| span.start);
    comments
}

#[cfg(test)]
mod tests {
    use codeweft_syntax::Names;

    use crate::PYTHON;

    #[test]
    fn declarations_have_their_classes_and_docstrings_are_comments() {
        let text = "\"\"\"Doc.\"\"\"\nX = \"no\"  # yes\nX = 2\n\n# Above.\n@dec\nclass C:\n    a: int = 1\n\n    def m(self):\n        'Does.'\n        self.b = 1\n        def inner():\n            pass\n\ndef f(x):\n    return x\n";
        let names = Names::default();
        let ir = codeweft_syntax::lower(text, PYTHON, &names, &|| false).unwrap();
        let parts = super::text_parts(text, &ir.items, &ir.ranges, &names);
        let of = |span: codeweft_syntax::Span| &text[span.start as usize..span.end as usize];
        let declarations: Vec<(&str, bool)> = parts
            .declarations
            .iter()
            .map(|one| (&*one.qualified_name, one.is_definition))
            .collect();
        assert_eq!(
            declarations,
            [
                ("X", false),
                ("C", true),
                ("C.a", false),
                ("C.m", true),
                ("C.b", false),
                ("f", true),
            ]
        );
        let starts: Vec<&str> = parts
            .declarations
            .iter()
            .filter(|one| one.is_definition)
            .map(|one| of(one.span).lines().next().unwrap_or("").trim())
            .collect();
        assert_eq!(starts, ["# Above.", "def m(self):", "def f(x):"]);
        let comments: Vec<&str> = parts.comments.iter().map(|&span| of(span)).collect();
        assert_eq!(
            comments,
            ["\"\"\"Doc.\"\"\"", "# yes", "# Above.", "'Does.'"]
        );
    }
}
