//! Answers as text for a model: one line a result, each path once a file.

use std::fmt::Write as _;

use codeweft_ide::api::{GraphResponse, GraphResult, Site, verdict, wire_word};

/// The maximum number of sites written in a row.
const SITES: usize = 5;

/// Writes an answer: a head line, the results by file, truncation, warnings.
pub(super) fn answer(response: &GraphResponse) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} of {}: {}; r{}",
        response.operation.wire_name(),
        response.target,
        verdict(response),
        response.metadata.revision
    );
    if let Some(note) = &response.note {
        let _ = writeln!(text, "note: {note}");
    }
    let mut file: Option<&str> = None;
    for result in &response.results {
        if file != Some(&result.node.file) {
            file = Some(&result.node.file);
            let _ = writeln!(
                text,
                "{}",
                match result.node.file.as_str() {
                    "" => "(no file)",
                    file => file,
                }
            );
        }
        row(&mut text, result, &response.metadata.unsaved);
    }
    for cycle in &response.cycles {
        let _ = writeln!(text, "cycle: {}", cycle.join(" -> "));
    }
    if let Some(summary) = &response.summary {
        let _ = writeln!(
            text,
            "reaches {} files in {} packages: {} implementations, {} direct callers, {} transitive callers, {} type usages",
            summary.files,
            summary.packages,
            summary.implementations,
            summary.direct_callers,
            summary.transitive_callers,
            summary.type_usages
        );
    }
    if response.truncated {
        let narrow = response
            .suggestion
            .as_deref()
            .unwrap_or("narrow with scope");
        let _ = writeln!(text, "cut: {narrow}");
    }
    for warning in &response.warnings {
        let _ = writeln!(text, "warning: {}: {}", warning.file, warning.message);
    }
    if !response.metadata.unsaved.is_empty() {
        let _ = writeln!(
            text,
            "unsaved in an editor: {}; lines may differ from the disk's",
            response.metadata.unsaved.join(", ")
        );
    }
    text.truncate(text.trim_end().len());
    text
}

/// Writes a result as `  41-52 pkg.T.M dispatch @ 44, 47`, with `unsaved` if its file has unsaved
/// text. If the query had several targets, sites are attributed to them: `@ 44 of pkg.F, 47 of
/// pkg.F#2`.
fn row(text: &mut String, result: &GraphResult, unsaved: &[String]) {
    let node = &result.node;
    let _ = write!(text, "  {}-{} {}", node.start_line, node.end_line, node.id);
    if node.unsaved || unsaved.contains(&node.file) {
        text.push_str(" unsaved");
    }
    if !result.type_args.is_empty() {
        let _ = write!(text, "[{}]", result.type_args.join(", "));
    }
    if let Some(depth) = result.depth.filter(|&depth| depth > 1) {
        let _ = write!(text, " depth {depth}");
    }
    for word in [
        result.receiver.as_ref().and_then(wire_word),
        result.impact_type.as_ref().and_then(wire_word),
        result.severity.as_ref().and_then(wire_word),
    ]
    .iter()
    .flatten()
    {
        let _ = write!(text, " {word}");
    }
    let mut how: Option<&str> = None;
    let mut of: &[String] = &[];
    for (number, site) in result.sites.iter().take(SITES).enumerate() {
        let before = if number == 0 { " @ " } else { ", " };
        let _ = write!(text, "{before}{}", location(site, &node.file));
        if site.file != node.file && unsaved.contains(&site.file) {
            text.push_str(" unsaved");
        }
        if how != Some(&site.resolution) {
            how = Some(&site.resolution);
            if site.resolution != "exact" {
                let _ = write!(text, " {}", site.resolution);
            }
        }
        if of != site.targets {
            of = &site.targets;
            let _ = write!(text, " of {}", of.join(" and "));
        }
    }
    let more = result.site_count as usize - result.sites.len().min(SITES);
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text.push('\n');
}

fn location(site: &Site, file: &str) -> String {
    if site.file == file {
        site.line.to_string()
    } else {
        format!("{}:{}", site.file, site.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn of_several_targets_a_site_says_which_it_is_of() {
        let site = |line: u32, targets: &[&str]| json!({"file": "a.go", "line": line, "column": 1, "resolution": "exact", "targets": targets});
        let sites = json!([
            site(4, &["m.f"]),
            site(5, &["m.f"]),
            site(6, &["m.f", "m.f#2"])
        ]);
        let node = json!({"id": "m.a", "name": "a", "kind": "function", "file": "a.go", "start_line": 3,
                          "end_line": 7, "start_pos": 0, "end_pos": 0, "name_line": 3, "name_column": 1,
                          "language": "go", "visibility": "private", "package": "m", "external": false});
        let result = json!({"node": node, "site_count": 3, "sites": sites});
        let mut text = String::new();
        row(
            &mut text,
            &serde_json::from_value(result).expect("a result"),
            &[],
        );
        assert_eq!(text, "  3-7 m.a @ 4 of m.f, 5, 6 of m.f and m.f#2\n");
    }

    #[test]
    fn results_in_unsaved_text_are_marked_and_their_file_named() {
        let node = |id: &str, file: &str| {
            json!({"id": id, "name": "f", "kind": "function", "file": file, "start_line": 3,
                   "end_line": 5, "start_pos": 0, "end_pos": 0, "name_line": 3, "name_column": 1,
                   "language": "go", "visibility": "private", "package": "m", "external": false})
        };
        let site =
            |file: &str| json!({"file": file, "line": 4, "column": 1, "resolution": "exact"});
        let results = json!([
            {"node": node("m.a", "a.go"), "site_count": 1, "sites": [site("a.go")]},
            {"node": node("m.b", "b.go"), "site_count": 2, "sites": [site("b.go"), site("a.go")]},
        ]);
        let results: Vec<GraphResult> = serde_json::from_value(results).expect("results");
        let text = results.iter().fold(String::new(), |mut text, result| {
            row(&mut text, result, &["a.go".to_owned()]);
            text
        });
        assert_eq!(
            text,
            "  3-5 m.a unsaved @ 4\n  3-5 m.b @ 4, a.go:4 unsaved\n"
        );
    }
}
