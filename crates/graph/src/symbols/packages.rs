//! Packages: of files, of units, and all of them.

use codeweft_db::{
    Db, DeclaredIn, File, Lang, Language, NodeKind, Origin, SymbolClass, SymbolId, Unit,
};
use rustc_hash::FxHashSet;

use super::ids;
use super::memo::NamedPackage;
use crate::query_context::QueryContext;

/// Returns whether a symbol belongs to a library, to an absent package or to the builtins.
pub(crate) fn is_external(query: &QueryContext<'_>, symbol: SymbolId) -> bool {
    match query.key(symbol).declared_in {
        DeclaredIn::Unit(unit) => unit.origin(query.db) == Origin::Library,
        _ => true,
    }
}

/// Returns the units of the workspace.
pub(crate) fn own_units(query: &QueryContext<'_>) -> Vec<Unit> {
    let units = query.units.all.iter().copied();
    units.filter(|&unit| !is_library(query, unit)).collect()
}

/// Returns the package of a file: the file's own module (Python), else the package of its unit.
pub(crate) fn package_of(query: &QueryContext<'_>, file: File) -> Option<SymbolId> {
    let unit = query.owner(file)?;
    let language = query.languages.of(unit.lang(query.db))?;
    if let Some(module) = language.module(query.db, file) {
        return Some(module);
    }
    let number = language
        .files(query.db, unit)
        .iter()
        .position(|&one| one == file);
    let symbols = query.symbols(unit);
    let mut rows = symbols.rows.iter();
    let declared = number.and_then(|number| {
        rows.find(|row| row.kind == NodeKind::Package && row.file == number as u32)
    });
    Some(match declared {
        Some(row) => row.symbol,
        None => language.package(query.db, unit),
    })
}

/// Returns the package that a symbol is declared in; itself for a package, `None` outside of units.
pub(crate) fn package_around(
    db: &dyn Db,
    language: &dyn Language,
    symbol: SymbolId,
) -> Option<SymbolId> {
    let mut enclosing = symbol;
    loop {
        let key = db.shared().symbols.key(enclosing);
        match (key.class, key.parent, key.declared_in) {
            (SymbolClass::Package, _, _) => return Some(enclosing),
            (_, Some(parent), _) => enclosing = parent,
            (_, None, DeclaredIn::Unit(unit)) => return Some(language.package(db, unit)),
            (_, None, _) => return None,
        }
    }
}

/// Returns the package that a unit is; `None` if the unit only holds modules.
pub(crate) fn own_package(query: &QueryContext<'_>, unit: Unit) -> Option<SymbolId> {
    let language = query.languages.of(unit.lang(query.db))?;
    let package = language.package(query.db, unit);
    let holds_modules = || {
        let mut files = unit.files(query.db).iter();
        files.any(|&file| language.module(query.db, file).is_some())
    };
    let declared = !holds_modules() || query.symbols(unit).row(package).is_some();
    declared.then_some(package)
}

/// Returns the packages of a unit's folder: the unit's own, else its modules.
pub(crate) fn packages_in(query: &QueryContext<'_>, unit: Unit) -> Vec<SymbolId> {
    match own_package(query, unit) {
        Some(package) => vec![package],
        None => {
            let symbols = query.symbols(unit);
            let rows = symbols.rows.iter();
            let modules = rows.filter(|row| row.kind == NodeKind::Package);
            modules.map(|row| row.symbol).collect()
        }
    }
}

/// Returns whether a unit belongs to a library.
pub(crate) fn is_library(query: &QueryContext<'_>, unit: Unit) -> bool {
    unit.origin(query.db) == Origin::Library
}

/// Returns all packages and modules, absent ones included.
pub(crate) fn packages<'q>(query: &'q QueryContext<'_>) -> &'q [NamedPackage] {
    query.cache.symbols.packages.get_or_init(|| {
        let mut packages = Vec::new();
        let mut seen = FxHashSet::default();
        let mut add = |symbol: SymbolId, lang: Lang, external: bool| {
            if seen.insert(symbol) {
                packages.push(NamedPackage {
                    symbol,
                    lang,
                    id: ids::id(query, symbol),
                    external,
                });
            }
        };
        for &unit in query.units.all.iter() {
            let lang = unit.lang(query.db);
            let external = is_library(query, unit);
            if let Some(package) = own_package(query, unit) {
                add(package, lang, external);
            }
            // Elsewhere a unit declares no package but its own.
            if lang.packages_are_files {
                for row in query.symbols(unit).rows.iter() {
                    if row.kind == NodeKind::Package {
                        add(row.symbol, lang, external);
                    }
                }
            }
        }
        for row in query.imports().parts.iter().flat_map(|rows| rows.iter()) {
            if row.unit.is_none()
                && let Some(lang) = query.lang(row.to)
            {
                add(row.to, lang, true);
            }
        }
        packages
    })
}
