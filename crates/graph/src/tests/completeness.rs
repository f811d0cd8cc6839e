//! Completeness of answers: which unresolved sites are counted.

use expect_test::expect;

use super::{answer, execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

#[test]
fn an_empty_answer_without_unresolved_sites_is_complete() {
    let db = toy::load("//- a/a.go\nfn f\n");
    let found = execute(&db, &GraphRequest::new(Operation::Callers, "a.f")).unwrap();
    assert!(found.completeness.complete);
    expect![[r#"
        no caller found under toy/1
    "#]]
    .assert_eq(&lines(&Ok(found)));
}

#[test]
fn unresolved_calls_by_name_are_counted_including_those_of_implemented_methods() {
    let db = toy::load(
        "
//- a/a.go
interface I
abstract I.Run 1
struct T
method T.Run 1
//- b/b.go
use a
fn f : ?Run/1 ?Run/2 ?Run ?Stop/1
//- c/c.go
fn unrelated : ?Run/1
",
    );
    expect![[r#"
        no caller found; 2 sites could call it under toy/1
          b/b.go:2:8 unknown_receiver
          b/b.go:2:22 unknown_receiver
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "T.Run"));
    let unresolved = GraphRequest {
        include_unresolved: true,
        ..GraphRequest::new(Operation::Callers, "T.Run")
    };
    expect![[r#"
        1 b.f  b/b.go:2:8 name unknown_receiver, b/b.go:2:22 name unknown_receiver
        1 caller found; 2 sites could call it under toy/1
          b/b.go:2:8 unknown_receiver
          b/b.go:2:22 unknown_receiver
    "#]]
    .assert_eq(&lines(&execute(&db, &unresolved)));
}

#[test]
fn sites_matched_by_name_are_listed_only_on_request() {
    let db = toy::load("//- a/a.go\nfn f 0\nfn g : %f\nfn h : ?f/0 ?f/1\n");
    expect![[r#"
        no caller found; 2 sites could call it under toy/1
          a/a.go:2:8 unknown_receiver
          a/a.go:3:8 unknown_receiver
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "a.f"));
    let unresolved = |operation, target: &str| {
        let request = GraphRequest {
            include_unresolved: true,
            ..GraphRequest::new(operation, target)
        };
        lines(&execute(&db, &request))
    };
    expect![[r#"
        1 a.g  a/a.go:2:8 name
        1 a.h  a/a.go:3:8 name unknown_receiver
        2 callers found; 2 sites could call it under toy/1
          a/a.go:2:8 unknown_receiver
          a/a.go:3:8 unknown_receiver
    "#]]
    .assert_eq(&unresolved(Operation::Callers, "a.f"));
    expect![[r#"
        1 a.f  a/a.go:2:8 name
        1 callee found; 1 site in it could call more under toy/1
          a/a.go:2:8 unknown_receiver
    "#]]
    .assert_eq(&unresolved(Operation::Callees, "a.g"));
    expect![[r#"
        1 a.f  a/a.go:3:8 name unknown_receiver
        1 callee found; 2 sites in it could call more under toy/1
          a/a.go:3:8 unknown_receiver
          a/a.go:3:13 unknown_receiver
    "#]]
    .assert_eq(&unresolved(Operation::Callees, "a.h"));
}

#[test]
fn a_function_used_as_a_value_could_be_called_wherever_its_signature_is_called() {
    let text = "
//- a/a.go
fn F 7
fn G 7
fn keep : &F
//- far/far.go
fn run : @7 @8
";
    let db = toy::load(text);
    expect![[r#"
        no caller found; 1 site could call it under toy/1
          far/far.go:1:10 function_value
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "a.F"));
    expect![[r#"
        no caller found under toy/1
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "a.G"));
}

#[test]
fn incomplete_files_that_mention_the_name_are_counted() {
    let db = toy::load(
        "
//- a/a.go
fn Find
//- a/a_windows.go
excluded
fn g : xFind Find
//- a/a_plan9.go
excluded
fn g : other
//- b/b.go
use a
broken
fn h : Find
//- b/c.go
broken
",
    );
    expect![[r#"
        no caller found; 2 sites could call it under toy/1
          a/a_windows.go:2:14 excluded_file
          b/b.go:2:1 parse_error
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "Find"));
    let found = execute(&db, &GraphRequest::new(Operation::Callers, "Find")).unwrap();
    expect![[r#"
        [
          {
            "file": "a/a_windows.go",
            "kind": "excluded",
            "message": "left out under toy/1, and mentions the name"
          },
          {
            "file": "b/b.go",
            "line": 2,
            "kind": "parse_error",
            "message": "this line could not be read"
          }
        ]"#]]
    .assert_eq(&serde_json::to_string_pretty(&found.warnings).unwrap());
}

#[test]
fn callers_outside_the_analysed_sources_are_counted() {
    let db = toy::load("//- a/a.go\nfn linkedIn\n");
    expect![[r#"
        no caller found; 1 site could call it under toy/1
          a/a.go:1:4 linkname
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "linkedIn"));
}

#[test]
fn callees_count_the_unresolved_calls_of_the_body() {
    let db = toy::load("//- a/a.go\nfn f : ?Run/1 @3 g\nfn g : ?Run/1\n");
    expect![[r#"
        1 a.g  a/a.go:1:18 exact
        1 callee found; 2 sites in it could call more under toy/1
          a/a.go:1:8 unknown_receiver
          a/a.go:1:15 function_value
    "#]]
    .assert_eq(&answer(&db, Operation::Callees, "a.f"));
}

#[test]
fn implementations_count_files_that_could_declare_the_methods() {
    let db = toy::load(
        "
//- a/a.go
interface I
abstract I.Run 1
abstract I.Stop 1
//- b/b_windows.go
excluded
method T.Run 1
method T.Stop 1
//- c/c_windows.go
excluded
method T.Run 1
",
    );
    expect![[r#"
        no implementation found; 1 site could declare more under toy/1
          b/b_windows.go:2:10 excluded_file
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "a.I"));
}

#[test]
fn an_excluded_file_without_types_and_methods_declares_no_implementation() {
    let db = toy::load(
        "
//- a/a.go
interface I
abstract I.Run 1
//- b/b_windows.go
excluded
fn Run
//- c/c_windows.go
excluded
struct T
fn f : Run
",
    );
    expect![[r#"
        no implementation found; 1 site could declare more under toy/1
          c/c_windows.go:3:8 excluded_file
    "#]]
    .assert_eq(&answer(&db, Operation::Implementations, "a.I"));
}

#[test]
fn ten_warnings_are_listed_and_all_are_counted() {
    let mut text = String::from("//- a/a.go\nfn F\n");
    for number in 0..12 {
        text.push_str(&format!("//- a/x{number:02}.go\nexcluded\nF\n"));
    }
    let answer = execute(
        &toy::load(&text),
        &GraphRequest::new(Operation::Callers, "a.F"),
    );
    let answer = answer.unwrap();
    assert_eq!(answer.warnings.len(), 10);
    assert_eq!(answer.warnings_total, Some(12));
    assert_eq!(answer.completeness.unresolved_sites, 12);
    assert_eq!(answer.completeness.first.len(), 5);
}

#[test]
fn an_unresolved_call_in_any_expanded_node_makes_deep_callees_incomplete() {
    let db = toy::load("//- a/a.go\nfn f : g\nfn g : h\nfn h : ?X/1\n");
    let deep = |depth| {
        let request = GraphRequest {
            depth,
            ..GraphRequest::new(Operation::Callees, "a.f")
        };
        execute(&db, &request)
            .unwrap()
            .completeness
            .unresolved_sites
    };
    // `h` is listed at depth 2, so it is not expanded.
    assert_eq!([deep(1), deep(2), deep(3)], [0, 0, 1]);
}
