//! For statements with range clause (Go spec, For statements with range clause).

use expect_test::expect;

use super::{calls, references};

#[test]
fn range_int_untyped_and_typed() {
    calls(
        r#"
package m

type N int8

func (N) M() {}

func f(n N) {
    for i := range n { i.M() }
    for i := range N(3) { i.M() }
    for i := range 10 { N(i).M() }
    const c N = 4
    for i := range c { i.M() }
    for i := range len("abc") { N(i).M() }
    for range n { n.M() }
}
"#,
        expect![[r#"
            a.go:9:26 M: m.f -> m.N.M
            a.go:10:29 M: m.f -> m.N.M
            a.go:11:30 M: m.f -> m.N.M
            a.go:13:26 M: m.f -> m.N.M
            a.go:14:38 M: m.f -> m.N.M
            a.go:15:21 M: m.f -> m.N.M
        "#]],
    );
}

#[test]
fn range_string_runes() {
    calls(
        r#"
package m

type Text string

func takeRune(rune) R { return 0 }
func takeInt(int) I   { return 0 }

type R int
type I int

func (R) M() {}
func (I) N() {}

func Id[E any](e E) E { return e }

func f(s string, t Text) {
    for i, r := range s { takeRune(r).M(); takeInt(i).N() }
    for i, r := range t { takeRune(Id(r)).M(); takeInt(Id(i)).N() }
    for i := range "abc" { takeInt(i).N() }
}
"#,
        expect![[r#"
            a.go:18:27 takeRune: m.f -> m.takeRune
            a.go:18:39 M: m.f -> m.R.M
            a.go:18:44 takeInt: m.f -> m.takeInt
            a.go:18:55 N: m.f -> m.I.N
            a.go:19:27 takeRune: m.f -> m.takeRune
            a.go:19:36 Id: m.f -> m.Id
            a.go:19:43 M: m.f -> m.R.M
            a.go:19:48 takeInt: m.f -> m.takeInt
            a.go:19:56 Id: m.f -> m.Id
            a.go:19:63 N: m.f -> m.I.N
            a.go:20:28 takeInt: m.f -> m.takeInt
            a.go:20:39 N: m.f -> m.I.N
        "#]],
    );
}

#[test]
fn range_array_pointer() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

type Row [3]T

func f(a [2]T, p *[2]T, r *Row, s []T) {
    for _, t := range a { t.M() }
    for _, t := range p { t.M() }
    for i, t := range r { t.M(); r[i].M() }
    for _, t := range s[:] { t.M() }
    for _, t := range []*T{{}} { t.M() }
}
"#,
        expect![[r#"
            a.go:11:29 M: m.f -> m.T.M
            a.go:12:29 M: m.f -> m.T.M
            a.go:13:29 M: m.f -> m.T.M
            a.go:13:39 M: m.f -> m.T.M
            a.go:14:32 M: m.f -> m.T.M
            a.go:15:36 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn range_map_channel() {
    calls(
        r#"
package m

type K string
type V struct{}

func (K) OfKey() {}
func (V) OfValue() {}

type Table map[K]*V

func f(m Table, c chan V, r <-chan K) {
    for k, v := range m { k.OfKey(); v.OfValue() }
    for k := range m { k.OfKey() }
    for v := range c { v.OfValue() }
    for k := range r { k.OfKey() }
}
"#,
        expect![[r#"
            a.go:13:29 OfKey: m.f -> m.K.OfKey
            a.go:13:40 OfValue: m.f -> m.V.OfValue
            a.go:14:26 OfKey: m.f -> m.K.OfKey
            a.go:15:26 OfValue: m.f -> m.V.OfValue
            a.go:16:26 OfKey: m.f -> m.K.OfKey
        "#]],
    );
}

#[test]
fn range_func_zero_one_two() {
    calls(
        r#"
package m

type K string
type V struct{}

func (K) OfKey() {}
func (V) OfValue() {}

type Yield func(K, V) bool

func zero(yield func() bool)   {}
func one(yield func(K) bool)   {}
func two(yield Yield)          {}

func f(local func(func(V) bool)) {
    for range zero { local(nil) }
    for k := range one { k.OfKey() }
    for k, v := range two { k.OfKey(); v.OfValue() }
    for v := range local { v.OfValue() }
    for v := range func(yield func(V) bool) { yield(V{}) } { v.OfValue() }
}
"#,
        expect![[r#"
            a.go:17:22 local: open, function_value
            a.go:18:28 OfKey: m.f -> m.K.OfKey
            a.go:19:31 OfKey: m.f -> m.K.OfKey
            a.go:19:42 OfValue: m.f -> m.V.OfValue
            a.go:20:30 OfValue: m.f -> m.V.OfValue
            a.go:21:47 yield: open, function_value
            a.go:21:64 OfValue: m.f -> m.V.OfValue
        "#]],
    );
}

#[test]
fn range_method_value_iterator() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

type List struct{ items []T }

func (l *List) All(yield func(int, T) bool) {}

func (l *List) Backward() func(func(int, T) bool) { return l.All }

type Iterable interface{ Each(func(T) bool) }

func f(l *List, i Iterable) {
    for _, t := range l.All { t.M() }
    for _, t := range l.Backward() { t.M() }
    for t := range i.Each { t.M() }
}
"#,
        expect![[r#"
            a.go:17:33 M: m.f -> m.T.M
            a.go:18:25 Backward: m.f -> m.List.Backward
            a.go:18:40 M: m.f -> m.T.M
            a.go:19:31 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn range_generic_iter_seq() {
    calls(
        r#"
package m

import "m/iter"

type T struct{}

func (T) M() {}

type List[E any] struct{ items []E }

func (l *List[E]) All() iter.Seq2[int, E] {
    return func(yield func(int, E) bool) {
        for i, e := range l.items {
            if !yield(i, e) { return }
        }
    }
}

func Values[S ~[]E, E any](s S) iter.Seq[E] { return nil }

func Filter[V any](seq iter.Seq[V], keep func(V) bool) iter.Seq[V] {
    return func(yield func(V) bool) {
        for v := range seq {
            if keep(v) && !yield(v) { return }
        }
    }
}

func f(l *List[T]) {
    for _, t := range l.All() { t.M() }
    for t := range Values([]T{}) { t.M() }
    for t := range Filter(Values([]*T{}), func(t *T) bool { t.M(); return true }) { t.M() }
}
//- iter/iter.go
package iter

type Seq[V any] func(yield func(V) bool)

type Seq2[K, V any] func(yield func(K, V) bool)
"#,
        expect![[r#"
            a.go:15:17 yield: open, function_value
            a.go:25:16 keep: open, function_value
            a.go:25:28 yield: open, function_value
            a.go:31:25 All: m.f -> m.List.All
            a.go:31:35 M: m.f -> m.T.M
            a.go:32:20 Values: m.f -> m.Values
            a.go:32:38 M: m.f -> m.T.M
            a.go:33:20 Filter: m.f -> m.Filter
            a.go:33:27 Values: m.f -> m.Values
            a.go:33:63 M: m.f -> m.T.M (in literal)
            a.go:33:87 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn range_assign_to_existing() {
    let text = r#"
package m

type T struct{ n int }

func (*T) M() {}

var global int

func f(s []T, m map[string]T) {
    var t T
    for global, t = range s { t.M() }
    var box struct{ t T }
    for global, box.t = range s { box.t.M() }
    for m["a"], global = range map[T]int{} {}
    var list [1]T
    for list[0].n = range 3 { list[0].M() }
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:12:33 M: m.f -> m.T.M
        a.go:14:41 M: m.f -> m.T.M
        a.go:17:39 M: m.f -> m.T.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:8 T: Receiver of m.T
        a.go:10:12 T: Parameter of m.T
        a.go:10:28 T: Parameter of m.T
        a.go:11:11 T: VariableType of m.T
        a.go:12:9 global: Write of m.global
        a.go:13:23 T: FieldType of m.T
        a.go:14:9 global: Write of m.global
        a.go:15:17 global: Write of m.global
        a.go:15:36 T: Literal of m.T
        a.go:16:17 T: VariableType of m.T
        a.go:17:17 n: Write of m.T.n
    "#]],
    );
}
