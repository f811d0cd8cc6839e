use expect_test::{Expect, expect};

use super::{Fixture, UTF16};
use crate::editor;

fn incoming(fixture: &Fixture, id: &str, expected: Expect) {
    let found = fixture.ask(|snapshot| editor::incoming(snapshot, id, UTF16));
    expected.assert_eq(&fixture.calls(&found));
}

fn outgoing(fixture: &Fixture, id: &str, expected: Expect) {
    let found = fixture.ask(|snapshot| editor::outgoing(snapshot, id, UTF16));
    expected.assert_eq(&fixture.calls(&found));
}

fn items(fixture: &Fixture, mark: char, expected: Expect) {
    let found = fixture.at(mark, |snapshot, path, at| {
        editor::call_items(snapshot, path, at, UTF16)
    });
    expected.assert_eq(&fixture.items(&found));
}

const GO: &str = r#"
//- a.go
package m$0

type I interface{ Run() int }

type A struct{}

func (A) Run$1() int { return 1 }

func g(i I) int { /* 😀 */ return i.Run() + i.Run() }

var x$4 = g$2(A{})

func h() {
	$3
	func() { g(nil) }()
	n$5 := 1
	_ = n
}
//- b.go
package m

var y = g(nil)
"#;

#[test]
fn go_callers_are_exact_dispatched_and_those_of_initialisers() {
    let fixture = Fixture::new(GO);
    incoming(
        &fixture,
        "m.A.Run",
        expect![[r#"
            m.g <- a.go
            9 | func g(i I) int { /* 😀 */ return i.Run() + i.Run() }
              |                                    ^^^       ^^^
        "#]],
    );
    incoming(
        &fixture,
        "m.I.Run",
        expect![[r#"
            m.g <- a.go
            9 | func g(i I) int { /* 😀 */ return i.Run() + i.Run() }
              |                                    ^^^       ^^^
        "#]],
    );
    incoming(
        &fixture,
        "m.g",
        expect![[r#"
            m <- a.go
            11 | var x = g(A{})
               |         ^
            m <- b.go
            3 | var y = g(nil)
              |         ^
            m.h <- a.go
            15 | 	func() { g(nil) }()
               | 	         ^
        "#]],
    );
    outgoing(
        &fixture,
        "m.g",
        expect![[r#"
            m.A.Run <- a.go
            9 | func g(i I) int { /* 😀 */ return i.Run() + i.Run() }
              |                                    ^^^       ^^^
            m.I.Run <- a.go
            9 | func g(i I) int { /* 😀 */ return i.Run() + i.Run() }
              |                                    ^^^       ^^^
        "#]],
    );
    outgoing(
        &fixture,
        "m",
        expect![[r#"
            m.g <- a.go
            11 | var x = g(A{})
               |         ^
            m.g <- b.go
            3 | var y = g(nil)
              |         ^
        "#]],
    );
    outgoing(
        &fixture,
        "m.h",
        expect![[r#"
            m.g <- a.go
            15 | 	func() { g(nil) }()
               | 	         ^
        "#]],
    );
    incoming(&fixture, "m.Gone", expect![""]);
    outgoing(&fixture, "m.A", expect![""]);
}

#[test]
fn a_go_call_hierarchy_begins_with_a_function_or_the_package() {
    let fixture = Fixture::new(GO);
    items(
        &fixture,
        '0',
        expect![[r#"
            package m m in "" a.go
            1 | package m
              | ~~~~~~~~^
        "#]],
    );
    items(
        &fixture,
        '1',
        expect![[r#"
            method m.A.Run Run in "m.A" a.go
            7 | func (A) Run() int { return 1 }
              | ~~~~~~~~~^^^~~~~~~~~~~~~~~~~~~~
        "#]],
    );
    items(
        &fixture,
        '2',
        expect![[r#"
            function m.g g in "m" a.go
            9 | func g(i I) int { /* 😀 */ return i.Run() + i.Run() }
              | ~~~~~^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
        "#]],
    );
    items(&fixture, '3', expect![""]);
    items(&fixture, '4', expect![""]);
    items(&fixture, '5', expect![""]);
}

const PYTHON: &str = r#"
//- a.py
class A:
    def __init__(self): self.run()
    def run(self): pass

class B(A):
    def run$0(self): pass

def use(a: A):
    s = '😀'; a.run$1()
    (lambda: use(a))()

use(B$2())

class K:
    made = A()
"#;

#[test]
fn python_callers_are_exact_dispatched_and_module_code() {
    let fixture = Fixture::new(PYTHON);
    incoming(
        &fixture,
        "a.B.run",
        expect![[r#"
            a.A.__init__ <- a.py
            2 |     def __init__(self): self.run()
              |                              ^^^
            a.use <- a.py
            9 |     s = '😀'; a.run()
              |                ^^^
        "#]],
    );
    incoming(
        &fixture,
        "a.A",
        expect![[r#"
            a.K <- a.py
            15 |     made = A()
               |            ^
        "#]],
    );
    incoming(
        &fixture,
        "a.use",
        expect![[r#"
            a <- a.py
            12 | use(B())
               | ^^^
            a.use.<locals>.<lambda> <- a.py
            10 |     (lambda: use(a))()
               |              ^^^
        "#]],
    );
    outgoing(
        &fixture,
        "a.use",
        expect![[r#"
            a.A.run <- a.py
            9 |     s = '😀'; a.run()
              |                ^^^
            a.B.run <- a.py
            9 |     s = '😀'; a.run()
              |                ^^^
            a.use.<locals>.<lambda> <- a.py
            10 |     (lambda: use(a))()
               |                     ^
        "#]],
    );
    outgoing(
        &fixture,
        "a",
        expect![[r#"
            a.A.__init__ <- a.py
            12 | use(B())
               |     ^
            a.B <- a.py
            12 | use(B())
               |     ^
            a.use <- a.py
            12 | use(B())
               | ^^^
        "#]],
    );
}

#[test]
fn a_python_call_hierarchy_begins_with_a_function_or_a_class() {
    let fixture = Fixture::new(PYTHON);
    items(
        &fixture,
        '0',
        expect![[r#"
            method a.B.run run in "a.B" a.py
            6 |     def run(self): pass
              |     ~~~~^^^~~~~~~~~~~~~
        "#]],
    );
    items(
        &fixture,
        '1',
        expect![[r#"
            method a.A.run run in "a.A" a.py
            3 |     def run(self): pass
              |     ~~~~^^^~~~~~~~~~~~~
        "#]],
    );
    items(
        &fixture,
        '2',
        expect![[r#"
            class a.B B in "a" a.py
            5 | class B(A):
              | ~~~~~~~~~~~
            6 |     def run(self): pass
              | ~~~~~~~~~~~~~~~~~~~~~~~
            5 | class B(A):
              |       ^
        "#]],
    );
}

#[test]
fn an_id_of_two_languages_is_printed_with_its_own() {
    let fixture = Fixture::new(
        r#"
//- m.py
def f$0(): pass

def g(): f()
//- a.go
package m

func f$1() {}

func g() { f() }
"#,
    );
    assert_eq!(fixture.id('0'), "py:m.f");
    assert_eq!(fixture.id('1'), "go:m.f");
    incoming(
        &fixture,
        "py:m.f",
        expect![[r#"
            py:m.g <- m.py
            3 | def g(): f()
              |          ^
        "#]],
    );
    incoming(
        &fixture,
        "go:m.f",
        expect![[r#"
            go:m.g <- a.go
            5 | func g() { f() }
              |            ^
        "#]],
    );
}

#[test]
fn a_whole_answer_has_every_result_and_every_site() {
    use codeweft_graph::answer::{GraphRequest, Operation};
    let mut text = String::from("//- a.go\npackage m\n\nfunc f() {}\n\nfunc many() {\n");
    text.push_str(&"\tf()\n".repeat(30));
    text.push_str("}\n");
    for number in 0..120 {
        text.push_str(&format!("\nfunc g{number}() {{ f() }}\n"));
    }
    let fixture = Fixture::new(&text);
    let mut request = GraphRequest::new(Operation::Callers, "m.f");
    request.depth = 2;
    request.max_results = 3;
    let request = request.check().expect("within bounds");
    let whole = fixture.ask(|snapshot| snapshot.graph_whole(&request));
    let whole = whole.expect("an answer");
    assert!(!whole.truncated);
    assert_eq!(whole.results.len(), 121);
    let many = whole.results.iter().find(|one| one.node.id == "m.many");
    assert_eq!(many.expect("a caller").sites.len(), 30);
    let cut = fixture.ask(|snapshot| snapshot.graph(&request));
    assert_eq!(cut.expect("an answer").results.len(), 3);
}
