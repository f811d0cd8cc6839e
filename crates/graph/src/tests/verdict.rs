//! How unresolved sites are counted and chosen for an answer.

use expect_test::expect;

use super::{answer, execute, lines, toy};
use crate::answer::{GraphRequest, Operation, Within, verdict};

#[test]
fn unresolved_sites_are_counted_by_reason_and_each_once() {
    let db = toy::load(
        "
//- a/a.go
fn F 7
fn keep : &F
fn run : @7 ?F/7 ?F/7
//- b/b.go
use a
broken
F
",
    );
    let found = execute(&db, &GraphRequest::new(Operation::Callers, "a.F")).unwrap();
    assert_eq!(found.completeness.unresolved_sites, 4);
    expect![[r#"{"function_value":1,"parse_error":1,"unknown_receiver":2}"#]]
        .assert_eq(&serde_json::to_string(&found.completeness.by_reason).unwrap());
    let none = execute(&db, &GraphRequest::new(Operation::Callers, "a.keep")).unwrap();
    expect!["{}"].assert_eq(&serde_json::to_string(&none.completeness.by_reason).unwrap());
}

#[test]
fn workspace_sites_are_listed_before_tests_and_those_before_libraries() {
    let db = toy::load(
        "
//- /lib/l/l.go
fn F 0
fn g : ?F/0
//- z/z.go
use l
fn f : ?F/0
//- a/a_test.go
use l
fn test : ?F/0
",
    );
    expect![[r#"
        no caller found; 3 sites could call it under toy/1
          z/z.go:2:8 unknown_receiver
          a/a_test.go:2:11 unknown_receiver
          /lib/l/l.go:2:8 unknown_receiver
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "l.F"));
}

#[test]
fn each_reason_has_a_site_before_any_has_a_second() {
    let db = toy::load(
        "
//- a/a.go
fn F 7
fn keep : &F
fn run : ?F/7 ?F/7 ?F/7
fn again : ?F/7 ?F/7 ?F/7
//- y/y.go
use a
fn far : @7 @7
//- z/z.go
use a
broken
F
",
    );
    expect![[r#"
        no caller found; 9 sites could call it under toy/1
          a/a.go:3:10 unknown_receiver
          a/a.go:3:15 unknown_receiver
          a/a.go:3:20 unknown_receiver
          y/y.go:2:10 function_value
          z/z.go:2:1 parse_error
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "a.F"));
}

#[test]
fn the_first_site_of_a_reason_is_listed_however_many_files_come_before() {
    let db = toy::load(
        "
//- a/a.go
fn F 0
//- b/b.go
use a
fn f : ?F/0
//- c/c.go
use a
fn f : ?F/0
//- d/d.go
use a
fn f : ?F/0
//- e/e.go
use a
fn f : ?F/0
//- f/f.go
use a
fn f : ?F/0
//- g/g.go
use a
fn f : ?F/0
//- h/h.go
use a
broken
F
",
    );
    expect![[r#"
        no caller found; 7 sites could call it under toy/1
          b/b.go:2:8 unknown_receiver
          c/c.go:2:8 unknown_receiver
          d/d.go:2:8 unknown_receiver
          e/e.go:2:8 unknown_receiver
          h/h.go:2:1 parse_error
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "a.F"));
}

#[test]
fn what_filters_hide_is_counted_and_named() {
    let db = toy::load(
        "
//- a/a.go
fn F
//- b/b.go
use a
fn near : a.F a.F
//- b/b_test.go
use a
fn test : a.F
",
    );
    let all = GraphRequest::new(Operation::Callers, "a.F");
    let scope = GraphRequest {
        scope: "c".to_owned(),
        ..all.clone()
    };
    expect![[r#"
        no caller shown; hidden: 2 callers outside `c` under toy/1
    "#]]
    .assert_eq(&lines(&execute(&db, &scope)));
    let hidden = execute(&db, &scope).unwrap().hidden;
    expect![[r#"{"nodes":2,"sites":3,"by":["scope"],"words":"2 callers outside `c`"}"#]]
        .assert_eq(&serde_json::to_string(&hidden).unwrap());
    let exclude = GraphRequest {
        exclude_patterns: vec!["b/b.go".to_owned()],
        include_tests: false,
        ..all
    };
    expect![[r#"
        no caller shown; hidden: 1 caller in `b/b.go`, 1 caller in tests under toy/1
    "#]]
    .assert_eq(&lines(&execute(&db, &exclude)));
    let several = GraphRequest {
        include_tests: false,
        within: Within::Workspace,
        exclude_patterns: vec![" c/* ".to_owned(), "b/b.go".to_owned()],
        ..GraphRequest::new(Operation::Callers, "a.F")
    };
    expect![[r#"
        no caller shown; hidden: 1 caller in `c/*` or `b/b.go`, 1 caller in tests under toy/1
    "#]]
    .assert_eq(&lines(&execute(&db, &several)));
    expect!["no caller shown; hidden: 1 caller in `c/*` or `b/b.go`, 1 caller in tests; otherwise complete under toy/1"].assert_eq(&verdict(&execute(&db, &several).unwrap()));
}

#[test]
fn hidden_sites_of_a_listed_result_are_counted_alone() {
    let db = toy::load("//- a/a.go\nfn F\n//- b/b.go\nuse a\n//- b/b_test.go\nuse a\n");
    let request = GraphRequest {
        include_tests: false,
        ..GraphRequest::new(Operation::Dependents, "a")
    };
    expect!["1 dependent shown; hidden: 1 site in tests; otherwise complete under toy/1"]
        .assert_eq(&verdict(&execute(&db, &request).unwrap()));
}

#[test]
fn filters_hide_no_step_of_a_path_and_the_note_says_so() {
    let db = toy::load("//- a/a.go\nfn f : g\nfn g\n");
    let request = GraphRequest {
        to: "a.g".to_owned(),
        scope: "b".to_owned(),
        ..GraphRequest::new(Operation::Path, "a.f")
    };
    let answer = execute(&db, &request).unwrap();
    assert_eq!(answer.total_found, 2);
    expect!["a path has all its steps: filters hide none"].assert_eq(&answer.note.unwrap());
}

#[test]
fn no_path_is_said_to_end_at_the_depth_where_it_does() {
    let db = toy::load("//- a/a.go\nfn f : g\nfn g : h\nfn h\nfn k\n");
    let path = |to: &str, depth| {
        let request = GraphRequest {
            to: to.to_owned(),
            depth,
            ..GraphRequest::new(Operation::Path, "a.f")
        };
        lines(&execute(&db, &request))
    };
    expect![[r#"
        no path within the depth found under toy/1
    "#]]
    .assert_eq(&path("a.h", 1));
    expect![[r#"
        no path found under toy/1
    "#]]
    .assert_eq(&path("a.k", 2));
}
