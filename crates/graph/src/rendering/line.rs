//! Single lines of code: the header of a declaration, and the line of a use.

use codeweft_db::{
    Db, DeclarationRange, File, Language, NodeKind, excerpt, file_ranges, visible_text,
};

/// The maximum number of characters of a line. Generated code has lines of any length.
const MAX_CHARACTERS: usize = 200;

/// The maximum number of bytes that are read of a line, indentation too.
const MAX_BYTES: usize = 4096;

/// Returns the header of a declaration of a kind in one line; nothing for a package.
pub(crate) fn signature(
    db: &dyn Db,
    language: &dyn Language,
    range: &DeclarationRange,
    kind: NodeKind,
) -> Option<String> {
    if kind == NodeKind::Package {
        return None;
    }
    let header = language.declaration_header(visible_text(db, range.file), range, kind);
    let line = match kind {
        NodeKind::Function | NodeKind::Method | NodeKind::Class => in_one_line(&header),
        // Of other types the header may have the members.
        _ => first_line(&header).to_owned(),
    };
    bounded(line)
}

/// Returns the code of a 1-based line.
pub(super) fn code(db: &dyn Db, file: File, line: u32) -> Option<String> {
    let index = (line as usize).checked_sub(1)?;
    let start = *file_ranges(db, file).lines.get(index)?;
    code_of(visible_text(db, file).get(start as usize..)?)
}

/// Returns the code of the first line of a text, without indentation and without what begins a block at its end.
pub fn code_of(rest: &str) -> Option<String> {
    bounded(excerpt::line_of(beginning(rest), 0))
}

/// Returns the first line of a text, of a long one the beginning.
fn beginning(text: &str) -> &str {
    let bytes = text.bytes().take(MAX_BYTES);
    let end = bytes.take_while(|&byte| byte != b'\n').count();
    // A character may end behind the bound.
    (end..).find_map(|end| text.get(..end)).unwrap_or(text)
}

/// Returns a header without its breaks: a parameter a line becomes `f(a, b)`.
fn in_one_line(header: &str) -> String {
    let mut line = String::new();
    for word in header.split_whitespace() {
        let is_inside = line.is_empty() || line.ends_with(['(', '[']);
        if word.starts_with([')', ']']) && line.ends_with(',') {
            line.pop();
        } else if !is_inside {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

fn first_line(header: &str) -> &str {
    let line = header.trim().lines().next().unwrap_or_default().trim_end();
    line.strip_suffix('{').unwrap_or(line).trim_end()
}

/// Cuts a long line at its end, with an ellipsis; nothing for an empty one.
fn bounded(mut line: String) -> Option<String> {
    if let Some((at, _)) = line.char_indices().nth(MAX_CHARACTERS) {
        line.truncate(at);
        line.push('…');
    }
    (!line.is_empty()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_of_several_lines_becomes_one() {
        assert_eq!(
            in_one_line("func f(\n\ta int,\n\tb []string,\n) (n int, err error)"),
            "func f(a int, b []string) (n int, err error)"
        );
        assert_eq!(
            in_one_line("def f(\n    self,\n    a: dict[str,\n      int]):"),
            "def f(self, a: dict[str, int]):"
        );
        assert_eq!(first_line("type T struct {\n\ta int\n}"), "type T struct");
    }

    #[test]
    fn of_a_line_only_the_beginning_is_read() {
        assert_eq!(beginning("a b\nc"), "a b");
        assert_eq!(beginning(""), "");
        assert_eq!(beginning(&"ä\u{20ac}".repeat(100_000)).len(), 4097);
    }

    #[test]
    fn a_long_line_ends_with_an_ellipsis() {
        assert_eq!(bounded(String::new()), None);
        let line = bounded("ä".repeat(201)).unwrap_or_default();
        assert_eq!(line, format!("{}…", "ä".repeat(200)));
    }
}
