//! Method sets (Go spec, Method sets, Struct types).

use expect_test::expect;

use super::{calls, implements};

#[test]
fn value_receiver_in_both_sets() {
    implements(
        r#"
package m

type I interface{ M() }

type T struct{}

func (T) M() {}

var _ I = T{}
var _ I = &T{}
"#,
        expect![[r#"
            m.T -> m.I
        "#]],
    );
}

#[test]
fn pointer_receiver_only_in_pointer_set() {
    implements(
        r#"
package m

type I interface { M(); N() }

type T struct{}

func (T) M()  {}
func (*T) N() {}
"#,
        expect![[r#"
            m.T -> m.I (pointer)
        "#]],
    );
}

#[test]
fn promoted_through_embedded_pointer_reaches_value_set() {
    implements(
        r#"
package m

type I interface{ M() }

type B struct{}

func (*B) M() {}

type ByPointer struct{ *B }

type Outer struct{ ByPointer }
"#,
        expect![[r#"
            m.B -> m.I (pointer)
            m.ByPointer -> m.I
            m.Outer -> m.I
        "#]],
    );
}

#[test]
fn promoted_pointer_method_not_in_value_set() {
    implements(
        r#"
package m

type I interface{ M() }

type B struct{}

func (*B) M() {}

type ByValue struct{ B }

type Outer struct{ *ByValue }
"#,
        expect![[r#"
            m.B -> m.I (pointer)
            m.ByValue -> m.I (pointer)
            m.Outer -> m.I
        "#]],
    );
}

#[test]
fn shallower_field_hides_deeper_method() {
    let text = r#"
package m

type I interface{ M() }

type Deep struct{}

func (Deep) M() {}

type T struct {
    Deep
    M func()
}

func f(t T) {
    t.M()
    t.Deep.M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:16:7 M: open, function_value
        a.go:17:12 M: m.f -> m.Deep.M
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.Deep -> m.I
    "#]],
    );
}

#[test]
fn same_type_reached_by_two_paths_is_ambiguous() {
    let text = r#"
package m

type I interface{ M() }

type Base struct{}

func (Base) M() {}

type A struct{ Base }
type B struct{ *Base }

type T struct { A; B }

func f(t T) {
    t.M()
    t.A.M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:16:7 M: open, unknown_receiver
        a.go:17:9 M: m.f -> m.Base.M
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.A -> m.I
        m.B -> m.I
        m.Base -> m.I
    "#]],
    );
}

#[test]
fn embedded_interface_in_struct_promotes() {
    let text = r#"
package m

type I interface{ M() }

type T struct{ I }

type Two struct {
    I
    error
}

func f(t T, two *Two) {
    t.M()
    two.M()
    _ = two.Error()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:7 M: m.f -> m.I.M
        a.go:15:9 M: m.f -> m.I.M
        a.go:16:13 Error: m.f -> error.Error
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.T -> m.I
        m.Two -> error
        m.Two -> m.I
    "#]],
    );
}

#[test]
fn embedded_interface_overridden_by_method() {
    calls(
        r#"
package m

type I interface { M(); N() }

type T struct{ I }

func (t T) M() { t.I.M() }

func f(t T) {
    t.M()
    t.N()
}
"#,
        expect![[r#"
            a.go:8:22 M: m.T.M -> m.I.M
            a.go:11:7 M: m.f -> m.T.M
            a.go:12:7 N: m.f -> m.I.N
        "#]],
    );
}

#[test]
fn embedded_generic_instance() {
    let text = r#"
package m

type I interface{ Get() int }

type Box[E any] struct{ e E }

func (b Box[E]) Get() E { return b.e }

type T struct{ Box[int] }

type U[P any] struct{ *Box[P] }

type Item struct{}

func (Item) M() {}

func f(t T, u U[Item]) {
    _ = t.Get()
    _ = t.Box.Get()
    u.Get().M()
    u.e.M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:19:11 Get: m.f -> m.Box.Get
        a.go:20:15 Get: m.f -> m.Box.Get
        a.go:21:7 Get: m.f -> m.Box.Get
        a.go:21:13 M: m.f -> m.Item.M
        a.go:22:9 M: m.f -> m.Item.M
    "#]],
    );
    implements(
        text,
        expect![[r#"
        m.Box[int] -> m.I
        m.T -> m.I
    "#]],
    );
}
