//! The modules of a unit and their symbols.

use std::sync::Arc;

use codeweft_db::{
    Db, File, Home, NONE, NameId, NodeKind, Nth, SymbolClass, SymbolId, SymbolKey, SymbolRow, Unit,
    UnitSymbols,
};

use crate::layout::{dotted, stem};

/// The modules of a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Modules {
    /// The folder's own first, the others in order of file.
    pub modules: Box<[Module]>,
    /// The module of each file of the unit, by its number in `modules`.
    pub of_file: Box<[u32]>,
}

/// A module or package.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module {
    /// Its symbol.
    pub symbol: SymbolId,
    /// Its printed name: the dotted name in its root, behind the root where that is not plain.
    pub name: NameId,
    /// Its name in the folder; the empty name for the folder's own.
    pub stem: NameId,
    /// Its file, by number; of several the `.py`. [`NONE`] for a namespace package.
    pub file: u32,
}

/// The symbol of a module by its printed name.
fn module_symbol(db: &dyn Db, unit: Unit, name: NameId) -> SymbolId {
    db.shared().symbols.intern(SymbolKey {
        home: Home::Unit(unit),
        parent: None,
        class: SymbolClass::Package,
        name,
        nth: Nth::ONLY,
    })
}

/// The symbol of the folder itself: its `__init__`, else its namespace package.
pub(crate) fn package_symbol(db: &dyn Db, unit: Unit) -> SymbolId {
    module_symbol(db, unit, unit.name(db))
}

/// The modules of a unit: one for each name; a `.pyi` beside a `.py` is the same module. The
/// folder's own is there unless it is a root's own folder without `__init__.py`.
#[salsa::tracked(returns(clone))]
pub fn py_modules(db: &dyn Db, unit: Unit) -> Arc<Modules> {
    let names = &db.shared().names;
    let (printed, package) = (names.text(unit.name(db)), names.text(unit.import_path(db)));
    let prefix = printed.strip_suffix(package).unwrap_or("");
    let files = unit.files(db);
    let mut modules: Vec<Module> = Vec::new();
    let mut add = |stem: &str, file: u32| {
        let stem = names.intern(stem);
        if let Some(known) = modules.iter().position(|module| module.stem == stem) {
            let module = &mut modules[known];
            // Files come in order of bytes: `.py` before `.pyi`.
            if module.file == NONE {
                module.file = file;
            }
            return known as u32;
        }
        let name = names.intern(&format!("{prefix}{}", dotted(package, names.text(stem))));
        modules.push(Module {
            symbol: module_symbol(db, unit, name),
            name,
            stem,
            file,
        });
        modules.len() as u32 - 1
    };
    let module_of = |file: &File| match stem(file.path(db)) {
        "__init__" => "",
        stem => stem,
    };
    let has_own = files.iter().any(|file| module_of(file).is_empty());
    if has_own || !package.is_empty() {
        add("", NONE);
    }
    let of_file = files
        .iter()
        .enumerate()
        .map(|(number, file)| add(module_of(file), number as u32))
        .collect();
    Arc::new(Modules {
        modules: modules.into(),
        of_file,
    })
}

/// The module of a unit that a dotted name means, as tables have it: from the unit's root, or
/// from a folder above that root.
pub(crate) fn module_named(db: &dyn Db, unit: Unit, name: &str) -> Option<Module> {
    let names = &db.shared().names;
    let package = names.text(unit.import_path(db));
    let modules = py_modules(db, unit);
    let mut rest = Some(name);
    while let Some(name) = rest {
        let stem = match name.strip_prefix(package) {
            Some(stem) if package.is_empty() || stem.is_empty() => Some(stem),
            Some(rest) => rest.strip_prefix('.'),
            None => None,
        };
        let found = stem
            .and_then(|stem| names.get(stem))
            .and_then(|stem| modules.modules.iter().find(|module| module.stem == stem));
        if let Some(&module) = found {
            return Some(module);
        }
        rest = name.split_once('.').map(|(_, rest)| rest);
    }
    None
}

/// The declarations of a unit: its modules.
#[salsa::tracked(returns(clone))]
pub fn py_symbols(db: &dyn Db, unit: Unit) -> Arc<UnitSymbols> {
    let modules = py_modules(db, unit);
    let names = &db.shared().names;
    let rows = modules.modules.iter().map(|module| SymbolRow {
        symbol: module.symbol,
        name: module.name,
        parent: NONE,
        kind: NodeKind::Package,
        public: is_public(names.text(module.name)),
        file: module.file,
        item: NONE,
        field: NONE,
        tok: NONE,
    });
    Arc::new(UnitSymbols::from_rows(rows.collect()))
}

/// Whether no part of a dotted name starts with one underscore; `__main__` is public.
fn is_public(name: &str) -> bool {
    name.split('.')
        .all(|part| !part.starts_with('_') || part.starts_with("__") && part.ends_with("__"))
}
