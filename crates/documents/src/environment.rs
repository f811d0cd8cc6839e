//! Environment files (`.env`) to trees: a mapping of names to values.

use codeweft_syntax::Span;

use crate::tree::{NodeKind, Tree, TreeBuilder};

/// Reads an environment file (Compose specification, env_file): `NAME=value` lines, `export` before them and comments
/// allowed, values in quotes if they have blanks. A line of another form is reported.
pub fn read_environment(text: &str) -> Tree {
    let mut builder = TreeBuilder::new(text);
    let whole = Span {
        start: 0,
        end: text.len() as u32,
    };
    builder.open(NodeKind::Mapping, whole);
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let written = line.trim();
        let indent = line.len() - line.trim_start().len();
        let at = start + indent;
        start += line.len();
        if written.is_empty() || written.starts_with('#') {
            continue;
        }
        let span = Span {
            start: at as u32,
            end: (at + written.len()) as u32,
        };
        let assignment = written.strip_prefix("export ").unwrap_or(written);
        let pair = assignment.split_once('=');
        let name = pair.map_or("", |(name, _)| name.trim());
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        if name.is_empty() || !name.chars().all(is_name) {
            builder.error(at, "neither NAME=value nor a comment");
            continue;
        }
        let value = value(pair.map_or("", |(_, value)| value.trim()));
        if builder.key(name, false, span).1 {
            builder.error(at, format!("`{name}` is repeated: its last value counts"));
        }
        builder.scalar(value, false, span);
    }
    builder.close(whole.end);
    builder.finish(text.len())
}

/// Returns a value without its quotes, or without the comment behind it.
fn value(written: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = written.strip_prefix(quote) {
            return inner.split_once(quote).map_or(inner, |(value, _)| value);
        }
    }
    written
        .split_once(" #")
        .map_or(written, |(value, _)| value.trim_end())
}
