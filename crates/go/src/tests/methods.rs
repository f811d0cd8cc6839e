//! Method values and method expressions (Go spec, Method values, Method expressions).

use expect_test::expect;

use super::{calls, references, types};

#[test]
fn method_value_bound() {
    let text = r#"
package m

type T struct{}

func (T) V()        {}
func (*T) P() *T    { return nil }
func take(f func()) {}

func f(t *T) {
    g := t.P
    g().V()
    take(t.V)
    defer take(T{}.V)
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:12:5 g: open, function_value
        a.go:12:9 V: m.f -> m.T.V
        a.go:13:5 take: m.f -> m.take
        a.go:14:11 take: m.f -> m.take
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:7 T: Receiver of m.T
        a.go:7:8 T: Receiver of m.T
        a.go:7:16 T: Result of m.T
        a.go:10:11 T: Parameter of m.T
        a.go:11:12 P: Value of m.T.P
        a.go:13:12 V: Value of m.T.V
        a.go:14:16 T: Literal of m.T
        a.go:14:20 V: Value of m.T.V
    "#]],
    );
}

#[test]
fn method_value_from_interface() {
    let text = r#"
package m

type I interface{ Next() I }

func f(i I) {
    next := i.Next
    next().Next()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:8:5 next: open, function_value
        a.go:8:12 Next: m.f -> m.I.Next
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:4:26 I: Result of m.I
        a.go:6:10 I: Parameter of m.I
        a.go:7:15 Next: Value of m.I.Next
    "#]],
    );
}

#[test]
fn method_expression_value_and_pointer() {
    let text = r#"
package m

type T struct{}

func (T) V(int) *T { return nil }
func (*T) P()      {}

func f(t T) {
    T.V(t, 1).P()
    (*T).P(&t)
    (*T).V(&t, 1).P()
    v := T.V
    v(t, 1).P()
}

var expr = (*T).V
"#;
    calls(
        text,
        expect![[r#"
        a.go:10:7 V: m.f -> m.T.V
        a.go:10:15 P: m.f -> m.T.P
        a.go:11:10 P: m.f -> m.T.P
        a.go:12:10 V: m.f -> m.T.V
        a.go:12:19 P: m.f -> m.T.P
        a.go:14:5 v: open, function_value
        a.go:14:13 P: m.f -> m.T.P
    "#]],
    );
    types(
        text,
        &["expr"],
        expect![[r#"
        expr func(*m.T, int) *m.T
    "#]],
    );
}

#[test]
fn method_expression_of_interface() {
    let text = r#"
package m

type I interface{ Get(int) I }

func f(i I) {
    I.Get(i, 1).Get(2)
    error.Error(nil)
    Alias.Get(i, 3).Get(4)
}

type Alias = interface{ Get(int) I }

var expr = I.Get
"#;
    calls(
        text,
        expect![[r#"
        a.go:7:7 Get: m.f -> m.I.Get
        a.go:7:17 Get: m.f -> m.I.Get
        a.go:8:11 Error: m.f -> error.Error
        a.go:9:11 Get: m.f -> m.Alias.Get
        a.go:9:21 Get: m.f -> m.I.Get
    "#]],
    );
    types(
        text,
        &["expr"],
        expect![[r#"
        expr func(m.I, int) m.I
    "#]],
    );
}

#[test]
fn method_expression_of_promoted_method() {
    let text = r#"
package m

type Base struct{}

func (Base) V() Base { return Base{} }
func (*Base) P()     {}

type T struct{ Base }

type U struct{ *T }

func f(t T, u U) {
    T.V(t).V()
    (*T).P(&t)
    U.P(u)
}

var expr = U.V
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:7 V: m.f -> m.Base.V
        a.go:14:12 V: m.f -> m.Base.V
        a.go:15:10 P: m.f -> m.Base.P
        a.go:16:7 P: m.f -> m.Base.P
    "#]],
    );
    types(
        text,
        &["expr"],
        expect![[r#"
        expr func(m.U) m.Base
    "#]],
    );
}

#[test]
fn method_expression_of_generic_instance() {
    let text = r#"
package m

type Box[E any] struct{ e E }

func (b Box[E]) Get() E   { return b.e }
func (b *Box[E]) Set(e E) {}

type T struct{}

func (T) M() {}

func f(b Box[T]) {
    Box[T].Get(b).M()
    (*Box[T]).Set(&b, T{})
}

var get = Box[string].Get
var set = (*Box[T]).Set
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:12 Get: m.f -> m.Box.Get
        a.go:14:19 M: m.f -> m.T.M
        a.go:15:15 Set: m.f -> m.Box.Set
    "#]],
    );
    types(
        text,
        &["get", "set"],
        expect![[r#"
        get func(m.Box[string]) string
        set func(*m.Box[m.T], m.T)
    "#]],
    );
}
