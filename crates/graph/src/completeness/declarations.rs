//! Sites that could declare or import what an answer lacks.

use std::cell::OnceCell;

use codeweft_db::{DeclaredIn, File, Lang, NameId, NodeKind, Reason, SymbolId, Unit, first_word};
use rustc_hash::{FxHashMap, FxHashSet};

use super::escapes;
use super::incomplete_files;
use super::incomplete_files::{ExcludedImport, IncompleteFile, line_column};
use super::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::link::Link;
use crate::query_context::QueryContext;
use crate::symbols;

/// Returns the sites that could declare a subclass of `class` without naming it in a class
/// statement: the class or a subclass of it escapes as a value, or a class has an unknown base.
pub(crate) fn possible_classes(query: &QueryContext<'_>, class: SymbolId) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    if let Some(language) = query.language(class) {
        unresolved.add_offsets(language.unknown_subclasses(query.db, class));
    }
    for (file, one) in escapes::class_escapes(query, class) {
        let key = Link::of_use(file, &one).key;
        unresolved.add(file, SiteLocation::Key(key), Reason::Escapes);
    }
    unresolved
}

/// Returns the sites that could import one of `packages` although no import line says so:
/// incomplete files that mention it, and computed module names.
pub(crate) fn possible_importers(
    query: &QueryContext<'_>,
    packages: &[SymbolId],
) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    // Few files have errors, and excluded ones have no rows.
    let known: OnceCell<FxHashSet<(SymbolId, File)>> = OnceCell::new();
    let is_known = |package: SymbolId, file: File| {
        let rows = || query.imports().parts.iter().flat_map(|rows| rows.iter());
        let known = known.get_or_init(|| rows().map(|row| (row.to, row.file)).collect());
        known.contains(&(package, file))
    };
    let requested: FxHashSet<SymbolId> = packages.iter().copied().collect();
    let mut names: FxHashMap<Lang, Vec<(NameId, SymbolId)>> = FxHashMap::default();
    for &package in packages {
        let Some(language) = query.language(package) else {
            continue;
        };
        unresolved.add_offsets(language.computed_importers(query.db, package));
        let own = language.search_names(query.db, package);
        let of_language = names.entry(language.lang()).or_default();
        of_language.extend(own.iter().map(|&name| (name, package)));
    }
    for (&lang, names) in &names {
        let mentions = |file: &IncompleteFile| {
            let mut names = names.iter();
            names.any(|&(name, package)| {
                file.identifiers.contains(name) && !is_known(package, file.file)
            })
        };
        for &unit in query.units.of_lang(lang).iter() {
            query.poll_cancellation();
            // Of an excluded file the import lines say it.
            incomplete_files::add_incomplete_where(query, &mut unresolved, &[unit], |incomplete| {
                let line = incomplete.line?;
                mentions(incomplete).then_some((line, 1))
            });
            let excluded = incomplete_files::unit_excluded_imports(query.db, unit);
            let possible = excluded.iter();
            let possible = possible.filter(|one| requested.contains(&one.package));
            let offset = |one: &ExcludedImport| (one.file, one.at, Reason::ExcludedFile);
            unresolved.add_offsets(possible.map(offset).collect());
        }
    }
    unresolved
}

/// Returns the sites where `packages` could import more than their import lines say: computed
/// module names, files with errors, and excluded files that import something the package
/// imports nowhere else. `only` restricts the first package to one file.
pub(crate) fn possible_imports(
    query: &QueryContext<'_>,
    packages: &[SymbolId],
    only: Option<File>,
) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    for &package in packages {
        let Some(language) = query.language(package) else {
            continue;
        };
        unresolved.add_offsets(language.computed_imports(query.db, package));
    }
    let requested: FxHashSet<SymbolId> = packages.iter().copied().collect();
    let known: FxHashSet<(SymbolId, SymbolId)> = {
        let rows = query.imports().parts.iter().flat_map(|rows| rows.iter());
        let own = rows.filter(|row| requested.contains(&row.from));
        own.map(|row| (row.from, row.to)).collect()
    };
    let homes: FxHashSet<Unit> = {
        let homes = packages
            .iter()
            .map(|&package| query.key(package).declared_in);
        let units = homes.filter_map(|home| match home {
            DeclaredIn::Unit(unit) => Some(unit),
            _ => None,
        });
        units.collect()
    };
    for &unit in query.units.all.iter() {
        let Some(language) = query.languages.of(unit.lang(query.db)) else {
            continue;
        };
        // In-package tests have their own unit, and a unit may hold many modules.
        let is_requested =
            homes.contains(&unit) || requested.contains(&language.package(query.db, unit));
        if !is_requested {
            continue;
        }
        incomplete_files::add_incomplete_where(query, &mut unresolved, &[unit], |incomplete| {
            let package = symbols::package_of(query, incomplete.file)?;
            let is_first = packages.first() == Some(&package);
            let is_other = is_first && only.is_some_and(|only| only != incomplete.file);
            if is_other || !requested.contains(&package) {
                return None;
            }
            if let Some(line) = incomplete.line {
                return Some((line, 1));
            }
            let imports = language.imports_of_excluded(query.db, incomplete.file);
            let mut new = imports
                .iter()
                .filter(|(to, _)| !known.contains(&(package, *to)));
            let (_, position) = new.next()?;
            Some(line_column(incomplete.file.text(query.db), *position))
        });
    }
    unresolved
}

/// Returns incomplete files of `units` that mention all of `names` and could declare one as a
/// method. An excluded file must declare such a method, or a type that could embed one.
pub(crate) fn possible_declarers(
    query: &QueryContext<'_>,
    units: &[Unit],
    names: &[NameId],
) -> UnresolvedSites {
    let mut unresolved = UnresolvedSites::default();
    if names.is_empty() {
        return unresolved;
    }
    incomplete_files::add_incomplete_where(query, &mut unresolved, units, |incomplete| {
        if !names
            .iter()
            .all(|&name| incomplete.identifiers.contains(name))
        {
            return None;
        }
        if let Some(line) = incomplete.line {
            return Some((line, 1));
        }
        let language = query.languages.of(incomplete.file.lang(query.db))?;
        let declared = language.declarations_of_excluded(query.db, incomplete.file);
        let mut methods = declared.iter().filter(|one| one.kind == NodeKind::Method);
        let mut types = declared.iter().filter(|one| one.kind.is_type());
        let first = match methods.find(|one| names.contains(&one.name)) {
            Some(method) => method.declaration.name.start,
            None => {
                types.next()?;
                first_word(query.db, incomplete.file, names).unwrap_or(0)
            }
        };
        Some(line_column(incomplete.file.text(query.db), first))
    });
    unresolved
}
