//! Reading a text whose whole does not parse: each declaration by itself, so that what is broken
//! in one leaves the others as they are.

use super::repair::is_line_start;
use super::scan::{Lexeme, Scanner};

const KEYWORDS: [&[u8]; 5] = [b"func", b"type", b"var", b"const", b"import"];

/// A closing bracket is matched past at most this many others that were left open.
const MAX_MISMATCH: usize = 1000;

/// The offsets where chunks begin, the first one 0: each line that starts with a keyword of a
/// declaration, outside strings and comments. A raw string or comment that never ends counts
/// only up to the next such line.
pub(super) fn starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut scanner = Scanner::new(bytes, 0);
    loop {
        for found in scanner.by_ref() {
            let is_start = found.lexeme == Lexeme::Word
                && is_line_start(bytes, found.start)
                && KEYWORDS.contains(&&bytes[found.start..found.end]);
            if is_start && found.start > 0 {
                starts.push(found.start);
            }
        }
        let Some((unclosed, _)) = scanner.unclosed else {
            return starts;
        };
        match next_keyword_line(bytes, unclosed) {
            Some(next) => scanner.resume(next),
            None => return starts,
        }
    }
}

/// The next line behind `at` that starts with a keyword of a declaration.
fn next_keyword_line(bytes: &[u8], at: usize) -> Option<usize> {
    let mut at = at;
    loop {
        at += bytes[at..].iter().position(|&byte| byte == b'\n')? + 1;
        let line = &bytes[at..];
        let follows = |keyword: &&[u8]| {
            line.strip_prefix(*keyword).is_some_and(|rest| {
                matches!(
                    rest.first(),
                    None | Some(b' ' | b'\t' | b'(' | b'\r' | b'\n')
                )
            })
        };
        if KEYWORDS.iter().any(follows) {
            return Some(at);
        }
    }
}

/// What would close the brackets, raw string and comment that a chunk leaves open; empty where
/// it leaves none.
pub(super) fn closers(chunk: &[u8]) -> Vec<u8> {
    let mut open = Vec::new();
    let mut scanner = Scanner::new(chunk, 0);
    for found in scanner.by_ref() {
        match found.lexeme {
            Lexeme::Symbol(b'(') => open.push(b')'),
            Lexeme::Symbol(b'[') => open.push(b']'),
            Lexeme::Symbol(b'{') => open.push(b'}'),
            Lexeme::Symbol(byte @ (b')' | b']' | b'}')) => {
                let mut innermost = open.iter().rev().take(MAX_MISMATCH);
                if let Some(above) = innermost.position(|&closer| closer == byte) {
                    open.truncate(open.len() - above - 1);
                }
            }
            _ => {}
        }
    }
    let mut closers = Vec::new();
    match scanner.unclosed {
        Some((_, end)) => closers.extend(end.bytes()),
        None if open.is_empty() => return closers,
        None if chunk.last() != Some(&b'\n') => closers.push(b'\n'),
        None => {}
    }
    closers.extend(open.iter().rev());
    closers
}

/// The offset of the brace that opens the body of the function that a chunk begins with.
pub(super) fn body_brace(chunk: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    let mut in_type = false;
    let mut lexemes = Scanner::new(chunk, 0);
    let func = lexemes.next()?;
    if &chunk[func.start..func.end] != b"func" {
        return None;
    }
    for found in lexemes {
        match found.lexeme {
            Lexeme::Symbol(b'{') if depth == 0 && !in_type => return Some(found.start),
            Lexeme::Symbol(b'(' | b'[' | b'{') => depth += 1,
            Lexeme::Symbol(b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        in_type = matches!(&chunk[found.start..found.end], b"struct" | b"interface");
    }
    None
}

/// The offset behind the name of the function that a chunk begins with.
pub(super) fn name_end(chunk: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    for found in Scanner::new(chunk, 0).skip(1) {
        match found.lexeme {
            Lexeme::Symbol(b'(' | b'[') => depth += 1,
            Lexeme::Symbol(b')' | b']') => depth = depth.checked_sub(1)?,
            Lexeme::Symbol(b'{' | b'}') => return None,
            Lexeme::Word if depth == 0 => return Some(found.end),
            _ => {}
        }
    }
    None
}
