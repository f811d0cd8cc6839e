//! Any text, as part of another: of XML and HTML, of JSON inside a page, of DOT, of Mermaid.

/// Returns a character that every format may hold, for one that may not: XML has no control characters, not even
/// as references.
fn printable(letter: char) -> char {
    match letter {
        '\n' | '\t' => letter,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        _ => letter,
    }
}

/// Returns text for an element or a quoted attribute of XML and HTML.
pub(crate) fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars().map(printable) {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

/// Returns a string of JSON with its quotes, which may be inside a `script` element: without `<`, `>` and `&`, so
/// that no name ends the element.
pub(crate) fn json(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 2);
    escaped.push('"');
    for letter in text.chars() {
        match letter {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '<'
            | '>'
            | '&'
            | '\u{0}'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}' => {
                escaped.push_str(&format!("\\u{:04x}", letter as u32));
            }
            _ => escaped.push(letter),
        }
    }
    escaped.push('"');
    escaped
}

/// Returns a quoted string of DOT. Graphviz reads `\N` and entities in labels, so both are escaped.
pub(crate) fn dot(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 2);
    escaped.push('"');
    for letter in text.chars().map(printable) {
        match letter {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '&' => escaped.push_str("&amp;"),
            _ => escaped.push(letter),
        }
    }
    escaped.push('"');
    escaped
}

/// Returns a quoted label of Mermaid. What may be syntax of Mermaid, Markdown or HTML is written as `#code;`.
pub(crate) fn mermaid(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 2);
    escaped.push('"');
    for letter in text.chars().map(printable) {
        match letter {
            '\n' => escaped.push_str("<br>"),
            '\t' => escaped.push(' '),
            ' ' | '.' | ',' | ':' | '/' | '-' | '_' | '(' | ')' => escaped.push(letter),
            _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => {
                escaped.push_str(&format!("#{};", letter as u32));
            }
            _ => escaped.push(letter),
        }
    }
    escaped.push('"');
    escaped
}

/// Returns text for a comment of one line.
pub(crate) fn line(text: &str) -> String {
    text.chars()
        .map(|letter| match printable(letter) {
            '\n' | '\t' | '\u{2028}' | '\u{2029}' => ' ',
            letter => letter,
        })
        .collect()
}
