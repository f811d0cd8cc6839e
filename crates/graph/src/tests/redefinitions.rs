//! Targets that mean several symbols: redefinitions, and the declarations of a file.

use expect_test::expect;

use super::{answer, execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

const REDEFINED: &str = "
//- a/a.go
fn init : g
fn init : g
fn g
fn h : init
";

/// Prints each site with the targets it belongs to.
fn targets(text: &str, operation: Operation, target: &str) -> String {
    let answer = execute(&toy::load(text), &GraphRequest::new(operation, target)).unwrap();
    let mut text = format!("{}\n", answer.target);
    for result in &answer.results {
        for site in &result.sites {
            let of = site.targets.join(" ");
            text.push_str(&format!(
                "{} {}:{} {of}\n",
                result.node.id, site.line, site.column
            ));
        }
    }
    text
}

#[test]
fn an_id_or_suffix_means_all_redefinitions_and_a_number_means_one() {
    expect![[r#"
        a.init
        a.h 4:8 a.init
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::Callers, "a.init"));
    expect![[r#"
        a.init
        a.h 4:8 a.init
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::Callers, "init"));
    expect![[r#"
        a.init
        a.h 4:8 
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::Callers, "init#1"));
    expect![[r#"
        a.init#2
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::Callers, "a.init#2"));
}

#[test]
fn a_position_means_all_redefinitions_of_the_symbol_there() {
    expect![[r#"
        a.init
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::Definition, "a/a.go:2"));
    expect![[r#"
        a.init
        a.h 4:8 a.init
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::References, "a/a.go:2:4"));
}

#[test]
fn every_operation_says_which_redefinition_a_site_belongs_to() {
    expect![[r#"
        a.init
        a.g 1:11 a.init
        a.g 2:11 a.init#2
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::Callees, "a.init"));
    expect![[r#"
        a.init
        a.h 4:8 a.init
    "#]]
    .assert_eq(&targets(REDEFINED, Operation::Impact, "a.init"));
}

#[test]
fn a_path_may_begin_and_end_at_any_redefinition() {
    let request = |target: &str, to: &str| GraphRequest {
        to: to.to_owned(),
        ..GraphRequest::new(Operation::Path, target)
    };
    let db = toy::load(REDEFINED);
    expect![[r#"
        0 a.h
        1 a.init  a/a.go:4:8 exact
    "#]]
    .assert_eq(&lines(&execute(&db, &request("a.h", "a.init"))));
    expect![[r#"
        0 a.init
        1 a.g  a/a.go:1:11 exact
    "#]]
    .assert_eq(&lines(&execute(&db, &request("a.init", "a.g"))));
}

const FILES: &str = "
//- a/a.go
fn F : g
fn g : c.K
struct T
method T.m 1
//- a/b.go
fn near : F g
//- b/b.go
use a
fn far : a.F #a.T
//- c/c.go
fn K
";

#[test]
fn a_file_target_means_its_declarations_seen_from_outside() {
    expect![[r#"
        a/a.go
        a.near 1:11 a.F
        a.near 1:13 a.g
        b.far 2:10 a.F
    "#]]
    .assert_eq(&targets(FILES, Operation::Callers, "a/a.go"));
    expect![[r#"
        a/a.go
        c.K 2:8 a.g
    "#]]
    .assert_eq(&targets(FILES, Operation::Callees, "a/a.go"));
    expect![[r#"
        a/a.go
        a.near 1:11 a.F
        a.near 1:13 a.g
        b.far 2:10 a.F
        b.far 2:14 a.T
    "#]]
    .assert_eq(&targets(FILES, Operation::References, "a/a.go"));
    expect![[r#"
        a/a.go
        b.far 2:14 
    "#]]
    .assert_eq(&targets(FILES, Operation::TypeUsages, "a/a.go"));
    expect![[r#"
        no caller from outside the file found under toy/1
    "#]]
    .assert_eq(&answer(&toy::load(FILES), Operation::Callers, "a/b.go"));
}

#[test]
fn an_impact_of_a_file_begins_outside_of_it() {
    expect![[r#"
        1 a.near DirectCaller MustUpdate  a/b.go:1:11 exact, a/b.go:1:13 exact
        1 b.far DirectCaller MustUpdate  b/b.go:2:10 exact, b/b.go:2:14 exact
    "#]]
    .assert_eq(&answer(&toy::load(FILES), Operation::Impact, "a/a.go"));
}

#[test]
fn an_excluded_file_is_not_a_target_of_callers() {
    let db = toy::load("//- a/a.go\nfn f\n//- a/b.go\nexcluded\nfn g\n");
    expect![[r#"
        target_not_found: a/b.go: the file is left out under toy/1
        ask under a configuration that chooses it
    "#]]
    .assert_eq(&answer(&db, Operation::Callers, "a/b.go"));
}
