//! The parser for healthy text, a rule each: what it reads it reads as tree-sitter does, and what it
//! should not read it leaves to tree-sitter.

use codeweft_go_syntax::{GO, is_healthy, lower_by_tree_sitter};
use codeweft_syntax::{CachedTree, Names, lower};

/// Asserts that a text is read, and as tree-sitter reads it.
fn is_read(text: &str) {
    assert!(is_healthy(text), "{text}");
    is_the_same(text);
}

/// Asserts that a text is left to tree-sitter.
fn is_left(text: &str) {
    assert!(!is_healthy(text), "{text}");
    is_the_same(text);
}

fn is_the_same(text: &str) {
    let names = Names::default();
    let own = lower(text, GO, &names, &|| false).expect("nothing stops it");
    let mut last = CachedTree::default();
    let other = lower_by_tree_sitter(text, &names, &mut last, &|| false).expect("nothing stops it");
    let print = |ir| codeweft_go_syntax::print_ir(ir, &names);
    assert!(
        own.same(&other),
        "{text}\n{}\n{}",
        print(&own),
        print(&other)
    );
}

/// Asserts that each line, as the body of a function, is read.
fn bodies_are_read(bodies: &[&str]) {
    for body in bodies {
        is_read(&format!("package p\n\nfunc f() {{\n{body}\n}}\n"));
    }
}

/// Asserts that each line, as the body of a function, is left.
fn bodies_are_left(bodies: &[&str]) {
    for body in bodies {
        is_left(&format!("package p\n\nfunc f() {{\n{body}\n}}\n"));
    }
}

#[test]
fn declarations_of_every_kind_are_read() {
    for text in [
        "package p",
        "package p // c",
        "package p; import \"a\"; var x int",
        "package p\nimport (\n\t\"a\"\n\t. \"b\"\n\t_ `c`\n\tn \"d\"\n)\nimport ()\n",
        "package p\nvar a, b = 1, 2\nvar (\n\tc int\n\td, e T = f()\n)\nvar ()\n",
        "package p\nconst (\n\tA T = iota\n\tB\n\tC, D = 1, 2\n)\nconst E = 'x'\n",
        "package p\ntype (\n\tA = B\n\tC int; D string\n)\ntype E struct{}\n",
        "package p\nfunc f()\nfunc g(a, b int, c ...string) (x, y T)\nfunc (*T[A, B]) M(int, ...p.T) []int { return nil }\n",
        "package p\nfunc f[A, B any, C ~int | *D | interface{ M() }](a A) (b C)\n",
        "package p\n\n//go:linkname a b.c\nfunc a()\n/* d */\n// e",
    ] {
        is_read(text);
    }
}

#[test]
fn a_type_parameter_list_is_told_from_an_array_length() {
    for spec in [
        "A [N]int",
        "A [2 * N]int",
        "A []int",
        "A [P any] T",
        "A[P, Q any] T",
        "A[P []int] T",
        "A[P p.T] = T",
    ] {
        is_read(&format!("package p\ntype {spec}\n"));
    }
    for spec in ["A [N * 2]int", "A[P *T] int", "A [f(1)]int", "A [nil T]int"] {
        is_left(&format!("package p\ntype {spec}\n"));
    }
}

#[test]
fn fields_and_elements_are_read() {
    is_read(
        "package p\ntype T struct {\n\ta, b int `tag`\n\tp.E\n\t*F \"tag\"\n\tG[int]\n\th [4]int\n\ti []int; j func()\n\tk struct{ l map[string]chan<- int }\n}\n",
    );
    is_read(
        "package p\ntype T interface {\n\tM(int) string\n\tfmt.Stringer\n\t~int | ~string | p.T\n\tG[int, []string]\n}\n",
    );
    is_read(
        "package p\nvar c chan<- chan int\nvar d <-chan <-chan int\nvar e chan (<-chan func() (int, error))\n",
    );
}

#[test]
fn parameters_are_named_or_not() {
    is_read(
        "package p\nfunc f(a, b T, c []int, d [2]int, e, g ...T)\nfunc g(a, b)\nfunc h(a.b, []c, d[e])\n",
    );
    is_left("package p\nfunc f(a int, b.c)\n");
    is_left("package p\nfunc f(a, b, c, d, e, f, g, h, i, j int)\n");
}

#[test]
fn a_brace_in_a_header_begins_the_block() {
    bodies_are_read(&[
        "if x == y {\n}",
        "if a := f(T{1}); a {\n} else if b {\n} else {\n}",
        "for _, x := range []T{{1}, {2}} {\n}",
        "for i := 0; i < n; i++ {\n}",
        "for ; ; {\n}",
        "for range 10 {\n}",
        "for x.y {\n}",
        "for i = range x {\n}",
        "if (x == T{}) {\n}",
        "if func() bool { return T{}.a }() {\n}",
        "switch x := f(); x {\ncase 1, 2:\ndefault:\n\tg()\n}",
        "switch {\ncase a:\n\tfallthrough\ncase b:\n}",
    ]);
}

#[test]
fn statements_of_every_kind_are_read() {
    bodies_are_read(&[
        "a, b := 1, 2; a = b; a += 1; a &^= 2; a <<= b; a++; b--",
        "ch <- <-x; go f(); defer func() { recover() }()",
        "L:\n\tfor {\n\t\tbreak L\n\t\tcontinue L\n\t\tgoto L\n\t}",
        "{\n\tx()\n}\nL:",
        "switch x := a.(type) {\ncase nil, *T, []int, p.T, map[string]G[int]:\n\tf(x)\n}",
        "switch a := b; c.d().(type) {\n}",
        "select {\ncase x := <-a:\ncase x, ok = <-b:\ncase <-c:\n\tf()\ncase d <- e:\ndefault:\n}",
        "const a, b = iota, 1; var c T; type d = []int; return",
        "return a, b",
    ]);
    bodies_are_left(&[
        ";",
        "a;;b",
        "if ; a {\n}",
        "_:\n_:",
        "const (a = 1)",
        "a\n.b()",
        "x :=",
        "f(a\n)",
        "nil:\nfor {\n}",
        "switch *x.(type) {\n}",
        "switch a := b + x.(type) {\n}",
        "_ = x.(type)",
    ]);
}

#[test]
fn expressions_of_every_kind_are_read() {
    bodies_are_read(&[
        "_ = a + b*c - d<<2&^e == f || !g && -h < ^i",
        "_ = a.b.c(d, e...)[f][g:h][:][i:][:j][k:l:m].(T).n",
        "_ = []T{1, {2}, 3: {x: y}, [...]int{4}[0]: map[K]V{a: {}, }}",
        "_ = p.T{a: 1}; _ = T[int]{}; _ = p.T[int, []string]{}; _ = struct{ a int }{1}; _ = &T{}",
        "_ = []byte(a); _ = (*T)(b); _ = map[K]V(nil); _ = (func())(c); _ = (<-chan int)(d); _ = interface{}(e)",
        "_ = *(*[]T)(x); _ = **(**[2]T)(x)[i].y; _ = a * []T(x)[0]; _ = -*[]T(x)",
        "_ = f[int](x); _ = f[[]int]; _ = f[int, p.T](); _ = a[i](x, y); _ = a[i+1](x); _ = *a[i]",
        "_ = new(T); _ = make([]int, n, m); _ = new(struct{ a int }); _ = make(chan<- int); _ = new(*p.T[int])",
        "_ = func(a int) (b T) { return }(1)",
        "_ = 0x1F + 0b1_0 + 0o17 + 017 + 1_000 + 1.5e+3 + .5 + 1. + 0x1p-2 + 3i + 0x_1 + 08.5 + 'a' + '\\'' + '\\u1234' + 'é'",
        "_ = \"a\\n\\x41\\101\\u1234\\\"é\" + `raw\\\n`",
        "größe := 1; _ = größe; _ = 世界",
    ]);
    bodies_are_left(&[
        "_ = new(x + 1)",
        "_ = new(T...)",
        "_ = false{}",
        "_ = new.T{}",
        "_ = *a[i](x)",
        "_ = *(*S[T])(x)",
        "_ = f[[...]int]",
        "_ = (*S[A, B]).m",
        "_ = [...]byte(x)",
        "_ = <-chan int(x)",
        "_ = 08",
        "_ = 1__0",
        "_ = '\\q'",
        "_ = 'ab'",
        "_ = \"\\'\"",
        "_ = \"a",
        "_ = `a",
        "_ = a b",
        "_ = []int",
        "_ = [1 2]",
        "/* a",
        "_ = a # b",
    ]);
}

#[test]
fn comments_may_be_anywhere_but_end_no_line() {
    is_read(
        "// a\n/* b */ package /* c */ p // d\n\n/* e */ func /* f */ f( /* g */ ) { // h\n\tx( /* i */ ) // j\n\t/* k\n\tl */\n} // m\n/* n */\n",
    );
    is_left("package p\nvar x = 1 /* a\n*/ var y = 2\n");
    is_read("package p\nvar x = 1 + /* a\n*/ 2\n");
    is_read(
        "//go:build linux\n\npackage p\n\n/*\n#include <a.h>\n*/\nimport \"C\"\n\n//line a.go:1\nfunc f() {}\n",
    );
}

#[test]
fn line_ends_and_marks_of_other_systems_are_read() {
    is_read("package p\r\n\r\nfunc f() {\r\n\tx()\r\n\ty(`a\r\nb`)\r\n}\r\n");
    is_read("\u{feff}package p\nvar x = 1\n");
    is_left("package p\nvar x = \"\u{0}\"\n");
    is_left("package p\n\u{0}\nvar x = 1\n");
    is_left("package p\n\u{c}var x = 1\n");
    is_left("package p\n\u{a0}var x = 1\n");
    is_left("package p\nvar \u{feff}x = 1\n");
}

#[test]
fn a_text_without_package_clause_is_left() {
    for text in ["", "\n", "// a\n", "func f() {}\n", "x := 1\n"] {
        is_left(text);
    }
}

#[test]
fn deep_nesting_is_left_and_long_chains_are_not() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        format!("package p\nvar x = {open}1{close}\n")
    };
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("-", ""),
        ("*", ""),
        ("f(", ")"),
        ("a[", "]"),
        ("func() {", "}"),
        ("[]", ""),
    ] {
        assert!(!is_healthy(&deep(open, close)));
    }
    assert!(!is_healthy(&format!(
        "package p\nfunc f({}",
        "a [".repeat(100_000)
    )));
    assert!(!is_healthy(&format!(
        "package p\nfunc f() {{{}",
        "if x {".repeat(100_000)
    )));
    assert!(is_healthy(&format!(
        "package p\nvar x = a{}\n",
        ".b()[i] + c".repeat(20_000)
    )));
    let levels = |count: usize| {
        format!(
            "package p\nvar x = {}1{}\n",
            "(".repeat(count),
            ")".repeat(count)
        )
    };
    for count in [1, 20, 40, 60, 99, 100, 130, 200, 300] {
        is_the_same(&levels(count));
    }
    for count in [10, 30, 48, 60, 120] {
        is_the_same(&format!(
            "package p\nfunc f() {{{}{}}}\n",
            "if x {".repeat(count),
            "}".repeat(count)
        ));
        is_the_same(&format!(
            "package p\nvar x = {}{}\n",
            "[]T{".repeat(count),
            "}".repeat(count)
        ));
        is_the_same(&format!(
            "package p\nvar x {}int{}\n",
            "G[".repeat(count),
            "]".repeat(count)
        ));
        is_the_same(&format!(
            "package p\nvar x = {}{}\n",
            "func() { g(".repeat(count),
            ") }".repeat(count)
        ));
    }
}

#[test]
fn a_text_cut_anywhere_is_read_as_tree_sitter_reads_it() {
    let text = include_str!("go_fixture.go.txt");
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        if is_healthy(&text[..end]) {
            is_the_same(&text[..end]);
        }
    }
}
