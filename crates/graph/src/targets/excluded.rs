//! Declarations that the build configuration excludes, as targets: `name@file_stem` (docs/graph.md
//! §1, "IDs").
//!
//! ```go
//! //go:build windows
//! func Getpid() int  // in os/proc_windows.go: os.Getpid@proc_windows
//! ```

use codeweft_db::{ExcludedDeclaration, File, Lang, Language, Unit, file_ranges};
use rustc_hash::FxHashMap;

use super::resolved::{LocalTarget, Target};
use crate::query_context::QueryContext;

/// The separator between the name of an excluded declaration and its file.
const SEPARATOR: char = '@';

/// Resolves the id of an excluded declaration.
pub(super) fn excluded_by_id(
    query: &QueryContext<'_>,
    langs: &[Lang],
    plain: &str,
) -> Option<Target> {
    let (id, wanted) = plain.rsplit_once(SEPARATOR)?;
    let names = &query.db.shared().names;
    for (at, _) in id.rmatch_indices('.') {
        let (parent, name) = match id[at + 1..].rsplit_once('.') {
            Some((parent, name)) => (Some(parent), name),
            None => (None, &id[at + 1..]),
        };
        let Some(package) = names.get(&id[..at]) else {
            continue;
        };
        let fits = |one: &ExcludedDeclaration| {
            names.text(one.name) == name && one.parent.map(|own| names.text(own)) == parent
        };
        for &lang in langs {
            let Some(language) = query.languages.of(lang) else {
                continue;
            };
            for &unit in query.units.named(lang, package) {
                for &file in language.excluded(query.db, unit).iter() {
                    if stem(file.path(query.db)) != wanted {
                        continue;
                    }
                    let declared = language.declarations_of_excluded(query.db, file);
                    if let Some(one) = declared.into_iter().find(fits) {
                        return Some(excluded_target(query, language, unit, one));
                    }
                }
            }
        }
    }
    None
}

/// Returns the declaration of an excluded file on a line, or at a column of it, both 1-based.
pub(super) fn excluded_at(
    query: &QueryContext<'_>,
    language: &dyn Language,
    unit: Unit,
    file: File,
    line: u32,
    column: Option<u32>,
) -> Option<Target> {
    let ranges = file_ranges(query.db, file);
    let is_at = |one: &ExcludedDeclaration| {
        let (first, from) = ranges.line_column(one.declaration.name.start);
        let to = from + (one.declaration.name.end - one.declaration.name.start);
        first == line && column.is_none_or(|column| (from..to).contains(&column))
    };
    let declared = language.declarations_of_excluded(query.db, file);
    let one = declared.into_iter().find(is_at)?;
    Some(excluded_target(query, language, unit, one))
}

pub(crate) fn excluded_target(
    query: &QueryContext<'_>,
    language: &dyn Language,
    unit: Unit,
    one: ExcludedDeclaration,
) -> Target {
    let names = &query.db.shared().names;
    let package = language.package(query.db, unit);
    let mut id = format!("{}.", names.text(unit.name(query.db)));
    if let Some(parent) = one.parent {
        id.push_str(names.text(parent));
        id.push('.');
    }
    let name = names.text(one.name).to_owned();
    id.push_str(&name);
    id.push(SEPARATOR);
    id.push_str(stem(one.declaration.file.path(query.db)));
    Target {
        note: None,
        symbols: vec![package],
        printed: id,
        file: None,
        local: Some(LocalTarget {
            name,
            kind: one.kind,
            public: one.public,
            excluded: true,
            range: one.declaration,
        }),
        changes: FxHashMap::default(),
    }
}

/// Returns a file's name without its folder and extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
