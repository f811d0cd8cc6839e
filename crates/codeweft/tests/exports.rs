//! `codeweft export` in the formats for other repositories, and the workflow for CI.

mod fixture;

use std::path::{Path, PathBuf};
use std::process::Command;

use fixture::{codeweft, fixture, run};

/// The workflow that the user guide offers.
fn workflow() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ci/codeweft.yml")
}

/// Exports the small module with these arguments; returns whether it went well, and what was said.
fn exported(arguments: &[&str]) -> (bool, String) {
    let done = codeweft()
        .arg("export")
        .args(arguments)
        .arg("--root")
        .arg(fixture("go-small"))
        .output()
        .expect("the binary starts");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    (done.status.success(), said)
}

#[test]
fn the_version_of_the_own_packages_can_be_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("index.scip");
    let path = file.to_str().expect("UTF-8");
    let (done, said) = exported(&[
        "--format",
        "scip",
        "-o",
        path,
        "--package-version",
        "v4.5.6",
    ]);
    assert!(done, "{said}");
    let bytes = std::fs::read(&file).expect("the index");
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("scip-go gomod "), "{said}");
    assert!(text.contains(" v4.5.6 "), "{said}");
}

#[cfg(feature = "parquet")]
#[test]
fn tables_are_a_folder_and_not_standard_output() {
    let (done, said) = exported(&["--format", "parquet", "-o", "-"]);
    assert!(!done);
    assert!(said.contains("parquet is a folder of files"), "{said}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = folder.path().join("tables");
    let path = tables.to_str().expect("UTF-8");
    for _ in 0..2 {
        let (done, said) = exported(&["--format", "parquet", "-o", path]);
        assert!(done, "{said}");
    }
    let read = std::fs::read_dir(&tables).expect("a folder");
    let mut names: Vec<String> = read
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "aliases.parquet",
            "edges.parquet",
            "files.parquet",
            "nodes.parquet",
            "references.parquet"
        ]
    );
    std::fs::write(tables.join("mine.txt"), "mine").expect("written");
    let (done, said) = exported(&["--format", "parquet", "-o", path]);
    assert!(!done);
    assert!(said.contains("mine.txt"), "{said}");
}

#[test]
fn every_export_of_the_workflow_works() {
    let text = std::fs::read_to_string(workflow()).expect("the workflow");
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("exports")).expect("a folder");
    let root = fixture("go-small");
    let commands = text.lines().map(str::trim);
    let commands: Vec<&str> = commands
        .filter(|line| line.starts_with("codeweft export "))
        .collect();
    assert_eq!(commands.len(), 3);
    for command in commands {
        if command.contains("parquet") && !cfg!(feature = "parquet") {
            continue;
        }
        let mut words: Vec<&str> = command.split(' ').skip(1).collect();
        words.extend(["--root", root.to_str().expect("UTF-8")]);
        let done = codeweft()
            .current_dir(folder.path())
            .args(&words)
            .output()
            .expect("the binary starts");
        assert!(done.status.success(), "{command}: {done:?}");
        let output = command.rsplit(' ').next().expect("a path");
        assert!(folder.path().join(output).exists(), "{output}");
    }
}

#[test]
fn the_workflow_has_no_mistake_that_actionlint_finds() {
    let Ok(done) = Command::new("actionlint").arg(workflow()).output() else {
        eprintln!("skipped: there is no actionlint on PATH");
        return;
    };
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}");
}

#[test]
fn help_has_every_format() {
    let (code, out, _) = run(&["export", "--help"]);
    assert_eq!(code, 0);
    for format in ["json:", "sqlite:", "scip:"] {
        assert!(out.contains(format), "{out}");
    }
    assert_eq!(out.contains("parquet:"), cfg!(feature = "parquet"));
}
