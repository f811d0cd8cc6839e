//! The rules of Go.

use codeweft_graph::answer::AnalysisRequest;
use expect_test::expect;

use super::{check, check_request, check_with_tests, request};

#[test]
fn what_main_init_initialisers_and_tests_reach_is_in_use() {
    let fixture = "
//- main.go
package main
var table = build()
func main() { run() }
func init() { prepare() }
func run() {}
func prepare() {}
func build() int { return 1 }
func helper() {}
func alone() { deeper() }
func deeper() {}
//- main_test.go
package main
import \"testing\"
func TestHelper(t *testing.T) { helper() }
func unusedHere() {}
";
    check(
        fixture,
        expect![[r#"
        m.table Unreferenced
        m.helper OnlyTests
        m.alone Unreferenced
        m.deeper OnlyFromUnused
    "#]],
    );
    check_with_tests(
        fixture,
        expect![[r#"
        m.table Unreferenced
        m.alone Unreferenced
        m.deeper OnlyFromUnused
        m.unusedHere Unreferenced
    "#]],
    );
}

#[test]
fn the_initialisers_of_a_folder_with_tests_alone_run_with_its_tests() {
    check_with_tests(
        "
//- tests/only_test.go
package tests
import \"testing\"
var table = map[string]func(){\"a\": first}
func first() {}
func second() {}
func TestAll(t *testing.T) { table[\"a\"]() }
",
        expect![[r#"
            tests.second Unreferenced
        "#]],
    );
}

#[test]
fn a_variable_that_is_only_stored_to_is_unused_and_a_field_is_not() {
    check(
        "
//- main.go
package main
var written int
var read int
type box struct{ written int }
func main() {
	written = 1
	read = 2
	b := box{}
	b.written = read
}
",
        expect![[r#"
            m.written Unreferenced
        "#]],
    );
}

#[test]
fn exported_names_are_used_by_importers_unless_no_other_module_can_import_them() {
    check(
        "
//- lib/lib.go
package lib
type Open struct{ Field int; hidden int }
func (Open) Method() {}
func Exported() {}
func private() {}
//- internal/in/in.go
package in
type Closed struct{}
func (Closed) Method() {}
func Exported() {}
//- cmd/main.go
package main
import _ \"m/lib\"
func Exported() {}
func main() {}
",
        expect![[r#"
            cmd.Exported Unreferenced
            internal/in.Closed Unreferenced
            internal/in.Closed.Method Unreferenced
            internal/in.Exported Unreferenced
            lib.Open.hidden Unreferenced
            lib.private Unreferenced
        "#]],
    );
}

#[test]
fn members_of_what_an_exported_name_gives_away_are_used_by_importers() {
    check(
        "
//- lib/lib.go
package lib
type handle struct{ Public int; private int }
func (handle) Close() {}
func (handle) drop() {}
func New() *handle { return nil }
type lonely struct{}
func (lonely) Close() {}
var _ = lonely{}
",
        expect![[r#"
            lib.handle.private Unreferenced
            lib.handle.drop Unreferenced
            lib.lonely.Close Unreferenced
        "#]],
    );
}

#[test]
fn a_method_of_an_interface_lives_with_the_type_whose_values_become_values_of_interfaces() {
    check(
        "
//- main.go
package main
type shape interface{ area() int; Name() string }
type square struct{}
func (square) area() int { return 1 }
func (square) Name() string { return \"\" }
func (square) other() {}
type circle struct{}
func (circle) area() int { return 1 }
type level int
func (level) String() string { return \"\" }
type fault struct{}
func (fault) Is(error) bool { return false }
func (fault) Error() string { return \"\" }
func show(any) {}
func main() {
	var s shape = square{}
	s.area()
	_ = circle{}
	show([]level{1})
	show(fault{})
	if e, ok := s.(interface{ Is(error) bool }); ok { e.Is(nil) }
}
type stringer interface{ String() string }
var _ stringer
",
        expect![[r#"
            m.square.other Unreferenced
            m.circle.area Unreferenced
            m.square.Name Unreferenced 1: main.go:16:16 reflection
            m.level.String Unreferenced 1: main.go:19:9 reflection
        "#]],
    );
}

#[test]
fn a_method_whose_name_no_code_in_use_calls_does_not_run_for_an_interface() {
    check(
        "
//- main.go
package main
type shape interface{ area() int; unit() string; edge() int }
type square struct{}
func (square) area() int { return 1 }
func (square) unit() string { return \"\" }
func (square) edge() int { return corner() }
func corner() int { return 1 }
func describe(s shape) string { return s.unit() }
func main() {
	var s shape = square{}
	s.area()
	f := shape.edge
	f(s)
}
",
        expect![[r#"
            m.square.unit Unreferenced
            m.describe Unreferenced
        "#]],
    );
}

#[test]
fn a_method_that_only_marks_its_type_as_one_of_an_interface_is_not_listed() {
    check(
        "
//- main.go
package main
type expr interface{ isExpr() }
type call struct{}
func (call) isExpr() { /* a mark */ }
type other struct{}
func (other) isExpr() {}
func show(expr) {}
func main() {
	show(call{})
	_ = other{}
}
",
        expect![[r#"
            m.other.isExpr Unreferenced
        "#]],
    );
}

#[test]
fn what_only_unused_code_uses_is_unused_and_says_so() {
    check(
        "
//- main.go
package main
func main() {}
func first() { second(); first() }
func second() { third{}.run() }
type third struct{ field int }
func (third) run() {}
var count = 0
const limit = 2
",
        expect![[r#"
            m.first Unreferenced
            m.second OnlyFromUnused
            m.third OnlyFromUnused
            m.third.run OnlyFromUnused
            m.count Unreferenced
            m.limit Unreferenced
        "#]],
    );
}

#[test]
fn a_constant_lives_with_its_group() {
    check(
        "
//- main.go
package main
const (
	low = iota
	middle
	high
)
const (
	one = 1
	two = 2
)
const lone = 3
func main() { _ = middle }
",
        expect![[r#"
            m.one Unreferenced
            m.two Unreferenced
            m.lone Unreferenced
        "#]],
    );
}

#[test]
fn names_in_unresolved_sites_literals_directives_and_assembly_leave_doubts() {
    check(
        "
//- main.go
package main
import (
	\"absent.org/x\"
	_ \"unsafe\"
)
type server struct{}
func (server) Serve(int) {}
func (server) Stop() {}
func (server) quiet() {}
func main() {
	x.Make().Serve(1)
	lookUp(\"Stop\")
	_ = server{}
}
func lookUp(string) {}
//export given
func given() {}
//go:linkname linked other.linked
func linked() {}
func plain() {}
//- asm/asm.go
package asm
func fast(x int) int
func slow() {}
func Use() { fast(1) }
//- broken.go
package main
func broken() { plain( }
//- main_windows.go
package main
func onWindows() { wanted() }
//- wanted.go
package main
func wanted() {}
",
        expect![[r#"
            m.server.quiet Unreferenced
            asm.slow Unreferenced 1: asm/asm.go:2:6 assembly
            m.broken Unreferenced 1: broken.go:2:1 parse_error
            m.server.Serve Unreferenced 1: main.go:3:2 unknown_receiver
            m.server.Stop Unreferenced 2: main.go:3:2 unknown_receiver main.go:12:10 reflection
            m.given Unreferenced 1: main.go:16:1 cgo
            m.linked Unreferenced 1: main.go:19:6 linkname
            m.plain OnlyFromUnused 1: broken.go:2:1 parse_error
            m.wanted Unreferenced 1: main_windows.go:2:20 excluded_file
        "#]],
    );
}

#[test]
fn exported_members_of_boxed_types_may_be_reached_by_reflection() {
    check(
        "
//- main.go
package main
type row struct {
	Name  string
	Inner inner
	quiet int
}
func (row) Validate() {}
func (row) validate() {}
type inner struct{ Deep int }
func (inner) Check() {}
type apart struct{ Name string }
func (apart) Validate() {}
func marshal(any) {}
func main() {
	marshal(&row{})
	_ = apart{}
}
",
        expect![[r#"
            m.row.quiet Unreferenced
            m.row.validate Unreferenced
            m.apart.Name Unreferenced
            m.apart.Validate Unreferenced
            m.row.Name Unreferenced 1: main.go:15:11 reflection
            m.row.Inner Unreferenced 1: main.go:15:11 reflection
            m.row.Validate Unreferenced 1: main.go:15:11 reflection
            m.inner.Deep Unreferenced 1: main.go:9:6 reflection
            m.inner.Check Unreferenced 1: main.go:9:6 reflection
        "#]],
    );
}

#[test]
fn what_a_doubtful_symbol_uses_is_doubtful_too() {
    check(
        "
//- main.go
package main
type server struct{}
func (server) Serve() { answer() }
func answer() {}
func apart() { deeper() }
func deeper() {}
func handle(any) {}
func main() { handle(server{}) }
",
        expect![[r#"
            m.apart Unreferenced
            m.deeper OnlyFromUnused
            m.server.Serve Unreferenced 1: main.go:8:22 reflection
            m.answer OnlyFromUnused 1: main.go:8:22 reflection
        "#]],
    );
}

#[test]
fn blank_embedded_positional_and_converted_fields_are_never_listed() {
    check(
        "
//- main.go
package main
type base struct{ unused int }
type full struct {
	base
	_ int
	left int
}
type point struct{ x, y int }
type other struct{ a, b int }
type another struct{ a, b int }
func main() {
	_ = full{}
	_ = point{1, 2}
	_ = another(other{})
}
",
        expect![[r#"
            m.base.unused Unreferenced
            m.full.left Unreferenced
        "#]],
    );
}

#[test]
fn generated_files_are_listed_on_demand_only() {
    let fixture = "
//- main.go
package main
func main() {}
//- gen.go
// Code generated by hand. DO NOT EDIT.

package main
func unused() {}
";
    check(fixture, expect![""]);
    let named = AnalysisRequest {
        path_prefix: Some("gen.go".to_owned()),
        ..request()
    };
    check_request(
        fixture,
        named,
        expect![[r#"
        m.unused Unreferenced
    "#]],
    );
}
