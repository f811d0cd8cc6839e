//! Lookups by names that are values: computed attributes, code run from strings, and names in
//! string literals.

use std::sync::Arc;

use codeweft_db::{
    Db, File, FileUses, NameId, Origin, Reason, Role, SymbolClass, SymbolId, UnitGraph,
    UnresolvedSite, text_queries,
};
use codeweft_python_syntax::PYTHON;
use rustc_hash::FxHashMap;

use super::literals::literals_with;
use crate::classes::{class_info, is_subclass};
use crate::completeness::is_property;
use crate::completeness::search_names;
use crate::file_groups::PyGroupKey;
use crate::index::{file_uses, py_group_index, py_unit_index};
use crate::keys::ClassKey;
use crate::locations::{declaration_range, offset_in};
use crate::uses::computed::{
    COMPUTED, EVALUATED, MODULES, NOT_READ, OF_IMPORT, OF_MODULE, OF_RECEIVER, OF_SCOPE,
};

/// The sites in some files that look names up by value. Computed attributes of any object count in
/// the workspace only: a library looks up names that it is passed, and those are in the workspace's
/// literals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ComputedNames {
    /// Attributes of any object, in the workspace.
    any: Vec<Lookup>,
    /// Attributes of the receiver of a method, each with the method's class.
    own: Vec<(SymbolId, Lookup)>,
    /// Names of a module, in the workspace.
    modules: Vec<Lookup>,
    /// Names of a function's scope, each with the function and the number of the site's body.
    scopes: Vec<(SymbolId, u32, Lookup)>,
    /// Imports by a value.
    pub(super) imports: Vec<ComputedImport>,
    /// Whether the workspace reads `sys.modules`.
    reads_modules: bool,
    /// Whether the workspace runs code from strings.
    evaluates: bool,
}

/// A site that looks a name up by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lookup {
    /// Its file.
    pub(super) file: File,
    /// Its byte offset.
    pub(super) at: u32,
    /// What the name is known to start with.
    pub(super) start: Option<NameId>,
    /// Whether the attribute is read, not only tested, stored or deleted.
    is_read: bool,
}

/// An import by a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ComputedImport {
    /// The site; its start is the whole name if `is_literal`.
    pub(super) site: Lookup,
    /// Whether the name is a literal.
    pub(super) is_literal: bool,
    /// Whether the site is in the workspace.
    pub(super) is_own: bool,
}

text_queries! {
    saved {
        use crate::index::saved::{file_uses, py_group_index};
    }
    edited {
        use crate::index::{file_uses, py_group_index};
    }
    both {
        /// Returns the sites in a group of files that look names up by value, with their byte
        /// offsets.
        #[salsa::tracked(returns(clone))]
        pub fn computed_names<'db>(
            db: &'db dyn Db,
            group: PyGroupKey<'db>,
        ) -> Arc<ComputedNames> {
            let names = &db.shared().names;
            let wanted = [COMPUTED, EVALUATED, MODULES].map(|name| names.intern(name));
            let index = py_group_index(db, group);
            let mut numbers: Vec<u32> = wanted
                .iter()
                .flat_map(|&name| index.files_with_unresolved(name))
                .collect();
            numbers.sort_unstable();
            numbers.dedup();
            let files = group.unit(db).files(db);
            let is_own = group.unit(db).origin(db) == Origin::Workspace;
            let mut found = ComputedNames::default();
            for &file in numbers.iter().filter_map(|&at| files.get(at as usize)) {
                let uses = file_uses(db, file);
                let bodies = texts::file_bodies(db, file);
                let ranges = texts::file_ranges(db, file);
                let sites = uses.unresolved.iter();
                for site in sites.filter(|site| wanted.contains(&site.name)) {
                    if let Some(at) = offset_in(&bodies, &ranges, site.body, site.occ) {
                        let lookup = Lookup {
                            file,
                            at,
                            start: site.absent,
                            is_read: site.signature < NOT_READ,
                        };
                        found.add(db, &uses, wanted, site, lookup, is_own);
                    }
                }
            }
            Arc::new(found)
        }
    }
    /// Returns the sites in a group of files that look names up by value, with their byte offsets.
    fn computed_names<'db>(PyGroupKey<'db>) -> Arc<ComputedNames>;
}

impl ComputedNames {
    fn add(
        &mut self,
        db: &dyn Db,
        uses: &FileUses,
        [_, evaluated, modules]: [NameId; 3],
        site: &UnresolvedSite,
        lookup: Lookup,
        is_own: bool,
    ) {
        let symbols = &db.shared().symbols;
        let body = uses.bodies.get(site.body as usize).copied();
        match site.signature % NOT_READ {
            _ if site.name == evaluated => {
                self.evaluates |= is_own;
                let is_function = |body: &SymbolId| {
                    let class = symbols.key(*body).class;
                    matches!(class, SymbolClass::Function | SymbolClass::Method)
                };
                if let Some(function) = body.filter(is_function) {
                    self.scopes.push((function, site.body, lookup));
                }
            }
            _ if site.name == modules => self.reads_modules |= is_own,
            OF_SCOPE => match body.map(|body| (body, symbols.key(body).class)) {
                Some((class, SymbolClass::Type)) => self.own.push((class, lookup)),
                Some((_, SymbolClass::Package)) if is_own => self.modules.push(lookup),
                Some((_, SymbolClass::Package)) | None => {}
                Some((function, _)) => self.scopes.push((function, site.body, lookup)),
            },
            OF_IMPORT => {
                self.imports.push(ComputedImport {
                    site: lookup,
                    is_literal: site.arguments == 0,
                    is_own,
                });
                if is_own {
                    let start = None;
                    self.modules.push(Lookup { start, ..lookup });
                }
            }
            OF_RECEIVER => {
                // The class of the enclosing method.
                let mut enclosing = body;
                while let Some(symbol) = enclosing {
                    let key = symbols.key(symbol);
                    if key.class == SymbolClass::Type {
                        self.own.push((symbol, lookup));
                        break;
                    }
                    enclosing = key.parent;
                }
            }
            OF_MODULE if is_own => self.modules.push(lookup),
            _ if is_own => self.any.push(lookup),
            _ => {}
        }
    }
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
    let groups: Vec<(PyGroupKey<'_>, Arc<ComputedNames>)> = PyGroupKey::all(db, universe)
        .map(|group| (group, computed_names(db, group)))
        .collect();
    for (group, sites) in &groups {
        scope_sites(db, symbol, *group, sites, found);
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
    let groups = || groups.iter().map(|(group, sites)| (*group, sites));
    let any = || groups().flat_map(|(_, sites)| &sites.any);
    match enclosing {
        Some(SymbolClass::Type) => {
            any().for_each(&mut add);
            if let Some(class) = key.parent {
                let info = class_info(db, ClassKey::new(db, class));
                // A subclass inherits it, and code of a base class runs for objects of the class.
                let mut related: FxHashMap<SymbolId, bool> = FxHashMap::default();
                for (other, site) in groups().flat_map(|(_, sites)| &sites.own) {
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
            // An attribute lookup on any object reaches a module only if modules are values
            // somewhere.
            let of_modules = || groups().flat_map(|(_, sites)| &sites.modules);
            of_modules().for_each(&mut add);
            let is_value = || {
                let module = key.parent.filter(|_| any().next().is_some());
                module.is_some_and(|module| is_passed_as_value(db, universe, module))
            };
            let reads_modules = groups().any(|(_, sites)| sites.reads_modules);
            if of_modules().next().is_some() || reads_modules || is_value() {
                any().for_each(&mut add);
            }
        }
    }
    let evaluates = groups().any(|(_, sites)| sites.evaluates);
    let is_own = |group: &PyGroupKey<'_>| group.unit(db).origin(db) == Origin::Workspace;
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
        for group in groups().map(|(group, _)| group).filter(is_own) {
            literals_with(db, group, text, evaluates, |file, at| {
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
    group: PyGroupKey<'_>,
    sites: &ComputedNames,
    found: &mut Vec<(File, u32, Reason)>,
) {
    if sites.scopes.is_empty() {
        return;
    }
    let parent = db.shared().symbols.key(symbol).parent;
    let uses_symbol = py_group_index(db, group).has_target(symbol);
    for &(function, body, site) in &sites.scopes {
        let imports = || {
            let uses = file_uses(db, site.file);
            let uses = uses.of(symbol);
            let mut own = uses.iter().filter(|one| one.body == body);
            own.any(|one| one.role == Role::Import)
        };
        if parent == Some(function) || uses_symbol && imports() {
            found.push((site.file, site.at, Reason::DynamicAttribute));
        }
    }
}
