//! The starts of lines, updated through edits.

use std::sync::Arc;

use super::{BOM, Edit, Encoding, LineIndex, Position};

/// The byte offsets at which the lines of a text begin: 0, and after each `\n`, `\r\n` and `\r`.
/// The text itself is kept elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    starts: Vec<u32>,
}

impl Lines {
    /// Finds the lines of a text.
    pub(crate) fn of(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes)
            .map(|at| at + 1)
            .filter(|&at| begins_line(bytes, at));
        let starts = std::iter::once(0).chain(ends.map(|at| at as u32));
        Lines {
            starts: starts.collect(),
        }
    }

    /// Returns the range of a line's characters, without its line break. A line behind the last one
    /// is empty and at the end.
    pub(super) fn line(&self, text: &str, line: usize) -> (usize, usize) {
        let Some(&start) = self.starts.get(line) else {
            return (text.len(), text.len());
        };
        let start = start as usize;
        let Some(&next) = self.starts.get(line + 1) else {
            return (start, text.len());
        };
        let next = next as usize;
        let crlf = text.as_bytes()[start..next].ends_with(b"\r\n");
        (start, next - if crlf { 2 } else { 1 })
    }

    /// Returns the line that contains an offset.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts
            .partition_point(|&start| start as usize <= offset)
            .saturating_sub(1)
    }

    fn offset(&self, text: &str, at: Position, encoding: Encoding) -> usize {
        let (start, end) = self.line(text, at.line as usize);
        start + encoding.offset_of(&text[start..end], at.character as usize)
    }

    /// Updates the lines after `old` bytes at `at` were replaced by `new` ones, which gave `text`.
    fn replaced(&mut self, text: &str, at: usize, old: usize, new: usize) {
        // Whether a line begins at an offset depends on the bytes on both sides of it.
        let first = self
            .starts
            .partition_point(|&start| start == 0 || (start as usize) < at);
        let behind = self
            .starts
            .partition_point(|&start| start as usize <= at + old)
            .max(first);
        let bytes = text.as_bytes();
        let between: Vec<u32> = (at.max(1)..=at + new)
            .filter(|&at| begins_line(bytes, at))
            .map(|at| at as u32)
            .collect();
        let added = between.len();
        self.starts.splice(first..behind, between);
        for start in &mut self.starts[first + added..] {
            *start = (*start as usize - old + new) as u32;
        }
    }
}

/// Returns whether a line begins at an offset above 0.
fn begins_line(bytes: &[u8], at: usize) -> bool {
    match bytes[at - 1] {
        b'\n' => true,
        b'\r' => bytes.get(at) != Some(&b'\n'),
        _ => false,
    }
}

/// A text as the client edits it: with the byte-order mark, if there is one.
pub(crate) struct ClientText {
    text: String,
    lines: Lines,
}

impl ClientText {
    /// Creates the client's text of a document.
    pub(crate) fn new(document: &LineIndex) -> ClientText {
        if document.bom() {
            let text = format!("{BOM}{}", document.text());
            let lines = Lines::of(&text);
            return ClientText { text, lines };
        }
        ClientText {
            text: document.text().to_string(),
            lines: document.lines().clone(),
        }
    }

    /// Applies an edit. Returns whether the text stays under 4 GiB; otherwise nothing is changed.
    #[must_use]
    pub(crate) fn edit(&mut self, edit: &Edit, encoding: Encoding) -> bool {
        let (start, end) = match edit.range {
            None => (0, self.text.len()),
            Some(range) => {
                let start = self.lines.offset(&self.text, range.start, encoding);
                let end = self.lines.offset(&self.text, range.end, encoding);
                (start.min(end), start.max(end))
            }
        };
        if self.text.len() - (end - start) + edit.text.len() > u32::MAX as usize {
            return false;
        }
        if start == 0 && end == self.text.len() {
            self.text.clone_from(&edit.text);
            self.lines = Lines::of(&self.text);
        } else {
            self.text.replace_range(start..end, &edit.text);
            self.lines
                .replaced(&self.text, start, end - start, edit.text.len());
        }
        true
    }

    /// Returns the edited document. Its text is `known` if the two are equal.
    pub(crate) fn into_document(self, known: Option<Arc<str>>) -> LineIndex {
        let shared = |text: &str| {
            known
                .filter(|known| **known == *text)
                .unwrap_or_else(|| text.into())
        };
        match self.text.strip_prefix(BOM) {
            Some(text) => LineIndex::after_bom(shared(text)),
            None => LineIndex::with_lines(shared(&self.text), self.lines),
        }
    }
}
