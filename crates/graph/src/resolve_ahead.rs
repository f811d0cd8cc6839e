//! Lowering and resolution of many files at once, where little was read before.
//!
//! The indexes of units are computed unit by unit; a workspace may be one unit, and the largest unit of
//! a library may come last. File by file, the largest first, keeps every thread at work.

use std::cmp::Reverse;

use codeweft_db::{Db, File, Unit, read_saved_parts};

use crate::covered_languages::Languages;
use crate::query_context::QueryContext;

/// Computes the uses of the files of some units on all threads, if files may be unresolved; another database
/// has answered questions and has most of them.
pub(crate) fn resolve_ahead(query: &QueryContext<'_>, units: &[Unit]) {
    let shared = query.db.shared();
    if !shared.may_have_unresolved_files() {
        return;
    }
    if shared.may_have_unread_files() {
        // Whole, before a resolution lowers the declarations of some alone.
        lower_ahead(query, units);
    }
    resolve_files(query, largest_first(query, files_of(query, units)));
}

fn resolve_files(query: &QueryContext<'_>, files: Vec<File>) {
    query.map(&files, |languages, db, &file| {
        if let Some(language) = languages.of(file.lang(db)) {
            language.uses(db, file);
        }
    });
}

/// Lowers the files of units, which may be unread.
pub(crate) fn lower_ahead(query: &QueryContext<'_>, units: &[Unit]) {
    let files = largest_first(query, files_of(query, units));
    let lower = |_: Languages<'_>, db: &dyn Db, &file: &File| read_saved_parts(db, file);
    query.fan_out.map_at_once(&files, lower);
}

fn files_of(query: &QueryContext<'_>, units: &[Unit]) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for unit in units {
        if let Some(language) = query.languages.of(unit.lang(query.db)) {
            files.extend(language.files(query.db, *unit).iter());
        }
    }
    files
}

fn largest_first(query: &QueryContext<'_>, mut files: Vec<File>) -> Vec<File> {
    files.sort_by_key(|file| Reverse(file.text(query.db).len()));
    files
}
