//! Every question is the inverse of its other side and tells what the export tells, on real
//! trees: Go's standard library with its commands, Go modules, Python's library, and packages.
//! Run with `CODEWEFT_SLOW=1`. The trees lie in folders of `CODEWEFT_CORPORA`, Go's own in
//! GOROOT; what is not there is skipped, which is said.

use std::env;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use codeweft_ide::{LoadOptions, ProjectDatabase};
use codeweft_testing::inverse::{AskOptions, Sampling, Sides, first_asked, paths};

/// How many differences are printed of a tree.
const SHOWN: usize = 60;

/// How many nodes of a tree are asked for their callers, and for their references, as the first
/// question of all; of a tree with more nodes than [`LARGE`], where one takes seconds, an eighth.
const FIRST: usize = 40;

/// See [`FIRST`].
const LARGE: usize = 50_000;

/// Whether these tests were asked for.
fn is_slow() -> bool {
    let asked = env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1");
    if !asked {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
    }
    asked
}

/// A folder named by a variable, where it is there; otherwise says what is skipped.
fn folder(variable: &str, below: &str) -> Option<PathBuf> {
    let Some(root) = env::var_os(variable).map(PathBuf::from) else {
        eprintln!("skipped {below}: set {variable}");
        return None;
    };
    let path = root.join(below);
    if !path.is_dir() {
        eprintln!("skipped {below}: not in {variable}");
        return None;
    }
    Some(path)
}

/// Asks all of a tree: how many differences there are, printed by kind.
fn judged(path: &Path) -> usize {
    let threads = available_parallelism().map_or(1, usize::from);
    let mut options = LoadOptions::new(path);
    options.threads = threads;
    let world = ProjectDatabase::load(options).expect("a tree is loaded");
    world.index_all(threads, &|_| {});
    let how = AskOptions {
        threads,
        ..AskOptions::default()
    };
    let mut sides = Sides::read(world.db(), how);
    let found = sides.differences();
    let lots = Sampling {
        count: 200,
        seed: 1,
    };
    let mut wrong = paths(&sides, world.db(), lots);
    let lots = Sampling {
        count: if sides.nodes.len() > LARGE {
            FIRST / 8
        } else {
            FIRST
        },
        seed: 1,
    };
    wrong.extend(first_asked(&mut sides, world.db(), lots));
    println!(
        "{}: {} nodes, {} calls, {} callers, {} references, {} implementations: {} differences, {} paths or first questions differ",
        path.file_name().unwrap_or_default().to_string_lossy(),
        sides.nodes.len(),
        sides.exported_calls.list.len(),
        sides.callers.list.len(),
        sides.references.list.len(),
        sides.implementations.list.len(),
        found.len(),
        wrong.len(),
    );
    for (count, one) in Sides::by_kind(&found).into_iter().take(SHOWN) {
        println!("{count:7} {one}");
    }
    for line in wrong.iter().take(SHOWN) {
        println!("        {line}");
    }
    assert!(!sides.callers.list.is_empty(), "{path:?} has no calls");
    found.len() + wrong.len()
}

/// Holds that no tree has a difference.
fn agree(variable: &str, trees: &[&str]) {
    if !is_slow() {
        return;
    }
    let there = trees.iter().filter_map(|tree| folder(variable, tree));
    let counts: Vec<(PathBuf, usize)> = there.map(|path| (path.clone(), judged(&path))).collect();
    let differing: Vec<_> = counts.iter().filter(|(_, count)| *count > 0).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

#[test]
fn in_the_go_tree_every_question_is_the_inverse_of_its_other_side() {
    agree("GOROOT", &["src"]);
}

#[test]
fn in_go_modules_every_question_is_the_inverse_of_its_other_side() {
    agree(
        "CODEWEFT_CORPORA",
        &[
            "github.com_samber_lo",
            "github.com_zyedidia_generic",
            "go.etcd.io_bbolt",
        ],
    );
}

#[test]
fn in_pythons_library_every_question_is_the_inverse_of_its_other_side() {
    agree("CODEWEFT_CORPORA", &["cpython-3.11"]);
}

#[test]
fn in_sympy_every_question_is_the_inverse_of_its_other_side() {
    agree("CODEWEFT_CORPORA", &["sympy-1.14.0"]);
}

#[test]
fn in_traced_packages_every_question_is_the_inverse_of_its_other_side() {
    agree(
        "CODEWEFT_CORPORA",
        &[
            "attrs-24.3.0",
            "click-8.1.8",
            "flask-3.1.0",
            "httpx-0.28.1",
            "jinja2-3.1.6",
            "marshmallow-3.26.1",
            "starlette-0.45.2",
            "werkzeug-3.1.3",
        ],
    );
}
