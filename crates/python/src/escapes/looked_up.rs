//! The look-ups by values that may reach each of some symbols, for answers about many symbols: as
//! [`super::lookups`], but kept apart by symbol.
//!
//! ```python
//! getattr(self, "visit_" + kind)    # reaches every method whose name begins with visit_
//! getattr(obj, name)                # may reach any method
//! "pkg.mod:run"                     # a literal that names run
//! ```

use std::cell::LazyCell;

use codeweft_db::{Db, HiddenUse, Reason, SymbolClass, SymbolId, UnitGraph};
use rustc_hash::FxHashMap;

use super::computed::{ComputedImport, Lookup};
use super::groups::{CurrentGroup, current_groups};
use super::literals::LiteralNames;
use super::lookups::{is_module_a_value, is_of_test_runner};
use super::prefixes::prefix_of;
use super::workspace_modules::py_workspace_modules;
use crate::classes::{class_info, is_subclass};
use crate::completeness::search_names;
use crate::flow::may_escape;
use crate::keys::ClassKey;

/// A symbol gets so many look-ups without a constant beginning, the first in order of the files: each of
/// them may be of any name.
const MAX_LOOKUPS: usize = 64;

/// A look-up with the constant beginning of its name; empty if it has none.
#[derive(Clone, Copy)]
struct Begun<'a> {
    site: &'a Lookup,
    beginning: &'a str,
}

impl<'a> Begun<'a> {
    fn new(db: &'a dyn Db, site: &'a Lookup) -> Begun<'a> {
        Begun {
            site,
            beginning: prefix_of(db, site),
        }
    }
}

/// The look-ups of all files, by what they look in.
struct Sites<'a> {
    db: &'a dyn Db,
    any: Vec<Begun<'a>>,
    own: Vec<(SymbolId, Begun<'a>)>,
    modules: Vec<Begun<'a>>,
    groups: &'a [CurrentGroup<'a>],
    /// Of a class the classes of `own` whose methods run for its objects.
    related: FxHashMap<SymbolId, Vec<SymbolId>>,
}

impl<'a> Sites<'a> {
    fn new(db: &'a dyn Db, universe: UnitGraph, groups: &'a [CurrentGroup<'a>]) -> Sites<'a> {
        let names = || groups.iter().map(|group| &group.names);
        let order = |one: &Begun<'_>| (one.site.file.path(db).clone(), one.site.at);
        let begun = |site| Begun::new(db, site);
        let any = names().flat_map(|names| names.any.iter().chain(&names.tables));
        let mut any: Vec<Begun<'_>> = any.map(begun).collect();
        any.sort_by_cached_key(order);
        let imports = names().flat_map(|names| &names.imports);
        let of_workspace = LazyCell::new(|| py_workspace_modules(db, universe));
        let may_be_own = |import: &&ComputedImport| {
            let named = || import.modules(db, &of_workspace, false);
            import.is_own && named().is_none_or(|modules| !modules.is_empty())
        };
        let imports = imports.filter(may_be_own);
        // The name of a module says nothing of those in it.
        let imports = imports.map(|import| Begun {
            site: &import.site,
            beginning: "",
        });
        let modules = names().flat_map(|names| &names.modules);
        let modules = modules.map(|(_, site)| begun(site));
        let mut modules: Vec<Begun<'_>> = modules.chain(imports).collect();
        modules.sort_by_cached_key(order);
        let own = names().flat_map(|names| &names.own);
        let own = own.filter(|(class, _)| !is_of_test_runner(db, *class));
        let mut own: Vec<(SymbolId, Begun<'_>)> =
            own.map(|(class, site)| (*class, begun(site))).collect();
        own.sort_by_cached_key(|(_, site)| order(site));
        Sites {
            db,
            any,
            own,
            modules,
            groups,
            related: FxHashMap::default(),
        }
    }

    /// Returns the look-ups that may find a symbol by the name of its declaration.
    fn of(&mut self, symbol: SymbolId) -> Vec<Begun<'a>> {
        let db = self.db;
        let key = db.shared().symbols.key(symbol);
        let name = db.shared().names.text(key.name);
        let Some(parent) = key.parent else {
            return Vec::new();
        };
        let fitting = |one: &&Begun<'_>| name.starts_with(one.beginning);
        match db.shared().symbols.key(parent).class {
            SymbolClass::Type => {
                let own = &self.own;
                let related = self.related.entry(parent).or_insert_with(|| {
                    let info = class_info(db, ClassKey::new(db, parent));
                    let mut classes: Vec<SymbolId> = own.iter().map(|&(class, _)| class).collect();
                    classes.sort_unstable();
                    classes.dedup();
                    // A subclass inherits it, and code of a base runs for objects of the class.
                    classes.retain(|other| {
                        info.mro.contains(other) || is_subclass(db, *other, parent)
                    });
                    classes
                });
                let of_class = own
                    .iter()
                    .filter(|(class, _)| related.binary_search(class).is_ok())
                    .map(|(_, site)| site);
                let all = self.any.iter().chain(of_class);
                all.filter(fitting).copied().take(MAX_LOOKUPS).collect()
            }
            SymbolClass::Package => {
                let is_value = !self.any.is_empty()
                    && (may_escape(db, parent) || is_module_a_value(db, self.groups, parent));
                let any: &[Begun<'_>] = if is_value { &self.any } else { &[] };
                let all = self.modules.iter().chain(any);
                all.filter(fitting).copied().take(MAX_LOOKUPS).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Returns those of some symbols whose names begin as the constant beginning of a look-up.
pub(crate) fn looked_up_by_prefix(db: &dyn Db, symbols: &[SymbolId]) -> Vec<SymbolId> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let groups = current_groups(db, universe);
    let mut sites = Sites::new(db, universe, &groups);
    sites.any.retain(|one| !one.beginning.is_empty());
    sites.modules.retain(|one| !one.beginning.is_empty());
    sites.own.retain(|(_, one)| !one.beginning.is_empty());
    if sites.any.is_empty() && sites.modules.is_empty() && sites.own.is_empty() {
        return Vec::new();
    }
    let symbols = symbols.iter().copied();
    symbols
        .filter(|&symbol| !sites.of(symbol).is_empty())
        .collect()
}

/// Returns the look-ups and literals that may name each of some symbols.
pub(crate) fn looked_up(db: &dyn Db, symbols: &[SymbolId]) -> Vec<(SymbolId, HiddenUse)> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let groups = current_groups(db, universe);
    let mut sites = Sites::new(db, universe, &groups);
    let mut found = Vec::new();
    let mut by_name: FxHashMap<&str, Vec<SymbolId>> = FxHashMap::default();
    for &symbol in symbols {
        db.unwind_if_cancelled();
        for Begun { site, .. } in sites.of(symbol) {
            found.push((symbol, (site.file, site.at, Reason::DynamicAttribute)));
        }
        for name in search_names(db, symbol) {
            let name = db.shared().names.text(name);
            by_name.entry(name).or_default().push(symbol);
        }
    }
    let evaluates = groups.iter().any(|group| group.names.evaluates);
    let names = LiteralNames::new(by_name.keys().copied());
    for group in groups.iter().filter(|group| group.is_own) {
        group.literals_with(db, &names, evaluates, |name, file, at| {
            for &symbol in by_name.get(name).into_iter().flatten() {
                found.push((symbol, (file, at, Reason::DynamicAttribute)));
            }
        });
    }
    found
}
