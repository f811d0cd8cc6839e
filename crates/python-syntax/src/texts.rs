//! The values of strings, read from the text on demand: those that no node has.

/// The length in bytes from which a string is not read.
pub const MAX_TEXT: usize = 1024;

/// A part of a string's value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TextPart {
    /// Constant text.
    Literal(String),
    /// The printed value of the next part of the f-string's node.
    Value,
    /// The next part of the node is read by a format specifier and prints nothing of its own.
    Width,
}

/// Returns the parts of the string that begins, prefix included, at a byte offset of a text without byte-order mark
/// (Python reference, String and Bytes literals, f-strings). `None` if there is none, or if it has more than
/// [`MAX_TEXT`] bytes.
///
/// ```
/// use codeweft_python_syntax::texts::{TextPart::*, parts_at};
///
/// let parts = parts_at(r#"f"/{a!r:>{w}}\t{{x}}""#, 0).unwrap();
/// assert_eq!(parts, [Literal("/".into()), Value, Width, Literal("\t{x}".into())]);
/// assert_eq!(parts_at(r"r'\d'", 0).unwrap(), [Literal(r"\d".into())]);
/// ```
pub fn parts_at(text: &str, offset: u32) -> Option<Vec<TextPart>> {
    let rest = text.get(offset as usize..)?;
    let prefix_end = rest.find(['"', '\''])?;
    let prefix = rest.get(..prefix_end)?;
    if prefix.len() > 2 || !prefix.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let has = |letter: char| prefix.contains([letter, letter.to_ascii_uppercase()]);
    let quoted = rest.get(prefix_end..)?;
    let quote = quoted.chars().next()?;
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let close = if quoted.starts_with(&triple) {
        triple
    } else {
        quote.to_string()
    };
    let mut reader = Reader {
        rest: quoted.get(close.len()..)?,
        close: &close,
        is_raw: has('r'),
        is_format: has('f'),
        parts: Vec::new(),
        literal: String::new(),
    };
    reader.read()
}

/// A reader of one string behind its opening quotes.
struct Reader<'t> {
    rest: &'t str,
    close: &'t str,
    is_raw: bool,
    is_format: bool,
    parts: Vec<TextPart>,
    literal: String,
}

impl Reader<'_> {
    fn read(&mut self) -> Option<Vec<TextPart>> {
        let whole = self.rest.len();
        while !self.rest.starts_with(self.close) {
            if whole - self.rest.len() > MAX_TEXT {
                return None;
            }
            let doubled =
                self.is_format && (self.rest.starts_with("{{") || self.rest.starts_with("}}"));
            match self.next()? {
                brace if doubled => {
                    self.next();
                    self.literal.push(brace);
                }
                '{' if self.is_format => self.field()?,
                '\\' if self.is_raw => {
                    self.literal.push('\\');
                    // A quote behind a backslash does not end a raw string either.
                    let escaped = self.next()?;
                    self.literal.push(escaped);
                }
                '\\' => self.escape()?,
                other => self.literal.push(other),
            }
        }
        self.end_literal();
        Some(std::mem::take(&mut self.parts))
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let next = chars.next();
        self.rest = chars.as_str();
        next
    }

    fn end_literal(&mut self) {
        if !self.literal.is_empty() {
            let literal = std::mem::take(&mut self.literal);
            self.parts.push(TextPart::Literal(literal));
        }
    }

    /// Reads a replacement field behind its opening brace.
    fn field(&mut self) -> Option<()> {
        self.end_literal();
        self.parts.push(TextPart::Value);
        let mut depth = 0u32;
        let mut quote: Option<char> = None;
        loop {
            let next = self.next()?;
            match (quote, next) {
                (Some(open), next) if open == next => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(next),
                (None, '(' | '[' | '{') => depth += 1,
                (None, '}') if depth == 0 => return Some(()),
                (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
                (None, ':') if depth == 0 => return self.specifier(),
                _ => {}
            }
        }
    }

    /// Reads a format specifier behind its colon: the fields in it are one level deep (Python reference, f-strings).
    fn specifier(&mut self) -> Option<()> {
        let mut depth = 0u32;
        loop {
            match self.next()? {
                '{' => {
                    if depth == 0 {
                        self.parts.push(TextPart::Width);
                    }
                    depth += 1;
                }
                '}' if depth == 0 => return Some(()),
                '}' => depth -= 1,
                _ => {}
            }
        }
    }

    /// Reads an escape sequence behind its backslash (Python reference, Escape sequences).
    fn escape(&mut self) -> Option<()> {
        let kind = self.next()?;
        let code = match kind {
            '\n' => return Some(()),
            '\\' | '\'' | '"' => kind as u32,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            'x' => self.digits(16, 2)?,
            'u' => self.digits(16, 4)?,
            'U' => self.digits(16, 8)?,
            'N' => {
                // The name of a character; what it is does not matter to addresses.
                while self.next()? != '}' {}
                u32::from(char::REPLACEMENT_CHARACTER)
            }
            '0'..='7' => {
                let mut code = kind.to_digit(8)?;
                for _ in 0..2 {
                    let Some(digit) = self.rest.chars().next().and_then(|next| next.to_digit(8))
                    else {
                        break;
                    };
                    self.next();
                    code = code * 8 + digit;
                }
                code
            }
            other => {
                self.literal.push('\\');
                other as u32
            }
        };
        self.literal
            .push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        Some(())
    }

    fn digits(&mut self, radix: u32, count: usize) -> Option<u32> {
        let digits = self.rest.get(..count)?;
        self.rest = self.rest.get(count..)?;
        u32::from_str_radix(digits, radix).ok()
    }
}
