//! The universe, package and file blocks (Go spec, Declarations and scope).

use expect_test::expect;

use super::{Fixture, calls, references, types};

#[test]
fn package_scope_spans_files() {
    calls(
        r#"
//- a.go
package m

func f() { g(); t.M(); T{}.M() }

var t = fromB()
//- b.go
package m

func g() { f() }

type T struct{}

func fromB() T { return T{} }
//- c.go
package m

func (T) M() { g() }
"#,
        expect![[r#"
            a.go:3:12 g: m.f -> m.g
            a.go:3:19 M: m.f -> m.T.M
            a.go:3:28 M: m.f -> m.T.M
            a.go:5:9 fromB: m -> m.fromB
            b.go:3:12 f: m.g -> m.f
            c.go:3:16 g: m.T.M -> m.g
        "#]],
    );
}

#[test]
fn universe_name_shadowed_by_package() {
    let text = r#"
package m

type string struct{}

func (string) M() {}

type error interface{ Fail() }

func len(x int) string { return string{} }

const true = 1

var nil = new(1)

func new(n int) *string { return &string{} }

func append(list []int, n int) string { return string{} }

func f(s string, err error) {
    s.M()
    err.Fail()
    len(1).M()
    nil.M()
    append([]int{}, true).M()
    "x".M()
}

var a = len(2)
var b = true
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:11 new: m -> m.new
        a.go:21:7 M: m.f -> m.string.M
        a.go:22:9 Fail: m.f -> m.error.Fail
        a.go:23:5 len: m.f -> m.len
        a.go:23:12 M: m.f -> m.string.M
        a.go:24:9 M: m.f -> m.string.M
        a.go:25:5 append: m.f -> m.append
        a.go:25:27 M: m.f -> m.string.M
        a.go:26:9 M: open, unknown_receiver
        a.go:29:9 len: m -> m.len
    "#]],
    );
    types(
        text,
        &["a", "b", "nil"],
        expect![[r#"
        a m.string
        b int
        nil *m.string
    "#]],
    );
}

#[test]
fn universe_name_shadowed_by_parameter() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func f(len func(T) T, string T, nil *T, make func(int) T, any T) {
    len(string).M()
    string.M()
    nil.M()
    make(3).M()
    any.M()
    true := T{}
    true.M()
    {
        type int struct{ T }
        var x int
        x.M()
    }
    new := func(T) T { return string }
    new(any).M()
    cap, copy := T{}, T{}
    cap.M()
    copy.M()
}
"#,
        expect![[r#"
            a.go:9:5 len: open, function_value
            a.go:9:17 M: m.f -> m.T.M
            a.go:10:12 M: m.f -> m.T.M
            a.go:11:9 M: m.f -> m.T.M
            a.go:12:5 make: open, function_value
            a.go:12:13 M: m.f -> m.T.M
            a.go:13:9 M: m.f -> m.T.M
            a.go:15:10 M: m.f -> m.T.M
            a.go:19:11 M: m.f -> m.T.M
            a.go:22:14 M: m.f -> m.T.M
            a.go:24:9 M: m.f -> m.T.M
            a.go:25:10 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn import_name_shadowed_by_local() {
    calls(
        r#"
package m

import "m/b"

type T struct{}

func (T) F() {}

func f() {
    b.F()
    b := b.New()
    b.M()
    {
        b := T{}
        b.F()
    }
}

func g(b T) { b.F() }

func h() {
    func(b *T) { b.F() }(nil)
    b.F()
}
//- b/b.go
package b

type U struct{}

func (U) M() {}

func F() {}

func New() U { return U{} }
"#,
        expect![[r#"
            a.go:11:7 F: m.f -> b.F
            a.go:12:12 New: m.f -> b.New
            a.go:13:7 M: m.f -> b.U.M
            a.go:16:11 F: m.f -> m.T.F
            a.go:20:17 F: m.g -> m.T.F
            a.go:23:20 F: m.h -> m.T.F (in literal)
            a.go:24:7 F: m.h -> b.F
        "#]],
    );
}

#[test]
fn import_is_per_file() {
    calls(
        r#"
//- a.go
package m

import x "m/b"

func f() { x.F(); y.F() }
//- c.go
package m

import (
    x "m/c"
    "m/b"
)

func g() { x.F(); b.F() }
//- b/b.go
package b

func F() {}
//- c/c.go
package c

func F() {}
"#,
        expect![[r#"
            a.go:5:14 F: m.f -> b.F
            a.go:5:21 F: open, unknown_receiver
            c.go:8:14 F: m.g -> c.F
            c.go:8:21 F: m.g -> b.F
        "#]],
    );
}

#[test]
fn dot_import_names_in_file_scope() {
    let text = r#"
//- a.go
package m

import . "m/b"

type T struct { Base }

func f(t T) {
    F().M()
    t.M()
    Var.M()
    _ = Base{}
    hidden()
}
//- c.go
package m

func g() { F() }
//- b/b.go
package b

type Base struct{}

func (Base) M() {}

func F() Base { return Base{} }

var Var Base

func hidden() {}
"#;
    calls(
        text,
        expect![[r#"
        a.go:8:5 F: m.f -> b.F
        a.go:8:9 M: m.f -> b.Base.M
        a.go:9:7 M: m.f -> b.Base.M
        a.go:10:9 M: m.f -> b.Base.M
        a.go:12:5 hidden: open, unknown_receiver
        c.go:3:12 F: open, unknown_receiver
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:5:17 Base: Embed of b.Base
        a.go:7:10 T: Parameter of m.T
        a.go:10:5 Var: Read of b.Var
        a.go:11:9 Base: Literal of b.Base
        b/b.go:5:7 Base: Receiver of b.Base
        b/b.go:7:10 Base: Result of b.Base
        b/b.go:7:24 Base: Literal of b.Base
        b/b.go:9:9 Base: VariableType of b.Base
    "#]],
    );
}

#[test]
fn dot_import_against_package_declaration() {
    // Two declarations of one name are an error; the package's own one wins.
    calls(
        r#"
package m

import . "m/b"

func F() T { return T{} }

type T struct{}

func (T) M() {}

func f() {
    F().M()
    G().N()
    len()
}

func g(G func() T) { G().M() }
//- b/b.go
package b

type U struct{}

func (U) N() {}

func F() U { return U{} }
func G() U { return U{} }

func len() {}
"#,
        expect![[r#"
            a.go:13:5 F: m.f -> m.F
            a.go:13:9 M: m.f -> m.T.M
            a.go:14:5 G: m.f -> b.G
            a.go:14:9 N: m.f -> b.U.N
            a.go:18:22 G: open, function_value
            a.go:18:26 M: m.g -> m.T.M
        "#]],
    );
}

#[test]
fn blank_import_is_an_edge_only() {
    let fixture = Fixture::new(
        r#"
package m

import _ "m/b"

func f() { b.F() }
//- b/b.go
package b

func F() {}
"#,
    );
    expect![[r#"
        a.go:6:14 F: open, unknown_receiver
    "#]]
    .assert_eq(&fixture.calls());
    expect![[r#"
        m -> b
    "#]]
    .assert_eq(&fixture.imports());
}

#[test]
fn several_init_functions() {
    let text = r#"
//- a.go
package m

func init() { f() }

func init() { f() }

func f() { type T struct{}; init() }
//- b.go
package m

func init() { f() }
"#;
    calls(
        text,
        expect![[r#"
        a.go:3:15 f: m.init -> m.f
        a.go:5:15 f: m.init -> m.f
        a.go:7:29 init: open, unknown_receiver
        b.go:3:15 f: m.init -> m.f
    "#]],
    );
}

#[test]
fn several_blank_functions_and_vars() {
    calls(
        r#"
package m

func f() int { return 0 }

func _() { f() }
func _[T any](t T) { f() }

var _ = f()
var _, _ = f(), f()

type _ struct{}
type _ interface{ M() }

const _ = 1

func (_ T) _()  { f() }
func (T) _(int) { f() }

type T struct{}
"#,
        expect![[r#"
            a.go:6:12 f: m._ -> m.f
            a.go:7:22 f: m._ -> m.f
            a.go:9:9 f: m -> m.f
            a.go:10:12 f: m -> m.f
            a.go:10:17 f: m -> m.f
            a.go:17:19 f: m.T._ -> m.f
            a.go:18:19 f: m.T._ -> m.f
        "#]],
    );
}

#[test]
fn method_declared_before_type_in_other_file() {
    calls(
        r#"
//- a.go
package m

func (t *T) M() U { return t.u }

func f() { new(T).M().N() }
//- z.go
package m

func (U) N() {}

type (
    T struct{ u U }
    U struct{}
)
"#,
        expect![[r#"
            a.go:5:19 M: m.f -> m.T.M
            a.go:5:23 N: m.f -> m.U.N
        "#]],
    );
}

#[test]
fn var_group_with_one_call_for_many_names() {
    let text = r#"
package m

type A struct{}

func (A) M() {}

func three() (A, *A, error) { return A{}, nil, nil }

var (
    a, b, err = three()
    _, c, _   = three()
)

var d, e, g = a, b, 1

func f() {
    a.M()
    b.M()
    c.M()
    d.M()
    err.Error()
    var x, y, z = three()
    x.M()
    y.M()
    z.Error()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:11:17 three: m -> m.three
        a.go:12:17 three: m -> m.three
        a.go:18:7 M: m.f -> m.A.M
        a.go:19:7 M: m.f -> m.A.M
        a.go:20:7 M: m.f -> m.A.M
        a.go:21:7 M: m.f -> m.A.M
        a.go:22:9 Error: m.f -> error.Error
        a.go:23:19 three: m.f -> m.three
        a.go:24:7 M: m.f -> m.A.M
        a.go:25:7 M: m.f -> m.A.M
        a.go:26:7 Error: m.f -> error.Error
    "#]],
    );
    types(
        text,
        &["a", "b", "err", "c", "d", "e", "g"],
        expect![[r#"
        a m.A
        b *m.A
        err error
        c *m.A
        d m.A
        e *m.A
        g int
    "#]],
    );
}
