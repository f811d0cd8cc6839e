//! A position at one of several declarations of a name in one place means them all.

use expect_test::expect;

use super::{Fixture, Location, UTF16};
use crate::editor;

const PYTHON: &str = "//- m.py\nimport sys\nfrom typing import overload\n\n\
    if sys.platform == 'linux':\n    def g$0(): return 1\nelse:\n    def g$1(): return 2\n\n\
    @overload\ndef f$2(x: int) -> int: ...\ndef f$3(x): return g$4()\n\n\
    class C:\n    @property\n    def x$5(self): ...\n    @x.setter\n    def x$6(self, v): ...\n\n\
    def use(c: C):\n    f(1)\n    c.x = c.x\n";

fn told(fixture: &Fixture, mark: char) -> String {
    let id = fixture.id(mark);
    let items = fixture.at(mark, |snapshot, path, at| {
        editor::call_items(snapshot, path, at, UTF16)
    });
    let items: Vec<&str> = items.iter().map(|item| item.id.as_str()).collect();
    let calls = fixture.ask(|snapshot| editor::incoming(snapshot, &id, UTF16));
    let places = |found: Vec<Location>| fixture.locations(&found).trim().replace('\n', ", ");
    let declared = fixture.at(mark, |snapshot, path, at| {
        editor::definition(snapshot, path, at, UTF16)
    });
    let used = fixture.at(mark, |snapshot, path, at| {
        editor::references(snapshot, path, at, UTF16, false)
    });
    format!(
        "{id}: items {}\ndeclared {}\nused {}\n{}",
        items.join(" "),
        places(declared),
        places(used),
        fixture.calls(&calls)
    )
}

#[test]
fn both_branches_are_meant_at_each_and_at_a_use() {
    let fixture = Fixture::new(PYTHON);
    expect![[r#"
        m.g: items m.g
        declared m.py:4:8-9, m.py:6:8-9
        used m.py:10:17-18
        m.f <- m.py:10:17-18
    "#]]
    .assert_eq(&told(&fixture, '0'));
    expect![[r#"
        m.g: items m.g
        declared m.py:6:8-9, m.py:4:8-9
        used m.py:10:17-18
        m.f <- m.py:10:17-18
    "#]]
    .assert_eq(&told(&fixture, '1'));
    expect![[r#"
        m.g: items m.g
        declared m.py:4:8-9, m.py:6:8-9
        used m.py:10:17-18
        m.f <- m.py:10:17-18
    "#]]
    .assert_eq(&told(&fixture, '4'));
}

#[test]
fn an_overload_is_its_implementation() {
    let fixture = Fixture::new(PYTHON);
    expect![[r#"
        m.f: items m.f
        declared m.py:10:4-5
        used m.py:19:4-5
        m.use <- m.py:19:4-5
    "#]]
    .assert_eq(&told(&fixture, '2'));
    expect![[r#"
        m.f: items m.f
        declared m.py:10:4-5
        used m.py:19:4-5
        m.use <- m.py:19:4-5
    "#]]
    .assert_eq(&told(&fixture, '3'));
}

#[test]
fn a_property_is_meant_with_its_setter() {
    let fixture = Fixture::new(PYTHON);
    expect![[r#"
        m.C.x: items m.C.x
        declared m.py:14:8-9, m.py:16:8-9
        used m.py:15:5-6, m.py:20:6-7, m.py:20:12-13
        m.use <- m.py:20:6-7 20:12-13
    "#]]
    .assert_eq(&told(&fixture, '5'));
    expect![[r#"
        m.C.x: items m.C.x
        declared m.py:16:8-9, m.py:14:8-9
        used m.py:15:5-6, m.py:20:6-7, m.py:20:12-13
        m.use <- m.py:20:6-7 20:12-13
    "#]]
    .assert_eq(&told(&fixture, '6'));
}
