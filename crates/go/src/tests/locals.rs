//! Locals by their position: declarations and all uses (Go spec, Declarations and scope, Label
//! scopes).

use expect_test::{Expect, expect};

use super::Fixture;

/// Compares the locals at the marks of a fixture.
fn locals(text: &str, marks: &[&str], expected: Expect) {
    let fixture = Fixture::new(text);
    let found: Vec<String> = marks
        .iter()
        .map(|mark| fixture.local_uses("a.go", mark) + "\n")
        .collect();
    expected.assert_eq(&found.concat());
}

#[test]
fn a_name_that_shadows_is_another_local() {
    locals(
        r#"
package m

func f(x int) int {
    if x := x + 1; x > 2 {
        x++
        return x
    }
    {
        x := "x"
        _ = x
    }
    x, y := 3, x
    return x + y
}
"#,
        &[
            "f(^x int)",
            "if ^x :=",
            "^x++",
            "^x := \"x\"",
            "_ = ^x",
            "^x + y",
        ],
        expect![[r#"
            f(^x int): 4:8: 5:13, 13:5, 13:16, 14:12
            if ^x :=: 5:8: 5:20, 6:9, 7:16
            ^x++: 5:8: 5:20, 6:9, 7:16
            ^x := "x": 10:9: 11:13
            _ = ^x: 10:9: 11:13
            ^x + y: 4:8: 5:13, 13:5, 13:16, 14:12
        "#]],
    );
}

#[test]
fn a_local_is_used_in_the_literals_inside() {
    locals(
        r#"
package m

func f(n int) func() int {
    add := func(n int) int { return n }
    return func() int { return add(n) + n }
}
"#,
        &["f(^n int)", "func(^n int)", "^add :="],
        expect![[r#"
            f(^n int): 4:8: 6:36 in literal, 6:41 in literal
            func(^n int): 5:17: 5:37 in literal
            ^add :=: 5:5: 6:32 in literal
        "#]],
    );
}

#[test]
fn each_initialiser_of_a_spec_has_its_locals() {
    locals(
        r#"
package m

var a, b = func() int { x := 1; return x }(), func() int { y := 2; return y }()

var (
    c = func(z int) int { return z }
    d = func(z int) int { return z + z }
)
"#,
        &["^x :=", "^y :=", "c = func(^z", "d = func(^z"],
        expect![[r#"
            ^x :=: 4:25: 4:40 in literal
            ^y :=: 4:60: 4:75 in literal
            c = func(^z: 7:14: 7:34 in literal
            d = func(^z: 8:14: 8:34 in literal, 8:38 in literal
        "#]],
    );
}

#[test]
fn the_symbol_of_a_type_switch_is_one_local_in_all_clauses() {
    locals(
        r#"
package m

func f(v any) any {
    switch v := v.(type) {
    case int:
        return v + 1
    case string:
        return v
    default:
        return v
    }
}
"#,
        &["f(^v any)", "switch ^v", "^v + 1"],
        expect![[r#"
            f(^v any): 4:8: 5:17
            switch ^v: 5:12: 7:16, 9:16, 11:16
            ^v + 1: 5:12: 7:16, 9:16, 11:16
        "#]],
    );
}

#[test]
fn labels_belong_to_one_function_and_are_no_variables() {
    locals(
        r#"
package m

func f(done bool) {
    goto done
done:
    for done {
        func() {
        done:
            for {
                break done
            }
        }()
        continue done
    }
    select {
    default:
        goto nowhere
    }
}
"#,
        &[
            "goto ^done",
            "^done:",
            "break ^done",
            "continue ^done",
            "(^done bool)",
            "goto ^nowhere",
        ],
        expect![[r#"
            goto ^done: 6:1: 5:10, 14:18
            ^done:: 6:1: 5:10, 14:18
            break ^done: 9:9: 11:23 in literal
            continue ^done: 6:1: 5:10, 14:18
            (^done bool): 4:8: 7:9
            goto ^nowhere: no local
        "#]],
    );
}

#[test]
fn type_parameters_and_receivers_are_locals() {
    locals(
        r#"
package m

type L[T any] struct{ next *L[T]; value T }

func (l *L[U]) get(or U) U {
    if l == nil {
        var zero U
        _ = zero
        return or
    }
    return l.value
}

func each[E any, S ~[]E](s S, f func(e E)) {
    for _, e := range s {
        f(e)
    }
}
"#,
        &[
            "L[^T any]",
            "L[^U])",
            "(^l *L",
            "each[^E any",
            "^S ~[]",
            "func(^e E)",
            "_, ^e :=",
        ],
        expect![[r#"
            L[^T any]: 4:8: 4:31, 4:41
            L[^U]): 6:12: 6:23, 6:26, 8:18
            (^l *L: 6:7: 7:8, 12:12
            each[^E any: 15:11: 15:23, 15:40
            ^S ~[]: 15:18: 15:28
            func(^e E): 15:38: 
            _, ^e :=: 16:12: 17:11
        "#]],
    );
}

#[test]
fn fields_of_a_struct_type_without_a_name_in_a_body_are_locals() {
    locals(
        r#"
package m

func f() {
    tests := []struct {
        in  string
        out struct{ n int }
    }{
        {in: "a"},
        {"b", struct{ n int }{n: 1}},
    }
    for _, test := range tests {
        in := test.in
        _, _ = in, test.out.n
    }
    var other struct{ in string }
    _ = other.in
}

var _ = func() any {
    one := struct{ in int }{in: 1}
    return one.in
}()
"#,
        &[
            "^in  string",
            "out struct{ ^n int }",
            "test.^in",
            "struct{ ^in string }",
            "other.^in",
            "{^in: 1}",
            "^one :=",
        ],
        expect![[r#"
            ^in  string: 6:9: 9:10, 13:20
            out struct{ ^n int }: 7:21: 14:29
            test.^in: 6:9: 9:10, 13:20
            struct{ ^in string }: 16:23: 17:15
            other.^in: 16:23: 17:15
            {^in: 1}: 21:20: 21:29 in literal, 22:16 in literal
            ^one :=: 21:5: 22:12 in literal
        "#]],
    );
}

#[test]
fn parameters_of_a_function_type_name_nothing_else() {
    locals(
        r#"
package m

type F func(name string) (err error)

type I interface{ M(name string) }

func f(g func(name string)) {
    var h func(name int) = nil
    _ = h
}
"#,
        &[
            "F func(^name",
            "(^err error)",
            "M(^name",
            "g func(^name",
            "h func(^name",
        ],
        expect![[r#"
            F func(^name: 4:13: 
            (^err error): 4:27: 
            M(^name: 6:21: 
            g func(^name: 8:15: 
            h func(^name: 9:16: 
        "#]],
    );
}

#[test]
fn a_type_that_a_function_declares_is_a_node_and_its_alias_a_local() {
    let text = r#"
package m

func f() {
    type T struct{ n int }
    type A = T
    var a A
    _ = T{n: a.n}
}
"#;
    let fixture = Fixture::new(text);
    let marks = ["type ^T", "= ^T", "_ = ^T", "type ^A", "a ^A", "{^n: a"];
    let found = marks.map(|mark| fixture.definition("a.go", mark));
    expect![[r#"
        type ^T: m.f.T at w/a.go:5:10
        = ^T: m.f.T at w/a.go:5:10
        _ = ^T: m.f.T at w/a.go:5:10
        type ^A: local m.f.A at w/a.go:6:10
        a ^A: local m.f.A at w/a.go:6:10
        {^n: a: m.f.T.n at w/a.go:5:20"#]]
    .assert_eq(&found.join("\n"));
}

#[test]
fn a_blank_variable_declares_nothing() {
    let fixture = Fixture::new("package m\n\nvar _ int = 1\n\nfunc _() {}\n");
    let found = ["var ^_", "func ^_"].map(|mark| fixture.definition("a.go", mark));
    expect![[r#"
        var ^_: nothing
        func ^_: m._ at w/a.go:5:6"#]]
    .assert_eq(&found.join("\n"));
}
