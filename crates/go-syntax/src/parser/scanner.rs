//! Turns a text into tokens, with semicolons inserted at line ends (Go spec, Lexical elements). Gives
//! up at whatever is no valid token.

/// The kinds of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Token {
    Ident,
    Int,
    Float,
    Imaginary,
    Rune,
    String,
    RawString,
    /// A semicolon in the text.
    Semicolon,
    /// A line end or the end of the text where a semicolon is inserted.
    LineEnd,
    /// The end of the text.
    End,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    Comma,
    Dot,
    Colon,
    Ellipsis,
    Assign,
    /// `+=` and its like.
    AssignOp,
    Define,
    Inc,
    Dec,
    Star,
    Plus,
    Minus,
    Slash,
    Percent,
    Amp,
    Pipe,
    Caret,
    AmpCaret,
    ShiftLeft,
    ShiftRight,
    Bang,
    Arrow,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    AndAnd,
    OrOr,
    Tilde,
    Break,
    Case,
    Chan,
    Const,
    Continue,
    Default,
    Defer,
    Else,
    Fallthrough,
    For,
    Func,
    Go,
    Goto,
    If,
    Import,
    Interface,
    Map,
    Package,
    Range,
    Return,
    Select,
    Struct,
    Switch,
    Type,
    Var,
}

/// A token and its byte range.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScannedToken {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) kind: Token,
}

/// `stop` is polled once in this many tokens.
const POLL_EVERY: usize = 1 << 14;

/// The tokens of a text.
pub(super) struct Tokens {
    /// Ends in [`Token::End`].
    pub(super) tokens: Vec<ScannedToken>,
    /// The byte ranges of the comments.
    pub(super) comments: Vec<(u32, u32)>,
}

/// Classes of bytes, to recognise most of them by one look-up.
const WORD: u8 = 1;
const DIGIT: u8 = 2;

static CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let at = byte as u8;
        if at.is_ascii_alphabetic() || at == b'_' {
            classes[byte] = WORD;
        } else if at.is_ascii_digit() {
            classes[byte] = WORD | DIGIT;
        }
        byte += 1;
    }
    classes
};

/// Returns the tokens of a text; `None` if anything in it is no token, also if `stop` returned `true`.
pub(super) fn scan(text: &str, stop: &dyn Fn() -> bool) -> Option<Tokens> {
    let bytes = text.as_bytes();
    let mut scanner = Scanner { text, bytes, at: 0 };
    let mut tokens = Vec::with_capacity(bytes.len() / 4 + 16);
    let mut comments = Vec::new();
    // Whether a line end after the last token ends a statement.
    let mut ends = false;
    while let Some(&byte) = bytes.get(scanner.at) {
        let start = scanner.at;
        let kind = match byte {
            b' ' | b'\t' | b'\r' => {
                scanner.at += 1;
                continue;
            }
            b'\n' => {
                scanner.at += 1;
                if !std::mem::take(&mut ends) {
                    continue;
                }
                Token::LineEnd
            }
            b'/' if matches!(bytes.get(start + 1), Some(b'/' | b'*')) => {
                let spans_lines = scanner.comment()?;
                comments.push((start as u32, scanner.at as u32));
                // The grammar takes no line end from a comment.
                if spans_lines && ends {
                    return None;
                }
                continue;
            }
            _ => scanner.token(byte)?,
        };
        ends = ends_statement(kind);
        if tokens.len() % POLL_EVERY == POLL_EVERY - 1 && stop() {
            return None;
        }
        tokens.push(ScannedToken {
            start: start as u32,
            end: scanner.at as u32,
            kind,
        });
    }
    let end = bytes.len() as u32;
    let last = |kind| ScannedToken {
        start: end,
        end,
        kind,
    };
    if ends {
        tokens.push(last(Token::LineEnd));
    }
    tokens.push(last(Token::End));
    Some(Tokens { tokens, comments })
}

/// Returns whether a semicolon is inserted where the line ends behind a token.
fn ends_statement(kind: Token) -> bool {
    matches!(
        kind,
        Token::Ident
            | Token::Int
            | Token::Float
            | Token::Imaginary
            | Token::Rune
            | Token::String
            | Token::RawString
            | Token::Break
            | Token::Continue
            | Token::Fallthrough
            | Token::Return
            | Token::Inc
            | Token::Dec
            | Token::Close
            | Token::CloseBracket
            | Token::CloseBrace
    )
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    /// Skips a comment; returns whether it is one of several lines. `None` if it does not end.
    fn comment(&mut self) -> Option<bool> {
        let rest = self.bytes.get(self.at + 2..)?;
        if self.bytes[self.at + 1] == b'/' {
            let len = rest.iter().position(|&byte| byte == b'\n');
            self.at += 2 + len.unwrap_or(rest.len());
            let comment = &rest[..len.unwrap_or(rest.len())];
            return (!comment.contains(&0)).then_some(false);
        }
        let len = rest.windows(2).position(|window| window == b"*/")?;
        self.at += len + 4;
        let comment = &rest[..len];
        (!comment.contains(&0)).then_some(comment.contains(&b'\n'))
    }

    fn token(&mut self, byte: u8) -> Option<Token> {
        let class = CLASSES[usize::from(byte)];
        if class == WORD {
            return self.word();
        }
        if class & DIGIT != 0 || (byte == b'.' && self.digit_follows()) {
            return self.number();
        }
        match byte {
            b'"' => self.string(),
            b'`' => {
                let rest = &self.bytes[self.at + 1..];
                let len = rest.iter().position(|&byte| byte == b'`')?;
                self.at += len + 2;
                (!rest[..len].contains(&0)).then_some(Token::RawString)
            }
            b'\'' => self.rune(),
            0x80.. => self.word(),
            _ => self.symbol(byte),
        }
    }

    fn digit_follows(&self) -> bool {
        self.bytes.get(self.at + 1).is_some_and(u8::is_ascii_digit)
    }

    fn word(&mut self) -> Option<Token> {
        let start = self.at;
        loop {
            while CLASSES[usize::from(self.peek())] & WORD != 0 {
                self.at += 1;
            }
            if self.peek() < 0x80 {
                break;
            }
            let char = self.text.get(self.at..)?.chars().next()?;
            if !is_sure_letter(char) {
                return None;
            }
            self.at += char.len_utf8();
        }
        Some(keyword(&self.bytes[start..self.at]))
    }

    fn string(&mut self) -> Option<Token> {
        self.at += 1;
        loop {
            match self.peek() {
                b'"' => {
                    self.at += 1;
                    return Some(Token::String);
                }
                b'\\' => self.escape(b'"')?,
                b'\n' | 0 => return None,
                _ => self.at += 1,
            }
        }
    }

    fn rune(&mut self) -> Option<Token> {
        self.at += 1;
        match self.peek() {
            b'\\' => self.escape(b'\'')?,
            b'\'' | b'\n' | 0 => return None,
            _ => self.at += self.text.get(self.at..)?.chars().next()?.len_utf8(),
        }
        let closed = self.peek() == b'\'';
        self.at += 1;
        closed.then_some(Token::Rune)
    }

    /// Skips an escape sequence of a literal in these quotes.
    fn escape(&mut self, quote: u8) -> Option<()> {
        let rest = self.bytes.get(self.at + 1..)?;
        let (from, digits, radix) = match rest.first()? {
            b'x' => (1, 2, 16),
            b'u' => (1, 4, 16),
            b'U' => (1, 8, 16),
            b'0'..=b'7' => (0, 3, 8),
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' => (1, 0, 8),
            &byte if byte == quote => (1, 0, 8),
            _ => return None,
        };
        let digits = rest.get(from..from + digits)?;
        let valid = digits.iter().all(|&byte| char::from(byte).is_digit(radix));
        self.at += 1 + from + digits.len();
        valid.then_some(())
    }

    fn number(&mut self) -> Option<Token> {
        let start = self.at;
        let mut radix = 10;
        if self.peek() == b'0' {
            radix = match self.bytes.get(start + 1) {
                Some(b'x' | b'X') => 16,
                Some(b'b' | b'B') => 2,
                Some(b'o' | b'O') => 8,
                _ => 10,
            };
        }
        let (mut kind, mut digits) = (Token::Int, 0);
        if radix == 10 {
            digits += self.digits(10, false)?;
        } else {
            self.at += 2;
            digits += self.digits(radix, true)?;
        }
        if self.peek() == b'.' && matches!(radix, 10 | 16) {
            self.at += 1;
            kind = Token::Float;
            if self.peek() == b'_' {
                return None;
            }
            digits += self.digits(radix, false)?;
        }
        let exponent = match radix {
            10 => matches!(self.peek(), b'e' | b'E'),
            16 => matches!(self.peek(), b'p' | b'P'),
            _ => false,
        };
        if exponent {
            self.at += 1;
            kind = Token::Float;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            if self.peek() == b'_' || self.digits(10, false)? == 0 {
                return None;
            }
        } else if radix == 16 && kind == Token::Float {
            return None;
        }
        let is_octal = kind == Token::Int && radix == 10 && self.bytes[start] == b'0';
        let text = &self.bytes[start..self.at];
        if self.peek() == b'i' {
            self.at += 1;
            kind = Token::Imaginary;
        } else if is_octal && text.iter().any(|byte| matches!(byte, b'8' | b'9')) {
            return None;
        }
        let ends = CLASSES[usize::from(self.peek())] == 0 && self.peek() < 0x80;
        (digits > 0 && ends).then_some(kind)
    }

    /// Skips digits with single underscores between them, and before them after a `prefix`; returns
    /// how many there are.
    fn digits(&mut self, radix: u32, prefix: bool) -> Option<usize> {
        let (mut count, mut may_separate) = (0, prefix);
        loop {
            let byte = self.peek();
            if byte == b'_' {
                if !std::mem::take(&mut may_separate) {
                    return None;
                }
            } else if char::from(byte).is_digit(radix) {
                count += 1;
                may_separate = true;
            } else {
                let ended = self.at > 0 && self.bytes[self.at - 1] == b'_';
                return (!ended).then_some(count);
            }
            self.at += 1;
        }
    }

    fn symbol(&mut self, byte: u8) -> Option<Token> {
        let second = self.bytes.get(self.at + 1).copied().unwrap_or(0);
        let third = self.bytes.get(self.at + 2).copied().unwrap_or(0);
        let (kind, len) = match (byte, second) {
            (b'(', _) => (Token::Open, 1),
            (b')', _) => (Token::Close, 1),
            (b'[', _) => (Token::OpenBracket, 1),
            (b']', _) => (Token::CloseBracket, 1),
            (b'{', _) => (Token::OpenBrace, 1),
            (b'}', _) => (Token::CloseBrace, 1),
            (b',', _) => (Token::Comma, 1),
            (b';', _) => (Token::Semicolon, 1),
            (b'~', _) => (Token::Tilde, 1),
            (b'.', b'.') if third == b'.' => (Token::Ellipsis, 3),
            (b'.', _) => (Token::Dot, 1),
            (b':', b'=') => (Token::Define, 2),
            (b':', _) => (Token::Colon, 1),
            (b'=', b'=') => (Token::Equal, 2),
            (b'=', _) => (Token::Assign, 1),
            (b'!', b'=') => (Token::NotEqual, 2),
            (b'!', _) => (Token::Bang, 1),
            (b'+', b'+') => (Token::Inc, 2),
            (b'-', b'-') => (Token::Dec, 2),
            (b'+' | b'-' | b'*' | b'/' | b'%' | b'|' | b'^', b'=') => (Token::AssignOp, 2),
            (b'&', b'=') => (Token::AssignOp, 2),
            (b'&', b'^') if third == b'=' => (Token::AssignOp, 3),
            (b'<', b'<') | (b'>', b'>') if third == b'=' => (Token::AssignOp, 3),
            (b'+', _) => (Token::Plus, 1),
            (b'-', _) => (Token::Minus, 1),
            (b'*', _) => (Token::Star, 1),
            (b'/', _) => (Token::Slash, 1),
            (b'%', _) => (Token::Percent, 1),
            (b'|', b'|') => (Token::OrOr, 2),
            (b'|', _) => (Token::Pipe, 1),
            (b'^', _) => (Token::Caret, 1),
            (b'&', b'&') => (Token::AndAnd, 2),
            (b'&', b'^') => (Token::AmpCaret, 2),
            (b'&', _) => (Token::Amp, 1),
            (b'<', b'<') => (Token::ShiftLeft, 2),
            (b'<', b'-') => (Token::Arrow, 2),
            (b'<', b'=') => (Token::LessEqual, 2),
            (b'<', _) => (Token::Less, 1),
            (b'>', b'>') => (Token::ShiftRight, 2),
            (b'>', b'=') => (Token::GreaterEqual, 2),
            (b'>', _) => (Token::Greater, 1),
            _ => return None,
        };
        self.at += len;
        Some(kind)
    }
}

/// Returns whether a character is a letter of identifiers for the language and for the grammar, by
/// ranges where the two surely agree.
fn is_sure_letter(char: char) -> bool {
    let is_common = matches!(
        u32::from(char),
        0xC0..0x250 | 0x370..0x530 | 0x4E00..0x9FF0
    );
    is_common && char.is_alphabetic()
}

fn keyword(word: &[u8]) -> Token {
    match word {
        b"break" => Token::Break,
        b"case" => Token::Case,
        b"chan" => Token::Chan,
        b"const" => Token::Const,
        b"continue" => Token::Continue,
        b"default" => Token::Default,
        b"defer" => Token::Defer,
        b"else" => Token::Else,
        b"fallthrough" => Token::Fallthrough,
        b"for" => Token::For,
        b"func" => Token::Func,
        b"go" => Token::Go,
        b"goto" => Token::Goto,
        b"if" => Token::If,
        b"import" => Token::Import,
        b"interface" => Token::Interface,
        b"map" => Token::Map,
        b"package" => Token::Package,
        b"range" => Token::Range,
        b"return" => Token::Return,
        b"select" => Token::Select,
        b"struct" => Token::Struct,
        b"switch" => Token::Switch,
        b"type" => Token::Type,
        b"var" => Token::Var,
        _ => Token::Ident,
    }
}
