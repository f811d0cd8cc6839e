use expect_test::{Expect, expect};

use super::{Fixture, UTF16, range};
use crate::editor;

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
    let lines = found.iter();
    let lines = lines.map(|(at, access)| format!("{} {access:?}\n", range(at)));
    expected.assert_eq(&lines.collect::<String>());
}

const GO: &str = "//- a/a.go\npackage a\n\ntype T$0 struct{ F$4 int }\n\nfunc (t *T) M() { t.M() }\n\nvar V$1 = 1\n\
    //- b.go\npackage m\n\nimport \"m/a$2\"\n\nfunc f(n$3 int) *a.T {\n\ta.V = n\n\tn++\n\tn, k := n, 1\n\t_ = k\n\tx := a.T{F: n}\n\tx.F = 2\n\treturn nil\n}\n";

#[test]
fn go_uses_are_found_over_packages_and_locals_in_their_function() {
    let fixture = Fixture::new(GO);
    check(
        &fixture,
        '0',
        true,
        expect![[r#"
        a/a.go:2:5-6
        a/a.go:4:9-10
        b.go:4:17-18
        b.go:9:8-9
    "#]],
    );
    check(
        &fixture,
        '0',
        false,
        expect![[r#"
        a/a.go:4:9-10
        b.go:4:17-18
        b.go:9:8-9
    "#]],
    );
    check(
        &fixture,
        '1',
        true,
        expect![[r#"
        a/a.go:6:4-5
        b.go:5:3-4
    "#]],
    );
    check(
        &fixture,
        '2',
        true,
        expect![[r#"
        a/a.go:0:8-9
        b.go:2:7-12
    "#]],
    );
    check(
        &fixture,
        '3',
        true,
        expect![[r#"
        b.go:4:7-8
        b.go:5:7-8
        b.go:6:1-2
        b.go:7:1-2
        b.go:7:9-10
        b.go:9:13-14
    "#]],
    );
    check(
        &fixture,
        '4',
        false,
        expect![[r#"
        b.go:9:10-11
        b.go:10:3-4
    "#]],
    );
}

#[test]
fn go_highlights_tell_reads_from_writes() {
    let fixture = Fixture::new(GO);
    highlights(
        &fixture,
        '3',
        expect![[r#"
        4:7-8 Write
        5:7-8 Read
        6:1-2 Write
        7:1-2 Write
        7:9-10 Read
        9:13-14 Read
    "#]],
    );
    highlights(
        &fixture,
        '4',
        expect![[r#"
        2:15-16 Write
    "#]],
    );
    highlights(
        &fixture,
        '2',
        expect![[r#"
        2:7-12 Read
    "#]],
    );
}

const PYTHON: &str = "//- a.py\nclass C$0:\n    def run(self): pass\n\nlimit$1 = 1\nlimit = 2\n\ndef f(n$2):\n    global limit\n    n += 1\n    limit = n\n    return [n for m in n]\n\
    //- b.py\nfrom a import C as D, limit\nimport a$3\n\ns = '😀'; D().run()\nprint(a.limit, limit)\n";

#[test]
fn python_uses_are_found_over_modules_and_locals_in_their_function() {
    let fixture = Fixture::new(PYTHON);
    check(
        &fixture,
        '0',
        true,
        expect![[r#"
        a.py:0:6-7
        b.py:0:14-15
        b.py:3:10-11
    "#]],
    );
    check(
        &fixture,
        '1',
        false,
        expect![[r#"
        a.py:4:0-5
        a.py:7:11-16
        a.py:9:4-9
        b.py:0:22-27
        b.py:4:8-13
        b.py:4:15-20
    "#]],
    );
    check(
        &fixture,
        '2',
        true,
        expect![[r#"
        a.py:6:6-7
        a.py:8:4-5
        a.py:9:12-13
        a.py:10:12-13
        a.py:10:23-24
    "#]],
    );
    check(
        &fixture,
        '3',
        true,
        expect![[r#"
        a.py:0:0-0
        b.py:0:5-6
        b.py:1:7-8
        b.py:4:6-7
    "#]],
    );
}

#[test]
fn python_highlights_tell_reads_from_writes() {
    let fixture = Fixture::new(PYTHON);
    highlights(
        &fixture,
        '1',
        expect![[r#"
        3:0-5 Write
        4:0-5 Write
        7:11-16 Read
        9:4-9 Write
    "#]],
    );
    highlights(
        &fixture,
        '2',
        expect![[r#"
        6:6-7 Write
        8:4-5 Write
        9:12-13 Read
        10:12-13 Read
        10:23-24 Read
    "#]],
    );
}
