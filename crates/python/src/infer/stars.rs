//! Star imports (Python reference, "The import statement").
//!
//! ```python
//! from a import *       # binds the names of `star_names(a)`
//! ```

use std::sync::Arc;

use codeweft_db::{Db, File, NameId, SymbolId};
use codeweft_python_syntax::{AllChange, BindingKind};

use super::frame::Frame;
use super::module_names::{ModuleName, file_imports, import_base, resolve_import_module};
use crate::declared::{file_of_module, items, module_of};
use crate::recursion::{Provisional, Rounds, initial, recover, recursive};
use crate::values::{Shape, shape};

/// Returns the names that `from m import *` imports from a module: `__all__`, else its public
/// names, including those of its own star imports (Python reference, "The import statement").
#[salsa::tracked(returns(clone), cycle_fn = recover, cycle_initial = initial)]
pub fn star_names(db: &dyn Db, file: File) -> Arc<[NameId]> {
    recursive(|| read_star_names(db, file))
}

fn read_star_names(db: &dyn Db, file: File) -> Arc<[NameId]> {
    let Some(items) = items(db, file) else {
        return Arc::default();
    };
    let names = &db.shared().names;
    let mut found: Vec<NameId> = Vec::new();
    let changes: Vec<&AllChange> = items.all.iter().collect();
    if changes.is_empty()
        || changes
            .iter()
            .all(|change| matches!(change, AllChange::Unknown))
    {
        let module = items
            .items
            .first()
            .map(|module| module.bindings)
            .unwrap_or_default();
        for binding in module.iter().filter_map(|at| items.bindings.get(at)) {
            match binding.kind {
                BindingKind::Star(import) => {
                    if let Some(source) = import_source(db, file, import) {
                        found.extend(star_names(db, source).iter());
                    }
                }
                BindingKind::Deleted => found.retain(|&name| name != binding.name),
                _ => found.push(binding.name),
            }
        }
        found.retain(|&name| !names.text(name).starts_with('_'));
    } else {
        for change in changes {
            match change {
                AllChange::Set(names) => found = names.to_vec(),
                AllChange::Add(names) => found.extend(names),
                AllChange::Remove(name) => found.retain(|other| other != name),
                AllChange::AddOf(node) => {
                    let frame = Frame::of_items(db, file, 0).evaluate(&[*node]);
                    for value in frame.node(*node).iter() {
                        if let Shape::Module(module) = shape(db, value)
                            && let Some(source) = file_of_module(db, *module)
                        {
                            found.extend(star_names(db, source).iter());
                        }
                    }
                }
                AllChange::Unknown => {}
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found.into()
}

impl Provisional<File> for Arc<[NameId]> {
    const ROUNDS: Rounds = Rounds::STAR_IMPORTS;

    fn initial(_: &dyn Db, _: File) -> Arc<[NameId]> {
        Arc::default()
    }

    fn merge(&mut self, last: &Arc<[NameId]>) {
        let mut all: Vec<NameId> = last.iter().chain(self.iter()).copied().collect();
        all.sort_unstable();
        all.dedup();
        *self = all.into();
    }
}

/// Returns the file that an import statement reads its names from.
pub(crate) fn import_source(db: &dyn Db, file: File, import: u32) -> Option<File> {
    let import = file_imports(db, file).get(import as usize)?;
    let (unit, _) = module_of(db, file)?;
    match resolve_import_module(db, unit, &import_base(db, unit, import)?, import.level > 0) {
        ModuleName::Loaded(module) => file_of_module(db, module),
        ModuleName::Absent(_) => None,
    }
}

/// Returns the files that the star imports of a file read their names from, in their order; not the file itself.
pub(crate) fn star_sources(db: &dyn Db, file: File) -> Vec<File> {
    let Some(items) = items(db, file) else {
        return Vec::new();
    };
    let module = items.items.first().map(|module| module.bindings);
    let bindings = module.into_iter().flat_map(|bindings| bindings.iter());
    let bindings = bindings.filter_map(|at| items.bindings.get(at));
    let stars = bindings.filter_map(|binding| match binding.kind {
        BindingKind::Star(import) => import_source(db, file, import),
        _ => None,
    });
    stars.filter(|&source| source != file).collect()
}

/// Returns the module whose star import binds a name in a file; of several the last.
pub(crate) fn star_module(db: &dyn Db, file: File, name: NameId) -> Option<SymbolId> {
    let sources = star_sources(db, file).into_iter();
    let source = sources
        .rev()
        .find(|&source| star_names(db, source).contains(&name))?;
    Some(module_of(db, source)?.1.symbol)
}
