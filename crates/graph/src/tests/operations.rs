//! The answers of each operation.

use expect_test::{Expect, expect};

use super::{answer, execute, lines, toy};
use crate::answer::{GraphRequest, Operation};

fn check(text: &str, operation: Operation, target: &str, expected: Expect) {
    expected.assert_eq(&answer(&toy::load(text), operation, target));
}

const SHAPES: &str = "
//- a/a.go
interface Shape
abstract Shape.Area 1
struct Square
method Square.Area 1
struct Disc
method *Disc.Area 1
struct Line
method Line.Area 2
//- b/b.go
use a
struct Boxed
embed Boxed a.Square
struct Any
embed Any a.Shape
fn Total : a.Shape.Area a.Square.Area ~a.Shape.Area
fn main : Total Total
";

#[test]
fn callers_of_a_method_include_calls_of_the_interface_method_it_implements() {
    check(
        SHAPES,
        Operation::Callers,
        "a.Square.Area",
        expect![[r#"
            1 b.Total  b/b.go:6:12 dispatch class_hierarchy, b/b.go:6:25 exact, b/b.go:6:39 dispatch class_hierarchy in_literal
        "#]],
    );
}

#[test]
fn callers_of_an_interface_method_are_only_calls_of_the_interface() {
    check(
        SHAPES,
        Operation::Callers,
        "Shape.Area",
        expect![[r#"
        1 b.Total  b/b.go:6:12 exact, b/b.go:6:39 exact in_literal
    "#]],
    );
}

#[test]
fn callees_of_an_interface_call_are_the_declared_method_and_its_implementations() {
    check(
        SHAPES,
        Operation::Callees,
        "b.Total",
        expect![[r#"
        1 a.Disc.Area  b/b.go:6:12 dispatch class_hierarchy, b/b.go:6:39 dispatch class_hierarchy in_literal
        1 a.Shape.Area  b/b.go:6:12 exact, b/b.go:6:39 exact in_literal
        1 a.Square.Area  b/b.go:6:12 dispatch class_hierarchy, b/b.go:6:25 exact, b/b.go:6:39 dispatch class_hierarchy in_literal
    "#]],
    );
}

#[test]
fn two_calls_at_two_positions_are_two_sites() {
    check(
        SHAPES,
        Operation::Callers,
        "Total",
        expect![[r#"
        1 b.main  b/b.go:7:11 exact, b/b.go:7:17 exact
    "#]],
    );
}

#[test]
fn implementations_report_the_receiver_and_count_promoted_methods() {
    check(
        SHAPES,
        Operation::Implementations,
        "Shape",
        expect![[r#"
            a.Disc Pointer
            a.Square Value
            b.Any Value
            b.Boxed Value
        "#]],
    );
}

#[test]
fn implementations_of_an_interface_method_are_the_methods_that_may_run() {
    check(
        SHAPES,
        Operation::Implementations,
        "Shape.Area",
        expect![[r#"
            a.Disc.Area
            a.Square.Area
        "#]],
    );
}

#[test]
fn implements_is_the_inverse_and_an_interface_implements_nothing() {
    check(
        SHAPES,
        Operation::Implements,
        "Disc",
        expect![[r#"
        a.Shape Pointer
    "#]],
    );
    check(
        SHAPES,
        Operation::Implements,
        "Square.Area",
        expect![[r#"
            a.Shape.Area
        "#]],
    );
    check(
        SHAPES,
        Operation::Implements,
        "Shape",
        expect![[r#"
            no interface found under toy/1
        "#]],
    );
}

#[test]
fn definition_is_the_position_of_the_declared_name() {
    let db = toy::load(SHAPES);
    let answer = execute(&db, &GraphRequest::new(Operation::Definition, "Disc.Area")).unwrap();
    expect![[r#"
        {
          "operation": "definition",
          "target": "a.Disc.Area",
          "results": [
            {
              "node": {
                "id": "a.Disc.Area",
                "kind": "method",
                "name": "Area",
                "file": "a/a.go",
                "start_line": 6,
                "end_line": 6,
                "start_pos": 85,
                "end_pos": 104,
                "name_line": 6,
                "name_column": 14,
                "language": "go",
                "visibility": "public",
                "package": "a",
                "external": false,
                "signature": "method *Disc.Area 1"
              },
              "context": "// Lines 3-8\nstruct Square\nmethod Square.Area 1\nstruct Disc\nmethod *Disc.Area 1\nstruct Line\nmethod Line.Area 2",
              "sites": [],
              "site_count": 0
            }
          ],
          "total_found": 1,
          "counts": {
            "workspace": {
              "nodes": 1,
              "sites": 0
            },
            "libraries": {
              "nodes": 0,
              "sites": 0
            }
          },
          "total_returned": 1,
          "truncated": false,
          "completeness": {
            "complete": true,
            "configuration": "toy/1",
            "unresolved_sites": 0,
            "by_reason": {},
            "first": []
          },
          "metadata": {
            "took_ms": 0.0,
            "source": "",
            "revision": 0,
            "partial": false,
            "unsaved": []
          }
        }"#]].assert_eq(&serde_json::to_string_pretty(&answer).unwrap());
}

#[test]
fn dependencies_follow_imports_to_absent_packages_and_back() {
    let text = "
//- a/a.go
use b
use ghost/town
//- b/b.go
use c
//- b/b_test.go
use a
//- c/c.go
";
    let db = toy::load(text);
    let deep = |operation, target: &str| {
        let request = GraphRequest {
            depth: 3,
            ..GraphRequest::new(operation, target)
        };
        lines(&execute(&db, &request))
    };
    expect![[r#"
        1 b  a/a.go:1:5 exact
        1 ghost/town  a/a.go:2:5 exact
        2 a  b/b_test.go:1:5 exact
        2 c  b/b.go:1:5 exact
        ring a b
    "#]]
    .assert_eq(&deep(Operation::Dependencies, "a"));
    expect![[r#"
        1 b  b/b.go:1:5 exact
        2 a  a/a.go:1:5 exact
        ring a b
    "#]]
    .assert_eq(&deep(Operation::Dependents, "c"));
    expect![[r#"
        1 a  a/a.go:2:5 exact
        2 b  b/b_test.go:1:5 exact
        ring a b
    "#]]
    .assert_eq(&deep(Operation::Dependents, "ghost/town"));
    expect![[r#"
        1 a  b/b_test.go:1:5 exact
        2 b  a/a.go:1:5 exact
        2 ghost/town  a/a.go:2:5 exact
        ring a b
    "#]]
    .assert_eq(&deep(Operation::Dependencies, "b/b_test.go"));
}
