//! A position at one of several redefinitions of a name means them all.

use expect_test::expect;

use super::{Fixture, UTF16};
use crate::editor;

const PYTHON: &str = r#"
//- m.py
import sys
from typing import overload

if sys.platform == 'linux':
    def g$0(): return 1
else:
    def g$1(): return 2

@overload
def f$2(x: int) -> int: ...
def f$3(x): return g$4()

class C:
    @property
    def x$5(self): ...
    @x.setter
    def x$6(self, v): ...

def use(c: C):
    f(1)
    c.x = c.x
"#;

fn report(fixture: &Fixture, mark: char) -> String {
    let id = fixture.id(mark);
    let items = fixture.at(mark, |snapshot, path, at| {
        editor::call_items(snapshot, path, at, UTF16)
    });
    let items: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let calls = fixture.ask(|snapshot| editor::incoming(snapshot, &id, UTF16));
    let declared = fixture.at(mark, |snapshot, path, at| {
        editor::definition(snapshot, path, at, UTF16)
    });
    let used = fixture.at(mark, |snapshot, path, at| {
        editor::references(snapshot, path, at, UTF16, false)
    });
    format!(
        "{id}: items {}\ndeclared {}used {}{}",
        items.join(" "),
        fixture.locations(&declared),
        fixture.locations(&used),
        fixture.calls(&calls)
    )
}

#[test]
fn both_branches_are_meant_at_each_and_at_a_use() {
    let fixture = Fixture::new(PYTHON);
    expect![[r#"
        m.g: items m.g
        declared m.py
        5 |     def g(): return 1
          |         ^
        7 |     def g(): return 2
          |         ^
        used m.py
        11 | def f(x): return g()
           |                  ^
        m.f <- m.py
        11 | def f(x): return g()
           |                  ^
    "#]]
    .assert_eq(&report(&fixture, '0'));
    expect![[r#"
        m.g: items m.g
        declared m.py
        7 |     def g(): return 2
          |         ^
        5 |     def g(): return 1
          |         ^
        used m.py
        11 | def f(x): return g()
           |                  ^
        m.f <- m.py
        11 | def f(x): return g()
           |                  ^
    "#]]
    .assert_eq(&report(&fixture, '1'));
    expect![[r#"
        m.g: items m.g
        declared m.py
        5 |     def g(): return 1
          |         ^
        7 |     def g(): return 2
          |         ^
        used m.py
        11 | def f(x): return g()
           |                  ^
        m.f <- m.py
        11 | def f(x): return g()
           |                  ^
    "#]]
    .assert_eq(&report(&fixture, '4'));
}

#[test]
fn an_overload_is_its_implementation() {
    let fixture = Fixture::new(PYTHON);
    expect![[r#"
        m.f: items m.f
        declared m.py
        11 | def f(x): return g()
           |     ^
        used m.py
        20 |     f(1)
           |     ^
        m.use <- m.py
        20 |     f(1)
           |     ^
    "#]]
    .assert_eq(&report(&fixture, '2'));
    expect![[r#"
        m.f: items m.f
        declared m.py
        11 | def f(x): return g()
           |     ^
        used m.py
        20 |     f(1)
           |     ^
        m.use <- m.py
        20 |     f(1)
           |     ^
    "#]]
    .assert_eq(&report(&fixture, '3'));
}

#[test]
fn a_property_is_meant_with_its_setter() {
    let fixture = Fixture::new(PYTHON);
    expect![[r#"
        m.C.x: items m.C.x
        declared m.py
        15 |     def x(self): ...
           |         ^
        17 |     def x(self, v): ...
           |         ^
        used m.py
        16 |     @x.setter
           |      ^
        21 |     c.x = c.x
           |       ^     ^
        m.use <- m.py
        21 |     c.x = c.x
           |       ^     ^
    "#]]
    .assert_eq(&report(&fixture, '5'));
    expect![[r#"
        m.C.x: items m.C.x
        declared m.py
        17 |     def x(self, v): ...
           |         ^
        15 |     def x(self): ...
           |         ^
        used m.py
        16 |     @x.setter
           |      ^
        21 |     c.x = c.x
           |       ^     ^
        m.use <- m.py
        21 |     c.x = c.x
           |       ^     ^
    "#]]
    .assert_eq(&report(&fixture, '6'));
}
