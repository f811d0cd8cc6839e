//! Constants (Go spec, Constants, Constant declarations, Iota, Constant expressions).

use expect_test::expect;

use super::{calls, references, types};

#[test]
fn iota_in_group_with_implicit_repetition() {
    types(
        r#"
package m

const (
    a = iota
    b
    c, d = iota * 10, "x"
    e, f
    g = 1 << iota
    h
)

var (
    ra [a]int
    rb [b]int
    rc [c]int
    re [e]int
    rg [g]int
    rh [h]int
)
"#,
        &[
            "a", "b", "c", "d", "e", "f", "ra", "rb", "rc", "re", "rg", "rh",
        ],
        expect![[r#"
            a untyped int
            b untyped int
            c untyped int
            d untyped string
            e untyped int
            f untyped string
            ra [0]int
            rb [1]int
            rc [20]int
            re [30]int
            rg [16]int
            rh [32]int
        "#]],
    );
}

#[test]
fn iota_skips_blank_and_comment_lines() {
    types(
        r#"
package m

const (
    a = iota + 1

    // A comment is no constant spec.
    b
    _
    _, c = iota, iota + 1
    /* nor this */
    d = iota; e
)

var (
    ra [a]int
    rb [b]int
    rc [c]int
    rd [d]int
    re [e]int
)
"#,
        &["ra", "rb", "rc", "rd", "re"],
        expect![[r#"
            ra [1]int
            rb [2]int
            rc [4]int
            rd [4]int
            re [5]int
        "#]],
    );
}

#[test]
fn iota_in_local_const_group() {
    calls(
        r#"
package m

type T [4]int

func (T) M() {}

type U [6]int

func (U) N() {}

func Same[E any](a, b E) E { return a }

func f() {
    const (
        a = iota + 2
        b
        c = a * b
    )
    T([b + 1]int{}).M()
    Same(T{}, [a + 2]int{}).M()
    Same([c]int{}, U{}).N()
    const iota = 6
    const d = iota
    Same([d]int{}, U{}).N()
}
"#,
        expect![[r#"
            a.go:20:21 M: m.f -> m.T.M
            a.go:21:5 Same: m.f -> m.Same
            a.go:21:29 M: m.f -> m.T.M
            a.go:22:5 Same: m.f -> m.Same
            a.go:22:25 N: m.f -> m.U.N
            a.go:25:5 Same: m.f -> m.Same
            a.go:25:25 N: m.f -> m.U.N
        "#]],
    );
}

#[test]
fn const_typed_by_first_spec_repeats_type() {
    let text = r#"
package m

type Kind uint8

func (Kind) M() {}

const (
    a Kind = iota
    b
    c, d = Kind(3), 4
    e, f
    g int = iota
    h
)

func use() {
    a.M()
    b.M()
    c.M()
    e.M()
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:18:7 M: m.use -> m.Kind.M
        a.go:19:7 M: m.use -> m.Kind.M
        a.go:20:7 M: m.use -> m.Kind.M
        a.go:21:7 M: m.use -> m.Kind.M
    "#]],
    );
    types(
        text,
        &["a", "b", "c", "d", "e", "f", "g", "h"],
        expect![[r#"
        a m.Kind
        b m.Kind
        c m.Kind
        d untyped int
        e m.Kind
        f untyped int
        g int
        h int
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:7 Kind: Receiver of m.Kind
        a.go:9:7 Kind: VariableType of m.Kind
        a.go:11:12 Kind: Conversion of m.Kind
        a.go:11:12 Kind: Conversion of m.Kind
        a.go:18:5 a: Read of m.a
        a.go:19:5 b: Read of m.b
        a.go:20:5 c: Read of m.c
        a.go:21:5 e: Read of m.e
    "#]],
    );
}

#[test]
fn untyped_kind_order_int_rune_float_complex() {
    types(
        r#"
package m

const (
    a = 1 + 'x'
    b = 'x' + 1.5
    c = 2.5 + 1i
    d = 1 + 1i
    e = 'x' * 2
    f = 1 / 2.0
    g = "a" + "b"
    h = -'x'
    i = 1.0 << 3
    j = 7 &^ 'b'
)
"#,
        &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"],
        expect![[r#"
            a untyped rune
            b untyped float
            c untyped complex
            d untyped complex
            e untyped rune
            f untyped float
            g untyped string
            h untyped rune
            i untyped int
            j untyped rune
        "#]],
    );
}

#[test]
fn default_type_of_untyped_in_short_declaration() {
    calls(
        r#"
package m

type Is[E any] struct{}

func (Is[E]) M(E) E { panic(0) }

func Of[E any](e E) Is[E] { return Is[E]{} }

func wantInt(Is[int]) A         { return 0 }
func wantRune(Is[rune]) A       { return 0 }
func wantFloat(Is[float64]) A   { return 0 }

type A int

func (A) M() {}

func f() {
    i, r, x := 1, 'a', 1.5
    c := 1i
    b := 1 < 2
    s := "x"
    Of(i).M(2)
    Of(r).M(2)
    _, _, _ = wantInt(Of(i)), wantRune(Of(r)), wantFloat(Of(x))
    Of(c).M(1)
    Of(b).M(true)
    Of(s).M("")
}

var i, r, x, c, b, s = 1, 'a', 1.5, 1i, 1 < 2, "x"
"#,
        expect![[r#"
            a.go:23:5 Of: m.f -> m.Of
            a.go:23:11 M: m.f -> m.Is.M
            a.go:24:5 Of: m.f -> m.Of
            a.go:24:11 M: m.f -> m.Is.M
            a.go:25:15 wantInt: m.f -> m.wantInt
            a.go:25:23 Of: m.f -> m.Of
            a.go:25:31 wantRune: m.f -> m.wantRune
            a.go:25:40 Of: m.f -> m.Of
            a.go:25:48 wantFloat: m.f -> m.wantFloat
            a.go:25:58 Of: m.f -> m.Of
            a.go:26:5 Of: m.f -> m.Of
            a.go:26:11 M: m.f -> m.Is.M
            a.go:27:5 Of: m.f -> m.Of
            a.go:27:11 M: m.f -> m.Is.M
            a.go:28:5 Of: m.f -> m.Of
            a.go:28:11 M: m.f -> m.Is.M
        "#]],
    );
}

#[test]
fn const_comparison_is_untyped_bool() {
    types(
        r#"
package m

type Flag bool

const a = 1 < 2
const b = "x" == "y"
const c = int8(1) != 2
const d Flag = 1 < 2
const e = a && d
const g = !a || b

var h = 1 < len("x")
var i Flag = h == true
"#,
        &["a", "b", "c", "d", "e", "g", "h", "i"],
        expect![[r#"
            a untyped bool
            b untyped bool
            c untyped bool
            d m.Flag
            e m.Flag
            g untyped bool
            h bool
            i m.Flag
        "#]],
    );
}

#[test]
fn constant_shift_keeps_kind() {
    types(
        r#"
package m

type N uint16

const (
    a = 1 << 3
    b = 'a' << 1
    c = 1.0 << 3
    d = N(1) << 4
    e = 1 << 3.0
    f = int64(1) << '\x05'
    g = 1.0 << 3 >> 1
    h = 1 << d
)
"#,
        &["a", "b", "c", "d", "e", "f", "g", "h"],
        expect![[r#"
            a untyped int
            b untyped rune
            c untyped int
            d m.N
            e untyped int
            f int64
            g untyped int
            h untyped int
        "#]],
    );
}

#[test]
fn nonconstant_shift_of_untyped_takes_context_type() {
    types(
        r#"
package m

type N uint16

var s uint

var n N

var a = n + 1<<s
var b = 1<<s + n
var c = N(1 << s)
var d = uint64(1<<s) | 1<<s
var e int64 = 1 << s
var f = (1<<s | 1) &^ n
"#,
        &["a", "b", "c", "d", "e", "f"],
        expect![[r#"
            a m.N
            b m.N
            c m.N
            d uint64
            e int64
            f m.N
        "#]],
    );
}

#[test]
fn nonconstant_shift_without_context_is_int() {
    types(
        r#"
package m

var s uint

func Id[E any](e E) E { return e }

var a = 1 << s
var b = 1<<s == 2<<s
var c = make([]int, 1<<s)
var d = Id(1 << s)
var e = []int{1}[1<<s:]
var f = 'a' << s
var g = -1 << s
"#,
        &["a", "b", "c", "d", "e", "f", "g"],
        expect![[r#"
            a int
            b bool
            c []int
            d int
            e []int
            f int32
            g int
        "#]],
    );
}

#[test]
fn len_of_constant_string_and_array_is_constant() {
    types(
        r#"
package m

type Row [7]int

type T struct{ row Row; deep struct{ p *[5]int } }

const text = "ab" + "cd"

var array [3]int
var inferred = [...]int{1, 2}
var t T
var p *T

const (
    a = len(text)
    b = len(array)
    c = len(inferred) + cap(array)
    d = len(Row{})
    e = len(t.row)
    f = len(t.deep.p)
    h = len(p.row)
    i = len([10]float64{2})
)

var (
    ra [a]int
    rb [b]int
    rc [c]int
    rd [d]int
    re [e]int
    rf [f]int
    rh [h]int
    ri [i]int
)
"#,
        &["a", "ra", "rb", "rc", "rd", "re", "rf", "rh", "ri"],
        expect![[r#"
            a int
            ra [4]int
            rb [3]int
            rc [5]int
            rd [7]int
            re [7]int
            rf [5]int
            rh [7]int
            ri [10]int
        "#]],
    );
}

#[test]
fn unsafe_sizeof_in_array_length() {
    types(
        r#"
package m

import "unsafe"

type T struct {
    a byte
    b int64
    c uint16
    d [3]byte
    inner struct { e bool; f float32 }
    p *T
}

type Empty struct { n int32; tail struct{} }

var t T

const size = unsafe.Sizeof(t)

var (
    a [size]byte
    b [unsafe.Sizeof(uintptr(0))]byte
    c [unsafe.Offsetof(t.c)]byte
    d [unsafe.Alignof(t.c)]byte
    e [unsafe.Sizeof(Empty{})]byte
    f [unsafe.Sizeof("") + unsafe.Sizeof([]T(nil)) + unsafe.Sizeof(any(nil))]byte
    g [unsafe.Sizeof(struct{ a int8; b complex128 }{})]byte
    h [unsafe.Offsetof(t.inner)]byte
    i [unsafe.Sizeof(T{}.d)]byte
    j [64 / unsafe.Sizeof(int32(0))]byte
)
"#,
        &["size", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"],
        expect![[r#"
            size uintptr
            a [40]uint8
            b [8]uint8
            c [16]uint8
            d [2]uint8
            e [8]uint8
            f [56]uint8
            g [24]uint8
            h [24]uint8
            i [3]uint8
            j [16]uint8
        "#]],
    );
}

#[test]
fn const_conversion_keeps_constancy() {
    types(
        r#"
package m

type N int

const (
    a = N(3)
    b = a * 2
    c = float64(b)
    d = string('x')
    e = len(d)
    f = int(c) + int('\x02')
    g = uint8(255)
    h = ^g
    i = ^uint16(0) >> 12
    j = min(a, 9)
    k = max(2, 4, 3)
)

var (
    ra [b]int
    re [e]int
    rf [f]int
    rh [h + 1]int
    ri [i]int
    rj [j]int
    rk [k]int
)
"#,
        &[
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "ra", "re", "rf", "rh", "ri",
            "rj", "rk",
        ],
        expect![[r#"
            a m.N
            b m.N
            c float64
            d string
            e int
            f int
            g uint8
            h uint8
            i uint16
            j m.N
            k untyped int
            ra [6]int
            re [1]int
            rf [8]int
            rh [1]int
            ri [15]int
            rj [3]int
            rk [4]int
        "#]],
    );
}

#[test]
fn big_constant_overflowing_i128_intermediate() {
    types(
        r#"
package m

const (
    huge = 1 << 200
    back = huge >> 197
    less = (huge - 1) / (huge >> 4)
    mask = (1<<300 | 5) & 7
    neg  = -huge>>198 + 10
    h    = huge % 1000
)

var (
    a [back]int
    b [less]int
    c [mask]int
    d [neg]int
    j [h]int
)
"#,
        &["huge", "a", "b", "c", "d", "j"],
        expect![[r#"
            huge untyped int
            a [8]int
            b [15]int
            c [5]int
            d [6]int
            j [376]int
        "#]],
    );
}
