//! Aliases and defined types (Go spec, Type declarations).

use expect_test::expect;

use super::{calls, implements, types};

#[test]
fn alias_chain_and_alias_of_pointer() {
    let text = r#"
package m

import "m/b"

type A = B
type B = C
type C = *T
type D = b.Alias

type T struct{}

func (T) M() {}

func f(a A, d D, list []A) {
    a.M()
    (*a).M()
    d.N()
    list[0].M()
    A(nil).M()
}

var v A
//- b/b.go
package b

type Alias = inner

type inner struct{}

func (*inner) N() {}
"#;
    calls(
        text,
        expect![[r#"
        a.go:16:7 M: m.f -> m.T.M
        a.go:17:10 M: m.f -> m.T.M
        a.go:18:7 N: m.f -> b.inner.N
        a.go:19:13 M: m.f -> m.T.M
        a.go:20:12 M: m.f -> m.T.M
    "#]],
    );
    types(
        text,
        &["A", "D", "v"],
        expect![[r#"
        A *m.T
        D m/b.inner
        v *m.T
    "#]],
    );
}

#[test]
fn alias_cycle_is_invalid() {
    let text = r#"
package m

type A = B
type B = A
type C = []C
type D = *struct{ d D }
type E = func(E)
type F[P any] = G[P]
type G[P any] = F[P]

type T struct{ A; c C }

func (T) M() {}

func f(a A, c C, t T, g F[int]) {
    a.M()
    c[0].M()
    t.M()
    t.c.M()
    g.M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:17:7 M: open, unknown_receiver
        a.go:18:10 M: open, unknown_receiver
        a.go:19:7 M: m.f -> m.T.M
        a.go:20:9 M: open, unknown_receiver
        a.go:21:7 M: open, unknown_receiver
    "#]],
    );
}

#[test]
fn alias_in_receiver_position() {
    let text = r#"
package m

type T struct{}

type A = T
type B = A
type P = *T

func (A) M()  {}
func (*B) N() {}
func (P) O()  {}

type I interface { M(); N(); O() }
type V interface { M() }
type W interface { O() }

func f(t T, b B, p P) {
    t.M()
    b.N()
    p.O()
    t.O()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:19:7 M: m.f -> m.T.M
        a.go:20:7 N: m.f -> m.T.N
        a.go:21:7 O: m.f -> m.T.O
        a.go:22:7 O: m.f -> m.T.O
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.T -> m.I (pointer)
        m.T -> m.V
        m.T -> m.W (pointer)
    "#]],
    );
}

#[test]
fn generic_alias_expands_with_arguments() {
    let text = r#"
package m

type Set[E comparable] = map[E]struct{}
type Pair[A, B any] = struct { a A; b B }
type List[E any] = []Pair[E, *E]
type Same[E any] = *E

type T struct{}

func (T) M() {}

func f(l List[T], s Same[T], p Pair[T, Same[*T]]) {
    l[0].a.M()
    l[0].b.M()
    s.M()
    (**p.b).M()
    for t := range (Set[T]{}) { t.M() }
}

var a Set[string]
var b List[int]
var c Same[Set[T]]
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:12 M: m.f -> m.T.M
        a.go:15:12 M: m.f -> m.T.M
        a.go:16:7 M: m.f -> m.T.M
        a.go:17:13 M: m.f -> m.T.M
        a.go:18:35 M: m.f -> m.T.M
    "#]],
    );
    types(
        text,
        &["a", "b", "c"],
        expect![[r#"
        a map[string]struct{}
        b []struct{a int; b *int}
        c *map[m.T]struct{}
    "#]],
    );
}

#[test]
fn defined_type_of_defined_type_loses_methods() {
    let text = r#"
package m

type T struct{ n int }

func (T) M() {}

type D T

func (D) Own() {}

type P *T

type L []T

type E D

type Iface interface{ M() }

type Kept Iface

func f(d D, p P, l L, e E, k Kept) {
    d.M()
    d.Own()
    d.n++
    p.M()
    p.n++
    (*p).M()
    l[0].M()
    e.Own()
    e.n++
    k.M()
    T(d).M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:23:7 M: open, unknown_receiver
        a.go:24:7 Own: m.f -> m.D.Own
        a.go:26:7 M: open, unknown_receiver
        a.go:28:10 M: m.f -> m.T.M
        a.go:29:10 M: m.f -> m.T.M
        a.go:30:7 Own: open, unknown_receiver
        a.go:32:7 M: m.f -> m.Iface.M
        a.go:33:10 M: m.f -> m.T.M
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.T -> m.Iface
        m.T -> m.Kept
    "#]],
    );
}

#[test]
fn defined_type_of_struct_keeps_promoted_methods() {
    let text = r#"
package m

type Base struct{}

func (Base) M()  {}
func (*Base) N() {}

type T struct{ Base }

func (T) Lost() {}

type D T

type I interface { M(); N() }

func f(d D) {
    d.M()
    d.N()
    d.Lost()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:18:7 M: m.f -> m.Base.M
        a.go:19:7 N: m.f -> m.Base.N
        a.go:20:7 Lost: open, unknown_receiver
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.Base -> m.I (pointer)
        m.D -> m.I (pointer)
        m.T -> m.I (pointer)
    "#]],
    );
}
