//! The modules of the workspace by what they bind and by their names, each a query: a question looks many symbols up in many modules.
//!
//! ```python
//! from shop import buy          # this module binds `buy`
//! from shop import *            # and so does this one
//! importlib.import_module(f"plugins.{name}")   # a module whose dotted name fits
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, Origin, SymbolId, Unit, UnitGraph, file_bodies};
use codeweft_python_syntax::{AsPython as _, PYTHON, UseKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::imports::Dotted;
use crate::classes::conditional_redefinitions;
use crate::declared::{file_of_module, items, module_of};
use crate::infer::{Frame, star_module, star_sources};
use crate::modules::py_modules;
use crate::uses::import_symbol;

/// The modules of the workspace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkspaceModules {
    pub(super) modules: Vec<Dotted>,
    /// The indexes of the modules by each end of their dotted names: of `a.b` by `b` and by `a.b`.
    by_end: FxHashMap<String, Vec<u32>>,
}

/// Returns the modules of the workspace.
#[salsa::tracked(returns(clone))]
pub fn py_workspace_modules(db: &dyn Db, graph: UnitGraph) -> Arc<WorkspaceModules> {
    let mut found = WorkspaceModules::default();
    let units = graph.units(db).iter().copied();
    let is_own = |unit: &Unit| unit.lang(db) == PYTHON && unit.origin(db) == Origin::Workspace;
    for unit in units.filter(is_own) {
        for module in &py_modules(db, unit).modules {
            let (module, number) = (Dotted::of(db, module.symbol), found.modules.len() as u32);
            for end in module.ends() {
                found.by_end.entry(end.to_owned()).or_default().push(number);
            }
            found.modules.push(module);
        }
    }
    Arc::new(found)
}

impl WorkspaceModules {
    /// Returns the modules that one of some names is of, or of one in them ([`Dotted::is_named_by`]).
    pub(super) fn named_by<'n>(&self, names: impl Iterator<Item = &'n str>) -> FxHashSet<SymbolId> {
        let mut found = FxHashSet::default();
        for name in names {
            if name.starts_with('.') {
                return self.modules.iter().map(|module| module.symbol).collect();
            }
            let ends = name.match_indices('.').map(|(at, _)| at);
            let prefixes = ends.chain([name.len()]).map(|end| &name[..end]);
            let numbers = prefixes.filter_map(|prefix| self.by_end.get(prefix));
            let modules = numbers
                .flatten()
                .filter_map(|&at| self.modules.get(at as usize));
            found.extend(modules.map(|module| module.symbol));
        }
        found
    }
}

/// Returns the symbols that the import statements of a module's own body name, in ascending order. Resolves nothing else of it.
#[salsa::tracked(returns(clone))]
pub fn py_module_imports(db: &dyn Db, file: File) -> Arc<[SymbolId]> {
    let bodies = file_bodies(db, file);
    let (Some(items), Some(bodies)) = (items(db, file), bodies.python()) else {
        return Arc::default();
    };
    let Some(own) = bodies.bodies.first() else {
        return Arc::default();
    };
    let frame = Frame::new(db, file, items, 0, &bodies.code, own.nodes);
    let uses = bodies.uses.get(own.uses.iter()).unwrap_or(&[]);
    let mut found: Vec<SymbolId> = Vec::new();
    for one in uses {
        if let UseKind::Import { import, which } = one.kind
            && let Some(named) = import_symbol(&frame, import, which)
        {
            found.push(named);
            found.extend(conditional_redefinitions(db, named));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// Which modules bind what by imports: those of the workspace, and those that star imports lead to from there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ModuleImporters {
    modules: FxHashSet<SymbolId>,
    by_symbol: FxHashMap<SymbolId, Vec<SymbolId>>,
    /// The modules by what they import all names of.
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

    /// Returns the modules that bind a symbol, which its own does not count among.
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
