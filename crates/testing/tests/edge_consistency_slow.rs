//! Every operation is the inverse of its counterpart and agrees with the export, on real trees:
//! Go's standard library with its commands, Go modules, Python's library, and packages. Run with
//! `CODEWEFT_SLOW=1`. The trees are in folders of `CODEWEFT_CORPORA`, Go's own in GOROOT; a missing
//! one is skipped with a message.

use std::env;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use codeweft_testing::edge_consistency::{
    AskOptions, Sampling, Sides, cold_queries, paths, verdicts,
};
use codeweft_workspace::{LoadOptions, ProjectDatabase};

/// The maximum number of differences that are printed for a tree.
const SHOWN: usize = 60;

/// The number of nodes whose callers and references are queried on an empty cache; an eighth of it
/// for a tree with more than [`LARGE`] nodes, where one query takes seconds.
const COLD: usize = 40;

/// See [`COLD`].
const LARGE: usize = 50_000;

/// Returns whether slow tests are enabled.
fn is_slow() -> bool {
    let asked = env::var("CODEWEFT_SLOW").is_ok_and(|value| value == "1");
    if !asked {
        eprintln!("skipped: set CODEWEFT_SLOW=1");
    }
    asked
}

/// Returns a folder named by a variable if it exists; otherwise prints what is skipped.
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

/// Queries everything in a tree, prints the differences by kind, and returns their number.
fn judged(path: &Path) -> usize {
    let threads = available_parallelism().map_or(1, usize::from);
    let mut options = LoadOptions::new(path);
    options.threads = threads;
    let workspace = ProjectDatabase::load(options).expect("a tree is loaded");
    workspace.index_all(threads, &|_| {});
    let how = AskOptions {
        threads,
        ..AskOptions::default()
    };
    let mut sides = Sides::read(workspace.db(), how);
    let found = sides.differences();
    let sampling = Sampling {
        count: 200,
        seed: 1,
    };
    let mut wrong = paths(&sides, workspace.db(), sampling);
    let verdicts = verdicts(&sides, workspace.db(), sampling);
    wrong.extend(verdicts.wrong);
    let sampling = Sampling {
        count: if sides.nodes.len() > LARGE {
            COLD / 8
        } else {
            COLD
        },
        seed: 1,
    };
    wrong.extend(cold_queries(&mut sides, workspace.db(), sampling));
    println!(
        "{}: {} nodes, {} calls, {} callers, {} references, {} implementations: {} differences, {} possible calls asked both ways, {} paths, verdicts or first questions differ",
        path.file_name().unwrap_or_default().to_string_lossy(),
        sides.nodes.len(),
        sides.exported_calls.list.len(),
        sides.callers.list.len(),
        sides.references.list.len(),
        sides.implementations.list.len(),
        found.len(),
        verdicts.sites,
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

/// Asserts that no tree has a difference.
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
fn in_the_go_tree_every_operation_is_consistent_with_its_inverse() {
    agree("GOROOT", &["src"]);
}

#[test]
fn in_go_modules_every_operation_is_consistent_with_its_inverse() {
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
fn in_pythons_library_every_operation_is_consistent_with_its_inverse() {
    agree("CODEWEFT_CORPORA", &["cpython-3.11"]);
}

#[test]
fn in_sympy_every_operation_is_consistent_with_its_inverse() {
    agree("CODEWEFT_CORPORA", &["sympy-1.14.0"]);
}

#[test]
fn in_traced_packages_every_operation_is_consistent_with_its_inverse() {
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
