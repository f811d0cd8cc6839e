//! Types and the interfaces that they implement (Go spec, Implementing an interface).

use expect_test::expect;

use super::{implements, references};

#[test]
fn implements_by_value() {
    implements(
        r#"
package m

type I interface { M(n int) (string, error) }

type Struct struct{}
type Func func()
type Map map[string]int
type Number int

func (Struct) M(int) (string, error)       { return "", nil }
func (Func) M(n int) (s string, err error) { return "", nil }
func (Map) M(x int) (string, error)        { return "", nil }
func (Number) M(_ int) (string, error)     { return "", nil }
"#,
        expect![[r#"
            m.Func -> m.I
            m.Map -> m.I
            m.Number -> m.I
            m.Struct -> m.I
        "#]],
    );
}

#[test]
fn implements_only_by_pointer() {
    implements(
        r#"
package m

type I interface{ M() }

type T struct{}

func (*T) M() {}

type Number int

func (n *Number) M() {}
"#,
        expect![[r#"
            m.Number -> m.I (pointer)
            m.T -> m.I (pointer)
        "#]],
    );
}

#[test]
fn implements_through_promotion() {
    implements(
        r#"
package m

type I interface { M(); N() }

type A struct{}
type B struct{}

func (A) M()  {}
func (*B) N() {}

type T struct { A; B }
type U struct { A; *B }
"#,
        expect![[r#"
            m.T -> m.I (pointer)
            m.U -> m.I
        "#]],
    );
}

#[test]
fn implements_through_embedded_interface() {
    implements(
        r#"
package m

type I interface { M(); N() }

type OnlyM interface{ M() }

type T struct{ OnlyM }

func (T) N() {}

type Whole struct{ I }
"#,
        expect![[r#"
            m.T -> m.I
            m.T -> m.OnlyM
            m.Whole -> m.I
            m.Whole -> m.OnlyM
        "#]],
    );
}

#[test]
fn not_implemented_by_signature_difference() {
    implements(
        r#"
package m

type I interface { M(n int, list ...string) error }

type Result struct{}
type Kind struct{}
type Variadic struct{}
type Extra struct{}
type Right struct{}

func (Result) M(int, ...string)             {}
func (Kind) M(int64, ...string) error       { return nil }
func (Variadic) M(int, []string) error      { return nil }
func (Extra) M(int, int, ...string) error   { return nil }
func (Right) M(a int, b ...string) (e error) { return nil }
"#,
        expect![[r#"
            m.Right -> m.I
        "#]],
    );
}

#[test]
fn not_implemented_by_ambiguous_method() {
    implements(
        r#"
package m

type I interface{ M() }

type A struct{}
type B struct{}

func (A) M() {}
func (B) M() {}

type T struct { A; B }

type Settled struct { A; B }

func (*Settled) M() {}
"#,
        expect![[r#"
            m.A -> m.I
            m.B -> m.I
            m.Settled -> m.I (pointer)
        "#]],
    );
}

#[test]
fn implements_with_alias_in_signature() {
    implements(
        r#"
package m

import "m/b"

type I interface {
    M(x Alias, y any, z byte, r rune) b.List[int]
}

type Alias = map[string]*b.T

type T struct{}

func (T) M(x map[string]*b.T, y interface{}, z uint8, r int32) []int { return nil }
//- b/b.go
package b

type T struct{}

type List[E any] = []E
"#,
        expect![[r#"
            m.T -> m.I
        "#]],
    );
}

#[test]
fn implements_with_anonymous_interface_in_signature() {
    implements(
        r#"
package m

type Named interface{ Name() string }

type Both interface { Named; Size() int }

type I interface { M(x interface { Named; Size() int }, f func(interface{ error })) }

type Same struct{}
type Flat struct{}
type Other struct{}
type Less struct{}

func (Same) M(interface { Size() int; Named }, func(interface { Error() string }))         {}
func (Flat) M(interface { Name() string; Size() int }, func(interface{ Error() string })) {}
func (Other) M(Both, func(interface{ error }))                                            {}
func (Less) M(interface{ Name() string }, func(interface{ error }))                       {}
"#,
        expect![[r#"
            m.Flat -> m.I
            m.Same -> m.I
        "#]],
    );
}

#[test]
fn empty_interface_not_listed() {
    implements(
        r#"
package m

type Empty interface{}

type AlsoEmpty any

type T struct{}

func (T) M() {}
"#,
        expect![[""]],
    );
}

#[test]
fn constraint_interface_not_listed() {
    implements(
        r#"
package m

type Constraint interface { ~int; M() }

type Comparable interface { comparable; M() }

type Embedding interface { Constraint }

type Plain interface{ M() }

type T int

func (T) M() {}
"#,
        expect![[r#"
            m.T -> m.Plain
        "#]],
    );
}

#[test]
fn local_type_implements_package_interface() {
    let text = r#"
package m

type I interface { M(); N() }

type Base struct{}

func (*Base) M() {}
func (Base) N()  {}

func f() I {
    type local struct {
        Base
        extra int
    }
    type pointer struct{ *Base }
    type wrapped struct{ I }
    l := &local{extra: 1}
    l.M()
    l.extra++
    _ = pointer{}
    _ = wrapped{}
    return l
}

var v = func() I {
    type inner struct{ *Base }
    return inner{}
}()
"#;
    implements(
        text,
        expect![[r#"
        m.Base -> m.I (pointer)
        m.f.local -> m.I (pointer)
        m.f.pointer -> m.I
        m.f.wrapped -> m.I
        m.v.inner -> m.I
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:8:8 Base: Receiver of m.Base
        a.go:9:7 Base: Receiver of m.Base
        a.go:11:10 I: Result of m.I
        a.go:13:9 Base: Embed of m.Base
        a.go:16:27 Base: Embed of m.Base
        a.go:17:26 I: Embed of m.I
        a.go:18:11 local: Literal of m.f.local
        a.go:18:17 extra: Key of m.f.local.extra
        a.go:20:7 extra: ReadWrite of m.f.local.extra
        a.go:21:9 pointer: Literal of m.f.pointer
        a.go:22:9 wrapped: Literal of m.f.wrapped
        a.go:26:16 I: Result of m.I
        a.go:27:25 Base: Embed of m.Base
        a.go:28:12 inner: Literal of m.v.inner
    "#]],
    );
}
