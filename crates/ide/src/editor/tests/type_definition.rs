use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor;

fn check(fixture: &Fixture, marks: &str, expected: Expect) {
    let mut text = String::new();
    for mark in marks.chars() {
        let found = fixture.at(mark, |snapshot, path, at| {
            editor::type_definition(snapshot, path, at, UTF16)
        });
        let found = fixture.locations(&found);
        text.push_str(&format!("${mark} {}\n", found.trim_end()));
    }
    expected.assert_eq(&text);
}

#[test]
fn go_names_have_the_type_that_is_written_behind_them() {
    let fixture = Fixture::new(
        r#"
//- t/t.go
package t

type T struct{}

type U struct{}
//- a.go
package m

import "m/t"

type S struct{ f$0 *t.T }

func f$1(n$2 int, a$3, b []t.U) (t.T, *t.U, error) {
	s, x$4 := "😀", 1
	y$5 := &t.T{}
	z$6 := len([]t.T{})
	_ = s$7
	return t.T$8{}, nil, nil
}
"#,
    );
    check(
        &fixture,
        "012345678",
        expect![[r#"
            $0 t/t.go
            3 | type T struct{}
              |      ^
            $1 t/t.go
            3 | type T struct{}
              |      ^
            5 | type U struct{}
              |      ^
            $2 
            $3 t/t.go
            5 | type U struct{}
              |      ^
            $4 
            $5 t/t.go
            3 | type T struct{}
              |      ^
            $6 
            $7 
            $8 t/t.go
            3 | type T struct{}
              |      ^
        "#]],
    );
}

#[test]
fn python_names_have_the_type_that_is_written_behind_them() {
    let fixture = Fixture::new(
        r#"
//- t.py
class T: pass
class U: pass
//- a.py
import t

def f$0(n$1: 't.T', m$2, k: t.U) -> t.T:
    x$3 = t.U()
    y$4 = g(t.U())
    return x

limit$5: t.T = None
t.T$6
"#,
    );
    check(
        &fixture,
        "0123456",
        expect![[r#"
            $0 t.py
            1 | class T: pass
              |       ^
            $1 t.py
            1 | class T: pass
              |       ^
            $2 
            $3 t.py
            2 | class U: pass
              |       ^
            $4 
            $5 t.py
            1 | class T: pass
              |       ^
            $6 t.py
            1 | class T: pass
              |       ^
        "#]],
    );
}
