//! Lines, and the positions of clients in them.

use std::sync::Arc;

/// In which code units a client counts inside a line (LSP, `PositionEncodingKind`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Two for a character outside the Basic Multilingual Plane, else one.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

/// Both 0-based; `character` counts code units of an encoding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[expect(missing_docs, reason = "LSP, Position")]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// From `start` to before `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[expect(missing_docs, reason = "LSP, Range")]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

/// One change of a document (LSP, `TextDocumentContentChangeEvent`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced; `None`: everything.
    pub range: Option<Range>,
    /// By what.
    pub text: String,
}

/// Where the lines of a text begin, and which characters in them are wide. `\n`, `\r\n` and `\r`
/// end a line (LSP, "Text Documents").
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineIndex {
    text: Arc<str>,
}

impl LineIndex {
    /// Of a text.
    pub fn new(text: Arc<str>) -> LineIndex {
        LineIndex { text }
    }

    /// The byte offset of a position; one behind the end of its line counts as the end of the line
    /// (before its line break), a line behind the last as the end of the text; never inside a
    /// character.
    pub fn offset(&self, _at: Position, _encoding: Encoding) -> u32 {
        todo!()
    }

    /// The position of a byte offset; one inside a character counts as its begin, one behind the
    /// end as the end.
    pub fn position(&self, _offset: u32, _encoding: Encoding) -> Position {
        todo!()
    }

    /// The range of the bytes from `start` to before `end`.
    pub fn range(&self, start: u32, end: u32, encoding: Encoding) -> Range {
        Range {
            start: self.position(start, encoding),
            end: self.position(end, encoding),
        }
    }
}
