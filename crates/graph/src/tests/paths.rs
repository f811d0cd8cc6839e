//! Which path is the best.

use codeweft_db::RootDb;
use expect_test::expect;

use super::{ask, lines, toy};
use crate::answer::{GraphRequest, Operation};

fn path(db: &RootDb, from: &str, to: &str, depth: u32) -> String {
    let request = GraphRequest {
        to: to.into(),
        depth,
        ..GraphRequest::new(Operation::Path, from)
    };
    lines(&ask(db, &request))
}

#[test]
fn of_shortest_paths_the_smallest_ids() {
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
    expect![[r#""#]].assert_eq(&path(&db, "a.from", "a.to", 10));
}

#[test]
fn a_longer_exact_path_goes_before_a_shorter_one_by_dispatch() {
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
    expect![[r#""#]].assert_eq(&path(&db, "a.from", "a.to", 10));
    expect![[r#""#]].assert_eq(&path(&db, "a.from", "a.to", 2));
    expect![[r#""#]].assert_eq(&path(&db, "a.from", "a.to", 1));
}

#[test]
fn fewer_dispatches_go_before_fewer_edges_within_the_depth() {
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
    expect![[r#""#]].assert_eq(&path(&db, "a.from", "a.to", 10));
    expect![[r#""#]].assert_eq(&path(&db, "a.from", "a.to", 3));
}

#[test]
fn no_path_tells_the_open_calls_on_the_way() {
    let db = toy::load("//- a/a.go\nfn from : mid\nfn mid : ?x/1\nfn to\n");
    expect![[r#""#]].assert_eq(&path(&db, "a.from", "a.to", 10));
    expect![[r#""#]].assert_eq(&path(&db, "a.to", "a.from", 10));
    expect![[r#""#]].assert_eq(&path(&db, "a.to", "a.to", 10));
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
    expect![[r#""#]].assert_eq(&path(&db, "a", "I.Run", 10));
}
