//! Answers of a database whose libraries are not read yet are those of one that has read everything, on
//! real modules with many dependencies. Run with `CODEWEFT_SLOW=1`; the modules are in folders of
//! `CODEWEFT_CORPORA`, and a missing one is skipped with a message.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use codeweft_db::{NodeKind, Origin, UnitGraph};
use codeweft_graph::answer::TargetKinds;
use codeweft_testing::fresh_check::{bare_of, questions};
use codeweft_testing::rows::declared;
use codeweft_testing::{SeededRng, Texts};
use codeweft_workspace::{CacheOptions, LoadOptions, ProjectDatabase};

/// The modules and packages, with their language: the first module needs few dependencies,
/// the others hundreds.
const MODULES: &[(&str, &str)] = &[
    ("click-8.1.8", "python"),
    ("flask-3.1.0", "python"),
    ("attrs-24.3.0", "python"),
    ("django-5.2.15", "python"),
    ("github.com_spf13_cobra", "go"),
    ("github.com_caddyserver_caddy_v2", "go"),
    ("google.golang.org_grpc", "go"),
];

/// Questions that are asked one after the other, from the load on.
const IN_A_ROW: usize = 500;

/// So many of them are asked again, each of a database of its own, which has resolved nothing yet and finds
/// what was parsed in a cache.
const FIRST: usize = 100;

fn module(name: &str) -> Option<PathBuf> {
    if env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1") {
        let root = env::var_os("CODEWEFT_CORPORA").map(PathBuf::from);
        let path = root.map(|root| root.join(name));
        if let Some(path) = path.filter(|path| path.is_dir()) {
            return Some(path);
        }
        eprintln!("skipped {name}: not in CODEWEFT_CORPORA");
    } else {
        eprintln!("skipped {name}: set CODEWEFT_SLOW=1");
    }
    None
}

fn load(path: &Path, on_demand: bool, cache: Option<&Path>) -> ProjectDatabase {
    ProjectDatabase::load(LoadOptions {
        on_demand,
        cache: cache.map(|folder| CacheOptions {
            folder: folder.to_owned(),
            max_size: 1 << 30,
        }),
        ..LoadOptions::new(path)
    })
    .expect("a module")
}

/// Returns the texts of the module's own files, by path.
fn texts(path: &Path, language: &str, database: &ProjectDatabase) -> Texts {
    let sources = database.sources(language).into_iter();
    let texts = sources.filter_map(|file| {
        let text = std::fs::read_to_string(path.join(&file)).ok()?;
        Some((file, text))
    });
    texts.collect()
}

/// Returns functions that libraries declare, as a user writes them.
fn functions_of_libraries(database: &ProjectDatabase) -> Vec<String> {
    let db = database.db();
    let names = &db.tables().names;
    let mut found = Vec::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        let language = db.tables().language(unit.lang(db));
        let symbols = language.map(|language| language.symbols(db, unit));
        if unit.origin(db) == Origin::Library
            && let Some(symbols) = symbols
        {
            let functions = symbols
                .rows
                .iter()
                .filter(|row| row.kind == NodeKind::Function);
            let path = names.text(unit.import_path(db));
            found.extend(functions.map(|row| format!("{path}.{}", names.text(row.name))));
        }
    }
    found.sort();
    found
}

/// Returns the functions of the workspace that are used as values, by id.
fn functions_as_values(database: &ProjectDatabase) -> Vec<String> {
    let db = database.db();
    let (symbols, names) = (&db.tables().symbols, &db.tables().names);
    let mut carried: BTreeSet<&str> = BTreeSet::new();
    for &unit in UnitGraph::get(db).units(db).iter() {
        if let Some(language) = db.tables().language(unit.lang(db)) {
            let index = language.index(db, unit);
            let escaped = index.groups.iter().flat_map(|group| group.escaped.iter());
            carried.extend(escaped.map(|&symbol| names.text(symbols.key(symbol).name)));
        }
    }
    let functions = declared(db).into_iter().filter(|(id, kind)| {
        let name = id.rsplit('.').next().unwrap_or(id);
        matches!(kind, NodeKind::Function | NodeKind::Method) && carried.contains(name)
    });
    functions.map(|(id, _)| id).collect()
}

#[test]
fn answers_from_unread_libraries_are_those_of_read_ones() {
    for &(name, language) in MODULES {
        let Some(path) = module(name) else {
            continue;
        };
        let cache = tempfile::tempdir().expect("a folder");
        let whole = load(&path, false, Some(cache.path()));
        let kept = whole.db().tables().cache().expect("a cache");
        kept.flush(Duration::from_secs(60));
        let texts = texts(&path, language, &whole);
        let mut rng = SeededRng::new(14);
        let mut list = questions(whole.db(), &texts, &mut rng, IN_A_ROW);
        let functions = functions_of_libraries(&whole);
        for request in list.iter_mut().skip(3).step_by(7) {
            if let Some(function) = rng.one(&functions) {
                request.target.clone_from(function);
            }
        }
        let mut differences = 0;
        let carried = functions_as_values(&whole);
        for request in list.iter_mut().skip(1).step_by(3) {
            if matches!(
                request.operation.targets(),
                TargetKinds::Callable | TargetKinds::Any
            ) && let Some(function) = rng.one(&carried)
            {
                request.target.clone_from(function);
            }
        }
        let mut compare = |one: &ProjectDatabase, number: usize| {
            let request = &list[number];
            let found = bare_of(one.ask(request));
            let expected = bare_of(whole.ask(request));
            if found != expected {
                differences += 1;
                eprintln!(
                    "{name}, question {number}: {:?} of {}:\n  unread {found:.400}\n  read   {expected:.400}",
                    request.operation, request.target
                );
            }
        };
        let one = load(&path, true, None);
        (0..list.len()).for_each(|number| compare(&one, number));
        for number in 0..FIRST.min(list.len()) {
            let first = load(&path, true, Some(cache.path()));
            compare(&first, number);
            let parses = first.db().tables().parses.load(Ordering::Relaxed);
            assert_eq!(parses, 0, "{name}, question {number}");
        }
        println!(
            "{name}: {} questions, {differences} differ",
            list.len() + FIRST.min(list.len())
        );
        assert_eq!(differences, 0, "{name}");
    }
}
