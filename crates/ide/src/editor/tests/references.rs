use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor::{self, Access};

fn check(fixture: &Fixture, mark: char, declaration: bool, expected: Expect) {
    let found = fixture.at(mark, |snapshot, path, at| {
        editor::references(snapshot, path, at, UTF16, declaration)
    });
    expected.assert_eq(&fixture.locations(&found));
}

fn highlights(fixture: &Fixture, mark: char, expected: Expect) {
    let found = fixture.at(mark, |snapshot, path, at| {
        editor::highlights(snapshot, path, at, UTF16)
    });
    let (path, _) = &fixture.marks[&mark];
    let marks = found.into_iter().map(|(range, access)| match access {
        Access::Read => (range, 'r'),
        Access::Write => (range, 'w'),
    });
    expected.assert_eq(&fixture.source(path, &marks.collect::<Vec<_>>()));
}

const GO: &str = r#"
//- a/a.go
package a

type T$0 struct{ F$4 int }

func (t *T) M() { t.M() }

var V$1 = 1
//- b.go
package m

import "m/a$2"

func f(n$3 int) *a.T {
	a.V = n
	n++
	n, k := n, 1
	_ = k
	x := a.T{F: n}
	x.F = 2
	return nil
}
"#;

#[test]
fn go_uses_are_found_over_packages_and_locals_in_their_function() {
    let fixture = Fixture::new(GO);
    check(
        &fixture,
        '0',
        true,
        expect![[r#"
            a/a.go
            3 | type T struct{ F int }
              |      ^
            5 | func (t *T) M() { t.M() }
              |          ^
            b.go
            5 | func f(n int) *a.T {
              |                  ^
            10 | 	x := a.T{F: n}
               | 	       ^
        "#]],
    );
    check(
        &fixture,
        '0',
        false,
        expect![[r#"
            a/a.go
            5 | func (t *T) M() { t.M() }
              |          ^
            b.go
            5 | func f(n int) *a.T {
              |                  ^
            10 | 	x := a.T{F: n}
               | 	       ^
        "#]],
    );
    check(
        &fixture,
        '1',
        true,
        expect![[r#"
            a/a.go
            7 | var V = 1
              |     ^
            b.go
            6 | 	a.V = n
              | 	  ^
        "#]],
    );
    check(
        &fixture,
        '2',
        true,
        expect![[r#"
            a/a.go
            1 | package a
              |         ^
            b.go
            3 | import "m/a"
              |        ^^^^^
        "#]],
    );
    check(
        &fixture,
        '3',
        true,
        expect![[r#"
            b.go
            5 | func f(n int) *a.T {
              |        ^
            6 | 	a.V = n
              | 	      ^
            7 | 	n++
              | 	^
            8 | 	n, k := n, 1
              | 	^       ^
            10 | 	x := a.T{F: n}
               | 	            ^
        "#]],
    );
    check(
        &fixture,
        '4',
        false,
        expect![[r#"
            b.go
            10 | 	x := a.T{F: n}
               | 	         ^
            11 | 	x.F = 2
               | 	  ^
        "#]],
    );
}

#[test]
fn go_highlights_distinguish_reads_from_writes() {
    let fixture = Fixture::new(GO);
    highlights(
        &fixture,
        '3',
        expect![[r#"
            5 | func f(n int) *a.T {
              |        w
            6 | 	a.V = n
              | 	      r
            7 | 	n++
              | 	w
            8 | 	n, k := n, 1
              | 	w       r
            10 | 	x := a.T{F: n}
               | 	            r
        "#]],
    );
    highlights(
        &fixture,
        '4',
        expect![[r#"
            3 | type T struct{ F int }
              |                w
        "#]],
    );
    highlights(
        &fixture,
        '2',
        expect![[r#"
            3 | import "m/a"
              |        rrrrr
        "#]],
    );
}

const PYTHON: &str = r#"
//- a.py
class C$0:
    def run(self): pass

limit$1 = 1
limit = 2

def f(n$2):
    global limit
    n += 1
    limit = n
    return [n for m in n]
//- b.py
from a import C as D, limit
import a$3

s = '😀'; D().run()
print(a.limit, limit)
"#;

#[test]
fn python_uses_are_found_over_modules_and_locals_in_their_function() {
    let fixture = Fixture::new(PYTHON);
    check(
        &fixture,
        '0',
        true,
        expect![[r#"
            a.py
            1 | class C:
              |       ^
            b.py
            1 | from a import C as D, limit
              |               ^
            4 | s = '😀'; D().run()
              |          ^
        "#]],
    );
    check(
        &fixture,
        '1',
        false,
        expect![[r#"
            a.py
            5 | limit = 2
              | ^^^^^
            8 |     global limit
              |            ^^^^^
            10 |     limit = n
               |     ^^^^^
            b.py
            1 | from a import C as D, limit
              |                       ^^^^^
            5 | print(a.limit, limit)
              |         ^^^^^  ^^^^^
        "#]],
    );
    check(
        &fixture,
        '2',
        true,
        expect![[r#"
            a.py
            7 | def f(n):
              |       ^
            9 |     n += 1
              |     ^
            10 |     limit = n
               |             ^
            11 |     return [n for m in n]
               |             ^          ^
        "#]],
    );
    check(
        &fixture,
        '3',
        true,
        expect![[r#"
            a.py
            1 | class C:
              | .
            b.py
            1 | from a import C as D, limit
              |      ^
            2 | import a
              |        ^
            5 | print(a.limit, limit)
              |       ^
        "#]],
    );
}

#[test]
fn python_highlights_distinguish_reads_from_writes() {
    let fixture = Fixture::new(PYTHON);
    highlights(
        &fixture,
        '1',
        expect![[r#"
            4 | limit = 1
              | wwwww
            5 | limit = 2
              | wwwww
            8 |     global limit
              |            rrrrr
            10 |     limit = n
               |     wwwww
        "#]],
    );
    highlights(
        &fixture,
        '2',
        expect![[r#"
            7 | def f(n):
              |       w
            9 |     n += 1
              |     w
            10 |     limit = n
               |             r
            11 |     return [n for m in n]
               |             r          r
        "#]],
    );
}
