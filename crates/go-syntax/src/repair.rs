//! Rewrites constructs that tree-sitter-go 0.25 does not support, by overwriting bytes of the
//! parser's copy of the text. The length stays, so offsets stay valid; names are read from the
//! original text.
//!
//! ```text
//! source          parser's copy   reason
//! new(x + 1)      nev(x + 1)      Go 1.26 allows an expression, the grammar wants a type; also for
//!                                 functions that shadow `new` or `make`
//! func (t T) M[P any]()           Go 1.27 generic methods: the receiver is blanked, which leaves a
//! func       M[P any]()           generic function, and is read by hand
//! const (A = 1)   const  A = 1    a group of one spec on one line fails without a terminator
//! if ; cond {     if   cond {     the grammar wants a statement before the semicolon
//! a; ; b          a;   b          no empty statements; also a line that begins with a semicolon
//! /               (blank)         the text ends in the first slash of a comment
//! ```

use super::scan::{GoLexeme, GoScanner, ScannedLexeme, is_line_start};
use super::split;
use codeweft_syntax::Span;

/// The parser's copy of a text, with repairs.
pub(super) struct Repaired {
    pub(super) bytes: Vec<u8>,
    /// Number of constructs that were overwritten.
    pub(super) replacements: u32,
    /// The receivers of generic methods, ordered by the offset of `func`.
    pub(super) receivers: Vec<BlankedReceiver>,
    /// Whether every bracket, raw string and comment is closed; if not, the repaired text cannot
    /// parse either.
    pub(super) is_balanced: bool,
}

/// A receiver blanked out of the parser's copy, because the grammar cannot read it beside type
/// parameters.
#[derive(Clone, Debug)]
pub(super) struct BlankedReceiver {
    /// Offset of the keyword `func`.
    pub(super) func: u32,
    pub(super) name: Option<Span>,
    pub(super) pointer: bool,
    pub(super) base: Span,
    pub(super) type_params: Vec<Span>,
}

impl Repaired {
    /// Overwrites bytes with blanks, but keeps line ends.
    fn blank(&mut self, bytes: std::ops::Range<usize>) {
        for byte in &mut self.bytes[bytes] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
}

/// Overwrites the constructs that the grammar cannot read.
pub(super) fn repair(text: &str) -> Repaired {
    let bytes = text.as_bytes();
    let mut scanner = GoScanner::new(bytes, 0);
    let found: Vec<ScannedLexeme> = scanner.by_ref().collect();
    let (behind, all_match) = behind_brackets(&found);
    let lexemes = Lexemes {
        bytes,
        found: &found,
        behind,
    };
    let mut repaired = Repaired {
        bytes: bytes.to_vec(),
        replacements: 0,
        receivers: Vec::new(),
        is_balanced: all_match && scanner.unclosed.is_none(),
    };
    if let [.., before, last] = &found[..]
        && last.lexeme == GoLexeme::Symbol(b'/')
        && last.end == bytes.len()
        && bytes[before.end..last.start].contains(&b'\n')
    {
        repaired.blank(last.start..last.end);
        repaired.replacements += 1;
    }
    let mut header = 0;
    for at in 0..found.len() {
        if split::begins_declaration(bytes, found[at].start, found[at].end) {
            // An unterminated `for` header must not swallow later declarations.
            header = at;
        }
        if at >= header && lexemes.word(at) == b"for" {
            header = lexemes.behind_for_header(at);
        }
        if at >= header && lexemes.is_empty_statement(at) {
            repaired.blank(found[at].start..found[at].end);
            repaired.replacements += 1;
        }
        match lexemes.word(at) {
            b"new" | b"make" if lexemes.is_called_with_value(at) => {
                // `nev` and `makf` are no keywords of the grammar.
                repaired.bytes[found[at].end - 1] ^= if lexemes.word(at) == b"new" { 1 } else { 3 };
                repaired.replacements += 1;
            }
            b"func" if is_line_start(bytes, found[at].start) => {
                if let Some((receiver, bytes)) = lexemes.generic_method(at) {
                    repaired.blank(bytes);
                    repaired.receivers.push(receiver);
                    repaired.replacements += 1;
                }
            }
            b"const" | b"var" if lexemes.symbol(at + 1) == b'(' => {
                if let Some(close) = lexemes.single_spec_end(at + 1) {
                    repaired.blank(found[at + 1].start..found[at + 1].end);
                    repaired.blank(found[close].start..found[close].end);
                    repaired.replacements += 1;
                }
            }
            b"if" | b"switch" if lexemes.symbol(at + 1) == b';' => {
                repaired.blank(found[at + 1].start..found[at + 1].end);
                repaired.replacements += 1;
            }
            _ => {}
        }
    }
    repaired
}

/// The lexemes of a text by number. Numbers beyond the end have no word and no symbol.
struct Lexemes<'t> {
    bytes: &'t [u8],
    found: &'t [ScannedLexeme],
    /// For each opening bracket the number after its closing one, else 0.
    behind: Vec<usize>,
}

/// Computes [`Lexemes::behind`], and whether all brackets match.
fn behind_brackets(found: &[ScannedLexeme]) -> (Vec<usize>, bool) {
    let mut behind = vec![0; found.len()];
    let mut open = Vec::new();
    let mut all_match = true;
    for (at, found) in found.iter().enumerate() {
        match found.lexeme {
            GoLexeme::Symbol(b'(' | b'[' | b'{') => open.push(at),
            GoLexeme::Symbol(b')' | b']' | b'}') => match open.pop() {
                Some(open) => behind[open] = at + 1,
                None => all_match = false,
            },
            _ => {}
        }
    }
    (behind, all_match && open.is_empty())
}

impl<'t> Lexemes<'t> {
    fn word(&self, at: usize) -> &'t [u8] {
        match self.found.get(at) {
            Some(found) if found.lexeme == GoLexeme::Word => &self.bytes[found.start..found.end],
            _ => b"",
        }
    }

    /// Returns whether lexeme `at` is a word other than a keyword that begins a type.
    fn is_name(&self, at: usize) -> bool {
        !matches!(
            self.word(at),
            b"" | b"func" | b"map" | b"chan" | b"struct" | b"interface" | b"range" | b"type"
        )
    }

    fn symbol(&self, at: usize) -> u8 {
        match self.found.get(at) {
            Some(ScannedLexeme {
                lexeme: GoLexeme::Symbol(byte),
                ..
            }) => *byte,
            _ => 0,
        }
    }

    fn span(&self, at: usize) -> Span {
        self.found.get(at).map_or(Span::default(), |found| Span {
            start: found.start as u32,
            end: found.end as u32,
        })
    }

    /// Returns whether the word at `at` is called and its first argument is not a type.
    fn is_called_with_value(&self, at: usize) -> bool {
        let declared = at > 0 && (self.word(at - 1) == b"func" || self.symbol(at - 1) == b'.');
        if declared || self.symbol(at + 1) != b'(' || self.symbol(at + 2) == b')' {
            return false;
        }
        let end = self.behind_type(at + 2, 0);
        !end.is_some_and(|end| matches!(self.symbol(end), b',' | b')'))
    }

    /// Returns the number of the brace that opens the body of the `for` at `at`. The semicolons
    /// before it belong to the header (Go spec, For clause).
    fn behind_for_header(&self, at: usize) -> usize {
        let mut at = at + 1;
        let mut has_braces = false;
        while at < self.found.len() {
            has_braces |= matches!(self.word(at), b"func" | b"struct" | b"interface");
            let behind = self.behind_balanced(at);
            at = match (self.symbol(at), behind) {
                (b'{', Some(behind)) if has_braces => {
                    has_braces = false;
                    behind
                }
                (b'{', _) => break,
                (b'(' | b'[', Some(behind)) => behind,
                _ => at + 1,
            };
        }
        at
    }

    /// Returns whether lexeme `at` is a semicolon that ends no statement: one after another
    /// semicolon, or at the beginning of a line.
    fn is_empty_statement(&self, at: usize) -> bool {
        if self.symbol(at) != b';' || at == 0 {
            return false;
        }
        let between = self.found[at - 1].end..self.found[at].start;
        self.symbol(at - 1) == b';' || self.bytes[between].contains(&b'\n')
    }

    /// Returns the number after the bracket that closes the one at `at`.
    fn behind_balanced(&self, at: usize) -> Option<usize> {
        self.behind.get(at).copied().filter(|&behind| behind > 0)
    }

    /// Returns the number of the parenthesis that closes the group opened at `open`, if the group
    /// is one spec on one line without a semicolon.
    fn single_spec_end(&self, open: usize) -> Option<usize> {
        let close = self.behind_balanced(open)?.checked_sub(1)?;
        let within = open + 1..close;
        let ends_itself = within.clone().any(|at| self.symbol(at) == b';');
        let span = self.found.get(open + 1)?.start..self.found.get(close)?.start;
        let is_one_line = !within.is_empty() && !self.bytes[span].contains(&b'\n');
        (is_one_line && !ends_itself).then_some(close)
    }

    /// Returns the number after the type that begins at `at`; `None` if there is no type.
    fn behind_type(&self, at: usize, depth: u32) -> Option<usize> {
        if depth > 100 {
            return None;
        }
        let behind = |at| self.behind_type(at, depth + 1);
        match (self.word(at), self.symbol(at)) {
            (b"map", _) if self.symbol(at + 1) == b'[' => {
                let key = behind(at + 2)?;
                if self.symbol(key) == b']' {
                    behind(key + 1)
                } else {
                    None
                }
            }
            (b"chan", _) if self.symbol(at + 1) == b'<' => behind(at + 3),
            (b"chan", _) => behind(at + 1),
            (b"struct" | b"interface", _) => {
                if self.symbol(at + 1) == b'{' {
                    self.behind_balanced(at + 1)
                } else {
                    None
                }
            }
            (b"func", _) => {
                let params = self
                    .behind_balanced(at + 1)
                    .filter(|_| self.symbol(at + 1) == b'(')?;
                match self.symbol(params) {
                    b',' | b')' => Some(params),
                    b'(' => self.behind_balanced(params),
                    _ => behind(params).or(Some(params)),
                }
            }
            (_, b'*') => behind(at + 1),
            (_, b'(') => {
                let inner = behind(at + 1)?;
                (self.symbol(inner) == b')').then_some(inner + 1)
            }
            (_, b'[') => behind(self.behind_balanced(at)?),
            (_, b'<') if self.symbol(at + 1) == b'-' && self.word(at + 2) == b"chan" => {
                behind(at + 3)
            }
            _ if self.is_name(at) => {
                let mut end = at + 1;
                if self.symbol(end) == b'.' && self.is_name(end + 1) {
                    end += 2;
                }
                if self.symbol(end) != b'[' {
                    return Some(end);
                }
                loop {
                    end = behind(end + 1)?;
                    match self.symbol(end) {
                        b',' if self.symbol(end + 1) == b']' => return Some(end + 2),
                        b',' => {}
                        b']' => return Some(end + 1),
                        _ => return None,
                    }
                }
            }
            _ => None,
        }
    }

    /// Reads `func (receiver) Name[`: returns the receiver, and the byte range of its parenthesised
    /// list.
    fn generic_method(&self, func: usize) -> Option<(BlankedReceiver, std::ops::Range<usize>)> {
        let open = func + 1;
        if self.symbol(open) != b'(' {
            return None;
        }
        let behind = self.behind_balanced(open)?;
        if !self.is_name(behind) || self.symbol(behind + 1) != b'[' {
            return None;
        }
        let mut at = open + 1;
        let is_named = self.is_name(at)
            && (self.is_name(at + 1) || matches!(self.symbol(at + 1), b'*' | b'('));
        let name = is_named.then(|| self.span(at));
        at += usize::from(is_named);
        let mut pointer = false;
        while let symbol @ (b'*' | b'(') = self.symbol(at) {
            pointer |= symbol == b'*';
            at += 1;
        }
        if !self.is_name(at) {
            return None;
        }
        let base = self.span(at);
        let mut type_params = Vec::new();
        if self.symbol(at + 1) == b'[' {
            let end = self.behind_balanced(at + 1)?;
            let names = (at + 2..end).filter(|&at| self.is_name(at));
            type_params.extend(names.map(|at| self.span(at)));
        }
        let receiver = BlankedReceiver {
            func: self.span(func).start,
            name,
            pointer,
            base,
            type_params,
        };
        Some((receiver, self.found[open].start..self.found[behind - 1].end))
    }
}
