use expect_test::expect;

use super::{Fixture, UTF16, range};
use crate::editor;

fn hovers(fixture: &Fixture, marks: &str) -> String {
    let mut text = String::new();
    for mark in marks.chars() {
        let hover = fixture.at(mark, |snapshot, path, at| {
            editor::hover(snapshot, path, at, UTF16)
        });
        let Some(hover) = hover else {
            text.push_str(&format!("{mark}: nothing\n"));
            continue;
        };
        text.push_str(&format!(
            "{mark}: {} {}\n{}\n",
            range(&hover.range),
            hover.language,
            hover.signature
        ));
        for (what, words) in [("doc", &hover.doc), ("counts", &hover.counts)] {
            if !words.is_empty() {
                text.push_str(&format!("{what}: {words}\n"));
            }
        }
    }
    text
}

#[test]
fn a_go_hover_shows_the_header_the_comment_and_the_counts() {
    let fixture = Fixture::new(
        "//- a.go\n// Package m does it.\npackage m$0\n\n// Runner runs.\n//\n// Long.\n//go:generate x\ntype Runner$1 interface {\n\tRun() // Run it.\n}\n\n\
         type (\n\t/* A is 😀. */\n\tA$2 struct {\n\t\ta, b, c int\n\t\td int\n\t\te int\n\t\tf int\n\t\tg int\n\t\th int // last\n\t\ti int\n\t}\n)\n\n\
         func (a *A) Run$3() {}\n\n// F takes.\nfunc F$4(x interface{ M() }, s struct{}) (n$5 int, err error) {\n\tvar k = /* 😀 */ n + a.h$6\n\treturn k$7, err\n}\n\nvar a = A{\n\th: 1,\n}\n\n\
         const (\n\t// One is one.\n\tOne = iota + 1\n\tTwo$8\n)\n\nvar r = a$9\n",
    );
    expect![[r#"
        0: 1:8-9 go
        package m
        doc: Package m does it.
        counts: 0 references
        1: 7:5-11 go
        type Runner interface {
        	Run() // Run it.
        }
        doc: Runner runs.

        Long.
        counts: 1 implementation
        2: 13:1-2 go
        type A struct {
        	a, b, c int
        	d int
        	e int
        	f int
        	g int
        	h int // last
        	i int
        …
        doc: A is 😀.
        counts: 2 references
        3: 24:12-15 go
        func (a *A) Run()
        counts: 0 callers
        4: 27:5-6 go
        func F(x interface{ M() }, s struct{}) (n int, err error)
        doc: F takes.
        counts: 0 callers
        5: 27:40-41 go
        func F(x interface{ M() }, s struct{}) (n int, err error)
        6: 28:24-25 go
        h int
        doc: last
        counts: 2 references
        7: 29:8-9 go
        var k = /* 😀 */ n + a.h
        8: 39:1-4 go
        const Two
        counts: 0 references
        9: 42:8-9 go
        var a = A{ …
        counts: 2 references
    "#]]
    .assert_eq(&hovers(&fixture, "0123456789"));
}

#[test]
fn a_python_hover_shows_the_header_the_docstring_and_the_counts() {
    let fixture = Fixture::new(
        "//- a.py\n# A comment.\n'''The module.'''\n\n@deco\nclass C$0(Base, metaclass=M):\n    # note\n    r\"\"\"A 😀 class.\n\n    More.\n      Indented.\n    \"\"\"\n    kind: int = 1\n\n    async def run$1(self, n: dict[str, int] = {},\n                  s: str = ':') -> None:\n        'Runs.'\n        x$2 = n\n        return x, self.kind$3\n\ndef bare$4(): pass\n\
         //- b.py\nimport a$5\n\na.C$6().run()\na.bare()\nbare = a.bare$7\n",
    );
    expect![[r#"
        0: 4:6-7 python
        class C(Base, metaclass=M)
        doc: A 😀 class.

        More.
          Indented.
        counts: 1 caller
        1: 13:14-17 python
        async def run(self, n: dict[str, int] = {},
                      s: str = ':') -> None
        doc: Runs.
        counts: 1 caller
        2: 16:8-9 python
        x = n
        3: 17:23-27 python
        kind: int = 1
        counts: 2 references
        4: 19:4-8 python
        def bare()
        counts: 1 caller
        5: 0:7-8 python
        module a
        doc: The module.
        counts: 4 references
        6: 2:2-3 python
        class C(Base, metaclass=M)
        doc: A 😀 class.

        More.
          Indented.
        counts: 1 caller
        7: 4:9-13 python
        def bare()
        counts: 1 caller
    "#]]
    .assert_eq(&hovers(&fixture, "01234567"));
}
