//! Reading of lines with a maximum length.

use std::io;

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// A line that was read.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Line {
    /// A complete line, without its line end.
    Whole(Vec<u8>),
    /// A line that the end of the stream cut short.
    Cut(Vec<u8>),
    /// A line above the maximum length; its bytes are dropped.
    TooLong,
}

/// A reader of lines.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    max: usize,
    line: Vec<u8>,
    long: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Returns a reader of lines of at most `most` bytes, line ends included.
    pub(crate) fn new(input: R, max: usize) -> Lines<R> {
        Lines {
            input: BufReader::new(input),
            max,
            line: Vec::new(),
            long: false,
        }
    }

    /// Reads the next line that is not blank; `None` at the end of the stream. Cancel safe: no
    /// bytes are lost if the future is dropped.
    ///
    /// # Errors
    /// The stream broke.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let read = self.input.fill_buf().await?;
            let ended = read.is_empty();
            let end = read.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(read.len(), |end| end + 1);
            if self.line.len() + taken > self.max {
                self.long = true;
                self.line = Vec::new();
            } else if !self.long {
                self.line
                    .extend_from_slice(read.get(..taken).unwrap_or(read));
            }
            self.input.consume(taken);
            if end.is_none() && !ended {
                continue;
            }
            let line = std::mem::take(&mut self.line);
            if std::mem::take(&mut self.long) {
                return Ok(Some(Line::TooLong));
            }
            let blank = line.trim_ascii().is_empty();
            if ended {
                return Ok((!blank).then_some(Line::Cut(line)));
            }
            if !blank {
                let ends = if line.ends_with(b"\r\n") { 2 } else { 1 };
                let mut line = line;
                line.truncate(line.len().saturating_sub(ends));
                return Ok(Some(Line::Whole(line)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn all(text: &[u8], max: usize) -> Vec<Line> {
        let mut lines = Lines::new(text, max);
        let mut all = Vec::new();
        while let Some(line) = lines.next().await.expect("bytes do not break") {
            all.push(line);
        }
        all
    }

    #[tokio::test]
    async fn blank_lines_are_skipped_and_an_unterminated_line_is_reported() {
        let lines = all(b"one\n\r\n  \ntwo\r\nthree", 100).await;
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(
            lines,
            [whole("one"), whole("two"), Line::Cut("three".into())]
        );
        assert_eq!(all(b"one\n", 100).await, [whole("one")]);
        assert!(all(b"", 100).await.is_empty());
    }

    #[tokio::test]
    async fn a_line_above_the_maximum_is_reported_once_and_the_next_is_read() {
        let long = [vec![b'x'; 40_000], b"\nnext\n".to_vec()].concat();
        let lines = all(&long, 10).await;
        assert_eq!(lines, [Line::TooLong, Line::Whole("next".into())]);
        // Nine bytes and a line end are ten.
        let lines = all(b"123456789\n1234567890\n", 10).await;
        assert_eq!(lines, [Line::Whole("123456789".into()), Line::TooLong]);
    }
}
