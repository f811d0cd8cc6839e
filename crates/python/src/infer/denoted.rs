//! Which declared thing a name denotes, through imports and star imports (Python reference, Naming
//! and binding; The import statement).

use codeweft_db::{Db, DeclaredIn, File, NameId, SymbolClass, SymbolId};
use codeweft_syntax::python::{BindingKind, ImportForm};

use super::names::{
    ModuleName, NameKey, absent_member, base_of, current, header, module_at, name_index, star_of,
};
use crate::declared::{
    file_of_module, file_symbols, items, located, member, module_around, module_of,
};
use crate::project::paths::dotted as path_of_names;

/// The declared thing that a name of a scope denotes: a class, function, module, variable; through
/// imports what they lead to. `None` where the scope does not bind it, or to nothing declared.
pub(crate) fn denoted(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<SymbolId> {
    denotes(db, NameKey::new(db, scope, name))
}

/// The declared thing that a name of a scope denotes, apart from what else its module declares.
#[salsa::tracked(returns(copy), cycle_fn = denotes_again, cycle_initial = denotes_first)]
pub fn denotes<'db>(db: &'db dyn Db, key: NameKey<'db>) -> Option<SymbolId> {
    stacker::maybe_grow(1 << 18, 1 << 20, || follow(db, key.scope(db), key.name(db)))
}

fn denotes_first(_: &dyn Db, _: salsa::Id, _: NameKey<'_>) -> Option<SymbolId> {
    None
}

fn denotes_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &Option<SymbolId>,
    new: Option<SymbolId>,
    _: NameKey<'_>,
) -> Option<SymbolId> {
    if cycle.iteration() > 8 { *last } else { new }
}

fn follow(db: &dyn Db, scope: SymbolId, name: NameId) -> Option<SymbolId> {
    let mut scope = scope;
    let mut name = name;
    // Re-exports are followed by a plain loop: a chain of imports may be a ring.
    for _ in 0..32 {
        let (file, item) = match db.shared().symbols.key(scope).class {
            SymbolClass::Package => match file_of_module(db, scope) {
                Some(file) => (file, 0),
                None => return submodule(db, scope, name),
            },
            _ => located(db, scope)?,
        };
        let items = items(db, file)?;
        let index = name_index(db, file);
        let current = current(items, &index, item, name);
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
                // A name that is bound to something declared and then to another value, or deleted,
                // is one declaration (docs/graph.md §1): no variable of its own.
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
                    return Some(variable(db, scope, name));
                };
                match import_target(db, file, import, which)? {
                    ImportTarget::Symbol(symbol) => return Some(symbol),
                    ImportTarget::Name(module, next) if (module, next) == (scope, name) => {
                        return submodule(db, scope, name);
                    }
                    ImportTarget::Name(module, next) => (scope, name) = (module, next),
                }
            }
            (None, true) if item == 0 => match star_of(db, file, name) {
                Some(source) => scope = source,
                None => return submodule(db, scope, name),
            },
            (None, true) => return None,
        }
    }
    None
}

/// The symbol of a name that a scope binds by assignment.
pub(crate) fn variable(db: &dyn Db, scope: SymbolId, name: NameId) -> SymbolId {
    let key = db.shared().symbols.key(scope);
    let class = match key.class {
        SymbolClass::Type => SymbolClass::Field,
        _ => SymbolClass::Variable,
    };
    match key.declared_in {
        DeclaredIn::Unit(unit) => member(db, unit, scope, class, name, 0),
        _ => absent_member(db, scope, name),
    }
}

/// Where an import leads.
pub(crate) enum ImportTarget {
    /// To a module, or to something in one that is not loaded.
    Symbol(SymbolId),
    /// To a name of a loaded module.
    Name(SymbolId, NameId),
}

/// Where one name of an import leads.
pub(crate) fn import_target(
    db: &dyn Db,
    file: File,
    import: u32,
    which: u32,
) -> Option<ImportTarget> {
    let import = header(db, file).get(import as usize)?;
    let (unit, _) = module_of(db, file)?;
    let base = base_of(db, unit, import)?;
    let is_relative = import.level > 0;
    let whole = |name: &str| match module_at(db, unit, name, is_relative) {
        ModuleName::Loaded(module) | ModuleName::Absent(module) => ImportTarget::Symbol(module),
    };
    Some(match import.form {
        ImportForm::Module => whole(base.split('.').next().unwrap_or(&base)),
        ImportForm::ModuleAs | ImportForm::Star => whole(&base),
        ImportForm::Names => {
            let name = *import.names.get(which as usize)?;
            let text = db.shared().names.text(name);
            let full = path_of_names(&base, text);
            let submodule = match module_at(db, unit, &full, is_relative) {
                ModuleName::Loaded(module) => Some(module),
                ModuleName::Absent(_) => None,
            };
            if base.is_empty() {
                return submodule.map(ImportTarget::Symbol);
            }
            match module_at(db, unit, &base, is_relative) {
                ModuleName::Loaded(module) => {
                    let binds = file_of_module(db, module).is_some_and(|source| source != file)
                        && binds(db, NameKey::new(db, module, name));
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

/// Whether a module binds a name by its own text.
#[salsa::tracked(returns(copy), cycle_fn = binds_again, cycle_initial = binds_first)]
pub fn binds<'db>(db: &'db dyn Db, key: NameKey<'db>) -> bool {
    let Some(file) = file_of_module(db, key.scope(db)) else {
        return false;
    };
    let name = key.name(db);
    let index = name_index(db, file);
    index.bindings(0, name).next().is_some() || star_of(db, file, name).is_some()
}

fn binds_first(_: &dyn Db, _: salsa::Id, _: NameKey<'_>) -> bool {
    false
}

fn binds_again(
    _: &dyn Db,
    cycle: &salsa::Cycle<'_>,
    last: &bool,
    new: bool,
    _: NameKey<'_>,
) -> bool {
    if cycle.iteration() > 8 { *last } else { new }
}

/// The module below a package's by a name.
pub(crate) fn submodule(db: &dyn Db, package: SymbolId, name: NameId) -> Option<SymbolId> {
    let key = db.shared().symbols.key(package);
    let DeclaredIn::Unit(unit) = key.declared_in else {
        return None;
    };
    let (_, of) = crate::declared::module_by_symbol(db, package)?;
    let names = &db.shared().names;
    let path = path_of_names(names.text(unit.import_path(db)), names.text(of.stem));
    match module_at(db, unit, &path_of_names(&path, names.text(name)), true) {
        ModuleName::Loaded(module) if module != package => Some(module),
        _ => None,
    }
}

/// The dotted path of a symbol: `functools.wraps`, `pkg.mod.C.m`.
pub(crate) fn dotted(db: &dyn Db, symbol: SymbolId) -> String {
    let shared = db.shared();
    let mut parts = Vec::new();
    let mut around = Some(symbol);
    while let Some(symbol) = around {
        let key = shared.symbols.key(symbol);
        parts.push(shared.names.text(key.name));
        around = key.parent;
    }
    parts.reverse();
    parts.join(".")
}

/// The name of the module around a symbol.
pub(crate) fn module_name(db: &dyn Db, symbol: SymbolId) -> &str {
    let shared = db.shared();
    shared
        .names
        .text(shared.symbols.key(module_around(db, symbol)).name)
}
