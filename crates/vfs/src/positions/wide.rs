//! Code units of long lines, counted from marks.

use super::Encoding;

/// A mark stands at every so many bytes.
const STRIDE: usize = 1024;

/// How many characters begin before each mark.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    /// Empty for a text of ASCII alone.
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Mark {
    characters: u32,
    /// Those of them outside the Basic Multilingual Plane.
    astral: u32,
}

impl Mark {
    /// The mark behind these bytes.
    fn behind(self, bytes: &[u8]) -> Mark {
        let count = |is: fn(u8) -> bool| bytes.iter().filter(|&&byte| is(byte)).count() as u32;
        Mark {
            // Every byte but those that go on with a character begins one.
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

    /// How many code units of UTF-16 or UTF-32 stand before the begin of a character.
    pub(super) fn units(&self, text: &str, offset: usize, encoding: Encoding) -> usize {
        let Some(mark) = self.marks.get(offset / STRIDE) else {
            return offset;
        };
        let from = offset / STRIDE * STRIDE;
        mark.behind(&text.as_bytes()[from..offset]).units(encoding)
    }

    /// The byte offset of so many code units behind `start`, the begin of a character; never inside
    /// a character (its begin then) nor behind the end.
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
        // The rest of a character that the mark has counted already.
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at + encoding.offset_of(&text[at..], wanted - self.marks[mark].units(encoding))
    }
}
