use expect_test::expect;

use super::{Fixture, UTF16, range};
use crate::editor::{self, OutlineItem};

fn tree(outlines: &[OutlineItem], depth: usize, text: &mut String) {
    for one in outlines {
        let item = &one.item;
        text.push_str(&format!(
            "{}{} {} {} of {} | {}\n",
            "  ".repeat(depth),
            item.kind.wire_name(),
            item.name,
            range(&item.selection),
            range(&item.range),
            one.detail,
        ));
        tree(&one.children, depth + 1, text);
    }
}

fn outline(fixture: &Fixture, path: &str) -> String {
    let path = fixture.path(path);
    let outlines = fixture.ask(|snapshot| editor::outline(snapshot, &path, UTF16));
    let mut text = String::new();
    tree(&outlines, 0, &mut text);
    text
}

#[test]
fn go_fields_and_methods_are_children_of_their_type_in_the_same_file() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m

const (
	One = iota
	Two
)

func (t *T) M(n int) (string, error) {
	return "", nil
}

type T struct {
	F, G int
	I
}

type I interface {
	Run()
}

var /* 😀 */ V = map[string]int{
	"a": 1,
}

func init() {}

func init() {
	type local struct{}
}
//- b.go
package m

func (T) Elsewhere() {}
"#,
    );
    expect![[r#"
        constant One 3:1-4 of 3:1-11 | const One = iota
        constant Two 4:1-4 of 4:1-4 | const Two
        struct T 11:5-6 of 11:0-14:1 | type T struct {
          method M 7:12-13 of 7:0-9:1 | func (t *T) M(n int) (string, error)
          field F 12:1-2 of 12:1-9 | F, G int
          field G 12:4-5 of 12:1-9 | F, G int
          field I 13:1-2 of 13:1-2 | I
        interface I 16:5-6 of 16:0-18:1 | type I interface {
          method Run 17:1-4 of 17:1-6 | Run()
        variable V 20:13-14 of 20:0-22:1 | var /* 😀 */ V = map[string]int{ …
        function init 24:5-9 of 24:0-14 | func init()
        function init 26:5-9 of 26:0-28:1 | func init()
    "#]]
    .assert_eq(&outline(&fixture, "a.go"));
    expect![[r#"
        method Elsewhere 2:9-18 of 2:0-23 | func (T) Elsewhere()
    "#]]
    .assert_eq(&outline(&fixture, "b.go"));
}

#[test]
fn python_declarations_nest_as_they_are_written() {
    let fixture = Fixture::new(
        r#"
//- a.py
import os

limit = 3
s = '😀'; t = 1

@deco
class C(Base):
    kind = 1

    def __init__(self, n: int) -> None:
        self.n = n

    async def run(self):
        def inner(): pass
        return lambda: inner

    class Inner:
        pass
"#,
    );
    expect![[r#"
        variable limit 2:0-5 of 2:0-5 | limit = 3
        variable s 3:0-1 of 3:0-1 | s = '😀'; t = 1
        variable t 3:10-11 of 3:10-11 | s = '😀'; t = 1
        class C 6:6-7 of 5:0-17:12 | class C(Base)
          field kind 7:4-8 of 7:4-8 | kind = 1
          method __init__ 9:8-16 of 9:4-10:18 | def __init__(self, n: int) -> None
          field n 10:13-14 of 10:13-14 | self.n = n
          method run 12:14-17 of 12:4-14:28 | async def run(self)
            function inner 13:12-17 of 13:8-25 | def inner()
          class Inner 16:10-15 of 16:4-17:12 | class Inner
    "#]]
    .assert_eq(&outline(&fixture, "a.py"));
}

#[test]
fn a_file_that_the_configuration_leaves_out_has_an_outline_of_what_it_declares() {
    let fixture = Fixture::new(
        r#"
//- a.go
package m
//- a_windows.go
package m

type T struct{}

func (T) M() {}

func F() {}
"#,
    );
    expect![[r#"
        struct T 2:5-6 of 2:0-15 | type T struct{}
          method M 4:9-10 of 4:0-15 | func (T) M()
        function F 6:5-6 of 6:0-11 | func F()
    "#]]
    .assert_eq(&outline(&fixture, "a_windows.go"));
    assert_eq!(outline(&fixture, "nowhere.go"), "");
}
