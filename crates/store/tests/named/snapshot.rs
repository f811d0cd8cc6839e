//! `scip snapshot` and `scip lint` of the tool itself, where it is installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use codeweft_testing::{Fixture, texts};

use super::{GO, PYTHON, exported};

/// Where the reviewed snapshots are.
const REVIEWED: &str = "tests/named/snapshots";

/// Returns the tool: `SCIP`, else `scip` on PATH. Reports that a test is skipped if there is none.
fn tool() -> Option<String> {
    let name = std::env::var("SCIP").unwrap_or_else(|_| "scip".to_owned());
    let runs = Command::new(&name).arg("--version").output();
    if runs.is_ok_and(|ended| ended.status.success()) {
        return Some(name);
    }
    eprintln!("skipped: there is no scip on PATH, and SCIP does not name it");
    None
}

/// Compares the snapshots of a workspace with those in the repository; writes them with `UPDATE_EXPECT`.
fn compare(name: &str, text: &str) {
    let Some(tool) = tool() else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let world = Fixture::new(text).load();
    let index = exported(&world, "scip", folder.path());
    let made = folder.path().join("snapshots");
    let ended = Command::new(&tool)
        .arg("snapshot")
        .arg("--strict=false")
        .arg("--from")
        .arg(&index)
        .arg("--to")
        .arg(&made)
        .arg("--project-root")
        .arg(world.host.root())
        .output()
        .expect("it runs");
    assert!(ended.status.success(), "{ended:?}");
    let reviewed = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(REVIEWED)
        .join(name);
    let sources = texts(text).into_keys();
    for file in sources.filter(|file| file.ends_with(".go") || file.ends_with(".py")) {
        let new = fs::read_to_string(made.join(&file)).expect("a snapshot");
        let known = reviewed.join(format!("{file}.snapshot"));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::create_dir_all(known.parent().expect("a folder")).expect("a folder");
            fs::write(&known, &new).expect("written");
        }
        assert_eq!(
            fs::read_to_string(&known).expect("a reviewed file"),
            new,
            "{file}"
        );
    }
    let lint = Command::new(&tool).arg("lint").arg(&index).output();
    let lint = lint.expect("it runs");
    let words = String::from_utf8_lossy(&lint.stderr).into_owned();
    // It reads documents in the order of a hash table, and so misses targets that are in later ones.
    let wrong = words
        .lines()
        .filter(|line| !line.contains("has a relationship to"));
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn a_snapshot_of_go_is_the_reviewed_one() {
    compare("go", GO);
}

#[test]
fn a_snapshot_of_python_is_the_reviewed_one() {
    compare("python", PYTHON);
}
