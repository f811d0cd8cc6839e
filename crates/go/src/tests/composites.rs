//! Composite literals and the fields they name (Go spec, Composite literals).

use expect_test::expect;

use super::{Fixture, calls, references};

#[test]
fn composite_keyed_and_positional() {
    references(
        r#"
package m

import "m/b"

type T struct {
    a, b int
    b.Base
}

const b2 = 1

func f(b int) {
    _ = T{1, b, b2Base()}
    _ = T{a: b, b: b2}
    _ = &T{Base: b2Base()}
    _ = [...]int{b2: 1, b}
    _ = []T{b2: {a: 1}}
    _ = map[string]int{"b": b}
    _ = b0{B: b}
}

type b0 = b.Other

func b2Base() b.Base { return b.Base{X: 1} }
//- b/b.go
package b

type Base struct{ X int }

type Other struct{ B int }
"#,
        expect![[r#"
            a.go:8:7 Base: Embed of b.Base
            a.go:14:9 T: Literal of m.T
            a.go:15:9 T: Literal of m.T
            a.go:15:11 a: Key of m.T.a
            a.go:15:17 b: Key of m.T.b
            a.go:15:20 b2: Read of m.b2
            a.go:16:10 T: Literal of m.T
            a.go:16:12 Base: Key of m.T.Base
            a.go:17:18 b2: Read of m.b2
            a.go:18:11 T: Literal of m.T
            a.go:18:13 b2: Read of m.b2
            a.go:18:18 a: Key of m.T.a
            a.go:20:9 b0: Literal of m.b0
            a.go:20:12 B: Key of b.Other.B
            a.go:23:13 Other: Base of b.Other
            a.go:25:17 Base: Result of b.Base
            a.go:25:33 Base: Literal of b.Base
            a.go:25:38 X: Key of b.Base.X
        "#]],
    );
}

#[test]
fn composite_elided_struct_in_slice() {
    let text = r#"
package m

type T struct {
    name string
    f    func() int
    list []T
}

func g() int { return 0 }

var v = []T{
    {name: "a", f: g},
    {"b", func() int { return g() }, nil},
    {list: []T{{name: "c"}, {f: g}}},
}

func f() {
    _ = [2][]T{{{name: "x"}}, {0: {f: g}}}
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:14:31 g: m -> m.g (in literal)
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:7:12 T: FieldType of m.T
        a.go:12:11 T: Literal of m.T
        a.go:13:6 name: Key of m.T.name
        a.go:13:17 f: Key of m.T.f
        a.go:13:20 g: Value of m.g
        a.go:15:6 list: Key of m.T.list
        a.go:15:14 T: Literal of m.T
        a.go:15:17 name: Key of m.T.name
        a.go:15:30 f: Key of m.T.f
        a.go:15:33 g: Value of m.g
        a.go:19:14 T: Literal of m.T
        a.go:19:18 name: Key of m.T.name
        a.go:19:36 f: Key of m.T.f
        a.go:19:39 g: Value of m.g
    "#]],
    );
}

#[test]
fn composite_elided_pointer_in_map() {
    let text = r#"
package m

type T struct {
    next *T
    m    map[string]*T
}

func (*T) M() {}

func f() {
    m := map[string]*T{"a": {next: nil}, "b": {m: map[string]*T{"c": {next: &T{next: nil}}}}}
    m["a"].M()
    for _, t := range []*T{{next: nil}, {}} { t.M() }
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:13:12 M: m.f -> m.T.M
        a.go:14:49 M: m.f -> m.T.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:5:11 T: FieldType of m.T
        a.go:6:22 T: FieldType of m.T
        a.go:9:8 T: Receiver of m.T
        a.go:12:22 T: Literal of m.T
        a.go:12:30 next: Key of m.T.next
        a.go:12:48 m: Key of m.T.m
        a.go:12:63 T: Literal of m.T
        a.go:12:71 next: Key of m.T.next
        a.go:12:78 T: Literal of m.T
        a.go:12:80 next: Key of m.T.next
        a.go:14:26 T: Literal of m.T
        a.go:14:29 next: Key of m.T.next
    "#]],
    );
}

#[test]
fn composite_elided_map_key() {
    references(
        r#"
package m

type Point struct{ x, y int }

var one = 1

func f() {
    _ = map[Point]string{{x: one}: "a", {1, one}: "b"}
    _ = map[Point]Point{{x: 1}: {y: one}}
    _ = map[[2]Point]bool{{{x: one}, {y: 2}}: true}
}
"#,
        expect![[r#"
            a.go:9:13 Point: Literal of m.Point
            a.go:9:27 x: Key of m.Point.x
            a.go:9:30 one: Read of m.one
            a.go:9:45 one: Read of m.one
            a.go:10:13 Point: Literal of m.Point
            a.go:10:19 Point: Literal of m.Point
            a.go:10:26 x: Key of m.Point.x
            a.go:10:34 y: Key of m.Point.y
            a.go:10:37 one: Read of m.one
            a.go:11:16 Point: Literal of m.Point
            a.go:11:29 x: Key of m.Point.x
            a.go:11:32 one: Read of m.one
            a.go:11:39 y: Key of m.Point.y
        "#]],
    );
}

#[test]
fn composite_of_type_parameter_core() {
    let text = r#"
package m

type T struct{ field int }

func (T) M() {}

func f[S ~[]T, M ~map[string]E, E ~struct{ field2 int }](n int) {
    for _, t := range (S{{field: n}}) { t.M() }
    _ = M{"a": {field2: n}}
    _ = E{field2: n}
}
"#;
    calls(
        text,
        expect![[r#"
        a.go:9:43 M: m.f -> m.T.M
    "#]],
    );
    references(
        text,
        expect![[r#"
        a.go:6:7 T: Receiver of m.T
        a.go:8:13 T: Constraint of m.T
        a.go:9:27 field: Key of m.T.field
        a.go:10:17 field2: Key of m.f.field2
        a.go:11:11 field2: Key of m.f.field2
    "#]],
    );
}

#[test]
fn anonymous_struct_field_definition() {
    let text = r#"
package m

type T struct {
    inner struct{ deep int }
    list  []struct{ item *T }
}

var v = struct{ field T }{field: T{}}

var w struct{ other T }

var table = []any{struct{ cell int }{cell: 1}, func() { _ = struct{ cell int }{cell: 2} }}

func params(p struct{ arg T }) (r struct{ res T }) {
    r.res = p.arg
    return
}

func f(t T) {
    t.inner.deep = 1
    t.list[0].item.inner.deep++
    v.field.inner.deep = w.other.inner.deep
    _ = params(struct{ arg T }{arg: t}).res
    for _, test := range []struct { name string; want T }{
        {name: "a", want: t},
        {"b", t},
    } {
        println(test.name, test.want.inner.deep)
    }
    local := struct{ name T; deep struct{ x int } }{name: t}
    _ = local.name.list
    local.deep.x++
}
"#;
    // Fields of struct literals in bodies are found the way locals are.
    let fixture = Fixture::new(text);
    let marks = [
        "struct { ^name string",
        "{^name: \"a\"",
        "test.^name",
        "test.^want",
        "local.deep.^x",
        "local.^name",
        "v.^field",
        "{^cell: 1",
        "{^cell: 2",
    ];
    let found: Vec<String> = marks
        .iter()
        .map(|mark| fixture.definition("a.go", mark))
        .collect();
    expect![[r#"
        struct { ^name string: local m.f.name at w/a.go:25:37
        {^name: "a": local m.f.name at w/a.go:25:37
        test.^name: local m.f.name at w/a.go:25:37
        test.^want: local m.f.want at w/a.go:25:50
        local.deep.^x: local m.f.x at w/a.go:31:43
        local.^name: local m.f.name at w/a.go:31:22
        v.^field: m.v.field at w/a.go:9:17
        {^cell: 1: local m.table.cell at w/a.go:13:27
        {^cell: 2: local m.table.cell at w/a.go:13:69"#]]
    .assert_eq(&found.join("\n"));
    references(
        text,
        expect![[r#"
            a.go:6:27 T: FieldType of m.T
            a.go:9:23 T: FieldType of m.T
            a.go:9:27 field: Key of m.v.field
            a.go:9:34 T: Literal of m.T
            a.go:11:21 T: FieldType of m.T
            a.go:15:27 T: FieldType of m.T
            a.go:15:47 T: FieldType of m.T
            a.go:16:7 res: Write of m.params.res
            a.go:16:15 arg: Read of m.params.arg
            a.go:20:10 T: Parameter of m.T
            a.go:21:7 inner: Read of m.T.inner
            a.go:21:13 deep: Write of m.T.inner.deep
            a.go:22:7 list: Read of m.T.list
            a.go:22:15 item: Read of m.T.list.item
            a.go:22:20 inner: Read of m.T.inner
            a.go:22:26 deep: ReadWrite of m.T.inner.deep
            a.go:23:5 v: Read of m.v
            a.go:23:7 field: Read of m.v.field
            a.go:23:13 inner: Read of m.T.inner
            a.go:23:19 deep: Write of m.T.inner.deep
            a.go:23:26 w: Read of m.w
            a.go:23:28 other: Read of m.w.other
            a.go:23:34 inner: Read of m.T.inner
            a.go:23:40 deep: Read of m.T.inner.deep
            a.go:24:28 T: FieldType of m.T
            a.go:24:41 res: Read of m.params.res
            a.go:25:55 T: FieldType of m.T
            a.go:29:38 inner: Read of m.T.inner
            a.go:29:44 deep: Read of m.T.inner.deep
            a.go:31:27 T: FieldType of m.T
            a.go:32:20 list: Read of m.T.list
        "#]],
    );
}

#[test]
fn address_of_composite_method_call() {
    calls(
        r#"
package m

type T struct{ n int }

func (*T) M() *T { return nil }

func f() {
    (&T{n: 1}).M().M()
    x := &T{}
    x.M()
    y := &[]T{{1}}
    (*y)[0].M()
    z := &struct{ T }{}
    z.M()
}
"#,
        expect![[r#"
            a.go:9:16 M: m.f -> m.T.M
            a.go:9:20 M: m.f -> m.T.M
            a.go:11:7 M: m.f -> m.T.M
            a.go:13:13 M: m.f -> m.T.M
            a.go:15:7 M: m.f -> m.T.M
        "#]],
    );
}
