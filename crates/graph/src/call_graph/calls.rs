//! The calls of files, and calls whose target is unknown.

use std::sync::Arc;

use codeweft_db::{Db, File, Language, NameId, SymbolId, Unit, UnresolvedSite};
use rustc_hash::FxHashSet;

use super::memo::{FileCalls, NamedFile, NamedFiles, package_in};
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns the calls of a file, by caller.
pub(crate) fn calls_in(query: &QueryContext<'_>, file: File) -> Arc<FileCalls> {
    query.caches.calls_in.get_or(file, || {
        let of_file = query
            .languages
            .of(file.lang(query.db))
            .zip(query.owner(file));
        let calls = of_file.map(|(language, unit)| {
            let memos = &query.cache.calls;
            memos.calls_in(query.db, language, (file, unit))
        });
        calls.unwrap_or_default()
    })
}

/// Computes the calls of the files of many symbols at once, on all threads.
pub(crate) fn prepare_calls(query: &QueryContext<'_>, symbols: &[SymbolId]) {
    let mut files = Vec::new();
    let mut seen = FxHashSet::default();
    for &symbol in symbols {
        for file in symbols::files_of_body(query, symbol) {
            if !query.caches.calls_in.contains(&file)
                && seen.insert(file)
                && let Some(unit) = query.owner(file)
            {
                files.push((file, unit));
            }
        }
    }
    let memos = &query.cache.calls;
    let calls = query.map(&files, |languages, db, &(file, unit)| {
        let language = languages.of(file.lang(db))?;
        Some(memos.calls_in(db, language, (file, unit)))
    });
    for ((file, _), calls) in files.into_iter().zip(calls) {
        query
            .caches
            .calls_in
            .insert(file, calls.unwrap_or_default());
    }
}

/// Returns the unresolved calls of `names` in some units that `fits` accepts, each with its
/// caller. If the files that may have one are `named`, no other is resolved.
pub(crate) fn unresolved_calls(
    query: &QueryContext<'_>,
    units: &[Unit],
    names: &[NameId],
    named: Option<&NamedFiles>,
    fits: impl Fn(&dyn Language, &dyn Db, &UnresolvedSite) -> bool + Sync,
) -> Vec<(SymbolId, File, UnresolvedSite)> {
    // Symbols that may run for each other share their names.
    let names: FxHashSet<NameId> = names.iter().copied().collect();
    let found = query.map(units, |languages, db, &unit| {
        let mut found = Vec::new();
        let Some(language) = languages.of(unit.lang(db)) else {
            return found;
        };
        let files = match named {
            Some(named) => named.get(&unit).cloned().unwrap_or_default(),
            None => files_with_unresolved(db, language, unit, &names),
        };
        for named in files {
            let (file, uses) = (named.file, named.uses(db, language));
            for site in &uses.unresolved {
                if names.contains(&site.name) && fits(language, db, site) {
                    let caller = uses.bodies.get(site.body as usize).copied();
                    let caller = caller.unwrap_or_else(|| package_in(language, db, unit, file));
                    found.push((caller, file, *site));
                }
            }
        }
        found
    });
    found.into_iter().flatten().collect()
}

/// Returns the files of a unit with unresolved calls of one of `names`, by number.
fn files_with_unresolved(
    db: &dyn Db,
    language: &dyn Language,
    unit: Unit,
    names: &FxHashSet<NameId>,
) -> Vec<NamedFile> {
    let index = language.index(db, unit);
    let numbers = names
        .iter()
        .flat_map(|&name| index.files_with_unresolved(name));
    let mut numbers: Vec<u32> = numbers.collect();
    if numbers.is_empty() {
        return Vec::new();
    }
    numbers.sort_unstable();
    numbers.dedup();
    let files = language.files(db, unit);
    NamedFile::of_numbers(numbers.into_iter(), &files)
}
