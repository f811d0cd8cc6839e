//! Answers about what reflection may call: it is told where a value is handed to a package that calls
//! by reflection, and nowhere else.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;

const WORLD: &str = r#"
//- go.work
go 1.25

use .
use ./reflect
//- go.mod
module m

go 1.25
//- reflect/go.mod
module reflect
//- reflect/reflect.go
package reflect

type Value struct{}

func (Value) Method(int) Value { return Value{} }

func (Value) Kind() int { return 0 }

func ValueOf(any) Value { return Value{} }
//- called/called.go
package called

import "reflect"

type Served struct{}

func (Served) Public() {}

func (Served) private() {}

func serve(x any) { reflect.ValueOf(x).Method(0) }

func start() { serve(Served{}) }
//- looked/looked.go
package looked

import "reflect"

type Printed struct{}

func (Printed) Public() {}

func print(x any) { reflect.ValueOf(x).Kind() }

func start() { print(Printed{}) }
"#;

/// Why callers of a method may be missing: the reasons of the open sites.
fn open(target: &str) -> Vec<String> {
    let world = Fixture::of(texts(WORLD)).load();
    let answer = world
        .host
        .ask(&GraphRequest::new(Operation::Callers, target));
    let answer = answer.expect("an answer");
    assert_eq!(answer.results.len(), 0, "{target}");
    let first = answer.completeness.first;
    first.into_iter().map(|site| site.reason).collect()
}

#[test]
fn a_public_method_of_a_value_handed_to_what_calls_by_reflection_may_have_other_callers() {
    assert_eq!(open("called.Served.Public"), ["reflection"]);
}

#[test]
fn reflection_finds_no_private_method() {
    assert_eq!(open("called.Served.private"), [""; 0]);
}

#[test]
fn a_value_that_reflection_only_looks_at_has_no_other_callers() {
    assert_eq!(open("looked.Printed.Public"), [""; 0]);
}
