use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor;

fn check(fixture: &Fixture, marks: &str, expected: Expect) {
    let mut text = String::new();
    for mark in marks.chars() {
        let found = fixture.at(mark, |snapshot, path, at| {
            editor::type_definition(snapshot, path, at, UTF16)
        });
        let found = fixture.locations(&found).replace('\n', " ");
        text.push_str(&format!("{mark} {}\n", found.trim_end()));
    }
    expected.assert_eq(&text);
}

#[test]
fn go_names_have_the_type_that_stands_behind_them() {
    let fixture = Fixture::new(
        "//- t/t.go\npackage t\n\ntype T struct{}\n\ntype U struct{}\n\
         //- a.go\npackage m\n\nimport \"m/t\"\n\ntype S struct{ f$0 *t.T }\n\nfunc f$1(n$2 int, a$3, b []t.U) (t.T, *t.U, error) {\n\
         \ts, x$4 := \"😀\", 1\n\ty$5 := &t.T{}\n\tz$6 := len([]t.T{})\n\t_ = s$7\n\treturn t.T$8{}, nil, nil\n}\n",
    );
    check(
        &fixture,
        "012345678",
        expect![[r#"
        0 t/t.go:2:5-6
        1 t/t.go:2:5-6 t/t.go:4:5-6
        2 
        3 t/t.go:4:5-6
        4 
        5 t/t.go:2:5-6
        6 
        7 
        8 t/t.go:2:5-6
    "#]],
    );
}

#[test]
fn python_names_have_the_type_that_stands_behind_them() {
    let fixture = Fixture::new(
        "//- t.py\nclass T: pass\nclass U: pass\n\
         //- a.py\nimport t\n\ndef f$0(n$1: 't.T', m$2, k: t.U) -> t.T:\n    x$3 = t.U()\n    y$4 = g(t.U())\n    return x\n\nlimit$5: t.T = None\nt.T$6\n",
    );
    check(
        &fixture,
        "0123456",
        expect![[r#"
        0 t.py:0:6-7
        1 t.py:0:6-7
        2 
        3 t.py:1:6-7
        4 
        5 t.py:0:6-7
        6 t.py:0:6-7
    "#]],
    );
}
