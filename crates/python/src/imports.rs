//! The modules that import statements name (Python reference, "The import statement").
//!
//! ```python
//! import a.b              # a.b
//! from a import b         # the submodule a.b if there is one, else the module a, which defines b
//! from a import *         # a
//! from . import sibling   # the submodule of the importing file's package
//! ```

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, ImportRow, ImportTime, SymbolClass, SymbolId, SymbolKey,
    Unit, UnitGraph,
};
use codeweft_python_syntax::AsPython as _;
use codeweft_python_syntax::{Guard, Import};

use crate::modules::{find_module, find_relative, py_modules};
use crate::project::paths::{dotted, relative};

/// Returns the modules that each import of a file names, by the number of the import in the file's
/// header: one for each imported name that is a submodule, and the module itself if it is named
/// alone, by `*`, or for a name that it defines. A module that is not loaded is returned as absent.
#[salsa::tracked(returns(clone))]
pub fn py_import_targets(db: &dyn Db, file: File) -> Arc<[(u32, SymbolId, Option<Unit>)]> {
    let Some(header) = file.header(db).python() else {
        return Arc::default();
    };
    let Some(&unit) = UnitGraph::get(db).owners(db).get(&file) else {
        return Arc::default();
    };
    let mut targets = Vec::new();
    for (number, import) in header.imports.iter().enumerate() {
        let first = targets.len();
        for (symbol, unit) in targets_of(db, unit, import) {
            let target = (number as u32, symbol, unit);
            if !targets[first..].contains(&target) {
                targets.push(target);
            }
        }
    }
    targets.into()
}

/// Returns when an import of a file runs, by its number in the file's header.
pub(crate) fn import_time(db: &dyn Db, file: File, import: u32) -> ImportTime {
    let imports = file.header(db).python().map(|header| &header.imports);
    match imports.and_then(|imports| imports.get(import as usize)) {
        Some(import) if import.guard == Guard::TypeChecking => ImportTime::TypeChecking,
        Some(import) if import.in_function => ImportTime::Call,
        _ => ImportTime::Load,
    }
}

fn targets_of(db: &dyn Db, unit: Unit, import: &Import) -> Vec<(SymbolId, Option<Unit>)> {
    let names = &db.shared().names;
    let module = names.text(import.module);
    let package = names.text(unit.import_path(db));
    let Some(base) = relative(package, import.level, module) else {
        let dots = ".".repeat(import.level as usize);
        return vec![absent(db, &format!("{dots}{module}"))];
    };
    let loaded = |name: &str| {
        let (unit, module) = match import.level {
            0 => find_module(db, unit, name)?,
            _ => find_relative(db, unit, name)?,
        };
        Some((module.symbol, Some(unit)))
    };
    let mut found: Vec<(SymbolId, Option<Unit>)> = Vec::new();
    let mut of_module = import.names.is_empty();
    for &name in &import.names {
        match loaded(&dotted(&base, names.text(name))) {
            Some(submodule) => found.push(submodule),
            None => of_module = true,
        }
    }
    // `from . import x` in a root folder names no module that has an id.
    if of_module && !base.is_empty() {
        found.push(loaded(&base).unwrap_or_else(|| absent(db, &base)));
    }
    found
}

fn absent(db: &dyn Db, name: &str) -> (SymbolId, Option<Unit>) {
    let shared = db.shared();
    let name = shared.names.intern(name);
    let symbol = shared.symbols.intern(SymbolKey {
        declared_in: DeclaredIn::Absent(name),
        parent: None,
        class: SymbolClass::Package,
        name,
        disambiguator: Disambiguator::ONLY,
    });
    (symbol, None)
}

/// Returns the imports of a unit's files, in order of file and text.
#[salsa::tracked(returns(clone))]
pub fn py_imports(db: &dyn Db, unit: Unit) -> Arc<[ImportRow]> {
    let mut rows = Vec::new();
    let modules = py_modules(db, unit);
    for (&file, &from) in unit.files(db).iter().zip(&modules.of_file) {
        let from = modules.modules[from as usize];
        for &(import, to, unit) in py_import_targets(db, file).iter() {
            rows.push(ImportRow {
                file,
                import,
                from: from.symbol,
                to,
                unit,
            });
        }
    }
    rows.into()
}
