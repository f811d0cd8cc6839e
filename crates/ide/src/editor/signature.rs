//! Signatures of declarations, cut from their text.

use codeweft_db::{DeclarationRange, Lang, NodeKind};

/// The most lines of a signature.
const MAX_LINES: usize = 8;

/// How much of a declaration is looked at for its header: bytes.
const LONGEST_HEADER: usize = 8 << 10;

/// Returns the declaration's header as it is written, without what the lines of its body are indented by:
/// a function without its body, the first lines of a Go type, the line of anything else. A name of
/// a group gets the group's keyword (Go spec, "Constant declarations").
pub(super) fn signature(
    text: &str,
    place: &DeclarationRange,
    kind: NodeKind,
    lang: Lang,
) -> String {
    let span = place.span;
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
            let Some((start, end)) = python_header(text, place) else {
                return one_line(declared);
            };
            lines(text[start..end].trim_end(), indent(text, start as u32))
        }
        (Lang::Go, _) => one_line(declared),
        (Lang::Python, _) => line_of(text, place.name.start),
    }
}

/// The line that holds a byte offset, without the spaces around it and without the begin of a
/// block at its end.
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

/// Where the header of a function or class ends: before the brace of its body (Go), before the
/// colon (Python).
pub(super) fn end_of_header(text: &str, place: &DeclarationRange, lang: Lang) -> Option<usize> {
    match lang {
        Lang::Go => {
            let start = place.span.start as usize;
            let declared = text.get(start..place.span.end as usize)?;
            Some(start + end_of_go_header(declared))
        }
        Lang::Python => python_header(text, place).map(|(_, end)| end),
    }
}

/// From the keyword to before the colon of a `def` or `class` (Python reference, "Compound
/// statements").
fn python_header(text: &str, place: &DeclarationRange) -> Option<(usize, usize)> {
    let name = place.name.start as usize;
    let line = text.get(..name)?.rfind('\n').map_or(0, |end| end + 1);
    let begin = &text[line..name];
    let keyword = ["async", "def", "class"]
        .iter()
        .filter_map(|word| begin.find(word))
        .min()?;
    let end = header_end(&text[name..], |letter, _| letter == ':')?;
    Some((line + keyword, name + end))
}

/// Where the body of a Go function begins, else its end: at the first brace outside brackets that
/// is not of a struct or interface type.
fn end_of_go_header(declared: &str) -> usize {
    let of_type = |before: &str| {
        let word = before.trim_end();
        word.ends_with("interface") || word.ends_with("struct")
    };
    header_end(declared, |letter, before| letter == '{' && !of_type(before))
        .unwrap_or(declared.len())
}

/// Where a header ends: before the first character outside brackets that `ends` says so of.
/// Strings and comments are stepped over.
fn header_end(text: &str, ends: impl Fn(char, &str) -> bool) -> Option<usize> {
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

/// The white space at the begin of the line of an offset.
fn indent(text: &str, at: u32) -> &str {
    let before = text.get(..at as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    let blank = line.len() - line.trim_start().len();
    &line[..blank]
}

/// The first lines, each without an indent.
fn lines(text: &str, indent: &str) -> String {
    let mut lines = text
        .lines()
        .map(|line| line.strip_prefix(indent).unwrap_or(line));
    let mut shown: Vec<&str> = lines.by_ref().take(MAX_LINES).collect();
    if lines.next().is_some() {
        shown.push("…");
    }
    shown.join("\n")
}

/// The first line; what follows it is told by an ellipsis.
fn one_line(text: &str) -> String {
    match text.trim().split_once('\n') {
        Some((first, _)) => format!("{} …", first.trim_end()),
        None => text.trim().to_owned(),
    }
}

/// A declaration with its keyword before it, which a group has only once.
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
