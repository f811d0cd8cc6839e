//! Answers for people: a row a result.

use std::fmt::Write as _;

use codeweft_ide::api::{GraphResponse, GraphResult, verdict, wire_word};

/// Rows of id, location, resolution and count of sites, aligned, with the targets that the sites are
/// of where there are several, and the code where it was requested; what was cut; warnings; and as
/// the last line the verdict on completeness.
pub(crate) fn table(response: &GraphResponse) -> String {
    let steps = response.operation.rows_are_steps();
    let rows: Vec<[String; 4]> = response
        .results
        .iter()
        .map(|result| row(result, steps))
        .collect();
    let mut widths = [0; 4];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for (row, result) in rows.iter().zip(&response.results) {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            // Writing to a string does not fail.
            let _ = write!(line, "{cell:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
        for line in result.context.iter().flat_map(|context| context.lines()) {
            let _ = writeln!(text, "    {line}");
        }
    }
    for cycle in &response.cycles {
        let _ = writeln!(text, "cycle: {}", cycle.join(" -> "));
    }
    if let Some(summary) = &response.summary {
        let _ = writeln!(
            text,
            "implementations {}, direct callers {}, transitive callers {}, type usages {}; files {}, packages {}, external packages {}",
            summary.implementations,
            summary.direct_callers,
            summary.transitive_callers,
            summary.type_usages,
            summary.files,
            summary.packages,
            summary.external_packages,
        );
    }
    if let Some(note) = &response.note {
        let _ = writeln!(text, "note: {note}");
    }
    for warning in &response.warnings {
        let line = warning
            .line
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        let _ = writeln!(text, "warning: {}{line}: {}", warning.file, warning.message);
    }
    if let Some(total) = response.warnings_total {
        let _ = writeln!(text, "warning: {total} warnings in all");
    }
    if !response.metadata.unsaved.is_empty() {
        let _ = writeln!(text, "unsaved: {}", response.metadata.unsaved.join(", "));
    }
    if response.truncated {
        let _ = match &response.suggestion {
            Some(suggestion) => writeln!(text, "cut: {suggestion}"),
            None => writeln!(text, "cut: raise max_results or narrow with scope"),
        };
    }
    text.push_str(&verdict(response));
    text.push('\n');
    text
}

/// The cells of a result; the deeper, the more to the right, but for the steps of a path.
fn row(result: &GraphResult, steps: bool) -> [String; 4] {
    let node = &result.node;
    let indent = match result.depth {
        Some(depth) if depth > 1 && !steps => "  ".repeat(depth as usize - 1),
        _ => String::new(),
    };
    let location = match (node.file.as_str(), node.name_line) {
        ("", _) => "-".to_owned(),
        (file, 0) => file.to_owned(),
        (file, line) => format!("{file}:{line}"),
    };
    let words = [
        result.impact_type.as_ref().and_then(wire_word),
        result.severity.as_ref().and_then(wire_word),
        result.receiver.as_ref().and_then(wire_word),
    ];
    let mut how: Vec<&str> = words.iter().flatten().map(String::as_str).collect();
    for site in &result.sites {
        if !how.contains(&site.resolution.as_str()) {
            how.push(&site.resolution);
        }
    }
    let mut count = match result.site_count {
        0 => String::new(),
        1 => "1 site".to_owned(),
        sites => format!("{sites} sites"),
    };
    let mut of: Vec<&str> = Vec::new();
    for target in result.sites.iter().flat_map(|site| &site.targets) {
        if !of.contains(&target.as_str()) {
            of.push(target);
        }
    }
    if !of.is_empty() {
        let _ = write!(count, " of {}", of.join(", "));
    }
    let mut id = format!("{indent}{}", node.id);
    if !result.type_args.is_empty() {
        let _ = write!(id, "[{}]", result.type_args.join(", "));
    }
    [id, location, how.join(","), count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_several_targets_a_row_says_which_its_sites_are_of() {
        let site = |line: u32, target: &str| json!({"file": "a.go", "line": line, "column": 1, "resolution": "exact", "targets": [target]});
        let node = json!({"id": "m.a", "name": "a", "kind": "function", "file": "a.go", "start_line": 3,
                          "end_line": 7, "start_pos": 0, "end_pos": 0, "name_line": 3, "name_column": 1,
                          "language": "go", "visibility": "private", "package": "m", "external": false});
        let result =
            json!({"node": node, "site_count": 2, "sites": [site(4, "m.f"), site(5, "m.f#2")]});
        let result: GraphResult = serde_json::from_value(result).expect("a result");
        let [.., count] = row(&result, false);
        assert_eq!(count, "2 sites of m.f, m.f#2");
    }
}
