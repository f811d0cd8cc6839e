//! The lines of a patch, with a position.

/// The lines of a patch that are still to be read. Each has its line break; the last one may lack it.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Lines<'a> {
    /// The lines of a text, without a byte-order mark.
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lines {
            lines: text.split_inclusive('\n').collect(),
            at: 0,
        }
    }

    /// The next line.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.ahead(0)
    }

    /// The line that comes after `count` others.
    pub(crate) fn ahead(&self, count: usize) -> Option<&'a str> {
        self.lines.get(self.at.saturating_add(count)).copied()
    }

    /// The number of the next line, from 1.
    pub(crate) fn number(&self) -> usize {
        self.at + 1
    }

    /// Goes on to the line after the next one.
    pub(crate) fn advance(&mut self) {
        self.at += 1;
    }
}

/// A line without its line break.
pub(crate) fn without_break(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}
