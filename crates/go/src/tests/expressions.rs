//! Expressions (Go spec, Expressions): calls, method values, composite literals, conversions.

use expect_test::expect;

use super::{Fixture, calls, references, types};

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
            a.go:16:5 fs: open, function_value
            a.go:16:16 M: m.f -> m.T.M
            a.go:17:5 fs: open, function_value
            a.go:17:16 M: m.f -> m.T.M
            a.go:18:14 N: m.f -> m.Box.N
            a.go:19:22 N: m.f -> m.Box.N
            a.go:20:5 m: open, function_value
            a.go:20:14 M: m.f -> m.T.M
            a.go:23:9 G: open, function_value
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
            a.go:16:5 table: open, function_value
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
        a.go:13:19 list: open, function_value
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
fn call_of_literal_on_the_spot() {
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
    // A local that holds nothing but literals is no function value: its calls belong to the
    // function around it.
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

#[test]
fn composite_keyed_and_positional() {
    references(
        r#"
package m

import "m/b"

type T struct {
    a, b int
    b.Base
}

const b2 = 1

func f(b int) {
    _ = T{1, b, b2Base()}
    _ = T{a: b, b: b2}
    _ = &T{Base: b2Base()}
    _ = [...]int{b2: 1, b}
    _ = []T{b2: {a: 1}}
    _ = map[string]int{"b": b}
    _ = b0{B: b}
}

type b0 = b.Other

func b2Base() b.Base { return b.Base{X: 1} }
//- b/b.go
package b

type Base struct{ X int }

type Other struct{ B int }
"#,
        expect![[r#"
            a.go:8:7 Base: Embed of b.Base
            a.go:14:9 T: Literal of m.T
            a.go:15:9 T: Literal of m.T
            a.go:15:11 a: Key of m.T.a
            a.go:15:17 b: Key of m.T.b
            a.go:15:20 b2: Read of m.b2
            a.go:16:10 T: Literal of m.T
            a.go:16:12 Base: Key of m.T.Base
            a.go:17:18 b2: Read of m.b2
            a.go:18:11 T: Literal of m.T
            a.go:18:13 b2: Read of m.b2
            a.go:18:18 a: Key of m.T.a
            a.go:20:9 b0: Literal of m.b0
            a.go:20:12 B: Key of b.Other.B
            a.go:23:13 Other: Base of b.Other
            a.go:25:17 Base: Result of b.Base
            a.go:25:33 Base: Literal of b.Base
            a.go:25:38 X: Key of b.Base.X
        "#]],
    );
}

#[test]
fn composite_elided_struct_in_slice() {
    let text = r#"
package m

type T struct {
    name string
    f    func() int
    list []T
}

func g() int { return 0 }

var v = []T{
    {name: "a", f: g},
    {"b", func() int { return g() }, nil},
    {list: []T{{name: "c"}, {f: g}}},
}

func f() {
    _ = [2][]T{{{name: "x"}}, {0: {f: g}}}
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:31 g: m -> m.g (in literal)
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:7:12 T: FieldType of m.T
        a.go:12:11 T: Literal of m.T
        a.go:13:6 name: Key of m.T.name
        a.go:13:17 f: Key of m.T.f
        a.go:13:20 g: Value of m.g
        a.go:15:6 list: Key of m.T.list
        a.go:15:14 T: Literal of m.T
        a.go:15:17 name: Key of m.T.name
        a.go:15:30 f: Key of m.T.f
        a.go:15:33 g: Value of m.g
        a.go:19:14 T: Literal of m.T
        a.go:19:18 name: Key of m.T.name
        a.go:19:36 f: Key of m.T.f
        a.go:19:39 g: Value of m.g
    "#]],
    );
}

#[test]
fn composite_elided_pointer_in_map() {
    let text = r#"
package m

type T struct {
    next *T
    m    map[string]*T
}

func (*T) M() {}

func f() {
    m := map[string]*T{"a": {next: nil}, "b": {m: map[string]*T{"c": {next: &T{next: nil}}}}}
    m["a"].M()
    for _, t := range []*T{{next: nil}, {}} { t.M() }
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:13:12 M: m.f -> m.T.M
        a.go:14:49 M: m.f -> m.T.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:5:11 T: FieldType of m.T
        a.go:6:22 T: FieldType of m.T
        a.go:9:8 T: Receiver of m.T
        a.go:12:22 T: Literal of m.T
        a.go:12:30 next: Key of m.T.next
        a.go:12:48 m: Key of m.T.m
        a.go:12:63 T: Literal of m.T
        a.go:12:71 next: Key of m.T.next
        a.go:12:78 T: Literal of m.T
        a.go:12:80 next: Key of m.T.next
        a.go:14:26 T: Literal of m.T
        a.go:14:29 next: Key of m.T.next
    "#]],
    );
}

#[test]
fn composite_elided_map_key() {
    references(
        r#"
package m

type Point struct{ x, y int }

var one = 1

func f() {
    _ = map[Point]string{{x: one}: "a", {1, one}: "b"}
    _ = map[Point]Point{{x: 1}: {y: one}}
    _ = map[[2]Point]bool{{{x: one}, {y: 2}}: true}
}
"#,
        expect![[r#"
            a.go:9:13 Point: Literal of m.Point
            a.go:9:27 x: Key of m.Point.x
            a.go:9:30 one: Read of m.one
            a.go:9:45 one: Read of m.one
            a.go:10:13 Point: Literal of m.Point
            a.go:10:19 Point: Literal of m.Point
            a.go:10:26 x: Key of m.Point.x
            a.go:10:34 y: Key of m.Point.y
            a.go:10:37 one: Read of m.one
            a.go:11:16 Point: Literal of m.Point
            a.go:11:29 x: Key of m.Point.x
            a.go:11:32 one: Read of m.one
            a.go:11:39 y: Key of m.Point.y
        "#]],
    );
}

#[test]
fn composite_of_type_parameter_core() {
    let text = r#"
package m

type T struct{ field int }

func (T) M() {}

func f[S ~[]T, M ~map[string]E, E ~struct{ field2 int }](n int) {
    for _, t := range (S{{field: n}}) { t.M() }
    _ = M{"a": {field2: n}}
    _ = E{field2: n}
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:9:43 M: m.f -> m.T.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:7 T: Receiver of m.T
        a.go:8:13 T: Constraint of m.T
        a.go:9:27 field: Key of m.T.field
        a.go:10:17 field2: Key of m.f.field2
        a.go:11:11 field2: Key of m.f.field2
    "#]],
    );
}

#[test]
fn anonymous_struct_field_definition() {
    let text = r#"
package m

type T struct {
    inner struct{ deep int }
    list  []struct{ item *T }
}

var v = struct{ field T }{field: T{}}

var w struct{ other T }

var table = []any{struct{ cell int }{cell: 1}, func() { _ = struct{ cell int }{cell: 2} }}

func params(p struct{ arg T }) (r struct{ res T }) {
    r.res = p.arg
    return
}

func f(t T) {
    t.inner.deep = 1
    t.list[0].item.inner.deep++
    v.field.inner.deep = w.other.inner.deep
    _ = params(struct{ arg T }{arg: t}).res
    for _, test := range []struct { name string; want T }{
        {name: "a", want: t},
        {"b", t},
    } {
        println(test.name, test.want.inner.deep)
    }
    local := struct{ name T; deep struct{ x int } }{name: t}
    _ = local.name.list
    local.deep.x++
}
"#;
    // Fields of struct literals in bodies are found as locals are.
    let fixture = Fixture::new(text);
    let asked = [
        "struct { ^name string",
        "{^name: \"a\"",
        "test.^name",
        "test.^want",
        "local.deep.^x",
        "local.^name",
        "v.^field",
        "{^cell: 1",
        "{^cell: 2",
    ];
    let found: Vec<String> = asked
        .iter()
        .map(|place| fixture.definition("a.go", place))
        .collect();
    expect![[r#"
        struct { ^name string: local m.f.name at w/a.go:23:37
        {^name: "a": local m.f.name at w/a.go:23:37
        test.^name: local m.f.name at w/a.go:23:37
        test.^want: local m.f.want at w/a.go:23:50
        local.deep.^x: local m.f.x at w/a.go:29:43
        local.^name: local m.f.name at w/a.go:29:22
        v.^field: m.v.field at w/a.go:9:17"#]]
    .assert_eq(&found.join("\n"));
    references(
        text,
        expect![[r#"
        a.go:6:27 T: FieldType of m.T
        a.go:9:23 T: FieldType of m.T
        a.go:9:27 field: Key of m.v.field
        a.go:9:34 T: Literal of m.T
        a.go:11:21 T: FieldType of m.T
        a.go:13:27 T: FieldType of m.T
        a.go:13:47 T: FieldType of m.T
        a.go:14:7 res: Write of m.params.res
        a.go:14:15 arg: Read of m.params.arg
        a.go:18:10 T: Parameter of m.T
        a.go:19:7 inner: Read of m.T.inner
        a.go:19:13 deep: Write of m.T.inner.deep
        a.go:20:7 list: Read of m.T.list
        a.go:20:15 item: Read of m.T.list.item
        a.go:20:20 inner: Read of m.T.inner
        a.go:20:26 deep: ReadWrite of m.T.inner.deep
        a.go:21:5 v: Read of m.v
        a.go:21:7 field: Read of m.v.field
        a.go:21:13 inner: Read of m.T.inner
        a.go:21:19 deep: Write of m.T.inner.deep
        a.go:21:26 w: Read of m.w
        a.go:21:28 other: Read of m.w.other
        a.go:21:34 inner: Read of m.T.inner
        a.go:21:40 deep: Read of m.T.inner.deep
        a.go:22:28 T: FieldType of m.T
        a.go:22:41 res: Read of m.params.res
        a.go:23:55 T: FieldType of m.T
        a.go:27:38 inner: Read of m.T.inner
        a.go:27:44 deep: Read of m.T.inner.deep
        a.go:29:27 T: FieldType of m.T
        a.go:30:20 list: Read of m.T.list
    "#]],
    );
}

#[test]
fn address_of_composite_method_call() {
    calls(
        r#"
package m

type T struct{ n int }

func (*T) M() *T { return nil }

func f() {
    (&T{n: 1}).M().M()
    x := &T{}
    x.M()
    y := &[]T{{1}}
    (*y)[0].M()
    z := &struct{ T }{}
    z.M()
}
"#,
        expect![[r#"
            a.go:9:16 M: m.f -> m.T.M
            a.go:9:20 M: m.f -> m.T.M
            a.go:11:7 M: m.f -> m.T.M
            a.go:13:13 M: m.f -> m.T.M
            a.go:15:7 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn index_of_pointer_to_array() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

type Row [4]T

func f(p *[2]T, r *Row, g *[2]*Row) {
    p[0].M()
    r[1].M()
    g[0][1].M()
    for _, t := range p { t.M() }
    for i := range r { r[i].M() }
}
"#,
        expect![[r#"
            a.go:11:10 M: m.f -> m.T.M
            a.go:12:10 M: m.f -> m.T.M
            a.go:13:13 M: m.f -> m.T.M
            a.go:14:29 M: m.f -> m.T.M
            a.go:15:29 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn slice_of_array_string_and_pointer() {
    types(
        r#"
package m

type Row [4]int
type List []int
type Text string

var array [3]int
var pointer *Row
var list List
var text Text

var a = array[:]
var b = pointer[1:]
var c = list[1:2:3]
var d = text[1:]
var e = "const"[1:]
var f = text[0]
var g = (&array)[:2]
"#,
        &["a", "b", "c", "d", "e", "f", "g"],
        expect![[r#"
            a []int
            b []int
            c m.List
            d m.Text
            e string
            f uint8
            g []int
        "#]],
    );
}

#[test]
fn comma_ok_map_assert_receive() {
    let text = r#"
package m

type T struct{}

func (T) M() {}

func f(m map[string]T, x any, c chan T) {
    a, ok := m[""]
    a.M()
    b, ok := x.(T)
    b.M()
    d, ok := <-c
    d.M()
    var e, ok2 = m[""]
    e.M()
    var g T
    g, ok = x.(T)
    g.M()
    if h, ok := (m[""]); ok { h.M() }
    _, _ = ok, ok2
}

var v, ok = map[string]T{}[""]
var w, ok3 = any(nil).(T)
"#;
    calls(
        text,
        expect![[r#"
        a.go:10:7 M: m.f -> m.T.M
        a.go:12:7 M: m.f -> m.T.M
        a.go:14:7 M: m.f -> m.T.M
        a.go:16:7 M: m.f -> m.T.M
        a.go:19:7 M: m.f -> m.T.M
        a.go:20:33 M: m.f -> m.T.M
    "#]],
    );
    types(
        text,
        &["v", "ok", "w", "ok3"],
        expect![[r#"
        v m.T
        ok bool
        w m.T
        ok3 bool
    "#]],
    );
}

#[test]
fn type_assertion_then_method() {
    calls(
        r#"
package m

type T struct{}

func (*T) M() {}

type I interface{ N() }

func f(x any, i I) {
    x.(*T).M()
    x.(I).N()
    i.(interface{ I; Extra() }).N()
    i.(interface{ I; Extra() }).Extra()
    x.(func() *T)().M()
    x.([]*T)[0].M()
}
"#,
        expect![[r#"
            a.go:11:12 M: m.f -> m.T.M
            a.go:12:11 N: m.f -> m.I.N
            a.go:13:33 N: m.f -> m.I.N
            a.go:14:33 Extra: m.f -> m.f.Extra
            a.go:15:18 (: open, function_value
            a.go:15:21 M: m.f -> m.T.M
            a.go:16:17 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn receive_from_call_then_method() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func ch() <-chan T { return nil }

func chans() chan chan T { return nil }

func f() {
    (<-ch()).M()
    (<-<-chans()).M()
    t := <-ch()
    t.M()
}
"#,
        expect![[r#"
            a.go:13:8 ch: m.f -> m.ch
            a.go:13:14 M: m.f -> m.T.M
            a.go:14:10 chans: m.f -> m.chans
            a.go:14:19 M: m.f -> m.T.M
            a.go:15:12 ch: m.f -> m.ch
            a.go:16:7 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn arithmetic_keeps_named_type() {
    let text = r#"
package m

type D int64

func (D) M() {}

const second D = 1000

func f(d D, n uint) {
    (d * 2).M()
    (2 * d).M()
    (1 + 2*second).M()
    (d << n).M()
    (-d).M()
    (^d).M()
    (+d % 3).M()
}

var a = 3 * second
var b = second / 2 << 1
var c = !(1 < 2)
var e = second == 1
var g = -1.5
"#;
    calls(
        text,
        expect![[r#"
        a.go:11:13 M: m.f -> m.D.M
        a.go:12:13 M: m.f -> m.D.M
        a.go:13:20 M: m.f -> m.D.M
        a.go:14:14 M: m.f -> m.D.M
        a.go:15:10 M: m.f -> m.D.M
        a.go:16:10 M: m.f -> m.D.M
        a.go:17:14 M: m.f -> m.D.M
    "#]],
    );
    types(
        text,
        &["a", "b", "c", "e", "g"],
        expect![[r#"
        a m.D
        b m.D
        c bool
        e bool
        g float64
    "#]],
    );
}

#[test]
fn builtins_min_max_append_copy_results() {
    types(
        r#"
package m

type D int

type List []D

var d D
var list List

var a = min(1, d)
var b = max(1, 2.5)
var c = append(list, 1, 2)
var e = copy(list, []D{1})
var f = append([]byte("x"), "y"...)
var g = len(list)
var h = cap(list)
var i = new(D)
var j = make(List, 3)
var k = make(map[string]D)
var l = complex(1, float32(2))
var n = real(l)
var o = imag(1i)
var p = min("a", "b")
var q = append([]*D(nil), &d)[0]
var r = new(d)
var s = max('a', 1)
"#,
        &[
            "a", "b", "c", "e", "f", "g", "h", "i", "j", "k", "l", "n", "o", "p", "q", "r", "s",
        ],
        expect![[r#"
            a m.D
            b float64
            c m.List
            e int
            f []uint8
            g int
            h int
            i *m.D
            j m.List
            k map[string]m.D
            l complex64
            n float32
            o float64
            p string
            q *m.D
            r *m.D
            s int32
        "#]],
    );
}

#[test]
fn unsafe_functions_and_recover() {
    let text = r#"
package m

import "unsafe"

type T struct{ n int }

func (*T) M() {}

func f(p *T, list []T, s string) {
    defer func() {
        if err, ok := recover().(error); ok { err.Error() }
    }()
    (*T)(unsafe.Pointer(p)).M()
    (*T)(unsafe.Add(unsafe.Pointer(p), 8)).M()
    unsafe.Slice(p, 3)[0].M()
    unsafe.SliceData(list).M()
}

var p *T

var a = unsafe.Sizeof(p)
var b = unsafe.Slice(p, 2)
var c = unsafe.String(unsafe.StringData("x"), 1)
var d = unsafe.Pointer(p)
var e = unsafe.Add(d, 1)
var g = recover()
var h = unsafe.Offsetof(p.n)
"#;
    calls(
        text,
        expect![[r#"
        a.go:12:51 Error: m.f -> error.Error (in literal)
        a.go:14:29 M: m.f -> m.T.M
        a.go:15:44 M: m.f -> m.T.M
        a.go:16:27 M: m.f -> m.T.M
        a.go:17:28 M: m.f -> m.T.M
    "#]],
    );
    types(
        text,
        &["a", "b", "c", "d", "e", "g", "h"],
        expect![[r#"
        a uintptr
        b []m.T
        c string
        d unsafe.Pointer
        e unsafe.Pointer
        g any
        h uintptr
    "#]],
    );
}
