//! Scopes inside functions (Go spec, Blocks, Declarations and scope).

use expect_test::expect;

use super::calls;

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
        expect![[r#"
            a.go:14:15 a: m.f -> m.a
            a.go:15:15 b: m.f -> m.b
            a.go:16:7 M: m.f -> m.A.M
            a.go:17:7 M: m.f -> m.B.M
            a.go:18:9 Error: m.f -> error.Error
            a.go:19:13 a: m.f -> m.a
            a.go:20:7 M: m.f -> m.A.M
            a.go:21:7 Error: m.f -> error.Error
            a.go:22:13 b: m.f -> m.b
            a.go:23:7 M: m.f -> m.B.M
            a.go:24:7 Error: m.f -> error.Error
        "#]],
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
        expect![[r#"
            a.go:13:11 M: m.f -> m.B.M
            a.go:15:7 M: m.f -> m.A.M
            a.go:16:27 M: m.f -> m.B.M
            a.go:19:11 M: m.f -> m.B.M (in literal)
            a.go:20:11 M: m.f -> m.A.M (in literal)
            a.go:24:11 M: m.f -> m.B.M
            a.go:27:7 M: m.f -> m.A.M
        "#]],
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
        expect![[r#"
            a.go:14:16 M: m.f -> m.A.M
            a.go:15:11 N: m.f -> m.B.N
            a.go:19:11 N: m.f -> m.B.N
            a.go:21:12 M: m.f -> m.A.M
            a.go:22:7 N: m.f -> m.B.N
            a.go:23:15 M: m.f -> m.A.M
            a.go:23:29 N: m.f -> m.B.N
        "#]],
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
        expect![[r#"
            a.go:11:16 three: m.f -> m.three
            a.go:12:7 M: m.f -> m.T.M
            a.go:13:18 three: m.f -> m.three
            a.go:14:9 Error: m.f -> error.Error
            a.go:15:15 three: m.f -> m.three
            a.go:16:19 three: m.f -> m.three
            a.go:17:7 M: m.f -> m.T.M
            a.go:18:7 M: open, unknown_receiver
        "#]],
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
        expect![[r#"
            a.go:13:13 x: m.f -> m.x
            a.go:13:17 M: m.f -> m.A.M
            a.go:14:7 N: m.f -> m.B.N
            a.go:18:11 N: m.f -> m.B.N
            a.go:19:11 N: m.f -> m.B.N
            a.go:20:33 f: m.f -> m.f (in literal)
        "#]],
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
        expect![[r#"
            a.go:9:7 M: m.f -> m.T.M
            a.go:12:22 N: m.f -> m.Base.N
            a.go:13:7 M: m.f -> m.T.M
            a.go:16:17 N: m.f -> m.Base.N
        "#]],
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
        expect![[r#"
            a.go:13:12 b: m.f -> m.b
            a.go:14:13 b: m.f -> m.b
            a.go:15:7 N: m.f -> m.B.N
            a.go:16:7 M: m.f -> m.A.M
            a.go:17:7 N: m.f -> m.B.N
            a.go:19:16 b: m.f -> m.b (in literal)
            a.go:20:11 N: m.f -> m.B.N (in literal)
            a.go:21:11 M: m.f -> m.A.M (in literal)
            a.go:24:10 M: m.f -> m.A.M
            a.go:29:13 b: m.A.recv -> m.b
            a.go:30:7 N: m.A.recv -> m.B.N
            a.go:31:7 M: m.A.recv -> m.A.M
            a.go:32:7 M: m.A.recv -> m.A.M
        "#]],
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
        expect![[r#"
            a.go:11:13 Error: m.f -> error.Error (in literal)
            a.go:12:11 Own: m.f -> m.E.Own (in literal)
            a.go:13:39 Own: m.f -> m.E.Own (in literal)
            a.go:18:27 Own: m -> m.E.Own (in literal)
        "#]],
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
        expect![[r#"
            a.go:11:11 M: m.f -> m.T.M
            a.go:15:7 M: m.f -> m.T.M
        "#]],
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
        expect![[r#"
            a.go:14:11 N: m.f -> m.B.N
            a.go:16:11 N: m.f -> m.B.N
            a.go:18:11 O: m.f -> m.C.O
            a.go:20:11 O: m.f -> m.C.O
            a.go:21:11 N: m.f -> m.B.N
            a.go:23:11 O: m.f -> m.C.O
            a.go:24:11 N: m.f -> m.B.N
            a.go:26:7 M: m.f -> m.A.M
        "#]],
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
        { x := A{}; x.M() }
    case A:
        x.M()
    }
    x.M()
}
"#,
        expect![[r#"
            a.go:12:12 N: m.f -> m.B.N
            a.go:14:11 M: m.f -> m.A.M
            a.go:15:13 N: m.f -> m.B.N
            a.go:16:11 N: m.f -> m.B.N
            a.go:18:11 N: m.f -> m.B.N
            a.go:20:11 N: m.f -> m.B.N
            a.go:24:11 N: m.f -> m.B.N
            a.go:25:23 M: m.f -> m.A.M
            a.go:27:11 M: m.f -> m.A.M
            a.go:29:7 M: m.f -> m.A.M
        "#]],
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
        expect![[r#"
            a.go:13:11 N: m.f -> m.B.N
            a.go:15:11 N: m.f -> m.B.N
            a.go:18:11 M: m.f -> m.A.M
            a.go:20:11 N: m.f -> m.B.N
            a.go:22:7 M: m.f -> m.A.M
        "#]],
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
        expect![[r#"
            a.go:12:23 More: m.f -> m.A.More
            a.go:12:37 Next: m.f -> m.A.Next
            a.go:13:26 Next: m.f -> m.A.Next (in literal)
            a.go:15:11 N: m.f -> m.B.N
            a.go:18:7 N: m.f -> m.B.N
        "#]],
    );
}
