//! The scopes around a position of one text, read from its syntax tree on demand: part of no
//! intermediate form.

use tree_sitter::{Language, Node, Parser};

use crate::Span;

/// A scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScopeRange {
    /// The kind.
    pub form: ScopeForm,
    /// Its bytes.
    pub span: Span,
    /// The bytes of the declared name, of a function or class that has one.
    pub name: Option<Span>,
}

/// The kinds of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "the words of both languages' references")]
pub enum ScopeForm {
    File,
    Class,
    Function,
    Block,
    Comprehension,
}

/// Returns the scopes around a byte offset, the innermost first, the file last. `form_of` says which
/// nodes are scopes, given a node and its parent.
pub fn scopes_around(
    text: &str,
    offset: u32,
    language: &Language,
    form_of: impl Fn(Node<'_>, Option<Node<'_>>) -> Option<ScopeForm>,
) -> Vec<ScopeRange> {
    let whole = ScopeRange {
        form: ScopeForm::File,
        span: Span {
            start: 0,
            end: text.len() as u32,
        },
        name: None,
    };
    let mut scopes = vec![whole];
    let mut parser = Parser::new();
    let tree = match parser.set_language(language) {
        Ok(()) => parser.parse(text, None),
        Err(_) => None,
    };
    let Some(tree) = tree else {
        return scopes;
    };
    let mut cursor = tree.walk();
    let mut parent = None;
    // From the root down: a node knows its parent only by a walk from the root.
    loop {
        let node = cursor.node();
        if let Some(form) = form_of(node, parent) {
            let name = node.child_by_field_name("name");
            scopes.push(ScopeRange {
                form,
                span: span_of(node),
                name: name.map(span_of),
            });
        }
        parent = Some(node);
        let is_around = |node: Node<'_>| {
            node.start_byte() <= offset as usize && (offset as usize) < node.end_byte()
        };
        if !cursor.goto_first_child() {
            break;
        }
        while !is_around(cursor.node()) {
            if !cursor.goto_next_sibling() {
                scopes.reverse();
                return scopes;
            }
        }
    }
    scopes.reverse();
    scopes
}

fn span_of(node: Node<'_>) -> Span {
    Span {
        start: node.start_byte() as u32,
        end: node.end_byte() as u32,
    }
}
