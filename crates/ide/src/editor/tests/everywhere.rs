use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use codeweft_db::RequestCancellation;
use expect_test::expect;

use super::{Fixture, UTF16};
use crate::editor::{self, OutlineItem, SymbolItem};
use codeweft_workspace::{Encoding, Position, Snapshot};

const HOSTILE: &str = "//- a.go\npackage m\r\n\r\nimport \"fmt\rimport x\n\n// 😀\ntype T[P any] struct { f func() T[P]; 😀 }\n\nfunc (t *T[P]) M(a, b int, ...) (x T[int]) { for i := range 3 { goto L }; t.M(\"é😀\", func() {}()) ; a[b](\n\
    L: t.f().M()\n}\n\nvar _, v = 1, T[int]{f: nil}\n\nfunc (\n\
    //- b.py\n\u{feff}class C(C, D, metaclass=😀\r    def m(self, *a, x: 'C' = \"\"\"é\n    😀\"\"\", **k) -> C: return [x for x in self.m(a)(k)][0]\n@C.m(\nclass E(C):\n\tdef __init__(self): super().__init__(); self.é = self.é\nlambda: (yield)\nfrom . import *\nfrom .b import C as F, \nx: F = E().é\n";

fn ask_all(snapshot: &Snapshot<'_>, path: &str, at: Position, encoding: Encoding) {
    editor::definition(snapshot, path, at, encoding);
    editor::declaration(snapshot, path, at, encoding);
    editor::type_definition(snapshot, path, at, encoding);
    editor::implementation(snapshot, path, at, encoding);
    editor::references(snapshot, path, at, encoding, true);
    editor::highlights(snapshot, path, at, encoding);
    editor::hover(snapshot, path, at, encoding);
    editor::id_at(snapshot, path, at, encoding);
    let mut items = editor::call_items(snapshot, path, at, encoding);
    items.extend(editor::type_items(snapshot, path, at, encoding));
    for item in items {
        holds(&item);
        editor::incoming(snapshot, &item.id, encoding);
        editor::outgoing(snapshot, &item.id, encoding);
        editor::supertypes(snapshot, &item.id, encoding);
        editor::subtypes(snapshot, &item.id, encoding);
    }
}

fn holds(item: &SymbolItem) {
    assert!(item.range.start <= item.selection.start, "{item:?}");
    assert!(item.selection.end <= item.range.end, "{item:?}");
}

fn all_hold(outlines: &[OutlineItem]) {
    for outline in outlines {
        holds(&outline.item);
        all_hold(&outline.children);
    }
}

#[test]
fn no_position_of_a_broken_text_breaks_a_question() {
    let fixture = Fixture::new(HOSTILE);
    fixture.ask(|snapshot| {
        for path in ["a.go", "b.py"] {
            let path = fixture.path(path);
            let text = std::fs::read_to_string(&path).expect("there");
            let lines = text.split(['\n', '\r']).chain([""]);
            for (line, text) in lines.enumerate() {
                let line = line as u32;
                let units = text.encode_utf16().count() as u32;
                for character in (0..units + 2).chain([u32::MAX]) {
                    ask_all(snapshot, &path, Position { line, character }, UTF16);
                }
                for character in (0..text.len() as u32).step_by(7) {
                    ask_all(
                        snapshot,
                        &path,
                        Position { line, character },
                        Encoding::Utf8,
                    );
                }
            }
            let outlines = editor::outline(snapshot, &path, UTF16);
            assert!(!outlines.is_empty());
            all_hold(&outlines);
        }
        for item in editor::search(snapshot, "", usize::MAX, UTF16) {
            holds(&item);
        }
        for id in [
            "",
            ".",
            "#",
            "m.",
            "go:",
            "py:m..x",
            "m.T#9",
            "*",
            "a.go:1:1",
            "😀",
            "m.T.M.x.y",
        ] {
            editor::incoming(snapshot, id, UTF16);
            editor::outgoing(snapshot, id, UTF16);
            editor::supertypes(snapshot, id, UTF16);
            editor::subtypes(snapshot, id, UTF16);
        }
    });
}

#[test]
fn what_is_typed_and_not_saved_is_answered() {
    let mut fixture = Fixture::new(
        "//- a.go\npackage m\n\nfunc f() {}\n//- b.go\npackage m\n\nfunc g() { f() }\n",
    );
    let path = fixture.path("a.go");
    let text = "package m\n\n// 😀\nfunc f() {}\n\nfunc h() { f() }\n";
    fixture.database.open(Path::new(&path), text);
    let calls = fixture.ask(|snapshot| editor::incoming(snapshot, "m.f", UTF16));
    expect![[r#"
        m.g <- b.go
        3 | func g() { f() }
          |            ^
        m.h <- a.go
        6 | func h() { f() }
          |            ^
    "#]]
    .assert_eq(&fixture.calls(&calls));
    let at = Position {
        line: 5,
        character: 11,
    };
    let found = fixture.ask(|snapshot| editor::definition(snapshot, &path, at, UTF16));
    assert_eq!(fixture.positions(&found), "a.go:3:5-6\n");
}

#[test]
fn a_cancelled_question_ends() {
    let fixture = Fixture::new("//- a.go\npackage m\n\nfunc f$0() { f() }\n//- b.py\nx = 1\n");
    let (path, at) = &fixture.marks[&'0'];
    let questions: [&dyn Fn(&Snapshot<'_>); 6] = [
        &|snapshot| drop(editor::search(snapshot, "f", 10, UTF16)),
        &|snapshot| drop(editor::incoming(snapshot, "m.f", UTF16)),
        &|snapshot| drop(editor::outgoing(snapshot, "m.f", UTF16)),
        &|snapshot| drop(editor::references(snapshot, path, *at, UTF16, true)),
        &|snapshot| drop(editor::definition(snapshot, path, *at, UTF16)),
        &|snapshot| drop(editor::outline(snapshot, path, UTF16)),
    ];
    for question in questions {
        let cancel = RequestCancellation::default();
        let snapshot = fixture.database.snapshot(&cancel);
        question(&snapshot);
        cancel.cancel();
        assert!(catch_unwind(AssertUnwindSafe(|| question(&snapshot))).is_err());
    }
}
