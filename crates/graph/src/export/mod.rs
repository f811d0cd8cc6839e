//! All nodes and edges, a package at a time, for exports and the store (docs/user-guide.md, "Exporting").
//!
//! Packages come in order of (language, printed name), their nodes in order of id, their edges in
//! order of (from, type, to, file, line, column): an edge lies with the package of its `from`. All
//! that the workspace declares is there; of libraries only what an edge leads to or from.

mod edges;
mod pairs;
mod rows;

use std::sync::Arc;

use codeweft_db::{DeclaredIn, Lang, Language, Origin, RootDb, SymbolId, Unit};
use rustc_hash::{FxHashMap, FxHashSet};

pub use rows::{EdgeRow, EdgeType, Location, PackageRows};

use crate::answer::Node;
use crate::export::edges::ExportEdge;
use crate::languages;
use crate::query_context::QueryContext;
use crate::revision_cache::RevisionCache;

/// What is exported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportOptions {
    /// Which edges.
    pub edges: Vec<EdgeType>,
    /// Whether `calls` hold what an interface call or the call of a function value may run, too.
    pub dispatch: bool,
}

impl Default for ExportOptions {
    /// All but `references`.
    fn default() -> ExportOptions {
        ExportOptions {
            edges: vec![
                EdgeType::Calls,
                EdgeType::Embeds,
                EdgeType::Implements,
                EdgeType::Imports,
            ],
            dispatch: true,
        }
    }
}

/// A package as it is exported.
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
    each_package_of(db, languages::ALL, options, threads, visit);
}

/// As [`each_package`], of other languages than the built-in ones.
pub fn each_package_of(
    db: &RootDb,
    languages: &[&dyn Language],
    options: &ExportOptions,
    threads: usize,
    visit: &mut dyn FnMut(PackageRows),
) {
    let kept = RevisionCache::default();
    let question = QueryContext::new(db, &kept, languages, threads);
    let export = ExportContext::new(&question, options);
    for package in &export.packages {
        visit(export.rows(package));
    }
}

/// What all packages share.
struct ExportContext<'a, 'q> {
    question: &'a QueryContext<'q>,
    options: &'a ExportOptions,
    packages: Vec<ExportedPackage>,
    /// Edges of `implements`, by the package of their `from`.
    implements: FxHashMap<(Option<Lang>, Arc<str>), Vec<ExportEdge>>,
    /// Nodes of libraries that an edge touches, by package.
    external: FxHashMap<(Option<Lang>, Arc<str>), Vec<SymbolId>>,
}

impl<'a, 'q> ExportContext<'a, 'q> {
    fn new(question: &'a QueryContext<'q>, options: &'a ExportOptions) -> ExportContext<'a, 'q> {
        let mut export = ExportContext {
            question,
            options,
            packages: Vec::new(),
            implements: FxHashMap::default(),
            external: FxHashMap::default(),
        };
        let mut touched: FxHashSet<SymbolId> = FxHashSet::default();
        if options.edges.contains(&EdgeType::Implements) {
            for edge in export.all_pairs() {
                touched.extend([edge.from, edge.to]);
                let package = export.package_of(edge.from);
                export.implements.entry(package).or_default().push(edge);
            }
        }
        export.packages = own_packages(question);
        for package in &export.packages {
            if !package.external {
                let edges = export.edges(package);
                touched.extend(edges.iter().map(|edge| edge.to));
            }
        }
        for symbol in touched {
            if question.is_external(symbol) {
                let package = export.package_of(symbol);
                export.external.entry(package).or_default().push(symbol);
            }
        }
        export.add_foreign_packages();
        export
    }

    /// The package whose rows a symbol is among. Modules lie with their unit.
    fn package_of(&self, symbol: SymbolId) -> (Option<Lang>, Arc<str>) {
        let question = self.question;
        let name = match question.key(symbol).declared_in {
            DeclaredIn::Unit(unit) => {
                let name = unit.name(question.db);
                question.db.shared().names.text(name).into()
            }
            _ => question.package_id(symbol),
        };
        (question.lang(symbol), name)
    }

    /// Packages that no unit stands for: absent ones and the universe's.
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

    fn rows(&self, package: &ExportedPackage) -> PackageRows {
        let key = (package.lang, package.name.clone());
        let symbols = if package.external {
            self.external.get(&key).cloned().unwrap_or_default()
        } else {
            self.question.declared_by(&package.units)
        };
        let mut edges = if package.external {
            Vec::new()
        } else {
            self.edges(package)
        };
        let is_own = |edge: &&ExportEdge| self.question.is_external(edge.from) == package.external;
        let implements = self.implements.get(&key).into_iter().flatten();
        edges.extend(implements.filter(is_own).cloned());
        PackageRows {
            name: package.name.clone(),
            external: package.external,
            nodes: self.question.nodes(symbols),
            edges: self.printed(edges),
        }
    }
}

/// The packages that units stand for.
fn own_packages(question: &QueryContext<'_>) -> Vec<ExportedPackage> {
    let db = question.db;
    let mut packages: Vec<ExportedPackage> = Vec::new();
    for &unit in question.units.all.iter() {
        let name = db.shared().names.text(unit.name(db));
        let lang = Some(unit.lang(db));
        let external = unit.origin(db) == Origin::Library;
        // Folders of top-level modules share the empty name, those of libraries too.
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

impl QueryContext<'_> {
    /// Whether a symbol belongs to a library, to an absent package or to the universe.
    pub(crate) fn is_external(&self, symbol: SymbolId) -> bool {
        match self.key(symbol).declared_in {
            codeweft_db::DeclaredIn::Unit(unit) => unit.origin(self.db) == Origin::Library,
            _ => true,
        }
    }

    /// All that units declare: their packages, rows and local types.
    fn declared_by(&self, units: &[Unit]) -> Vec<SymbolId> {
        let mut symbols = Vec::new();
        for &unit in units {
            let Some(language) = self.languages.of(unit.lang(self.db)) else {
                continue;
            };
            symbols.extend(self.own_package(unit));
            symbols.extend(self.symbols(unit).rows.iter().map(|row| row.symbol));
            if language.coverage() == codeweft_db::Coverage::Whole {
                for &file in language.files(self.db, unit).iter() {
                    let uses = language.uses(self.db, file);
                    symbols.extend(uses.locals.iter().map(|local| local.symbol));
                }
            }
        }
        symbols
    }

    /// Nodes in order of id.
    fn nodes(&self, symbols: Vec<SymbolId>) -> Vec<Node> {
        let facts: Vec<_> = self
            .in_order(symbols)
            .into_iter()
            .map(|symbol| self.facts(symbol))
            .collect();
        self.map(&facts, |languages, db, facts| {
            let language = facts.lang().and_then(|lang| languages.of(lang));
            facts.node(db, language).0
        })
    }
}
