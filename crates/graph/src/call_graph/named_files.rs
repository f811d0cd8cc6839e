//! The files that can use a symbol of a dynamically typed language, found without resolving all files.
//!
//! A value carries a function to code that does not name it, so that the uses of one are known when all
//! files are resolved. But most functions are called by their names alone, and the files that have the
//! name show it:
//!
//! ```text
//! name -> files with the name: their uses
//!         files that look names up by values: the uses of the bodies that do
//!            a use as a value:     any file may have uses; all are resolved
//!            an import as a name:  again, with that name too
//!            neither:              no other file has a use
//! ```
//!
//! Used only while files may be unresolved; later the indexes of units decide as fast.

use std::cmp::Reverse;
use std::sync::Arc;

use codeweft_db::{Carrier, Db, Language, NameId, SymbolId, Unit};

use super::memo::{NamedFile, NamedFiles};
use crate::query_context::QueryContext;
use crate::search_names::search_names;
use crate::visibility;

/// A query that needs this of more symbols resolves all files.
const MAX_SYMBOLS: usize = 16;

/// So many names may lead to a symbol.
const MAX_NAMES: usize = 8;

/// Returns the only files that can use a symbol; `None` if that is not known without resolving all.
pub(crate) fn named_files(query: &QueryContext<'_>, symbol: SymbolId) -> Option<Arc<NamedFiles>> {
    if !query.db.shared().may_have_unresolved_files()
        || query.cache.calls.merged_index.get().is_some()
    {
        return None;
    }
    let known = &query.caches.named_files;
    if !known.contains(&symbol) && known.len() >= MAX_SYMBOLS {
        return None;
    }
    known.get_or(symbol, || find(query, symbol).map(Arc::new))
}

/// As [`named_files`], of several symbols; `None` if that of one is not known.
pub(crate) fn named_files_of(
    query: &QueryContext<'_>,
    symbols: &[SymbolId],
) -> Option<Arc<NamedFiles>> {
    if let [symbol] = symbols {
        return named_files(query, *symbol);
    }
    let mut all = NamedFiles::default();
    for &symbol in symbols {
        for (unit, files) in named_files(query, symbol)?.iter() {
            all.entry(*unit).or_default().extend(files);
        }
    }
    for files in all.values_mut() {
        files.sort_unstable_by_key(|one| (one.number, !one.has_name));
        files.dedup_by_key(|one| one.number);
    }
    Some(Arc::new(all))
}

/// Resolves the files of some units that look names up by values.
pub(crate) fn resolve_look_ups(query: &QueryContext<'_>, units: &[Unit]) {
    let found = query.map(units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let files = language.files(db, unit);
        let files = files.iter().copied();
        files
            .filter(|&file| language.looks_up_names(db, file))
            .collect()
    });
    let found = found.into_iter().flatten().map(|file| NamedFile {
        number: 0,
        file,
        has_name: false,
    });
    resolve_named_ahead(query, found.collect());
}

/// Computes the uses of some files on all threads, the largest first.
fn resolve_named_ahead(query: &QueryContext<'_>, mut files: Vec<NamedFile>) {
    files.sort_by_key(|one| Reverse(one.file.text(query.db).len()));
    query.map(&files, |languages, db, one| {
        if let Some(language) = languages.of(one.file.lang(db)) {
            one.uses(db, language);
        }
    });
}

fn find(query: &QueryContext<'_>, symbol: SymbolId) -> Option<NamedFiles> {
    let language = query.language(symbol)?;
    if !language.is_dynamically_typed() || !language.is_used_by_name(query.db, symbol) {
        return None;
    }
    let units = visibility::visible_units(query, symbol);
    let mut names = search_names(query, symbol).to_vec();
    loop {
        let named = files_with(query, &units, &names);
        let files: Vec<NamedFile> = named.values().flatten().copied().collect();
        resolve_named_ahead(query, files.clone());
        let carriers = query.map(&files, |languages, db, &one| {
            let language = languages.of(one.file.lang(db))?;
            Some(carriers_in(db, language, one, symbol))
        });
        let known = names.len();
        for carrier in carriers.into_iter().flatten().flatten() {
            match carrier {
                Carrier::Nothing => {}
                Carrier::Value => return None,
                Carrier::Name(name) if names.contains(&name) => {}
                Carrier::Name(name) => names.push(name),
            }
        }
        if names.len() == known {
            return Some(named);
        }
        if names.len() > MAX_NAMES {
            return None;
        }
    }
}

/// Returns the files of some units that have one of `names`, or look names up by values.
fn files_with(query: &QueryContext<'_>, units: &[Unit], names: &[NameId]) -> NamedFiles {
    let interned = &query.db.shared().names;
    let texts: Vec<&str> = names.iter().map(|&name| interned.text(name)).collect();
    let found = query.map(units, |languages, db, &unit| {
        let Some(language) = languages.of(unit.lang(db)) else {
            return Vec::new();
        };
        let files = language.files(db, unit);
        let files = (0..).zip(files.iter().copied()).map(|(number, file)| {
            let text = file.text(db);
            NamedFile {
                number,
                file,
                has_name: texts.iter().any(|name| text.contains(name)),
            }
        });
        files
            .filter(|one| one.has_name || language.looks_up_names(db, one.file))
            .collect()
    });
    let found = units.iter().copied().zip(found);
    found.filter(|(_, files)| !files.is_empty()).collect()
}

/// Returns what carries a symbol away in a file.
fn carriers_in(
    db: &dyn Db,
    language: &dyn Language,
    named: NamedFile,
    symbol: SymbolId,
) -> Vec<Carrier> {
    let uses = named.uses(db, language);
    let uses = uses.of(symbol);
    let carriers = uses
        .iter()
        .map(|one| language.carried_by(db, named.file, one));
    carriers
        .filter(|&carrier| carrier != Carrier::Nothing)
        .collect()
}
