//! Texts of files, and the code of nodes and sites.

use codeweft_graph::shaping::lines_of;

use super::failure::Found;
use super::rows::{FileId, Rows};
use super::statements;
use crate::sqlite::uncompressed;

/// The text of a file.
pub(super) struct Text {
    text: String,
    /// The byte at which each line begins.
    starts: Vec<u32>,
}

impl Text {
    /// Reads the text of a file; `None` if the database does not have it, or it cannot be read.
    pub(super) fn read(rows: &Rows<'_>, file: FileId) -> Found<Option<Text>> {
        let read = |row: &rusqlite::Row<'_>| {
            let packed: Option<Vec<u8>> = row.get(0)?;
            Ok((packed, row.get::<_, Option<u32>>(1)?))
        };
        let Some((Some(packed), Some(size))) = rows.first(statements::TEXT, [file], read)? else {
            return Ok(None);
        };
        let text = uncompressed(&packed, size as usize).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        if text.is_none() {
            rows.count_broken();
        }
        Ok(text.map(Text::of))
    }

    fn of(text: String) -> Text {
        let mut starts = vec![0];
        let breaks = text.bytes().zip(1_u32..).filter(|(byte, _)| *byte == b'\n');
        starts.extend(breaks.map(|(_, behind)| behind));
        Text { text, starts }
    }

    /// Returns the number of lines; what follows the last line break is one.
    pub(super) fn line_count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the text from a 1-based line on.
    pub(super) fn since_line(&self, line: u32) -> Option<&str> {
        let start = *self.starts.get((line as usize).checked_sub(1)?)?;
        self.text.get(start as usize..)
    }

    /// Returns a 1-based line without its end.
    pub(super) fn line(&self, line: u32) -> Option<&str> {
        self.since_line(line)?.split('\n').next()
    }

    /// Returns the 1-based line of a byte.
    fn line_of(&self, byte: u32) -> u32 {
        self.starts.partition_point(|&start| start <= byte) as u32
    }

    /// Returns the lines of a declaration with `around` lines on both sides, after a first line such as
    /// `// Lines 11-27`. The declaration has these bytes, the end exclusive; if both are 0, these lines.
    pub(super) fn context(
        &self,
        comment: &str,
        (start, end): (u32, u32),
        lines: (u32, u32),
        around: u32,
    ) -> Option<String> {
        let (first, last) = match (start, end) {
            (0, 0) => lines,
            _ if end as usize > self.text.len() => return None,
            _ => {
                let last = end.saturating_sub(1).max(start);
                (self.line_of(start), self.line_of(last))
            }
        };
        let from = first.saturating_sub(around).max(1);
        let to = last.saturating_add(around);
        lines_of(self.since_line(from)?, comment, (from, to.max(from)))
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    fn context(text: &str, bytes: (u32, u32), lines: (u32, u32), around: u32) -> String {
        let found = Text::of(text.to_owned()).context("//", bytes, lines, around);
        found.unwrap_or_else(|| "none".to_owned())
    }

    #[test]
    fn code_is_cut_by_bytes_in_texts_of_letters_of_several_bytes_and_with_crlf() {
        let text = "ä\r\nfunc ü() {\r\n}\r\nend";
        let (start, end) = (4, 4 + "func ü() {\r\n}".len() as u32);
        assert_eq!(
            context(text, (start, end), (9, 9), 0),
            "// Lines 2-3\nfunc ü() {\n}"
        );
        assert_eq!(
            context(text, (start, end), (9, 9), 5),
            "// Lines 1-4\nä\nfunc ü() {\n}\nend"
        );
    }

    #[test]
    fn code_without_bytes_is_cut_by_lines() {
        assert_eq!(context("a\nb\nc\n", (0, 0), (2, 2), 0), "// Lines 2-2\nb");
        assert_eq!(
            context("a\nb\nc\n", (0, 0), (3, 3), 1),
            "// Lines 2-3\nb\nc"
        );
        assert_eq!(context("a\n", (0, 0), (9, 9), 0), "none");
    }

    #[test]
    fn the_first_and_the_last_line_are_cut_and_bytes_behind_the_end_are_none() {
        assert_eq!(context("ab\ncd", (0, 2), (7, 7), 0), "// Lines 1-1\nab");
        assert_eq!(context("ab\ncd", (3, 5), (7, 7), 0), "// Lines 2-2\ncd");
        assert_eq!(context("ab\ncd", (3, 6), (7, 7), 0), "none");
    }

    #[test]
    fn a_line_of_100_kb_is_a_line() {
        let text = format!("a\n{}\nb", "ö".repeat(50_000));
        let found = context(&text, (2, 100_002), (0, 0), 0);
        assert_eq!(found.len(), "// Lines 2-2\n".len() + 100_000);
    }
}
