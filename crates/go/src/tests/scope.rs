//! Declarations and scope (Go spec, Declarations and scope).

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
        expect![[""]],
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
    calls(text, expect![[""]]);
    types(text, &["a", "b", "nil"], expect![[""]]);
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
    calls(text, expect![[""]]);
    references(text, expect![[""]]);
}

#[test]
fn dot_import_against_package_declaration() {
    // Two declarations of one name are an error; the package's own counts.
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
        expect![[""]],
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
    expect![[""]].assert_eq(&fixture.calls());
    expect![[""]].assert_eq(&fixture.imports());
}

#[test]
fn short_declaration_redeclares_in_same_block() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) M() {}

func a() (A, error) { return A{}, nil }
func b() (B, error) { return B{}, nil }

func f(p A) (r B, err error) {
    x, err := a()
    y, err := b()
    x.M()
    y.M()
    err.Error()
    p, z := a()
    p.M()
    z.Error()
    r, w := b()
    r.M()
    w.Error()
    return
}
"#,
        expect![[""]],
    );
}

#[test]
fn short_declaration_new_in_inner_block() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) M() {}

func f(x A) {
    if true {
        x := B{}
        x.M()
    }
    x.M()
    for x := (B{}); ; { x.M() }
    func() {
        x, y := B{}, x
        x.M()
        y.M()
    }()
    {
        x, ok := any(x).(B)
        x.M()
        _ = ok
    }
    x.M()
}
"#,
        expect![[""]],
    );
}

#[test]
fn short_declaration_x_equals_outer_x() {
    calls(
        r#"
package m

type A struct{ B }
type B struct{}

func (A) M() B { return B{} }
func (B) N() {}

var g A

func f(x A) {
    {
        x := x.M()
        x.N()
    }
    for _, x := range []A{x} {
        x := x.B
        x.N()
    }
    g := g.M()
    g.N()
    if x := x.M(); true { x.N() }
}
"#,
        expect![[""]],
    );
}

#[test]
fn short_declaration_blank_on_left() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func three() (int, T, error) { return 0, T{}, nil }

func f() {
    _, t, _ := three()
    t.M()
    _, _, err := three()
    err.Error()
    _, t, _ = three()
    var _, u, _ = three()
    u.M()
    _.M()
}
"#,
        expect![[""]],
    );
}

#[test]
fn var_spec_scope_starts_after_spec() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() B { return B{} }
func (B) N() {}

func x() A { return A{} }

func f() {
    var x = x().M()
    x.N()
    const c, d = len("ab"), c
    {
        var x, y = x, x
        x.N()
        y.N()
        var f func() = func() { f() }
        f()
    }
}

const c = 1
"#,
        expect![[""]],
    );
}

#[test]
fn local_type_scope_starts_at_name() {
    calls(
        r#"
package m

type T struct{ outer bool }

func (T) M() {}

func f(t T) {
    t.M()
    type T struct { next *T; base Base }
    x := &T{}
    x.next.next.base.N()
    t.M()
    type U = T
    var u U
    u.next.base.N()
}

type Base struct{}

func (Base) N() {}
"#,
        expect![[""]],
    );
}

#[test]
fn parameter_and_result_share_body_block() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) N() {}

func b() (B, A) { return B{}, A{} }

func f(x A) (y B) {
    y, x = b()
    z, x := b()
    z.N()
    x.M()
    y.N()
    g := func(x B) (y A) {
        x, y = b()
        x.N()
        y.M()
        return
    }
    g(z).M()
    return
}

func (x A) recv(y B) (z A) {
    y, x := b()
    y.N()
    x.M()
    z.M()
    return
}
"#,
        expect![[""]],
    );
}

#[test]
fn named_result_used_in_closure() {
    calls(
        r#"
package m

type E struct{}

func (*E) Error() string { return "" }
func (*E) Own()          {}

func f() (err error, e *E) {
    defer func() {
        err.Error()
        e.Own()
        if err := e; err != nil { err.Own() }
    }()
    return
}

var v = func() (e *E) { e.Own(); return }()
"#,
        expect![[""]],
    );
}

#[test]
fn labels_have_their_own_namespace() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func f(t T) {
t:
    for {
        t.M()
        break t
    }
M:
    t.M()
    goto M
}
"#,
        expect![[""]],
    );
}

#[test]
fn if_else_chain_scope() {
    calls(
        r#"
package m

type A struct{}
type B struct{}
type C struct{}

func (A) M() {}
func (B) N() {}
func (C) O() {}

func f(x A) {
    if x := (B{}); false {
        x.N()
    } else if y := x; true {
        y.N()
        x := C{}
        x.O()
    } else if x := (C{}); true {
        x.O()
        y.N()
    } else {
        x.O()
        y.N()
    }
    x.M()
}
"#,
        expect![[""]],
    );
}

#[test]
fn switch_init_and_clause_scopes() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() bool { return false }
func (B) N() bool { return false }

func f(x A) {
    switch x := (B{}); {
    case x.N():
        x := A{}
        x.M()
    case !x.N():
        x.N()
        y := x
        y.N()
    default:
        x.N()
    }
    switch x := any(x).(type) {
    case B:
        x.N()
        x := A{}
        x.M()
    case A:
        x.M()
    }
    x.M()
}
"#,
        expect![[""]],
    );
}

#[test]
fn select_clause_scope() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) N() {}

func f(x A, c chan B) {
    select {
    case x := <-c:
        x.N()
    case x, ok := <-c:
        x.N()
        _ = ok
    default:
        x.M()
        x := B{}
        x.N()
    }
    x.M()
}
"#,
        expect![[""]],
    );
}

#[test]
fn for_init_scope_and_closure() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) More() bool { return false }
func (A) Next() A    { return A{} }
func (B) N()         {}

func f(x B) {
    for x := (A{}); x.More(); x = x.Next() {
        defer func() { x.Next() }()
        x := B{}
        x.N()
    }
    for x := range []A{} { go func() { _ = x }() }
    x.N()
}
"#,
        expect![[""]],
    );
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
    calls(text, expect![[""]]);
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
        expect![[""]],
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
        expect![[""]],
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
    calls(text, expect![[""]]);
    types(text, &["a", "b", "err", "c", "d", "e", "g"], expect![[""]]);
}
