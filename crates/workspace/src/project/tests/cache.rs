//! A database with a cache on disk answers as one without, whatever the cache holds, and lowers nothing that
//! it holds.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use codeweft_graph::answer::Operation;

use super::on_demand::{TARGETS, sources, variables};
use super::{LoadOptions, ProjectDatabase, Sources, ask};
use crate::project::CacheOptions;

/// A module and a Python package beside it.
fn both_languages() -> Sources {
    let sources = sources();
    sources.write("w/tool/__init__.py", "from .work import run as start\n");
    sources.write(
        "w/tool/work.py",
        "import os\n\nclass Base:\n    def go(self, x: int = 1) -> str:\n        return self.end()\n\n    def end(self):\n        return getattr(self, os.name)()\n\ndef run(base: Base):\n    try:\n        return base.go()\n    except ValueError as error:\n        raise error\n",
    );
    sources
}

fn cache_of(sources: &Sources) -> PathBuf {
    sources.folder.path().join("cache")
}

fn load(sources: &Sources, cache: Option<&Path>, on_demand: bool) -> ProjectDatabase {
    ProjectDatabase::load(LoadOptions {
        variables: Some(variables(sources)),
        threads: 2,
        on_demand,
        cache: cache.map(|folder| CacheOptions {
            folder: folder.to_owned(),
            max_size: 1 << 30,
        }),
        ..LoadOptions::new(sources.folder.path().join("w"))
    })
    .expect("a workspace")
}

/// Returns how many texts were lowered since the load began.
fn parses(database: &ProjectDatabase) -> u64 {
    database.db().tables().parses.load(Ordering::Relaxed)
}

fn flush(database: &ProjectDatabase) {
    let cache = database.db().tables().cache();
    cache.expect("a cache").flush(Duration::from_secs(60));
}

/// The targets in Python.
const OF_PYTHON: [&str; 4] = ["tool.work.run", "tool.work.Base.end", "tool", "go"];

/// Returns the answers to every operation about every target, and to the callers of the library's
/// declarations too.
fn answers(database: &ProjectDatabase) -> Vec<String> {
    let every = OF_PYTHON.into_iter().chain(["a.File.spill", "io.All", "a"]);
    let every = every.flat_map(|target| Operation::ALL.map(|operation| (operation, target)));
    let others = TARGETS.into_iter();
    let others = others.map(|target| (Operation::Callers, target));
    let requests = every.chain(others);
    let answers = requests.map(|(operation, target)| {
        format!(
            "{operation:?} {target} {}",
            ask(database, operation, target)
        )
    });
    answers.collect()
}

#[test]
fn a_second_load_lowers_nothing_and_answers_the_same() {
    let sources = both_languages();
    let expected = answers(&load(&sources, None, false));
    let cache = cache_of(&sources);
    for on_demand in [false, true, false, true] {
        let database = load(&sources, Some(&cache), on_demand);
        let before = database.db().tables().cache().expect("a cache").counts();
        assert_eq!(answers(&database), expected);
        flush(&database);
        if before.written == 0 && before.found > 0 {
            assert_eq!(parses(&database), 0);
        } else {
            assert!(parses(&database) > 0);
        }
    }
}

#[test]
fn single_questions_fill_the_cache_too() {
    let sources = both_languages();
    let cache = cache_of(&sources);
    let expected = answers(&load(&sources, None, false));
    for round in 0..3 {
        let database = load(&sources, Some(&cache), true);
        let answer = ask(&database, Operation::Callers, "a.helper");
        assert!(answer.contains("a.Open"), "{answer}");
        flush(&database);
        let found = database
            .db()
            .tables()
            .cache()
            .expect("a cache")
            .counts()
            .found;
        assert_eq!(round > 0, found > 0);
        assert!(round == 0 || parses(&database) == 0, "round {round}");
    }
    // The declarations of libraries are there, and the rest is lowered.
    assert_eq!(answers(&load(&sources, Some(&cache), true)), expected);
}

#[test]
fn a_branch_that_was_left_and_taken_again_is_not_lowered_again() {
    let sources = both_languages();
    let mut database = load(&sources, Some(&cache_of(&sources)), true);
    let files = ["w/a/a.go", "w/b/b.go", "w/tool/work.py"];
    let read =
        |path: &str| std::fs::read_to_string(sources.folder.path().join(path)).expect("a text");
    let texts = files.map(read);
    let first = answers(&database);
    let check_out = |database: &mut ProjectDatabase, end: &str| {
        for (path, text) in files.iter().zip(&texts) {
            sources.write(path, &format!("{text}{end}"));
        }
        let paths = files.map(|path| sources.folder.path().join(path));
        database.disk_changed(&paths);
        flush(database);
    };
    check_out(&mut database, "\n");
    assert_eq!(answers(&database).len(), first.len());
    let before = parses(&database);
    check_out(&mut database, "");
    assert_eq!(answers(&database), first);
    check_out(&mut database, "\n");
    assert_eq!(parses(&database), before);
}

#[test]
fn damaged_and_missing_records_change_no_answer() {
    let sources = both_languages();
    let cache = cache_of(&sources);
    let expected = answers(&load(&sources, Some(&cache), false));
    let segments = || {
        let found = std::fs::read_dir(cache.join("v1")).expect("a folder");
        let paths = found.map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.extension().is_some_and(|end| end == "cw"))
    };
    flush(&load(&sources, Some(&cache), false));
    let whole: Vec<(PathBuf, Vec<u8>)> = segments()
        .map(|path| (path.clone(), std::fs::read(&path).expect("a segment")))
        .collect();
    assert!(!whole.is_empty());
    let mut lowered = 0;
    for round in 0..16 {
        for path in segments() {
            std::fs::remove_file(path).expect("removed");
        }
        for (path, bytes) in &whole {
            let mut bytes = bytes.clone();
            let at = bytes.len() * round / 16;
            match round % 4 {
                0 => bytes.truncate(at),
                1 => bytes[at] ^= 0x20,
                2 => bytes[at..]
                    .iter_mut()
                    .step_by(997)
                    .for_each(|byte| *byte ^= 1),
                _ => bytes.rotate_left(at),
            }
            std::fs::write(path, bytes).expect("written");
        }
        let database = load(&sources, Some(&cache), round % 3 > 0);
        assert_eq!(answers(&database), expected, "round {round}");
        lowered += usize::from(parses(&database) > 0);
    }
    assert!(lowered > 12, "{lowered}");
}

#[test]
fn the_text_of_an_editor_is_not_kept() {
    let sources = both_languages();
    let cache = cache_of(&sources);
    let mut database = load(&sources, Some(&cache), true);
    let path = sources.folder.path().join("w/tool/work.py");
    for text in ["x = 'unsaved_secret'\n", "x = 'unsaved_secret_2'\n"] {
        database.open(&path, text);
        let answer = ask(&database, Operation::Outline, "tool/work.py");
        assert!(!answer.contains("Base"), "{answer}");
    }
    flush(&database);
    for entry in std::fs::read_dir(cache.join("v1")).expect("a folder") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        let secret = b"unsaved_secret";
        assert!(!bytes.windows(secret.len()).any(|window| window == secret));
    }
}
