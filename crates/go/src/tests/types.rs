//! Types: array lengths, recursion, local types (Go spec, Types).

use expect_test::expect;

use super::{Fixture, calls, implements, types};

#[test]
fn array_length_from_imported_constant() {
    types(
        r#"
package m

import (
    "m/b"
    c "m/c"
)

const own = b.Size * 2

var a [b.Size]int
var d [own + c.Mask&1]int
var e [b.Size << 2][c.Last]b.Row
var g b.Row
//- b/b.go
package b

import "m/c"

const Size = len(c.Text) + 1

type Row [Size]byte
//- c/c.go
package c

const Text = "abc"

const (
    First = iota
    _
    Last
)

const Mask = 1<<4 - 1
"#,
        &["a", "d", "e", "Row"],
        expect![[r#"
            a [4]int
            d [9]int
            e [16][2]m/b.Row
            Row [4]uint8
        "#]],
    );
}

#[test]
fn array_length_dots_with_keyed_elements() {
    types(
        r#"
package m

const k = 4

var a = [...]int{1, 2, 3}
var b = [...]string{5: "x"}
var c = [...]int{k: 1, 2, 0: 3}
var d = [...][2]int{{1}, {2}}
var e = [...]int{}
var f = [...]int{'b' - 'a': 1, 9}
var g = &[...]any{k + k: nil}
"#,
        &["a", "b", "c", "d", "e", "f", "g"],
        expect![[r#"
            a [3]int
            b [6]string
            c [6]int
            d [2][2]int
            e [0]int
            f [3]int
            g *[9]any
        "#]],
    );
}

#[test]
fn unexported_field_names_differ_by_package() {
    implements(
        r#"
package m

import "m/b"

type Hidden struct{}
type Shown struct{}

func (Hidden) M(struct{ a int }) {}
func (Shown) N(struct{ A int })  {}

type Own interface{ M(struct{ a int }) }

var _ b.I
//- b/b.go
package b

type I interface{ M(struct{ a int }) }

type J interface{ N(struct{ A int }) }
"#,
        expect![[r#"
            m.Hidden -> m.Own
            m.Shown -> b.J
        "#]],
    );
}

#[test]
fn byte_uint8_rune_int32_any_are_identical() {
    implements(
        r#"
package m

type I interface { M([]byte, map[rune]any) <-chan byte }

type T struct{}

func (T) M([]uint8, map[int32]interface{}) <-chan uint8 { return nil }

type U struct{}

func (U) M([]int8, map[int32]interface{}) <-chan uint8 { return nil }
"#,
        expect![[r#"
            m.T -> m.I
        "#]],
    );
}

#[test]
fn recursive_struct_through_pointer() {
    calls(
        r#"
package m

type Node struct {
    next     *Node
    children []Node
    parent   map[string]*Node
    visit    func(Node) *Node
}

func (*Node) M() {}

type Func func(Func) Func

type Iface interface{ Next() Iface }

type Slice []Slice

func (Slice) S() {}

func f(n Node, fn Func, i Iface, s Slice) {
    n.next.next.children[0].parent["x"].M()
    n.visit(n).M()
    fn(fn)(nil)
    i.Next().Next().Next()
    s[0][1][2].S()
}
"#,
        expect![[r#"
            a.go:22:41 M: m.f -> m.Node.M
            a.go:23:7 visit: open, function_value
            a.go:23:16 M: m.f -> m.Node.M
            a.go:24:5 fn: open, function_value
            a.go:24:11 (: open, function_value
            a.go:25:7 Next: m.f -> m.Iface.Next
            a.go:25:14 Next: m.f -> m.Iface.Next
            a.go:25:21 Next: m.f -> m.Iface.Next
            a.go:26:16 S: m.f -> m.Slice.S
        "#]],
    );
}

#[test]
fn mutually_recursive_types_across_files() {
    calls(
        r#"
//- a.go
package m

type A struct{ b *B; list [size]B }

const size = len(B{}.array)

func (A) M() B { return B{} }
//- b.go
package m

type B struct { a *A; C; array [2]int }

type C interface { Get() A }

func (B) N() A { return A{} }

func f(b B) {
    b.a.b.a.M().N()
    b.Get().b.Get().M()
}
"#,
        expect![[r#"
            b.go:10:13 M: m.f -> m.A.M
            b.go:10:17 N: m.f -> m.B.N
            b.go:11:7 Get: m.f -> m.C.Get
            b.go:11:15 Get: m.f -> m.C.Get
            b.go:11:21 M: m.f -> m.A.M
        "#]],
    );
}

#[test]
fn invalid_recursive_type_does_not_hang() {
    calls(
        r#"
package m

type A A
type B C
type C B
type D struct{ D }
type E struct{ f F; F }
type F struct{ E }
type G [2]G
type H [len(H{})]int
type I interface{ I }
type J interface{ K; M() }
type K interface{ J; N() }
type L[P any] L[P]
type M2[P any] struct{ M2[M2[P]] }
type N [n]int
const n = len(N{})
var x, y = y, x
var z = z.f()
const p, q = q, p

func (D) M() {}

func f(a A, b B, d D, e E, g G, h H, i I, j J, l L[int], m M2[int]) {
    a.M()
    b.M()
    d.M()
    e.M()
    g[0].M()
    h[0].M()
    i.M()
    j.M()
    j.N()
    l.M()
    m.M()
    x.M()
    z.M()
}
"#,
        expect![[r#"
            a.go:20:11 f: open, unknown_receiver
            a.go:26:7 M: open, unknown_receiver
            a.go:27:7 M: open, unknown_receiver
            a.go:28:7 M: m.f -> m.D.M
            a.go:29:7 M: open, unknown_receiver
            a.go:30:10 M: open, unknown_receiver
            a.go:31:10 M: open, unknown_receiver
            a.go:32:7 M: open, unknown_receiver
            a.go:33:7 M: m.f -> m.J.M
            a.go:34:7 N: m.f -> m.K.N
            a.go:35:7 M: open, unknown_receiver
            a.go:36:7 M: open, unknown_receiver
            a.go:37:7 M: open, unknown_receiver
            a.go:38:7 M: open, unknown_receiver
        "#]],
    );
}

#[test]
fn local_type_shadows_package_type() {
    let text = r#"
package m

type T struct{}

func (T) M() {}

type Base struct{}

func (Base) N() {}

type I interface{ N() }

func f(before T) {
    before.M()
    {
        type T struct{ Base }
        var t T
        t.N()
        t.M()
        before.M()
    }
    T{}.M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:15:12 M: m.f -> m.T.M
        a.go:19:11 N: m.f -> m.Base.N
        a.go:20:11 M: open, unknown_receiver
        a.go:21:16 M: m.f -> m.T.M
        a.go:23:9 M: m.f -> m.T.M
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.Base -> m.I
        m.f.T -> m.I
    "#]],
    );
}

#[test]
fn two_local_types_of_one_name_in_one_function() {
    let fixture = Fixture::new(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) N() {}

type I interface{ M() }
type J interface{ N() }

func f(cond bool) {
    if cond {
        type T struct{ A }
        T{}.M()
        T{A: A{}}.A.M()
    }
    type T struct{ B; A A }
    T{}.N()
    T{}.A.M()
}

func (A) g() {
    type T struct{ B }
    T{}.N()
}
"#,
    );
    expect![[r#"
        a.go:16:13 M: m.f -> m.A.M
        a.go:17:21 M: m.f -> m.A.M
        a.go:20:9 N: m.f -> m.B.N
        a.go:21:11 M: m.f -> m.A.M
        a.go:26:9 N: m.A.g -> m.B.N
    "#]]
    .assert_eq(&fixture.calls());
    expect![[r#"
        m.A -> m.I
        m.A.g.T -> m.J
        m.B -> m.J
        m.f.T -> m.I
        m.f.T -> m.J
    "#]]
    .assert_eq(&fixture.implements());
    expect![[r#"
        m.f.T.A#1 field at w/a.go:15:24
        m.f.T#1 struct at w/a.go:15:14
        m.f.T.B#1 field at w/a.go:19:20
        m.f.T.A#1 field at w/a.go:19:23
        m.f.T#2 struct at w/a.go:19:10
        m.A.g.T.B#1 field at w/a.go:25:20
        m.A.g.T#1 struct at w/a.go:25:10
    "#]]
    .assert_eq(&fixture.local_types("a.go"));
}
