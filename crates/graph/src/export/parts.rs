//! The graph part by part, for a copy of it that follows the edits: the rows of one file, the calls of one file
//! that values decide, and all `implements` edges.
//!
//! A part is made again if its stamp differs. What a stamp holds is all that the rows of the part are made of,
//! but for the ids of symbols in other files; these change only with the numbers of redefinitions, see
//! [`GraphParts::numbered`].

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use codeweft_db::{
    Db as _, File, FileUses, Hierarchy, ImportRow, Lang, NodeKind, Resolution, RootDb, SymbolClass,
    SymbolId, Unit, has_secret,
};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::edges::ExportEdge;
use super::files::{self, FileRow, ListedFile};
use super::{DetailedPackage, EdgeType, ExportContext, ExportOptions, PackageRows, details};
use crate::flow;
use crate::link::Link;
use crate::query_context::{QueryContext, QueryOptions};
use crate::rendering;
use crate::revision_cache::RevisionCache;
use crate::symbols;
use crate::type_graph;
use crate::units::Units;

/// The parts of the graph at one revision.
pub struct GraphParts<'a> {
    query: QueryContext<'a>,
}

/// Returns all units, those of libraries too.
pub fn units(db: &RootDb) -> Vec<Unit> {
    Units::read(db).all.to_vec()
}

/// A file of the workspace that belongs to a package.
#[derive(Clone, Debug)]
pub struct PartFile(ListedFile);

impl PartFile {
    /// Returns the file.
    pub fn file(&self) -> File {
        self.0.file
    }

    /// Returns the language and the printed name of its package, as an export of packages has them.
    pub fn package(&self, db: &RootDb) -> (Lang, Arc<str>) {
        let unit = self.0.unit;
        let name = db.shared().names.text(unit.name(db));
        (unit.lang(db), name.into())
    }

    /// Returns whether the build configuration selects it: others have no nodes and no edges.
    pub fn is_built(&self) -> bool {
        self.0.number.is_some()
    }
}

/// What the rows of a file are made of. Texts and uses are compared by address; an owner of the address is kept, so
/// that no other takes it.
#[derive(Clone, Debug)]
pub struct FileStamp {
    text: Arc<str>,
    /// What is allowed may change without the text.
    has_secret: bool,
    uses: Option<Arc<FileUses>>,
    /// A hash of the declarations, the imports and the bases of the file, and of what it belongs to.
    rest: u64,
}

impl PartialEq for FileStamp {
    fn eq(&self, other: &FileStamp) -> bool {
        let same_uses = match (&self.uses, &other.uses) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        same_uses
            && Arc::ptr_eq(&self.text, &other.text)
            && self.has_secret == other.has_secret
            && self.rest == other.rest
    }
}

impl FileStamp {
    /// Returns the text of the file.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }
}

/// What the units say: which files there are, which of their declarations share a name, and all that the stamps of files
/// hold but for texts and uses. Compared by address.
pub struct ListStamp {
    units: Arc<Units>,
    symbols: Vec<Arc<codeweft_db::UnitSymbols>>,
    files: Vec<Arc<[File]>>,
    imports: Vec<Arc<[ImportRow]>>,
    hierarchies: Vec<Arc<Hierarchy>>,
}

impl PartialEq for ListStamp {
    fn eq(&self, other: &ListStamp) -> bool {
        fn same<T: ?Sized>(one: &[Arc<T>], other: &[Arc<T>]) -> bool {
            let mut pairs = one.iter().zip(other);
            pairs.all(|(one, other)| Arc::ptr_eq(one, other))
        }
        self.units == other.units
            && same(&self.symbols, &other.symbols)
            && same(&self.files, &other.files)
            && same(&self.imports, &other.imports)
            && same(&self.hierarchies, &other.hierarchies)
    }
}

impl ListStamp {
    /// Returns whether there are the same units.
    pub fn has_units_of(&self, other: &ListStamp) -> bool {
        self.units == other.units
    }
}

/// What all `implements` edges are made of, and the calls that values decide.
#[derive(Clone)]
pub struct JoinStamp {
    units: Arc<Units>,
    /// The declarations of each unit of the workspace.
    symbols: Vec<Arc<codeweft_db::UnitSymbols>>,
    types: Vec<Arc<type_graph::table::JoinedTypes>>,
    classes: Vec<Arc<type_graph::classes::JoinedClasses>>,
    flows: Vec<u64>,
}

impl JoinStamp {
    /// Returns whether the `implements` edges are those of another stamp, but for the types that bodies declare.
    pub fn has_pairs_of(&self, other: &JoinStamp) -> bool {
        fn same<T>(one: &[Arc<T>], other: &[Arc<T>]) -> bool {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|(one, other)| Arc::ptr_eq(one, other))
        }
        self.units == other.units
            && same(&self.symbols, &other.symbols)
            && same(&self.types, &other.types)
            && same(&self.classes, &other.classes)
    }

    /// Returns whether what a call may run, in a file that is the same, is that of another stamp.
    pub fn has_runs_of(&self, other: &JoinStamp) -> bool {
        self.has_pairs_of(other) && self.flows == other.flows
    }
}

/// The rows of a file.
pub struct FilePart {
    /// The file itself.
    pub row: FileRow,
    /// Its declarations and exact edges, with what else the edges begin at, as its packages, and the nodes of libraries that
    /// they touch.
    pub package: DetailedPackage,
    /// A hash of the types that its bodies declare.
    pub locals: u64,
}

/// What the calls of a file may run beside what they name, not printed yet.
pub struct FoundRuns {
    edges: Vec<ExportEdge>,
    hash: u64,
}

impl FoundRuns {
    /// Returns a hash of the calls, by the numbers of symbols: comparable inside one process, for one text of the file.
    pub fn hash(&self) -> u64 {
        self.hash
    }
}

impl<'a> GraphParts<'a> {
    /// Returns the parts of a database. What they share is kept in `cache`, which belongs to the revision.
    pub fn new(db: &'a RootDb, cache: &'a RevisionCache) -> GraphParts<'a> {
        GraphParts {
            query: QueryContext::new(db, QueryOptions::new(cache, 1)),
        }
    }

    /// Returns what [`GraphParts::files`] and [`GraphParts::numbered`] are made of.
    pub fn list_stamp(&self) -> ListStamp {
        let query = &self.query;
        let db = query.db;
        let mut stamp = ListStamp {
            units: query.units.clone(),
            symbols: Vec::new(),
            files: Vec::new(),
            imports: Vec::new(),
            hierarchies: Vec::new(),
        };
        for &unit in query.units.all.iter() {
            stamp.symbols.push(query.symbols(unit));
            let language = query.languages.of(unit.lang(db));
            let own = language.filter(|_| !symbols::is_library(query, unit));
            if let Some(language) = own {
                stamp.files.push(language.files(db, unit));
                stamp.imports.push(language.imports(db, unit));
                stamp.hierarchies.push(language.hierarchy(db, unit));
            }
        }
        stamp
    }

    /// Returns whether a file has the text and the uses of a stamp.
    pub fn has_code_of(&self, part: &PartFile, stamp: &FileStamp) -> bool {
        let query = &self.query;
        let listed = &part.0;
        if !Arc::ptr_eq(listed.file.text(query.db), &stamp.text)
            || has_secret(query.db, listed.file) != stamp.has_secret
        {
            return false;
        }
        let language = query.languages.of(listed.unit.lang(query.db));
        match (language.filter(|_| part.is_built()), &stamp.uses) {
            (Some(language), Some(uses)) => {
                Arc::ptr_eq(&language.uses(query.db, listed.file), uses)
            }
            (language, uses) => language.is_none() && uses.is_none(),
        }
    }

    /// Returns the files of the workspace, by path.
    pub fn files(&self) -> Vec<PartFile> {
        files::listed(&self.query)
            .into_iter()
            .map(PartFile)
            .collect()
    }

    /// Returns what the rows of a file are made of.
    pub fn stamp(&self, part: &PartFile) -> FileStamp {
        let query = &self.query;
        let db = query.db;
        let listed = &part.0;
        let mut hasher = FxHasher::default();
        (&listed.package, &listed.directory, listed.number.is_some()).hash(&mut hasher);
        let mut uses = None;
        if let (Some(language), Some(number)) =
            (query.languages.of(listed.unit.lang(db)), listed.number)
        {
            language.is_test(db, listed.file).hash(&mut hasher);
            uses = Some(language.uses(db, listed.file));
            for row in &query.symbols(listed.unit).rows {
                if row.file == number {
                    let of_code = (row.item, row.field, row.tok);
                    (row.symbol, row.kind as u8, row.public, of_code).hash(&mut hasher);
                }
            }
            let imports = language.imports(db, listed.unit);
            for row in imports.iter().filter(|row| row.file == listed.file) {
                (row.import, row.from, row.to).hash(&mut hasher);
            }
            let hierarchy = language.hierarchy(db, listed.unit);
            let bases = hierarchy.supertypes.iter();
            for row in bases.filter(|row| row.file == listed.file) {
                (row.from, row.to, row.tok).hash(&mut hasher);
            }
        }
        FileStamp {
            text: listed.file.text(db).clone(),
            has_secret: has_secret(db, listed.file),
            uses,
            rest: hasher.finish(),
        }
    }

    /// Returns a file itself, without its declarations and edges; `None` if its language is not covered.
    pub fn row(&self, part: &PartFile) -> Option<FileRow> {
        let language = self.query.languages.of(part.0.file.lang(self.query.db))?;
        Some(files::row(self.query.db, language, &part.0))
    }

    /// Returns the rows of a file; `None` if its language is not covered.
    pub fn file(&self, part: &PartFile) -> Option<FilePart> {
        let query = &self.query;
        let listed = &part.0;
        let language = query.languages.of(listed.file.lang(query.db))?;
        let mut hasher = FxHasher::default();
        if part.is_built() {
            let uses = language.uses(query.db, listed.file);
            for local in &uses.locals {
                (local.symbol, local.kind as u8).hash(&mut hasher);
            }
        }
        Some(FilePart {
            row: files::row(query.db, language, listed),
            package: self
                .package(part, self.edges(part, false))
                .unwrap_or_else(|| DetailedPackage {
                    lang: Some(listed.file.lang(query.db)),
                    rows: PackageRows {
                        name: listed.package.clone(),
                        external: false,
                        nodes: Vec::new(),
                        edges: Vec::new(),
                    },
                    ..DetailedPackage::default()
                }),
            locals: hasher.finish(),
        })
    }

    /// Returns what the calls of a file may run beside what they name.
    pub fn find_runs(&self, part: &PartFile) -> FoundRuns {
        let edges = self.edges(part, true);
        let mut hash = 0u64;
        for edge in &edges {
            let mut hasher = FxHasher::default();
            (edge.from, edge.to, edge.link).hash(&mut hasher);
            // The order is of no account.
            hash = hash.wrapping_add(hasher.finish());
        }
        FoundRuns { edges, hash }
    }

    /// Returns what [`GraphParts::find_runs`] found in this revision, with nodes as those of [`FilePart::package`]; `None`
    /// if there is nothing.
    pub fn runs(&self, part: &PartFile, found: FoundRuns) -> Option<DetailedPackage> {
        if found.edges.is_empty() {
            return None;
        }
        self.package(part, found.edges)
    }

    /// Drops what was solved of the flow of values beyond the memory that it may keep, so that no question has to.
    pub fn keep_within_budget(&self) {
        flow::keep_within_budget(&self.query);
    }

    /// Returns all `implements` edges, by language, with the nodes of libraries that they touch.
    pub fn implements(&self) -> Vec<DetailedPackage> {
        let query = &self.query;
        let options = ExportOptions::default();
        let export = ExportContext::without_packages(query, &options);
        let mut by_lang: FxHashMap<Option<Lang>, Vec<ExportEdge>> = FxHashMap::default();
        for edge in export.all_pairs() {
            by_lang.entry(query.lang(edge.from)).or_default().push(edge);
        }
        let packages = by_lang.into_iter().map(|(lang, edges)| {
            let ends = edges.iter().flat_map(|edge| [edge.from, edge.to]);
            let external: Vec<SymbolId> = ends
                .filter(|&one| symbols::is_external(query, one))
                .collect();
            let nodes = symbols::in_order(query, external);
            self.detailed(lang, "".into(), &nodes, export.printed(edges))
        });
        packages.collect()
    }

    /// Returns the nodes of the packages that the workspace declares, by language.
    pub fn packages(&self) -> Vec<DetailedPackage> {
        let query = &self.query;
        let mut by_lang: FxHashMap<Lang, Vec<SymbolId>> = FxHashMap::default();
        for unit in symbols::own_units(query) {
            if let Some(package) = symbols::own_package(query, unit) {
                by_lang
                    .entry(unit.lang(query.db))
                    .or_default()
                    .push(package);
            }
        }
        let packages = by_lang.into_iter().map(|(lang, found)| {
            let nodes = symbols::in_order(query, found);
            self.detailed(Some(lang), "".into(), &nodes, Vec::new())
        });
        packages.collect()
    }

    /// Returns what everything that is no part of a file is made of; without the flow of values, which takes long, the
    /// stamp is only that of the `implements` edges.
    pub fn joins(&self, with_flow: bool) -> JoinStamp {
        let query = &self.query;
        let langs = query.languages.0.iter().map(|language| language.lang());
        let langs: Vec<Lang> = langs.collect();
        let own = symbols::own_units(query).into_iter();
        let symbols = own.map(|unit| query.symbols(unit)).collect();
        let of_langs = || langs.iter().copied();
        let flows = of_langs().filter(|_| with_flow);
        JoinStamp {
            units: query.units.clone(),
            symbols,
            types: of_langs()
                .map(|lang| type_graph::types(query, lang))
                .collect(),
            classes: of_langs()
                .map(|lang| type_graph::classes(query, lang))
                .collect(),
            flows: flows.map(|lang| flow::version(query, lang)).collect(),
        }
    }

    /// Returns the declarations that share their parent and name with others of their package, each with its number:
    /// their ids, and those of what is in them, depend on other files.
    pub fn numbered(&self) -> FxHashMap<SymbolId, u32> {
        let query = &self.query;
        let mut seen: FxHashSet<(Lang, codeweft_db::NameId)> = FxHashSet::default();
        let mut found = FxHashMap::default();
        for &unit in query.units.all.iter() {
            let (lang, name) = (unit.lang(query.db), unit.name(query.db));
            if !seen.insert((lang, name)) {
                continue;
            }
            let mut groups: FxHashMap<_, Vec<SymbolId>> = FxHashMap::default();
            for &unit in query.units.named(lang, name) {
                for row in &query.symbols(unit).rows {
                    if row.kind != NodeKind::Package {
                        let parent = query.key(row.symbol).parent;
                        groups
                            .entry((parent, row.name))
                            .or_default()
                            .push(row.symbol);
                    }
                }
            }
            for symbols in groups.into_values().filter(|group| group.len() > 1) {
                found.extend(symbols.into_iter().zip(1..));
            }
        }
        found
    }

    /// Returns whether a file declares or uses any of some symbols, or what is declared in one.
    pub fn names_any(&self, part: &PartFile, symbols: &FxHashSet<SymbolId>) -> bool {
        let query = &self.query;
        let listed = &part.0;
        let (Some(language), Some(number)) = (
            query.languages.of(listed.unit.lang(query.db)),
            listed.number,
        ) else {
            return false;
        };
        let is_within = |symbol: SymbolId| {
            let mut enclosing = Some(symbol);
            while let Some(one) = enclosing {
                if symbols.contains(&one) {
                    return true;
                }
                enclosing = query.key(one).parent;
            }
            false
        };
        let uses = language.uses(query.db, listed.file);
        let mut targets = uses.iter().map(|(target, _)| target);
        let declared = query.symbols(listed.unit);
        let mut declared = declared.rows.iter().filter(|row| row.file == number);
        let hierarchy = language.hierarchy(query.db, listed.unit);
        let mut bases = hierarchy.supertypes.iter();
        targets.any(is_within)
            || declared.any(|row| is_within(row.symbol))
            || bases.any(|row| row.file == listed.file && is_within(row.to))
    }

    /// Returns the paths and texts of the files of all libraries, and of those of the workspace, by path.
    pub fn texts(&self) -> Vec<(Arc<str>, Arc<str>)> {
        let db = self.query.db;
        let units = self.query.units.all.iter();
        let files: FxHashSet<File> = units.flat_map(|unit| unit.files(db).to_vec()).collect();
        let files = files.into_iter();
        let mut texts: Vec<_> = files
            .map(|file| (file.path(db).clone(), file.text(db).clone()))
            .collect();
        texts.sort();
        texts
    }

    /// Returns the edges of a file: the exact ones, or those that values or the class hierarchy decide.
    fn edges(&self, part: &PartFile, runs: bool) -> Vec<ExportEdge> {
        let query = &self.query;
        let listed = &part.0;
        let mut edges = Vec::new();
        if !part.is_built() {
            return edges;
        }
        let options = ExportOptions {
            edges: if runs {
                vec![EdgeType::Calls]
            } else {
                let all = EdgeType::ALL.into_iter();
                all.filter(|one| *one != EdgeType::Implements).collect()
            },
            dispatch: runs,
            for_answers: true,
            types: true,
        };
        let export = ExportContext::without_packages(query, &options);
        export.edges_of_unit(&mut edges, listed.unit, &|file| file == listed.file);
        edges.retain(|edge| {
            // What values decide depends on other files, however sure it is.
            let is_exact =
                |link: Link| link.resolution == Resolution::Exact && link.reason.is_none();
            let is_run = edge.edge_type == EdgeType::Calls && !edge.link.is_none_or(is_exact);
            is_run == runs
        });
        edges
    }

    /// Returns the nodes of a file, with some edges that begin in it; `None` if it is not built.
    fn package(&self, part: &PartFile, edges: Vec<ExportEdge>) -> Option<DetailedPackage> {
        let query = &self.query;
        let listed = &part.0;
        let number = listed.number?;
        let options = ExportOptions::default();
        let export = ExportContext::without_packages(query, &options);
        let mut own = Vec::new();
        for row in &query.symbols(listed.unit).rows {
            if row.file == number {
                own.push(row.symbol);
            }
        }
        let language = query.languages.of(listed.unit.lang(query.db))?;
        let uses = language.uses(query.db, listed.file);
        own.extend(uses.locals.iter().map(|local| local.symbol));
        own.extend(symbols::own_package(query, listed.unit));
        let mut known: FxHashSet<SymbolId> = own.iter().copied().collect();
        let mut others = Vec::new();
        for edge in &edges {
            if known.insert(edge.from) {
                own.push(edge.from);
            }
            if symbols::is_external(query, edge.to) && known.insert(edge.to) {
                others.push(edge.to);
            }
        }
        let mut nodes = symbols::in_order(query, own);
        // The package is known before what it contains.
        nodes.sort_by_key(|&one| query.key(one).class != SymbolClass::Package);
        nodes.extend(symbols::in_order(query, others));
        let lang = Some(listed.file.lang(query.db));
        Some(self.detailed(lang, listed.package.clone(), &nodes, export.printed(edges)))
    }

    fn detailed(
        &self,
        lang: Option<Lang>,
        name: Arc<str>,
        nodes: &[SymbolId],
        edges: Vec<super::EdgeRow>,
    ) -> DetailedPackage {
        let query = &self.query;
        DetailedPackage {
            lang,
            rows: PackageRows {
                name,
                external: false,
                nodes: rendering::nodes(query, nodes),
                edges,
            },
            details: details::details(query, nodes, true),
            ..DetailedPackage::default()
        }
    }
}
