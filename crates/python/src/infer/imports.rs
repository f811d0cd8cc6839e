//! The modules and values that import statements bind (Python reference, "The import statement";
//! "The import system").
//!
//! ```python
//! import a.b            # binds the module a
//! import a.b as c       # binds the module a.b
//! from a import b       # binds a.b, a name of a or its submodule
//! from a import *       # binds the names of `star_names(a)`
//! ```

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, Disambiguator, File, Header, NameId, SymbolClass, SymbolId, SymbolKey, Unit,
};
use codeweft_syntax::python::{AllChange, BindingKind, Import, ImportForm};

use super::frame::Frame;
use super::names::{NameKey, binding_values};
use crate::declared::{file_of_module, items, module_of};
use crate::modules::{find_module, find_relative};
use crate::project::paths::{dotted as path_of_names, relative};
use crate::values::{Shape, Values};

/// The module that a dotted name means to an importer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ModuleName {
    /// A loaded module.
    Loaded(SymbolId),
    /// A module that is not loaded.
    Absent(SymbolId),
}

impl ModuleName {
    fn values(self, db: &dyn Db) -> Values {
        match self {
            ModuleName::Loaded(module) => Values::of(db, Shape::Module(module)),
            ModuleName::Absent(module) => Values::of(db, Shape::Absent(module)),
        }
    }
}

/// The key of a module name as the files of a unit import it.
#[salsa::interned(debug, revisions = usize::MAX)]
pub struct ModuleKey<'db> {
    /// The unit of the importer.
    #[returns(copy)]
    pub unit: Unit,
    /// The dotted name, relative to the root.
    #[returns(copy)]
    pub name: NameId,
    /// Whether the import is relative: then the module is in the importer's own root.
    #[returns(copy)]
    pub is_relative: bool,
}

/// Returns the loaded module that a name means.
#[salsa::tracked(returns(copy))]
pub fn py_module<'db>(db: &'db dyn Db, key: ModuleKey<'db>) -> Option<SymbolId> {
    let name = db.shared().names.text(key.name(db));
    let (_, module) = if !key.is_relative(db) {
        find_module(db, key.unit(db), name)?
    } else {
        find_relative(db, key.unit(db), name)?
    };
    Some(module.symbol)
}

/// Resolves an absolute dotted name for an importer in `unit`.
pub(crate) fn resolve_module(db: &dyn Db, unit: Unit, name: &str) -> ModuleName {
    resolve_import_module(db, unit, name, false)
}

/// Resolves a dotted name of an absolute or relative import.
pub(crate) fn resolve_import_module(
    db: &dyn Db,
    unit: Unit,
    name: &str,
    is_relative: bool,
) -> ModuleName {
    let shared = db.shared();
    let name = shared.names.intern(name);
    match py_module(db, ModuleKey::new(db, unit, name, is_relative)) {
        Some(module) => ModuleName::Loaded(module),
        None => ModuleName::Absent(shared.symbols.intern(SymbolKey {
            declared_in: DeclaredIn::Absent(name),
            parent: None,
            class: SymbolClass::Package,
            name,
            disambiguator: Disambiguator::ONLY,
        })),
    }
}

/// Returns the symbol of a name in a module that is not loaded.
pub(crate) fn absent_member(db: &dyn Db, parent: SymbolId, name: NameId) -> SymbolId {
    let symbols = &db.shared().symbols;
    symbols.intern(SymbolKey {
        declared_in: symbols.key(parent).declared_in,
        parent: Some(parent),
        class: SymbolClass::Variable,
        name,
        disambiguator: Disambiguator::ONLY,
    })
}

/// Returns the imports of a file.
pub(super) fn file_imports(db: &dyn Db, file: File) -> &[Import] {
    match &**file.header(db) {
        Header::Python(header) => &header.imports,
        Header::Go(_) => &[],
    }
}

/// Returns the dotted name of an import's module for its file; `None` if its dots leave the root.
pub(super) fn import_base(db: &dyn Db, unit: Unit, import: &Import) -> Option<String> {
    let names = &db.shared().names;
    let package = names.text(unit.import_path(db));
    relative(package, import.level, names.text(import.module))
}

/// Returns the values that an import binds, by its number in the header and the index of the name.
pub(crate) fn import_values(db: &dyn Db, file: File, import: u32, which: u32) -> Values {
    let found = (|| {
        let import = file_imports(db, file).get(import as usize)?;
        let (unit, _) = module_of(db, file)?;
        let base = import_base(db, unit, import)?;
        match import.form {
            ImportForm::Module => {
                let first = base.split('.').next().unwrap_or(&base);
                Some(resolve_module(db, unit, first).values(db))
            }
            ImportForm::ModuleAs => Some(resolve_module(db, unit, &base).values(db)),
            ImportForm::Star => {
                Some(resolve_import_module(db, unit, &base, import.level > 0).values(db))
            }
            ImportForm::Names => {
                let name = *import.names.get(which as usize)?;
                Some(imported_name_values(
                    db,
                    unit,
                    file,
                    &base,
                    import.level > 0,
                    name,
                ))
            }
        }
    })();
    found.unwrap_or_else(Values::unknown)
}

fn imported_name_values(
    db: &dyn Db,
    unit: Unit,
    file: File,
    base: &str,
    is_relative: bool,
    name: NameId,
) -> Values {
    let text = db.shared().names.text(name);
    let submodule =
        || match resolve_import_module(db, unit, &path_of_names(base, text), is_relative) {
            ModuleName::Loaded(module) => Some(Values::of(db, Shape::Module(module))),
            ModuleName::Absent(_) => None,
        };
    if base.is_empty() {
        return submodule().unwrap_or_else(Values::unknown);
    }
    match resolve_import_module(db, unit, base, is_relative) {
        ModuleName::Loaded(module) => {
            // `from . import x` in the very `__init__` that it binds `x` in.
            if file_of_module(db, module) == Some(file)
                && let Some(found) = submodule()
            {
                return found;
            }
            if let Some(special) = super::typing::special_form(db, module, name) {
                return special;
            }
            binding_values(db, NameKey::new(db, module, name))
                .or_else(submodule)
                .unwrap_or_else(Values::unknown)
        }
        ModuleName::Absent(absent) => match submodule() {
            Some(found) => found,
            None => super::typing::special_form(db, absent, name)
                .unwrap_or_else(|| Values::of(db, Shape::Absent(absent_member(db, absent, name)))),
        },
    }
}

/// Returns the names that `from m import *` imports from a module: `__all__`, else its public
/// names, including those of its own star imports (Python reference, "The import statement").
#[salsa::tracked(returns(clone), cycle_fn = stars_cycle_next, cycle_initial = stars_cycle_initial)]
pub fn star_names(db: &dyn Db, file: File) -> Arc<[NameId]> {
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
                    if let Some(source) = star_source(db, file, import) {
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
                        if let Shape::Module(module) = crate::values::shape(db, value)
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

fn stars_cycle_initial(_: &dyn Db, _: salsa::Id, _: File) -> Arc<[NameId]> {
    Arc::default()
}

fn stars_cycle_next(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Arc<[NameId]>,
    new: Arc<[NameId]>,
    _: File,
) -> Arc<[NameId]> {
    if cycle.iteration() > 8 {
        return last.clone();
    }
    let mut all: Vec<NameId> = last.iter().chain(new.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}

/// Returns the file that a star import reads its names from.
fn star_source(db: &dyn Db, file: File, import: u32) -> Option<File> {
    let import = file_imports(db, file).get(import as usize)?;
    let (unit, _) = module_of(db, file)?;
    match resolve_import_module(db, unit, &import_base(db, unit, import)?, import.level > 0) {
        ModuleName::Loaded(module) => file_of_module(db, module),
        ModuleName::Absent(_) => None,
    }
}

/// Returns the module whose star import binds a name in a file; of several the last.
pub(crate) fn star_module(db: &dyn Db, file: File, name: NameId) -> Option<SymbolId> {
    let items = items(db, file)?;
    let module = items.items.first()?.bindings;
    let bindings = module.iter().filter_map(|at| items.bindings.get(at));
    let stars = bindings.filter_map(|binding| match binding.kind {
        BindingKind::Star(import) => star_source(db, file, import),
        _ => None,
    });
    let stars: Vec<File> = stars.collect();
    let source = stars
        .into_iter()
        .rev()
        .find(|&source| source != file && star_names(db, source).contains(&name))?;
    Some(module_of(db, source)?.1.symbol)
}

pub(super) fn star_values(db: &dyn Db, file: File, name: NameId) -> Option<Values> {
    let source = star_module(db, file, name)?;
    binding_values(db, NameKey::new(db, source, name))
}
