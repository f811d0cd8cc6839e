//! The best path between two targets.

use codeweft_db::RootDb;
use expect_test::expect;

use super::{execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

fn path(db: &RootDb, from: &str, to: &str, depth: u32) -> String {
    let request = GraphRequest {
        to: to.into(),
        depth,
        ..GraphRequest::new(Operation::Path, from)
    };
    lines(&execute(db, &request))
}

#[test]
fn of_several_shortest_paths_the_one_with_the_smallest_ids_wins() {
    let db = toy::load(
        "
//- a/a.go
fn from : z y
fn z : b
fn y : c d
fn b : to
fn c : to
fn d : to
fn to
",
    );
    expect![[r#"
        0 a.from
        1 a.y  a/a.go:1:13 exact
        2 a.c  a/a.go:3:8 exact
        3 a.to  a/a.go:5:8 exact
    "#]]
    .assert_eq(&path(&db, "a.from", "a.to", 10));
}

#[test]
fn a_longer_exact_path_is_preferred_over_a_shorter_one_by_dispatch() {
    let db = toy::load(
        "
//- a/a.go
interface I
abstract I.Run 1
struct T
method T.Run 1 : to
fn from : I.Run one
fn one : two
fn two : to
fn to : more
fn more
",
    );
    expect![[r#"
        0 a.from
        1 a.one  a/a.go:5:17 exact
        2 a.two  a/a.go:6:10 exact
        3 a.to  a/a.go:7:10 exact
    "#]]
    .assert_eq(&path(&db, "a.from", "a.to", 10));
    expect![[r#"
        0 a.from
        1 a.T.Run  a/a.go:5:11 dispatch class_hierarchy
        2 a.to  a/a.go:4:18 exact
    "#]]
    .assert_eq(&path(&db, "a.from", "a.to", 2));
    expect![[r#"
        no path within the depth found under toy/1
    "#]]
    .assert_eq(&path(&db, "a.from", "a.to", 1));
}

#[test]
fn fewer_dispatches_are_preferred_over_fewer_edges_within_the_depth() {
    let db = toy::load(
        "
//- a/a.go
interface I
abstract I.Run 1
struct T
method T.Run 1 : J.Stop s1
interface J
abstract J.Stop 2
struct U
method U.Stop 2 : to
fn s1 : s2
fn s2 : to
fn from : I.Run
fn to
",
    );
    expect![[r#"
        0 a.from
        1 a.T.Run  a/a.go:11:11 dispatch class_hierarchy
        2 a.s1  a/a.go:4:25 exact
        3 a.s2  a/a.go:9:9 exact
        4 a.to  a/a.go:10:9 exact
    "#]]
    .assert_eq(&path(&db, "a.from", "a.to", 10));
    expect![[r#"
        0 a.from
        1 a.T.Run  a/a.go:11:11 dispatch class_hierarchy
        2 a.U.Stop  a/a.go:4:18 dispatch class_hierarchy
        3 a.to  a/a.go:8:19 exact
    "#]]
    .assert_eq(&path(&db, "a.from", "a.to", 3));
}

#[test]
fn an_answer_without_path_counts_the_unresolved_calls_ahead() {
    let db = toy::load("//- a/a.go\nfn from : mid\nfn mid : ?x/1\nfn to\n");
    expect![[r#"
        no path found; 1 site on the way could lead there under toy/1
          a/a.go:2:10 unknown_receiver
    "#]]
    .assert_eq(&path(&db, "a.from", "a.to", 10));
    expect![[r#"
        no path found under toy/1
    "#]]
    .assert_eq(&path(&db, "a.to", "a.from", 10));
    expect![[r#"
        0 a.to
    "#]]
    .assert_eq(&path(&db, "a.to", "a.to", 10));
}

#[test]
fn a_path_may_start_at_a_package_and_end_at_an_interface_method() {
    let db = toy::load(
        "
//- a/a.go
interface I
abstract I.Run 1
var v : f
fn f : I.Run
",
    );
    expect![[r#"
        0 a
        1 a.f  a/a.go:3:9 exact
        2 a.I.Run  a/a.go:4:8 exact
    "#]]
    .assert_eq(&path(&db, "a", "I.Run", 10));
}
