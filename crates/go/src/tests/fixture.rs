//! Fixtures: several files in one string, loaded into their own database.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use codeweft_db::{
    Completeness as _, Db, DeclaredIn, Dispatch as _, File, FileSystem, FileUses, ImportTables,
    LanguageConfig, LayoutFile, LayoutInput, NameTarget, Origin, ProjectLayout as _, Receiver,
    RootDb, Semantics as _, SymbolId, TypeRow, Unit, UnitGraph, UnitKind, file_ranges,
};
use codeweft_go_syntax::GO;
use rustc_hash::FxHashMap;

use crate::Go;
use crate::decls::{DeclKey, TypeKey, decl, type_def};
use crate::definitions::Decl;
use crate::types::{Ty, printed};
use crate::units::unit_files;
use crate::units::{IN_TEST, X_TEST};

/// A loaded fixture.
pub struct Fixture {
    pub db: RootDb,
    pub files: BTreeMap<String, File>,
    pub units: Vec<Unit>,
    /// The names whose types were queried, for the judge.
    queried: RefCell<BTreeMap<String, String>>,
}

struct Texts(BTreeMap<String, Arc<str>>);

impl FileSystem for Texts {
    fn read(&self, path: &str) -> Option<Arc<str>> {
        self.0.get(path).cloned()
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let prefix = format!("{}/", dir.trim_end_matches('/'));
        let names: BTreeSet<String> = self
            .0
            .keys()
            .filter_map(|path| path.strip_prefix(&prefix))
            .map(|rest| match rest.split_once('/') {
                Some((folder, _)) => format!("{folder}/"),
                None => rest.to_owned(),
            })
            .collect();
        names.into_iter().collect()
    }

    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
}

const ROOT: &str = "/w";

impl Fixture {
    /// Loads a fixture. Paths are relative to the root of module `m`; `/goroot/src/…` is the
    /// standard library. A text without `//-` is the file `a.go`.
    pub fn new(text: &str) -> Fixture {
        Fixture::with(text, &[])
    }

    /// Loads a fixture with these settings.
    pub fn with(text: &str, settings: &[(&str, &str)]) -> Fixture {
        let mut texts: BTreeMap<String, Arc<str>> = BTreeMap::new();
        let mut path = format!("{ROOT}/a.go");
        let mut body = String::new();
        for line in text.lines() {
            if let Some(next) = line.trim_start().strip_prefix("//- ") {
                if !body.trim().is_empty() {
                    texts.insert(path, body.as_str().into());
                }
                body.clear();
                let next = next.trim();
                path = if next.starts_with('/') {
                    next.into()
                } else {
                    format!("{ROOT}/{next}")
                };
            } else {
                body.push_str(line);
                body.push('\n');
            }
        }
        texts.insert(path, body.as_str().into());
        texts
            .entry(format!("{ROOT}/go.mod"))
            .or_insert_with(|| "module m\n\ngo 1.26\n".into());
        texts
            .entry("/goroot/VERSION".into())
            .or_insert_with(|| "go1.26.0\n".into());
        texts
            .entry("/goroot/src/go.mod".into())
            .or_insert_with(|| "module std\n".into());
        Fixture::load(Texts(texts), settings)
    }

    fn load(texts: Texts, own: &[(&str, &str)]) -> Fixture {
        let db = RootDb::default();
        let mut files: BTreeMap<String, File> = BTreeMap::new();
        let given = [
            ("goroot", "/goroot"),
            ("goos", "linux"),
            ("goarch", "amd64"),
        ];
        let settings: BTreeMap<String, String> = given
            .iter()
            .chain(own)
            .map(|&(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let mut wanted: Vec<(String, Origin)> = texts
            .0
            .keys()
            .filter(|path| path.starts_with(ROOT) && path.ends_with(".go"))
            .map(|path| (path.clone(), Origin::Workspace))
            .collect();
        let layout = loop {
            for (path, origin) in wanted.drain(..) {
                let text = texts.0[&path].clone();
                let ir = codeweft_syntax::lower(&text, GO, &db.shared().names, &|| false)
                    .expect("lowered");
                let printed = path.strip_prefix("/w/").unwrap_or(&path);
                let file = File::new(
                    &db,
                    printed.into(),
                    GO,
                    origin,
                    text,
                    ir.header.clone(),
                    ir.items.clone(),
                );
                files.insert(path, file);
            }
            let input: Vec<LayoutFile<'_>> = files
                .iter()
                .map(|(path, &file)| LayoutFile {
                    path,
                    origin: file.origin(&db),
                    header: file.header(&db),
                })
                .collect();
            let layout = Go.layout(&LayoutInput {
                root: ROOT,
                files: &input,
                names: &db.shared().names,
                reader: &texts,
                settings: &settings,
            });
            for dir in &layout.missing {
                for name in texts.list(dir) {
                    if name.ends_with(".go") && !name.ends_with("_test.go") {
                        wanted.push((format!("{dir}/{name}"), Origin::Library));
                    }
                }
            }
            wanted.retain(|(path, _)| !files.contains_key(path));
            if wanted.is_empty() {
                break layout;
            }
        };
        let mut units: Vec<Option<Unit>> = vec![None; layout.units.len()];
        let mut owners = FxHashMap::default();
        for kind in [UnitKind::BASE, IN_TEST, X_TEST] {
            for (number, plan) in layout.units.iter().enumerate() {
                if plan.kind != kind {
                    continue;
                }
                let sister = |kind| {
                    let plans = layout.units.iter().zip(&units);
                    let found =
                        plans.filter(|(other, _)| other.dir == plan.dir && other.kind == kind);
                    found.filter_map(|(_, unit)| *unit).next()
                };
                let members: Arc<[File]> = plan.files.iter().map(|path| files[path]).collect();
                let base = (kind != UnitKind::BASE)
                    .then(|| sister(UnitKind::BASE))
                    .flatten();
                let in_test = (kind == X_TEST).then(|| sister(IN_TEST)).flatten();
                let unit = Unit::new(
                    &db,
                    GO,
                    db.shared().names.intern(&plan.name),
                    db.shared().names.intern(&plan.import_path),
                    kind,
                    plan.dir.as_str().into(),
                    plan.origin,
                    plan.chain,
                    members.clone(),
                    base,
                    in_test,
                );
                owners.extend(members.iter().map(|&file| (file, unit)));
                units[number] = Some(unit);
            }
        }
        let units: Vec<Unit> = units.into_iter().flatten().collect();
        let tables = layout.tables.iter().map(|table| {
            let entries = table.iter();
            entries
                .map(|(path, &at)| (db.shared().names.intern(path), units[at]))
                .collect()
        });
        let imports = ImportTables {
            chains: layout
                .chains
                .iter()
                .map(|chain| chain.as_slice().into())
                .collect(),
            tables: tables.collect(),
            ..ImportTables::default()
        };
        let config = LanguageConfig::new(&db, layout.configuration.expect("settings"));
        db.shared().add_configuration(GO, config);
        UnitGraph::new(
            &db,
            units.as_slice().into(),
            Arc::new(imports),
            Arc::new(owners),
        );
        Fixture {
            db,
            files,
            units,
            queried: RefCell::default(),
        }
    }

    /// Returns the file of a path relative to the root.
    pub fn file(&self, path: &str) -> File {
        self.files[&format!("{ROOT}/{path}")]
    }

    /// Returns the uses in a file.
    pub fn uses(&self, path: &str) -> Arc<FileUses> {
        Go.uses(&self.db, self.file(path))
    }

    /// Returns the id of a symbol without the marks of redefinitions.
    pub fn id(&self, symbol: SymbolId) -> String {
        let names = &self.db.shared().names;
        let key = self.db.shared().symbols.key(symbol);
        let own = names.text(key.name);
        match (key.parent, key.declared_in) {
            (Some(parent), _) => format!("{}.{own}", self.id(parent)),
            (None, DeclaredIn::Unit(_)) if key.class == codeweft_db::SymbolClass::Package => {
                own.into()
            }
            (None, DeclaredIn::Unit(unit)) => format!("{}.{own}", names.text(unit.name(&self.db))),
            (None, _) => own.into(),
        }
    }

    fn site(&self, file: File, body: u32, occ: u32) -> String {
        let offset = Go
            .offset(&self.db, file, body, occ)
            .expect("a position for every use");
        let (line, column) = file_ranges(&self.db, file).line_column(offset);
        let text = &file.text(&self.db)[offset as usize..];
        let word = text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let word = if word == 0 { &text[..1] } else { &text[..word] };
        format!("{line}:{column} {word}")
    }

    /// Returns whether a workspace file is one of its unit's selected files.
    fn is_built(&self, file: File) -> bool {
        let chosen = |unit: &Unit| unit_files(&self.db, *unit).chosen.contains(&file);
        file.origin(&self.db) == Origin::Workspace && self.units.iter().any(chosen)
    }

    /// Prints every call and every unresolved call in workspace files, by position:
    /// `file:line:column name: caller -> callee`.
    pub fn calls(&self) -> String {
        self.each_use(|role| role.is_call(), true)
    }

    /// Prints every use that is no call, by position, with its role.
    pub fn references(&self) -> String {
        self.each_use(|role| !role.is_call(), false)
    }

    fn each_use(&self, wanted: impl Fn(codeweft_db::Role) -> bool, calls: bool) -> String {
        let mut lines: Vec<(String, u32, u32, String)> = Vec::new();
        for (path, &file) in &self.files {
            if !self.is_built(file) {
                continue;
            }
            let uses = Go.uses(&self.db, file);
            let path = path.strip_prefix("/w/").unwrap_or(path);
            let position = |body: u32, occ: u32| {
                let offset = Go.offset(&self.db, file, body, occ).expect("a place");
                file_ranges(&self.db, file).line_column(offset)
            };
            for (target, uses_of) in uses.iter() {
                for one in uses_of.iter().filter(|one| wanted(one.role)) {
                    let (line, column) = position(one.body, one.occ);
                    let from = uses
                        .bodies
                        .get(one.body as usize)
                        .map(|&body| self.id(body));
                    let site = self.site(file, one.body, one.occ);
                    let description = if calls {
                        let literal = if one.in_literal { " (in literal)" } else { "" };
                        format!(
                            "{} -> {}{literal}",
                            from.unwrap_or_default(),
                            self.id(target)
                        )
                    } else {
                        format!("{:?} of {}", one.role, self.id(target))
                    };
                    lines.push((
                        path.into(),
                        line,
                        column,
                        format!("{path}:{site}: {description}"),
                    ));
                }
            }
            for site in uses.unresolved.iter().filter(|_| calls) {
                let (line, column) = position(site.body, site.occ);
                let position = self.site(file, site.body, site.occ);
                let line_text = format!("{path}:{position}: open, {}", site.reason.wire_name());
                lines.push((path.into(), line, column, line_text));
            }
        }
        lines.sort();
        lines
            .into_iter()
            .fold(String::new(), |mut out, (.., line)| {
                let _ = writeln!(out, "{line}");
                out
            })
    }

    /// Prints the entity after the `^` of a text that occurs in a file.
    pub fn definition(&self, path: &str, mark: &str) -> String {
        let file = self.file(path);
        let at = mark.find('^').expect("a mark");
        let text = file.text(&self.db);
        let start = text.find(&mark.replace('^', "")).expect("the text");
        match Go.name_at(&self.db, file, (start + at) as u32) {
            Some(NameTarget::Symbol(symbol)) => {
                format!(
                    "{mark}: {} at {}",
                    self.id(symbol),
                    self.location_of(symbol)
                )
            }
            Some(NameTarget::Local {
                owner,
                name,
                declaration: found,
            }) => format!(
                "{mark}: local {}.{} at {}",
                self.id(owner),
                self.db.shared().names.text(name),
                self.printed_location(found.file, found.name.start)
            ),
            None => format!("{mark}: nothing"),
        }
    }

    /// Prints the declaration and the uses of the local after the `^` of a text: `declaration: use,
    /// use in literal`.
    pub fn local_uses(&self, path: &str, mark: &str) -> String {
        let file = self.file(path);
        let at = mark.find('^').expect("a mark");
        let text = file.text(&self.db);
        let start = text.find(&mark.replace('^', "")).expect("the text");
        let Some(NameTarget::Local {
            declaration: found, ..
        }) = Go.name_at(&self.db, file, (start + at) as u32)
        else {
            return format!("{mark}: no local");
        };
        let ranges = file_ranges(&self.db, file);
        let spot = |offset| {
            let (line, column) = ranges.line_column(offset);
            format!("{line}:{column}")
        };
        let uses = Go.local_uses(&self.db, &found);
        let uses = uses.iter().map(|one| {
            if one.in_literal {
                format!("{} in literal", spot(one.offset))
            } else {
                spot(one.offset)
            }
        });
        let uses: Vec<String> = uses.collect();
        format!("{mark}: {}: {}", spot(found.name.start), uses.join(", "))
    }

    /// Prints the types and members that a file's bodies declare: `id kind at line:column`.
    pub fn local_types(&self, path: &str) -> String {
        let mut lines = Vec::new();
        for local in &self.uses(path).locals {
            let number = self.db.shared().symbols.key(local.symbol).disambiguator.n + 1;
            let at = self.location_of(local.symbol);
            let (id, kind) = (self.id(local.symbol), local.kind.wire_name());
            lines.push(format!("{id}#{number} {kind} at {at}\n"));
        }
        lines.concat()
    }

    /// Prints the callers outside Go text of the functions of these ids.
    pub fn hidden_callers(&self, ids: &[&str]) -> String {
        let mut lines = String::new();
        for &unit in &self.units {
            for row in &Go.symbols(&self.db, unit).rows {
                if !ids.contains(&self.id(row.symbol).as_str()) {
                    continue;
                }
                let named = codeweft_db::NamedSymbol {
                    of_callers: true,
                    symbol: row.symbol,
                    names: Go.search_names(&self.db, row.symbol).to_vec().into(),
                };
                let hidden = Go.hidden_callers(&self.db, &[named]);
                let sites = hidden.iter().map(|&(file, at, reason)| {
                    format!(
                        " {} {}",
                        self.printed_location(file, at),
                        reason.wire_name()
                    )
                });
                let sites: String = sites.collect();
                let _ = writeln!(lines, "{}:{sites}", self.id(row.symbol));
            }
        }
        lines
    }

    /// Prints the imports of the workspace's units: `from -> to`.
    pub fn imports(&self) -> String {
        let mut lines = BTreeSet::new();
        for &unit in &self.units {
            for row in Go.imports(&self.db, unit).iter() {
                let absent = if row.unit.is_none() { " (absent)" } else { "" };
                lines.insert(format!(
                    "{} -> {}{absent}\n",
                    self.id(row.from),
                    self.id(row.to)
                ));
            }
        }
        lines.into_iter().collect()
    }

    /// Returns every pair of a type and an interface that it satisfies.
    fn pairs(&self) -> Vec<(TypeRow, TypeRow, Receiver)> {
        let mut types = Vec::new();
        let mut interfaces = Go.universe(&self.db).interfaces.to_vec();
        for &unit in &self.units {
            let hierarchy = Go.hierarchy(&self.db, unit);
            types.extend(hierarchy.types.iter().cloned());
            interfaces.extend(hierarchy.interfaces.iter().cloned());
            for &file in unit_files(&self.db, unit).chosen.iter() {
                let uses = Go.uses(&self.db, file);
                types.extend(uses.types.iter().cloned());
                interfaces.extend(uses.interfaces.iter().cloned());
            }
        }
        let mut pairs = Vec::new();
        for ty in &types {
            for interface in &interfaces {
                if let Some(receiver) = Go.satisfies(&self.db, ty, interface) {
                    pairs.push((ty.clone(), interface.clone(), receiver));
                }
            }
        }
        pairs
    }

    /// Prints the pairs of types and interfaces that they satisfy: `type -> interface`, with
    /// `(pointer)` if only the pointer does.
    pub fn implements(&self) -> String {
        let name = |row: &TypeRow| {
            if row.type_args.is_empty() {
                self.id(row.symbol)
            } else {
                format!("{}[{}]", self.id(row.symbol), row.type_args.join(", "))
            }
        };
        let lines: BTreeSet<String> = self
            .pairs()
            .iter()
            .map(|(ty, interface, receiver)| {
                let pointer = match receiver {
                    Receiver::Pointer => " (pointer)",
                    Receiver::Value => "",
                };
                format!("{} -> {}{pointer}\n", name(ty), name(interface))
            })
            .collect();
        lines.into_iter().collect()
    }

    /// Prints the type of a package-level variable, function or constant; for a type its underlying
    /// type.
    pub fn type_of(&self, name: &str) -> String {
        let printed = self.find_type(name);
        let mut queried = self.queried.borrow_mut();
        queried.insert(name.into(), printed.clone());
        printed
    }

    /// Prints the types of several names, one per line.
    pub fn types_of(&self, names: &[&str]) -> String {
        names.iter().fold(String::new(), |mut out, name| {
            let _ = writeln!(out, "{name} {}", self.type_of(name));
            out
        })
    }

    fn find_type(&self, name: &str) -> String {
        let name = self.db.shared().names.intern(name);
        for &unit in &self.units {
            let key = DeclKey::new(&self.db, unit, name);
            let Some(found) = decl(&self.db, key) else {
                continue;
            };
            let ty = match found {
                Decl::Func { signature, .. } => signature,
                Decl::Var { ty, .. } | Decl::Const { ty, .. } => ty,
                Decl::Type { symbol, alias, .. } => {
                    let behind = || type_def(&self.db, TypeKey::new(&self.db, symbol));
                    let underlying = || Some(behind()?.underlying);
                    alias.or_else(underlying).unwrap_or(Ty::UNKNOWN)
                }
                Decl::Inferred { .. } => continue,
            };
            return printed(&self.db, ty);
        }
        "not declared".into()
    }

    fn location_of(&self, symbol: SymbolId) -> String {
        match Go.declaration_range(&self.db, symbol) {
            Some(range) => self.printed_location(range.file, range.name.start),
            None => "?".into(),
        }
    }

    fn printed_location(&self, file: File, offset: u32) -> String {
        let (line, column) = file_ranges(&self.db, file).line_column(offset);
        let path = file.path(&self.db);
        match path.strip_prefix('/') {
            Some(library) => format!("{library}:{line}:{column}"),
            None => format!("w/{path}:{line}:{column}"),
        }
    }

    /// Writes the fixture and its results for `tests/judge`.
    fn write_for_judge(&self, root: &str) {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or("fixture").replace("::", ".");
        let mut dir = PathBuf::from(root).join(&name);
        let mut copy = 1;
        while std::fs::create_dir_all(root).is_ok() && std::fs::create_dir(&dir).is_err() {
            copy += 1;
            dir = PathBuf::from(root).join(format!("{name}#{copy}"));
        }
        let mut ours = String::new();
        for (path, &file) in &self.files {
            let target = dir.join(path.trim_start_matches('/'));
            let folder = target.parent().expect("a folder around a file");
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::write(target, &**file.text(&self.db)).expect("a file");
            if !self.is_built(file) {
                continue;
            }
            let uses = Go.uses(&self.db, file);
            let position = |body, occ| match Go.offset(&self.db, file, body, occ) {
                Some(offset) => self.printed_location(file, offset),
                None => "?".into(),
            };
            for (target, uses) in uses.iter() {
                for one in uses {
                    let (from, to) = (position(one.body, one.occ), self.location_of(target));
                    let _ = writeln!(ours, "use\t{from}\t{to}");
                }
            }
            for site in &uses.unresolved {
                let (from, reason) = (position(site.body, site.occ), site.reason.wire_name());
                let _ = writeln!(ours, "open\t{from}\t{reason}");
            }
        }
        for (ty, interface, receiver) in self.pairs() {
            let kind = match receiver {
                Receiver::Pointer => "pointer",
                Receiver::Value => "value",
            };
            let _ = writeln!(
                ours,
                "impl\t{}\t{}\t{kind}\t{}\t{}",
                self.location_of(ty.symbol),
                self.location_of(interface.symbol),
                ty.type_args.join(","),
                interface.type_args.join(","),
            );
        }
        for (name, printed) in self.queried.borrow().iter() {
            let _ = writeln!(ours, "type\t{name}\t{printed}");
        }
        std::fs::write(dir.join("ours.tsv"), ours).expect("a file");
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if let Ok(root) = std::env::var("CODEWEFT_FIXTURES") {
            self.write_for_judge(&root);
        }
    }
}
