use expect_test::expect;

use super::{Fixture, UTF16};
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
        let (path, _) = &fixture.marks[&mark];
        text.push_str(&format!(
            "{mark}: {}\n{}{}\n",
            hover.language,
            fixture.source(path, &[(hover.range, '^')]),
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
        r#"
//- a.go
// Package m does it.
package m$0

// Runner runs.
//
// Long.
//go:generate x
type Runner$1 interface {
	Run() // Run it.
}

type (
	/* A is 😀. */
	A$2 struct {
		a, b, c int
		d int
		e int
		f int
		g int
		h int // last
		i int
	}
)

func (a *A) Run$3() {}

// F takes.
func F$4(x interface{ M() }, s struct{}) (n$5 int, err error) {
	var k = /* 😀 */ n + a.h$6
	return k$7, err
}

var a = A{
	h: 1,
}

const (
	// One is one.
	One = iota + 1
	Two$8
)

var r = a$9
"#,
    );
    expect![[r#"
        0: go
        2 | package m
          |         ^
        package m
        doc: Package m does it.
        counts: 0 references
        1: go
        8 | type Runner interface {
          |      ^^^^^^
        type Runner interface {
        	Run() // Run it.
        }
        doc: Runner runs.

        Long.
        counts: 1 implementation
        2: go
        14 | 	A struct {
           | 	^
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
        3: go
        25 | func (a *A) Run() {}
           |             ^^^
        func (a *A) Run()
        counts: 0 callers
        4: go
        28 | func F(x interface{ M() }, s struct{}) (n int, err error) {
           |      ^
        func F(x interface{ M() }, s struct{}) (n int, err error)
        doc: F takes.
        counts: 0 callers
        5: go
        28 | func F(x interface{ M() }, s struct{}) (n int, err error) {
           |                                         ^
        func F(x interface{ M() }, s struct{}) (n int, err error)
        6: go
        29 | 	var k = /* 😀 */ n + a.h
           | 	                      ^
        h int
        doc: last
        counts: 2 references
        7: go
        30 | 	return k, err
           | 	       ^
        var k = /* 😀 */ n + a.h
        8: go
        40 | 	Two
           | 	^^^
        const Two
        counts: 0 references
        9: go
        43 | var r = a
           |         ^
        var a = A{ …
        counts: 2 references
    "#]]
    .assert_eq(&hovers(&fixture, "0123456789"));
}

#[test]
fn a_python_hover_shows_the_header_the_docstring_and_the_counts() {
    let fixture = Fixture::new(
        r#"
//- a.py
# A comment.
'''The module.'''

@deco
class C$0(Base, metaclass=M):
    # note
    r"""A 😀 class.

    More.
      Indented.
    """
    kind: int = 1

    async def run$1(self, n: dict[str, int] = {},
                  s: str = ':') -> None:
        'Runs.'
        x$2 = n
        return x, self.kind$3

def bare$4(): pass
//- b.py
import a$5

a.C$6().run()
a.bare()
bare = a.bare$7
"#,
    );
    expect![[r#"
        0: python
        5 | class C(Base, metaclass=M):
          |       ^
        class C(Base, metaclass=M)
        doc: A 😀 class.

        More.
          Indented.
        counts: 1 caller
        1: python
        14 |     async def run(self, n: dict[str, int] = {},
           |               ^^^
        async def run(self, n: dict[str, int] = {},
                      s: str = ':') -> None
        doc: Runs.
        counts: 1 caller
        2: python
        17 |         x = n
           |         ^
        x = n
        3: python
        18 |         return x, self.kind
           |                        ^^^^
        kind: int = 1
        counts: 2 references
        4: python
        20 | def bare(): pass
           |     ^^^^
        def bare()
        counts: 1 caller
        5: python
        1 | import a
          |        ^
        module a
        doc: The module.
        counts: 4 references
        6: python
        3 | a.C().run()
          |   ^
        class C(Base, metaclass=M)
        doc: A 😀 class.

        More.
          Indented.
        counts: 1 caller
        7: python
        5 | bare = a.bare
          |          ^^^^
        def bare()
        counts: 1 caller
    "#]]
    .assert_eq(&hovers(&fixture, "01234567"));
}
