//! Lookups by names that are values: computed attributes, code run from strings, and names in
//! string literals.

use std::sync::Arc;

use codeweft_db::{
    Db, File, FileUses, NameId, Origin, Reason, Role, SymbolClass, SymbolId, Unit, UnitGraph,
    UnresolvedSite,
};
use codeweft_python_syntax::PYTHON;
use rustc_hash::FxHashMap;

use super::literals::literal_words;
use crate::classes::class_info;
use crate::completeness::is_property;
use crate::completeness::search_names;
use crate::index::{file_uses, py_unit_index};
use crate::keys::ClassKey;
use crate::locations::{declaration_range, offset};
use crate::uses::computed::{
    COMPUTED, EVALUATED, MODULES, NOT_READ, OF_IMPORT, OF_MODULE, OF_RECEIVER, OF_SCOPE,
};

/// The sites that look names up by value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComputedNameSites {
    /// Attributes of any object, in the workspace.
    any: Vec<(File, UnresolvedSite)>,
    /// Attributes of the receiver of a method, by its class.
    own: FxHashMap<SymbolId, Vec<(File, UnresolvedSite)>>,
    /// Names of a module, in the workspace.
    modules: Vec<(File, UnresolvedSite)>,
    /// Names of a function's scope, by the function.
    scopes: FxHashMap<SymbolId, Vec<(File, UnresolvedSite)>>,
    /// Imports by a value, each with whether it is in the workspace.
    pub(super) imports: Vec<(File, UnresolvedSite, bool)>,
    /// Whether the workspace reads `sys.modules`.
    reads_modules: bool,
    /// Whether the workspace runs code from strings.
    evaluates: bool,
    /// The files of the workspace.
    pub(super) files: Vec<File>,
}

/// Returns the sites that compute names. Computed attributes of any object count in the workspace
/// only: a library looks up names that it is passed, and those are in the workspace's literals.
#[salsa::tracked(returns(clone))]
pub fn computed_sites(db: &dyn Db, _universe: UnitGraph) -> Arc<ComputedNameSites> {
    let names = &db.shared().names;
    let wanted = [COMPUTED, EVALUATED, MODULES].map(|name| names.intern(name));
    let mut sites = ComputedNameSites::default();
    for &unit in UnitGraph::get(db).units(db).iter() {
        if unit.lang(db) == PYTHON {
            collect_unit(db, unit, wanted, &mut sites);
        }
    }
    Arc::new(sites)
}

fn collect_unit(db: &dyn Db, unit: Unit, wanted: [NameId; 3], sites: &mut ComputedNameSites) {
    let symbols = &db.shared().symbols;
    let is_own = unit.origin(db) == Origin::Workspace;
    let files = unit.files(db);
    if is_own {
        sites.files.extend(files.iter());
    }
    let index = py_unit_index(db, unit);
    let mut numbers: Vec<u32> = wanted
        .iter()
        .flat_map(|&name| index.files_with_unresolved(name))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    for &file in numbers.iter().filter_map(|&at| files.get(at as usize)) {
        let uses = file_uses(db, file);
        for site in uses
            .unresolved
            .iter()
            .filter(|site| wanted.contains(&site.name))
        {
            let row = (file, *site);
            match site.signature % NOT_READ {
                _ if site.name == wanted[1] => {
                    sites.evaluates |= is_own;
                    if let Some(function) = enclosing_function(db, &uses, site) {
                        sites.scopes.entry(function).or_default().push(row);
                    }
                }
                _ if site.name == wanted[2] => sites.reads_modules |= is_own,
                OF_SCOPE => match uses.bodies.get(site.body as usize) {
                    Some(&class) if symbols.key(class).class == SymbolClass::Type => {
                        sites.own.entry(class).or_default().push(row);
                    }
                    Some(&module) if symbols.key(module).class == SymbolClass::Package => {
                        let rows = is_own.then_some(&mut sites.modules);
                        rows.into_iter().for_each(|rows| rows.push(row));
                    }
                    Some(&function) => sites.scopes.entry(function).or_default().push(row),
                    None => {}
                },
                OF_IMPORT => {
                    sites.imports.push((file, *site, is_own));
                    if is_own {
                        let any = UnresolvedSite {
                            absent: None,
                            ..*site
                        };
                        sites.modules.push((file, any));
                    }
                }
                OF_RECEIVER => {
                    // The class of the enclosing method.
                    let mut enclosing = uses.bodies.get(site.body as usize).copied();
                    while let Some(symbol) = enclosing {
                        let key = symbols.key(symbol);
                        if key.class == SymbolClass::Type {
                            sites.own.entry(symbol).or_default().push(row);
                            break;
                        }
                        enclosing = key.parent;
                    }
                }
                OF_MODULE if is_own => sites.modules.push(row),
                _ if is_own => sites.any.push(row),
                _ => {}
            }
        }
    }
}

/// Returns the function whose body contains an unresolved site.
fn enclosing_function(db: &dyn Db, uses: &FileUses, site: &UnresolvedSite) -> Option<SymbolId> {
    let body = *uses.bodies.get(site.body as usize)?;
    let class = db.shared().symbols.key(body).class;
    matches!(class, SymbolClass::Function | SymbolClass::Method).then_some(body)
}

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
    let sites = computed_sites(db, universe);
    scope_sites(db, symbol, &sites, found);
    // What a function declares cannot be looked up from outside.
    if !matches!(enclosing, Some(SymbolClass::Type | SymbolClass::Package)) {
        return;
    }
    let name = shared.names.text(key.name);
    let runs_unread = is_property(db, symbol);
    let mut add = |&(file, site): &(File, UnresolvedSite)| {
        let starts = site
            .absent
            .is_none_or(|start| name.starts_with(shared.names.text(start)));
        let starts = starts && (site.signature < NOT_READ || runs_unread);
        if let Some(at) = offset(db, file, site.body, site.occ).filter(|_| starts) {
            found.push((file, at, Reason::DynamicAttribute));
        }
    };
    match enclosing {
        Some(SymbolClass::Type) => {
            sites.any.iter().for_each(&mut add);
            if let Some(class) = key.parent {
                let info = class_info(db, ClassKey::new(db, class));
                let above = info.mro.iter().filter_map(|one| sites.own.get(one));
                above.flatten().for_each(&mut add);
                // Subclasses inherit it.
                for (other, rows) in &sites.own {
                    if *other != class && crate::classes::is_subclass(db, *other, class) {
                        rows.iter().for_each(&mut add);
                    }
                }
            }
        }
        _ => {
            // An attribute lookup on any object reaches a module only if modules are values
            // somewhere.
            sites.modules.iter().for_each(&mut add);
            let of_module = || {
                let module = key.parent.filter(|_| !sites.any.is_empty());
                module.is_some_and(|module| is_passed_as_value(db, universe, module))
            };
            if !sites.modules.is_empty() || sites.reads_modules || of_module() {
                sites.any.iter().for_each(&mut add);
            }
        }
    }
    for &name in &search_names(db, symbol) {
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
    }
    for name in search_names(db, symbol) {
        let name = shared.names.text(name);
        for &file in &sites.files {
            let words = literal_words(db, file);
            let positions = words.of(file.text(db), name, sites.evaluates);
            found.extend(positions.map(|at| (file, at, Reason::DynamicAttribute)));
        }
    }
}

/// Adds the functions that look up their own local names, and declare or import the symbol.
fn scope_sites(
    db: &dyn Db,
    symbol: SymbolId,
    sites: &ComputedNameSites,
    found: &mut Vec<(File, u32, Reason)>,
) {
    let parent = db.shared().symbols.key(symbol).parent;
    for (&function, rows) in &sites.scopes {
        for &(file, site) in rows {
            let imports = || {
                let uses = file_uses(db, file);
                let uses = uses.of(symbol);
                let mut own = uses.iter().filter(|one| one.body == site.body);
                own.any(|one| one.role == Role::Import)
            };
            if (parent == Some(function) || imports())
                && let Some(at) = offset(db, file, site.body, site.occ)
            {
                found.push((file, at, Reason::DynamicAttribute));
            }
        }
    }
}
