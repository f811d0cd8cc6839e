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
        "//- a.go\npackage m\n\ntype I$0 interface{ Run$1() }\n\ntype A$2 struct{}\n\nfunc (A) Run$3() {}\n\nfunc (A) Own$4() {}\n\ntype B struct{ A }\n\nfunc f$5(n$6 I) {}\n",
    );
    check(
        &fixture,
        '0',
        expect![[r#"
        a.go:4:5-6
        a.go:10:5-6
    "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
        a.go:6:9-12
    "#]],
    );
    check(
        &fixture,
        '2',
        expect![[r#"
        a.go:2:5-6
    "#]],
    );
    check(
        &fixture,
        '3',
        expect![[r#"
        a.go:2:18-21
    "#]],
    );
    check(&fixture, '4', expect![""]);
    check(&fixture, '5', expect![""]);
    check(&fixture, '6', expect![""]);
}

#[test]
fn python_classes_have_subclasses_and_methods_overrides() {
    let fixture = Fixture::new(
        "//- a.py\nclass A$0:\n    def run$1(self): pass\n\nclass B(A):\n    def run$2(self): pass\n\nclass C$3(B): pass\n\ndef f$4(): pass\n",
    );
    check(
        &fixture,
        '0',
        expect![[r#"
        a.py:3:6-7
        a.py:6:6-7
    "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
        a.py:4:8-11
    "#]],
    );
    check(&fixture, '2', expect![""]);
    check(&fixture, '3', expect![""]);
    check(&fixture, '4', expect![""]);
}
