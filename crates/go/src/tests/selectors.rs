//! Selectors (Go spec, Selectors): automatic dereference, promotion, depth.

use expect_test::expect;

use super::{calls, implements, references};

#[test]
fn call_pointer_method_on_addressable_variable() {
    calls(
        r#"
package m

type T struct{ next [1]T2 }

type T2 struct{}

func (*T2) P() {}

func f(t T, s []T2) {
    t.next[0].P()
    s[0].P()
    var v T2
    v.P()
}
"#,
        expect![[r#"
            a.go:11:15 P: m.f -> m.T2.P
            a.go:12:10 P: m.f -> m.T2.P
            a.go:14:7 P: m.f -> m.T2.P
        "#]],
    );
}

#[test]
fn call_value_method_through_pointer() {
    calls(
        r#"
package m

type T struct{}

func (T) V() {}

func f(p *T) {
    p.V()
    (*p).V()
    (&T{}).V()
}
"#,
        expect![[r#"
            a.go:9:7 V: m.f -> m.T.V
            a.go:10:10 V: m.f -> m.T.V
            a.go:11:12 V: m.f -> m.T.V
        "#]],
    );
}

#[test]
fn auto_deref_of_pointer_to_struct_field() {
    calls(
        r#"
package m

type A struct{ b *B }
type B struct{ c C }
type C struct{}

func (*C) M() {}

func f(a *A) {
    a.b.c.M()
    (*(*a).b).c.M()
}
"#,
        expect![[r#"
            a.go:11:11 M: m.f -> m.C.M
            a.go:12:17 M: m.f -> m.C.M
        "#]],
    );
}

#[test]
fn no_members_on_pointer_to_pointer() {
    // The calls of `p` are errors: nothing is resolved.
    calls(
        r#"
package m

type T struct{ f func() }

func (T) M() {}

type P *T

func f(p **T, d P) {
    p.M()
    p.f()
    (*p).M()
    d.M()
    d.f()
}
"#,
        expect![[r#"
            a.go:11:7 M: open, unknown_receiver
            a.go:12:7 f: open, unknown_receiver
            a.go:13:10 M: m.f -> m.T.M
            a.go:14:7 M: open, unknown_receiver
            a.go:15:7 f: open, function_value
        "#]],
    );
}

#[test]
fn no_members_on_pointer_to_interface() {
    calls(
        r#"
package m

type I interface{ M() }

type S struct{ I }

func f(i I, p *I, s *S) {
    i.M()
    p.M()
    (*p).M()
    s.M()
}

func g[P I](x P, p *P) {
    x.M()
    p.M()
}
"#,
        expect![[r#"
            a.go:9:7 M: m.f -> m.I.M
            a.go:10:7 M: open, unknown_receiver
            a.go:11:10 M: m.f -> m.I.M
            a.go:12:7 M: m.f -> m.I.M
            a.go:16:7 M: m.g -> m.I.M
            a.go:17:7 M: open, unknown_receiver
        "#]],
    );
}

#[test]
fn promoted_through_one_embedding() {
    calls(
        r#"
package m

type Base struct{ inner Inner }

type Inner struct{}

func (Inner) I() {}
func (Base) M()  {}

type T struct{ Base }

func f(t T) {
    t.M()
    t.Base.M()
    t.inner.I()
}
"#,
        expect![[r#"
            a.go:14:7 M: m.f -> m.Base.M
            a.go:15:12 M: m.f -> m.Base.M
            a.go:16:13 I: m.f -> m.Inner.I
        "#]],
    );
}

#[test]
fn promoted_through_three_embeddings() {
    calls(
        r#"
package m

type A struct{ B }
type B struct{ *C }
type C struct{ D }
type D struct{}

func (*D) M() {}

func f(a A) { a.M() }
"#,
        expect![[r#"
            a.go:11:17 M: m.f -> m.D.M
        "#]],
    );
}

#[test]
fn two_at_one_depth_are_ambiguous() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) M() {}

type T struct { A; B }

func f(t T) {
    t.M()
    t.A.M()
}
"#,
        expect![[r#"
            a.go:13:7 M: open, unknown_receiver
            a.go:14:9 M: m.f -> m.A.M
        "#]],
    );
}

#[test]
fn ambiguous_but_shallower_resolves() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) M() {}

type T struct { A; B }

func (T) M() {}

func f(t T) { t.M() }
"#,
        expect![[r#"
            a.go:14:17 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn ambiguity_at_depth_blocks_deeper() {
    calls(
        r#"
package m

type A struct{}
type B struct{ M int }

func (A) M() {}

type C struct{ D }
type D struct{ E }
type E struct{}

func (E) M() {}

type T struct { A; B; C }

func f(t T) {
    t.M()
    t.C.M()
}
"#,
        expect![[r#"
            a.go:18:7 M: open, unknown_receiver
            a.go:19:9 M: m.f -> m.E.M
        "#]],
    );
}

#[test]
fn embedded_alias_is_named_by_alias() {
    let text = r#"
package m

type Base struct{}

func (*Base) M() {}

type Alias = Base

type Pointer = *Base

type T struct{ Alias }

type U struct{ Pointer }

func f(t T, u U) {
    t.Alias.M()
    t.M()
    u.Pointer.M()
    u.M()
    _ = T{Alias: Base{}}
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:17:13 M: m.f -> m.Base.M
        a.go:18:7 M: m.f -> m.Base.M
        a.go:19:15 M: m.f -> m.Base.M
        a.go:20:7 M: m.f -> m.Base.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:8 Base: Receiver of m.Base
        a.go:8:14 Base: Base of m.Base
        a.go:10:17 Base: Base of m.Base
        a.go:12:16 Alias: Embed of m.Alias
        a.go:14:16 Pointer: Embed of m.Pointer
        a.go:16:10 T: Parameter of m.T
        a.go:16:15 U: Parameter of m.U
        a.go:17:7 Alias: Read of m.T.Alias
        a.go:19:7 Pointer: Read of m.U.Pointer
        a.go:21:9 T: Literal of m.T
        a.go:21:11 Alias: Key of m.T.Alias
        a.go:21:18 Base: Literal of m.Base
    "#]],
    );
}

#[test]
fn embedded_pointer_to_generic_of_other_package() {
    calls(
        r#"
package m

import "m/b"

type T struct{ *b.List[*Item] }

type Item struct{}

func (*Item) M() {}

func f(t T) {
    t.Push(nil)
    t.First().M()
    t.List.First().M()
}
//- b/b.go
package b

type List[E any] struct{ items []E }

func (l *List[E]) Push(e E) { l.items = append(l.items, e) }
func (l *List[E]) First() E { return l.items[0] }
"#,
        expect![[r#"
            a.go:13:7 Push: m.f -> b.List.Push
            a.go:14:7 First: m.f -> b.List.First
            a.go:14:15 M: m.f -> m.Item.M
            a.go:15:12 First: m.f -> b.List.First
            a.go:15:20 M: m.f -> m.Item.M
        "#]],
    );
}

#[test]
fn unexported_method_of_other_package_not_reachable() {
    let text = r#"
package m

import "m/b"

type local interface{ hidden() }

type T struct{ b.Base }

func f(t T, base b.Base) {
    t.hidden()
    base.hidden()
    t.Shown()
}

type Own struct {
    b.Base
    Other
}

type Other struct{}

func (Other) hidden() {}

func g(o Own) { o.hidden() }
//- b/b.go
package b

type Local interface{ hidden() }

type Base struct{}

func (Base) hidden() {}
func (b Base) Shown() { b.hidden() }
"#;
    calls(
        text,
        expect![[r#"
        a.go:11:7 hidden: open, unknown_receiver
        a.go:12:10 hidden: open, unknown_receiver
        a.go:13:7 Shown: m.f -> b.Base.Shown
        a.go:25:19 hidden: m.g -> m.Other.hidden
        b/b.go:8:27 hidden: b.Base.Shown -> b.Base.hidden
    "#]],
    );
    implements(
        text,
        expect![[r#"
        b.Base -> b.Local
        m.Other -> m.local
        m.Own -> b.Local
        m.Own -> m.local
        m.T -> b.Local
    "#]],
    );
}

#[test]
fn field_and_method_of_func_type() {
    calls(
        r#"
package m

type Handler func(int)

func (h Handler) Serve(n int) { h(n) }

type T struct {
    h Handler
    f func() Handler
}

func f(t T) {
    t.h(1)
    t.h.Serve(2)
    t.f().Serve(3)
    Handler(nil).Serve(4)
}
"#,
        expect![[r#"
            a.go:6:33 h: open, function_value
            a.go:14:7 h: open, function_value
            a.go:15:9 Serve: m.f -> m.Handler.Serve
            a.go:16:7 f: open, function_value
            a.go:16:11 Serve: m.f -> m.Handler.Serve
            a.go:17:18 Serve: m.f -> m.Handler.Serve
        "#]],
    );
}

#[test]
fn recursive_embedding_through_pointer_terminates() {
    calls(
        r#"
package m

type A struct{ *B }

type B struct {
    *A
    C
}

type C struct{}

func (C) M() {}

type Self struct{ *Self }

type Wide[P any] struct {
    *Left[P]
    *Right[P]
}

type Left[P any] struct{ *Wide[P] }

type Right[P any] struct{ *Wide[P] }

func f(a A, s Self, w Wide[int]) {
    a.M()
    a.B.A.B.M()
    s.M()
    w.M()
}
"#,
        expect![[r#"
            a.go:27:7 M: m.f -> m.C.M
            a.go:28:13 M: m.f -> m.C.M
            a.go:29:7 M: open, unknown_receiver
            a.go:30:7 M: open, unknown_receiver
        "#]],
    );
}
