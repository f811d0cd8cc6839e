//! Randomly planned edits: functions are drawn, weighted by the amount of code; the first line of
//! the body becomes a call of a function that the last edits did not call; every third edit calls a
//! method of an interface.

use std::path::{Path, PathBuf};
use std::process::Command;

use codeweft_db::{Db as _, NodeKind, Origin, RootDb, Unit, UnitGraph, UnitKind};
use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_graph::languages;
use codeweft_testing::SeededRng;
use codeweft_workspace::{LoadOptions, ProjectDatabase};
use rustc_hash::FxHashSet;

/// A planned edit.
pub struct PlannedEdit {
    /// The absolute path.
    pub path: String,
    /// The path as answers print it.
    pub printed: String,
    /// The text before.
    pub text: String,
    /// The line (0-based) before which the call is inserted.
    pub line: u32,
    /// The inserted line.
    pub typed: String,
    /// The id of the callee.
    pub callee: String,
}

impl PlannedEdit {
    /// Returns the text after the edit.
    pub fn after(&self) -> String {
        let at: usize = self
            .text
            .split_inclusive('\n')
            .take(self.line as usize)
            .map(str::len)
            .sum();
        let (before, after) = self.text.split_at(at);
        format!("{before}{}{after}", self.typed)
    }
}

/// Returns the Go library with its commands.
pub fn library() -> Result<PathBuf, String> {
    let output = Command::new("go")
        .args(["env", "GOROOT"])
        .output()
        .map_err(|error| format!("go env GOROOT: {error}"))?;
    let root = String::from_utf8_lossy(&output.stdout);
    let source = Path::new(root.trim()).join("src");
    if source.join("go.mod").is_file() {
        Ok(source)
    } else {
        Err(format!("{} has no go.mod", source.display()))
    }
}

/// Returns a database of a root, for planning.
pub fn database(root: &Path) -> Result<ProjectDatabase, String> {
    ProjectDatabase::load(LoadOptions::new(root)).map_err(|error| error.to_string())
}

/// Plans `count` edits. Each is tried in a database of its own, where its site must be found: a
/// local variable may shadow the callee.
pub fn edits(host: &mut ProjectDatabase, count: usize, seed: u64) -> Vec<PlannedEdit> {
    let places = places(host.db());
    let mut rng = SeededRng::new(seed);
    let mut called = FxHashSet::default();
    let mut drawn: Vec<PlannedEdit> = Vec::new();
    for _ in 0..count * 20 {
        if drawn.len() == count {
            break;
        }
        let Some(&(unit, file, line)) = rng.one(&places) else {
            break;
        };
        let db = host.db();
        let callee = match drawn.len() % 3 {
            2 => interface_method(db, unit, &mut rng),
            _ => function(db, unit, &mut rng),
        };
        let Some((typed, callee)) = callee else {
            continue;
        };
        if !called.insert(callee.clone()) {
            continue;
        }
        let printed = file.path(db).to_string();
        let one = PlannedEdit {
            path: format!("{}/{printed}", host.root()),
            printed,
            text: file.text(db).to_string(),
            line,
            typed,
            callee,
        };
        let path = Path::new(&one.path).to_owned();
        host.open(&path, &one.after());
        let found = host.ask(&callers(&one.callee)).is_ok_and(|answer| {
            answer.results.iter().any(|result| {
                let sites = &mut result.sites.iter();
                sites.any(|site| site.file == one.printed && site.line == one.line + 1)
            })
        });
        host.close(&path);
        if found {
            drawn.push(one);
        }
    }
    drawn
}

/// Returns a request for `callers` without code.
pub fn callers(id: &str) -> GraphRequest {
    let mut request = GraphRequest::new(Operation::Callers, id);
    request.include_context = false;
    request
}

fn places(db: &RootDb) -> Vec<(Unit, codeweft_db::File, u32)> {
    let mut places = Vec::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        let Some(language) = languages::language_of(unit.lang(db)) else {
            continue;
        };
        if unit.origin(db) != Origin::Workspace || unit.kind(db) != UnitKind::Base {
            continue;
        }
        for &file in language.files(db, unit).iter() {
            let lines = file.text(db).lines().enumerate();
            let starts = lines
                .filter(|(_, line)| line.starts_with("func ") && line.trim_end().ends_with('{'));
            places.extend(starts.map(|(line, _)| (unit, file, line as u32 + 1)));
        }
    }
    places
}

/// Draws a function of the package: the text of the call, and its id.
fn function(db: &RootDb, unit: Unit, rng: &mut SeededRng) -> Option<(String, String)> {
    let symbols = languages::language_of(unit.lang(db))?.symbols(db, unit);
    let names = &db.shared().names;
    let functions: Vec<&str> = symbols
        .rows
        .iter()
        .filter(|row| row.kind == NodeKind::Function)
        .map(|row| names.text(row.name))
        .filter(|name| !matches!(*name, "_" | "init" | "main"))
        .collect();
    let name = *rng.one(&functions)?;
    let id = format!("{}.{name}", names.text(unit.name(db)));
    Some((format!("\t{name}()\n"), id))
}

/// Draws a method of an interface of the package.
fn interface_method(db: &RootDb, unit: Unit, rng: &mut SeededRng) -> Option<(String, String)> {
    let symbols = languages::language_of(unit.lang(db))?.symbols(db, unit);
    let names = &db.shared().names;
    let mut methods: Vec<(&str, &str)> = Vec::new();
    for row in &symbols.rows {
        let Some(parent) = symbols.rows.get(row.parent as usize) else {
            continue;
        };
        if row.kind == NodeKind::Method && parent.kind == NodeKind::Interface {
            methods.push((names.text(parent.name), names.text(row.name)));
        }
    }
    let &(interface, method) = rng.one(&methods)?;
    let id = format!("{}.{interface}.{method}", names.text(unit.name(db)));
    Some((format!("\t{interface}(nil).{method}()\n"), id))
}
