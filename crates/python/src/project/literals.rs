//! Literals in Python texts that are read but never run: the folders in a `setup.py`, the mapping
//! of an editable install.

/// Reads a dict display of strings at the start of a text; `None` if it starts with anything else.
pub(super) fn dict(text: &str) -> Option<Vec<(String, String)>> {
    let mut rest = text.trim_start().strip_prefix('{')?;
    let mut pairs = Vec::new();
    loop {
        rest = blank(rest);
        if rest.starts_with('}') {
            return Some(pairs);
        }
        let (key, after) = string(rest)?;
        rest = blank(blank(after).strip_prefix(':')?);
        let (value, after) = string(rest)?;
        pairs.push((key, value));
        rest = blank(after);
        rest = match rest.strip_prefix(',') {
            Some(rest) => rest,
            None => rest.starts_with('}').then_some(rest)?,
        };
    }
}

/// Reads a string literal without concatenation, and returns the text after it (Python reference,
/// "String and Bytes literals"). Only escapes of quotes and backslashes are decoded.
pub(super) fn string(text: &str) -> Option<(String, &str)> {
    let (raw, text) = match text.strip_prefix(['r', 'R']) {
        Some(text) => (true, text),
        None => (false, text.strip_prefix(['u', 'U']).unwrap_or(text)),
    };
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut value = String::new();
    let mut chars = text[1..].char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c == quote => return Some((value, &text[at + 2..])),
            '\n' => return None,
            '\\' if !raw => match chars.next()? {
                (_, c @ ('\\' | '\'' | '"')) => value.push(c),
                (_, c) => value.extend(['\\', c]),
            },
            c => value.push(c),
        }
    }
    None
}

/// Returns the text after blanks, line ends and comments.
pub(super) fn blank(text: &str) -> &str {
    let mut text = text.trim_start();
    while let Some(comment) = text.strip_prefix('#') {
        text = comment
            .split_once('\n')
            .map_or("", |(_, rest)| rest)
            .trim_start();
    }
    text
}

/// Returns the text after each occurrence of a name as a whole word, outside comment lines.
pub(super) fn behind<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .filter(|&(at, _)| {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            !text[..at].ends_with(part)
                && !text[at + word.len()..].starts_with(part)
                && !text[line..at].trim_start().starts_with('#')
        })
        .map(|(at, _)| &text[at + word.len()..])
        .collect()
}
