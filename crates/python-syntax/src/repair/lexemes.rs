//! A scanner of words, brackets and strings that continues after any error (Python reference,
//! Lexical analysis).

use std::ops::Range;

/// The kinds of lexemes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PythonLexeme {
    /// A name, keyword or number.
    Word,
    /// A string, terminated or not.
    Text(Quotes),
    /// One byte of an operator or delimiter.
    Symbol(u8),
    /// The end of a physical line.
    LineEnd,
}

/// The quotes of a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Quotes {
    /// Offset of the opening quotes, after the prefix.
    pub(super) at: usize,
    pub(super) quote: u8,
    pub(super) triple: bool,
    /// Whether the string is terminated.
    pub(super) closed: bool,
}

/// A lexeme and its byte range.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocatedLexeme {
    pub(super) lexeme: PythonLexeme,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl LocatedLexeme {
    pub(super) fn bytes(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn is_symbol(&self, byte: u8) -> bool {
        self.lexeme == PythonLexeme::Symbol(byte)
    }
}

/// Maximum nesting of replacement fields in f-strings; deeper ones are read as text.
const MAX_FIELDS: u32 = 16;

pub(super) struct PythonScanner<'t> {
    bytes: &'t [u8],
    at: usize,
    /// Ends the string at the first offset at the second, without quotes.
    early_end: Option<(usize, usize)>,
    /// Number of bytes that may still be read inside replacement fields, which may be scanned
    /// twice.
    left: usize,
}

impl<'t> PythonScanner<'t> {
    pub(super) fn new(bytes: &'t [u8], early_end: Option<(usize, usize)>) -> PythonScanner<'t> {
        PythonScanner {
            bytes,
            at: 0,
            early_end,
            left: bytes.len() * 8,
        }
    }

    /// Scans the string whose quotes are at `at`: returns its end and its quotes.
    fn text(&mut self, at: usize, prefix: &[u8]) -> (usize, Quotes) {
        let quote = self.bytes[at];
        let triple = self.bytes[at..].starts_with(&[quote; 3]);
        let quotes = Quotes {
            at,
            quote,
            triple,
            closed: false,
        };
        if let Some((start, end)) = self.early_end
            && start == at
        {
            return (end, quotes);
        }
        let is_format = prefix
            .iter()
            .any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'));
        let with_fields = if is_format {
            self.text_end(quotes, 0)
        } else {
            None
        };
        let end = with_fields.or_else(|| self.plain_end(quotes));
        let closed = end.is_some();
        let end = end.unwrap_or_else(|| self.open_end(quotes));
        (end, Quotes { closed, ..quotes })
    }

    /// Returns the end of an unterminated string: that of the text, or of its line.
    fn open_end(&self, quotes: Quotes) -> usize {
        let mut at = quotes.at;
        while at < self.bytes.len() {
            match self.bytes[at] {
                b'\\' => at += 2,
                b'\n' if !quotes.triple => return at,
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    fn open_len(quotes: Quotes) -> usize {
        if quotes.triple { 3 } else { 1 }
    }

    fn closes(&self, quotes: Quotes, at: usize) -> bool {
        let quote = [quotes.quote; 3];
        self.bytes[at..].starts_with(&quote[..Self::open_len(quotes)])
    }

    fn plain_end(&self, quotes: Quotes) -> Option<usize> {
        let mut at = quotes.at + Self::open_len(quotes);
        loop {
            match *self.bytes.get(at)? {
                b'\\' => at += 2,
                b'\n' if !quotes.triple => return None,
                _ if self.closes(quotes, at) => return Some(at + Self::open_len(quotes)),
                _ => at += 1,
            }
        }
    }

    /// Returns the end of a formatted string, whose fields may contain the same quotes.
    fn text_end(&mut self, quotes: Quotes, depth: u32) -> Option<usize> {
        let mut at = quotes.at + Self::open_len(quotes);
        loop {
            match *self.bytes.get(at)? {
                b'\\' => at += 2,
                b'\n' if !quotes.triple => return None,
                b'{' if self.bytes.get(at + 1) == Some(&b'{') => at += 2,
                b'{' => at = self.field_end(at + 1, depth + 1)?,
                _ if self.closes(quotes, at) => return Some(at + Self::open_len(quotes)),
                _ => at += 1,
            }
        }
    }

    /// Returns the offset after the brace that closes a replacement field.
    fn field_end(&mut self, start: usize, depth: u32) -> Option<usize> {
        if depth > MAX_FIELDS {
            return None;
        }
        let mut at = start;
        let mut open = 0u32;
        let mut in_format = false;
        loop {
            self.left = self.left.checked_sub(1)?;
            match *self.bytes.get(at)? {
                b'{' if in_format => at = self.field_end(at + 1, depth + 1)?,
                b'}' if open == 0 => return Some(at + 1),
                b':' if open == 0 => {
                    in_format = true;
                    at += 1;
                }
                quote @ (b'"' | b'\'') if !in_format => {
                    let quotes = Quotes {
                        at,
                        quote,
                        triple: self.bytes[at..].starts_with(&[quote; 3]),
                        closed: false,
                    };
                    let is_format = matches!(self.bytes[at - 1], b'f' | b'F' | b't' | b'T');
                    let end = if is_format {
                        self.text_end(quotes, depth + 1)?
                    } else {
                        self.plain_end(quotes)?
                    };
                    self.left = self.left.checked_sub(end - at)?;
                    at = end;
                }
                b'(' | b'[' | b'{' if !in_format => {
                    open += 1;
                    at += 1;
                }
                b')' | b']' | b'}' if !in_format => {
                    open = open.checked_sub(1)?;
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

impl Iterator for PythonScanner<'_> {
    type Item = LocatedLexeme;

    fn next(&mut self) -> Option<LocatedLexeme> {
        let bytes = self.bytes;
        loop {
            let start = self.at;
            let byte = *bytes.get(start)?;
            let (lexeme, end) = match byte {
                b'\n' => (PythonLexeme::LineEnd, start + 1),
                b'\\' => {
                    let rest = &bytes[start + 1..];
                    self.at += match rest {
                        [b'\r', b'\n', ..] => 3,
                        [b'\n', ..] => 2,
                        _ => 1,
                    };
                    continue;
                }
                b'#' => {
                    let len = bytes[start..].iter().position(|&byte| byte == b'\n');
                    self.at = len.map_or(bytes.len(), |len| start + len);
                    continue;
                }
                b'"' | b'\'' => {
                    let (end, quotes) = self.text(start, b"");
                    (PythonLexeme::Text(quotes), end)
                }
                _ if is_word(byte) => {
                    let is_number = byte.is_ascii_digit();
                    let len = bytes[start..]
                        .iter()
                        .position(|&byte| !(is_word(byte) || is_number && byte == b'.'));
                    let end = len.map_or(bytes.len(), |len| start + len);
                    let is_prefix = end - start <= 2
                        && matches!(bytes.get(end), Some(b'"' | b'\''))
                        && bytes[start..end].iter().all(|byte| {
                            matches!(byte.to_ascii_lowercase(), b'b' | b'f' | b'r' | b't' | b'u')
                        });
                    if is_prefix {
                        let (end, quotes) = self.text(end, &bytes[start..end]);
                        (PythonLexeme::Text(quotes), end)
                    } else {
                        (PythonLexeme::Word, end)
                    }
                }
                _ if byte.is_ascii_whitespace() || byte.is_ascii_control() => {
                    self.at += 1;
                    continue;
                }
                _ => (PythonLexeme::Symbol(byte), start + 1),
            };
            let end = end.min(bytes.len());
            self.at = end;
            return Some(LocatedLexeme { lexeme, start, end });
        }
    }
}
