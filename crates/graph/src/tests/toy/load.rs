//! Databases made of toy texts.

use std::sync::Arc;

use codeweft_db::Setter as _;
use codeweft_db::{
    Bodies, Db, File, FileIr, Header, Identifiers, ImportTables, Items, Lang, NameId, Origin,
    Ranges, Report, RootDb, Span, Unit, UnitGraph, UnitKind,
};
use codeweft_go_syntax::GO;
use rustc_hash::FxHashMap;

use super::text::{identifiers, lines};

/// Loads texts; `//- path` starts a file. A path with `_test.` belongs to the in-package test unit,
/// a path below `/lib/` to a library, and a `.py` file to the toy that replaces Python.
pub fn load(text: &str) -> RootDb {
    let mut db = RootDb::default();
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start();
        match line.strip_prefix("//- ") {
            Some(path) => files.push((path.trim().to_owned(), String::new())),
            None => {
                if let Some((_, text)) = files.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    files.sort();
    let mut plans: Vec<(Lang, String, UnitKind, String, Origin, Vec<File>)> = Vec::new();
    for (path, text) in &files {
        let lang = crate::languages::of_path(path).unwrap_or(GO);
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        let (origin, name) = match dir.strip_prefix("/lib/") {
            Some(name) => (Origin::Library, name),
            None => (Origin::Workspace, dir),
        };
        let kind = if path.contains("_test.") {
            super::IN_TEST
        } else {
            UnitKind::BASE
        };
        let file = new_file(&mut db, path, text.as_str().into(), lang, origin);
        let known = plans
            .iter_mut()
            .find(|plan| plan.0 == lang && plan.1 == name && plan.2 == kind);
        match known {
            Some(plan) => plan.5.push(file),
            None => plans.push((lang, name.into(), kind, dir.into(), origin, vec![file])),
        }
    }
    plans.sort_by(|a, b| (a.0, &a.1, a.2).cmp(&(b.0, &b.1, b.2)));
    let mut units: Vec<Unit> = Vec::new();
    let mut owners = FxHashMap::default();
    for (lang, name, kind, dir, origin, files) in plans {
        let id = db.shared().names.intern(&name);
        let base = units
            .iter()
            .copied()
            .find(|unit| kind != UnitKind::BASE && unit.name(&db) == id && unit.lang(&db) == lang);
        let import_path = db.shared().names.intern(&format!("example.com/{name}"));
        let unit = Unit::new(
            &db,
            lang,
            id,
            import_path,
            kind,
            dir.into(),
            origin,
            0,
            files.clone().into(),
            base,
            None,
        );
        owners.extend(files.into_iter().map(|file| (file, unit)));
        units.push(unit);
    }
    UnitGraph::new(
        &db,
        units.into(),
        Arc::new(ImportTables::default()),
        Arc::new(owners),
    );
    db
}

fn new_file(db: &mut RootDb, path: &str, text: Arc<str>, lang: Lang, origin: Origin) -> File {
    let ir = read(db, &text);
    let file = File::new(
        db,
        path.into(),
        lang,
        origin,
        text.clone(),
        ir.header.clone(),
        ir.items.clone(),
    );
    db.shared().lowered.insert(file, (text, ir));
    file
}

/// Replaces the text of a file.
pub fn edit(db: &mut RootDb, path: &str, text: &str) {
    let universe = UnitGraph::get(db);
    let mut files = universe.owners(db).keys().copied();
    let file = files.find(|file| &**file.path(db) == path).unwrap();
    let text: Arc<str> = text.into();
    let ir = read(db, &text);
    db.shared().lowered.insert(file, (text.clone(), ir));
    file.set_saved_text(db).to(text);
}

fn read(db: &RootDb, text: &Arc<str>) -> FileIr {
    let names: Vec<NameId> = identifiers(text)
        .map(|name| db.shared().names.intern(name))
        .collect();
    let starts = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
    let ranges = Ranges {
        lines: std::iter::once(0)
            .chain(starts.filter(|&start| (start as usize) < text.len()))
            .collect(),
        imports: lines(text)
            .iter()
            .filter(|line| line.words[0].text == "use")
            .map(|line| Span {
                start: line.words[1].at,
                end: line.span.end,
            })
            .collect(),
        item_tokens: (0..text.len() as u32).collect(),
        ..Ranges::default()
    };
    let broken = text.lines().enumerate();
    let report = Report {
        error_lines: broken
            .filter(|(_, line)| *line == "broken")
            .map(|(number, _)| number as u32 + 1)
            .collect(),
        ..Report::default()
    };
    FileIr {
        header: Arc::new(Header::new(())),
        items: Arc::new(Items::new(())),
        bodies: Arc::new(Bodies::new(())),
        ranges: Arc::new(ranges),
        identifiers: Arc::new(Identifiers::from_names(names)),
        report: Arc::new(report),
    }
}
