//! The code of a node, from the text that the database holds (docs/graph.md §3, "Context").

use codeweft_db::{Db, DeclarationRange, file_ranges};

use crate::languages::spelling;

/// The lines of a place with so many around them, after a first line that names them:
/// `// Lines 11-27`. Lines end at `\n`; a `\r` before it is dropped.
pub(crate) fn context(db: &dyn Db, place: &DeclarationRange, around: u32) -> Option<String> {
    let text = place.file.text(db);
    let ranges = file_ranges(db, place.file);
    let last = place.span.end.saturating_sub(1).max(place.span.start);
    let from = ranges
        .line_column(place.span.start)
        .0
        .saturating_sub(around)
        .max(1);
    let to = ranges.line_column(last).0.saturating_add(around);
    let start = *ranges.lines.get(from as usize - 1)? as usize;
    let lines: Vec<&str> = text
        .get(start..)?
        .split_inclusive('\n')
        .take((to - from + 1) as usize)
        .map(|line| line.strip_suffix('\n').unwrap_or(line))
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .collect();
    if lines.is_empty() {
        return None;
    }
    let comment = spelling(place.file.lang(db)).comment;
    let to = from + lines.len() as u32 - 1;
    Some(format!("{comment} Lines {from}-{to}\n{}", lines.join("\n")))
}
