//! Changes of a small workspace, compared with a fresh database on the same texts.

mod by_name;
mod cache;
mod carried;
mod disk;
mod documents;
mod libraries;
mod on_demand;

use std::collections::BTreeMap;
use std::path::Path;

use codeweft_db::{Db as _, File, Unit, UnitGraph, lower_text};
use codeweft_graph::answer::{GraphRequest, Operation};

use super::{LoadOptions, ProjectDatabase};

const A: &str =
    "package a\n\nfunc X(n int) int { return y(n) }\n\nfunc y(n int) int { return n }\n";
const B: &str = "package b\n\nimport \"m/a\"\n\nfunc Call() { a.X(1) }\n\nfunc Other() {}\n";

/// A workspace of two packages on disk.
struct Sources {
    folder: tempfile::TempDir,
}

impl Sources {
    fn new() -> Sources {
        let sources = Sources {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        sources.write("go.mod", "module m\n\ngo 1.24\n");
        sources.write("a/a.go", A);
        sources.write("b/b.go", B);
        sources
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    fn remove(&self, path: &str) {
        std::fs::remove_file(self.folder.path().join(path)).expect("removed");
    }

    fn host(&self) -> ProjectDatabase {
        ProjectDatabase::load(LoadOptions {
            variables: Some(BTreeMap::from([
                ("GOOS".to_owned(), "linux".to_owned()),
                ("GOARCH".to_owned(), "amd64".to_owned()),
            ])),
            recording: true,
            threads: 2,
            ..LoadOptions::new(self.folder.path())
        })
        .expect("a workspace")
    }
}

/// Returns the bytes of an answer without its metadata.
fn ask(host: &ProjectDatabase, operation: Operation, target: &str) -> String {
    match host.ask(&GraphRequest::new(operation, target)) {
        Ok(mut response) => {
            response.metadata = Default::default();
            for result in &mut response.results {
                result.node.unsaved = false;
            }
            serde_json::to_string(&response).expect("an answer as JSON")
        }
        Err(error) => error.message,
    }
}

fn callers(host: &ProjectDatabase, target: &str) -> String {
    match host.ask(&GraphRequest::new(Operation::Callers, target)) {
        Ok(response) => {
            let ids: Vec<_> = response
                .results
                .iter()
                .map(|result| result.node.id.as_str())
                .collect();
            ids.join(" ")
        }
        Err(error) => error.message,
    }
}

/// Checks that the header and items of every file are those of its text, and that every answer is that of a fresh
/// database.
fn check(sources: &Sources, host: &ProjectDatabase) {
    let db = host.db();
    for (_, entry) in host.sources.table.present() {
        let text = entry.file.text(db);
        let ir = lower_text(text, entry.lang, &db.shared().names, &|| false);
        let ir = ir.expect("nobody stops it");
        assert!(
            **entry.file.items(db) == *ir.items,
            "{}",
            entry.file.path(db)
        );
        assert!(
            **entry.file.header(db) == *ir.header,
            "{}",
            entry.file.path(db)
        );
    }
    let mut fresh = sources.host();
    // A library's file that is opened would be the workspace's.
    for (path, entry) in host.sources.table.present_in_workspace() {
        fresh.open(Path::new(&**path), entry.file.text(db));
    }
    for operation in Operation::ALL {
        for target in ["a.X", "a.y", "b.Call", "b.Other", "a", "b", "a.*"] {
            assert_eq!(
                ask(host, operation, target),
                ask(&fresh, operation, target),
                "{operation:?} {target}"
            );
        }
    }
}

fn executed(host: &ProjectDatabase) -> Vec<String> {
    let happened = host.recording().expect("recorded").take(host.db());
    happened
        .executed
        .into_iter()
        .map(|(query, key)| format!("{query} {key}"))
        .collect()
}

fn file(host: &ProjectDatabase, path: &str) -> File {
    let path = format!("{}/{path}", host.root());
    host.sources.table.get(path.as_str()).expect("known").file
}

fn units(host: &ProjectDatabase) -> Vec<Unit> {
    let universe = UnitGraph::try_get(host.db()).expect("loaded");
    universe.units(host.db()).to_vec()
}

#[test]
fn an_edited_text_is_answered_and_reported_as_unsaved() {
    let sources = Sources::new();
    let mut host = sources.host();
    assert_eq!(callers(&host, "a.X"), "b.Call");
    host.open(Path::new("b/b.go"), B);
    assert_eq!(**host.unsaved(), [""; 0]);
    let typed = B.replace("func Other() {", "func Other() { a.X(2)");
    host.change(Path::new("b/b.go"), &typed);
    assert_eq!(callers(&host, "a.X"), "b.Call b.Other");
    assert_eq!(**host.unsaved(), ["b/b.go"]);
    let response = host
        .ask(&GraphRequest::new(Operation::Callers, "a.X"))
        .expect("an answer");
    assert_eq!(response.metadata.unsaved, ["b/b.go"]);
    assert!(response.results.iter().all(|result| result.node.unsaved));
    check(&sources, &host);
    host.close(Path::new("b/b.go"));
    assert_eq!(callers(&host, "a.X"), "b.Call");
    assert_eq!(**host.unsaved(), [""; 0]);
    check(&sources, &host);
}

#[test]
fn an_equal_text_is_no_change() {
    let sources = Sources::new();
    let mut host = sources.host();
    host.open(Path::new("a/a.go"), A);
    let before = host.revision();
    callers(&host, "a.X");
    executed(&host);
    assert_eq!(host.change(Path::new("a/a.go"), A), before);
    assert_eq!(
        host.change(Path::new("a/a.go"), &format!("\u{feff}{A}")),
        before
    );
    assert_eq!(host.disk_changed(&["a/a.go", "b/b.go", "go.mod"]), before);
    callers(&host, "a.X");
    assert_eq!(executed(&host), Vec::<String>::new());
}

#[test]
fn opening_a_file_runs_only_its_own_queries() {
    let sources = Sources::new();
    let mut host = sources.host();
    callers(&host, "a.X");
    executed(&host);
    host.open(Path::new("a/a.go"), A);
    callers(&host, "a.X");
    // No body is resolved again: `part_uses` would print no path.
    for query in executed(&host) {
        let own = query.ends_with("a/a.go") || query.ends_with(" a:Base");
        assert!(own && !query.starts_with("unit_decls"), "{query}");
    }
}

#[test]
fn a_blank_line_resolves_nothing() {
    let sources = Sources::new();
    let mut host = sources.host();
    host.open(Path::new("b/b.go"), B);
    callers(&host, "a.X");
    executed(&host);
    host.change(
        Path::new("b/b.go"),
        &B.replace("func Call", "\n\nfunc Call"),
    );
    callers(&host, "a.X");
    for query in executed(&host) {
        assert!(query.ends_with(" b/b.go"), "{query}");
        assert!(!query.starts_with("file_uses"), "{query}");
    }
    check(&sources, &host);
}

#[test]
fn imports_signatures_and_clauses_may_change() {
    let sources = Sources::new();
    let mut host = sources.host();
    callers(&host, "a.X");
    for text in [
        "package b\n\nfunc Call() {}\n",
        "package b\n\nimport x \"m/a\"\n\nfunc Call() { x.X(1) }\n",
        "package c\n\nimport \"m/a\"\n\nfunc Call() { a.X(1) }\n",
        "//go:build never\n\npackage b\n\nimport \"m/a\"\n\nfunc Call() { a.X(1) }\n",
        "package",
        "",
        B,
    ] {
        host.change(Path::new("b/b.go"), text);
        check(&sources, &host);
    }
    host.change(
        Path::new("a/a.go"),
        &A.replace("func X(n int)", "func X(m string)"),
    );
    check(&sources, &host);
    host.change(
        Path::new("a/a.go"),
        &A.replace("func X", "type T struct{}\n\nfunc (T) X"),
    );
    check(&sources, &host);
}

#[test]
fn files_come_go_and_return_as_the_same_inputs() {
    let sources = Sources::new();
    let mut host = sources.host();
    let known = file(&host, "b/b.go");
    let before = units(&host);
    sources.remove("b/b.go");
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "");
    check(&sources, &host);
    sources.write("b/b.go", B);
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "b.Call");
    assert_eq!(file(&host, "b/b.go"), known);
    assert_eq!(units(&host), before);
    check(&sources, &host);
    sources.write("c/c.go", "package c\n\nimport \"m/a\"\n\nvar C = a.X(3)\n");
    host.disk_changed(&["c/c.go"]);
    assert_eq!(callers(&host, "a.X"), "b.Call c");
    check(&sources, &host);
}

#[test]
fn a_new_file_of_an_editor_is_answered_before_it_is_saved() {
    let sources = Sources::new();
    let mut host = sources.host();
    let text = "package b\n\nimport \"m/a\"\n\nfunc New() { a.X(4) }\n";
    host.open(Path::new("b/new.go"), text);
    assert_eq!(callers(&host, "a.X"), "b.Call b.New");
    assert_eq!(**host.unsaved(), ["b/new.go"]);
    host.close(Path::new("b/new.go"));
    assert_eq!(callers(&host, "a.X"), "b.Call");
    // Outside the root, or no source file: nothing happens.
    let before = host.revision();
    host.open(Path::new("/elsewhere/x.go"), text);
    host.open(Path::new("notes.txt"), text);
    assert_eq!(host.revision(), before);
}

#[test]
fn an_unchanged_document_yields_to_the_disk_and_a_changed_one_does_not() {
    let sources = Sources::new();
    let mut host = sources.host();
    let typed = B.replace("func Other() {", "func Other() { a.X(2)");
    let saved = B.replace("func Call", "func Named");
    host.open(Path::new("b/b.go"), B);
    sources.write("b/b.go", &saved);
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "b.Named");
    host.change(Path::new("b/b.go"), &typed);
    assert_eq!(callers(&host, "a.X"), "b.Call b.Other");
    sources.write("b/b.go", B);
    host.disk_changed(&["b/b.go"]);
    assert_eq!(callers(&host, "a.X"), "b.Call b.Other");
    host.close(Path::new("b/b.go"));
    assert_eq!(callers(&host, "a.X"), "b.Call");
    check(&sources, &host);
}

#[test]
fn a_checkout_leaves_texts_as_durable_as_they_were() {
    let sources = Sources::new();
    let mut host = sources.host();
    let names: Vec<String> = (0..9).map(|n| format!("d/d{n}.go")).collect();
    for (n, name) in names.iter().enumerate() {
        sources.write(name, &format!("package d\n\nfunc F{n}() {{}}\n"));
    }
    host.disk_changed(&names);
    let touched = |host: &ProjectDatabase| {
        host.sources
            .table
            .iter()
            .filter(|(_, entry)| entry.touched)
            .count()
    };
    assert_eq!(touched(&host), 0);
    for (n, name) in names.iter().enumerate() {
        sources.write(name, &format!("package d\n\nfunc F{n}() {{ F0() }}\n"));
    }
    host.disk_changed(&names);
    assert_eq!(touched(&host), 0);
    check(&sources, &host);
    sources.write(&names[0], "package d\n\nfunc F0() {}\n");
    host.disk_changed(&names[..1]);
    assert_eq!(touched(&host), 1);
    check(&sources, &host);
}

#[test]
fn a_recheck_sees_what_changed_on_disk() {
    let sources = Sources::new();
    let mut host = sources.host();
    host.recheck();
    let before = host.revision();
    assert_eq!(host.recheck(), before);
    sources.write("b/b.go", "package b\n");
    sources.write("c/c.go", "package c\n\nimport \"m/a\"\n\nvar C = a.X(3)\n");
    assert!(host.recheck() > before);
    assert_eq!(callers(&host, "a.X"), "c");
    // The module has another name: its imports are not found any more.
    sources.write("go.mod", "module other\n\ngo 1.24\n");
    host.recheck();
    assert_eq!(callers(&host, "a.X"), "");
    check(&sources, &host);
}

#[test]
fn a_file_that_is_no_text_is_unread_and_reported() {
    let sources = Sources::new();
    std::fs::write(sources.folder.path().join("b/bytes.go"), b"package b\0").expect("written");
    let mut host = sources.host();
    assert_eq!(host.unread().len(), 1);
    let response = host
        .ask(&GraphRequest::new(Operation::Callers, "b.Other"))
        .expect("an answer");
    assert!(!response.completeness.complete);
    assert_eq!(response.warnings[0].file, "b/bytes.go");
    assert_eq!(
        codeweft_graph::answer::verdict(&response),
        "no caller found; not complete: b/bytes.go could not be read under linux/amd64 cgo=0 tags="
    );
    sources.write("b/bytes.go", "package b\n\nfunc Third() { Other() }\n");
    host.recheck();
    assert!(host.unread().is_empty());
    assert_eq!(callers(&host, "b.Other"), "b.Third");
    check(&sources, &host);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_workspace_is_reported_and_hides_nothing() {
    let sources = Sources::new();
    let outside = tempfile::tempdir().expect("a temporary folder");
    std::os::unix::fs::symlink(outside.path(), sources.folder.path().join("out")).expect("made");
    let host = sources.host();
    assert_eq!(host.unread().len(), 1);
    let response = host
        .ask(&GraphRequest::new(Operation::Callers, "b.Other"))
        .expect("an answer");
    assert!(response.completeness.complete);
}
