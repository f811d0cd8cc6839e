use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor;
use codeweft_workspace::{Encoding, Position};

fn check(fixture: &Fixture, mark: char, expected: Expect) {
    let found = fixture.at(mark, |snapshot, path, at| {
        editor::definition(snapshot, path, at, UTF16)
    });
    expected.assert_eq(&fixture.locations(&found));
}

#[test]
fn a_go_use_leads_to_its_declaration_and_a_declaration_to_itself() {
    let fixture = Fixture::new(
        r#"
//- a/a.go
package a

type T struct{ F int }

func (t *T) M$1() {}

func New() *T { return nil }
//- b.go
package m

import "m/a"

func f() {
	/* 😀 */ a.$0New().$2M()
	_ = a.New().F$3
}
"#,
    );
    check(
        &fixture,
        '0',
        expect![[r#"
            a/a.go
            7 | func New() *T { return nil }
              |      ^^^
        "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
            a/a.go
            5 | func (t *T) M() {}
              |             ^
        "#]],
    );
    check(
        &fixture,
        '2',
        expect![[r#"
            a/a.go
            5 | func (t *T) M() {}
              |             ^
        "#]],
    );
    check(
        &fixture,
        '3',
        expect![[r#"
            a/a.go
            3 | type T struct{ F int }
              |                ^
        "#]],
    );
}

#[test]
fn a_position_counts_in_the_units_of_the_client() {
    let fixture =
        Fixture::new("//- a.go\npackage m\n\nfunc é() {}\n\nfunc f() { _ = \"😀é\"; é() }\n");
    let path = fixture.path("a.go");
    let found_at = |character, encoding| {
        let at = Position { line: 4, character };
        let found = fixture.ask(|snapshot| editor::definition(snapshot, &path, at, encoding));
        fixture.positions(&found)
    };
    assert_eq!(found_at(22, Encoding::Utf16), "a.go:2:5-6\n");
    assert_eq!(found_at(21, Encoding::Utf32), "a.go:2:5-6\n");
    assert_eq!(found_at(25, Encoding::Utf8), "a.go:2:5-7\n");
    assert_eq!(found_at(20, Encoding::Utf16), "");
}

#[test]
fn a_call_through_an_interface_leads_to_the_method_that_it_names() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m

type I interface{ Run() }

type A struct{}

func (A) Run() {}

func f(i I) { i.R$0un() }
"#,
    );
    check(
        &fixture,
        '0',
        expect![[r#"
            a.go
            3 | type I interface{ Run() }
              |                   ^^^
        "#]],
    );
}

#[test]
fn an_import_path_leads_to_every_file_of_the_package_and_a_qualifier_to_the_first() {
    let fixture = Fixture::new(
        r#"
//- a/a.go
package a
//- a/b.go
// Package a is documented here.
package a

func F() {}
//- a/a_test.go
package a
//- b.go
package m

import "m$0/a"

func f() { $1a.F() }
"#,
    );
    check(
        &fixture,
        '0',
        expect![[r#"
            a/b.go
            2 | package a
              |         ^
            a/a.go
            1 | package a
              |         ^
        "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
            a/b.go
            2 | package a
              |         ^
        "#]],
    );
}

#[test]
fn go_locals_parameters_and_labels_lead_to_where_they_are_declared() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m

func f(n int) (out int) {
outer:
	for i := range n$0 {
		x := i$1
		{ x := x$2; _ = x$3 }
		continue outer$4
	}
	return out$5
}
"#,
    );
    check(
        &fixture,
        '0',
        expect![[r#"
            a.go
            3 | func f(n int) (out int) {
              |        ^
        "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
            a.go
            5 | 	for i := range n {
              | 	    ^
        "#]],
    );
    check(
        &fixture,
        '2',
        expect![[r#"
            a.go
            6 | 		x := i
              | 		^
        "#]],
    );
    check(
        &fixture,
        '3',
        expect![[r#"
            a.go
            7 | 		{ x := x; _ = x }
              | 		  ^
        "#]],
    );
    check(
        &fixture,
        '4',
        expect![[r#"
            a.go
            4 | outer:
              | ^^^^^
        "#]],
    );
    check(
        &fixture,
        '5',
        expect![[r#"
            a.go
            3 | func f(n int) (out int) {
              |                ^^^
        "#]],
    );
}

#[test]
fn python_uses_lead_to_their_declarations() {
    let fixture = Fixture::new(
        r#"
//- pkg/__init__.py
//- pkg/a.py
class C:
    '''A 😀.'''
    def run(self, n):
        self.x = n$2
        return self.x$3

LIMIT = 3
//- b.py
from pkg import a$4
from pkg.a import C$5 as D

s = '😀'; D$0().run$1(a.LIMIT$6)
import pkg$7.a$8
"#,
    );
    for (mark, expected) in [
        (
            '0',
            expect![[r#"
                pkg/a.py
                1 | class C:
                  |       ^
            "#]],
        ),
        (
            '1',
            expect![[r#"
                pkg/a.py
                3 |     def run(self, n):
                  |         ^^^
            "#]],
        ),
        (
            '2',
            expect![[r#"
                pkg/a.py
                3 |     def run(self, n):
                  |                   ^
            "#]],
        ),
        (
            '3',
            expect![[r#"
                pkg/a.py
                4 |         self.x = n
                  |              ^
            "#]],
        ),
        (
            '4',
            expect![[r#"
                pkg/a.py
                1 | class C:
                  | .
            "#]],
        ),
        (
            '5',
            expect![[r#"
                pkg/a.py
                1 | class C:
                  |       ^
            "#]],
        ),
        (
            '6',
            expect![[r#"
                pkg/a.py
                7 | LIMIT = 3
                  | ^^^^^
            "#]],
        ),
        (
            '7',
            expect![[r#"
                pkg/__init__.py
                1 |
                  | .
            "#]],
        ),
        (
            '8',
            expect![[r#"
                pkg/a.py
                1 | class C:
                  | .
            "#]],
        ),
    ] {
        check(&fixture, mark, expected);
    }
}

#[test]
fn a_name_that_branches_bind_leads_to_all_of_them() {
    let fixture = Fixture::new(
        r#"
//- a.py
def f(): pass
//- b.py
def f(): pass
//- c.py
try:
    from a import f
except ImportError:
    from b import f

f$0()
"#,
    );
    check(
        &fixture,
        '0',
        expect![[r#"
            a.py
            1 | def f(): pass
              |     ^
            b.py
            1 | def f(): pass
              |     ^
        "#]],
    );
}

#[test]
fn a_declaration_is_in_the_stub_where_there_is_one() {
    let fixture = Fixture::new(
        r#"
//- a.py
def f(n): return n

class C:
    def m(self): pass

def g(): pass
//- a.pyi
def uses(c: C) -> C: ...
def f(n: int) -> int: ...
class C:
    def m(self) -> None: ...
//- b.py
import a

a.f$0(1)
a.C$1().m$2()
a.g$3()
"#,
    );
    let mut text = String::new();
    for mark in ['0', '1', '2', '3'] {
        let found = fixture.at(mark, |snapshot, path, at| {
            editor::declaration(snapshot, path, at, UTF16)
        });
        text.push_str(&fixture.locations(&found));
    }
    expect![[r#"
        a.pyi
        2 | def f(n: int) -> int: ...
          |     ^
        a.pyi
        3 | class C:
          |       ^
        a.pyi
        4 |     def m(self) -> None: ...
          |         ^
        a.py
        6 | def g(): pass
          |     ^
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_position_without_a_name_has_no_answer() {
    let fixture = Fixture::new(
        r#"
//- a.go
package$0 m

func f() {
$1
	// f$2
	if$3 true {}
}
//- w_windows.go
package m

func w$4() {}
//- b.py
def$5 f():
    pass$6
"#,
    );
    for mark in ['0', '1', '2', '3', '4', '5', '6'] {
        check(&fixture, mark, expect![""]);
    }
    let found_at = |path: &str, line, character| {
        let at = Position { line, character };
        fixture.ask(|snapshot| {
            (
                editor::definition(snapshot, path, at, UTF16).len(),
                editor::references(snapshot, path, at, UTF16, true).len(),
                editor::highlights(snapshot, path, at, UTF16).len(),
                editor::hover(snapshot, path, at, UTF16).is_none(),
                editor::id_at(snapshot, path, at, UTF16),
            )
        })
    };
    let nothing = (0, 0, 0, true, None);
    assert_eq!(found_at("/nowhere/x.go", 0, 0), nothing);
    assert_eq!(found_at("", u32::MAX, u32::MAX), nothing);
    assert_eq!(found_at(&fixture.path("a.go"), 99, 0), nothing);
    assert_eq!(found_at(&fixture.path("a.go"), u32::MAX, u32::MAX), nothing);
}

#[test]
fn the_name_of_an_embedded_field_leads_to_its_type_and_a_use_of_the_field_to_the_field() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m

type T struct{}

type S struct {
	*$0T
}

var v = S{}.T$1

func f() {
	type L struct{ $2T }
}
"#,
    );
    for (mark, expected) in [
        ('0', "a.go:2:5-6\n"),
        ('1', "a.go:5:2-3\n"),
        ('2', "a.go:2:5-6\n"),
    ] {
        let found = fixture.at(mark, |snapshot, path, at| {
            editor::definition(snapshot, path, at, UTF16)
        });
        assert_eq!(fixture.positions(&found), expected, "{mark}");
    }
}
