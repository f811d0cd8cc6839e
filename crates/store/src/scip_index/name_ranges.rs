//! Ranges of names in a text: 0-based lines and 0-based bytes in them.

/// A text with the offsets of its lines.
pub(super) struct TextLines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// Which token is at a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'n> {
    /// The name of a symbol, unless the text has another for it.
    Name(&'n str),
    /// A package, which the text may write as a dotted name or as a string.
    Package,
}

impl<'t> TextLines<'t> {
    pub(super) fn new(text: &'t str) -> TextLines<'t> {
        let behind = text.match_indices('\n').map(|(at, _)| at + 1);
        TextLines {
            text,
            starts: std::iter::once(0).chain(behind).collect(),
        }
    }

    /// Returns the range of the token at a 1-based position: line, start, end.
    ///
    /// ```text
    /// "net/http"    a package: between the quotes
    /// import a.b    a package: a.b
    /// http.Get      a name: http
    /// a + b         a name that is not written, as that of an operator's method: one byte
    /// ```
    pub(super) fn range(&self, line: u32, column: u32, token: Token<'_>) -> [i32; 3] {
        let (line, start) = (line.saturating_sub(1), column.saturating_sub(1));
        let rest = self.rest(line as usize, start as usize);
        let in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '`'));
        let (skipped, length) = match (token, quote) {
            (Token::Package, Some(quote)) => {
                let inside = rest.get(1..).unwrap_or_default();
                (1, inside.find(quote).unwrap_or(inside.len()))
            }
            (Token::Package, None) => {
                let end = rest.find(|c| !in_word(c) && c != '.');
                (0, end.unwrap_or(rest.len()))
            }
            (Token::Name(name), _) => {
                let is_whole = rest
                    .strip_prefix(name)
                    .is_some_and(|behind| !behind.starts_with(in_word));
                let word = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
                (0, if is_whole { name.len() } else { word })
            }
        };
        let start = start as usize + skipped;
        let end = start + length.max(1);
        [line as i32, start as i32, end as i32]
    }

    /// Returns the range of two byte offsets: start line and byte, end line and byte.
    pub(super) fn span(&self, start: u32, end: u32) -> [i32; 4] {
        let ((line, column), (last, end)) = (self.line_and_byte(start), self.line_and_byte(end));
        [line, column, last, end]
    }

    fn line_and_byte(&self, offset: u32) -> (i32, i32) {
        let offset = offset as usize;
        let line = self.starts.partition_point(|&start| start <= offset);
        let line = line.saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        (line as i32, (offset - start) as i32)
    }

    /// Returns what is behind a position in its line.
    fn rest(&self, line: usize, column: usize) -> &'t str {
        let start = self.starts.get(line).map(|start| start + column);
        let rest = start.and_then(|start| self.text.get(start..));
        rest.and_then(|rest| rest.lines().next())
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{TextLines, Token};

    #[test]
    fn a_range_is_the_name_that_the_text_has() {
        let lines = TextLines::new("import m.n\n\tx.Get(é)\n\"net/http\"\na + b\n");
        assert_eq!(lines.range(1, 8, Token::Package), [0, 7, 10]);
        assert_eq!(lines.range(2, 4, Token::Name("Get")), [1, 3, 6]);
        // An import may rename.
        assert_eq!(lines.range(2, 4, Token::Name("GetAll")), [1, 3, 6]);
        assert_eq!(lines.range(2, 8, Token::Name("é")), [1, 7, 9]);
        assert_eq!(lines.range(3, 1, Token::Package), [2, 1, 9]);
        assert_eq!(lines.range(4, 3, Token::Name("__add__")), [3, 2, 3]);
        assert_eq!(lines.range(9, 1, Token::Name("x")), [8, 0, 1]);
    }

    #[test]
    fn a_span_ends_in_the_line_of_its_last_byte() {
        let lines = TextLines::new("ab\ncd\n");
        assert_eq!(lines.span(1, 5), [0, 1, 1, 2]);
        assert_eq!(lines.span(3, 6), [1, 0, 2, 0]);
    }
}
