//! The name at a position of a text, and the symbols that it means.

use codeweft_db::{File, NameTarget, Span, SymbolId, file_ranges};
use codeweft_graph::editor;
use codeweft_vfs::Position;

use super::query::EditorQuery;

/// The name at a position.
pub(super) struct Cursor {
    pub(super) file: File,
    /// The name.
    pub(super) name: Span,
    /// The symbol or local that it names.
    pub(super) found: NameTarget,
}

impl Cursor {
    /// Returns the name at a position. At a token boundary the identifier wins.
    pub(super) fn at(query: &EditorQuery<'_>, path: &str, at: Position) -> Option<Cursor> {
        let file = query.file(path)?;
        let offset = query.offset(file, at)?;
        let text = file.text(query.snapshot.db());
        let ranges = file_ranges(query.snapshot.db(), file);
        let (before, after) = text.split_at_checked(offset as usize)?;
        let word = word_around(before, after);
        let inside = |span: &&Span| span.start <= offset && offset < span.end.max(span.start);
        let quoted = ranges.imports.iter().find(inside).filter(|span| {
            let path = text.get(span.start as usize..).unwrap_or("");
            path.starts_with(['"', '`'])
        });
        let (name, at) = match (quoted, word) {
            (Some(span), _) => (*span, offset),
            (None, Some(word)) => (word, offset.min(word.end - 1)),
            (None, None) if after.starts_with(char::is_whitespace) || after.is_empty() => {
                return None;
            }
            (None, None) => (editor::token(text, offset), offset),
        };
        // Only the name of a package clause is a name.
        let clause = ranges.package;
        if clause.start < clause.end && name.start == clause.start {
            return None;
        }
        let at = char_begin(text, at);
        let found = editor::name_at(&query.graph, file, at)?;
        Some(Cursor { file, name, found })
    }

    /// Returns the symbol, if it is one of the graph.
    pub(super) fn symbol(&self) -> Option<SymbolId> {
        match self.found {
            NameTarget::Symbol(symbol) => Some(symbol),
            NameTarget::Local { .. } => None,
        }
    }

    /// Returns the symbols that it names, its own first, then redefinitions; none on a local.
    pub(super) fn symbols(&self, query: &EditorQuery<'_>) -> Vec<SymbolId> {
        let Some(symbol) = self.symbol() else {
            return Vec::new();
        };
        let redefinitions = query.graph.redefinitions(symbol).into_iter();
        let others = redefinitions.filter(|&other| other != symbol);
        std::iter::once(symbol).chain(others).collect()
    }
}

/// Returns the identifier that touches the boundary between two parts of a text.
pub(super) fn word_around(before: &str, after: &str) -> Option<Span> {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let left = before.len() - before.trim_end_matches(in_word).len();
    let right = after.len() - after.trim_start_matches(in_word).len();
    let span = Span {
        start: (before.len() - left) as u32,
        end: (before.len() + right) as u32,
    };
    (left + right > 0).then_some(span)
}

/// Returns the offset of the character that a byte belongs to.
fn char_begin(text: &str, at: u32) -> u32 {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at as u32
}
