//! The edges between a type and its members: what is in use because something else of its type, its
//! bases or its group is.
//!
//! ```go
//! type Level int
//! func (l Level) String() string { … }   // boxed Level, and a call of some String: Level.String
//! ```

use std::sync::Arc;

use codeweft_db::{
    Db, DeclaredIn, File, Hierarchy, Keeper, Language, NameId, NodeKind, Origin, Relation, SymbolId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::declarations::{Declarations, OwnUnit, is_member};
use super::memo::LiveNode;
use crate::query_context::QueryContext;
use crate::revision_cache::RevisionCache;

/// An edge of the search.
pub(crate) type LiveEdge = (LiveNode, LiveNode);

/// Returns the edges between declarations and their members.
pub(crate) fn edges(query: &QueryContext<'_>, declarations: &Declarations) -> Vec<LiveEdge> {
    let declared = LiveNode::declared;
    let mut edges: Vec<LiveEdge> = Vec::new();
    for (_, row) in declarations.rows() {
        let Some(parent) = declarations.parent(row.symbol) else {
            continue;
        };
        edges.push((declared(row.symbol), declared(parent)));
        if row.public && is_member(row) {
            edges.push((LiveNode::open(parent), declared(row.symbol)));
            edges.push((LiveNode::open(parent), LiveNode::open(row.symbol)));
        }
    }
    for (_, row) in declarations.rows().filter(|(_, row)| row.kind.is_type()) {
        edges.push((LiveNode::boxed(row.symbol), declared(row.symbol)));
    }
    for symbol in declarations.kept(Keeper::Parent) {
        if let Some(parent) = query.key(symbol).parent {
            edges.push((declared(parent), declared(symbol)));
        }
    }
    for own in &declarations.units {
        for group in &own.keepers.groups {
            tie(&mut edges, group);
        }
    }
    add_overrides(query, declarations, &mut edges);
    edges
}

/// Adds edges by which each of some declarations is in use if one of them is.
fn tie(edges: &mut Vec<LiveEdge>, together: &[SymbolId]) {
    if together.len() < 2 {
        return;
    }
    let next = together.iter().cycle().skip(1);
    for (&one, &next) in together.iter().zip(next) {
        edges.push((LiveNode::declared(one), LiveNode::declared(next)));
    }
}

/// The names of the methods that interfaces declare: exported ones of all texts, others by the
/// package that can name them.
struct InterfaceNames {
    exported: FxHashSet<NameId>,
    /// Those of them that libraries declare, whose code may call them.
    of_libraries: FxHashSet<NameId>,
    of_package: FxHashSet<(NameId, NameId)>,
}

impl InterfaceNames {
    fn read(query: &QueryContext<'_>) -> InterfaceNames {
        let names = &query.db.shared().names;
        let found = query.map(&query.units.all, |languages, db, &unit| {
            let language = languages.of(unit.lang(db))?;
            let files = unit.files(db).iter();
            let found = files.map(|&file| names_in(query.cache, db, language, file));
            let is_library = unit.origin(db) == Origin::Library;
            Some((unit.name(db), is_library, found.collect::<Vec<_>>()))
        });
        let mut all = InterfaceNames {
            exported: FxHashSet::default(),
            of_libraries: FxHashSet::default(),
            of_package: FxHashSet::default(),
        };
        for language in query.languages.0 {
            let universe = language.universe(query.db);
            let methods = universe.interfaces.iter().flat_map(|row| &row.methods);
            let methods = methods.map(|method| query.key(method.symbol).name);
            for name in methods {
                all.exported.insert(name);
                all.of_libraries.insert(name);
            }
        }
        for (package, is_library, files) in found.into_iter().flatten() {
            for &name in files.iter().flat_map(|names| names.iter()) {
                if names.text(name).starts_with(char::is_uppercase) {
                    all.exported.insert(name);
                    if is_library {
                        all.of_libraries.insert(name);
                    }
                } else {
                    all.of_package.insert((package, name));
                }
            }
        }
        all
    }
}

/// Returns the names of the methods of the interfaces in a text.
fn names_in(
    cache: &RevisionCache,
    db: &dyn Db,
    language: &dyn Language,
    file: File,
) -> Arc<[NameId]> {
    let known = &cache.reachability.interfaces;
    let text = file.text(db);
    if let Some((of, names)) = known.get(&file)
        && Arc::ptr_eq(&of, text)
    {
        return names;
    }
    let names = &db.shared().names;
    let found = language.interface_methods(text).into_iter();
    let mut found: Vec<NameId> = found.map(|name| names.intern(name)).collect();
    found.sort_unstable();
    found.dedup();
    let found: Arc<[NameId]> = found.into();
    known.insert(file, (text.clone(), found.clone()));
    found
}

/// A method that runs by the name of an interface's once values of its type become values of one, and a
/// method of that name is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DispatchedMethod {
    /// The type: boxed.
    pub(crate) boxed: LiveNode,
    /// The method.
    pub(crate) method: LiveNode,
    /// Its name; `None` if code that is not of the workspace may use such a method.
    pub(crate) name: Option<NameId>,
}

/// Returns the methods that run by the names of interfaces.
pub(crate) fn dispatched_methods(
    query: &QueryContext<'_>,
    declarations: &Declarations,
) -> Vec<DispatchedMethod> {
    let names = InterfaceNames::read(query);
    let kept = declarations.kept(Keeper::Api);
    let methods = kept.filter(|&symbol| declarations.kind(symbol) == Some(NodeKind::Method));
    let of_api: FxHashSet<NameId> = methods.map(|symbol| query.key(symbol).name).collect();
    let units: Vec<&OwnUnit> = declarations.units.iter().collect();
    let found = query.map(&units, |languages, db, own| {
        let mut found: Vec<DispatchedMethod> = Vec::new();
        let Some(language) = languages.of(own.unit.lang(db)) else {
            return found;
        };
        if language.is_dynamically_typed() {
            return found;
        }
        let symbols = &db.shared().symbols;
        let hierarchy = language.hierarchy(db, own.unit);
        let uses: Vec<_> = own
            .files
            .iter()
            .map(|&file| language.uses(db, file))
            .collect();
        let in_files = uses.iter().flat_map(|uses| uses.types.iter());
        for row in hierarchy.types.iter().chain(in_files) {
            for method in &row.methods {
                let key = symbols.key(method.symbol);
                let DeclaredIn::Unit(unit) = key.declared_in else {
                    continue;
                };
                let runs = names.exported.contains(&key.name)
                    || names.of_package.contains(&(unit.name(db), key.name));
                if runs && unit.origin(db) == Origin::Workspace {
                    let is_foreign =
                        names.of_libraries.contains(&key.name) || of_api.contains(&key.name);
                    found.push(DispatchedMethod {
                        boxed: LiveNode::boxed(row.symbol),
                        method: LiveNode::declared(method.symbol),
                        name: (!is_foreign).then_some(key.name),
                    });
                }
            }
        }
        found
    });
    found.into_iter().flatten().collect()
}

/// Adds the members of classes that bases or subclasses have too, and those of one name in one class:
/// each may run or be read for another.
fn add_overrides(query: &QueryContext<'_>, declarations: &Declarations, edges: &mut Vec<LiveEdge>) {
    let mut members: FxHashMap<SymbolId, FxHashMap<NameId, Vec<SymbolId>>> = FxHashMap::default();
    let mut of_interfaces: FxHashMap<NameId, Vec<SymbolId>> = FxHashMap::default();
    let mut named: FxHashMap<NameId, Vec<SymbolId>> = FxHashMap::default();
    for (own, row) in declarations.rows() {
        let language = query.languages.of(own.unit.lang(query.db));
        if !language.is_some_and(|language| language.is_dynamically_typed()) {
            continue;
        }
        let Some(parent) = declarations.parent(row.symbol) else {
            continue;
        };
        let of_parent = members.entry(parent).or_default();
        of_parent.entry(row.name).or_default().push(row.symbol);
        if row.kind == NodeKind::Method {
            named.entry(row.name).or_default().push(row.symbol);
            if declarations.kind(parent) == Some(NodeKind::Interface) {
                of_interfaces.entry(row.name).or_default().push(row.symbol);
            }
        }
    }
    for together in members.values().flat_map(FxHashMap::values) {
        tie(edges, together);
    }
    for (name, methods) in &of_interfaces {
        for &run in named.get(name).into_iter().flatten() {
            for &method in methods {
                edges.push((LiveNode::declared(method), LiveNode::declared(run)));
            }
        }
    }
    let bases = bases(query, declarations);
    for &class in bases.keys() {
        query.poll_cancellation();
        let ancestors = ancestors(&bases, class);
        let mut by_name: FxHashMap<NameId, Vec<SymbolId>> = FxHashMap::default();
        for of_class in ancestors.iter().filter_map(|one| members.get(one)) {
            for (&name, found) in of_class {
                by_name.entry(name).or_default().extend(found);
            }
        }
        for together in by_name.values() {
            tie(edges, together);
        }
    }
}

/// Returns the direct bases of each class of the workspace that has some.
fn bases(
    query: &QueryContext<'_>,
    declarations: &Declarations,
) -> FxHashMap<SymbolId, Vec<SymbolId>> {
    let units: Vec<&OwnUnit> = declarations.units.iter().collect();
    let hierarchies: Vec<Arc<Hierarchy>> = query.map(&units, |languages, db, own| {
        let language = languages.of(own.unit.lang(db));
        language.map_or_else(Arc::default, |language| language.hierarchy(db, own.unit))
    });
    let mut bases: FxHashMap<SymbolId, Vec<SymbolId>> = FxHashMap::default();
    for row in hierarchies.iter().flat_map(|one| one.supertypes.iter()) {
        if row.relation == Relation::Extends {
            bases.entry(row.from).or_default().push(row.to);
        }
    }
    bases
}

/// Returns a class and all its bases.
fn ancestors(bases: &FxHashMap<SymbolId, Vec<SymbolId>>, class: SymbolId) -> Vec<SymbolId> {
    let mut found = vec![class];
    let mut at = 0;
    while let Some(&one) = found.get(at) {
        for &base in bases.get(&one).into_iter().flatten() {
            if !found.contains(&base) {
                found.push(base);
            }
        }
        at += 1;
    }
    found
}
