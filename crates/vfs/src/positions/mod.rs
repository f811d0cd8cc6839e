//! Lines, and the positions of clients in them.

mod lines;
mod wide;

use std::sync::{Arc, OnceLock};

pub(crate) use lines::ClientText;
use lines::Lines;
use wide::Wide;

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

impl Encoding {
    /// How many code units a character takes.
    fn units_of(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// How many code units a text takes.
    fn units(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => text.chars().map(|c| self.units_of(c)).sum(),
        }
    }

    /// The byte offset in `text` behind so many code units: not inside a character (its begin
    /// then), and not behind the end.
    fn offset_of(self, text: &str, units: usize) -> usize {
        let most = units.min(text.len());
        if self == Encoding::Utf8 || text.as_bytes()[..most].is_ascii() {
            return char_begin(text, most);
        }
        let mut left = units;
        for (at, character) in text.char_indices() {
            let Some(rest) = left.checked_sub(self.units_of(character)) else {
                return at;
            };
            left = rest;
        }
        text.len()
    }
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
    /// What is replaced; `None`: everything. An end before the start changes places with it.
    pub range: Option<Range>,
    /// By what.
    pub text: String,
}

/// From this many bytes on a line's code units are counted from marks, not from its begin.
const LONG_LINE: usize = 4 * 1024;

/// Where the lines of a text begin, and which characters in them are wide. `\n`, `\r\n` and `\r`
/// end a line (LSP, "Text Documents"). Counts at the first question, for texts under 4 GiB.
///
/// The text never begins with the byte-order mark of its file. A client that sent one counts it in
/// the first line, for positions are in the text that the client has: its index is made by
/// [`LineIndex::after_bom`]. For everybody else there is none.
#[derive(Clone, Debug)]
pub struct LineIndex {
    text: Arc<str>,
    bom: bool,
    lines: OnceLock<Lines>,
    wide: OnceLock<Wide>,
}

impl LineIndex {
    /// Of a text.
    pub fn new(text: Arc<str>) -> LineIndex {
        LineIndex {
            text,
            bom: false,
            lines: OnceLock::new(),
            wide: OnceLock::new(),
        }
    }

    /// Of a text for a client that has a byte-order mark before it, which counts in the first line
    /// of its positions: 3 code units in UTF-8, 1 in the others. Offsets are in `text`, behind it.
    pub fn after_bom(text: Arc<str>) -> LineIndex {
        LineIndex {
            bom: true,
            ..LineIndex::new(text)
        }
    }

    /// With lines that are known already.
    fn with_lines(text: Arc<str>, lines: Lines) -> LineIndex {
        LineIndex {
            lines: lines.into(),
            ..LineIndex::new(text)
        }
    }

    /// The text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Whether the client has a byte-order mark before the text.
    pub fn bom(&self) -> bool {
        self.bom
    }

    /// The byte offset of a position; one behind the end of its line counts as the end of the line
    /// (before its line break), a line behind the last as the end of the text; never inside a
    /// character.
    pub fn offset(&self, at: Position, encoding: Encoding) -> u32 {
        let (start, end) = self.lines().line(&self.text, at.line as usize);
        let units = (at.character as usize).saturating_sub(self.bom_units(at.line, encoding));
        let offset = if encoding != Encoding::Utf8 && end - start > LONG_LINE {
            let wide = self.wide();
            wide.offset(&self.text, start, units, encoding).min(end)
        } else {
            start + encoding.offset_of(&self.text[start..end], units)
        };
        offset as u32
    }

    /// The position of a byte offset; one inside a character counts as its begin, one between `\r`
    /// and `\n` as the end of their line, one behind the end as the end.
    pub fn position(&self, offset: u32, encoding: Encoding) -> Position {
        let offset = char_begin(&self.text, (offset as usize).min(self.text.len()));
        let line = self.lines().line_of(offset);
        let (start, end) = self.lines().line(&self.text, line);
        let offset = offset.min(end);
        let units = if encoding != Encoding::Utf8 && offset - start > LONG_LINE {
            let wide = self.wide();
            wide.units(&self.text, offset, encoding) - wide.units(&self.text, start, encoding)
        } else {
            encoding.units(&self.text[start..offset])
        };
        let line = line as u32;
        Position {
            line,
            character: (units + self.bom_units(line, encoding)) as u32,
        }
    }

    /// The range of the bytes from `start` to before `end`.
    pub fn range(&self, start: u32, end: u32, encoding: Encoding) -> Range {
        Range {
            start: self.position(start, encoding),
            end: self.position(end, encoding),
        }
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| Lines::of(&self.text))
    }

    fn wide(&self) -> &Wide {
        self.wide.get_or_init(|| Wide::of(&self.text))
    }

    /// What stands before the text in a line, in the client's units.
    fn bom_units(&self, line: u32, encoding: Encoding) -> usize {
        if self.bom && line == 0 {
            encoding.units_of(BOM)
        } else {
            0
        }
    }
}

/// The byte-order mark.
pub(crate) const BOM: char = '\u{feff}';

/// The begin of the character in which an offset, at most the length, lies.
fn char_begin(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests;
