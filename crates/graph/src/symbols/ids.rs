//! Printed ids of symbols, and the way back (docs/graph.md §1, "IDs").
//!
//! ```text
//! net/http.Server.Close        package, type, method
//! m.home#2                     the second definition of home in m
//! m.f.<locals>.helper          a function inside a Python function
//! py:app.main                  prefixed: Go has the same id
//! ```

use std::sync::Arc;

use codeweft_db::{DeclaredIn, Lang, NameId, NodeKind, SymbolClass, SymbolId, SymbolKey, Unit};

use super::declarations;
use crate::languages::LOCALS;
use crate::query_context::QueryContext;

/// Returns the printed id of a symbol, without a language prefix.
pub(crate) fn id(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<str> {
    query.caches.ids.get_or(symbol, || {
        let known = &query.cache.symbols.ids;
        known.get_or(symbol, || printed(query, symbol).into())
    })
}

fn printed(query: &QueryContext<'_>, symbol: SymbolId) -> String {
    let key = query.key(symbol);
    let names = &query.db.shared().names;
    if key.class == SymbolClass::Package {
        return names.text(package_name(query, symbol, &key)).to_owned();
    }
    let mut id = match (key.parent, key.declared_in) {
        (Some(parent), _) => {
            let mut id = id(query, parent).to_string();
            id.push_str(match (query.key(parent).class, query.lang(symbol)) {
                (SymbolClass::Function | SymbolClass::Method, Some(lang)) => lang.inside_function,
                _ => ".",
            });
            id
        }
        (None, DeclaredIn::Unit(unit)) => format!("{}.", names.text(unit.name(query.db))),
        (None, DeclaredIn::Absent(path)) => format!("{}.", names.text(path)),
        (None, DeclaredIn::Builtin(_)) => String::new(),
    };
    id.push_str(names.text(key.name));
    let number = definition_number(query, symbol, &key);
    if number > 1 {
        id.push_str(&format!("#{number}"));
    }
    id
}

/// Returns the printed name of a package: its unit's name if the unit is that package, else its
/// own.
fn package_name(query: &QueryContext<'_>, symbol: SymbolId, key: &SymbolKey) -> NameId {
    match key.declared_in {
        DeclaredIn::Unit(unit) => match query.languages.of(unit.lang(query.db)) {
            Some(language) if language.package(query.db, unit) == symbol => unit.name(query.db),
            _ => key.name,
        },
        DeclaredIn::Absent(path) => path,
        DeclaredIn::Builtin(_) => key.name,
    }
}

/// Returns the number of a symbol among those of its parent and name, from 1: by unit (tests
/// last), file and text.
fn definition_number(query: &QueryContext<'_>, symbol: SymbolId, key: &SymbolKey) -> u32 {
    let mut number = 0;
    for other in same_named(query, key) {
        number += 1;
        if other == symbol {
            return number;
        }
    }
    key.disambiguator.n + 1
}

/// Returns all declarations of a parent and name, in order of their numbers.
fn same_named(query: &QueryContext<'_>, key: &SymbolKey) -> Vec<SymbolId> {
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return Vec::new();
    };
    let units = query.units.named(unit.lang(query.db), unit.name(query.db));
    declarations::declared(query, units, key.parent, key.name)
}

/// Returns the id of the package that a symbol belongs to; empty for builtins.
pub(crate) fn package_id(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<str> {
    let mut enclosing = symbol;
    loop {
        let key = query.key(enclosing);
        match (key.class, key.parent, key.declared_in) {
            (SymbolClass::Package, _, _) => return id(query, enclosing),
            (_, Some(parent), _) => enclosing = parent,
            (_, None, DeclaredIn::Unit(unit)) => {
                return match query.languages.of(unit.lang(query.db)) {
                    Some(language) => id(query, language.package(query.db, unit)),
                    None => query.db.shared().names.text(unit.name(query.db)).into(),
                };
            }
            (_, None, DeclaredIn::Absent(path)) => {
                return query.db.shared().names.text(path).into();
            }
            (_, None, DeclaredIn::Builtin(_)) => return "".into(),
        }
    }
}

/// Returns the id of the enclosing type or function, else of the package; empty for a package.
pub(crate) fn container(query: &QueryContext<'_>, symbol: SymbolId) -> Arc<str> {
    let key = query.key(symbol);
    match (key.class, key.parent) {
        (SymbolClass::Package, _) => "".into(),
        (_, Some(parent)) => id(query, parent),
        (_, None) => package_id(query, symbol),
    }
}

/// Returns the id, with a language prefix if another language has the same id.
pub(crate) fn distinct_id(query: &QueryContext<'_>, symbol: SymbolId) -> String {
    let id = id(query, symbol);
    match by_id(query, &id).len() {
        0 | 1 => id.to_string(),
        _ => match query.lang(symbol) {
            Some(lang) => format!("{}{id}", lang.id_prefix),
            None => id.to_string(),
        },
    }
}

/// Returns the symbols with exactly this id, at most one per language, in the order of
/// languages. A language prefix chooses one.
pub(crate) fn by_id(query: &QueryContext<'_>, text: &str) -> Vec<SymbolId> {
    let languages = query.languages.0.iter();
    languages
        .filter_map(|language| {
            let lang = language.lang();
            let of_other = query
                .languages
                .0
                .iter()
                .any(|other| other.lang() != lang && text.starts_with(other.lang().id_prefix));
            let prefix = lang.id_prefix;
            match text.strip_prefix(prefix) {
                Some(rest) => by_id_in(query, lang, rest),
                None if of_other => None,
                None => by_id_in(query, lang, text),
            }
        })
        .collect()
}

/// Returns the symbol of a language with exactly this id. Declarations come before packages
/// that are not loaded.
pub(crate) fn by_id_in(query: &QueryContext<'_>, lang: Lang, id: &str) -> Option<SymbolId> {
    // All imports are read last: most ids are those of declarations.
    if let Some(package) = loaded_package(query, lang, id) {
        return Some(package);
    }
    for (at, _) in id.rmatch_indices('.') {
        let (package, rest) = (&id[..at], &id[at + 1..]);
        let Some(name) = query.db.shared().names.get(package) else {
            continue;
        };
        let units = query.units.named(lang, name);
        if !units.is_empty()
            && let Some(found) = member(query, units, None, rest)
        {
            return Some(found);
        }
        if let Some(module) = loaded_package(query, lang, package)
            && let DeclaredIn::Unit(unit) = query.key(module).declared_in
            && let Some(found) = member(query, &[unit], Some(module), rest)
        {
            return Some(found);
        }
    }
    let package = || absent_package(query, lang, id);
    let absent = || absent(query, lang, id).first().copied();
    builtin(query, lang, id).or_else(package).or_else(absent)
}

/// Returns the uses of members of a package that is not loaded, by id. The kind of such a
/// member is unknown, so several symbols may have the id.
pub(super) fn absent(query: &QueryContext<'_>, lang: Lang, text: &str) -> Vec<SymbolId> {
    let names = &query.db.shared().names;
    let enclosing = text.rmatch_indices('.').map(|(at, _)| &text[..at]);
    let mut packages = std::iter::once(text).chain(enclosing);
    let is_absent = packages.any(|package| {
        let name = names.get(package);
        name.is_some_and(|name| query.imports().language_of_absent(name) == Some(lang))
    });
    let last = text.rsplit('.').next().unwrap_or(text);
    let last = query.db.shared().known_name(last);
    let Some(last) = last.filter(|_| is_absent) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for &unit in query.units.of_lang(lang).iter() {
        let Some(language) = query.languages.of(lang) else {
            continue;
        };
        let is_named = language.identifiers(query.db, unit).contains(last)
            || language.looks_up_by_literal(query.db, unit, &[last]);
        if is_named {
            let index = language.index(query.db, unit);
            found.extend(index.targets().filter(|&target| {
                matches!(query.key(target).declared_in, DeclaredIn::Absent(_))
                    && &*id(query, target) == text
            }));
        }
    }
    found.sort_unstable_by_key(|&symbol| {
        let key = query.key(symbol);
        let package = match key.declared_in {
            DeclaredIn::Absent(package) => names.text(package),
            _ => "",
        };
        (key.class, package)
    });
    found.dedup();
    found
}

/// Returns the package of a printed name, absent ones included.
pub(crate) fn package_by_name(
    query: &QueryContext<'_>,
    lang: Lang,
    name: &str,
) -> Option<SymbolId> {
    loaded_package(query, lang, name).or_else(|| absent_package(query, lang, name))
}

/// Returns the package of a printed name, if it is loaded.
fn loaded_package(query: &QueryContext<'_>, lang: Lang, name: &str) -> Option<SymbolId> {
    let names = &query.db.shared().names;
    let language = query.languages.of(lang)?;
    let name = names.get(name)?;
    let unit = query.units.named(lang, name).first();
    if let Some(&unit) = unit {
        let package = language.package(query.db, unit);
        if package_name(query, package, &query.key(package)) == name {
            return Some(package);
        }
    }
    // Modules that share a unit: their rows have the full name.
    let sharing = lang.packages_are_files.then(|| query.units.of_lang(lang));
    for unit in sharing.iter().flat_map(|units| units.iter()) {
        let symbols = query.symbols(*unit);
        for row in symbols.named(name) {
            let row = &symbols.rows[row as usize];
            if row.kind == NodeKind::Package && &*id(query, row.symbol) == names.text(name) {
                return Some(row.symbol);
            }
        }
    }
    None
}

/// Returns the package of a printed name that an import names but that is not loaded.
fn absent_package(query: &QueryContext<'_>, lang: Lang, name: &str) -> Option<SymbolId> {
    let name = query.db.shared().names.get(name)?;
    let is_absent = query.imports().language_of_absent(name) == Some(lang);
    is_absent.then(|| query.imports().missing(name))?
}

/// Returns symbols of packages that are not loaded but have the id of a declaration: an import
/// line takes the declaration, or what encloses it, for a package.
pub(super) fn absent_of_declared(query: &QueryContext<'_>, lang: Lang, id: &str) -> Vec<SymbolId> {
    let names = &query.db.shared().names;
    let imports = query.imports();
    let is_missing = |package: &str| {
        let name = names.get(package);
        name.is_some_and(|name| imports.missing(name).is_some())
    };
    let enclosing = id.rmatch_indices('.').map(|(at, _)| &id[..at]);
    if !std::iter::once(id).chain(enclosing).any(is_missing) {
        return Vec::new();
    }
    let mut found = absent(query, lang, id);
    let package = names.get(id).and_then(|name| imports.missing(name));
    found.extend(package.filter(|package| !found.contains(package)));
    found
}

/// Returns the declaration of units under a parent by the rest of an id. A part without a
/// number means the first redefinition that declares the rest.
fn member(
    query: &QueryContext<'_>,
    units: &[Unit],
    parent: Option<SymbolId>,
    rest: &str,
) -> Option<SymbolId> {
    let (segment, rest) = match rest.split_once('.') {
        Some((segment, rest)) => (segment, Some(rest)),
        None => (rest, None),
    };
    let (name, number) = split_number(segment);
    let name = query.db.shared().known_name(name)?;
    let mut found = declarations::declared(query, units, parent, name);
    if found.is_empty()
        && let Some(parent) = parent
    {
        found = declarations::declared_inside(query, parent, name);
    }
    let first = number.checked_sub(1)? as usize;
    let Some(rest) = rest else {
        return found.get(first).copied();
    };
    let inside = LOCALS.trim_matches('.');
    let rest = match rest.split_once('.') {
        Some((first, rest)) if first == inside => rest,
        _ => rest,
    };
    let count = if segment.contains('#') {
        1
    } else {
        found.len()
    };
    let enclosing = found.into_iter().skip(first).take(count);
    enclosing
        .into_iter()
        .find_map(|symbol| member(query, units, Some(symbol), rest))
}

/// Returns a builtin of a language, or a member of one.
pub(crate) fn builtin(query: &QueryContext<'_>, lang: Lang, text: &str) -> Option<SymbolId> {
    let universe = query.languages.of(lang)?.universe(query.db);
    let rows = universe.types.iter().chain(&universe.interfaces);
    let mut symbols = rows.flat_map(|row| {
        let methods = row.methods.iter().map(|method| method.symbol);
        std::iter::once(row.symbol).chain(methods)
    });
    symbols.find(|&symbol| &*id(query, symbol) == text)
}

/// Splits a segment of an id into its name and the number of the redefinition, from 1.
pub fn split_number(segment: &str) -> (&str, u32) {
    match segment.rsplit_once('#') {
        Some((name, number)) if !name.is_empty() => match number.parse() {
            Ok(number) => (name, number),
            Err(_) => (segment, 1),
        },
        _ => (segment, 1),
    }
}

/// Sorts symbols by (language, id) and drops duplicates.
pub(crate) fn in_order(query: &QueryContext<'_>, mut symbols: Vec<SymbolId>) -> Vec<SymbolId> {
    symbols.sort_unstable();
    symbols.dedup();
    symbols.sort_by_cached_key(|&symbol| (query.lang(symbol), id(query, symbol)));
    symbols
}

/// Returns the ids of symbols, sorted.
pub(crate) fn ids_of(query: &QueryContext<'_>, symbols: &[SymbolId]) -> Vec<String> {
    let mut ids: Vec<String> = symbols.iter().map(|&one| distinct_id(query, one)).collect();
    ids.sort_unstable();
    ids
}
