//! How unresolved sites are counted and chosen for an answer.

use codeweft_db::RootDb;
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

/// Prints the groups of the callers of a target, how many are not listed, and how many sites
/// `include_unresolved` lists.
fn groups(db: &RootDb, request: &GraphRequest) -> String {
    use std::fmt::Write as _;
    let completeness = execute(db, request).unwrap().completeness;
    let mut text = String::new();
    for group in &completeness.groups {
        let (file, line, column) = (&group.file, group.line, group.column);
        let (count, reason) = (group.count, &group.reason);
        writeln!(text, "{file}:{line}:{column} {count} {reason}").unwrap();
    }
    let (total, listable) = (completeness.groups_total, completeness.include_unresolved);
    writeln!(text, "of {total:?}, include_unresolved {listable:?}").unwrap();
    text
}

#[test]
fn many_sites_are_grouped_own_code_first_and_there_the_most_numerous() {
    let db = toy::load(
        "
//- /lib/l/l.go
fn F 0
fn g : ?F/0 ?F/0 ?F/0
//- b/b.go
use l
fn f : ?F/0
//- c/c.go
use l
fn f : F ?F/0 ?F/0
fn g : ?F/0
//- c/c_test.go
use l
fn test : ?F/0 ?F/0 ?F/0 ?F/0
//- e/e.go
use l
broken
F
",
    );
    let request = GraphRequest::new(Operation::Callers, "l.F");
    expect![[r#"
        c/c.go:2:10 3 unknown_receiver
        b/b.go:2:8 1 unknown_receiver
        e/e.go:2:1 1 parse_error
        c/c_test.go:2:11 4 unknown_receiver
        /lib/l/l.go:2:8 3 unknown_receiver
        of None, include_unresolved Some(11)
    "#]]
    .assert_eq(&groups(&db, &request));
    let including = GraphRequest {
        include_unresolved: true,
        ..request
    };
    expect![[r#"
        c/c.go:2:10 3 unknown_receiver
        b/b.go:2:8 1 unknown_receiver
        e/e.go:2:1 1 parse_error
        c/c_test.go:2:11 4 unknown_receiver
        /lib/l/l.go:2:8 3 unknown_receiver
        of None, include_unresolved None
    "#]]
    .assert_eq(&groups(&db, &including));
}

#[test]
fn ten_groups_are_listed_and_all_are_counted() {
    let mut text = "//- a/a.go\nfn F 0\n".to_owned();
    for name in ["b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"] {
        text.push_str(&format!("//- {name}/{name}.go\nuse a\nfn f : ?F/0\n"));
    }
    let db = toy::load(&text);
    let request = GraphRequest::new(Operation::Callers, "a.F");
    let listed = groups(&db, &request);
    assert_eq!(listed.lines().count(), 11);
    assert!(
        listed.starts_with("b/b.go:2:8 1 unknown_receiver\n"),
        "{listed}"
    );
    assert!(
        listed.ends_with("of Some(12), include_unresolved Some(12)\n"),
        "{listed}"
    );
}

#[test]
fn a_field_that_lists_no_more_is_not_named() {
    let db = toy::load("//- a/a.go\nfn F 7\nfn keep : &F\nfn run : @7 @7\nfn plain : ?F/7\n");
    let listable = |operation| {
        let request = GraphRequest::new(operation, "a.F");
        execute(&db, &request)
            .unwrap()
            .completeness
            .include_unresolved
    };
    assert_eq!(listable(Operation::Callers), Some(1));
    // Calls of a value are listed by no field.
    let called = GraphRequest::new(Operation::Callees, "a.run");
    assert_eq!(
        execute(&db, &called)
            .unwrap()
            .completeness
            .include_unresolved,
        None
    );
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
