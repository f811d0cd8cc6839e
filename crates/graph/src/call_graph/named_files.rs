//! The files that can use a symbol of a dynamically typed language, found without resolving all files.
//!
//! A value carries a function to code that does not name it. But a file gets a value of another file by a
//! name alone: that of a variable, an attribute, or a function that returns it. So the files that have
//! the name show which others may have uses:
//!
//! ```text
//! name -> files with the name: their uses
//!         files that look names up by values: the uses of the bodies that do
//!            a use as a value:     again, with the names of what holds it in these files;
//!                                  where operators read what holds it, all files are resolved
//!            an import as a name:  again, with that name too
//!            neither:              no other file has a use
//! ```
//!
//! Used only while files may be unresolved; later the indexes of units decide as fast.

use std::cmp::Reverse;
use std::sync::Arc;

use codeweft_db::{
    Carrier, Db, File, FileUses, Holders, Language, NameId, Reason, SymbolId, Unit, Use,
};
use memchr::memmem::Finder;

use super::memo::{NamedFile, NamedFiles};
use crate::query_context::QueryContext;
use crate::search_names::search_names;
use crate::visibility;

/// A query that needs this of more symbols resolves all files.
const MAX_SYMBOLS: usize = 16;

/// So many names may lead to a symbol.
const MAX_NAMES: usize = 48;

/// So many functions may return a symbol as a value.
const MAX_FUNCTIONS: usize = 48;

/// Where more files have the names, a value is not followed: to resolve all files is as fast.
const MANY_FILES: usize = 192;

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
    let mut known = Holders {
        names: search_names(query, symbol).to_vec(),
        functions: vec![symbol],
    };
    let mut is_value = false;
    loop {
        let named = files_with(query, &units, &known.names);
        let files: Vec<NamedFile> = named.values().flatten().copied().collect();
        resolve_named_ahead(query, files.clone());
        let carriers = query.map(&files, |languages, db, &one| {
            let language = languages.of(one.file.lang(db))?;
            let uses = one.uses(db, language);
            let carriers = carriers_in(db, language, one.file, &uses.of(symbol));
            Some((carriers, is_looked_up(&uses, &known.names)))
        });
        let mut found = Holders::default();
        for (one, carriers) in files.iter().zip(carriers) {
            let Some((carriers, is_looked_up)) = carriers else {
                continue;
            };
            is_value |= is_looked_up;
            for carrier in carriers {
                match carrier {
                    Carrier::Nothing => {}
                    Carrier::Value if one.has_name => is_value = true,
                    Carrier::Value => return None,
                    Carrier::Name(name) => found.names.push(name),
                }
            }
        }
        let with_name = files.iter().filter(|one| one.has_name).count();
        if is_value && with_name > MANY_FILES {
            return None;
        }
        if is_value {
            let holders = query.map(&files, |languages, db, one| {
                let language = languages.of(one.file.lang(db))?;
                language.holders(db, one.file, one.has_name, &known)
            });
            for holders in holders {
                let holders = holders?;
                found.names.extend(holders.names);
                found.functions.extend(holders.functions);
            }
        }
        let has_new_names = add_new(&mut known.names, found.names);
        let has_new_functions = add_new(&mut known.functions, found.functions);
        if !has_new_names && !has_new_functions {
            return Some(named);
        }
        if known.names.len() > MAX_NAMES || known.functions.len() > MAX_FUNCTIONS {
            return None;
        }
    }
}

/// Adds what a list does not have; returns whether there was any.
fn add_new<T: PartialEq>(list: &mut Vec<T>, found: Vec<T>) -> bool {
    let before = list.len();
    for one in found {
        if !list.contains(&one) {
            list.push(one);
        }
    }
    list.len() > before
}

/// Returns the files of some units that have one of `names`, or look names up by values.
fn files_with(query: &QueryContext<'_>, units: &[Unit], names: &[NameId]) -> NamedFiles {
    let interned = &query.db.shared().names;
    let names = names.iter().map(|&name| Finder::new(interned.text(name)));
    let names: Vec<Finder<'_>> = names.collect();
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
                has_name: names
                    .iter()
                    .any(|name| name.find(text.as_bytes()).is_some()),
            }
        });
        files
            .filter(|one| one.has_name || language.looks_up_names(db, one.file))
            .collect()
    });
    let found = units.iter().copied().zip(found);
    found.filter(|(_, files)| !files.is_empty()).collect()
}

/// Returns what carries a symbol away in a file, by its uses there.
fn carriers_in(db: &dyn Db, language: &dyn Language, file: File, uses: &[Use]) -> Vec<Carrier> {
    let carriers = uses.iter().map(|one| language.carried_by(db, file, one));
    carriers
        .filter(|&carrier| carrier != Carrier::Nothing)
        .collect()
}

/// Returns whether a file looks one of some names up by a known value: then it has a value, and no use
/// shows whether it calls it.
fn is_looked_up(uses: &FileUses, names: &[NameId]) -> bool {
    let mut sites = uses.unresolved.iter();
    sites.any(|site| site.reason == Reason::DynamicAttribute && names.contains(&site.name))
}
