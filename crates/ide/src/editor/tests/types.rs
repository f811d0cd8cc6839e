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

const GO: &str = "//- a.go\npackage m\n\ntype I interface{ Run() }\n\ntype J interface {\n\tI\n\tStop()\n}\n\ntype A struct{}\n\nfunc (A) Run() {}\n\n\
    type B$0 struct{ *A }\n\nfunc (B) Stop() {}\n\nfunc f$2(b B$1) {}\n\nvar s = \"😀\"; var t *B$3\n";

#[test]
fn go_types_stand_below_what_they_satisfy_and_embed() {
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
        struct m.B B in "m" a.go:13:5-6 of 13:0-19
    "#]]
    .assert_eq(&items('0'));
    assert_eq!(items('1'), items('0'));
    assert_eq!(items('3'), items('0'));
    assert_eq!(items('2'), "");
}

#[test]
fn python_classes_stand_below_their_bases_one_step_at_a_time() {
    let fixture = Fixture::new(
        "//- a.py\nclass A: pass\nclass B(A): pass\nclass C(B): pass\nclass D(A, B): pass\n",
    );
    check(&fixture, "a.A", expect![], expect!["a.B a.D"]);
    check(&fixture, "a.B", expect!["a.A"], expect!["a.C a.D"]);
    check(&fixture, "a.C", expect!["a.B"], expect![]);
}
