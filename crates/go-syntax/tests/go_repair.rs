//! Text that the grammar cannot read as it stands: repairs, chunks, bounds.

mod printed;

use std::cell::Cell;

use codeweft_go_syntax::AsGo as _;
use codeweft_go_syntax::GO;
use codeweft_syntax::{Names, lower};
use expect_test::{Expect, expect};
use printed::{declarations, lowered, printed, statements};

fn check(body: &str, expected: Expect) {
    expected.assert_eq(&statements(body));
}

#[test]
fn new_of_an_expression_is_repaired() {
    check(
        "new(42); new(f(3)); new(a+b); new([]int{1}); new(func() {}()); p.new(1); new(a[\"x\"]); new(-x.y.z)",
        expect![[r#"
            (call new 42)
            (call new (call f 3))
            (call new (+ a b))
            (call new (lit ([] int) const))
            (call new (call (func () {})))
            (call (. p new) 1)
            (call new (index a str/0))
            (call new (- (. (. x y) z)))
            repaired 7
        "#]],
    );
}

#[test]
fn new_of_a_type_is_left_alone_by_the_repair() {
    check(
        "new(1); new(map[K][]V); new(func(a int) (b, c T)); new(*p.T[int]); make(chan<- int, 3); new([n]struct{ a int })",
        expect![[r#"
            (call new 1)
            (call new (map K ([] V)))
            (call new (func (a int) -> (b T, c T)))
            (call new (* (index (. p T) int)))
            (call make (chan<- int) 3)
            (call new (array n (struct (a int))))
            repaired 1
        "#]],
    );
}

#[test]
fn make_and_new_may_be_shadowed_by_functions() {
    check(
        "make(1, 2); make(xs...); new(); new(\"a\", b)",
        expect![[r#"
            (call make 1 2)
            (call... make xs)
            (call new)
            (call new str/0 b)
            repaired 3
        "#]],
    );
}

#[test]
fn methods_may_have_type_parameters() {
    expect![[r#"
        method (r *T K _).Map [P any] (f (func (K) -> (P))) -> (([] P))
        method (T).plain [A any] ()
        method (r *T).paren [A any] () bodiless
        body Map {
            (return (call (callee (index (. r Map) int)) f))}
        body plain {}
        repaired 3
    "#]].assert_eq(&declarations(
        "func (r *T[K, _]) Map[P any](f func(K) P) []P { return r.Map[int](f) }\nfunc (T) plain[A any]() {}\nfunc (r (*T)) paren[A any]()\n",
    ));
}

#[test]
fn groups_in_one_line_need_no_terminator() {
    expect![[r#"
        const A = 1 iota 0
        var b int
        var c int
        const D = iota iota 0
        const E = iota iota 1
        var f int
        var g ~ 1
        type H int
        type I string
        body g
          2
        repaired 2
    "#]].assert_eq(&declarations(
        "const (A = 1)\nvar ( b, c int )\nconst (D = iota; E)\nvar (f int; g = 2)\ntype (H int; I string)\n",
    ));
}

#[test]
fn a_semicolon_may_stand_for_no_statement() {
    check(
        "if ; a { b() }\nswitch ; c { case 1: }",
        expect![[r#"
        (if _ a  {
          (call b)} _)
        (switch _ c
          (case 1))
        repaired 2
    "#]],
    );
}

#[test]
fn column_zero_func_inside_raw_string_is_no_chunk() {
    expect![[r#"
        func a ()
        func b ()
        func d ()
        body a {
            (:= (x) (str/0))
            (call f x)}
        body b broken {
            c}
        body d {
            (call e)}
        chunked
        errors at [9]
    "#]].assert_eq(&declarations(
        "func a() {\n\tx := `\nfunc notAFunction() {\n`\n\tf(x)\n}\n\nfunc b() { c( }\n\nfunc d() { e() }\n",
    ));
}

#[test]
fn truncated_body_keeps_other_functions() {
    expect![[r#"
        func a (x int) -> (error)
        func b ()
        type T (struct (a int)) broken
        var v ~ 1
        body a broken {
            (call f x)
            (call g (lit x h))}
        body b {
            (call c)}
        body v
          1
        chunked
        errors at [4, 6, 10]
    "#]].assert_eq(&declarations(
        "func a(x int) error {\n\tf(x)\n\tif g(x {\n\t\th.\n\nfunc b() { c() }\n\ntype T struct { a int\n\nvar v = 1\n",
    ));
}

#[test]
fn an_open_raw_string_ends_at_the_next_declaration() {
    expect![[r#"
        func a ()
        func b ()
        body a broken {
            (:= (x) (str/0))}
        body b {
            (call c)}
        chunked
        errors at [5]
    "#]]
    .assert_eq(&declarations(
        "func a() {\n\tx := `open\n}\n\nfunc b() { c() }\n",
    ));
}

#[test]
fn a_broken_signature_keeps_name_and_neighbours() {
    expect![[r#"
        func a (x int) -> (y) broken
        method (t *T).b () broken
        func d ()
        body a {
            (call z)}
        body b broken {
            (call c)}
        body d {}
        chunked
        errors at [2, 3, 4, 5]
    "#]]
    .assert_eq(&declarations(
        "func a(x int, ) (y { z() }\n\nfunc (t *T) b( { c() }\n\nfunc d() {}\n",
    ));
}

#[test]
fn the_contents_of_errors_become_statements() {
    check(
        "a.b(c, d e)\nx := y +\nf(1",
        expect![[r#"
        (call (. a b) c d)
        e
        (:= (x) ((+ y (call f 1))))
        chunked
        errors at [3, 5]
    "#]],
    );
}

#[test]
fn locals_behind_a_broken_signature_are_no_items() {
    expect![[r#"
        func a () broken
        body a broken {
            (var (x) ? (1))
            (const/0 (y) ? (2))
            (call z)}
        chunked
        errors at [2, 5, 6]
    "#]]
    .assert_eq(&declarations(
        "func a(\n\tvar x = 1\n\tconst y = 2\n\tz()\n}\n",
    ));
}

#[test]
fn a_file_that_is_no_go_has_nothing_but_errors() {
    expect![[r#"
        package 
        chunked
        errors at [1]
    "#]]
    .assert_eq(&printed("<html>\n  <body>\u{0}</body>\n</html>\n"));
    expect![[r#"
        package 
    "#]]
    .assert_eq(&printed(""));
}

/// `open` and `close` around something, `depth` times, at once as the body of a function.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    let (open, close) = (open.repeat(depth), close.repeat(depth));
    format!("package p\nfunc f() {{\n{open}{inner}{close}\n}}\nfunc g() {{ h() }}\n")
}

#[test]
fn deep_nesting_is_cut_and_its_names_are_identifiers() {
    let cases = [
        ("{", "x()", "}"),
        ("f(", "x", ")"),
        ("a[", "x", "]"),
        ("if a { ", "x()", " }"),
        ("for { ", "x()", " }"),
        ("func() { ", "x()", " }()"),
        ("switch { case a: ", "x()", " }"),
        ("select { case <-a: ", "x()", " }"),
        ("a + (", "x", ")"),
        ("L: ", "x()", ""),
        ("!", "x", ""),
        ("func(a int) { ", "x()", " }(1)"),
    ];
    for (open, inner, close) in cases {
        let text = nested(open, inner, close, 1000);
        let names = Names::default();
        let ir = lowered(&text, &names);
        assert!(ir.report.cut, "{open}");
        let x = names.get("x").expect("interned");
        assert!(ir.identifiers.contains(x), "{open}");
        assert!(
            codeweft_go_syntax::print_ir(&ir, &names).contains("func g"),
            "{open}"
        );
    }
}

#[test]
fn deep_types_and_literals_are_cut() {
    let cases = [
        ("type T ", "[]", "x", ""),
        ("type T ", "*", "x", ""),
        ("type T ", "map[int]", "x", ""),
        ("type T ", "func(", "x", ")"),
        ("type T ", "struct{ a ", "x", " }"),
        ("type T ", "interface{ M(", "x", ") }"),
        ("type T ", "G[", "x", "]"),
        ("type T ", "(", "x", ")"),
        ("var v = T", "{", "x", "}"),
        ("var v = T", "{ a: []T{", "x", "} }"),
    ];
    for (head, open, inner, close) in cases {
        let depth = 2000;
        let text = format!(
            "package p\n{head}{}{inner}{}\n",
            open.repeat(depth),
            close.repeat(depth)
        );
        let names = Names::default();
        let ir = lowered(&text, &names);
        let x = names.get("x").expect("interned");
        assert!(ir.identifiers.contains(x), "{open}");
        assert_eq!(
            ir.items.go().map(|items| items.items.len()),
            Some(1),
            "{open}"
        );
    }
}

#[test]
fn chains_to_the_left_are_never_cut() {
    let chains = [
        ["\"a\"".to_owned(), " + \"b\"".repeat(5000)].concat(),
        ["a".to_owned(), ".b().c".repeat(5000)].concat(),
        ["a".to_owned(), "[0]".repeat(5000)].concat(),
        ["f".to_owned(), "()".repeat(5000)].concat(),
        ["f".to_owned(), "[int](x)".repeat(2000)].concat(),
        ["if a {}".to_owned(), " else if b { c() }".repeat(5000)].concat(),
        ["x := a".to_owned(), " && b".repeat(5000)].concat(),
        ["(".repeat(2000), "a".to_owned(), ")".repeat(2000)].concat(),
        [
            "_ = chan ".to_owned(),
            "chan ".repeat(1000),
            "int(nil)".to_owned(),
        ]
        .concat(),
    ];
    for chain in &chains {
        let names = Names::default();
        let ir = lowered(&nested("", chain, "", 1), &names);
        assert!(!ir.report.cut, "{:.40}", chain);
        assert!(ir.report.error_lines.is_empty(), "{:.40}", chain);
    }
}

#[test]
fn deep_errors_do_not_overflow() {
    for open in [
        "(", "{", "[", "func(", "f({", "if {", "a.(", "map[", "`", "/*", "new(", "func a(",
    ] {
        for depth in [10, 3000] {
            let names = Names::default();
            let text = format!(
                "package p\nfunc f() {{\n{}\nfunc g() {{}}\n",
                open.repeat(depth)
            );
            lowered(&text, &names);
        }
    }
}

#[test]
fn lowering_stops_when_requested() {
    let names = Names::default();
    let text = nested("", &"f(a, b, c)\n".repeat(20_000), "", 1);
    assert!(lower(&text, GO, &names, &|| true).is_none());
    let asked = Cell::new(0u32);
    let count = || {
        asked.set(asked.get() + 1);
        false
    };
    assert!(lower(&text, GO, &names, &count).is_some());
    let all = asked.get();
    for after in [0, all / 2, all - 1] {
        asked.set(0);
        let stop = || {
            asked.set(asked.get() + 1);
            asked.get() > after
        };
        assert!(
            lower(&text, GO, &names, &stop).is_none(),
            "{after} of {all}"
        );
    }
}

#[test]
fn empty_statements_are_repaired() {
    check(
        "a(); ; b(); ;; c()\n;\nd(\";;\") /*;*/ ; e()",
        expect![[r#"
            (call a)
            (call b)
            (call c)
            (call d str/0)
            (call e)
            repaired 4
        "#]],
    );
}

#[test]
fn the_semicolons_of_a_for_clause_stay() {
    check(
        "for ; ; { e(); ; f() }
for i := g(func() { h() }); ; i++ { }
for f := func() { for ; ; {} }; ; { k() }
for range 3 { a();; }",
        expect![[r#"
            (for _ ? _  {
              (call e)
              (call f)})
            (for (:= (i) ((call g (func () {
              (call h)})))) ? (step i)  {})
            (for (:= (f) ((func () {
              (for _ ? _  {})}))) ? _  {
              (call k)})
            (range ? ? 3  {
              (call a)})
            repaired 2
        "#]],
    );
}
