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

const GO: &str = "//- a.go\npackage m$0\n\ntype I interface{ Run() int }\n\ntype A struct{}\n\nfunc (A) Run$1() int { return 1 }\n\n\
    func g(i I) int { /* 😀 */ return i.Run() + i.Run() }\n\nvar x$4 = g$2(A{})\n\nfunc h() {\n\t$3\n\tfunc() { g(nil) }()\n\tn$5 := 1\n\t_ = n\n}\n\
    //- b.go\npackage m\n\nvar y = g(nil)\n";

#[test]
fn go_callers_are_exact_dispatched_and_those_of_initialisers() {
    let fixture = Fixture::new(GO);
    incoming(
        &fixture,
        "m.A.Run",
        expect![[r#"
        m.g <- a.go:8:36-39 8:46-49
    "#]],
    );
    incoming(
        &fixture,
        "m.I.Run",
        expect![[r#"
        m.g <- a.go:8:36-39 8:46-49
    "#]],
    );
    incoming(
        &fixture,
        "m.g",
        expect![[r#"
        m <- a.go:10:8-9
        m <- b.go:2:8-9
        m.h <- a.go:14:10-11
    "#]],
    );
    outgoing(
        &fixture,
        "m.g",
        expect![[r#"
        m.A.Run <- a.go:8:36-39 8:46-49
        m.I.Run <- a.go:8:36-39 8:46-49
    "#]],
    );
    outgoing(
        &fixture,
        "m",
        expect![[r#"
        m.g <- a.go:10:8-9
        m.g <- b.go:2:8-9
    "#]],
    );
    outgoing(
        &fixture,
        "m.h",
        expect![[r#"
        m.g <- a.go:14:10-11
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
        package m m in "" a.go:0:8-9 of 0:0-9
    "#]],
    );
    items(
        &fixture,
        '1',
        expect![[r#"
        method m.A.Run Run in "m.A" a.go:6:9-12 of 6:0-31
    "#]],
    );
    items(
        &fixture,
        '2',
        expect![[r#"
        function m.g g in "m" a.go:8:5-6 of 8:0-53
    "#]],
    );
    items(&fixture, '3', expect![""]);
    items(&fixture, '4', expect![""]);
    items(&fixture, '5', expect![""]);
}

const PYTHON: &str = "//- a.py\nclass A:\n    def __init__(self): self.run()\n    def run(self): pass\n\nclass B(A):\n    def run$0(self): pass\n\n\
    def use(a: A):\n    s = '😀'; a.run$1()\n    (lambda: use(a))()\n\nuse(B$2())\n\nclass K:\n    made = A()\n";

#[test]
fn python_callers_are_exact_dispatched_and_module_code() {
    let fixture = Fixture::new(PYTHON);
    incoming(
        &fixture,
        "a.B.run",
        expect![[r#"
        a.A.__init__ <- a.py:1:29-32
        a.use <- a.py:8:16-19
    "#]],
    );
    incoming(
        &fixture,
        "a.A",
        expect![[r#"
        a.K <- a.py:14:11-12
    "#]],
    );
    incoming(
        &fixture,
        "a.use",
        expect![[r#"
        a <- a.py:11:0-3
        a.use.<locals>.<lambda> <- a.py:9:13-16
    "#]],
    );
    outgoing(
        &fixture,
        "a.use",
        expect![[r#"
        a.A.run <- a.py:8:16-19
        a.B.run <- a.py:8:16-19
        a.use.<locals>.<lambda> <- a.py:9:20-21
    "#]],
    );
    outgoing(
        &fixture,
        "a",
        expect![[r#"
        a.A.__init__ <- a.py:11:4-5
        a.B <- a.py:11:4-5
        a.use <- a.py:11:0-3
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
        method a.B.run run in "a.B" a.py:5:8-11 of 5:4-23
    "#]],
    );
    items(
        &fixture,
        '1',
        expect![[r#"
        method a.A.run run in "a.A" a.py:2:8-11 of 2:4-23
    "#]],
    );
    items(
        &fixture,
        '2',
        expect![[r#"
        class a.B B in "a" a.py:4:6-7 of 4:0-5:23
    "#]],
    );
}

#[test]
fn an_id_of_two_languages_is_printed_with_its_own() {
    let fixture = Fixture::new(
        "//- m.py\ndef f$0(): pass\n\ndef g(): f()\n//- a.go\npackage m\n\nfunc f$1() {}\n\nfunc g() { f() }\n",
    );
    assert_eq!(fixture.id('0'), "py:m.f");
    assert_eq!(fixture.id('1'), "go:m.f");
    incoming(
        &fixture,
        "py:m.f",
        expect![[r#"
        py:m.g <- m.py:2:9-10
    "#]],
    );
    incoming(
        &fixture,
        "go:m.f",
        expect![[r#"
        go:m.g <- a.go:4:11-12
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
    let whole = fixture.ask(|snapshot| snapshot.graph_whole(&request));
    let whole = whole.expect("an answer");
    assert!(!whole.truncated);
    assert_eq!(whole.results.len(), 121);
    let many = whole.results.iter().find(|one| one.node.id == "m.many");
    assert_eq!(many.expect("a caller").sites.len(), 30);
    let cut = fixture.ask(|snapshot| snapshot.graph(&request));
    assert_eq!(cut.expect("an answer").results.len(), 3);
}
