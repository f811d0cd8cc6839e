//! Answers for people: results folded by file, each with its sites and their lines of code.
//!
//! ```text
//! greet/greet.go
//!   26  greet.Say
//!   27    text := g.Greet(name)  [dispatch]
//! 1 caller found; complete
//! ```

use std::borrow::Cow;
use std::fmt::Write as _;

use codeweft_ide::api::{
    GraphResponse, GraphResult, RowOrder, Site, open_sites, verdict, wire_word,
};
use codeweft_ide::change_text;
use console::{style, truncate_str};

/// The indentation of a site behind its row's.
const SITE_INDENT: &str = "  ";

/// How many groups of unresolved sites are listed.
const MAX_GROUPS: usize = 5;

/// Returns the rows by file, of a search each with its file; what was cut; warnings; and as the last line the verdict on
/// completeness. With a width in columns the lines of rows are cut to it.
pub(crate) fn table(response: &GraphResponse, width: Option<usize>) -> String {
    let mut text = String::new();
    let fitted = |line: &str| match width {
        Some(width) => truncate_str(line, width, "…").into_owned(),
        None => line.to_owned(),
    };
    for line in response
        .change
        .iter()
        .flat_map(|change| change_text(change))
    {
        text.push_str(&fitted(&line));
        text.push('\n');
    }
    let rows = in_files(response);
    let digits = digits(&rows);
    let mut file = None;
    for result in rows {
        let node = &result.node;
        if response.operation.row_order() == RowOrder::BestFirst {
            text.push_str(fitted(&located(result)).trim_end());
            text.push('\n');
            code(&mut text, result);
            continue;
        }
        if file != Some(&node.file) {
            let name = match node.file.as_str() {
                "" => "(no file)",
                file => file,
            };
            // Writing to a string does not fail.
            let _ = writeln!(text, "{}", style(name).bold());
            file = Some(&node.file);
        }
        let indent = indent(response, result);
        let number = match node.name_line {
            0 => String::new(),
            line => line.to_string(),
        };
        let line = format!("  {number:>digits$}  {indent}{}", row(result));
        text.push_str(fitted(&line).trim_end());
        text.push('\n');
        sites(&mut text, result, digits, &indent, &fitted);
        code(&mut text, result);
    }
    tail(&mut text, response);
    text
}

/// Returns a result with its file in one line: `store/db.go:12  store.Open: func Open() *DB`.
fn located(result: &GraphResult) -> String {
    let node = &result.node;
    let location = match (node.file.as_str(), node.name_line) {
        ("", _) => "(no file)".to_owned(),
        (file, line) => format!("{file}:{line}"),
    };
    format!("{}  {}", style(location).bold(), row(result))
}

fn code(text: &mut String, result: &GraphResult) {
    for line in result.context.iter().flat_map(|context| context.lines()) {
        let _ = writeln!(text, "    {line}");
    }
}

/// Returns the results of each file together, at each depth in the order of their first results, if
/// their order is that of ids.
fn in_files(response: &GraphResponse) -> Vec<&GraphResult> {
    let mut rows: Vec<&GraphResult> = response.results.iter().collect();
    if response.operation.row_order() != RowOrder::Id {
        return rows;
    }
    let first = |row: &GraphResult| {
        let mut others = response.results.iter();
        others.position(|other| other.depth == row.depth && other.node.file == row.node.file)
    };
    rows.sort_by_cached_key(|row| (row.depth, first(row), row.node.name_line));
    rows
}

/// Returns the width of the greatest line number.
fn digits(rows: &[&GraphResult]) -> usize {
    let lines = rows.iter().flat_map(|row| {
        let own = row.sites.iter().filter(|site| site.file == row.node.file);
        let sites = own.map(|site| site.line);
        sites.chain([row.node.name_line])
    });
    lines.max().unwrap_or(0).to_string().len()
}

/// The deeper, the more to the right, but for the steps of a path.
fn indent(response: &GraphResponse, result: &GraphResult) -> String {
    match result.depth {
        Some(depth) if depth > 1 && response.operation.row_order() != RowOrder::Steps => {
            "  ".repeat(depth as usize - 1)
        }
        _ => String::new(),
    }
}

/// Returns a result without its line number: the id, and what it has to do with the target. Where
/// no site follows, the header of its declaration says more than the id.
fn row(result: &GraphResult) -> String {
    let mut row = result.node.id.clone();
    if !result.type_args.is_empty() {
        let _ = write!(row, "[{}]", result.type_args.join(", "));
    }
    let words = [
        result.impact_type.as_ref().and_then(wire_word),
        result.severity.as_ref().and_then(wire_word),
        result.receiver.as_ref().and_then(wire_word),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    if !words.is_empty() {
        let _ = write!(row, "  [{}]", words.join(", "));
    }
    if let Some(signature) = result.node.signature.as_ref()
        && result.sites.is_empty()
        && result.context.is_none()
    {
        let _ = write!(row, ": {signature}");
    }
    if result.node.kind == "package" && result.sites.is_empty() {
        let _ = write!(row, ": package");
    }
    row
}

/// Writes the sites, with their file where it is not the result's. The code of a line is written once.
fn sites(
    text: &mut String,
    result: &GraphResult,
    digits: usize,
    indent: &str,
    fitted: &dyn Fn(&str) -> String,
) {
    let mut before: Option<&Site> = None;
    for site in &result.sites {
        let words = words(site);
        let same_line = |other: &Site| (&other.file, other.line) == (&site.file, site.line);
        if before.is_some_and(|before| same_line(before) && self::words(before) == words) {
            continue;
        }
        before = Some(site);
        let (number, file) = if site.file == result.node.file {
            (site.line.to_string(), String::new())
        } else {
            (String::new(), format!("{}:{}: ", site.file, site.line))
        };
        let mut line = format!("  {number:>digits$}  {indent}{SITE_INDENT}{file}");
        if let Some(code) = &site.code {
            line.push_str(code);
            line.push_str("  ");
        }
        if !words.is_empty() {
            let _ = write!(line, "{}", style(format!("[{words}]")).dim());
        }
        text.push_str(fitted(&line).trim_end());
        text.push('\n');
    }
    let more = (result.site_count as usize).saturating_sub(result.sites.len());
    if more > 0 {
        let _ = writeln!(
            text,
            "  {:>digits$}  {indent}{SITE_INDENT}and {more} more sites",
            ""
        );
    }
}

/// Returns how a site was found, unless it is exact, and the targets it is of if the query had
/// several.
fn words(site: &Site) -> String {
    let mut words: Vec<Cow<'_, str>> = Vec::new();
    if site.resolution != "exact" {
        words.push(site.resolution.as_str().into());
    }
    if !site.targets.is_empty() {
        words.push(format!("of {}", site.targets.join(", ")).into());
    }
    words.join(" ")
}

fn tail(text: &mut String, response: &GraphResponse) {
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
        let _ = writeln!(text, "warning: {}", warning.words(true));
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
    for line in open_sites(response, MAX_GROUPS, "--include-unresolved") {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(&verdict(response));
    text.push('\n');
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
        let mut text = String::new();
        sites(&mut text, &result, 1, "", &str::to_owned);
        assert_eq!(text, "  4    [of m.f]\n  5    [of m.f#2]\n");
    }
}
