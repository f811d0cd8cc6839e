//! `codeweft query --db`: answers from a file of the SQLite export, where there is no workspace.

mod fixture;

use std::path::PathBuf;

use expect_test::expect;
use fixture::{codeweft, fixture, run};

/// Exports the small module; returns the path of the file with its folder.
fn small() -> (String, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file: PathBuf = folder.path().join("graph.db");
    let done = codeweft()
        .args(["export", "--format", "sqlite", "--output"])
        .arg(&file)
        .arg("--root")
        .arg(fixture("go-small"))
        .output()
        .expect("the binary starts");
    assert!(done.status.success());
    (file.to_str().expect("UTF-8").to_owned(), folder)
}

#[test]
fn a_file_answers_as_the_workspace_it_was_made_of() {
    let (file, _folder) = small();
    let root = fixture("go-small");
    let root = root.to_str().expect("UTF-8");
    for question in [
        &["callers", "Greet"][..],
        &["implementations", "Greeter"],
        &["references", "greet.Greeter", "--scope", "greet/"],
        &["impact", "greet.Greeter.Greet"],
        &["definition", "greet/greet.go:7"],
        &["callers", "Gret"],
    ] {
        let of_file = run(&[&["query", "--db", &file], question].concat());
        let live = run(&[&["query", "--disk", "--quiet", "--root", root], question].concat());
        assert_eq!(of_file, live, "{question:?}");
    }
}

#[test]
fn a_wrong_choice_of_engine_and_a_file_that_is_none_are_wrong_use() {
    let (file, folder) = small();
    let none = folder.path().join("none.db");
    let none = none.to_str().expect("UTF-8");
    let mut said = String::new();
    for arguments in [
        &["query", "callers", "Greet", "--engine", "sql"][..],
        &[
            "query", "callers", "Greet", "--engine", "live", "--db", &file,
        ],
        &["query", "callers", "Greet", "--db", &file, "--disk"],
        &[
            "query", "callers", "Greet", "--db", &file, "--format", "svg",
        ],
        &["query", "callers", "Greet", "--db", &file, "--depth", "7"],
        &["query", "callers", "Greet", "--db", none],
    ] {
        let (code, _, err) = run(arguments);
        let first = err.lines().next().unwrap_or_default();
        said.push_str(&format!("{code} {}\n", first.replace(none, "none.db")));
    }
    expect![[""]].assert_eq(&said);
}
