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
        "//- a/a.go\npackage a\n\ntype T struct{ F int }\n\nfunc (t *T) M$1() {}\n\nfunc New() *T { return nil }\n\
         //- b.go\npackage m\n\nimport \"m/a\"\n\nfunc f() {\n\t/* 😀 */ a.$0New().$2M()\n\t_ = a.New().F$3\n}\n",
    );
    check(
        &fixture,
        '0',
        expect![[r#"
        a/a.go:6:5-8
    "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
        a/a.go:4:12-13
    "#]],
    );
    check(
        &fixture,
        '2',
        expect![[r#"
        a/a.go:4:12-13
    "#]],
    );
    check(
        &fixture,
        '3',
        expect![[r#"
        a/a.go:2:15-16
    "#]],
    );
}

#[test]
fn a_position_counts_in_the_units_of_the_client() {
    let fixture =
        Fixture::new("//- a.go\npackage m\n\nfunc é() {}\n\nfunc f() { _ = \"😀é\"; é() }\n");
    let path = fixture.path("a.go");
    let asked = |character, encoding| {
        let at = Position { line: 4, character };
        let found = fixture.ask(|snapshot| editor::definition(snapshot, &path, at, encoding));
        fixture.locations(&found)
    };
    assert_eq!(asked(22, Encoding::Utf16), "a.go:2:5-6\n");
    assert_eq!(asked(21, Encoding::Utf32), "a.go:2:5-6\n");
    assert_eq!(asked(25, Encoding::Utf8), "a.go:2:5-7\n");
    assert_eq!(asked(20, Encoding::Utf16), "");
}

#[test]
fn a_call_through_an_interface_leads_to_the_method_that_it_names() {
    let fixture = Fixture::new(
        "//- a.go\npackage m\n\ntype I interface{ Run() }\n\ntype A struct{}\n\nfunc (A) Run() {}\n\nfunc f(i I) { i.R$0un() }\n",
    );
    check(
        &fixture,
        '0',
        expect![[r#"
        a.go:2:18-21
    "#]],
    );
}

#[test]
fn an_import_path_leads_to_every_file_of_the_package_and_a_qualifier_to_the_first() {
    let fixture = Fixture::new(
        "//- a/a.go\npackage a\n//- a/b.go\n// Package a is documented here.\npackage a\n\nfunc F() {}\n//- a/a_test.go\npackage a\n\
         //- b.go\npackage m\n\nimport \"m$0/a\"\n\nfunc f() { $1a.F() }\n",
    );
    check(
        &fixture,
        '0',
        expect![[r#"
        a/b.go:1:8-9
        a/a.go:0:8-9
    "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
        a/b.go:1:8-9
    "#]],
    );
}

#[test]
fn go_locals_parameters_and_labels_lead_to_where_they_are_declared() {
    let fixture = Fixture::new(
        "//- a.go\npackage m\n\nfunc f(n int) (out int) {\nouter:\n\tfor i := range n$0 {\n\t\tx := i$1\n\t\t{ x := x$2; _ = x$3 }\n\t\tcontinue outer$4\n\t}\n\treturn out$5\n}\n",
    );
    check(
        &fixture,
        '0',
        expect![[r#"
        a.go:2:7-8
    "#]],
    );
    check(
        &fixture,
        '1',
        expect![[r#"
        a.go:4:5-6
    "#]],
    );
    check(
        &fixture,
        '2',
        expect![[r#"
        a.go:5:2-3
    "#]],
    );
    check(
        &fixture,
        '3',
        expect![[r#"
        a.go:6:4-5
    "#]],
    );
    check(
        &fixture,
        '4',
        expect![[r#"
        a.go:3:0-5
    "#]],
    );
    check(
        &fixture,
        '5',
        expect![[r#"
        a.go:2:15-18
    "#]],
    );
}

#[test]
fn python_uses_lead_to_their_declarations() {
    let fixture = Fixture::new(
        "//- pkg/__init__.py\n//- pkg/a.py\nclass C:\n    '''A 😀.'''\n    def run(self, n):\n        self.x = n$2\n        return self.x$3\n\nLIMIT = 3\n\
         //- b.py\nfrom pkg import a$4\nfrom pkg.a import C$5 as D\n\ns = '😀'; D$0().run$1(a.LIMIT$6)\nimport pkg$7.a$8\n",
    );
    for (mark, expected) in [
        (
            '0',
            expect![[r#"
            pkg/a.py:0:6-7
        "#]],
        ),
        (
            '1',
            expect![[r#"
            pkg/a.py:2:8-11
        "#]],
        ),
        (
            '2',
            expect![[r#"
            pkg/a.py:2:18-19
        "#]],
        ),
        (
            '3',
            expect![[r#"
            pkg/a.py:3:13-14
        "#]],
        ),
        (
            '4',
            expect![[r#"
            pkg/a.py:0:0-0
        "#]],
        ),
        (
            '5',
            expect![[r#"
            pkg/a.py:0:6-7
        "#]],
        ),
        (
            '6',
            expect![[r#"
            pkg/a.py:6:0-5
        "#]],
        ),
        (
            '7',
            expect![[r#"
            pkg/__init__.py:0:0-0
        "#]],
        ),
        (
            '8',
            expect![[r#"
            pkg/a.py:0:0-0
        "#]],
        ),
    ] {
        check(&fixture, mark, expected);
    }
}

#[test]
fn a_name_that_branches_bind_leads_to_all_of_them() {
    let fixture = Fixture::new(
        "//- a.py\ndef f(): pass\n//- b.py\ndef f(): pass\n//- c.py\ntry:\n    from a import f\nexcept ImportError:\n    from b import f\n\nf$0()\n",
    );
    check(
        &fixture,
        '0',
        expect![[r#"
        a.py:0:4-5
        b.py:0:4-5
    "#]],
    );
}

#[test]
fn a_declaration_is_in_the_stub_where_there_is_one() {
    let fixture = Fixture::new(
        "//- a.py\ndef f(n): return n\n\nclass C:\n    def m(self): pass\n\ndef g(): pass\n\
         //- a.pyi\ndef uses(c: C) -> C: ...\ndef f(n: int) -> int: ...\nclass C:\n    def m(self) -> None: ...\n\
         //- b.py\nimport a\n\na.f$0(1)\na.C$1().m$2()\na.g$3()\n",
    );
    let mut text = String::new();
    for mark in ['0', '1', '2', '3'] {
        let found = fixture.at(mark, |snapshot, path, at| {
            editor::declaration(snapshot, path, at, UTF16)
        });
        text.push_str(&fixture.locations(&found));
    }
    expect![[r#"
        a.pyi:1:4-5
        a.pyi:2:6-7
        a.pyi:3:8-9
        a.py:5:4-5
    "#]]
    .assert_eq(&text);
}

#[test]
fn where_nothing_stands_there_is_no_answer() {
    let fixture = Fixture::new(
        "//- a.go\npackage$0 m\n\nfunc f() {\n$1\n\t// f$2\n\tif$3 true {}\n}\n//- w_windows.go\npackage m\n\nfunc w$4() {}\n//- b.py\ndef$5 f():\n    pass$6\n",
    );
    for mark in ['0', '1', '2', '3', '4', '5', '6'] {
        check(&fixture, mark, expect![""]);
    }
    let asked = |path: &str, line, character| {
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
    assert_eq!(asked("/nowhere/x.go", 0, 0), nothing);
    assert_eq!(asked("", u32::MAX, u32::MAX), nothing);
    assert_eq!(asked(&fixture.path("a.go"), 99, 0), nothing);
    assert_eq!(asked(&fixture.path("a.go"), u32::MAX, u32::MAX), nothing);
}

#[test]
fn the_name_of_an_embedded_field_leads_to_its_type_and_a_use_of_the_field_to_the_field() {
    let fixture = Fixture::new(
        "//- a.go\npackage m\n\ntype T struct{}\n\ntype S struct {\n\t*$0T\n}\n\nvar v = S{}.T$1\n\n\
         func f() {\n\ttype L struct{ $2T }\n}\n",
    );
    for (mark, place) in [
        ('0', "a.go:2:5-6\n"),
        ('1', "a.go:5:2-3\n"),
        ('2', "a.go:2:5-6\n"),
    ] {
        let found = fixture.at(mark, |snapshot, path, at| {
            editor::definition(snapshot, path, at, UTF16)
        });
        assert_eq!(fixture.locations(&found), place, "{mark}");
    }
}
