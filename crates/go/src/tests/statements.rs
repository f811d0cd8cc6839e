//! Statements (Go spec, Statements): range, switches, select, go and defer, assignments.

use expect_test::expect;

use super::{calls, references, types};

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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
        expect![[""]],
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
    for m["a"].n = range s {}
    var list [1]T
    for list[0].n = range 3 { list[0].M() }
}
"#;
    calls(text, expect![[""]]);
    references(text, expect![[""]]);
}

#[test]
fn type_switch_symbol_per_clause() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (*A) M() {}
func (B) N() {}

type I interface{ O() I }

func f(x any) {
    switch v := x.(type) {
    case *A:
        v.M()
    case B:
        v.N()
    case []B:
        v[0].N()
    case func() *A:
        v().M()
    case map[string]B:
        v[""].N()
    case I:
        v.O().O()
    case interface{ M() }:
        v.M()
    case chan B:
        (<-v).N()
    case error:
        v.Error()
    }
}
"#,
        expect![[""]],
    );
}

#[test]
fn type_switch_several_types_keeps_operand_type() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) M() {}

type I interface{ M() }

func f(i I) {
    switch v := i.(type) {
    case A, B:
        v.M()
    case *A, nil:
        v.M()
    case *B:
        v.M()
    }
}
"#,
        expect![[""]],
    );
}

#[test]
fn type_switch_nil_and_default() {
    // Of a clause whose one type is not known nothing is known either.
    calls(
        r#"
package m

import "example.com/absent"

type I interface{ M() }

type A struct{}

func (A) M() {}
func (A) N() {}

func get() I { return A{} }

func f() {
    switch v := get().(type) {
    case nil:
        v.M()
    case A:
        v.N()
        v.M()
    case absent.T:
        v.M()
    default:
        v.M()
    }
}
"#,
        expect![[""]],
    );
}

#[test]
fn type_switch_without_symbol() {
    let text = r#"
package m

type A struct{}

func (A) M() {}

type G[E any] struct{}

func next() any { return nil }

func f(x any, a A) {
    switch x.(type) {
    case A:
        a.M()
    case *G[A], nil:
    }
    switch x := next(); y := x.(type) {
    case A:
        y.M()
        x.(A).M()
    }
}
"#;
    calls(text, expect![[""]]);
    references(text, expect![[""]]);
}

#[test]
fn switch_true_without_tag() {
    calls(
        r#"
package m

type T int

func (T) Is(T) bool { return false }
func (T) M()        {}

const one T = 1

func f(t T) {
    switch {
    case t.Is(one):
        t.M()
        fallthrough
    case one.Is(t), t == 2:
    default:
        one.M()
    }
    switch t := t; t {
    case one, T(2):
        t.M()
    }
    switch x := get(); {
    case x.Is(1):
        x.M()
    }
}

func get() T { return 0 }
"#,
        expect![[""]],
    );
}

#[test]
fn select_send_receive_assign() {
    let text = r#"
package m

type T struct{ n int }

func (T) M() {}

var global T

func ch() chan T { return nil }

func f(in <-chan T, out chan<- T) {
    var t T
    select {
    case v := <-in:
        v.M()
    case v, ok := <-ch():
        v.M()
        _ = ok
    case t = <-in:
        t.M()
    case global, _ = <-in:
        global.M()
    case out <- make1():
        t.M()
    case <-in:
    default:
        t.M()
    }
    out <- make1()
}

func make1() T { return T{} }
"#;
    calls(text, expect![[""]]);
    references(text, expect![[""]]);
}

#[test]
fn go_and_defer_marked() {
    let fixture = super::Fixture::new(
        r#"
package m

type T struct{}

func (T) M() T { return T{} }

func g[E any](e E) {}

func f(t T) {
    go t.M()
    defer t.M().M()
    go g[int](1)
    defer g(t.M())
    go func() { t.M() }()
    defer (t.M)()
    t.M()
}
"#,
    );
    let uses = fixture.uses("a.go");
    let mut marked: Vec<String> = uses
        .iter()
        .flat_map(|(target, uses)| uses.iter().map(move |one| (target, one)))
        .filter(|(_, one)| one.role.is_call())
        .map(|(target, one)| format!("{:>2} {:?} {}", one.occ, one.role, fixture.id(target)))
        .collect();
    marked.sort();
    expect![[""]].assert_eq(&marked.join("\n"));
}

#[test]
fn defer_method_on_closure_variable() {
    calls(
        r#"
package m

type T struct{}

func (*T) Close() error { return nil }
func open() (*T, error) { return nil, nil }

func f() (err error) {
    t, err := open()
    if err != nil { return err }
    defer func() {
        if e := t.Close(); e != nil { err = e; _ = e.Error() }
    }()
    closer := t.Close
    defer closer()
    defer func() { recover() }()
    clean := func() { t.Close() }
    defer clean()
    return
}
"#,
        expect![[""]],
    );
}

#[test]
fn goto_and_labelled_break_no_reference() {
    let text = r#"
package m

var loop int

func done() {}

func f(s []int) {
    goto done
loop:
    for range s {
        for range s {
            if len(s) > 1 { continue loop }
            break loop
        }
    }
    loop++
done:
    done()
}
"#;
    calls(text, expect![[""]]);
    references(text, expect![[""]]);
}

#[test]
fn assignment_operation_is_read_write() {
    references(
        r#"
package m

type T struct {
    n    int
    list []int
    next *T
}

var global int
var table = map[string]int{}

func f(t *T) {
    t.n = 1
    t.n += 2
    t.n++
    t.next.n--
    t.list[0] = 3
    t.list[t.n] <<= 1
    global, t.n = t.n, global
    p := &global
    q := &t.next.n
    table["a"]++
    *p = *q
    (t.n) = 4
    _ = t.list
}
"#,
        expect![[""]],
    );
}

#[test]
fn return_tuple_forwarding() {
    calls(
        r#"
package m

type A struct{}
type B struct{}

func (A) M() {}
func (B) N() {}

func two() (A, *B)      { return A{}, nil }
func forward() (A, *B)  { return two() }
func named() (a A, b *B) { a, b = forward(); return }

func f() {
    a, b := forward()
    a.M()
    b.N()
    x, _ := named()
    x.M()
    _, y := func() (A, B) { return A{}, B{} }()
    y.N()
    var v, w = two()
    v.M()
    w.N()
    if a, b := two(); b != nil { a.M(); b.N() }
}
"#,
        expect![[""]],
    );
}

#[test]
fn package_level_initialiser_is_caller() {
    let text = r#"
package m

type T struct{ f func() int }

func (T) M() T { return T{} }

func make1() T { return T{} }
func two() (T, error) { return T{}, nil }
func num() int { return 0 }

var a = make1().M()
var b, err = two()
var c, d = b.M(), a.f
var (
    e   = T{f: num}
    g   = T{f: func() int { return num() }}
    h T = make1()
    _   = h.M()
)
var array [1]int = [1]int{num()}
"#;
    calls(text, expect![[""]]);
    types(text, &["a", "b", "err", "c", "d", "e", "g", "h"], expect![[""]]);
}
