//! Export of all nodes and edges, package by package (docs/user-guide.md, "Exporting").
//!
//! Packages are ordered by (language, printed name), their nodes by id, their edges by (from, type,
//! to, file, line, column). An edge belongs to the package of its `from`. The workspace is exported
//! completely, libraries only as far as an edge touches them.

mod class_relations;
mod conversions;
mod details;
mod edges;
mod files;
mod open_sites;
mod pairs;
mod parts;
mod paths;
mod qualified;
mod rows;

use std::sync::Arc;

use codeweft_db::{DeclaredIn, File, Lang, NameId, Origin, RootDb, SymbolClass, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

pub use class_relations::ClassRelation;
use class_relations::SymbolRelation;
pub use conversions::ConversionRow;
pub use details::{DetailedPackage, NodeDetail};
pub use files::{FileRow, LineCounts, UnresolvedRow, each_file};
pub use open_sites::{OpenKind, OpenNode, OpenNodes, OpenSite};
pub use parts::{
    FilePart, FileStamp, FoundRuns, GraphParts, JoinStamp, ListStamp, PartFile, units,
};
pub use paths::{PackageWithPaths, PathForm, PathPart, SymbolPath, each_package_with_paths};
pub use qualified::{
    AbsentRow, AliasRow, Position, QualifiedFile, QualifiedRow, each_alias, each_qualified_file,
};
pub use rows::{EdgeRow, EdgeType, Location, PackageRows};

use crate::export::edges::ExportEdge;
use crate::export::open_sites::OpenSets;
use crate::query_context::{QueryContext, QueryOptions};
use crate::rendering;
use crate::revision_cache::RevisionCache;
use crate::symbols;
use crate::units::Units;

/// The options of an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportOptions {
    /// The types of edges.
    pub edges: Vec<EdgeType>,
    /// Whether `calls` include the possible targets of interface calls and of calls of function
    /// values.
    pub dispatch: bool,
    /// Whether detailed packages have what answers need beside edges: what they may lack, conversions to
    /// interfaces, in what a type is written.
    pub for_answers: bool,
    /// Whether details have the types and parameters of declarations, for which their texts are parsed.
    pub types: bool,
}

impl Default for ExportOptions {
    /// All types of edges but `references`.
    fn default() -> ExportOptions {
        ExportOptions {
            edges: vec![
                EdgeType::Calls,
                EdgeType::Embeds,
                EdgeType::Implements,
                EdgeType::Imports,
            ],
            dispatch: true,
            for_answers: false,
            types: true,
        }
    }
}

/// A package to be exported.
struct ExportedPackage {
    lang: Option<Lang>,
    name: Arc<str>,
    units: Vec<Unit>,
    external: bool,
}

/// Visits every package with its rows.
pub fn each_package(
    db: &RootDb,
    options: &ExportOptions,
    threads: usize,
    visit: &mut dyn FnMut(PackageRows),
) {
    let cache = RevisionCache::default();
    let query = QueryContext::new(db, QueryOptions::new(&cache, threads));
    let export = ExportContext::new(&query, options);
    for package in &export.packages {
        let symbols = export.symbols(package);
        visit(export.rows(package, &symbols));
    }
}

/// Visits every package with its rows, and with the parts of the declaration of each node.
pub fn each_detailed_package(
    db: &RootDb,
    options: &ExportOptions,
    threads: usize,
    visit: &mut dyn FnMut(DetailedPackage),
) {
    each_detailed_package_in(db, &RevisionCache::default(), options, threads, visit);
}

/// As [`each_detailed_package`]; what packages share is kept in `cache`, which belongs to the revision.
pub fn each_detailed_package_in(
    db: &RootDb,
    cache: &RevisionCache,
    options: &ExportOptions,
    threads: usize,
    visit: &mut dyn FnMut(DetailedPackage),
) {
    let query = QueryContext::new(db, QueryOptions::new(cache, threads));
    let export = ExportContext::new(&query, options);
    let open_sets = OpenSets::default();
    for package in &export.packages {
        let symbols = export.symbols(package);
        let (mut open, mut conversions) = Default::default();
        if options.for_answers {
            open = open_sets.of(&query, &symbols);
            conversions = export.conversions(package);
        }
        let relations = export.printed_relations(package);
        visit(DetailedPackage {
            lang: package.lang,
            rows: export.rows(package, &symbols),
            details: details::details(&query, &symbols, options.types),
            open,
            conversions,
            relations,
        });
    }
}

/// As [`each_detailed_package_in`], of some packages of the workspace, by language and printed name, without `implements` edges.
/// Nodes of libraries that the edges touch are not visited.
pub fn each_detailed_package_of(
    db: &RootDb,
    cache: &RevisionCache,
    options: &ExportOptions,
    threads: usize,
    packages: &FxHashSet<(Lang, Arc<str>)>,
    visit: &mut dyn FnMut(DetailedPackage),
) {
    let query = QueryContext::new(db, QueryOptions::new(cache, threads));
    let export = ExportContext::without_packages(&query, options);
    let is_wanted = |package: &ExportedPackage| {
        let key = package.lang.map(|lang| (lang, package.name.clone()));
        !package.external && key.is_some_and(|key| packages.contains(&key))
    };
    for package in own_packages(&query).into_iter().filter(is_wanted) {
        let symbols = export.symbols(&package);
        visit(DetailedPackage {
            lang: package.lang,
            rows: export.rows(&package, &symbols),
            details: details::details(&query, &symbols, options.types),
            ..DetailedPackage::default()
        });
    }
}

/// Returns the edges in some files of units, and those that other files of their packages give to the
/// package itself; if there is a unit, all `implements` edges; without those that a call of an interface or
/// of a function value may run. By (from, type, to, file, line, column).
pub(crate) fn edges_in(
    query: &QueryContext<'_>,
    units: &[(Unit, FxHashSet<File>)],
) -> Vec<EdgeRow> {
    let options = ExportOptions {
        edges: EdgeType::ALL.to_vec(),
        dispatch: false,
        for_answers: false,
        types: true,
    };
    let export = ExportContext::without_packages(query, &options);
    let mut edges = Vec::new();
    let mut packages: FxHashSet<(Lang, NameId)> = FxHashSet::default();
    for (unit, files) in units {
        export.edges_of_unit(&mut edges, *unit, &|file| files.contains(&file));
        packages.insert((unit.lang(query.db), unit.name(query.db)));
    }
    let of_packages = packages
        .iter()
        .flat_map(|&(lang, name)| query.units.named(lang, name));
    for &unit in of_packages {
        let known = units.iter().find(|(known, _)| *known == unit);
        let is_other = |file: File| known.is_none_or(|(_, files)| !files.contains(&file));
        let mut others = Vec::new();
        export.edges_of_unit(&mut others, unit, &is_other);
        others.retain(|edge| query.key(edge.from).class == SymbolClass::Package);
        edges.extend(others);
    }
    if !units.is_empty() {
        edges.extend(export.all_pairs());
    }
    export.printed(edges)
}

/// Returns the number of units of libraries, whose uses of each other are not exported.
pub fn library_units(db: &RootDb) -> usize {
    let units = Units::read(db);
    let libraries = units
        .all
        .iter()
        .filter(|unit| unit.origin(db) == Origin::Library);
    libraries.count()
}

/// Data shared by all packages of an export.
struct ExportContext<'a, 'q> {
    query: &'a QueryContext<'q>,
    options: &'a ExportOptions,
    packages: Vec<ExportedPackage>,
    /// The `implements` edges, by the package of their `from`.
    implements: FxHashMap<(Option<Lang>, Arc<str>), Vec<ExportEdge>>,
    /// Nodes of libraries that an edge touches, by package.
    external: FxHashMap<(Option<Lang>, Arc<str>), Vec<SymbolId>>,
    /// The relations of classes, by the package of their `from`.
    relations: FxHashMap<(Option<Lang>, Arc<str>), Vec<SymbolRelation>>,
}

impl<'a, 'q> ExportContext<'a, 'q> {
    fn without_packages(
        query: &'a QueryContext<'q>,
        options: &'a ExportOptions,
    ) -> ExportContext<'a, 'q> {
        ExportContext {
            query,
            options,
            packages: Vec::new(),
            implements: FxHashMap::default(),
            external: FxHashMap::default(),
            relations: FxHashMap::default(),
        }
    }

    fn new(query: &'a QueryContext<'q>, options: &'a ExportOptions) -> ExportContext<'a, 'q> {
        let mut export = ExportContext::without_packages(query, options);
        let mut touched: FxHashSet<SymbolId> = FxHashSet::default();
        if options.edges.contains(&EdgeType::Implements) {
            for edge in export.all_pairs() {
                touched.extend([edge.from, edge.to]);
                let package = export.package_of(edge.from);
                export.implements.entry(package).or_default().push(edge);
            }
        }
        if options.for_answers {
            for relation in export.class_relations() {
                touched.extend([relation.0, relation.1]);
                let package = export.package_of(relation.0);
                export.relations.entry(package).or_default().push(relation);
            }
        }
        export.packages = own_packages(query);
        for package in &export.packages {
            if !package.external {
                let edges = export.edges(package);
                touched.extend(edges.iter().map(|edge| edge.to));
            }
        }
        for symbol in touched {
            if symbols::is_external(query, symbol) {
                let package = export.package_of(symbol);
                export.external.entry(package).or_default().push(symbol);
            }
        }
        export.add_foreign_packages();
        export
    }

    /// Returns the package whose rows a symbol belongs to. Modules belong to their unit.
    fn package_of(&self, symbol: SymbolId) -> (Option<Lang>, Arc<str>) {
        let query = self.query;
        let name = match query.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => {
                let name = unit.name(query.db);
                query.db.shared().names.text(name).into()
            }
            _ => symbols::package_id(query, symbol),
        };
        (query.lang(symbol), name)
    }

    /// Adds packages without a unit: absent ones and the builtins'.
    fn add_foreign_packages(&mut self) {
        let known: FxHashSet<_> = self
            .packages
            .iter()
            .map(|package| (package.lang, package.name.clone()))
            .collect();
        let foreign = self.external.keys().filter(|key| !known.contains(*key));
        let foreign: Vec<_> = foreign.cloned().collect();
        self.packages
            .extend(foreign.into_iter().map(|(lang, name)| ExportedPackage {
                lang,
                name,
                units: Vec::new(),
                external: true,
            }));
        self.packages
            .sort_by(|a, b| (a.lang, &a.name).cmp(&(b.lang, &b.name)));
    }

    /// Returns the symbols that are nodes of a package, by id.
    fn symbols(&self, package: &ExportedPackage) -> Vec<SymbolId> {
        let symbols = if package.external {
            let key = (package.lang, package.name.clone());
            self.external.get(&key).cloned().unwrap_or_default()
        } else {
            declared_by(self.query, &package.units)
        };
        symbols::in_order(self.query, symbols)
    }

    /// Returns the relations of the classes of a package, in order.
    fn printed_relations(&self, package: &ExportedPackage) -> Vec<ClassRelation> {
        let key = (package.lang, package.name.clone());
        let own = self.relations.get(&key).into_iter().flatten();
        let is_own =
            |one: &&SymbolRelation| symbols::is_external(self.query, one.0) == package.external;
        let printed = own
            .filter(is_own)
            .map(|&(from, to, distance)| ClassRelation {
                from: symbols::id(self.query, from),
                to: symbols::id(self.query, to),
                distance,
            });
        let mut printed: Vec<ClassRelation> = printed.collect();
        printed.sort();
        printed
    }

    /// Returns the rows of a package with these nodes.
    fn rows(&self, package: &ExportedPackage, symbols: &[SymbolId]) -> PackageRows {
        let key = (package.lang, package.name.clone());
        let mut edges = if package.external {
            Vec::new()
        } else {
            self.edges(package)
        };
        let is_own =
            |edge: &&ExportEdge| symbols::is_external(self.query, edge.from) == package.external;
        let implements = self.implements.get(&key).into_iter().flatten();
        edges.extend(implements.filter(is_own).cloned());
        PackageRows {
            name: package.name.clone(),
            external: package.external,
            nodes: rendering::nodes(self.query, symbols),
            edges: self.printed(edges),
        }
    }
}

/// Returns the packages of all units.
fn own_packages(query: &QueryContext<'_>) -> Vec<ExportedPackage> {
    let db = query.db;
    let mut packages: Vec<ExportedPackage> = Vec::new();
    for &unit in query.units.all.iter() {
        let name = db.shared().names.text(unit.name(db));
        let lang = Some(unit.lang(db));
        let external = unit.origin(db) == Origin::Library;
        // Folders of top-level modules share the empty name, also those of libraries.
        let same = packages.iter_mut().rev();
        let same = same.take_while(|package| package.lang == lang && &*package.name == name);
        let known = same
            .into_iter()
            .find(|package| package.external == external);
        match known {
            Some(package) => package.units.push(unit),
            None => packages.push(ExportedPackage {
                lang,
                name: name.into(),
                units: vec![unit],
                external,
            }),
        }
    }
    packages
}

/// Returns all declarations of units: packages, rows and local types.
pub(super) fn declared_by(query: &QueryContext<'_>, units: &[Unit]) -> Vec<SymbolId> {
    let mut symbols = Vec::new();
    for &unit in units {
        let Some(language) = query.languages.of(unit.lang(query.db)) else {
            continue;
        };
        symbols.extend(symbols::own_package(query, unit));
        symbols.extend(query.symbols(unit).rows.iter().map(|row| row.symbol));
        for &file in language.files(query.db, unit).iter() {
            let uses = language.uses(query.db, file);
            symbols.extend(uses.locals.iter().map(|local| local.symbol));
        }
    }
    symbols
}
