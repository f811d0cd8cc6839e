//! Signatures of declarations, cut from their text.

use codeweft_db::{DeclarationRange, Lang, NodeKind};

/// The largest number of lines of a signature.
const MAX_LINES: usize = 8;

/// The part of a declaration that is searched for the end of its header, in bytes.
const MAX_HEADER: usize = 8 << 10;

/// Returns the header of a declaration as it is written, without its indent. A name of a group gets the group's
/// keyword (Go spec, "Constant declarations").
///
/// ```text
/// function, method, class    up to the body             func (t *T) M(a int) error
/// type of Go                 its first eight lines      type T struct {
/// anything else              its first line             const A = iota
/// ```
pub(super) fn signature(
    text: &str,
    declaration: &DeclarationRange,
    kind: NodeKind,
    lang: Lang,
) -> String {
    let span = declaration.span;
    let declared = text.get(span.start as usize..span.end as usize);
    let declared = declared.unwrap_or("");
    match (lang, kind) {
        (Lang::Go, NodeKind::Function | NodeKind::Method) => {
            let header = &declared[..end_of_go_header(declared)];
            lines(header.trim_end(), indent(text, span.start))
        }
        (Lang::Go, NodeKind::Interface | NodeKind::Struct | NodeKind::Type) => {
            keyword("type", &lines(declared, indent(text, span.start)))
        }
        (Lang::Go, NodeKind::Constant) => keyword("const", &one_line(declared)),
        (Lang::Go, NodeKind::Variable) => keyword("var", &one_line(declared)),
        (
            Lang::Python,
            NodeKind::Function | NodeKind::Method | NodeKind::Class | NodeKind::Interface,
        ) => {
            let Some((start, end)) = python_header(text, declaration) else {
                return one_line(declared);
            };
            lines(text[start..end].trim_end(), indent(text, start as u32))
        }
        (Lang::Go, _) => one_line(declared),
        (Lang::Python, _) => line_of(text, declaration.name.start),
    }
}

/// Returns the line of a byte offset, without white space around it and without the `{` or `:` at its end.
pub(super) fn line_of(text: &str, at: u32) -> String {
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

/// Returns the byte offset of the end of a function's or class's header: that of the brace of its body (Go), of
/// the colon (Python).
pub(super) fn end_of_header(
    text: &str,
    declaration: &DeclarationRange,
    lang: Lang,
) -> Option<usize> {
    match lang {
        Lang::Go => {
            let start = declaration.span.start as usize;
            let declared = text.get(start..declaration.span.end as usize)?;
            Some(start + end_of_go_header(declared))
        }
        Lang::Python => python_header(text, declaration).map(|(_, end)| end),
    }
}

/// Returns the byte range from the keyword to the colon of a `def` or `class` (Python reference, "Compound
/// statements").
fn python_header(text: &str, declaration: &DeclarationRange) -> Option<(usize, usize)> {
    let name = declaration.name.start as usize;
    let line = text.get(..name)?.rfind('\n').map_or(0, |end| end + 1);
    let begin = &text[line..name];
    let keyword = ["async", "def", "class"]
        .iter()
        .filter_map(|word| begin.find(word))
        .min()?;
    let end = header_end(&text[name..], |letter, _| letter == ':')?;
    Some((line + keyword, name + end))
}

/// Returns the offset of the body of a Go function, without one the length of the declaration: the body begins at
/// the first brace outside brackets that is not of a struct or interface type.
fn end_of_go_header(declared: &str) -> usize {
    let of_type = |before: &str| {
        let word = before.trim_end();
        word.ends_with("interface") || word.ends_with("struct")
    };
    header_end(declared, |letter, before| letter == '{' && !of_type(before))
        .unwrap_or(declared.len())
}

/// Returns the offset of the first character outside brackets that fulfils `ends`. Strings and comments are
/// skipped.
fn header_end(text: &str, ends: impl Fn(char, &str) -> bool) -> Option<usize> {
    let mut depth = 0usize;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        if at > MAX_HEADER {
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

/// Returns the white space at the beginning of the line of an offset.
fn indent(text: &str, at: u32) -> &str {
    let before = text.get(..at as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let blank = line.len() - line.trim_start().len();
    &line[..blank]
}

/// Returns the first [`MAX_LINES`] lines, each without the indent.
fn lines(text: &str, indent: &str) -> String {
    let mut lines = text
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line));
    let mut kept: Vec<&str> = lines.by_ref().take(MAX_LINES).collect();
    if lines.next().is_some() {
        kept.push("…");
    }
    kept.join("\n")
}

/// Returns the first line, with an ellipsis if others follow.
fn one_line(text: &str) -> String {
    match text.trim().split_once('\n') {
        Some((first, _)) => format!("{} …", first.trim_end()),
        None => text.trim().to_owned(),
    }
}

/// Returns a declaration with its keyword in front, which a group has only once.
fn keyword(word: &str, declared: &str) -> String {
    let has = declared
        .strip_prefix(word)
        .is_some_and(|rest| rest.starts_with(char::is_whitespace));
    if has {
        declared.to_owned()
    } else {
        format!("{word} {declared}")
    }
}
