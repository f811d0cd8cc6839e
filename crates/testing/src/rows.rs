//! Everything that a database says, as sorted lines: two databases of the same texts say the same.

use codeweft_db::{
    Db as _, DeclaredIn, Disambiguator, File, Hierarchy, Language, NodeKind, Origin, RootDb,
    SupertypeRow, SymbolClass, SymbolId, TypeRow, Unit, UnitGraph, file_ranges,
};
use codeweft_graph::export::{EdgeType, ExportOptions, PackageRows, each_package};
use codeweft_graph::languages;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::SeededRng;

/// Every declaration, import, use, open site, embedding and pair of a type with an interface that
/// it satisfies, a line each, sorted. With every line of a use stands what it goes to.
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
        if let Some(room) = room(db, unit) {
            reader.unit(room, unit);
        }
    }
    for room in languages::ALL {
        reader.pairs(*room);
    }
    let mut lines = reader.lines;
    lines.sort();
    lines
}

/// What the workspace's files use, a line each, sorted, where the files are asked in an order by
/// lot: no order may show.
pub fn uses(db: &RootDb, lot: &mut SeededRng) -> Vec<String> {
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
        if let Some(room) = room(db, unit) {
            files.extend(room.files(db, unit).iter().map(|&file| (room, file)));
        }
    }
    lot.shuffle(&mut files);
    for (room, file) in files {
        reader.file(room, file);
    }
    let mut lines = reader.lines;
    lines.sort();
    lines
}

/// An export with all its edges, as lines, and the edges of it whose ends are not all among its
/// nodes: there must be none.
pub fn export(db: &RootDb, threads: usize) -> (Vec<String>, Vec<String>) {
    let options = ExportOptions {
        edges: EdgeType::ALL.to_vec(),
        dispatch: true,
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

/// Everything that the workspace declares by id, with its kind, sorted, without twins.
pub fn declared(db: &RootDb) -> Vec<(String, NodeKind)> {
    let mut ids = Vec::new();
    if let Some(universe) = UnitGraph::try_get(db) {
        let units = universe.units(db).iter().copied();
        for unit in units.filter(|unit| unit.origin(db) == Origin::Workspace) {
            let symbols = room(db, unit).map(|room| room.symbols(db, unit));
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

/// A declared function, method or type with the place of its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Placed {
    /// As answers print it.
    pub id: String,
    /// As answers print it.
    pub file: String,
    /// Of its name, 0-based.
    pub line: u32,
    /// Of its name, 0-based, in bytes.
    pub column: u32,
    /// Whether it is a method that an interface names.
    pub of_interface: bool,
}

/// The functions and methods that the workspace declares, without twins, sorted.
pub fn placed(db: &RootDb) -> Vec<Placed> {
    let mut found = Vec::new();
    let universe = UnitGraph::try_get(db);
    let units = universe
        .iter()
        .flat_map(|all| all.units(db).iter().copied());
    for unit in units.filter(|unit| unit.origin(db) == Origin::Workspace) {
        let Some(room) = room(db, unit) else {
            continue;
        };
        let symbols = room.symbols(db, unit);
        for row in &symbols.rows {
            if !matches!(row.kind, NodeKind::Function | NodeKind::Method) {
                continue;
            }
            let Some(place) = room.declaration_range(db, row.symbol) else {
                continue;
            };
            let before = &place.file.text(db)[..place.name.start as usize];
            let line_start = before.rfind('\n').map_or(0, |at| at + 1);
            let parent = symbols.rows.get(row.parent as usize);
            found.push(Placed {
                id: id(db, row.symbol),
                file: place.file.path(db).to_string(),
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

/// The ids of the functions and methods that are called most, most first.
pub fn most_called(db: &RootDb, count: usize) -> Vec<String> {
    let mut calls: FxHashMap<SymbolId, usize> = FxHashMap::default();
    for unit in UnitGraph::try_get(db)
        .iter()
        .flat_map(|universe| universe.units(db).iter())
    {
        let Some(room) = room(db, *unit) else {
            continue;
        };
        for &file in room.files(db, *unit).iter() {
            for (target, uses) in room.uses(db, file).iter() {
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

fn room(db: &RootDb, unit: Unit) -> Option<&'static dyn Language> {
    let lang = unit.lang(db);
    languages::ALL
        .iter()
        .copied()
        .find(|room| room.lang() == lang)
}

/// A symbol by everything that makes it one.
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

    fn unit(&mut self, room: &dyn Language, unit: Unit) {
        let db = self.db;
        let name = format!(
            "{}:{:?}",
            db.shared().names.text(unit.name(db)),
            unit.kind(db)
        );
        let files = room.files(db, unit);
        for row in &room.symbols(db, unit).rows {
            let place = room.declaration_range(db, row.symbol).map(|place| {
                let (line, column) = file_ranges(db, place.file).line_column(place.name.start);
                format!("{}:{line}:{column}", place.file.path(db))
            });
            let (id, place) = (self.id(row.symbol), place.unwrap_or_default());
            let line = format!(
                "node {name} {id} {:?} public={} {place}",
                row.kind, row.public
            );
            self.lines.push(line);
        }
        for import in room.imports(db, unit).iter() {
            let line = format!(
                "import {} {} -> {}",
                import.file.path(db),
                self.id(import.from),
                self.id(import.to)
            );
            self.lines.push(line);
        }
        for file in room.excluded(db, unit).iter() {
            self.lines
                .push(format!("excluded {name} {}", file.path(db)));
        }
        for &file in files.iter() {
            self.file(room, file);
        }
        let hierarchy = room.hierarchy(db, unit);
        self.hierarchy(&hierarchy);
        self.index(room, unit, &files);
    }

    fn file(&mut self, room: &dyn Language, file: File) {
        let db = self.db;
        let path = file.path(db);
        let uses = room.uses(db, file);
        let place = |body, occ| match room.offset(db, file, body, occ) {
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
                    place(one.body, one.occ),
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
                place(open.body, open.occ),
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
                place(local.body, local.occ),
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

    fn index(&mut self, room: &dyn Language, unit: Unit, files: &[File]) {
        let index = room.index(self.db, unit);
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
        let mut names: Vec<&str> = room
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

    fn pairs(&mut self, room: &dyn Language) {
        let universe = room.universe(self.db).interfaces.to_vec();
        let of_room = |row: &&TypeRow| {
            let key = self.db.shared().symbols.key(row.symbol);
            match key.declared_in {
                DeclaredIn::Unit(unit) => unit.lang(self.db) == room.lang(),
                DeclaredIn::Absent(_) => false,
                DeclaredIn::Builtin(lang) => lang == room.lang(),
            }
        };
        let mut lines = Vec::new();
        for interface in self.interfaces.iter().chain(&universe).filter(of_room) {
            for ty in self.types.iter().filter(of_room) {
                if let Some(receiver) = room.satisfies(self.db, ty, interface) {
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
