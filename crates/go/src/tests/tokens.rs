//! Code that the grammar misparses, and tokens that must not matter, in resolution (Go spec,
//! Tokens, Allocation; generic methods of Go 1.27).

use expect_test::expect;

use super::{Fixture, calls, implements, types};

#[test]
fn semicolons_and_comments_do_not_move_ids() {
    let plain = "package m\n\ntype T struct{ a int }\n\nfunc (T) M() {}\n\nfunc f(t T) {\n    \
                 t.M()\n    func() { t.M() }()\n    type L struct{ T }\n    L{}.M()\n}\n";
    let noisy = "// c\npackage m;\n\n/* c */ type T struct{ a /* c */ int; };\n\nfunc (T) M( /* c */ ) {};\n\n\
                 func f(t T,) {\n    t./* c */M(); // c\n    func() { t.M(); }();\n    \
                 type L struct{ T; }; L{}.M();\n};\n";
    let calls_of = |text: &str| {
        let fixture = Fixture::new(text);
        let strip = |line: &str| match line.split_once(": ") {
            Some((_, what)) => what.to_owned(),
            None => line.to_owned(),
        };
        let calls: Vec<String> = fixture.calls().lines().map(strip).collect();
        calls.join("\n")
    };
    assert_eq!(calls_of(plain), calls_of(noisy));
    expect![[r#"
        m.f -> m.T.M
        m.f -> m.T.M (in literal)
        m.f -> m.T.M"#]]
    .assert_eq(&calls_of(plain));
}

#[test]
fn new_expr_of_go126_repaired() {
    let text = r#"
package m

type T struct{}

func (*T) M() {}

func val() T { return T{} }

func f(t T, p *T, list []T) {
    new(T).M()
    new(t).M()
    new(val()).M()
    new(list[0]).M()
    new(*p).M()
    new(T{}).M()
    (*new(p)).M()
    _ = new(len(list) + cap(list))
}

var a = new(5)
var b = new("x" + "y")
var c = new(val())
var d = new(func() T { return val() }())
var e = new(int)
var g = new([]T)
var h = new(1 < 2)
var i = new(a)
"#;
    calls(
        text,
        expect![[r#"
        a.go:11:12 M: m.f -> m.T.M
        a.go:12:12 M: m.f -> m.T.M
        a.go:13:9 val: m.f -> m.val
        a.go:13:16 M: m.f -> m.T.M
        a.go:14:18 M: m.f -> m.T.M
        a.go:15:13 M: m.f -> m.T.M
        a.go:16:14 M: m.f -> m.T.M
        a.go:17:15 M: m.f -> m.T.M
        a.go:23:13 val: m -> m.val
        a.go:24:31 val: m -> m.val (in literal)
    "#]],
    );
    types(
        text,
        &["a", "b", "c", "d", "e", "g", "h", "i"],
        expect![[r#"
            a *int
            b *string
            c *m.T
            d *m.T
            e *int
            g *[]m.T
            h *bool
            i **int
        "#]],
    );
}

#[test]
fn shadowed_make_and_new_as_functions() {
    calls(
        r#"
package m

type T struct{}

func (T) M() {}

func make(a, b int) T { return T{} }

func new(f func() T, list ...int) T { return f() }

func f(n int) {
    make(1, n+1).M()
    new(func() T { return make(n, 2) }, 1, 2).M()
    {
        make, new := 1, 2
        _ = make + new
    }
}
"#,
        expect![[r#"
            a.go:10:46 f: open, function_value
            a.go:13:5 make: m.f -> m.make
            a.go:13:18 M: m.f -> m.T.M
            a.go:14:5 new: m.f -> m.new
            a.go:14:27 make: m.f -> m.make (in literal)
            a.go:14:47 M: m.f -> m.T.M
        "#]],
    );
}

#[test]
fn generic_method_of_go127_repaired() {
    let text = r#"
package m

type Box[E any] struct{ e E }

func (b Box[E]) Map[R any](f func(E) R) Box[R] { return Box[R]{f(b.e)} }

func (b *Box[E]) Pair[A any, B interface{ M() }](a A, c B) (A, B, E) {
    c.M()
    return a, c, b.e
}

type Plain int

func (Plain) Of[R interface{ M() }](r R) R { r.M(); return r }

type T struct{}

func (T) M() {}

type I interface{ Of(T) T }

func f(b Box[int], p Plain) {
    b.Map(func(int) T { return T{} }).e.M()
    b.Map[T](nil).e.M()
    a, c, e := b.Pair("", T{})
    c.M()
    _, _ = a, e
    p.Of(T{}).M()
    of := p.Of[T]
    of(T{}).M()
    Plain.Of[T](p, T{}).M()
    Box[int].Map[T](b, nil).e.M()
}

var x = Box[string]{}.Map(func(string) []T { return nil })
"#;
    calls(
        text,
        expect![[r#"
        a.go:6:64 f: open, function_value
        a.go:9:7 M: m.Box.Pair -> m.Box.Pair.M
        a.go:15:48 M: m.Plain.Of -> m.Plain.Of.M
        a.go:24:7 Map: m.f -> m.Box.Map
        a.go:24:41 M: m.f -> m.T.M
        a.go:25:7 Map: m.f -> m.Box.Map
        a.go:25:21 M: m.f -> m.T.M
        a.go:26:18 Pair: m.f -> m.Box.Pair
        a.go:27:7 M: m.f -> m.T.M
        a.go:29:7 Of: m.f -> m.Plain.Of
        a.go:29:15 M: m.f -> m.T.M
        a.go:31:5 of: open, function_value
        a.go:31:13 M: m.f -> m.T.M
        a.go:32:11 Of: m.f -> m.Plain.Of
        a.go:32:25 M: m.f -> m.T.M
        a.go:33:14 Map: m.f -> m.Box.Map
        a.go:33:31 M: m.f -> m.T.M
        a.go:36:23 Map: m -> m.Box.Map
    "#]],
    );
    types(
        text,
        &["x"],
        expect![[r#"
        x m.Box[[]m.T]
    "#]],
    );
    // A generic method satisfies no method of an interface.
    implements(text, expect![[""]]);
}
