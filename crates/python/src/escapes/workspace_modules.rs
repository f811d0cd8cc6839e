//! The modules of the workspace by the ends of their dotted names, which imports by values are compared with.
//!
//! ```python
//! importlib.import_module("plugins.mail")   # `plugins` and `plugins.mail`, of any root
//! ```

use std::sync::Arc;

use codeweft_db::{Db, Origin, SymbolId, Unit, UnitGraph};
use codeweft_python_syntax::PYTHON;
use rustc_hash::{FxHashMap, FxHashSet};

use super::imports::{Dotted, dotted_prefixes};
use crate::modules::py_modules;

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
            let numbers = dotted_prefixes(name).filter_map(|prefix| self.by_end.get(prefix));
            let modules = numbers
                .flatten()
                .filter_map(|&at| self.modules.get(at as usize));
            found.extend(modules.map(|module| module.symbol));
        }
        found
    }
}
