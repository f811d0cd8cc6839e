//! Name resolution: the declaration that a name means, through imports and star imports (Python
//! reference, "Naming and binding"; "The import statement").
//!
//! ```python
//! # pkg/__init__.py
//! from .impl import run      # pkg.run resolves to pkg.impl.run
//! # main.py
//! from pkg import run        # main.run resolves to pkg.impl.run
//! ```

use codeweft_db::{Db, DeclaredIn, File, NameId, SymbolClass, SymbolId};
use codeweft_python_syntax::ImportForm;

use super::declared_names::{DeclaredName, declared, declared_name, scope_item};
use super::frame::Frame;
use super::memo::cached;
use super::module_names::{
    ModuleName, absent_member, file_imports, import_base, resolve_import_module,
};
use super::stars::star_module;
use crate::declared::{file_of_module, member_symbol, module_by_symbol, module_of};
use crate::keys::NameKey;
use crate::project::paths::dotted as path_of_names;
use crate::recursion::{Provisional, initial, recover, recursive};
use crate::whole_file;

/// Returns the class, function, module or variable that a name of a scope means; for an import, the
/// imported declaration. `None` if the scope does not bind the name, or to nothing declared.
pub(crate) fn resolve(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<SymbolId> {
    if whole_file::is_read(db, scope) {
        let declared = declared(db, scope, name);
        follow_import(db, scope, name, declared)
    } else {
        resolved_elsewhere(db, scope, name)
    }
}

/// Returns the same without reading all items of the scope's file. Imports that lead to each other
/// end here, as a cycle of queries.
fn resolved_elsewhere(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<SymbolId> {
    let key = NameKey::new(db, scope, name);
    match declared_name(db, key) {
        DeclaredName::Import { .. } | DeclaredName::Elsewhere => resolved_declaration(db, key),
        declared => follow_import(db, scope, name, declared),
    }
}

impl Frame<'_> {
    /// Returns the declaration that a name of a scope resolves to.
    pub(crate) fn resolve(&self, scope: SymbolId, name: NameId) -> Option<SymbolId> {
        cached(self.memo.map(|memo| &memo.resolved), (scope, name), || {
            resolve(self.db, scope, name)
        })
    }
}

/// The declaration that an import or star import of a scope leads to.
#[salsa::tracked(returns(copy), cycle_fn = recover, cycle_initial = initial)]
pub fn resolved_declaration<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<SymbolId> {
    recursive(|| follow_import(db, key.scope(db), key.name(db), declared_name(db, key)))
}

impl Provisional<NameKey<'_>> for Option<SymbolId> {
    fn initial(_: &dyn Db, _: NameKey<'_>) -> Option<SymbolId> {
        None
    }
}

fn follow_import(
    db: &dyn Db,
    scope: SymbolId,
    name: NameId,
    declared: DeclaredName,
) -> Option<SymbolId> {
    let (module, next) = match declared {
        DeclaredName::Item { symbol, .. } => return Some(symbol),
        DeclaredName::Variable => return Some(variable_symbol(db, scope, name)),
        DeclaredName::Unbound { is_module: true } => return submodule(db, scope, name),
        DeclaredName::Unbound { is_module: false } => return None,
        DeclaredName::Import { import, which, .. } => {
            let (file, _) = scope_item(db, scope)?;
            match import_target(db, file, import, which)? {
                ImportTarget::Symbol(symbol) => return Some(symbol),
                ImportTarget::Name(module, next) => (module, next),
            }
        }
        DeclaredName::Elsewhere => {
            let source = scope_item(db, scope).and_then(|(file, _)| star_module(db, file, name));
            match source {
                Some(source) => (source, name),
                None => return submodule(db, scope, name),
            }
        }
    };
    if (module, next) == (scope, name) {
        return submodule(db, scope, name);
    }
    resolved_elsewhere(db, module, next)
}

/// Returns the symbol of a name that a scope binds by assignment.
pub(crate) fn variable_symbol(db: &dyn Db, scope: SymbolId, name: NameId) -> SymbolId {
    let key = db.shared().symbols.key(scope);
    let class = match key.class {
        SymbolClass::Type => SymbolClass::Field,
        _ => SymbolClass::Variable,
    };
    match key.declared_in {
        DeclaredIn::Unit(unit) => member_symbol(db, unit, scope, class, name, 0),
        _ => absent_member(db, scope, name),
    }
}

/// The target of an import.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ImportTarget {
    /// A module, or a name in a module that is not loaded.
    Symbol(SymbolId),
    /// A name of a loaded module.
    Name(SymbolId, NameId),
}

/// Returns the target of one name of an import.
pub(crate) fn import_target(
    db: &dyn Db,
    file: File,
    import: u32,
    which: u32,
) -> Option<ImportTarget> {
    let import = file_imports(db, file).get(import as usize)?;
    let (unit, _) = module_of(db, file)?;
    let base = import_base(db, unit, import)?;
    let is_relative = import.level > 0;
    let whole = |name: &str| match resolve_import_module(db, unit, name, is_relative) {
        ModuleName::Loaded(module) | ModuleName::Absent(module) => ImportTarget::Symbol(module),
    };
    Some(match import.form {
        ImportForm::Module => whole(base.split('.').next().unwrap_or(&base)),
        ImportForm::ModuleAs | ImportForm::Star => whole(&base),
        ImportForm::Names => {
            let name = *import.names.get(which as usize)?;
            let text = db.shared().names.text(name);
            let full = path_of_names(&base, text);
            let submodule = match resolve_import_module(db, unit, &full, is_relative) {
                ModuleName::Loaded(module) => Some(module),
                ModuleName::Absent(_) => None,
            };
            if base.is_empty() {
                return submodule.map(ImportTarget::Symbol);
            }
            match resolve_import_module(db, unit, &base, is_relative) {
                ModuleName::Loaded(module) => {
                    let binds = || {
                        file_of_module(db, module).is_some_and(|source| source != file)
                            && binds_name_of(db, module, name)
                    };
                    match submodule {
                        Some(submodule) if !binds() => ImportTarget::Symbol(submodule),
                        _ => ImportTarget::Name(module, name),
                    }
                }
                ModuleName::Absent(absent) => ImportTarget::Symbol(match submodule {
                    Some(submodule) => submodule,
                    None => absent_member(db, absent, name),
                }),
            }
        }
    })
}

/// Returns whether a module binds a name, itself or by a star import.
pub(super) fn binds_name_of(db: &dyn Db, module: SymbolId, name: NameId) -> bool {
    match declared(db, module, name) {
        DeclaredName::Elsewhere => binds_name(db, NameKey::new(db, module, name)),
        declared => declared.is_bound(),
    }
}

/// Returns whether a star import of a module binds a name.
#[salsa::tracked(returns(copy), cycle_fn = recover, cycle_initial = initial)]
pub fn binds_name<'db>(db: &'db dyn Db, key: NameKey<'db>) -> bool {
    let Some(file) = file_of_module(db, key.scope(db)) else {
        return false;
    };
    recursive(|| star_module(db, file, key.name(db)).is_some())
}

impl Provisional<NameKey<'_>> for bool {
    fn initial(_: &dyn Db, _: NameKey<'_>) -> bool {
        false
    }
}

/// Returns the submodule of a package by name.
pub(crate) fn submodule(db: &dyn Db, package: SymbolId, name: NameId) -> Option<SymbolId> {
    let key = db.shared().symbols.key(package);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return None;
    };
    let (_, of) = module_by_symbol(db, package)?;
    let names = &db.shared().names;
    let path = path_of_names(names.text(unit.import_path(db)), names.text(of.stem));
    match resolve_import_module(db, unit, &path_of_names(&path, names.text(name)), true) {
        ModuleName::Loaded(module) if module != package => Some(module),
        _ => None,
    }
}
