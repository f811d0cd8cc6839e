//! Calls by reflection: they are reported where a value is passed to a package that calls by
//! reflection, and nowhere else.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;

const FIXTURE: &str = r#"
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
//- valued/valued.go
package valued

import "reflect"

type Served struct{}

func (Served) Public() {}

type Bound struct{}

func (Bound) Public() {}

func start() {
	v := reflect.ValueOf
	v(Served{}).Method(0)
}

func bound() {
	m := reflect.ValueOf(Bound{}).Method
	m(0)
}
//- kept/kept.go
package kept

import "reflect"

var Of = reflect.ValueOf
//- keeping/keeping.go
package keeping

import "m/kept"

type Served struct{}

func (Served) Public() {}

func start() { kept.Of(Served{}).Method(0) }
//- initial/initial.go
package initial

import "reflect"

type Served struct{}

func (Served) Public() {}

var first = reflect.ValueOf(Served{}).Method(0)
//- looked/looked.go
package looked

import "reflect"

type Printed struct{}

func (Printed) Public() {}

func print(x any) { reflect.ValueOf(x).Kind() }

func start() { print(Printed{}) }
"#;

/// Returns the reasons of the unresolved sites for which callers of a method may be missing.
fn open(target: &str) -> Vec<String> {
    let workspace = Fixture::of(texts(FIXTURE)).load();
    let answer = workspace
        .host
        .ask(&GraphRequest::new(Operation::Callers, target));
    let answer = answer.expect("an answer");
    assert_eq!(answer.results.len(), 0, "{target}");
    // Functions of one signature that are used as values share their parameters.
    answer.completeness.by_reason.into_keys().collect()
}

#[test]
fn an_exported_method_of_a_value_passed_to_a_reflecting_package_may_have_other_callers() {
    assert_eq!(open("called.Served.Public"), ["reflection"]);
}

#[test]
fn a_value_reflected_on_by_an_initialiser_is_reported_at_the_call() {
    let workspace = Fixture::of(texts(FIXTURE)).load();
    let request = GraphRequest::new(Operation::Callers, "initial.Served.Public");
    let answer = workspace.host.ask(&request).expect("an answer");
    let first = answer.completeness.first.iter();
    let positions: Vec<_> = first
        .map(|site| {
            format!(
                "{}:{}:{} {}",
                site.file, site.line, site.column, site.reason
            )
        })
        .collect();
    assert_eq!(positions, ["initial/initial.go:9:21 reflection"]);
}

#[test]
fn reflection_finds_no_private_method() {
    assert_eq!(open("called.Served.private"), [""; 0]);
}

#[test]
fn a_value_that_is_only_inspected_by_reflection_has_no_other_callers() {
    assert_eq!(open("looked.Printed.Public"), [""; 0]);
}

#[test]
fn a_function_of_package_reflect_may_be_called_as_a_value() {
    assert_eq!(open("valued.Served.Public"), ["reflection"]);
    assert_eq!(open("keeping.Served.Public"), ["reflection"]);
}

#[test]
fn a_method_of_a_reflected_value_may_be_a_value() {
    assert_eq!(open("valued.Bound.Public"), ["reflection"]);
}
