//! `codeweft index`.

use std::fmt::Write as _;

use codeweft_workspace::IndexReport;

use crate::arguments::Index;
use crate::output::{counted, print};
use crate::progress::Bar;
use crate::{excluded_files, workspace};

/// The maximum number of files of a list that are named in the text output.
const MAX_NAMED: usize = 20;

/// Indexes the workspace and prints the counts; returns the exit code.
pub fn run(index: &Index) -> u8 {
    let host = match workspace::load(&index.workspace, &index.quiet) {
        Ok(host) => host,
        Err(code) => return code,
    };
    let bar = Bar::new(index.quiet.quiet);
    let report = host.index(0, index.values, &|progress| bar.show(progress));
    drop(bar);
    excluded_files::write(host.root(), &report.skipped);
    host.leave(workspace::CACHE_WAIT);
    let text = if index.json {
        serde_json::to_string(&report).unwrap_or_default()
    } else {
        format!("{:12} {}\n{}", "workspace", report.root, figures(&report))
    };
    print(&text, 0)
}

/// Returns the counts in words, a line each.
pub fn figures(report: &IndexReport) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:12} {value}");
    };
    let times = &report.times;
    line(
        "files",
        format!(
            "{} ({} more of libraries), {}",
            report.files,
            report.library_files,
            megabytes(report.source_bytes)
        ),
    );
    line("units", report.units.to_string());
    line("symbols", report.symbols.to_string());
    line(
        "calls",
        format!(
            "{} resolved, {} open",
            report.edges, report.unresolved_sites
        ),
    );
    line(
        "time",
        format!(
            "{} ms: walk {}, read {}, parse {}, lay out {}, resolve {}, join {}",
            times.total_ms,
            times.walk_ms,
            times.read_ms,
            times.lower_ms,
            times.layout_ms,
            times.resolve_ms,
            times.join_ms
        ),
    );
    line(
        "memory",
        format!(
            "{} ({} at most)",
            megabytes(report.memory.rss_bytes),
            megabytes(report.memory.peak_rss_bytes)
        ),
    );
    if report.excluded_files > 0 {
        line(
            "not built",
            format!(
                "{} that the build configuration leaves out",
                counted(report.excluded_files as u64, "file", "files")
            ),
        );
    }
    let unread = report
        .unread
        .iter()
        .map(|one| format!("{}: {}", one.file, one.reason));
    list(&mut text, "left out", unread);
    let skipped = report.skipped.iter().map(|one| {
        format!(
            "{}: secret detected ({}, line {})",
            one.file, one.secret, one.line
        )
    });
    list(&mut text, "skipped", skipped);
    let not_in_full = report.not_in_full.iter().map(|one| {
        let first = one.lines.first();
        let position = first.map(|line| format!(":{line}")).unwrap_or_default();
        format!("{}{position}: {}", one.file, one.reason)
    });
    list(&mut text, "not in full", not_in_full);
    let notes = report
        .notes
        .iter()
        .map(|(path, words)| format!("{path}: {words}"));
    list(&mut text, "notes", notes);
    text
}

fn list(text: &mut String, name: &str, rows: impl ExactSizeIterator<Item = String>) {
    let total = rows.len();
    if total == 0 {
        return;
    }
    let _ = writeln!(text, "{name:12} {total}");
    for row in rows.take(MAX_NAMED) {
        let _ = writeln!(text, "  {row}");
    }
    if total > MAX_NAMED {
        let _ = writeln!(text, "  and {} more (--json names all)", total - MAX_NAMED);
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
