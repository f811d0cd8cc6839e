//! Operands, operators, built-in functions (Go spec, Expressions).

use expect_test::expect;

use super::{calls, types};

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
