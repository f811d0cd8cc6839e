//! Splits a text that does not parse as a whole into its declarations, so that an error in one does
//! not affect the others.
//!
//! A new piece begins at each line that starts with a keyword of a declaration outside strings and
//! comments, brackets notwithstanding:
//!
//! ```go
//! func a() {
//!     if x {          // two braces are never closed ...
//! func b() {}         // ... yet a new piece begins here
//! ```

use super::scan::{GoLexeme, GoScanner, is_line_start};

const KEYWORDS: [&[u8]; 5] = [b"func", b"type", b"var", b"const", b"import"];

/// A closing bracket is matched across at most this many unclosed ones of other kinds.
const MAX_MISMATCH: usize = 1000;

/// A part of the text that is parsed on its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ParsePiece {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it might be the contents of an unterminated raw string; then it counts only if it
    /// parses.
    pub(super) is_doubtful: bool,
}

/// Splits a text into consecutive pieces that cover it. One begins at each line that starts with a
/// keyword of a declaration, outside strings and comments.
///
/// An unterminated raw string or comment is taken to end with the enclosing declaration, see
/// [`behind_declaration`]. An unterminated comment between declarations extends to the end of the
/// text, as in the language. If a raw string is unterminated, a backquote is missing or superfluous
/// anywhere before; then every raw string is taken to end with its declaration.
pub(super) fn split(bytes: &[u8]) -> Vec<ParsePiece> {
    let mut starts = starts(bytes, false);
    if let Some((unclosed, "`")) = starts.unclosed
        && unclosed > 0
    {
        starts = self::starts(bytes, true);
    }
    let ends = starts.all.iter().skip(1).map(|start| start.0);
    let ends = ends.chain([bytes.len()]);
    let pieces = starts.all.iter().zip(ends);
    pieces
        .map(|(&(start, is_doubtful), end)| ParsePiece {
            start,
            end,
            is_doubtful,
        })
        .collect()
}

/// The offsets where pieces begin, each with [`ParsePiece::is_doubtful`].
struct Starts {
    all: Vec<(usize, bool)>,
    /// The offset of the first unterminated raw string or comment, and its missing terminator.
    unclosed: Option<(usize, &'static str)>,
}

fn starts(bytes: &[u8], limits_raw_strings: bool) -> Starts {
    let mut starts = Starts {
        all: vec![(0, false)],
        unclosed: None,
    };
    let mut is_doubtful = false;
    let mut scanner = GoScanner::new(bytes, 0);
    loop {
        // Number of open brackets of the current declaration.
        let mut depth = 0_usize;
        let mut next = None;
        while let Some(found) = scanner.next() {
            match found.lexeme {
                GoLexeme::Word if begins_declaration(bytes, found.start, found.end) => {
                    if found.start > 0 {
                        starts.all.push((found.start, is_doubtful));
                    }
                    depth = 0;
                }
                GoLexeme::Symbol(b'(' | b'[' | b'{') => depth += 1,
                GoLexeme::Symbol(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                GoLexeme::Literal
                    if limits_raw_strings
                        && depth > 0
                        && bytes[found.start] == b'`'
                        && scanner.unclosed.is_none() =>
                {
                    next = behind_declaration(&bytes[..found.end], found.start + 1, true);
                    if next.is_some() {
                        break;
                    }
                }
                _ => {}
            }
        }
        if next.is_none() {
            let Some((unclosed, end)) = scanner.unclosed else {
                return starts;
            };
            starts.unclosed = starts.unclosed.or(Some((unclosed, end)));
            if end == "*/" && depth == 0 {
                return starts;
            }
            is_doubtful |= depth == 0;
            next = behind_declaration(bytes, unclosed + end.len(), depth > 0);
        }
        match next {
            Some(next) => scanner.resume(next),
            None => return starts,
        }
    }
}

/// Returns whether the text ends in an unterminated comment. Nearly always reads no more than it
/// takes to find the last comment.
pub(super) fn ends_in_comment(bytes: &[u8]) -> bool {
    let find = |wanted: &[u8; 2]| bytes.windows(2).rposition(|window| window == wanted);
    let Some(open) = find(b"/*") else {
        return false;
    };
    if bytes[open + 2..].windows(2).any(|window| window == b"*/") {
        return false;
    }
    let mut scanner = GoScanner::new(bytes, 0);
    scanner.by_ref().for_each(drop);
    scanner.unclosed.is_some_and(|(_, end)| end == "*/")
}

/// Returns whether a word is a keyword that begins both a line and a declaration.
pub(super) fn begins_declaration(bytes: &[u8], start: usize, end: usize) -> bool {
    is_line_start(bytes, start) && KEYWORDS.contains(&&bytes[start..end])
}

/// Returns the offset of the first declaration after the one that encloses a string or comment
/// starting at `at`; `None` if the text there does not look like code outside the string.
///
/// Relies on gofmt's layout: the enclosing declaration ends with a closing bracket at column 0. Go
/// code that is *meant* to be inside a string has such lines too, but it opens the brackets it
/// closes, or begins with a package clause.
///
/// ```text
/// func a() {
///     s := `text          unterminated; scanning goes on as if outside the string
/// }                       closes a bracket that was not opened since: `a` ends here
/// func b() {}             the result
/// ```
fn behind_declaration(bytes: &[u8], at: usize, is_enclosed: bool) -> Option<usize> {
    let mut is_enclosed = is_enclosed;
    // For each open bracket whether its line begins at column 0.
    let mut open = Vec::new();
    let mut is_outer_line = false;
    let mut line_end = at;
    for found in GoScanner::new(bytes, at) {
        let begins_line = is_line_start(bytes, found.start);
        if begins_line {
            is_outer_line = true;
        } else if bytes[line_end..found.start].contains(&b'\n') {
            is_outer_line = false;
        }
        line_end = found.end;
        match found.lexeme {
            GoLexeme::Word if begins_line && &bytes[found.start..found.end] == b"package" => {
                return None;
            }
            GoLexeme::Word if !is_enclosed && begins_declaration(bytes, found.start, found.end) => {
                return Some(found.start);
            }
            GoLexeme::Symbol(b'(' | b'[' | b'{') => open.push(is_outer_line),
            GoLexeme::Symbol(b')' | b']' | b'}') if begins_line => {
                // A bracket that was not opened since `at` closes the enclosing declaration.
                loop {
                    match open.pop() {
                        Some(true) => break,
                        Some(false) => {}
                        None => {
                            is_enclosed = false;
                            break;
                        }
                    }
                }
            }
            GoLexeme::Symbol(b')' | b']' | b'}') => {
                open.pop();
            }
            _ => {}
        }
    }
    None
}

/// Returns the bytes that close the brackets, raw string and comment that a piece leaves open;
/// empty if it leaves none.
///
/// ```text
/// func f() { g(a[1     ->  `\n])}`
/// ```
pub(super) fn closers(piece: &[u8]) -> Vec<u8> {
    let mut open = Vec::new();
    let mut scanner = GoScanner::new(piece, 0);
    for found in scanner.by_ref() {
        match found.lexeme {
            GoLexeme::Symbol(b'(') => open.push(b')'),
            GoLexeme::Symbol(b'[') => open.push(b']'),
            GoLexeme::Symbol(b'{') => open.push(b'}'),
            GoLexeme::Symbol(byte @ (b')' | b']' | b'}')) => {
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
        None if piece.last() != Some(&b'\n') => closers.push(b'\n'),
        None => {}
    }
    closers.extend(open.iter().rev());
    closers
}

/// Returns the offset of the brace that opens the body of the function that a piece begins with.
pub(super) fn body_brace(piece: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    let mut in_type = false;
    let mut lexemes = GoScanner::new(piece, 0);
    let func = lexemes.next()?;
    if &piece[func.start..func.end] != b"func" {
        return None;
    }
    for found in lexemes {
        match found.lexeme {
            GoLexeme::Symbol(b'{') if depth == 0 && !in_type => return Some(found.start),
            GoLexeme::Symbol(b'(' | b'[' | b'{') => depth += 1,
            GoLexeme::Symbol(b')' | b']' | b'}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        in_type = matches!(&piece[found.start..found.end], b"struct" | b"interface");
    }
    None
}

/// Returns the offset after the name of the function that a piece begins with.
pub(super) fn name_end(piece: &[u8]) -> Option<usize> {
    let mut depth = 0u32;
    for found in GoScanner::new(piece, 0).skip(1) {
        match found.lexeme {
            GoLexeme::Symbol(b'(' | b'[') => depth += 1,
            GoLexeme::Symbol(b')' | b']') => depth = depth.checked_sub(1)?,
            GoLexeme::Symbol(b'{' | b'}') => return None,
            GoLexeme::Word if depth == 0 => return Some(found.end),
            _ => {}
        }
    }
    None
}

/// The specs of a grouped declaration.
pub(super) struct Specs {
    pub(super) count: usize,
    /// Specs whose brackets or quotes do not match, and the last spec of an unclosed group.
    pub(super) damaged: Vec<DamagedSpec>,
}

/// A broken spec, by offsets in its piece.
pub(super) struct DamagedSpec {
    pub(super) start: usize,
    /// Offset after the first name.
    pub(super) name_end: usize,
    pub(super) end: usize,
}

/// Finds the specs of the group `keyword ( … )` that a piece begins with; `None` if it begins with
/// something else. A spec begins at each line with the indentation of the first one.
pub(super) fn specs(piece: &[u8]) -> Option<Specs> {
    let mut scanner = GoScanner::new(piece, 0);
    let keyword = scanner.next()?;
    let open = scanner.next()?;
    if &piece[keyword.start..keyword.end] == b"func" || open.lexeme != GoLexeme::Symbol(b'(') {
        return None;
    }
    let mut specs = Specs {
        count: 0,
        damaged: Vec::new(),
    };
    // The current spec, the number of its open brackets, and whether it is damaged.
    let mut spec: Option<(usize, usize)> = None;
    let (mut depth, mut is_damaged) = (0_usize, false);
    let (mut indent, mut last_end, mut group_end) = (None, open.end, None);
    let mut end_spec = |spec: Option<(usize, usize)>, end, is_damaged| {
        let Some((start, name_end)) = spec else {
            return;
        };
        specs.count += 1;
        if is_damaged {
            specs.damaged.push(DamagedSpec {
                start,
                name_end,
                end,
            });
        }
    };
    for found in scanner.by_ref() {
        let between = &piece[last_end..found.start];
        let column = between.iter().rev().position(|&byte| byte == b'\n');
        last_end = found.end;
        let byte = piece[found.start];
        let ends_group = byte == b')' && (depth == 0 || column == Some(0));
        if ends_group {
            group_end = Some(found.start);
            break;
        }
        if let Some(column) = column
            && matches!(found.lexeme, GoLexeme::Word | GoLexeme::Literal)
            && *indent.get_or_insert(column) == column
        {
            end_spec(spec, found.start, is_damaged || depth > 0);
            spec = Some((found.start, found.end));
            (depth, is_damaged) = (0, false);
        }
        match found.lexeme {
            GoLexeme::Symbol(b'(' | b'[' | b'{') => depth += 1,
            GoLexeme::Symbol(b')' | b']' | b'}') => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => is_damaged = true,
            },
            GoLexeme::Literal if matches!(byte, b'"' | b'\'') => {
                let is_closed = found.end > found.start + 1 && piece[found.end - 1] == byte;
                is_damaged |= !is_closed;
            }
            _ => {}
        }
    }
    // In an unclosed group the last spec may be incomplete.
    let is_damaged = is_damaged || depth > 0 || group_end.is_none();
    end_spec(spec, group_end.unwrap_or(piece.len()), is_damaged);
    Some(specs)
}
