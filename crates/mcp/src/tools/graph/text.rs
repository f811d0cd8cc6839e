//! Answers as text for a model: one line a result with its signature, one a site with its code, each
//! path once a file.

use std::fmt::Write as _;

use codeweft_ide::api::{
    GraphResponse, GraphResult, RowOrder, Site, open_sites, verdict, wire_word,
};
use codeweft_ide::change_text;

use super::head::{Head, MAX_GROUPS};

/// Writes an answer with these rows: a head line, the results by file, of a search each with its file,
/// what was cut, warnings.
pub(super) fn answer(head: &Head, rows: &[GraphResult]) -> String {
    let mut text = String::new();
    let response = &head.response;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} of {}: {}; r{}",
        response.operation.wire_name(),
        response.target,
        verdict(response),
        response.metadata.revision
    );
    for line in open_sites(response, MAX_GROUPS, "include_unresolved: true") {
        let _ = writeln!(text, "{line}");
    }
    if let Some(note) = &response.note {
        let _ = writeln!(text, "note: {note}");
    }
    for line in response
        .change
        .iter()
        .flat_map(|change| change_text(change))
    {
        let _ = writeln!(text, "{line}");
    }
    if let Some(file) = &head.site_file {
        let _ = writeln!(text, "lines below results are of {file}");
    }
    let mut before = None;
    for result in rows {
        text.push_str(&row(head, result, before));
        before = Some(result);
    }
    tail(&mut text, head, rows.len());
    text.truncate(text.trim_end().len());
    text
}

fn tail(text: &mut String, head: &Head, listed: usize) {
    let response = &head.response;
    for cycle in &response.cycles {
        let _ = writeln!(text, "cycle: {}", cycle.join(" -> "));
    }
    let cycles = response.cycles_total.unwrap_or(0) as usize;
    more(text, "cycles", response.cycles.len(), cycles);
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
    if response.truncated || head.offset > 0 {
        cut(text, head, listed);
    }
    for warning in &response.warnings {
        let _ = writeln!(text, "warning: {}", warning.words(false));
    }
    let warnings = response.warnings_total.unwrap_or(0) as usize;
    more(text, "warnings", response.warnings.len(), warnings);
    unsaved(text, head, response);
}

/// Writes which rows are listed, and what goes on or narrows.
fn cut(text: &mut String, head: &Head, listed: usize) {
    let response = &head.response;
    let (first, last) = (head.offset + 1, head.offset + listed);
    let all = response.total_found;
    let _ = match listed {
        0 => write!(text, "cut: no row of {all} from {first} on"),
        _ => write!(text, "cut: rows {first} to {last} of {all}"),
    };
    if head.dropped > 0 {
        let _ = write!(text, ", {} dropped by max_tokens", head.dropped);
    }
    if let Some(suggestion) = &response.suggestion {
        let _ = write!(text, "; {suggestion}");
    }
    text.push('\n');
}

fn unsaved(text: &mut String, head: &Head, response: &GraphResponse) {
    let unsaved = &response.metadata.unsaved;
    if unsaved.is_empty() && head.unsaved_total.is_none() {
        return;
    }
    let _ = write!(text, "unsaved in an editor: {}", unsaved.join(", "));
    if let Some(total) = head.unsaved_total {
        let _ = write!(text, " and {} more", total - unsaved.len());
    }
    text.push_str("; lines may differ from the disk's\n");
}

fn more(text: &mut String, what: &str, listed: usize, total: usize) {
    if total > listed {
        let _ = writeln!(text, "and {} more {what}", total - listed);
    }
}

/// Returns a result as `  41-52 pkg.T.M: func (t *T) M()` with a line for each site, below its file's
/// name if the result `before` is of another file; with `unsaved` if its file has unsaved text. Of a
/// search the file precedes the lines, and in an outline what is nested is indented.
pub(super) fn row(head: &Head, result: &GraphResult, before: Option<&GraphResult>) -> String {
    let mut text = String::new();
    let node = &result.node;
    let unsaved = &head.response.metadata.unsaved;
    let order = head.response.operation.row_order();
    let file = match node.file.as_str() {
        "" => "(no file)",
        file => file,
    };
    if order == RowOrder::BestFirst {
        let _ = write!(text, "{file}:");
    } else {
        if before.is_none_or(|before| before.node.file != node.file) {
            let _ = writeln!(text, "{file}");
        }
        text.push_str("  ");
    }
    if order == RowOrder::Text {
        let nesting = result.depth.unwrap_or(1).saturating_sub(1);
        text.push_str(&"  ".repeat(nesting as usize));
    }
    let _ = write!(text, "{}-{} {}", node.start_line, node.end_line, node.id);
    if node.unsaved || unsaved.contains(&node.file) {
        text.push_str(" unsaved");
    }
    if !result.type_args.is_empty() {
        let _ = write!(text, "[{}]", result.type_args.join(", "));
    }
    if let Some(depth) = result.depth.filter(|&depth| depth > 1)
        && order != RowOrder::Text
    {
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
    match &node.signature {
        Some(signature) => {
            let _ = write!(text, ": {signature}");
        }
        // A package has none, and no other row of an outline or a search is without.
        None if matches!(order, RowOrder::BestFirst | RowOrder::Text) => {
            let _ = write!(text, ": {}", node.kind);
        }
        None => {}
    }
    text.push('\n');
    sites(&mut text, result, head.implied_file(result), unsaved);
    for line in result.context.iter().flat_map(|context| context.lines()) {
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// Writes a line for each site: `    44:3 t.M() [dispatch class_hierarchy]`. If the query had several
/// targets, it says which the site is of. The code of a line is written once.
fn sites(text: &mut String, result: &GraphResult, implied: &str, unsaved: &[String]) {
    let mut line: Option<(&str, u32)> = None;
    for site in &result.sites {
        text.push_str("    ");
        if site.file != implied {
            let _ = write!(text, "{}:", site.file);
        }
        let _ = write!(text, "{}:{}", site.line, site.column);
        if site.file != result.node.file && unsaved.contains(&site.file) {
            text.push_str(" unsaved");
        }
        let code = site.code.as_ref();
        if let Some(code) = code.filter(|_| line != Some((&site.file, site.line))) {
            let _ = write!(text, " {code}");
        }
        line = Some((&site.file, site.line));
        let words = words(site);
        if !words.is_empty() {
            let _ = write!(text, " [{words}]");
        }
        text.push('\n');
    }
    let dropped = (result.site_count as usize).saturating_sub(result.sites.len());
    if dropped > 0 {
        let _ = writeln!(text, "    and {dropped} more sites");
    }
}

/// Returns how a site was found, unless it is exact; its kind; and the targets it is of.
fn words(site: &Site) -> String {
    let mut words = Vec::new();
    if site.resolution != "exact" {
        words.push(site.resolution.clone());
    }
    words.extend(site.reason.clone());
    words.extend(site.kind.clone());
    if site.in_literal {
        words.push("in_literal".to_owned());
    }
    if site.of_literal {
        words.push("of_literal".to_owned());
    }
    if !site.targets.is_empty() {
        words.push(format!("of {}", site.targets.join(" and ")));
    }
    words.join(" ")
}
