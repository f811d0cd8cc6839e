//! Lines, and the positions of clients in them.

mod lines;
mod wide;

use std::sync::{Arc, OnceLock};

use lines::{ClientText, Lines};
use wide::Wide;

/// The code units in which a client counts inside a line (LSP, `PositionEncodingKind`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16: two units for a character outside the Basic Multilingual Plane, one for any other.
    #[default]
    Utf16,
    /// UTF-32: characters.
    Utf32,
}

impl Encoding {
    /// Returns the number of code units of a character.
    fn units_of(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// Returns the number of code units of a text.
    fn units(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => text.chars().map(|c| self.units_of(c)).sum(),
        }
    }

    /// Returns the byte offset in `text` after `units` code units. An offset inside a character is
    /// moved to its start; one behind the end, to the end.
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

/// A position in a text. Both numbers are 0-based; `character` counts code units of an encoding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[expect(missing_docs, reason = "LSP, Position")]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

/// The range from `start` up to, but excluding, `end`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[expect(missing_docs, reason = "LSP, Range")]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

/// A change of a document (LSP, `TextDocumentContentChangeEvent`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The replaced range; `None`: the whole text. If the end is before the start, the two are
    /// swapped.
    pub range: Option<Range>,
    /// The new text.
    pub text: String,
}

/// Length in bytes from which the code units of a line are counted from marks instead of from its
/// start.
const LONG_LINE: usize = 4 * 1024;

/// An index of the lines of a text and of the characters in them that take several bytes. Lines end
/// in `\n`, `\r\n` or `\r` (LSP, "Text Documents"). Built at the first query; for texts under 4
/// GiB.
///
/// ```
/// use codeweft_vfs::{Encoding, LineIndex, Position};
///
/// let lines = LineIndex::new("x\n𝄞z".into());
/// let z = lines.position(6, Encoding::Utf16); // `𝄞` has 4 bytes and 2 UTF-16 code units
/// assert_eq!(z, Position { line: 1, character: 2 });
/// assert_eq!(lines.offset(z, Encoding::Utf16), 6);
/// ```
///
/// The text never includes the byte-order mark of its file. A client that sent one counts it in the
/// first line, because its positions refer to its own text; the index for such a client is made by
/// [`LineIndex::after_bom`].
#[derive(Clone, Debug)]
pub struct LineIndex {
    text: Arc<str>,
    bom: bool,
    lines: OnceLock<Lines>,
    wide: OnceLock<Wide>,
}

impl LineIndex {
    /// Creates the index of a text.
    pub fn new(text: Arc<str>) -> LineIndex {
        LineIndex {
            text,
            bom: false,
            lines: OnceLock::new(),
            wide: OnceLock::new(),
        }
    }

    /// Creates the index for a client whose text has a byte-order mark before `text`. The mark
    /// counts in the first line of its positions: 3 code units in UTF-8, 1 in the others. Offsets
    /// refer to `text`, without the mark.
    pub fn after_bom(text: Arc<str>) -> LineIndex {
        LineIndex {
            bom: true,
            ..LineIndex::new(text)
        }
    }

    /// Creates an index with known lines.
    fn with_lines(text: Arc<str>, lines: Lines) -> LineIndex {
        LineIndex {
            lines: lines.into(),
            ..LineIndex::new(text)
        }
    }

    /// Returns the document after edits of its client, each of the result of the one before; `None`
    /// if it would be over 4 GiB. Its text is `known` if the two are equal.
    pub fn edited(
        &self,
        edits: &[Edit],
        encoding: Encoding,
        known: Option<Arc<str>>,
    ) -> Option<LineIndex> {
        let mut typed = ClientText::new(self);
        let applied = edits.iter().all(|edit| typed.edit(edit, encoding));
        applied.then(|| typed.into_document(known))
    }

    /// Returns the text as its client has it, with the byte-order mark if there is one.
    pub fn client_text(&self) -> String {
        if self.bom {
            format!("{BOM}{}", self.text)
        } else {
            self.text.to_string()
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns whether the client's text begins with a byte-order mark.
    pub fn bom(&self) -> bool {
        self.bom
    }

    /// Returns the byte offset of a position. A position behind the end of its line is moved to the
    /// end of the line (before its line break), a line behind the last to the end of the text, and
    /// one inside a character to its start.
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

    /// Returns the position of a byte offset. An offset inside a character is moved to its start,
    /// one between `\r` and `\n` to the end of the line, one behind the end to the end.
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

    /// Returns the range of the bytes `start..end`.
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

    /// Returns the number of the client's code units that precede the text in a line.
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

/// Returns the start of the character that contains an offset, which is at most the length.
fn char_begin(text: &str, mut offset: usize) -> usize {
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests;
