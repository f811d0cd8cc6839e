//! The files of an answer whose lines are not visible, because they have a secret.

use codeweft_db::{File, skipped};
use rustc_hash::FxHashSet;

use super::filtering::ResultRow;
use super::render::MAX_SITES;
use crate::answer::{Warning, WarningKind};
use crate::query_context::QueryContext;

/// Returns the files that lines of rows are in: of their declarations and their listed sites.
pub(crate) fn files_with_lines(query: &QueryContext<'_>, rows: &[ResultRow]) -> Vec<File> {
    let mut files = Vec::new();
    for row in rows {
        files.extend(query.file(row.symbol));
        files.extend(row.links.iter().take(MAX_SITES).map(|link| link.file));
    }
    files
}

/// Returns a warning for each file that is not visible, sorted.
pub(crate) fn warnings(
    query: &QueryContext<'_>,
    files: impl IntoIterator<Item = File>,
) -> Vec<Warning> {
    let mut seen = FxHashSet::default();
    let files = files.into_iter().filter(|&file| seen.insert(file));
    let mut warnings: Vec<Warning> = files
        .filter_map(|file| {
            let (line, message) = skipped(query.db, file)?;
            Some(Warning {
                file: file.path(query.db).to_string(),
                line: Some(line),
                kind: WarningKind::Secret,
                message,
            })
        })
        .collect();
    warnings.sort();
    warnings
}
