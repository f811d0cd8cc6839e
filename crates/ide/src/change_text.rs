//! What a change of texts touches, as lines of text.
//!
//! ```text
//! HEAD (3f0a91c2d4) to the files as they are: 2 files, 2 symbols
//!   store/db.go:12 signature store.Open
//!   store/row.go:8 added store.Row.Total
//! tests: 3 certain, 1 possible
//!   store/db_test.go:9 store.TestOpen
//!   app/app_test.go:30 possible app.TestRun
//! edges: 1 added, 1 removed
//!   + app/app.go:15 calls app.Run -> store.Row.Total
//!   - app/app.go:14 calls app.Run -> store.Row.Sum
//! ```

use codeweft_graph::answer::TextChange;
use codeweft_graph::export::EdgeRow;

use crate::api::wire_word;

/// Returns the lines that say what a change touches.
pub fn change_text(change: &TextChange) -> Vec<String> {
    let mut lines = vec![format!(
        "{} to {}: {}, {}",
        change.before,
        change.after,
        counted(change.files_total, "file", "files"),
        counted(change.symbols_total, "symbol", "symbols"),
    )];
    for one in &change.symbols {
        let word = wire_word(&one.change).unwrap_or_default();
        lines.push(format!(
            "  {}{word} {}",
            position(&one.file, one.line),
            one.id
        ));
    }
    more(&mut lines, change.symbols.len(), change.symbols_total);
    let possible = change.tests_total - change.tests_certain.min(change.tests_total);
    lines.push(format!(
        "tests: {} certain, {possible} possible",
        change.tests_certain
    ));
    for test in &change.tests {
        let word = if test.possible { "possible " } else { "" };
        lines.push(format!(
            "  {}{word}{}",
            position(&test.file, test.line),
            test.id
        ));
    }
    more(&mut lines, change.tests.len(), change.tests_total);
    lines.push(format!(
        "edges: {} added, {} removed",
        change.added_edges_total, change.removed_edges_total
    ));
    let edges = [
        ("+", &change.added_edges, change.added_edges_total),
        ("-", &change.removed_edges, change.removed_edges_total),
    ];
    for (sign, edges, total) in edges {
        lines.extend(edges.iter().map(|row| edge(sign, row)));
        more(&mut lines, edges.len(), total);
    }
    lines
}

fn counted(number: u32, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Returns `file:line `, or nothing without a file.
fn position(file: &str, line: u32) -> String {
    match (file, line) {
        ("", _) => String::new(),
        (file, 0) => format!("{file} "),
        (file, line) => format!("{file}:{line} "),
    }
}

fn edge(sign: &str, row: &EdgeRow) -> String {
    let location = row.location.as_ref();
    let at = location.map_or_else(String::new, |at| position(&at.file, at.line));
    let kind = row.kind.as_deref().unwrap_or(row.edge_type.wire_name());
    format!("  {sign} {at}{kind} {} -> {}", row.from, row.to)
}

fn more(lines: &mut Vec<String>, listed: usize, total: u32) {
    let left = (total as usize).saturating_sub(listed);
    if left > 0 {
        lines.push(format!("  and {left} more"));
    }
}
