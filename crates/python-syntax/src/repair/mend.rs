//! Finds missing brackets, quotes and colons, line by line.
//!
//! - An open bracket is closed at the end of the previous line if a line begins with a word that
//!   only begins statements (`def`, `class`, `return`, …), or if a line indented no deeper than the
//!   statement that opened it begins with `from` or `@`, is the head of a compound statement
//!   with its colon, or begins with another word: at the margin only if an operand is before it.
//! - So is an open parenthesis in a head that ends in a colon: `def f(a:`.
//! - A closing bracket that matches no open bracket is removed if none is open; otherwise it is
//!   replaced by the closer of the innermost one.
//! - A closing parenthesis of a `def` or `class` without an opening one gets one after the name.
//! - A string in single quotes is closed at the end of its line, as are the brackets around it.
//! - A dot or an operator without a right operand, at the end of a line or before a closing bracket, is removed, as is a
//!   subscript without an index.
//! - An unterminated triple-quoted string ends at the opening quotes of the next one, and every
//!   string after that is inverted. For each string with a line inside that looks like a
//!   declaration and is indented no deeper than the string's statement, ending it before that line
//!   is tried; the one that leaves the fewest errors wins.
//! - A compound statement without a colon gets one.
//!
//! ```text
//! class C:
//!     def f(self, a          ->  def f(self, a):
//!         return "x          ->  return "x"
//!     doc = """text          ->  closed before `def g`
//!     def g(self):
//!         """Doc."""
//! ```

use std::ops::Range;

use super::ByteEdit;
use super::lexemes::{LocatedLexeme, PythonLexeme, PythonScanner, Quotes};

/// A closing bracket is matched across at most this many unclosed ones of other kinds.
const MAX_MISMATCH: usize = 1000;
/// Maximum number of strings for which an earlier end is tried.
const MAX_CUTS: usize = 16;

/// A logical line of the text.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// From its first lexeme to the end of its last.
    pub(super) bytes: Range<usize>,
    /// Its first word, or empty; the second word of `async def`.
    pub(super) keyword: Range<usize>,
    /// Whether it ends in a colon, so that a block follows.
    pub(super) opens_block: bool,
}

/// The edits and errors found in a text.
#[derive(Default)]
pub(super) struct Mended {
    pub(super) edits: Vec<ByteEdit>,
    /// Offsets of the errors, in any order.
    pub(super) errors: Vec<u32>,
    pub(super) lines: Vec<Line>,
}

/// Finds the edits that mend a text.
pub(super) fn mend(bytes: &[u8]) -> Mended {
    let mut first = MendPass::new(bytes, None);
    first.run();
    let cuts = std::mem::take(&mut first.suspect_strings);
    let mut best = first;
    for early_end in cuts {
        if best.mended.errors.is_empty() {
            break;
        }
        let mut pass = MendPass::new(bytes, Some(early_end));
        pass.run();
        if pass.faults() < best.faults() {
            best = pass;
        }
    }
    best.mended
}

/// Returns the column of an offset, computed from the blanks before it on its line; `None` if other
/// bytes precede it.
fn indentation(bytes: &[u8], at: usize) -> Option<usize> {
    let before = bytes[..at].iter().rev();
    let mut column = 0;
    for byte in before {
        match byte {
            b' ' => column += 1,
            b'\t' => column += 8,
            b'\n' | b'\r' | b'\x0c' => return Some(column),
            _ => return None,
        }
    }
    Some(column)
}

/// Returns whether a word begins statements and never occurs inside an expression.
fn only_begins_statements(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 17] = [
        b"def",
        b"class",
        b"import",
        b"return",
        b"pass",
        b"raise",
        b"while",
        b"with",
        b"try",
        b"break",
        b"continue",
        b"del",
        b"global",
        b"nonlocal",
        b"elif",
        b"except",
        b"finally",
    ];
    WORDS.contains(&word)
}

/// Returns whether a word goes on with an expression.
fn continues_expression(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [
        b"and", b"or", b"not", b"in", b"is", b"if", b"else", b"for", b"async",
    ];
    WORDS.contains(&word)
}

fn begins_block(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 11] = [
        b"def", b"class", b"if", b"elif", b"else", b"for", b"while", b"with", b"try", b"except",
        b"finally",
    ];
    WORDS.contains(&word)
}

/// Returns whether a line of a string looks like a declaration.
fn is_declaration(line: &[u8]) -> bool {
    let words =
        |line: &[u8]| -> Vec<LocatedLexeme> { PythonScanner::new(line, None).take(3).collect() };
    let found = words(line);
    let word = |at: usize| match found.get(at) {
        Some(one) if one.lexeme == PythonLexeme::Word => &line[one.bytes()],
        _ => b"",
    };
    let symbol = |at: usize, byte| found.get(at).is_some_and(|one| one.is_symbol(byte));
    match word(0) {
        b"def" => !word(1).is_empty() && (symbol(2, b'(') || symbol(2, b'[')),
        b"class" => !word(1).is_empty() && [b'(', b':', b'['].iter().any(|&byte| symbol(2, byte)),
        b"async" => word(1) == b"def",
        _ => false,
    }
}

/// Returns whether a dot after this byte can be an attribute access. Digits are excluded, since the
/// dot may belong to a number.
fn is_word_end(byte: u8) -> bool {
    byte.is_ascii_alphabetic()
        || matches!(byte, b'_' | b')' | b']' | b'}' | b'"' | b'\'')
        || byte >= 0x80
}

struct MendPass<'t> {
    bytes: &'t [u8],
    early_end: Option<(usize, usize)>,
    mended: Mended,
    /// For each open bracket the byte that closes it, and its offset.
    open: Vec<(u8, usize)>,
    /// The end of the last lexeme, and whether that was a colon.
    last_end: usize,
    last_is_colon: bool,
    /// The current line's first lexeme, its keyword and its column.
    line: Option<(usize, Range<usize>, usize)>,
    /// The end of the name in the current line's declaration, until a bracket opens.
    name_end: Option<usize>,
    /// Number of colons outside brackets that do not belong to a `lambda`.
    colons: i32,
    ends_in_colon: bool,
    /// Triple-quoted strings with a declaration inside: their offset, and the offset to end them
    /// at.
    suspect_strings: Vec<(usize, usize)>,
    /// Whether a triple-quoted string is unterminated.
    is_unclosed: bool,
}

impl<'t> MendPass<'t> {
    fn new(bytes: &'t [u8], early_end: Option<(usize, usize)>) -> MendPass<'t> {
        MendPass {
            bytes,
            early_end,
            mended: Mended::default(),
            open: Vec::new(),
            last_end: 0,
            last_is_colon: false,
            line: None,
            name_end: None,
            colons: 0,
            ends_in_colon: false,
            suspect_strings: Vec::new(),
            is_unclosed: false,
        }
    }

    fn faults(&self) -> (bool, usize) {
        (self.is_unclosed, self.mended.errors.len())
    }

    fn insert(&mut self, at: usize, with: &[u8]) {
        self.mended.edits.push(ByteEdit {
            bytes: at..at,
            with: with.to_vec(),
        });
    }

    fn error(&mut self, at: usize) {
        self.mended.errors.push(at as u32);
    }

    fn run(&mut self) {
        let scanner = PythonScanner::new(self.bytes, self.early_end);
        let mut begins_line = true;
        for one in scanner {
            if one.lexeme == PythonLexeme::LineEnd {
                if self.open.is_empty() {
                    self.end_line();
                }
                begins_line = true;
                continue;
            }
            let word = match one.lexeme {
                PythonLexeme::Word => &self.bytes[one.bytes()],
                _ => b"",
            };
            if begins_line && let Some(&(_, opened)) = self.open.last() {
                let in_block = self.begins_behind_head();
                if in_block || self.begins_statement(&one, word) {
                    self.error(opened);
                    self.remove_operator();
                    let colon = usize::from(in_block);
                    self.close(0, self.last_end - colon);
                    self.colons += colon as i32;
                    self.ends_in_colon = in_block;
                    self.end_line();
                }
            }
            begins_line = false;
            self.lexeme(&one, word);
        }
        if !self.open.is_empty() {
            let &(_, opened) = self.open.last().unwrap_or(&(0, 0));
            self.error(opened);
            self.remove_operator();
            self.close(0, self.last_end);
        }
        self.end_line();
        // The quotes that close a string must precede the bracket that closes around it.
        self.mended.edits.sort_by_key(|edit| edit.bytes.start);
    }

    /// Returns whether a line begins here that cannot be inside brackets.
    fn begins_statement(&self, one: &LocatedLexeme, word: &[u8]) -> bool {
        let rest = &self.bytes[one.end..];
        if only_begins_statements(word) || word == b"async" && rest.starts_with(b" def ") {
            // A keyword argument or attribute in broken text.
            return !matches!(rest.first(), Some(b'=' | b'.'));
        }
        let line_end = rest.iter().position(|&byte| byte == b'\n');
        let is_head = begins_block(word)
            && rest[..line_end.unwrap_or(rest.len())]
                .trim_ascii_end()
                .ends_with(b":");
        let begins = word == b"from" || one.is_symbol(b'@') || is_head;
        if !begins && (word.is_empty() || continues_expression(word)) {
            return false;
        }
        let line = self.line.as_ref().map_or(0, |&(_, _, column)| column);
        let column = indentation(self.bytes, one.start);
        column.is_some_and(|column| {
            column <= line && (begins || column > 0 || self.ends_in_operand())
        })
    }

    /// Returns whether the last lexeme may end an operand.
    fn ends_in_operand(&self) -> bool {
        let last = self.last_end.checked_sub(1).map(|at| self.bytes[at]);
        last.is_some_and(|last| is_word_end(last) || last.is_ascii_digit())
            && self.open_operator() == 0
    }

    /// Returns whether the line before is the head of a compound statement up to its colon, with a
    /// parenthesis left open.
    fn begins_behind_head(&self) -> bool {
        let keyword = self.line.as_ref().map(|(_, keyword, _)| keyword.clone());
        let is_head = keyword.is_some_and(|keyword| begins_block(&self.bytes[keyword]));
        is_head && self.last_is_colon && self.open.last().is_some_and(|&(closer, _)| closer == b')')
    }

    fn lexeme(&mut self, one: &LocatedLexeme, word: &[u8]) {
        match &mut self.line {
            None => {
                let column = indentation(self.bytes, one.start).unwrap_or(0);
                let keyword = if word.is_empty() {
                    one.start..one.start
                } else {
                    one.bytes()
                };
                self.line = Some((one.start, keyword, column));
                self.colons = 0;
            }
            Some((_, keyword, _)) if &self.bytes[keyword.clone()] == b"async" => {
                *keyword = one.bytes();
            }
            Some(_) => {}
        }
        if let Some((_, keyword, _)) = &self.line
            && matches!(&self.bytes[keyword.clone()], b"def" | b"class")
            && self.last_end == keyword.end
            && !word.is_empty()
        {
            self.name_end = Some(one.end);
        }
        let outside = self.open.is_empty();
        self.ends_in_colon = outside && one.is_symbol(b':');
        match one.lexeme {
            PythonLexeme::Symbol(b'(') => self.open.push((b')', one.start)),
            PythonLexeme::Symbol(b'[') => self.open.push((b']', one.start)),
            PythonLexeme::Symbol(b'{') => self.open.push((b'}', one.start)),
            PythonLexeme::Symbol(byte @ (b')' | b']' | b'}')) => {
                let is_in_subscript = self.is_in_empty_subscript();
                self.remove_operator();
                let innermost = self.open.iter().rev().take(MAX_MISMATCH);
                match innermost.clone().position(|&(closer, _)| closer == byte) {
                    _ if is_in_subscript && byte == b']' => {
                        let edit = ByteEdit::new(one.start, one.end, " ");
                        self.mended.edits.push(edit);
                    }
                    Some(above) => {
                        if above > 0 {
                            self.error(one.start);
                        }
                        self.close(self.open.len() - above, one.start);
                        self.open.pop();
                    }
                    None if byte == b')'
                        && let Some(name_end) = self.name_end.take() =>
                    {
                        self.error(one.start);
                        self.insert(name_end, b"(");
                    }
                    None => {
                        self.error(one.start);
                        let closer = self.open.pop().map_or(b' ', |(closer, _)| closer);
                        self.mended.edits.push(ByteEdit {
                            bytes: one.bytes(),
                            with: vec![closer],
                        });
                    }
                }
            }
            PythonLexeme::Symbol(b':') if outside && self.bytes.get(one.end) != Some(&b'=') => {
                self.colons += 1;
            }
            PythonLexeme::Word if outside && word == b"lambda" => self.colons -= 1,
            PythonLexeme::Text(quotes) => self.text(one, quotes),
            _ => {}
        }
        if !self.open.is_empty() {
            self.name_end = None;
        }
        self.last_end = one.end;
        self.last_is_colon = one.is_symbol(b':');
    }

    fn text(&mut self, one: &LocatedLexeme, quotes: Quotes) {
        if quotes.triple {
            self.record_suspect_string(one, quotes);
        }
        if !quotes.closed {
            self.is_unclosed |= quotes.triple && one.end == self.bytes.len();
            self.error(quotes.at);
            let quote = [quotes.quote; 3];
            let closing = &quote[..if quotes.triple { 3 } else { 1 }];
            self.insert(one.end, closing);
            if !quotes.triple {
                self.close(0, one.end);
            }
        }
    }

    /// Records a string with a declaration inside.
    fn record_suspect_string(&mut self, one: &LocatedLexeme, quotes: Quotes) {
        if self.suspect_strings.len() == MAX_CUTS {
            return;
        }
        let column = self.line.as_ref().map_or(0, |&(_, _, column)| column);
        let mut start = quotes.at;
        while let Some(len) = self.bytes[start..one.end]
            .iter()
            .position(|&byte| byte == b'\n')
        {
            start += len + 1;
            let line = &self.bytes[start..one.end];
            let line = line.split(|&byte| byte == b'\n').next().unwrap_or(line);
            let blanks = line.iter().take_while(|byte| byte.is_ascii_whitespace());
            let first = start + blanks.count();
            let is_outer = indentation(self.bytes, first).is_some_and(|inner| inner <= column);
            if is_outer && is_declaration(line) {
                self.suspect_strings.push((quotes.at, start - 1));
                return;
            }
        }
    }

    /// Closes all open brackets but the outermost `keep`.
    fn close(&mut self, keep: usize, at: usize) {
        let closers: Vec<u8> = self
            .open
            .drain(keep..)
            .rev()
            .map(|(closer, _)| closer)
            .collect();
        if !closers.is_empty() {
            self.insert(at, &closers);
        }
    }

    /// Removes the dot or operator that was read last, whose right operand is not written yet.
    fn remove_operator(&mut self) {
        let start = self.last_end - self.open_operator();
        let is_removed =
            |edit: &ByteEdit| edit.bytes.end >= self.last_end && !edit.bytes.is_empty();
        if start < self.last_end && !self.mended.edits.last().is_some_and(is_removed) {
            if self.is_in_empty_subscript() {
                self.open.pop();
            }
            self.error(start);
            let blanks = " ".repeat(self.last_end - start);
            let edit = ByteEdit::new(start, self.last_end, &blanks);
            self.mended.edits.push(edit);
        }
    }

    /// Returns whether the last lexeme is the bracket of a subscript.
    fn is_in_empty_subscript(&self) -> bool {
        let read = &self.bytes[..self.last_end];
        let is_open = self.open.last().is_some_and(|&(closer, _)| closer == b']');
        is_open && matches!(read, [.., before, b'['] if is_word_end(*before))
    }

    /// Returns the length of the dot or operator that was read last; 0 if something else was, as are `import *` and
    /// `def f(a, /)`.
    fn open_operator(&self) -> usize {
        let read = &self.bytes[..self.last_end];
        let keyword = self.line.as_ref().map(|(_, keyword, _)| keyword.clone());
        let keyword = keyword.map_or(&b""[..], |keyword| &self.bytes[keyword]);
        let innermost = self.open.last().map(|&(closer, _)| closer);
        match read {
            [.., b':'] if innermost == Some(b'}') => return 1,
            [.., before, b'.'] if is_word_end(*before) => return 1,
            _ if self.is_in_empty_subscript() => return 1,
            [.., b'*'] if keyword == b"from" && innermost.is_none() => return 0,
            [.., b'/'] if keyword == b"def" && innermost.is_some() => return 0,
            _ => {}
        }
        let is_operator = |byte: &&u8| b"=+-%@&|^<>~!/*".contains(byte);
        let symbols = read.iter().rev().take_while(is_operator).count();
        if symbols > 0 {
            let is_assignment = read[..read.len() - symbols].ends_with(b":");
            return symbols + usize::from(is_assignment);
        }
        let words = [&b"and"[..], b"or", b"not", b"in", b"is", b"await"];
        let is_last = |word: &&&[u8]| {
            let before = read.strip_suffix(**word).map(<[u8]>::last);
            before.is_some_and(|before| {
                before.is_none_or(|&byte| !is_word_end(byte) && !byte.is_ascii_digit())
            })
        };
        words.iter().find(is_last).map_or(0, |word| word.len())
    }

    fn end_line(&mut self) {
        self.name_end = None;
        if self.line.is_some() {
            self.remove_operator();
        }
        let Some((start, keyword, _)) = self.line.take() else {
            return;
        };
        let mut opens_block = self.ends_in_colon;
        if self.colons <= 0 && begins_block(&self.bytes[keyword.clone()]) {
            self.error(self.last_end.saturating_sub(1));
            self.insert(self.last_end, b":");
            opens_block = true;
        }
        self.mended.lines.push(Line {
            bytes: start..self.last_end,
            keyword,
            opens_block,
        });
    }
}
