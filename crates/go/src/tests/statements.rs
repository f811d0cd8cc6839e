//! Statements (Go spec, Statements): switches, select, go and defer, assignments.

use expect_test::expect;

use super::{calls, references, types};

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
    // In a clause with a single unknown type the variable is unknown too.
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
