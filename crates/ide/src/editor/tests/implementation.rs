use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor;

fn check(fixture: &Fixture, mark: char, expected: Expect) {
    let found = fixture.at(mark, |snapshot, path, at| {
        editor::implementation(snapshot, path, at, UTF16)
    });
    expected.assert_eq(&fixture.locations(&found));
}

#[test]
fn go_interfaces_have_types_types_have_interfaces_and_so_their_methods() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m

type I$0 interface{ Run$1() }

type A$2 struct{}

func (A) Run$3() {}

func (A) Own$4() {}

type B struct{ A }

func f$5(n$6 I) {}
"#,
    );
    check(
        &fixture,
        '0',
        expect![[r#"
            a.go
            5 | type A struct{}
              |      ^
            11 | type B struct{ A }
               |      ^
        "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
            a.go
            7 | func (A) Run() {}
              |          ^^^
        "#]],
    );
    check(
        &fixture,
        '2',
        expect![[r#"
            a.go
            3 | type I interface{ Run() }
              |      ^
        "#]],
    );
    check(
        &fixture,
        '3',
        expect![[r#"
            a.go
            3 | type I interface{ Run() }
              |                   ^^^
        "#]],
    );
    check(&fixture, '4', expect![""]);
    check(&fixture, '5', expect![""]);
    check(&fixture, '6', expect![""]);
}

#[test]
fn python_classes_have_subclasses_and_methods_overrides() {
    let fixture = Fixture::new(
        r#"
//- a.py
class A$0:
    def run$1(self): pass

class B(A):
    def run$2(self): pass

class C$3(B): pass

def f$4(): pass
"#,
    );
    check(
        &fixture,
        '0',
        expect![[r#"
            a.py
            4 | class B(A):
              |       ^
            7 | class C(B): pass
              |       ^
        "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
            a.py
            5 |     def run(self): pass
              |         ^^^
        "#]],
    );
    check(&fixture, '2', expect![""]);
    check(&fixture, '3', expect![""]);
    check(&fixture, '4', expect![""]);
}
