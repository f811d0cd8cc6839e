//! Excerpts of a declaration's text for people: headers, first lines, comments without their
//! indent. What a header or a comment is, each language says itself.

/// The maximal number of lines of an excerpt.
const MAX_LINES: usize = 8;

/// How many bytes of a declaration are searched for the end of its header.
const LONGEST_HEADER: usize = 8 << 10;

/// Returns the line that holds a byte offset, trimmed, without a `{` or `:` that begins a block at
/// its end.
pub fn line_of(text: &str, at: u32) -> String {
    let at = at as usize;
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else {
        return String::new();
    };
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = after.find('\n').map_or(text.len(), |end| at + end);
    let line = text[start..end].trim();
    line.strip_suffix(['{', ':'])
        .unwrap_or(line)
        .trim_end()
        .to_owned()
}

/// Returns the offset where a header ends: before the first character outside brackets for which
/// `ends` returns true, given the character and the text before it. Strings and comments are
/// skipped. `None` if there is no such character near the start.
///
/// ```
/// use codeweft_syntax::excerpt::header_end;
///
/// assert_eq!(header_end("f(a: int):", |letter, _| letter == ':'), Some(9));
/// ```
pub fn header_end(text: &str, ends: impl Fn(char, &str) -> bool) -> Option<usize> {
    let mut depth = 0usize;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if at > LONGEST_HEADER {
            return None;
        }
        match letter {
            _ if depth == 0 && ends(letter, &text[..at]) => return Some(at),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '#' => while letters.next_if(|&(_, other)| other != '\n').is_some() {},
            '/' if text[at..].starts_with("//") => {
                while letters.next_if(|&(_, other)| other != '\n').is_some() {}
            }
            '"' | '\'' | '`' => {
                let mut escaped = false;
                for (_, other) in letters.by_ref() {
                    match other {
                        _ if escaped => escaped = false,
                        '\\' => escaped = letter != '`',
                        _ if other == letter => break,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the white space at the start of the line of an offset.
pub fn indent(text: &str, at: u32) -> &str {
    let before = text.get(..at as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let blank = line.len() - line.trim_start().len();
    &line[..blank]
}

/// Returns the first lines, each without `indent`; an ellipsis replaces the others.
pub fn first_lines(text: &str, indent: &str) -> String {
    let mut lines = text
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line));
    let mut listed: Vec<&str> = lines.by_ref().take(MAX_LINES).collect();
    if lines.next().is_some() {
        listed.push("…");
    }
    listed.join("\n")
}

/// Returns the first line; an ellipsis replaces the others.
pub fn one_line(text: &str) -> String {
    match text.trim().split_once('\n') {
        Some((first, _)) => format!("{} …", first.trim_end()),
        None => text.trim().to_owned(),
    }
}

/// Returns a text without the indent that all lines but the first share, and without blank lines
/// around it.
pub fn without_indent(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let later = text.lines().skip(1);
    let shared = later
        .filter(|line| !line.trim().is_empty())
        .map(indent)
        .min()
        .unwrap_or(0);
    let mut lines: Vec<&str> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = match number {
            0 => line.trim_start(),
            _ => line.get(shared..).unwrap_or(line.trim_start()),
        };
        lines.push(line.trim_end());
    }
    lines.join("\n").trim_matches('\n').trim_end().to_owned()
}
