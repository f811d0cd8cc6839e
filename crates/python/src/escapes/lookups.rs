//! The sites that could look a symbol up by a name that is a value: a computed one, or a string
//! literal.

use codeweft_db::{Db, File, NamedSymbol, Origin, Reason, Role, SymbolClass, SymbolId, UnitGraph};
use codeweft_python_syntax::PYTHON;
use rustc_hash::{FxHashMap, FxHashSet};

use super::computed::Lookup;
use super::groups::{CurrentGroup, current_groups};
use super::literals::LiteralNames;
use crate::classes::{class_info, is_subclass};
use crate::completeness::is_property;
use crate::index::{file_uses, py_group_index, py_unit_index};
use crate::keys::ClassKey;
use crate::locations::declaration_range;
use crate::uses::imports_in_body;

/// Returns whether the workspace passes a module on as a value.
pub(super) fn is_passed_as_value(db: &dyn Db, universe: UnitGraph, module: SymbolId) -> bool {
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
pub(super) fn modules_are_values(groups: &[CurrentGroup<'_>]) -> bool {
    let mut names = groups.iter().map(|group| &group.names);
    names.any(|names| names.reads_modules || !names.modules.is_empty())
}

/// Returns whether [`add_lookup_sites`] of a symbol reads the uses of all files of the workspace.
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

/// Adds the sites that could look one of some symbols up by a name.
pub(super) fn add_lookup_sites(
    db: &dyn Db,
    symbols: &[NamedSymbol],
    found: &mut Vec<(File, u32, Reason)>,
) {
    let Some(universe) = UnitGraph::try_get(db) else {
        return;
    };
    let groups = current_groups(db, universe);
    let entries = universe.imports(db).entries.iter();
    let entries: FxHashSet<&str> = entries
        .filter_map(|entry| entry.rsplit([':', '.']).next())
        .collect();
    let mut lookups = LookUps::new(db, universe, &groups);
    let mut names: Vec<&str> = Vec::new();
    for one in symbols {
        if !lookups.add_sites(one.symbol, found) {
            continue;
        }
        for &name in one.names.iter() {
            let name = db.shared().names.text(name);
            names.push(name);
            if entries.contains(name)
                && let Some(own) = declaration_range(db, one.symbol)
            {
                found.push((own.file, own.name.start, Reason::CalledByName));
            }
        }
    }
    let evaluates = groups.iter().any(|group| group.names.evaluates);
    let names = LiteralNames::new(names.into_iter());
    for group in groups.iter().filter(|group| group.is_own) {
        group.literals_with(db, &names, evaluates, |_, file, at| {
            found.push((file, at, Reason::DynamicAttribute));
        });
    }
}

/// The look-ups by values in all files that were not found to fit a symbol yet, and what was found out
/// about the symbols so far.
struct LookUps<'a> {
    db: &'a dyn Db,
    universe: UnitGraph,
    /// The groups with functions that look up their own local names.
    with_scopes: Vec<&'a CurrentGroup<'a>>,
    /// Attributes of any object.
    any: Vec<&'a Lookup>,
    /// Attributes of the receiver of a method, by the method's class.
    own: FxHashMap<SymbolId, Vec<&'a Lookup>>,
    /// Names of a module.
    of_modules: Vec<&'a Lookup>,
    /// Whether any module is a value: see [`modules_are_values`].
    modules_are_values: bool,
    /// Whether a module is passed on as a value.
    passed: FxHashMap<SymbolId, bool>,
    /// The classes of `own` whose methods run for objects of a class.
    related: FxHashMap<SymbolId, Vec<SymbolId>>,
}

impl<'a> LookUps<'a> {
    fn new(db: &'a dyn Db, universe: UnitGraph, groups: &'a [CurrentGroup<'a>]) -> LookUps<'a> {
        let names = || groups.iter().map(|group| &group.names);
        let mut own: FxHashMap<SymbolId, Vec<&Lookup>> = FxHashMap::default();
        for (class, site) in names().flat_map(|names| &names.own) {
            own.entry(*class).or_default().push(site);
        }
        let has_scopes = |group: &&CurrentGroup<'_>| !group.names.scopes.is_empty();
        LookUps {
            db,
            universe,
            with_scopes: groups.iter().filter(has_scopes).collect(),
            any: names().flat_map(|names| &names.any).collect(),
            own,
            of_modules: names().flat_map(|names| &names.modules).collect(),
            modules_are_values: modules_are_values(groups),
            passed: FxHashMap::default(),
            related: FxHashMap::default(),
        }
    }

    /// Adds the computed names that may be a symbol's. Returns whether a literal may be its name too: not
    /// if it is declared in a function, from which nothing can be looked up from outside.
    fn add_sites(&mut self, symbol: SymbolId, found: &mut Vec<(File, u32, Reason)>) -> bool {
        let (db, shared) = (self.db, self.db.shared());
        let key = shared.symbols.key(symbol);
        let is_callable = matches!(
            key.class,
            SymbolClass::Type | SymbolClass::Function | SymbolClass::Method
        );
        if !is_callable {
            return false;
        }
        for group in &self.with_scopes {
            scope_sites(db, symbol, group, found);
        }
        let Some(parent) = key.parent else {
            return false;
        };
        let name = shared.names.text(key.name);
        let runs_unread = is_property(db, symbol);
        // A site that fits is added once, whatever other symbols it fits.
        let mut take_fitting = |sites: &mut Vec<&Lookup>| {
            sites.retain(|site| {
                let mut starts = site.start.iter();
                let fits = starts.all(|&start| name.starts_with(shared.names.text(start)));
                let fits = fits && (site.is_read || runs_unread);
                if fits {
                    found.push((site.file, site.at, Reason::DynamicAttribute));
                }
                !fits
            });
        };
        match shared.symbols.key(parent).class {
            SymbolClass::Type => {
                take_fitting(&mut self.any);
                let own = &self.own;
                let related = self.related.entry(parent).or_insert_with(|| {
                    let info = class_info(db, ClassKey::new(db, parent));
                    // A subclass inherits it, and code of a base class runs for objects of the class.
                    let is_related = |other: &SymbolId| {
                        info.mro.contains(other) || is_subclass(db, *other, parent)
                    };
                    own.keys().copied().filter(is_related).collect()
                });
                for class in related {
                    if let Some(sites) = self.own.get_mut(class) {
                        take_fitting(sites);
                    }
                }
            }
            SymbolClass::Package => {
                take_fitting(&mut self.of_modules);
                let universe = self.universe;
                // An attribute look-up on any object reaches a module only if modules are values somewhere.
                let is_value = !self.any.is_empty()
                    && (self.modules_are_values
                        || *self
                            .passed
                            .entry(parent)
                            .or_insert_with(|| is_passed_as_value(db, universe, parent)));
                if is_value {
                    take_fitting(&mut self.any);
                }
            }
            _ => return false,
        }
        true
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
    let parent = db.shared().symbols.key(symbol).parent;
    // The index of the group resolves all its files, the imports below one that is resolved.
    let may_use_symbol =
        db.shared().may_have_unresolved_files() || py_group_index(db, group.key).has_target(symbol);
    for &(function, body, site) in &group.names.scopes {
        let imports = || imports_in_body(db, site.file, body, symbol);
        if parent == Some(function) || may_use_symbol && imports() {
            found.push((site.file, site.at, Reason::DynamicAttribute));
        }
    }
}
