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
use codeweft_python_syntax::{BindingKind, ImportForm};

use super::frame::Frame;
use super::memo::cached;
use super::module_names::{
    ModuleName, absent_member, file_imports, import_base, resolve_import_module,
};
use super::stars::star_module;
use crate::bindings::{name_index, visible_bindings};
use crate::declared::{
    declaration_of, file_of_module, file_symbols, items, member_symbol, module_by_symbol, module_of,
};
use crate::keys::NameKey;
use crate::project::paths::dotted as path_of_names;
use crate::recursion::{Provisional, initial, recover, recursive};

/// Returns the class, function, module or variable that a name of a scope means; for an import, the
/// imported declaration. `None` if the scope does not bind the name, or to nothing declared.
pub(crate) fn resolve(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<SymbolId> {
    resolved_declaration(db, NameKey::new(db, scope, name))
}

impl Frame<'_> {
    /// Returns the declaration that a name of a scope resolves to.
    pub(crate) fn resolve(&self, scope: SymbolId, name: NameId) -> Option<SymbolId> {
        cached(self.memo.map(|memo| &memo.resolved), (scope, name), || {
            resolve(self.db, scope, name)
        })
    }
}

/// The query behind [`resolve`]. It depends on the bindings of one name only, not on the rest of
/// the module.
#[salsa::tracked(returns(copy), cycle_fn = recover, cycle_initial = initial)]
pub fn resolved_declaration<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<SymbolId> {
    recursive(|| follow_imports(db, key.scope(db), key.name(db)))
}

impl Provisional<NameKey<'_>> for Option<SymbolId> {
    fn initial(_: &dyn Db, _: NameKey<'_>) -> Option<SymbolId> {
        None
    }
}

fn follow_imports(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<SymbolId> {
    let mut scope = scope;
    let mut name = name;
    // Re-exports are followed by a bounded loop: a chain of imports may be a cycle.
    for _ in 0..32 {
        let (file, item) = match db.shared().symbols.key(scope).class {
            SymbolClass::Package => match file_of_module(db, scope) {
                Some(file) => (file, 0),
                None => return submodule(db, scope, name),
            },
            _ => declaration_of(db, scope)?,
        };
        let items = items(db, file)?;
        let index = name_index(db, file);
        let current = visible_bindings(items, &index, item, name);
        let symbols = file_symbols(db, file);
        let declared = current.iter().rev().find_map(|binding| match binding.kind {
            BindingKind::Item(item) => symbols.get(item as usize).copied(),
            _ => None,
        });
        if declared.is_some() {
            return declared;
        }
        let import = current.iter().rev().find_map(|binding| match binding.kind {
            BindingKind::Import { import, which } => Some((import, which)),
            _ => None,
        });
        match (import, current.is_empty()) {
            (Some((import, which)), _) => match import_target(db, file, import, which)? {
                ImportTarget::Symbol(symbol) => return Some(symbol),
                ImportTarget::Name(module, next) if (module, next) == (scope, name) => {
                    return submodule(db, scope, name);
                }
                ImportTarget::Name(module, next) => (scope, name) = (module, next),
            },
            (None, false) => {
                // A name that is bound to a declaration and then to another value, or deleted, is
                // one declaration (docs/graph.md §1), not a variable as well.
                let all = index.bindings(item, name);
                let all: Vec<_> = all
                    .filter_map(|number| items.bindings.get(number as usize))
                    .collect();
                let declared = all.iter().rev().find_map(|binding| match binding.kind {
                    BindingKind::Item(item) => symbols.get(item as usize).copied(),
                    _ => None,
                });
                if declared.is_some() {
                    return declared;
                }
                let valued = all.iter().any(|binding| {
                    matches!(
                        binding.kind,
                        BindingKind::Value { .. } | BindingKind::TypeAlias(_)
                    )
                });
                let import = all.iter().rev().find_map(|binding| match binding.kind {
                    BindingKind::Import { import, which } if !valued => Some((import, which)),
                    _ => None,
                });
                let Some((import, which)) = import else {
                    return Some(variable_symbol(db, scope, name));
                };
                match import_target(db, file, import, which)? {
                    ImportTarget::Symbol(symbol) => return Some(symbol),
                    ImportTarget::Name(module, next) if (module, next) == (scope, name) => {
                        return submodule(db, scope, name);
                    }
                    ImportTarget::Name(module, next) => (scope, name) = (module, next),
                }
            }
            (None, true) if item == 0 => match star_module(db, file, name) {
                Some(source) => scope = source,
                None => return submodule(db, scope, name),
            },
            (None, true) => return None,
        }
    }
    None
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
                    let binds = file_of_module(db, module).is_some_and(|source| source != file)
                        && binds_name(db, NameKey::new(db, module, name));
                    match submodule {
                        Some(submodule) if !binds => ImportTarget::Symbol(submodule),
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

/// Returns whether a module's own text binds a name.
#[salsa::tracked(returns(copy), cycle_fn = recover, cycle_initial = initial)]
pub fn binds_name<'db>(db: &'db dyn Db, key: NameKey<'db>) -> bool {
    let Some(file) = file_of_module(db, key.scope(db)) else {
        return false;
    };
    let name = key.name(db);
    recursive(|| {
        let index = name_index(db, file);
        index.bindings(0, name).next().is_some() || star_module(db, file, name).is_some()
    })
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
