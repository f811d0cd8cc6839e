//! The sites that could look a symbol up by a name that is a value: a computed one, or a string
//! literal.

use std::cell::{LazyCell, OnceCell};

use codeweft_db::{Db, File, NameId, NamedSymbol, Reason, SymbolClass, SymbolId, UnitGraph};
use rustc_hash::{FxHashMap, FxHashSet};

use super::computed::{ComputedImport, Lookup};
use super::groups::{CurrentGroup, current_groups};
use super::imports::Dotted;
use super::literals::LiteralNames;
use super::module_imports::{py_module_importers, py_module_imports};
use super::module_objects::py_module_classes;
use super::name_tests::passes;
use super::prefixes::prefix_of;
use super::workspace_modules::{WorkspaceModules, py_workspace_modules};
use crate::classes::{class_info, is_subclass};
use crate::completeness::is_property;
use crate::declared::{enclosing_module, file_of_module, is_of_workspace};
use crate::entry_points;
use crate::flow::{KnownLookUp, known_look_up, may_be_of_class, may_escape};
use crate::index::py_group_index;
use crate::infer::star_module;
use crate::keys::ClassKey;
use crate::language::is_in_tests;
use crate::locations::declaration_range;
use crate::uses::imports_of_body;

/// Returns whether the workspace may import a module by a value, or takes it out of `sys.modules`: then the module is a
/// value, and an attribute look-up on any object may reach it. Else only modules that escape are.
pub(super) fn is_module_a_value(
    db: &dyn Db,
    groups: &[CurrentGroup<'_>],
    module: SymbolId,
) -> bool {
    let mut names = groups.iter().map(|group| &group.names);
    let dotted = Dotted::of(db, module);
    names.any(|names| {
        let mut imports = names.imports.iter();
        names.reads_modules
            || names.own_modules.contains(&module)
            || names
                .read_modules
                .iter()
                .any(|name| dotted.is_named_by(name))
            || imports.any(|import| {
                import.is_own && !import.is_literal && dotted.may_be_imported(db, import)
            })
    })
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
    let mut lookups = LookUps::new(db, universe, &groups);
    let mut names: Vec<&str> = Vec::new();
    for one in symbols {
        if !lookups.add_sites(one, found) {
            continue;
        }
        names.extend(one.names.iter().map(|&name| db.shared().names.text(name)));
        let mut own_names = one.names.iter();
        let is_named = entry_points::is_plug_in(db, one.symbol)
            || own_names.any(|&name| entry_points::may_be_named(db, name));
        if is_named && let Some(own) = declaration_range(db, one.symbol) {
            found.push((own.file, own.name.start, Reason::CalledByName));
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

/// A look-up by a value, with what the flow of values knows of it.
struct Site<'a> {
    lookup: &'a Lookup,
    /// The constant prefix of the name.
    prefix: &'a str,
    known: OnceCell<KnownLookUp>,
}

impl<'a> Site<'a> {
    fn new(db: &'a dyn Db, lookup: &'a Lookup) -> Site<'a> {
        Site {
            lookup,
            prefix: prefix_of(db, lookup),
            known: OnceCell::new(),
        }
    }

    fn known(&self, db: &dyn Db) -> &KnownLookUp {
        self.known.get_or_init(|| {
            let Lookup {
                file, body, token, ..
            } = *self.lookup;
            known_look_up(db, file, body, token).unwrap_or_default()
        })
    }

    /// Returns whether it may look a symbol of a scope up, by the name and by the object; `is_value` says whether an unknown object
    /// may have the scope.
    fn fits(&self, db: &dyn Db, sought: &Sought<'_>, is_value: impl FnOnce() -> bool) -> bool {
        let is_called = || {
            let known = self.known(db);
            if sought.is_class {
                known.calls_classes
            } else {
                known.calls_functions
            }
        };
        // What takes least comes first, and the text is read last.
        (sought.runs_unread || self.lookup.is_read)
            && sought.text.starts_with(self.prefix)
            && (sought.runs_unread || is_called())
            && (!sought.is_of_workspace || self.may_be_on(db, sought, is_value))
            && passes(sought.text, self.lookup.file.text(db), self.lookup.at)
    }

    /// Returns whether it may look a symbol of the workspace up, by what values are known to bring.
    fn may_be_on(&self, db: &dyn Db, sought: &Sought<'_>, is_value: impl FnOnce() -> bool) -> bool {
        let known = self.known(db);
        // What is found is called where it flows to. A property runs here, and what is found is its result.
        if sought.of_callers
            && !sought.runs_unread
            && known.followed.binary_search(&sought.symbol).is_ok()
            && !may_escape(db, sought.symbol)
        {
            return false;
        }
        let beside = known.beside(sought.is_of_test);
        let names = beside.names.as_ref();
        let mut holders = known.holders.iter();
        names.is_none_or(|names| names.contains(&sought.name))
            && (holders.any(|&holder| has_in_scope(db, holder, sought))
                || beside.has_others && is_value())
    }
}

/// Look-ups that were not found to fit a symbol yet.
#[derive(Default)]
struct Sites<'a> {
    /// Those that may call what they find.
    reading: Vec<Site<'a>>,
    /// Those that only test or store it.
    others: Vec<Site<'a>>,
}

impl<'a> Sites<'a> {
    fn of(db: &'a dyn Db, lookups: impl Iterator<Item = &'a Lookup>) -> Sites<'a> {
        let mut sites = Sites::default();
        lookups.for_each(|lookup| sites.push(db, lookup));
        sites
    }

    fn push(&mut self, db: &'a dyn Db, lookup: &'a Lookup) {
        let list = if lookup.is_read {
            &mut self.reading
        } else {
            &mut self.others
        };
        list.push(Site::new(db, lookup));
    }

    /// Keeps those for which `keeps` returns true, of those that may fit at all.
    fn retain(&mut self, sought: &Sought<'_>, mut keeps: impl FnMut(&Site<'_>) -> bool) {
        self.reading.retain(&mut keeps);
        if sought.runs_unread {
            self.others.retain(keeps);
        }
    }
}

/// An import by a name, of whose module any other name may be read.
struct Import<'a> {
    import: &'a ComputedImport,
    /// The modules that the workspace may import there; `None` if others are possible.
    by_workspace: ImportedModules,
    /// The same, if code outside of it calls its public functions.
    by_any: ImportedModules,
}

/// The modules that an import may have, once they are looked for; `None` if others are possible.
type ImportedModules = OnceCell<Option<FxHashSet<SymbolId>>>;

impl<'a> Import<'a> {
    fn new(import: &'a ComputedImport) -> Import<'a> {
        Import {
            import,
            by_workspace: OnceCell::new(),
            by_any: OnceCell::new(),
        }
    }

    /// Returns whether one of its modules is that of a symbol or binds it; `modules` are the workspace's.
    fn fits(&self, db: &dyn Db, modules: &WorkspaceModules, sought: &Sought<'_>) -> bool {
        let by_workspace = sought.is_of_test;
        let known = if by_workspace {
            &self.by_workspace
        } else {
            &self.by_any
        };
        if !self.import.site.is_read && !sought.runs_unread {
            return false;
        }
        let modules = known.get_or_init(|| self.import.modules(db, modules, by_workspace));
        let has = |modules: &FxHashSet<SymbolId>| {
            !modules.is_empty()
                && (modules.contains(&sought.scope) || !modules.is_disjoint(sought.binding(db)))
        };
        modules.as_ref().is_none_or(has)
    }
}

/// A symbol that is looked for.
struct Sought<'a> {
    symbol: SymbolId,
    /// The class or module that declares it.
    scope: SymbolId,
    name: NameId,
    text: &'a str,
    is_class: bool,
    /// Whether what is only tested or stored runs it, too.
    runs_unread: bool,
    /// Whether its callers are queried.
    of_callers: bool,
    is_of_workspace: bool,
    /// Whether it is declared in a test, which code outside of the workspace cannot name.
    is_of_test: bool,
    universe: UnitGraph,
    /// The modules that bind it by imports, of those that [`py_module_importers`] covers.
    binding: OnceCell<FxHashSet<SymbolId>>,
}

impl Sought<'_> {
    fn binding(&self, db: &dyn Db) -> &FxHashSet<SymbolId> {
        self.binding
            .get_or_init(|| py_module_importers(db, self.universe).of(db, self.symbol))
    }
}

/// Returns whether a class or module is one of a test runner. What that reads of a test by name is what its loader finds by the
/// name, which the answer says, or what a literal of the workspace names (Python library, unittest, "Organizing test code"; pytest,
/// How to implement xunit-style set-up).
pub(crate) fn is_of_test_runner(db: &dyn Db, symbol: SymbolId) -> bool {
    let module = enclosing_module(db, symbol);
    !is_of_workspace(db, module) && matches!(Dotted::of(db, module).top(), "_pytest" | "unittest")
}

/// Returns whether a class or module may have a symbol among its names.
fn has_in_scope(db: &dyn Db, holder: SymbolId, sought: &Sought<'_>) -> bool {
    if db.shared().symbols.key(holder).class == SymbolClass::Type {
        return is_subclass(db, holder, sought.scope);
    }
    holder == sought.scope
        || if py_module_importers(db, sought.universe).covers(holder) {
            sought.binding(db).contains(&holder)
        } else {
            binds(db, holder, sought.symbol, MAX_STARS)
        }
}

/// The maximum number of star imports that a name may come through.
const MAX_STARS: u32 = 8;

/// Returns whether an import of a module binds a symbol.
fn binds(db: &dyn Db, module: SymbolId, symbol: SymbolId, stars: u32) -> bool {
    let Some(file) = file_of_module(db, module) else {
        return true;
    };
    if py_module_imports(db, file).binary_search(&symbol).is_ok() {
        return true;
    }
    let key = db.shared().symbols.key(symbol);
    let source = star_module(db, file, key.name);
    source.is_some_and(|source| {
        stars == 0 || key.parent == Some(source) || binds(db, source, symbol, stars - 1)
    })
}

/// The look-ups by values in all files that were not found to fit a symbol yet, and what was found out
/// about the symbols so far.
struct LookUps<'a> {
    db: &'a dyn Db,
    /// The groups with functions that look up their own local names.
    with_scopes: Vec<&'a CurrentGroup<'a>>,
    /// Attributes of any object.
    any: Sites<'a>,
    /// Names in the tables of any object.
    tables: Sites<'a>,
    /// Attributes of the receiver of a method, by the method's class.
    own: FxHashMap<SymbolId, Sites<'a>>,
    /// Names of a module, each with the module, if the text says which.
    of_modules: Vec<(Option<SymbolId>, Site<'a>)>,
    /// Imports of names, once a name of a module is looked for.
    imports: Option<Vec<Import<'a>>>,
    groups: &'a [CurrentGroup<'a>],
    universe: UnitGraph,
    /// The classes of `own` below each class, once members of a class are looked for.
    below: Option<FxHashMap<SymbolId, Vec<SymbolId>>>,
    /// The classes of `own` whose methods run for objects of a class.
    related: FxHashMap<SymbolId, Vec<SymbolId>>,
}

impl<'a> LookUps<'a> {
    fn new(db: &'a dyn Db, universe: UnitGraph, groups: &'a [CurrentGroup<'a>]) -> LookUps<'a> {
        let names = || groups.iter().map(|group| &group.names);
        let mut own: FxHashMap<SymbolId, Sites<'_>> = FxHashMap::default();
        for (class, lookup) in names().flat_map(|names| &names.own) {
            own.entry(*class).or_default().push(db, lookup);
        }
        let has_scopes = |group: &&CurrentGroup<'_>| !group.names.scopes.is_empty();
        let of_modules = names().flat_map(|names| &names.modules);
        LookUps {
            db,
            with_scopes: groups.iter().filter(has_scopes).collect(),
            any: Sites::of(db, names().flat_map(|names| &names.any)),
            tables: Sites::of(db, names().flat_map(|names| &names.tables)),
            own,
            of_modules: of_modules
                .map(|(module, lookup)| (*module, Site::new(db, lookup)))
                .collect(),
            imports: None,
            groups,
            universe,
            below: None,
            related: FxHashMap::default(),
        }
    }

    /// Adds the computed names that may be a symbol's. Returns whether a literal may be its name too: not
    /// if it is declared in a function, from which nothing can be looked up from outside.
    fn add_sites(&mut self, named: &NamedSymbol, found: &mut Vec<(File, u32, Reason)>) -> bool {
        let (db, shared, symbol) = (self.db, self.db.shared(), named.symbol);
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
        let sought = Sought {
            symbol,
            scope: parent,
            name: key.name,
            text: shared.names.text(key.name),
            is_class: key.class == SymbolClass::Type,
            runs_unread: is_property(db, symbol),
            of_callers: named.of_callers,
            is_of_workspace: is_of_workspace(db, symbol),
            is_of_test: is_in_tests(db, symbol),
            universe: self.universe,
            binding: OnceCell::new(),
        };
        // A site that fits is added once, whatever other symbols it fits.
        let mut take = |lookup: &Lookup, fits: bool| {
            if fits {
                found.push((lookup.file, lookup.at, Reason::DynamicAttribute));
            }
            !fits
        };
        // An unknown object is a class or module only if that is a value somewhere.
        let is_value = OnceCell::new();
        let is_module = shared.symbols.key(parent).class == SymbolClass::Package;
        let (groups, universe) = (self.groups, self.universe);
        let is_value = || {
            *is_value.get_or_init(|| {
                may_escape(db, parent) || is_module && is_module_a_value(db, groups, parent)
            })
        };
        match shared.symbols.key(parent).class {
            SymbolClass::Type => {
                let is_object = OnceCell::new();
                let is_object = || *is_object.get_or_init(|| may_be_of_class(db, parent));
                let is_module_object = || {
                    py_module_classes(db, universe).contains(&parent)
                        || groups.iter().any(|group| group.names.replaces_modules)
                };
                self.any.retain(&sought, |site| {
                    let may_have = !site.lookup.is_of_module_object || is_module_object();
                    take(site.lookup, may_have && site.fits(db, &sought, is_object))
                });
                self.tables.retain(&sought, |site| {
                    take(site.lookup, site.fits(db, &sought, is_value))
                });
                let own = &self.own;
                let below = self
                    .below
                    .get_or_insert_with(|| subclasses_among(db, own.keys()));
                let related = self.related.entry(parent).or_insert_with(|| {
                    let info = class_info(db, ClassKey::new(db, parent));
                    // A subclass inherits it, and code of a base class runs for objects of the class.
                    let above = info.mro.iter().filter(|one| own.contains_key(*one));
                    let below = below.get(&parent).into_iter().flatten();
                    let below = below.filter(|one| !info.mro.contains(one));
                    let related = above.chain(below).copied();
                    related
                        .filter(|&other| !is_of_test_runner(db, other))
                        .collect()
                });
                for class in related {
                    if let Some(sites) = self.own.get_mut(class) {
                        sites.retain(&sought, |site| {
                            take(site.lookup, site.fits(db, &sought, || true))
                        });
                    }
                }
            }
            SymbolClass::Package => {
                self.of_modules.retain(|(module, site)| {
                    let is_there = module.is_none_or(|one| has_in_scope(db, one, &sought));
                    take(site.lookup, is_there && site.fits(db, &sought, || true))
                });
                let imports = self.imports.get_or_insert_with(|| {
                    let imports = groups.iter().flat_map(|group| &group.names.imports);
                    imports
                        .filter(|import| import.is_own)
                        .map(Import::new)
                        .collect()
                });
                let modules = LazyCell::new(|| py_workspace_modules(db, universe));
                imports.retain(|one| take(&one.import.site, one.fits(db, &modules, &sought)));
                for sites in [&mut self.any, &mut self.tables] {
                    sites.retain(&sought, |site| {
                        take(site.lookup, site.fits(db, &sought, is_value))
                    });
                }
            }
            _ => return false,
        }
        true
    }
}

/// Returns for each class those of some classes that are it or a subclass of it.
fn subclasses_among<'a>(
    db: &dyn Db,
    classes: impl Iterator<Item = &'a SymbolId>,
) -> FxHashMap<SymbolId, Vec<SymbolId>> {
    let mut below: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
    for &class in classes {
        let info = class_info(db, ClassKey::new(db, class));
        for &above in &info.mro {
            below.entry(above).or_default().push(class);
        }
    }
    below
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
        let imports = || imports_of_body(db, site.file, body).contains(&symbol);
        if parent == Some(function) || may_use_symbol && imports() {
            found.push((site.file, site.at, Reason::DynamicAttribute));
        }
    }
}
