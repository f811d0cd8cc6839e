//! A database that lowers libraries on demand answers as one that has read everything.

use std::collections::BTreeMap;

use codeweft_db::{Origin, UnitGraph, lower_text};
use codeweft_graph::answer::Operation;

use super::{LoadOptions, ProjectDatabase, Sources, ask};

/// The library: interfaces, callbacks, generic code, files of other systems, a linkname, an error in a
/// body, and a name that no text of the workspace has.
const LIBRARY: &[(&str, &str)] = &[
    ("goroot/VERSION", "go1.26.0\n"),
    (
        "goroot/src/io/io.go",
        "// Package io.\npackage io\n\nimport \"errs\"\n\ntype Closer interface {\n\tClose() error\n}\n\nfunc All(list []Closer) error {\n\tfor _, one := range list {\n\t\tif err := one.Close(); err != nil {\n\t\t\treturn errs.New(err.Error())\n\t\t}\n\t}\n\treturn nil\n}\n\nfunc check(x any) {\n\tif c, ok := x.(interface{ Check() bool }); ok {\n\t\tc.Check()\n\t}\n}\n\nfunc Print(x any) { check(x) }\n",
    ),
    (
        "goroot/src/io/io_windows.go",
        "package io\n\nfunc Hidden() { helper() }\n",
    ),
    (
        "goroot/src/errs/errs.go",
        "package errs\n\nimport _ \"unsafe\"\n\ntype text struct{ s string }\n\nfunc New(s string) error { return &text{s} }\n\nfunc (t *text) Error() string { return t.s }\n\n//go:linkname linked m/a.linked\nfunc linked()\n\nfunc Kind() int { return 0 }\n",
    ),
    (
        "goroot/src/call/call.go",
        "package call\n\nfunc Each[T any](list []T, f func(T)) {\n\tfor _, x := range list {\n\t\tf(x)\n\t}\n}\n\nfunc Run(f func()) { f() }\n\ntype Box[T any] struct{ Value T }\n\nfunc (b Box[T]) Get() T { return b.Value }\n\nfunc broken() { x := [ }\n",
    ),
    (
        "goroot/src/unsafe/unsafe.go",
        "package unsafe\n\ntype Pointer *int\n",
    ),
];

const WORKSPACE: &[(&str, &str)] = &[
    (
        "w/go.mod",
        "module m\n\ngo 1.24\n\nrequire example.com/back v1.0.0\n\nreplace example.com/back => ../back\n",
    ),
    ("back/go.mod", "module example.com/back\n\ngo 1.24\n"),
    (
        "back/back.go",
        "// Package back is a library that imports the workspace.\npackage back\n\nimport \"m/a\"\n\nvar taken = a.Taken\n\nfunc Go() { taken(); a.Direct() }\n",
    ),
    (
        "w/a/a.go",
        "package a\n\nimport (\n\t\"call\"\n\t\"io\"\n)\n\ntype File struct{ name string }\n\nfunc (f *File) Close() error { return nil }\n\nfunc (f *File) Check() bool { return f.spill() }\n\nfunc (f *File) spill() bool { return f.Named() == \"\" }\n\nfunc (f *File) Named() string { return f.name }\n\nfunc Open() *File { helper(); return &File{} }\n\nfunc helper() {}\n\nfunc carried() {}\n\nfunc linked() {}\n\nfunc Taken() {}\n\nfunc Direct() {}\n\nfunc Use() {\n\tf := Open()\n\tio.All([]io.Closer{f})\n\tio.Print(f)\n\tcall.Run(carried)\n\tcall.Each([]*File{f}, func(f *File) { f.spill() })\n\tcall.Box[*Kept]{}.Get().Stay()\n}\n\ntype Kept struct{}\n\nfunc (k *Kept) Stay() {}\n",
    ),
    (
        "w/b/b.go",
        "package b\n\nimport (\n\t\"example.com/back\"\n\t\"m/a\"\n)\n\nfunc Call() { a.Open().Named(); a.Use(); back.Go() }\n",
    ),
];

/// The targets: declarations of everything above, patterns, and names that are none.
pub(super) const TARGETS: [&str; 42] = [
    "a.Open",
    "helper",
    "carried",
    "linked",
    "Taken",
    "Direct",
    "Use",
    "b.Call",
    "File.Close",
    "File.Check",
    "File.spill",
    "File.Named",
    "File",
    "Kept.Stay",
    "a",
    "b",
    "m/a",
    "a/a.go:17",
    "io.All",
    "All",
    "Closer",
    "Closer.Close",
    "io.check",
    "errs.New",
    "errs.Kind",
    "text.Error",
    "call.Each",
    "Box.Get",
    "Run",
    "io",
    "call",
    "broken",
    "Hidden",
    "io.Hidden@io_windows",
    "helpr",
    "open",
    "*.Close",
    "%e%",
    "error",
    "error.Error",
    "Nowhere",
    "f.Named",
];

pub(super) fn sources() -> Sources {
    let sources = Sources {
        folder: tempfile::tempdir().expect("a temporary folder"),
    };
    for (path, text) in LIBRARY.iter().chain(WORKSPACE) {
        sources.write(path, text);
    }
    sources
}

/// Returns the environment in which the library is found.
pub(super) fn variables(sources: &Sources) -> BTreeMap<String, String> {
    let goroot = sources.folder.path().join("goroot");
    let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    BTreeMap::from([
        of("GOOS", "linux"),
        of("GOARCH", "amd64"),
        of("GOROOT", &goroot.to_string_lossy()),
    ])
}

/// Loads the folder `w` of the sources.
pub(super) fn load(sources: &Sources, on_demand: bool) -> ProjectDatabase {
    ProjectDatabase::load(LoadOptions {
        variables: Some(variables(sources)),
        recording: true,
        threads: 2,
        on_demand,
        ..LoadOptions::new(sources.folder.path().join("w"))
    })
    .expect("a workspace")
}

/// Returns the paths of the library's files whose text was lowered whole since the load.
fn lowered(host: &ProjectDatabase) -> Vec<String> {
    let events = host.recording().expect("it records").take(host.db());
    let paths = events.executed.into_iter();
    let paths = paths.filter(|(query, _)| query == "lower");
    let paths = paths.filter_map(|(_, path)| Some(path.split_once("/goroot/src/")?.1.to_owned()));
    paths.collect()
}

#[test]
fn every_answer_is_that_of_a_database_that_has_read_everything() {
    let sources = sources();
    let whole = load(&sources, false);
    let equal = |one: &ProjectDatabase, operation: Operation, target: &str| {
        assert_eq!(
            ask(one, operation, target),
            ask(&whole, operation, target),
            "{} {target}",
            operation.wire_name()
        );
    };
    // The first question of a database finds nothing lowered.
    for operation in [Operation::Callers, Operation::Callees] {
        for target in TARGETS {
            equal(&load(&sources, true), operation, target);
        }
    }
    for operation in Operation::ALL {
        let one = load(&sources, true);
        for target in TARGETS {
            equal(&one, operation, target);
        }
    }
}

#[test]
fn a_function_that_is_only_named_is_answered_without_the_bodies_of_a_library() {
    let sources = sources();
    for (target, reads) in [
        ("a.Open", false),
        ("a.helper", false),
        ("a.File.spill", false),
        ("a.Taken", true),
        // An interface has a method of the name, a value carries it, a value of its type may escape.
        ("a.File.Close", true),
        ("a.File.Check", true),
        ("a.carried", true),
        ("a.File.Named", true),
        ("a.Kept.Stay", true),
    ] {
        let host = load(&sources, true);
        assert!(!lowered(&host).iter().any(|path| path.starts_with("io/")));
        ask(&host, Operation::Callers, target);
        let lowered = lowered(&host);
        assert_eq!(!lowered.is_empty(), reads, "{target}: {lowered:?}");
    }
}

#[test]
fn packages_of_the_workspace_whose_texts_lack_the_name_are_neither_lowered_nor_resolved() {
    let sources = sources();
    for (target, reads_b) in [
        ("a.helper", false),
        // Exported, so that `b` could name it.
        ("a.Direct", false),
        ("a.File.spill", false),
        ("a.Open", true),
        // The flow of values is needed: a value carries it.
        ("a.carried", true),
    ] {
        let host = load(&sources, true);
        let answer = ask(&host, Operation::Callers, target);
        assert!(answer.contains("\"complete\":"), "{target}: {answer}");
        let events = host.recording().expect("it records").take(host.db());
        let of_b = |query: &str| {
            let mut executed = events.executed.iter();
            executed.any(|(name, key)| name == query && key == "b/b.go")
        };
        assert_eq!(of_b("lower"), reads_b, "{target}");
        assert_eq!(of_b("file_uses"), reads_b, "{target}");
    }
}

#[test]
fn a_library_that_imports_the_workspace_may_carry_a_function_of_it() {
    let sources = sources();
    for (target, caller) in [("a.Taken", "back.Go"), ("a.Direct", "back.Go")] {
        let answer = ask(&load(&sources, true), Operation::Callers, target);
        assert!(answer.contains(caller), "{target}: {answer}");
    }
    let host = load(&sources, true);
    ask(&host, Operation::Callers, "a.Direct");
    let lowered = lowered(&host);
    assert!(lowered.is_empty(), "{lowered:?}");
}

#[test]
fn excluded_files_of_a_library_whose_texts_lack_the_name_are_not_lowered() {
    let sources = sources();
    // Package io imports errs, and its text has `New` and no `Kind`.
    for (target, reads) in [("errs.Kind", false), ("errs.New", true)] {
        let host = load(&sources, true);
        ask(&host, Operation::References, target);
        let lowered = lowered(&host);
        let reads_excluded = lowered.iter().any(|path| path == "io/io_windows.go");
        assert_eq!(reads_excluded, reads, "{target}: {lowered:?}");
    }
}

#[test]
fn libraries_are_lowered_before_a_method_that_an_interface_has_is_looked_up() {
    let sources = sources();
    // Nothing has the name, so that all that is lowered was lowered before it was looked up.
    for (operation, target, reads) in [
        (Operation::Callers, "none.File.Close", true),
        (Operation::Callers, "none.File.spill", false),
        (Operation::Callers, "none.Close", false),
        (Operation::Definition, "none.File.Close", false),
    ] {
        let host = load(&sources, true);
        ask(&host, operation, target);
        let lowered = lowered(&host);
        let reads_io = lowered.iter().any(|path| path == "io/io.go");
        assert_eq!(reads_io, reads, "{operation:?} {target}: {lowered:?}");
    }
}

#[test]
fn declarations_lowered_on_demand_are_those_of_the_whole_text() {
    let sources = sources();
    let host = load(&sources, true);
    let db = host.db();
    let mut seen = 0;
    for &unit in UnitGraph::get(db).units(db).iter() {
        for &file in unit.files(db).iter() {
            if file.origin(db) == Origin::Library {
                let names = &db.tables().names;
                let ir = lower_text(file.text(db), file.lang(db), names, &|| false);
                let ir = ir.expect("nothing stops it");
                assert!(**file.header(db) == *ir.header, "{}", file.path(db));
                assert!(**file.items(db) == *ir.items, "{}", file.path(db));
                seen += 1;
            }
        }
    }
    assert!(seen >= 4, "{seen} files");
}

/// Returns the path of `a.Open`, and the text with another declaration of it.
fn another_declaration(sources: &Sources) -> (std::path::PathBuf, String) {
    let path = sources.folder.path().join("w/a/a.go");
    let text = std::fs::read_to_string(&path).expect("a text");
    let text = text.replace("func Open() *File {", "func Open(more ...int) *File {");
    (path, text)
}

/// Returns a database that has resolved everything and then got another declaration of `a.Open`, with the
/// events since.
fn edited(sources: &Sources) -> ProjectDatabase {
    let mut host = load(sources, false);
    host.index_all(2, &|_| {});
    let (path, text) = another_declaration(sources);
    host.recording().expect("it records").take(host.db());
    host.open(&path, &text);
    host
}

#[test]
fn after_an_edit_only_bodies_that_name_a_function_are_resolved_if_no_value_carries_it() {
    let sources = sources();
    for (target, resolves_b) in [
        ("a.helper", false),
        // `b` names it, or a value carries it.
        ("a.Open", true),
        ("a.carried", true),
    ] {
        let host = edited(&sources);
        ask(&host, Operation::Callers, target);
        let events = host.recording().expect("it records").take(host.db());
        let mut executed = events.executed.iter();
        let resolved = executed.any(|(name, key)| name == "file_uses" && key == "b/b.go");
        assert_eq!(resolved, resolves_b, "{target}");
    }
}

#[test]
fn after_an_edit_a_first_question_is_answered_as_one_for_which_the_flow_of_values_is_known() {
    let sources = sources();
    let known = edited(&sources);
    ask(&known, Operation::Callers, "a.carried");
    let mut host = edited(&sources);
    let (path, text) = another_declaration(&sources);
    for operation in [Operation::Callers, Operation::Callees, Operation::Impact] {
        for target in TARGETS {
            host.change(&path, &format!("{text}\nfunc more() {{}}\n"));
            host.change(&path, &text);
            assert_eq!(
                ask(&host, operation, target),
                ask(&known, operation, target),
                "{} {target}",
                operation.wire_name()
            );
        }
    }
}
