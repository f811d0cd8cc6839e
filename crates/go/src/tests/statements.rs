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
        expect![[r#"
            a.go:15:11 M: m.f -> m.A.M
            a.go:17:11 N: m.f -> m.B.N
            a.go:19:14 N: m.f -> m.B.N
            a.go:21:9 v: open, function_value
            a.go:21:13 M: m.f -> m.A.M
            a.go:23:15 N: m.f -> m.B.N
            a.go:25:11 O: m.f -> m.I.O
            a.go:25:15 O: m.f -> m.I.O
            a.go:27:11 M: m.f -> m.f.M
            a.go:29:15 N: m.f -> m.B.N
            a.go:31:11 Error: m.f -> error.Error
        "#]],
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
        expect![[r#"
            a.go:15:11 M: m.f -> m.I.M
            a.go:17:11 M: m.f -> m.I.M
            a.go:19:11 M: m.f -> m.B.M
        "#]],
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
        expect![[r#"
            a.go:16:17 get: m.f -> m.get
            a.go:18:11 M: m.f -> m.I.M
            a.go:20:11 N: m.f -> m.A.N
            a.go:21:11 M: m.f -> m.A.M
            a.go:23:11 M: open, unknown_receiver
            a.go:25:11 M: m.f -> m.I.M
        "#]],
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
    calls(
        text,
        expect![[r#"
        a.go:15:11 M: m.f -> m.A.M
        a.go:18:17 next: m.f -> m.next
        a.go:20:11 M: m.f -> m.A.M
        a.go:21:15 M: m.f -> m.A.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:7 A: Receiver of m.A
        a.go:12:17 A: Parameter of m.A
        a.go:14:10 A: Assertion of m.A
        a.go:16:11 G: Assertion of m.G
        a.go:16:13 A: TypeArgument of m.A
        a.go:19:10 A: Assertion of m.A
        a.go:21:12 A: Assertion of m.A
    "#]],
    );
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
        expect![[r#"
            a.go:13:12 Is: m.f -> m.T.Is
            a.go:14:11 M: m.f -> m.T.M
            a.go:16:14 Is: m.f -> m.T.Is
            a.go:18:13 M: m.f -> m.T.M
            a.go:22:11 M: m.f -> m.T.M
            a.go:24:17 get: m.f -> m.get
            a.go:25:12 Is: m.f -> m.T.Is
            a.go:26:11 M: m.f -> m.T.M
        "#]],
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
    calls(
        text,
        expect![[r#"
        a.go:16:11 M: m.f -> m.T.M
        a.go:17:21 ch: m.f -> m.ch
        a.go:18:11 M: m.f -> m.T.M
        a.go:21:11 M: m.f -> m.T.M
        a.go:23:16 M: m.f -> m.T.M
        a.go:24:17 make1: m.f -> m.make1
        a.go:25:11 M: m.f -> m.T.M
        a.go:28:11 M: m.f -> m.T.M
        a.go:30:12 make1: m.f -> m.make1
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:7 T: Receiver of m.T
        a.go:8:12 T: VariableType of m.T
        a.go:10:16 T: Result of m.T
        a.go:12:18 T: Parameter of m.T
        a.go:12:32 T: Parameter of m.T
        a.go:13:11 T: VariableType of m.T
        a.go:22:10 global: Write of m.global
        a.go:23:9 global: Read of m.global
        a.go:33:14 T: Result of m.T
        a.go:33:25 T: Literal of m.T
    "#]],
    );
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
    expect![[r#"
         1 Go m.T.M
         3 Call m.T.M
         4 Defer m.T.M
         5 Go m.g
         8 Defer m.g
        10 Call m.T.M
        12 Call m.T.M
        14 Defer m.T.M
        16 Call m.T.M"#]]
    .assert_eq(&marked.join("\n"));
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
        expect![[r#"
            a.go:10:15 open: m.f -> m.open
            a.go:13:19 Close: m.f -> m.T.Close (in literal)
            a.go:13:54 Error: m.f -> error.Error (in literal)
            a.go:16:11 closer: open, function_value
            a.go:18:25 Close: m.f -> m.T.Close (in literal)
        "#]],
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
    calls(
        text,
        expect![[r#"
        a.go:19:5 done: m.f -> m.done
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:17:5 loop: ReadWrite of m.loop
    "#]],
    );
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
        expect![[r#"
            a.go:7:11 T: FieldType of m.T
            a.go:13:11 T: Parameter of m.T
            a.go:14:7 n: Write of m.T.n
            a.go:15:7 n: ReadWrite of m.T.n
            a.go:16:7 n: ReadWrite of m.T.n
            a.go:17:7 next: Read of m.T.next
            a.go:17:12 n: ReadWrite of m.T.n
            a.go:18:7 list: Read of m.T.list
            a.go:19:7 list: Read of m.T.list
            a.go:19:14 n: Read of m.T.n
            a.go:20:5 global: Write of m.global
            a.go:20:15 n: Write of m.T.n
            a.go:20:21 n: Read of m.T.n
            a.go:20:24 global: Read of m.global
            a.go:21:11 global: Address of m.global
            a.go:22:13 next: Read of m.T.next
            a.go:22:18 n: Address of m.T.n
            a.go:23:5 table: Read of m.table
            a.go:25:8 n: Write of m.T.n
            a.go:26:11 list: Read of m.T.list
        "#]],
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
        expect![[r#"
            a.go:11:34 two: m.forward -> m.two
            a.go:12:35 forward: m.named -> m.forward
            a.go:15:13 forward: m.f -> m.forward
            a.go:16:7 M: m.f -> m.A.M
            a.go:17:7 N: m.f -> m.B.N
            a.go:18:13 named: m.f -> m.named
            a.go:19:7 M: m.f -> m.A.M
            a.go:21:7 N: m.f -> m.B.N
            a.go:22:16 two: m.f -> m.two
            a.go:23:7 M: m.f -> m.A.M
            a.go:24:7 N: m.f -> m.B.N
            a.go:25:16 two: m.f -> m.two
            a.go:25:36 M: m.f -> m.A.M
            a.go:25:43 N: m.f -> m.B.N
        "#]],
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
    calls(
        text,
        expect![[r#"
        a.go:12:9 make1: m -> m.make1
        a.go:12:17 M: m -> m.T.M
        a.go:13:14 two: m -> m.two
        a.go:14:14 M: m -> m.T.M
        a.go:17:36 num: m -> m.num (in literal)
        a.go:18:11 make1: m -> m.make1
        a.go:19:13 M: m -> m.T.M
        a.go:21:27 num: m -> m.num
    "#]],
    );
    types(
        text,
        &["a", "b", "err", "c", "d", "e", "g", "h"],
        expect![[r#"
        a m.T
        b m.T
        err error
        c m.T
        d func() int
        e m.T
        g m.T
        h m.T
    "#]],
    );
}
