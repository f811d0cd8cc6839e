//! The code of a node, from the text of the database's revision (docs/graph.md §3, "Context").

use codeweft_db::{Db, DeclarationRange, file_ranges, visible_text};

/// Returns the lines of a range with `around` lines on both sides, after a first line such as `//
/// Lines 11-27`. Lines end at `\n`; a `\r` before it is dropped.
pub(crate) fn context(db: &dyn Db, range: &DeclarationRange, around: u32) -> Option<String> {
    let text = visible_text(db, range.file);
    let ranges = file_ranges(db, range.file);
    let last = range.span.end.saturating_sub(1).max(range.span.start);
    let from = ranges
        .line_column(range.span.start)
        .0
        .saturating_sub(around)
        .max(1);
    let to = ranges.line_column(last).0.saturating_add(around);
    let start = *ranges.lines.get(from as usize - 1)? as usize;
    let comment = range.file.lang(db).line_comment;
    lines_of(text.get(start..)?, comment, (from, to))
}

/// Returns lines after one such as `// Lines 11-27`; `text` begins with the first of them. `None` if there is none.
pub fn lines_of(text: &str, comment: &str, (from, to): (u32, u32)) -> Option<String> {
    let lines: Vec<&str> = text
        .split_inclusive('\n')
        .take((to - from + 1) as usize)
        .map(|line| line.strip_suffix('\n').unwrap_or(line))
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    if lines.is_empty() {
        return None;
    }
    let to = from + lines.len() as u32 - 1;
    Some(format!("{comment} Lines {from}-{to}\n{}", lines.join("\n")))
}
