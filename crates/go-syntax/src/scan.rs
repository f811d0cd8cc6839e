//! A scanner for the lexemes of a Go text, as coarse as repair and splitting need them (Go spec,
//! Lexical elements). Comments are skipped; a string is a single lexeme, so brackets and keywords
//! inside it do not count.

/// The kinds of lexemes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GoLexeme {
    /// An identifier or keyword.
    Word,
    /// A number, rune or string.
    Literal,
    /// One byte of an operator or delimiter.
    Symbol(u8),
}

/// A lexeme and its byte range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ScannedLexeme {
    pub(super) lexeme: GoLexeme,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Returns whether an offset begins a line.
pub(super) fn is_line_start(bytes: &[u8], at: usize) -> bool {
    at == 0 || bytes.get(at - 1) == Some(&b'\n')
}

/// An iterator over the lexemes of a text.
pub(super) struct GoScanner<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The offset of an unterminated raw string or block comment, and its missing terminator.
    pub(super) unclosed: Option<(usize, &'static str)>,
    /// Offsets from which no raw string and no block comment ends, once known.
    unterminated_from: [usize; 2],
}

impl<'t> GoScanner<'t> {
    /// Scans `bytes` from `at`, which must not be inside a string or comment.
    pub(super) fn new(bytes: &'t [u8], at: usize) -> GoScanner<'t> {
        GoScanner {
            bytes,
            at,
            unclosed: None,
            unterminated_from: [usize::MAX; 2],
        }
    }

    /// Continues at an offset after something unterminated.
    pub(super) fn resume(&mut self, at: usize) {
        self.at = at;
        self.unclosed = None;
    }

    /// Returns the offset after the next occurrence of the terminator `end` from `from` on.
    fn behind(&mut self, from: usize, end: &'static str) -> usize {
        let unterminated_from = &mut self.unterminated_from[end.len() - 1];
        let rest = self
            .bytes
            .get(from..*unterminated_from.min(&mut self.bytes.len()))
            .unwrap_or(&[]);
        match rest
            .windows(end.len())
            .position(|window| window == end.as_bytes())
        {
            Some(at) => from + at + end.len(),
            None => {
                *unterminated_from = from.min(*unterminated_from);
                self.unclosed = Some((self.at, end));
                self.bytes.len()
            }
        }
    }

    /// Returns the offset after the string or rune literal that starts at the current offset and
    /// ends on its line.
    fn behind_quote(&self, quote: u8) -> usize {
        let mut at = self.at + 1;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'\n' => return at,
                byte if byte == quote => return at + 1,
                _ => {}
            }
            at += 1;
        }
        self.bytes.len()
    }

    fn behind_while(&self, accept: impl Fn(u8) -> bool) -> usize {
        let rest = &self.bytes[self.at..];
        self.at
            + rest
                .iter()
                .position(|&byte| !accept(byte))
                .unwrap_or(rest.len())
    }
}

impl Iterator for GoScanner<'_> {
    type Item = ScannedLexeme;

    fn next(&mut self) -> Option<ScannedLexeme> {
        loop {
            let start = self.at;
            let byte = *self.bytes.get(start)?;
            let lexeme = match (byte, self.bytes.get(start + 1)) {
                (b' ' | b'\t' | b'\r' | b'\n', _) => {
                    self.at += 1;
                    continue;
                }
                (b'/', Some(b'/')) => {
                    self.at = self.behind_while(|byte| byte != b'\n');
                    continue;
                }
                (b'/', Some(b'*')) => {
                    self.at = self.behind(start + 2, "*/");
                    continue;
                }
                (b'`', _) => {
                    self.at = self.behind(start + 1, "`");
                    GoLexeme::Literal
                }
                (b'"' | b'\'', _) => {
                    self.at = self.behind_quote(byte);
                    GoLexeme::Literal
                }
                (b'0'..=b'9', _) => {
                    self.at = self.behind_while(|byte| is_word_byte(byte) || byte == b'.');
                    GoLexeme::Literal
                }
                _ if is_word_byte(byte) => {
                    self.at = self.behind_while(is_word_byte);
                    GoLexeme::Word
                }
                _ => {
                    self.at += 1;
                    GoLexeme::Symbol(byte)
                }
            };
            return Some(ScannedLexeme {
                lexeme,
                start,
                end: self.at,
            });
        }
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}
