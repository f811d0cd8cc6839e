use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor;

fn check(fixture: &Fixture, query: &str, most: usize, expected: Expect) {
    let found = fixture.ask(|snapshot| editor::search(snapshot, query, most, UTF16));
    let ids: Vec<&str> = found.iter().map(|item| item.id.as_str()).collect();
    expected.assert_eq(&ids.join(" "));
}

#[test]
fn the_best_matches_of_both_languages_come_first() {
    let fixture = Fixture::new(
        r#"
//- a/a.go
package a

func Read() {}

func ReadAll() {}

type Thread struct{ read int }

func (Thread) Already() {}

func spread_all() {}
//- b.py
class Reader:
    def read(self): pass

def read_all(): pass
"#,
    );
    check(
        &fixture,
        "read",
        100,
        expect![
            "a.Read a.Thread.read b.Reader.read b.Reader a.ReadAll b.read_all a.Thread a.Thread.Already a.spread_all"
        ],
    );
    check(&fixture, "Read", 100, expect!["a.Read b.Reader a.ReadAll"]);
    check(&fixture, "ra", 3, expect!["a.ReadAll b.read_all a.Read"]);
    check(
        &fixture,
        "Thread.read",
        100,
        expect!["a.Thread.read a.Thread.Already"],
    );
    check(
        &fixture,
        "b.read",
        100,
        expect!["b.Reader.read b.Reader b.read_all"],
    );
    check(&fixture, "zzz", 100, expect![""]);
    check(&fixture, "read", 0, expect![""]);
    check(&fixture, "", 2, expect!["a b"]);
}
