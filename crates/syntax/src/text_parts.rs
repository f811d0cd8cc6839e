//! What a text declares and comments, by byte ranges: what a search for words goes by.

use crate::Span;

/// The declarations and comments of a text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextParts {
    /// In text order.
    pub declarations: Vec<TextDeclaration>,
    /// The comments and docstrings, in text order, without overlap.
    pub comments: Vec<Span>,
}

/// A name that a text declares outside of function bodies, attributes of objects included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextDeclaration {
    /// The name.
    pub name: String,
    /// The name behind those of the types around it: `Client.send`.
    pub qualified_name: String,
    /// The declaration, with decorators and the comment lines right above it where it is a definition.
    pub span: Span,
    /// Whether it is a function, a method or a type, and not a variable, constant or field.
    pub is_definition: bool,
}

/// Returns the start of the lines right above that of an offset that begin with one of some marks, else of its own line.
pub fn start_with_comments(text: &str, offset: u32, marks: &[&str]) -> u32 {
    let line_start = |at: usize| {
        let before = text.get(..at).unwrap_or("");
        before.rfind('\n').map_or(0, |end| end + 1)
    };
    let mut start = line_start(offset as usize);
    while start > 0 {
        let above = line_start(start - 1);
        let line = text.get(above..start).unwrap_or("").trim_start();
        if !marks.iter().any(|mark| line.starts_with(mark)) {
            break;
        }
        start = above;
    }
    start as u32
}
