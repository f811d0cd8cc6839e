//! Type inference (Go spec, Type inference, Type unification).

use expect_test::expect;

use super::{calls, types};

#[test]
fn generic_call_inferred_from_one_argument() {
    types(
        r#"
package m

type T struct{}

func Id[E any](e E) E { return e }
func Ptr[E any](e E) *E { return &e }
func Two[A, B any](a A, b B) (B, A) { return b, a }
func Only[R, A any](a A) map[string]A { return nil }

var a = Id(T{})
var b = Ptr(&T{})
var c, d = Two(1, T{})
var e = Only[int](T{})
var f = Id(Id[string])
"#,
        &["a", "b", "c", "d", "e", "f"],
        expect![[r#"
            a m.T
            b **m.T
            c m.T
            d int
            e map[string]m.T
            f func(string) string
        "#]],
    );
}

#[test]
fn inferred_from_slice_element() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func First[E any](list []E) E                { return list[0] }
func Last[E any](list ...E) E                { return list[0] }
func Deep[E any](list [][]map[string]*E) E   { return *list[0][0][""] }
func Of[E any](list *[2]E) E                 { return list[0] }

func f(list []T, deep [][]map[string]*T) {
    First(list).M()
    First([]*T{})
    Last(T{}, T{}).M()
    Last(list...).M()
    Deep(deep).M()
    Of(&[2]T{}).M()
    Of(&[...]T{{}, {}}).M()
}
"#,
        expect![[r#"
            a.go:14:5 First: m.f -> m.First
            a.go:14:17 M: m.f -> m.T.M
            a.go:15:5 First: m.f -> m.First
            a.go:16:5 Last: m.f -> m.Last
            a.go:16:20 M: m.f -> m.T.M
            a.go:17:5 Last: m.f -> m.Last
            a.go:17:19 M: m.f -> m.T.M
            a.go:18:5 Deep: m.f -> m.Deep
            a.go:18:16 M: m.f -> m.T.M
            a.go:19:5 Of: m.f -> m.Of
            a.go:19:17 M: m.f -> m.T.M
            a.go:20:5 Of: m.f -> m.Of
            a.go:20:25 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn inferred_from_map_and_func_arguments() {
    calls(
        r#"
package m

type K string
type V struct{}

func (K) OfKey() {}
func (V) OfValue() {}

func Keys[K comparable, V any](m map[K]V) []K { return nil }
func Map[A, B any](list []A, f func(A) B) []B  { return nil }
func Fold[A, R any](list []A, start R, f func(R, A) (R, error)) R { return start }

type Table map[K]V

func toV(K) V { return V{} }

func f(m map[K]V, t Table) {
    Keys(m)[0].OfKey()
    Keys(t)[0].OfKey()
    Map(Keys(m), toV)[0].OfValue()
    Map([]V{}, func(v V) *K { return nil })[0].OfKey()
    Fold([]K{}, V{}, func(v V, k K) (V, error) { return v, nil }).OfValue()
    Map([]K{}, K.toV)[0].OfValue()
}

func (k K) toV() V { return V{} }
"#,
        expect![[r#"
            a.go:19:5 Keys: m.f -> m.Keys
            a.go:19:16 OfKey: m.f -> m.K.OfKey
            a.go:20:5 Keys: m.f -> m.Keys
            a.go:20:16 OfKey: m.f -> m.K.OfKey
            a.go:21:5 Map: m.f -> m.Map
            a.go:21:9 Keys: m.f -> m.Keys
            a.go:21:26 OfValue: m.f -> m.V.OfValue
            a.go:22:5 Map: m.f -> m.Map
            a.go:22:48 OfKey: m.f -> m.K.OfKey
            a.go:23:5 Fold: m.f -> m.Fold
            a.go:23:67 OfValue: m.f -> m.V.OfValue
            a.go:24:5 Map: m.f -> m.Map
            a.go:24:26 OfValue: m.f -> m.V.OfValue
        "#]],
    );
}

#[test]
fn inferred_through_named_slice_core_type() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

type List []T

func (List) Len() int { return 0 }

func Clone[S ~[]E, E any](s S) S         { return s }
func Max[S ~[]E, E any](s S) E           { return s[0] }
func Group[M ~map[K]S, S ~[]E, K comparable, E any](m M) (K, E) { panic(0) }

type Groups map[string]List

func f(list List, plain []T, g Groups) {
    Clone(list).Len()
    Clone(plain)[0].M()
    Max(list).M()
    _, e := Group(g)
    e.M()
}
"#,
        expect![[r#"
            a.go:19:5 Clone: m.f -> m.Clone
            a.go:19:17 Len: m.f -> m.List.Len
            a.go:20:5 Clone: m.f -> m.Clone
            a.go:20:21 M: m.f -> m.T.M
            a.go:21:5 Max: m.f -> m.Max
            a.go:21:15 M: m.f -> m.T.M
            a.go:22:13 Group: m.f -> m.Group
            a.go:23:7 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn inferred_from_channel_direction() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

type Stream chan T

func Recv[E any](c <-chan E) E          { return <-c }
func Send[E any](c chan<- E, e E) E     { return e }
func Any[C ~chan E | ~<-chan E, E any](c C) E { return <-c }
func Same[C any](a, b C) C              { return a }

func f(both chan T, named Stream, in <-chan T, out chan<- T) {
    Recv(both).M()
    Recv(named).M()
    Recv(in).M()
    Send(both, T{}).M()
    Send(out, T{}).M()
    (<-Same(both, in)).M()
    (<-Same(in, both)).M()
}
"#,
        expect![[r#"
            a.go:16:5 Recv: m.f -> m.Recv
            a.go:16:16 M: m.f -> m.T.M
            a.go:17:5 Recv: m.f -> m.Recv
            a.go:17:17 M: m.f -> m.T.M
            a.go:18:5 Recv: m.f -> m.Recv
            a.go:18:14 M: m.f -> m.T.M
            a.go:19:5 Send: m.f -> m.Send
            a.go:19:21 M: m.f -> m.T.M
            a.go:20:5 Send: m.f -> m.Send
            a.go:20:20 M: m.f -> m.T.M
            a.go:21:8 Same: m.f -> m.Same
            a.go:21:24 M: m.f -> m.T.M
            a.go:22:8 Same: m.f -> m.Same
            a.go:22:24 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn inferred_from_constraint_method() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

type Source struct{}

func (*Source) Next() (T, bool) { return T{}, false }

type Iterator[E any] interface{ Next() (E, bool) }

func Drain[I Iterator[E], E any](it I) E            { e, _ := it.Next(); return e }
func Take[I interface{ Next() (E, bool) }, E any](it I) E { e, _ := it.Next(); return e }
func Of[E any](it Iterator[E]) E                    { e, _ := it.Next(); return e }

func f(s *Source, it Iterator[T]) {
    Drain(s).M()
    Take(s).M()
    Of(it).M()
    Of[T](s).M()
}
"#,
        expect![[r#"
            a.go:14:66 Next: m.Drain -> m.Iterator.Next
            a.go:15:72 Next: m.Take -> m.Take.Next
            a.go:16:66 Next: m.Of -> m.Iterator.Next
            a.go:19:5 Drain: m.f -> m.Drain
            a.go:19:14 M: m.f -> m.T.M
            a.go:20:5 Take: m.f -> m.Take
            a.go:20:13 M: m.f -> m.T.M
            a.go:21:5 Of: m.f -> m.Of
            a.go:21:12 M: m.f -> m.T.M
            a.go:22:5 Of: m.f -> m.Of
            a.go:22:14 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn inferred_from_untyped_constants_greatest_kind() {
    types(
        r#"
package m

func Add[N any](a, b N) N { return a }
func Many[N any](list ...N) N { return list[0] }

var a = Add(1, 2)
var b = Add(1, 2.0)
var c = Add('x', 1)
var d = Add(1.5, 2i)
var e = Many(1, 'x', 2.5, 3)
var f = Add("a", "b")
var g = Add(1 < 2, true)
var h = Add('x', 1.0)
"#,
        &["a", "b", "c", "d", "e", "f", "g", "h"],
        expect![[r#"
            a int
            b float64
            c int32
            d complex128
            e float64
            f string
            g bool
            h float64
        "#]],
    );
}

#[test]
fn typed_argument_beats_untyped_constant() {
    types(
        r#"
package m

type Celsius float64

func Add[N any](a, b N) N { return a }
func Pick[N any](list []N, n N) N { return n }

var c Celsius

var a = Add(c, 1)
var b = Add(1, c)
var d = Add(int8(1), 2)
var e = Pick([]Celsius{}, 3)
var f = Add(2, uint16(1)<<3)
"#,
        &["a", "b", "d", "e", "f"],
        expect![[r#"
            a m.Celsius
            b m.Celsius
            d int8
            e m.Celsius
            f uint16
        "#]],
    );
}

#[test]
fn partial_explicit_arguments() {
    let text = r#"
package m

type T struct{}

func (T) M() {}

func Convert[To, From any](f From) To { panic(0) }
func Collect[S ~[]E, E any](e E) S  { return nil }

type List []T

func (List) Len() int { return 0 }

func f() {
    Convert[T](1).M()
    Convert[T, string]("").M()
    Collect[List](T{}).Len()
    g := Convert[T, int]
    g(1).M()
}

var a = Convert[*T](1)
var b = Convert[T, int]
"#;
    calls(
        text,
        expect![[r#"
        a.go:16:5 Convert: m.f -> m.Convert
        a.go:16:19 M: m.f -> m.T.M
        a.go:17:5 Convert: m.f -> m.Convert
        a.go:17:28 M: m.f -> m.T.M
        a.go:18:5 Collect: m.f -> m.Collect
        a.go:18:24 Len: m.f -> m.List.Len
        a.go:20:5 g: open, function_value
        a.go:20:10 M: m.f -> m.T.M
        a.go:23:9 Convert: m -> m.Convert
    "#]],
    );
    types(
        text,
        &["a", "b"],
        expect![[r#"
        a *m.T
        b func(int) m.T
    "#]],
    );
}

#[test]
fn generic_function_as_argument() {
    types(
        r#"
package m

type T struct{}

func Map[A, B any](list []A, f func(A) B) []B { return nil }
func Apply[A any](f func(A), a A) A { return a }
func Compose[A, B, C any](f func(A) B, g func(B) C) func(A) C { return nil }

func Ptr[E any](e E) *E { return &e }
func Slice[E any](e E) []E { return nil }
func Print[E any](e E) {}
func Named(string) T { return T{} }

var a = Map([]T{}, Ptr)
var b = Apply(Print, T{})
var c = Compose(Named, Ptr)
var d = Compose(Named, Slice[T])
var e = Map(Map([]T{}, Ptr), Slice)
var f = Compose(Ptr[int], Ptr)
"#,
        &["a", "b", "c", "d", "e", "f"],
        expect![[r#"
            a []*m.T
            b m.T
            c func(string) *m.T
            d func(string) []m.T
            e [][]*m.T
            f func(int) **int
        "#]],
    );
}

#[test]
fn generic_function_assigned_to_func_variable() {
    let text = r#"
package m

type T struct{}

func (T) M() {}

func Id[E any](e E) E { return e }

var v func(T) T = Id

func f() {
    var local func(T) T = Id
    local = Id
    local(T{}).M()
    v(T{}).M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:15:5 local: open, function_value
        a.go:15:16 M: m.f -> m.T.M
        a.go:16:5 v: open, function_value
        a.go:16:12 M: m.f -> m.T.M
    "#]],
    );
}

#[test]
fn generic_function_returned() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func Id[E any](e E) E { return e }

func pick() func(T) T { return Id }

func curry[E any](e E) func() E { return func() E { return e } }

func f() {
    pick()(T{}).M()
    curry(T{})().M()
}
"#,
        expect![[r#"
            a.go:15:5 pick: m.f -> m.pick
            a.go:15:11 (: open, function_value
            a.go:15:17 M: m.f -> m.T.M
            a.go:16:5 curry: m.f -> m.curry
            a.go:16:15 (: open, function_value
            a.go:16:18 M: m.f -> m.T.M
        "#]],
    );
}
