//! Identity of types, observed by method sets (Go spec, Type identity).

use expect_test::expect;

use super::implements;

#[test]
fn identical_struct_literals_from_two_declarations() {
    let text = r#"
package m

type I interface { M(struct{ a int; B []T }) struct{} }

type T struct{}

func (T) M(x struct{ a int; B []T }) struct{} { return struct{}{} }

type U struct{}

func (U) M(x struct{ B []T; a int }) struct{} { return struct{}{} }

type V struct{}

func (V) M(x struct{ a, b int; B []T }) struct{} { return struct{}{} }
"#;
    implements(
        text,
        expect![[r#"
        m.T -> m.I
    "#]],
    );
}

#[test]
fn struct_tag_is_part_of_identity() {
    implements(
        r#"
package m

type I interface { M(struct{ a int `x:"1"` }) }

type Same struct{}
type None struct{}
type Other struct{}

func (Same) M(struct{ a int "x:\"1\"" })  {}
func (None) M(struct{ a int })            {}
func (Other) M(struct{ a int `x:"2"` })   {}
"#,
        expect![[r#"
            m.Same -> m.I
        "#]],
    );
}

#[test]
fn func_identity_ignores_parameter_names() {
    implements(
        r#"
package m

type I interface { M(f func(a, b int) (ok bool)) func(string) }

type T struct{}

func (*T) M(func(int, int) bool) (result func(name string)) { return nil }

type U struct{}

func (*U) M(func(int) bool) (result func(name string)) { return nil }
"#,
        expect![[r#"
            m.T -> m.I (pointer)
        "#]],
    );
}

#[test]
fn variadic_is_part_of_func_identity() {
    implements(
        r#"
package m

type I interface { M(f func(...int)) }

type Same struct{}
type Slice struct{}

func (Same) M(func(list ...int)) {}
func (Slice) M(func([]int))      {}
"#,
        expect![[r#"
            m.Same -> m.I
        "#]],
    );
}

#[test]
fn channel_direction_is_part_of_identity() {
    implements(
        r#"
package m

type Both interface { M(chan int) }
type In interface { M(<-chan int) }
type Out interface { M(chan<- int) }
type Nested interface { M(chan (<-chan int)) }

type A struct{}
type B struct{}
type C struct{}
type D struct{}

func (A) M(chan int)         {}
func (B) M(<-chan int)       {}
func (C) M(chan<- int)       {}
func (D) M(chan (<-chan int)) {}
"#,
        expect![[r#"
            m.A -> m.Both
            m.B -> m.In
            m.C -> m.Out
            m.D -> m.Nested
        "#]],
    );
}
