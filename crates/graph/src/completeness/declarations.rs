//! Sites that could declare or import what an answer lacks.

use codeweft_db::{DeclaredIn, File, Lang, NameId, NodeKind, Reason, SymbolId, Unit, first_word};
use rustc_hash::{FxHashMap, FxHashSet};

use super::escapes;
use super::incomplete_files;
use super::incomplete_files::{
    ExcludedImport, IncompleteFile, line_column, unit_excluded_imports, unit_incomplete_files,
};
use super::unresolved_sites::{SiteLocation, UnresolvedSites};
use crate::link::{Link, SiteKey};
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
    let is_known = |package: SymbolId, file: File| {
        let mut importers = query.imports().edges(package, true).iter();
        importers.any(|edge| edge.file == file)
    };
    let requested: FxHashSet<SymbolId> = packages.iter().copied().collect();
    let mut names: FxHashMap<Lang, Vec<(NameId, SymbolId)>> = FxHashMap::default();
    for &package in packages {
        let Some(language) = query.language(package) else {
            continue;
        };
        let own = language.search_names(query.db, package);
        let of_language = names.entry(language.lang()).or_default();
        of_language.extend(own.iter().map(|&name| (name, package)));
    }
    for (&lang, names) in &names {
        if let Some(language) = query.languages.of(lang) {
            let packages: Vec<SymbolId> = names.iter().map(|&(_, package)| package).collect();
            unresolved.add_offsets(language.computed_importers(query.db, &packages));
        }
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
            let excluded = unit_excluded_imports(query.db, unit);
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
    let is_known = |package: SymbolId, to: SymbolId| {
        let mut imports = query.imports().edges(package, false).iter();
        imports.any(|edge| edge.other == to)
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
        // The incomplete files of a library that is not requested may not be read yet.
        if !is_requested || unit_incomplete_files(query.db, unit).is_empty() {
            continue;
        }
        let requested_package = |file: File| {
            let package = symbols::package_of(query, file)?;
            let is_first = packages.first() == Some(&package);
            let is_other = is_first && only.is_some_and(|only| only != file);
            (!is_other && requested.contains(&package)).then_some(package)
        };
        incomplete_files::add_incomplete_where(query, &mut unresolved, &[unit], |incomplete| {
            let line = incomplete.line?;
            requested_package(incomplete.file).map(|_| (line, 1))
        });
        // Of an excluded file the first import line that says something new.
        let mut last = None;
        for import in unit_excluded_imports(query.db, unit).iter() {
            if last != Some(import.file)
                && let Some(package) = requested_package(import.file)
                && !is_known(package, import.package)
            {
                last = Some(import.file);
                let key = SiteKey::Offset(import.at);
                unresolved.add(import.file, SiteLocation::Key(key), Reason::ExcludedFile);
            }
        }
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
