//! The sites that could look a symbol up by a name that is a value: a computed one, or a string
//! literal.

use codeweft_db::{Db, File, Origin, Reason, Role, SymbolClass, SymbolId, UnitGraph};
use codeweft_python_syntax::PYTHON;
use rustc_hash::FxHashMap;

use super::computed::Lookup;
use super::groups::{CurrentGroup, current_groups};
use crate::classes::{class_info, is_subclass};
use crate::completeness::is_property;
use crate::completeness::search_names;
use crate::index::{file_uses, py_group_index, py_unit_index};
use crate::keys::ClassKey;
use crate::locations::declaration_range;

/// Returns whether the workspace passes a module on as a value.
fn is_passed_as_value(db: &dyn Db, universe: UnitGraph, module: SymbolId) -> bool {
    let units = universe.units(db).iter();
    let mut units =
        units.filter(|unit| unit.lang(db) == PYTHON && unit.origin(db) == Origin::Workspace);
    units.any(|&unit| {
        let files = unit.files(db);
        let index = py_unit_index(db, unit);
        let mut users = index.files_of(module);
        users.any(|number| {
            files.get(number as usize).is_some_and(|&file| {
                let uses = file_uses(db, file);
                let uses = uses.of(module);
                let mut values = uses.iter().filter(|one| one.role == Role::Value);
                values.any(|one| super::escapes(db, file, one.body, one.occ))
            })
        })
    })
}

/// Returns whether the workspace imports modules by values, or reads `sys.modules`: then any module is a
/// value, and an attribute look-up on any object may reach it. Else only modules that are passed on are.
fn modules_are_values(groups: &[CurrentGroup<'_>]) -> bool {
    let mut names = groups.iter().map(|group| &group.names);
    names.any(|names| names.reads_modules || !names.modules.is_empty())
}

/// Returns whether [`lookup_sites`] of a symbol reads the uses of all files of the workspace.
pub(crate) fn hidden_callers_read_all(db: &dyn Db, symbol: SymbolId) -> bool {
    let symbols = &db.shared().symbols;
    let parent = symbols.key(symbol).parent;
    let is_of_module =
        parent.is_some_and(|parent| symbols.key(parent).class == SymbolClass::Package);
    let Some(universe) = UnitGraph::try_get(db).filter(|_| is_of_module) else {
        return false;
    };
    let groups = current_groups(db, universe);
    groups.iter().any(|group| !group.names.any.is_empty()) && !modules_are_values(&groups)
}

/// Adds the sites that could look a symbol up by a name.
pub(super) fn lookup_sites(db: &dyn Db, symbol: SymbolId, found: &mut Vec<(File, u32, Reason)>) {
    let shared = db.shared();
    let key = shared.symbols.key(symbol);
    let is_callable = matches!(
        key.class,
        SymbolClass::Type | SymbolClass::Function | SymbolClass::Method
    );
    let enclosing = key.parent.map(|parent| shared.symbols.key(parent).class);
    let Some(universe) = UnitGraph::try_get(db).filter(|_| is_callable) else {
        return;
    };
    let groups = current_groups(db, universe);
    for group in &groups {
        scope_sites(db, symbol, group, found);
    }
    // What a function declares cannot be looked up from outside.
    if !matches!(enclosing, Some(SymbolClass::Type | SymbolClass::Package)) {
        return;
    }
    let name = shared.names.text(key.name);
    let runs_unread = is_property(db, symbol);
    let mut add = |site: &Lookup| {
        let mut starts = site.start.iter();
        let fits = starts.all(|&start| name.starts_with(shared.names.text(start)));
        if fits && (site.is_read || runs_unread) {
            found.push((site.file, site.at, Reason::DynamicAttribute));
        }
    };
    let sites = || groups.iter().map(|group| &group.names);
    let any = || sites().flat_map(|sites| &sites.any);
    match enclosing {
        Some(SymbolClass::Type) => {
            any().for_each(&mut add);
            if let Some(class) = key.parent {
                let info = class_info(db, ClassKey::new(db, class));
                // A subclass inherits it, and code of a base class runs for objects of the class.
                let mut related: FxHashMap<SymbolId, bool> = FxHashMap::default();
                for (other, site) in sites().flat_map(|sites| &sites.own) {
                    let is_related = related.entry(*other).or_insert_with(|| {
                        info.mro.contains(other) || is_subclass(db, *other, class)
                    });
                    if *is_related {
                        add(site);
                    }
                }
            }
        }
        _ => {
            let of_modules = groups.iter().flat_map(|group| &group.names.modules);
            of_modules.for_each(&mut add);
            // An attribute look-up on any object reaches a module only if modules are values somewhere.
            let is_value = || {
                let module = key.parent;
                module.is_some_and(|module| is_passed_as_value(db, universe, module))
            };
            if any().next().is_some() && (modules_are_values(&groups) || is_value()) {
                any().for_each(&mut add);
            }
        }
    }
    let evaluates = sites().any(|sites| sites.evaluates);
    for name in search_names(db, symbol) {
        let text = shared.names.text(name);
        let entries = universe.imports(db).entries.iter();
        let is_named = |entry: &String| {
            let object = entry.rsplit([':', '.']).next();
            object == Some(text)
        };
        if entries.into_iter().any(is_named)
            && let Some(own) = declaration_range(db, symbol)
        {
            found.push((own.file, own.name.start, Reason::CalledByName));
        }
        for group in groups.iter().filter(|group| group.is_own) {
            group.literals_with(db, text, evaluates, |file, at| {
                found.push((file, at, Reason::DynamicAttribute));
            });
        }
    }
}

/// Adds the functions of a group of files that look up their own local names, and declare or import
/// the symbol.
fn scope_sites(
    db: &dyn Db,
    symbol: SymbolId,
    group: &CurrentGroup<'_>,
    found: &mut Vec<(File, u32, Reason)>,
) {
    if group.names.scopes.is_empty() {
        return;
    }
    let parent = db.shared().symbols.key(symbol).parent;
    // The index of the group resolves all its files, the imports below one that is resolved.
    let may_use_symbol =
        db.shared().may_have_unresolved_files() || py_group_index(db, group.key).has_target(symbol);
    for &(function, body, site) in &group.names.scopes {
        let imports = || {
            let uses = file_uses(db, site.file);
            let uses = uses.of(symbol);
            let mut own = uses.iter().filter(|one| one.body == body);
            own.any(|one| one.role == Role::Import)
        };
        if parent == Some(function) || may_use_symbol && imports() {
            found.push((site.file, site.at, Reason::DynamicAttribute));
        }
    }
}
