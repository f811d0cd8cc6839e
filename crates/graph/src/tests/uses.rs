//! References and type usages, and what filters leave of them.

use expect_test::expect;

use super::{answer, execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

#[test]
fn references_of_a_package_are_its_imports() {
    let db = toy::load("//- a/a.go\n//- b/b.go\nuse a\n//- c/c.go\nuse a\nuse b\n");
    expect![[r#"
        b  b/b.go:1:5 exact
        c  c/c.go:1:5 exact
    "#]]
    .assert_eq(&answer(&db, Operation::References, "a"));
}

#[test]
fn references_through_an_interface_belong_to_the_interface() {
    let db = toy::load(
        "
//- a/a.go
interface I
abstract I.Run 1
struct T
method T.Run 1
fn f : I.Run T.Run &T.Run ?Run/1
fn g : ?Run/1
",
    );
    let answer = |include_unresolved| {
        let request = GraphRequest {
            include_unresolved,
            ..GraphRequest::new(Operation::References, "T.Run")
        };
        lines(&execute(&db, &request))
    };
    expect![[r#"
        a.f  a/a.go:5:14 exact, a/a.go:5:20 exact
        1 reference found; 2 sites could use it under toy/1
          a/a.go:5:27 unknown_receiver
          a/a.go:6:8 unknown_receiver
    "#]]
    .assert_eq(&answer(false));
    expect![[r#"
        a.f  a/a.go:5:14 exact, a/a.go:5:20 exact, a/a.go:5:27 name unknown_receiver
        a.g  a/a.go:6:8 name unknown_receiver
        2 references found; 2 sites could use it under toy/1
          a/a.go:5:27 unknown_receiver
          a/a.go:6:8 unknown_receiver
    "#]]
    .assert_eq(&answer(true));
}

#[test]
fn references_outside_the_analysed_sources_are_counted() {
    let db = toy::load("//- a/a.go\nfn linkedIn\n");
    expect![[r#"
        no reference found; 1 site could use it under toy/1
          a/a.go:1:4 linkname
    "#]]
    .assert_eq(&answer(&db, Operation::References, "linkedIn"));
}

#[test]
fn usages_of_a_type_are_the_positions_where_it_is_written() {
    let db = toy::load(
        "
//- a/a.go
struct T
method T.Run 1
struct Holder
embed Holder a.T
fn f : #T T.Run
",
    );
    expect![[r#"
        a  a/a.go:4:14 exact
        a.f  a/a.go:5:8 exact
    "#]]
    .assert_eq(&answer(&db, Operation::TypeUsages, "a.T"));
}

#[test]
fn without_tests_their_sites_and_results_without_other_sites_are_hidden() {
    let db = toy::load(
        "
//- a/a.go
fn F
var one : F
//- a/a_test.go
var two : F
fn TestF : F
//- b/b.go
//- b/b_test.go
use a
var three : a.F
",
    );
    let answer = |include_tests| {
        let request = GraphRequest {
            include_tests,
            ..GraphRequest::new(Operation::Callers, "a.F")
        };
        lines(&execute(&db, &request))
    };
    expect![[r#"
        1 a  a/a.go:2:11 exact, a/a_test.go:1:11 exact
        1 a.TestF  a/a_test.go:2:12 exact
        1 b  b/b_test.go:2:13 exact
    "#]]
    .assert_eq(&answer(true));
    expect![[r#"
        1 a  a/a.go:2:11 exact
    "#]]
    .assert_eq(&answer(false));
}

#[test]
fn scopes_are_like_patterns_globs_or_path_prefixes() {
    let db = toy::load(
        "
//- app/a.go
use end
fn one : end.End
//- apple/a.go
use end
fn two : end.End
//- end/end.go
fn End
",
    );
    let mut text = String::new();
    for scope in [
        "app", "app/", "./app", "app*", "app/%", "%.two", "*.TWO", "ap",
    ] {
        let request = GraphRequest {
            scope: scope.into(),
            ..GraphRequest::new(Operation::Callers, "end.End")
        };
        let found = execute(&db, &request).unwrap().results;
        let ids: Vec<String> = found.into_iter().map(|result| result.node.id).collect();
        text.push_str(&format!("{scope}: {}\n", ids.join(" ")));
    }
    expect![[r#"
        app: app.one
        app/: app.one
        ./app: app.one
        app*: app.one apple.two
        app/%: app.one
        %.two: apple.two
        *.TWO: 
        ap: 
    "#]]
    .assert_eq(&text);
}
