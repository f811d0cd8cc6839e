//! The common cases together: functions, methods, fields, interfaces, generics over two packages.

use expect_test::expect;

use super::Fixture;

#[test]
fn calls_through_functions_methods_fields_and_interfaces_find_their_declaration() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m

import "m/b"

type T struct { b.Base; inner *T; f func() }

func (t *T) Run(n int) error { return nil }

func helper() (*T, error) { return &T{}, nil }

func main() {
    t, err := helper()
    t.Run(1)
    t.inner.inner.Run(2)
    t.Hello()
    _ = err.Error()
    var r b.Runner = t
    r.Run(3)
    b.Make[int](4).Get()
    for _, x := range []*T{t} { x.Run(5) }
    t.f()
    g := func() { helper() }
    g()
    b.Map([]T{}, func(t T) *T { return &t })[0].Run(6)
}

var x, _ = helper()

func init() { x.Run(7) }
//- b/b.go
package b

type Base struct{}

func (Base) Hello() {}

type Runner interface { Run(n int) error }

type Box[E any] struct { e E }

func (b Box[E]) Get() E { return b.e }

func Make[E any](e E) Box[E] { return Box[E]{e} }

func Map[S ~[]E, E, R any](s S, f func(E) R) []R { return nil }
"#,
    );
    expect![[r#"
        a.go:12:15 helper: m.main -> m.helper
        a.go:13:7 Run: m.main -> m.T.Run
        a.go:14:19 Run: m.main -> m.T.Run
        a.go:15:7 Hello: m.main -> b.Base.Hello
        a.go:16:13 Error: m.main -> error.Error
        a.go:18:7 Run: m.main -> b.Runner.Run
        a.go:19:7 Make: m.main -> b.Make
        a.go:19:20 Get: m.main -> b.Box.Get
        a.go:20:35 Run: m.main -> m.T.Run
        a.go:21:7 f: open, function_value
        a.go:22:19 helper: m.main -> m.helper (in literal)
        a.go:24:7 Map: m.main -> b.Map
        a.go:24:49 Run: m.main -> m.T.Run
        a.go:27:12 helper: m -> m.helper
        a.go:29:17 Run: m.init -> m.T.Run
    "#]]
    .assert_eq(&fixture.calls());
    expect![[r#"
        m.T -> b.Runner (pointer)
    "#]]
    .assert_eq(&fixture.implements());
}
