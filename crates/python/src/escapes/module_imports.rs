//! What modules bind by imports, and which modules bind a symbol so.
//!
//! ```python
//! from shop import buy          # this module binds `buy`
//! from shop import *            # and so does this one
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, SymbolId, UnitGraph};
use rustc_hash::{FxHashMap, FxHashSet};

use super::workspace_modules::py_workspace_modules;
use crate::declared::{file_of_module, module_of};
use crate::infer::{star_module, star_sources};
use crate::uses::imports_of_body;

/// Returns the symbols that the import statements of a module's own body name, in ascending order. Resolves nothing else of it.
#[salsa::tracked(returns(clone))]
pub fn py_module_imports(db: &dyn Db, file: File) -> Arc<[SymbolId]> {
    let mut found = imports_of_body(db, file, 0);
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// Which modules bind what by imports: those of the workspace, and those that star imports lead to from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleImporters {
    /// The modules whose imports were read.
    modules: FxHashSet<SymbolId>,
    /// The modules by what their imports name.
    by_symbol: FxHashMap<SymbolId, Vec<SymbolId>>,
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
        for &symbol in py_module_imports(db, file).iter() {
            found.by_symbol.entry(symbol).or_default().push(module);
        }
        for source in star_sources(db, file) {
            let Some((_, source)) = module_of(db, source) else {
                continue;
            };
            let importers = found.by_star.entry(source.symbol).or_default();
            importers.push((module, file));
            if found.modules.insert(source.symbol) {
                waiting.push(source.symbol);
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
        let named = self.by_symbol.get(&symbol).into_iter().flatten().copied();
        let mut found: FxHashSet<SymbolId> = named.collect();
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
