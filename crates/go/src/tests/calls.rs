//! Calls and conversions (Go spec, Calls, Conversions).

use expect_test::expect;

use super::{calls, references};

#[test]
fn conversion_against_call_by_name() {
    let text = r#"
package m

import "m/b"

type T int

func (T) M() {}

func t(int) b.T { return 0 }

func f() {
    T(1).M()
    t(1).N()
    b.T(1).N()
    b.F(1).N()
    {
        T := func(int) b.T { return 0 }
        T(1).N()
    }
    {
        type t struct{ T }
        t(struct{ T }{}).M()
    }
}
//- b/b.go
package b

type T int

func (T) N() {}

func F(int) T { return 0 }
"#;
    calls(
        text,
        expect![[r#"
        a.go:13:10 M: m.f -> m.T.M
        a.go:14:5 t: m.f -> m.t
        a.go:14:10 N: m.f -> b.T.N
        a.go:15:12 N: m.f -> b.T.N
        a.go:16:7 F: m.f -> b.F
        a.go:16:12 N: m.f -> b.T.N
        a.go:19:14 N: m.f -> b.T.N
        a.go:23:26 M: m.f -> m.T.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:8:7 T: Receiver of m.T
        a.go:10:15 T: Result of b.T
        a.go:13:5 T: Conversion of m.T
        a.go:15:7 T: Conversion of b.T
        a.go:18:26 T: Result of b.T
        a.go:22:24 T: Embed of m.T
        a.go:23:9 t: Conversion of m.f.t
        a.go:23:19 T: Embed of m.T
        b/b.go:5:7 T: Receiver of b.T
        b/b.go:7:13 T: Result of b.T
    "#]],
    );
}

#[test]
fn conversion_in_parentheses_pointer() {
    calls(
        r#"
package m

type T struct{}

func (*T) M() {}

type P *T

func f(p P, x any) {
    (*T)(p).M()
    (*T)(nil).M()
    _ = (**T)(nil)
    (*(*T)(p)).M()
    (T)(T{}).V()
    ((*T)(x.(*T))).M()
}

func (T) V() {}
"#,
        expect![[r#"
            a.go:11:13 M: m.f -> m.T.M
            a.go:12:15 M: m.f -> m.T.M
            a.go:14:16 M: m.f -> m.T.M
            a.go:15:14 V: m.f -> m.T.V
            a.go:16:20 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn conversion_of_func_literal_to_named_func() {
    calls(
        r#"
package m

type Handler func(string) T

func (h Handler) Serve() { h("") }

type T struct{}

func (T) M() {}

func f() {
    Handler(func(s string) T { return T{} }).Serve()
    Handler(func(s string) T { inner(); return T{} })("").M()
    (func())(nil)()
}

func inner() {}
"#,
        expect![[r#"
            a.go:6:28 h: open, function_value
            a.go:13:46 Serve: m.f -> m.Handler.Serve
            a.go:14:32 inner: m.f -> m.inner (in literal)
            a.go:14:54 (: open, function_value
            a.go:14:59 M: m.f -> m.T.M
            a.go:15:18 (: open, function_value
        "#]],
    );
}

#[test]
fn call_on_conversion_result() {
    calls(
        r#"
package m

type List []T

func (List) Len() int { return 0 }

type T struct{}

func (T) M() {}

type I interface{ M() }

func f(x []T) {
    List(x).Len()
    List(x)[0].M()
    []T(List(x))[0].M()
    I(x[0]).M()
    interface{ M() }(x[0]).M()
    map[string]T(nil)[""].M()
    any(x).(List).Len()
}
"#,
        expect![[r#"
            a.go:15:13 Len: m.f -> m.List.Len
            a.go:16:16 M: m.f -> m.T.M
            a.go:17:21 M: m.f -> m.T.M
            a.go:18:13 M: m.f -> m.I.M
            a.go:19:28 M: m.f -> m.f.M
            a.go:20:27 M: m.f -> m.T.M
            a.go:21:19 Len: m.f -> m.List.Len
        "#]],
    );
}

#[test]
fn chained_calls_across_packages() {
    calls(
        r#"
package m

import "m/b"

func f() {
    b.New().With(1).With(2).Build().Run()
    b.Default.With(3).Build().Run()
}
//- b/b.go
package b

import "m/c"

type Builder struct{}

var Default = New()

func New() *Builder                  { return &Builder{} }
func (b *Builder) With(int) *Builder { return b }
func (b *Builder) Build() *c.Task    { return nil }
//- c/c.go
package c

type Task struct{}

func (*Task) Run() {}
"#,
        expect![[r#"
            a.go:7:7 New: m.f -> b.New
            a.go:7:13 With: m.f -> b.Builder.With
            a.go:7:21 With: m.f -> b.Builder.With
            a.go:7:29 Build: m.f -> b.Builder.Build
            a.go:7:37 Run: m.f -> c.Task.Run
            a.go:8:15 With: m.f -> b.Builder.With
            a.go:8:23 Build: m.f -> b.Builder.Build
            a.go:8:31 Run: m.f -> c.Task.Run
            b/b.go:7:15 New: b -> b.New
        "#]],
    );
}

#[test]
fn call_of_call_result() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func get() func() func() T { return nil }

func f() {
    get()()().M()
    get()()
}
"#,
        expect![[r#"
            a.go:11:5 get: m.f -> m.get
            a.go:11:10 (: open, function_value
            a.go:11:12 (: open, function_value
            a.go:11:15 M: m.f -> m.T.M
            a.go:12:5 get: m.f -> m.get
            a.go:12:10 (: open, function_value
        "#]],
    );
}

#[test]
fn call_with_tuple_argument() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) N() {}

func two() (A, B)              { return A{}, B{} }
func take(A, B) A              { return A{} }
func rest(a A, list ...B) A    { return a }
func Swap[X, Y any](x X, y Y) (Y, X) { return y, x }

func f() {
    take(two()).M()
    rest(two()).M()
    b, a := Swap(two())
    b.N()
    a.M()
    a, b = Swap(Swap(two()))
    x, y := Swap(Swap(two()))
    x.M()
    y.N()
}
"#,
        expect![[r#"
            a.go:16:5 take: m.f -> m.take
            a.go:16:10 two: m.f -> m.two
            a.go:16:17 M: m.f -> m.A.M
            a.go:17:5 rest: m.f -> m.rest
            a.go:17:10 two: m.f -> m.two
            a.go:17:17 M: m.f -> m.A.M
            a.go:18:13 Swap: m.f -> m.Swap
            a.go:18:18 two: m.f -> m.two
            a.go:19:7 N: m.f -> m.B.N
            a.go:20:7 M: m.f -> m.A.M
            a.go:21:12 Swap: m.f -> m.Swap
            a.go:21:17 Swap: m.f -> m.Swap
            a.go:21:22 two: m.f -> m.two
            a.go:22:13 Swap: m.f -> m.Swap
            a.go:22:18 Swap: m.f -> m.Swap
            a.go:22:23 two: m.f -> m.two
            a.go:23:7 M: m.f -> m.A.M
            a.go:24:7 N: m.f -> m.B.N
        "#]],
    );
}

#[test]
fn call_of_index_expression_element() {
    calls(
        r#"
package m

type T struct{}

func (*T) M() {}

func f(list []*T, grid [][]T, m map[string]*T, s string) {
    list[0].M()
    grid[1][2].M()
    m["a"].M()
    m[s[1:]].M()
    list[len(list)-1].M()
}
"#,
        expect![[r#"
            a.go:9:13 M: m.f -> m.T.M
            a.go:10:16 M: m.f -> m.T.M
            a.go:11:12 M: m.f -> m.T.M
            a.go:12:14 M: m.f -> m.T.M
            a.go:13:23 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn instantiation_against_index_with_one_argument() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func G[E any](e E) E { return e }

type Box[E any] struct{ e E }

func (Box[E]) N() {}

func f(fs []func(T) T, i int, m map[string]func() T) {
    G[T](T{}).M()
    fs[i](T{}).M()
    fs[0](T{}).M()
    Box[T]{}.N()
    Box[T](Box[T]{}).N()
    m["x"]().M()
    {
        G := fs
        G[i](T{}).M()
    }
}
"#,
        expect![[r#"
            a.go:15:5 G: m.f -> m.G
            a.go:15:15 M: m.f -> m.T.M
            a.go:16:10 (: open, function_value
            a.go:16:16 M: m.f -> m.T.M
            a.go:17:10 (: open, function_value
            a.go:17:16 M: m.f -> m.T.M
            a.go:18:14 N: m.f -> m.Box.N
            a.go:19:22 N: m.f -> m.Box.N
            a.go:20:11 (: open, function_value
            a.go:20:14 M: m.f -> m.T.M
            a.go:23:13 (: open, function_value
            a.go:23:19 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn call_of_map_of_funcs() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

var table = map[string]func(int) T{
    "a": one,
    "b": func(n int) T { return one(n) },
}

func one(int) T { return T{} }

func f(name string) {
    table[name](1).M()
    if g, ok := table[name]; ok {
        g(2).M()
    }
    for _, g := range table {
        g(3).M()
    }
}
"#,
        expect![[r#"
            a.go:10:33 one: m -> m.one (in literal)
            a.go:16:16 (: open, function_value
            a.go:16:20 M: m.f -> m.T.M
            a.go:18:9 g: open, function_value
            a.go:18:14 M: m.f -> m.T.M
            a.go:21:9 g: open, function_value
            a.go:21:14 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn call_of_field_func() {
    let text = r#"
package m

type T struct {
    run  func() *T
    list []func()
}

func (*T) M() {}

func f(t *T) {
    t.run().M()
    t.run().run().list[0]()
    (*t).run()
}
"#;
    calls(
        text,
        expect![[r#"
            a.go:12:7 run: open, function_value
            a.go:12:13 M: m.f -> m.T.M
            a.go:13:7 run: open, function_value
            a.go:13:13 run: open, function_value
            a.go:13:26 (: open, function_value
            a.go:14:10 run: open, function_value
        "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:5:18 T: Result of m.T
        a.go:9:8 T: Receiver of m.T
        a.go:11:11 T: Parameter of m.T
        a.go:12:7 run: Read of m.T.run
        a.go:13:7 run: Read of m.T.run
        a.go:13:13 run: Read of m.T.run
        a.go:13:19 list: Read of m.T.list
        a.go:14:10 run: Read of m.T.run
    "#]],
    );
}

#[test]
fn call_of_literal_immediately() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func f() {
    func() T { helper(); return T{} }().M()
    go func(t T) { t.M() }(T{})
    defer func() {
        func() { helper() }()
    }()
}

func helper() {}

var v = func() T { helper(); return T{} }()
"#,
        expect![[r#"
            a.go:9:16 helper: m.f -> m.helper (in literal)
            a.go:9:41 M: m.f -> m.T.M
            a.go:10:22 M: m.f -> m.T.M (in literal)
            a.go:12:18 helper: m.f -> m.helper (in literal)
            a.go:18:20 helper: m -> m.helper (in literal)
        "#]],
    );
}

#[test]
fn local_closure_bound_once() {
    // A local that holds only function literals is no function value: its calls belong to the
    // enclosing function.
    calls(
        r#"
package m

func helper() {}

func f(other func()) {
    once := func() { helper() }
    once()
    var later func()
    later = func() { later() }
    later()
    changed := func() {}
    changed()
    changed = other
    addressed := func() {}
    set(&addressed)
    addressed()
    other()
    fromCall := make1()
    fromCall()
    a, b := func() {}, other
    a()
    b()
}

func set(*func()) {}
func make1() func() { return nil }
"#,
        expect![[r#"
            a.go:7:22 helper: m.f -> m.helper (in literal)
            a.go:13:5 changed: open, function_value
            a.go:16:5 set: m.f -> m.set
            a.go:17:5 addressed: open, function_value
            a.go:18:5 other: open, function_value
            a.go:19:17 make1: m.f -> m.make1
            a.go:20:5 fromCall: open, function_value
            a.go:23:5 b: open, function_value
        "#]],
    );
}

#[test]
fn variadic_spread_and_elements() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func all(prefix string, list ...T) []T { return list }

func each(fs ...func(T)) {
    for _, f := range fs { f(T{}) }
}

func f(list []T) {
    all("")[0].M()
    all("", T{}, list[0])[0].M()
    all("", list...)[0].M()
    each(T.M, func(t T) { t.M() })
    last := func(list ...T) T { return list[0] }
    last(list...).M()
}
"#,
        expect![[r#"
            a.go:11:28 f: open, function_value
            a.go:15:5 all: m.f -> m.all
            a.go:15:16 M: m.f -> m.T.M
            a.go:16:5 all: m.f -> m.all
            a.go:16:30 M: m.f -> m.T.M
            a.go:17:5 all: m.f -> m.all
            a.go:17:25 M: m.f -> m.T.M
            a.go:18:5 each: m.f -> m.each
            a.go:18:29 M: m.f -> m.T.M (in literal)
            a.go:20:19 M: m.f -> m.T.M
        "#]],
    );
}
