//! Counts code units in long lines, starting from precomputed marks.
//!
//! ```text
//! text of 3000 bytes     0          1024         2048
//! marks (STRIDE 1024)    |          chars 1000   chars 1990, astral 2
//! offset 2100 in UTF-16  =  1990 + 2  +  units of the bytes 2048..2100
//! ```

use super::Encoding;

/// Distance in bytes between marks.
const STRIDE: usize = 1024;

/// The number of characters that begin before each mark.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    /// The marks; empty for a text that is ASCII only.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Mark {
    characters: u32,
    /// The number of them that are outside the Basic Multilingual Plane.
    astral: u32,
}

impl Mark {
    /// Returns the mark after these bytes.
    fn behind(self, bytes: &[u8]) -> Mark {
        let count = |is: fn(u8) -> bool| bytes.iter().filter(|&&byte| is(byte)).count() as u32;
        Mark {
            // A character begins at every byte but continuation bytes.
            characters: self.characters + count(|byte| byte & 0xC0 != 0x80),
            astral: self.astral + count(|byte| byte >= 0xF0),
        }
    }

    fn units(self, encoding: Encoding) -> usize {
        let astral = if encoding == Encoding::Utf16 {
            self.astral
        } else {
            0
        };
        self.characters as usize + astral as usize
    }
}

impl Wide {
    pub(super) fn of(text: &str) -> Wide {
        let mut marks = Vec::new();
        if !text.is_ascii() {
            let mut mark = Mark::default();
            for bytes in text.as_bytes().chunks(STRIDE) {
                marks.push(mark);
                mark = mark.behind(bytes);
            }
            marks.push(mark);
        }
        Wide { marks }
    }

    /// Returns the number of UTF-16 or UTF-32 code units before `offset`, the start of a character.
    pub(super) fn units(&self, text: &str, offset: usize, encoding: Encoding) -> usize {
        let Some(mark) = self.marks.get(offset / STRIDE) else {
            return offset;
        };
        let from = offset / STRIDE * STRIDE;
        mark.behind(&text.as_bytes()[from..offset]).units(encoding)
    }

    /// Returns the byte offset that is `units` code units after `start`, the start of a character.
    /// An offset inside a character is moved to its start; one behind the end, to the end.
    pub(super) fn offset(
        &self,
        text: &str,
        start: usize,
        units: usize,
        encoding: Encoding,
    ) -> usize {
        if self.marks.is_empty() {
            return start.saturating_add(units).min(text.len());
        }
        let wanted = self.units(text, start, encoding).saturating_add(units);
        let mark = self
            .marks
            .partition_point(|mark| mark.units(encoding) <= wanted)
            .saturating_sub(1);
        let mut at = (mark * STRIDE).min(text.len());
        // Skip the rest of a character that the mark has counted already.
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at + encoding.offset_of(&text[at..], wanted - self.marks[mark].units(encoding))
    }
}
