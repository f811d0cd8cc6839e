//! What modules bind by imports, and which modules bind a symbol so.
//!
//! ```python
//! from shop import buy          # this module binds `buy`
//! from shop import *            # and so does this one
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, Origin, SymbolId, Unit, UnitGraph};
use codeweft_python_syntax::AsPython as _;
use rustc_hash::{FxHashMap, FxHashSet};

use super::workspace_modules::py_workspace_modules;
use crate::declared::{file_of_module, module_of};
use crate::infer::{import_source, star_module, star_sources};
use crate::uses::{imports_of_body, resolved_imports};

/// Returns the symbols that the import statements of a module's own body name, in ascending order. Resolves nothing else of it.
#[salsa::tracked(returns(clone))]
pub fn py_module_imports(db: &dyn Db, file: File) -> Arc<[SymbolId]> {
    let mut found = imports_of_body(db, file, 0);
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// Runs [`py_module_imports`] of the files of a unit of the workspace, so that a question about a name that many modules import does
/// not.
pub(crate) fn read_module_imports(db: &dyn Db, unit: Unit) {
    if unit.origin(db) == Origin::Workspace {
        for &file in unit.files(db).iter() {
            py_module_imports(db, file);
        }
    }
}

/// The names that the import statements of a file write, and the modules that its module imports all names
/// of: what is known of them without looking at what other modules declare.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportedNames {
    /// Each name of another module, with the name that it is bound to.
    names: Box<[(NameId, NameId)]>,
    stars: Box<[SymbolId]>,
}

/// Returns the names that the import statements of a file write.
#[salsa::tracked(returns(clone))]
pub fn py_imported_names(db: &dyn Db, file: File) -> Arc<ImportedNames> {
    let imports = file.header(db).python().map(|header| &header.imports);
    let imports = imports.into_iter().flatten();
    // Those in functions may bind a global name.
    let names = imports.flat_map(|import| {
        import
            .names
            .iter()
            .copied()
            .zip(import.bound.iter().copied())
    });
    let stars = star_sources(db, file).into_iter();
    let stars = stars.filter_map(|source| Some(module_of(db, source)?.1.symbol));
    Arc::new(ImportedNames {
        names: names.collect(),
        stars: stars.collect(),
    })
}

/// Returns the symbols that the imports from libraries in a module's own body name, each with the name that it is bound to: a library
/// may have them under any name. A declaration of the workspace changes nothing in it, unless the library imports that.
#[salsa::tracked(returns(clone))]
pub fn py_library_imports(db: &dyn Db, file: File) -> Arc<[(SymbolId, NameId)]> {
    let is_of_library = |import| {
        let source = import_source(db, file, import);
        source.is_some_and(|source| source.origin(db) == Origin::Library)
    };
    let found = resolved_imports(db, file, 0, is_of_library).into_iter();
    found
        .filter_map(|(symbol, bound)| Some((symbol, bound?)))
        .collect()
}

/// Which modules may bind what by imports: those of the workspace, and those that star imports lead to from there. No part of
/// it depends on what a module of the workspace declares, so that a new declaration changes nothing in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleImporters {
    /// The modules whose imports were read.
    modules: FxHashSet<SymbolId>,
    /// The modules, with their files, by the names that they import.
    by_name: FxHashMap<NameId, Vec<(SymbolId, File)>>,
    /// The modules by the symbols that they import from libraries, each with the name that it is bound to.
    of_libraries: FxHashMap<SymbolId, Vec<(SymbolId, NameId)>>,
    /// The other names to which modules bind a name that they import.
    other_names: FxHashMap<NameId, Vec<NameId>>,
    /// The modules, with their files, by the module that they import all names of.
    by_star: FxHashMap<SymbolId, Vec<(SymbolId, File)>>,
    /// The modules without a text, which may bind anything.
    unread: Vec<SymbolId>,
}

/// Returns which modules bind what by imports.
#[salsa::tracked(returns(clone))]
pub fn py_module_importers(db: &dyn Db, graph: UnitGraph) -> Arc<ModuleImporters> {
    let own = py_workspace_modules(db, graph);
    let mut waiting: Vec<SymbolId> = own.modules.iter().map(|module| module.symbol).collect();
    let mut found = ModuleImporters {
        modules: waiting.iter().copied().collect(),
        ..ModuleImporters::default()
    };
    while let Some(module) = waiting.pop() {
        let Some(file) = file_of_module(db, module) else {
            found.unread.push(module);
            continue;
        };
        let imported = py_imported_names(db, file);
        for &(name, bound) in &imported.names {
            let importers = found.by_name.entry(name).or_default();
            if importers.last() != Some(&(module, file)) {
                importers.push((module, file));
            }
            if bound != name {
                // Another module imports it by that name.
                let others = found.other_names.entry(name).or_default();
                if !others.contains(&bound) {
                    others.push(bound);
                }
            }
        }
        for &(symbol, bound) in py_library_imports(db, file).iter() {
            let importers = found.of_libraries.entry(symbol).or_default();
            importers.push((module, bound));
        }
        for &source in &imported.stars {
            found
                .by_star
                .entry(source)
                .or_default()
                .push((module, file));
            if found.modules.insert(source) {
                waiting.push(source);
            }
        }
    }
    Arc::new(found)
}

impl ModuleImporters {
    /// Returns whether a module is one of those whose imports were read.
    pub(super) fn covers(&self, module: SymbolId) -> bool {
        self.modules.contains(&module)
    }

    /// Returns the modules whose imports bind a symbol.
    pub(super) fn of(&self, db: &dyn Db, symbol: SymbolId) -> FxHashSet<SymbolId> {
        let key = db.shared().symbols.key(symbol);
        let of_libraries = self.of_libraries.get(&symbol).into_iter().flatten();
        let mut names = vec![key.name];
        names.extend(of_libraries.clone().map(|&(_, bound)| bound));
        let mut at = 0;
        while let Some(name) = names.get(at) {
            let others = self.other_names.get(name).into_iter().flatten();
            let new: Vec<NameId> = others.filter(|one| !names.contains(one)).copied().collect();
            names.extend(new);
            at += 1;
        }
        let mut found: FxHashSet<SymbolId> = of_libraries.map(|&(module, _)| module).collect();
        for &(module, file) in names
            .iter()
            .filter_map(|name| self.by_name.get(name))
            .flatten()
        {
            if !found.contains(&module)
                && py_module_imports(db, file).binary_search(&symbol).is_ok()
            {
                found.insert(module);
            }
        }
        let mut waiting: Vec<SymbolId> = found.iter().copied().chain(key.parent).collect();
        while let Some(source) = waiting.pop() {
            for &(module, file) in self.by_star.get(&source).into_iter().flatten() {
                if !found.contains(&module) && star_module(db, file, key.name) == Some(source) {
                    found.insert(module);
                    waiting.push(module);
                }
            }
        }
        found.extend(&self.unread);
        found
    }
}
