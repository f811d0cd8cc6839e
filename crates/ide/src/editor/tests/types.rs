use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor;

fn check(fixture: &Fixture, id: &str, above: Expect, below: Expect) {
    let ids = |items: Vec<super::SymbolItem>| {
        let ids: Vec<String> = items.into_iter().map(|item| item.id).collect();
        ids.join(" ")
    };
    above.assert_eq(&ids(
        fixture.ask(|snapshot| editor::supertypes(snapshot, id, UTF16))
    ));
    below.assert_eq(&ids(
        fixture.ask(|snapshot| editor::subtypes(snapshot, id, UTF16))
    ));
}

const GO: &str = r#"
//- a.go
package m

type I interface{ Run() }

type J interface {
	I
	Stop()
}

type A struct{}

func (A) Run() {}

type B$0 struct{ *A }

func (B) Stop() {}

func f$2(b B$1) {}

var s = "😀"; var t *B$3
"#;

#[test]
fn go_types_are_below_the_types_that_they_satisfy_and_embed() {
    let fixture = Fixture::new(GO);
    check(&fixture, "m.I", expect![], expect!["m.A m.B m.J"]);
    check(&fixture, "m.J", expect!["m.I"], expect!["m.B"]);
    check(&fixture, "m.A", expect!["m.I"], expect!["m.B"]);
    check(&fixture, "m.B", expect!["m.A m.I m.J"], expect![]);
    check(&fixture, "m.f", expect![""], expect![""]);
    check(&fixture, "m.Gone", expect![""], expect![""]);
}

#[test]
fn a_type_hierarchy_begins_with_a_type() {
    let fixture = Fixture::new(GO);
    let items = |mark| {
        let found = fixture.at(mark, |snapshot, path, at| {
            editor::type_items(snapshot, path, at, UTF16)
        });
        fixture.items(&found)
    };
    expect![[r#"
        struct m.B B in "m" a.go
        14 | type B struct{ *A }
           | ~~~~~^~~~~~~~~~~~~~
    "#]]
    .assert_eq(&items('0'));
    assert_eq!(items('1'), items('0'));
    assert_eq!(items('3'), items('0'));
    assert_eq!(items('2'), "");
}

#[test]
fn python_classes_are_one_step_below_their_bases() {
    let fixture = Fixture::new(
        "//- a.py\nclass A: pass\nclass B(A): pass\nclass C(B): pass\nclass D(A, B): pass\n",
    );
    check(&fixture, "a.A", expect![], expect!["a.B a.D"]);
    check(&fixture, "a.B", expect!["a.A"], expect!["a.C a.D"]);
    check(&fixture, "a.C", expect!["a.B"], expect![]);
}
