//! A dump of all facts of a database as sorted lines: two databases over the same texts must have
//! the same.

use codeweft_db::{
    Db as _, DeclaredIn, Disambiguator, File, Hierarchy, Language, NodeKind, Origin, RootDb,
    SupertypeRow, SymbolClass, SymbolId, TypeRow, Unit, UnitGraph, file_ranges,
};
use codeweft_graph::export::{EdgeType, ExportOptions, PackageRows, each_package};
use codeweft_graph::languages;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::SeededRng;

/// Returns a line for every declaration, import, use, unresolved site, embedding, and pair of a
/// type with an interface that it satisfies, sorted. The line of a use contains its target.
pub fn rows(db: &RootDb) -> Vec<String> {
    let Some(universe) = UnitGraph::try_get(db) else {
        return Vec::new();
    };
    let mut reader = Reader {
        db,
        lines: Vec::new(),
        types: Vec::new(),
        interfaces: Vec::new(),
    };
    for &unit in universe.units(db).iter() {
        if let Some(language) = language_of(db, unit) {
            reader.unit(language, unit);
        }
    }
    for language in languages::ALL {
        reader.pairs(*language);
    }
    let mut lines = reader.lines;
    lines.sort();
    lines
}

/// Returns the uses in the workspace's files, a line each, sorted. The files are queried in random
/// order, which must not matter.
pub fn uses(db: &RootDb, rng: &mut SeededRng) -> Vec<String> {
    let mut reader = Reader {
        db,
        lines: Vec::new(),
        types: Vec::new(),
        interfaces: Vec::new(),
    };
    let mut files: Vec<(&dyn Language, File)> = Vec::new();
    let units = UnitGraph::try_get(db);
    let units = units.iter().flat_map(|universe| universe.units(db).iter());
    for &unit in units.filter(|unit| unit.origin(db) == Origin::Workspace) {
        if let Some(language) = language_of(db, unit) {
            files.extend(
                language
                    .files(db, unit)
                    .iter()
                    .map(|&file| (language, file)),
            );
        }
    }
    rng.shuffle(&mut files);
    for (language, file) in files {
        reader.file(language, file);
    }
    let mut lines = reader.lines;
    lines.sort();
    lines
}

/// Returns an export with all its edges as lines, and those of its edges with an end that is no
/// node of it: there must be none.
pub fn export(db: &RootDb, threads: usize) -> (Vec<String>, Vec<String>) {
    let options = ExportOptions {
        edges: EdgeType::ALL.to_vec(),
        dispatch: true,
        ..ExportOptions::default()
    };
    let (mut lines, mut nodes, mut edges) = (Vec::new(), FxHashSet::default(), Vec::new());
    each_package(db, &options, threads, &mut |package: PackageRows| {
        for node in &package.nodes {
            lines.push(serde_json::to_string(node).expect("a node has a JSON"));
            nodes.insert(node.id.clone());
        }
        for edge in package.edges {
            lines.push(serde_json::to_string(&edge).expect("an edge has a JSON"));
            edges.push(edge);
        }
    });
    let loose = edges
        .iter()
        .filter(|edge| !nodes.contains(&*edge.from) || !nodes.contains(&*edge.to))
        .map(|edge| {
            format!(
                "{} -{}-> {}",
                edge.from,
                edge.edge_type.wire_name(),
                edge.to
            )
        })
        .collect();
    (lines, loose)
}

/// Returns the ids of everything that the workspace declares, with their kinds, sorted, without
/// redefinitions.
pub fn declared(db: &RootDb) -> Vec<(String, NodeKind)> {
    let mut ids = Vec::new();
    if let Some(universe) = UnitGraph::try_get(db) {
        let units = universe.units(db).iter().copied();
        for unit in units.filter(|unit| unit.origin(db) == Origin::Workspace) {
            let symbols = language_of(db, unit).map(|language| language.symbols(db, unit));
            for row in symbols.iter().flat_map(|symbols| symbols.rows.iter()) {
                ids.push((id(db, row.symbol), row.kind));
            }
        }
    }
    ids.retain(|(id, _)| !id.contains('@'));
    ids.sort();
    ids.dedup();
    ids
}

/// A declared function, method or type with the position of its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Placed {
    /// The id as answers print it.
    pub id: String,
    /// The file as answers print it.
    pub file: String,
    /// The line of its name, 0-based.
    pub line: u32,
    /// The column of its name, 0-based, in bytes.
    pub column: u32,
    /// Whether it is a method of an interface.
    pub of_interface: bool,
}

/// Returns the functions and methods that the workspace declares, without redefinitions, sorted.
pub fn placed(db: &RootDb) -> Vec<Placed> {
    let mut found = Vec::new();
    let universe = UnitGraph::try_get(db);
    let units = universe
        .iter()
        .flat_map(|all| all.units(db).iter().copied());
    for unit in units.filter(|unit| unit.origin(db) == Origin::Workspace) {
        let Some(language) = language_of(db, unit) else {
            continue;
        };
        let symbols = language.symbols(db, unit);
        for row in &symbols.rows {
            if !matches!(row.kind, NodeKind::Function | NodeKind::Method) {
                continue;
            }
            let Some(declared) = language.declaration_range(db, row.symbol) else {
                continue;
            };
            let before = &declared.file.text(db)[..declared.name.start as usize];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let parent = symbols.rows.get(row.parent as usize);
            found.push(Placed {
                id: id(db, row.symbol),
                file: declared.file.path(db).to_string(),
                line: before.matches('\n').count() as u32,
                column: (before.len() - line_start) as u32,
                of_interface: parent.is_some_and(|parent| parent.kind == NodeKind::Interface),
            });
        }
    }
    found.retain(|placed| !placed.id.contains('@') && !placed.id.ends_with("._"));
    found.sort();
    found.dedup();
    found
}

/// Returns the ids of the most called functions and methods, in descending order.
pub fn most_called(db: &RootDb, count: usize) -> Vec<String> {
    let mut calls: FxHashMap<SymbolId, usize> = FxHashMap::default();
    for unit in UnitGraph::try_get(db)
        .iter()
        .flat_map(|universe| universe.units(db).iter())
    {
        let Some(language) = language_of(db, *unit) else {
            continue;
        };
        for &file in language.files(db, *unit).iter() {
            for (target, uses) in language.uses(db, file).iter() {
                *calls.entry(target).or_default() +=
                    uses.iter().filter(|one| one.role.is_call()).count();
            }
        }
    }
    let mut calls: Vec<(usize, String)> = calls
        .into_iter()
        .filter(|&(symbol, _)| {
            matches!(
                db.shared().symbols.key(symbol).declared_in,
                DeclaredIn::Unit(_)
            )
        })
        .map(|(symbol, calls)| (calls, id(db, symbol)))
        .collect();
    calls.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    calls.into_iter().take(count).map(|(_, id)| id).collect()
}

fn language_of(db: &RootDb, unit: Unit) -> Option<&'static dyn Language> {
    let lang = unit.lang(db);
    languages::ALL
        .iter()
        .copied()
        .find(|language| language.lang() == lang)
}

/// Returns all parts of a symbol as text.
fn id(db: &RootDb, symbol: SymbolId) -> String {
    let names = &db.shared().names;
    let key = db.shared().symbols.key(symbol);
    let own = names.text(key.name);
    let nth = match key.disambiguator {
        Disambiguator::ONLY => String::new(),
        Disambiguator { file, n } => format!("@{}#{n}", file.map_or("", |file| names.text(file))),
    };
    match (key.parent, key.declared_in) {
        (Some(parent), _) => format!("{}.{own}{nth}", id(db, parent)),
        (None, DeclaredIn::Unit(_)) if key.class == SymbolClass::Package => own.to_owned(),
        (None, DeclaredIn::Unit(unit)) => format!("{}.{own}{nth}", names.text(unit.name(db))),
        (None, DeclaredIn::Absent(path)) => format!("{} (absent)", names.text(path)),
        (None, DeclaredIn::Builtin(_)) => own.to_owned(),
    }
}

struct Reader<'a> {
    db: &'a RootDb,
    lines: Vec<String>,
    types: Vec<TypeRow>,
    interfaces: Vec<TypeRow>,
}

impl Reader<'_> {
    fn id(&self, symbol: SymbolId) -> String {
        id(self.db, symbol)
    }

    fn unit(&mut self, language: &dyn Language, unit: Unit) {
        let db = self.db;
        let name = format!(
            "{}:{:?}",
            db.shared().names.text(unit.name(db)),
            unit.kind(db)
        );
        let files = language.files(db, unit);
        for row in &language.symbols(db, unit).rows {
            let declared = language.declaration_range(db, row.symbol).map(|declared| {
                let (line, column) =
                    file_ranges(db, declared.file).line_column(declared.name.start);
                format!("{}:{line}:{column}", declared.file.path(db))
            });
            let (id, declared) = (self.id(row.symbol), declared.unwrap_or_default());
            let line = format!(
                "node {name} {id} {:?} public={} {declared}",
                row.kind, row.public
            );
            self.lines.push(line);
        }
        for import in language.imports(db, unit).iter() {
            let line = format!(
                "import {} {} -> {}",
                import.file.path(db),
                self.id(import.from),
                self.id(import.to)
            );
            self.lines.push(line);
        }
        for file in language.excluded(db, unit).iter() {
            self.lines
                .push(format!("excluded {name} {}", file.path(db)));
        }
        for &file in files.iter() {
            self.file(language, file);
        }
        let hierarchy = language.hierarchy(db, unit);
        self.hierarchy(&hierarchy);
        self.index(language, unit, &files);
    }

    fn file(&mut self, language: &dyn Language, file: File) {
        let db = self.db;
        let path = file.path(db);
        let uses = language.uses(db, file);
        let declared = |body, occ| match language.offset(db, file, body, occ) {
            Some(offset) => {
                let (line, column) = file_ranges(db, file).line_column(offset);
                format!("{path}:{line}:{column}")
            }
            None => format!("{path}: nowhere"),
        };
        for (target, sites) in uses.iter() {
            for one in sites {
                let from = uses
                    .bodies
                    .get(one.body as usize)
                    .map(|&body| self.id(body));
                let line = format!(
                    "use {} {} -> {} {:?} {:?} literal={}",
                    declared(one.body, one.occ),
                    from.unwrap_or_default(),
                    self.id(target),
                    one.role,
                    one.resolution,
                    one.in_literal
                );
                self.lines.push(line);
            }
        }
        for open in &uses.unresolved {
            let line = format!(
                "open {} {} {} {:?}",
                declared(open.body, open.occ),
                db.shared().names.text(open.name),
                open.arguments,
                open.reason
            );
            self.lines.push(line);
        }
        for &escaped in &uses.escaped {
            self.lines
                .push(format!("escaped {path} {}", self.id(escaped)));
        }
        for local in &uses.locals {
            let line = format!(
                "local {} {} {:?}",
                declared(local.body, local.occ),
                self.id(local.symbol),
                local.kind
            );
            self.lines.push(line);
        }
        self.types.extend(uses.types.iter().cloned());
        self.interfaces.extend(uses.interfaces.iter().cloned());
    }

    fn hierarchy(&mut self, hierarchy: &Hierarchy) {
        let db = self.db;
        for &SupertypeRow {
            from,
            to,
            relation: _,
            file,
            tok,
        } in &hierarchy.supertypes
        {
            let line = format!(
                "embed {} {tok} {} -> {}",
                file.path(db),
                self.id(from),
                self.id(to)
            );
            self.lines.push(line);
        }
        for row in hierarchy.types.iter().chain(&hierarchy.interfaces) {
            let mut methods: Vec<String> = row
                .methods
                .iter()
                .map(|method| format!("{} by_value={}", self.id(method.symbol), method.by_value))
                .collect();
            methods.sort();
            let line = format!("methods {}: {}", self.printed(row), methods.join(", "));
            self.lines.push(line);
        }
        self.types.extend(hierarchy.types.iter().cloned());
        self.interfaces.extend(hierarchy.interfaces.iter().cloned());
    }

    fn index(&mut self, language: &dyn Language, unit: Unit, files: &[File]) {
        let index = language.index(self.db, unit);
        let targets: std::collections::BTreeSet<SymbolId> = index.targets().collect();
        for target in targets {
            for number in index.files_of(target) {
                let file = files.get(number as usize).map(|file| file.path(self.db));
                let line = format!(
                    "index {} {}",
                    self.id(target),
                    file.map_or("no file", |path| path)
                );
                self.lines.push(line);
            }
        }
        let mut names: Vec<&str> = language
            .identifiers(self.db, unit)
            .names
            .iter()
            .map(|&name| self.db.shared().names.text(name))
            .collect();
        names.sort_unstable();
        let name = self.db.shared().names.text(unit.name(self.db));
        let line = format!(
            "identifiers {name}:{:?} {}",
            unit.kind(self.db),
            names.join(" ")
        );
        self.lines.push(line);
    }

    fn printed(&self, row: &TypeRow) -> String {
        format!("{}[{}]", self.id(row.symbol), row.type_args.join(", "))
    }

    fn pairs(&mut self, language: &dyn Language) {
        let universe = language.universe(self.db).interfaces.to_vec();
        let of_language = |row: &&TypeRow| {
            let key = self.db.shared().symbols.key(row.symbol);
            match key.declared_in {
                DeclaredIn::Unit(unit) => unit.lang(self.db) == language.lang(),
                DeclaredIn::Absent(_) => false,
                DeclaredIn::Builtin(lang) => lang == language.lang(),
            }
        };
        let mut lines = Vec::new();
        for interface in self.interfaces.iter().chain(&universe).filter(of_language) {
            for ty in self.types.iter().filter(of_language) {
                if let Some(receiver) = language.satisfies(self.db, ty, interface) {
                    lines.push(format!(
                        "implements {} {} {receiver:?}",
                        self.printed(ty),
                        self.printed(interface)
                    ));
                }
            }
        }
        self.lines.extend(lines);
    }
}
