//! Indirect calls of Python functions: each way in which a function escapes or is called without a
//! visible call makes an answer about its callers incomplete, at a site that a person can inspect.
//! Without any such site the answer is complete. Plain cases are in the table of `cases.rs`.

mod cases;

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::fixture::texts;
use codeweft_testing::{Fixture, Workspace};

use cases::CASES;

/// Returns the unresolved sites of a target's callers as `file:line:column reason`.
fn unresolved_callers(fixture: &str, target: &str) -> Vec<String> {
    unresolved_sites(Operation::Callers, fixture, target)
}

/// Returns the unresolved sites of an answer as `file:line:column reason`.
fn unresolved_sites(operation: Operation, fixture: &str, target: &str) -> Vec<String> {
    let fixture = Fixture::of(texts(fixture)).load();
    let answer = fixture.host.ask(&GraphRequest::new(operation, target));
    let completeness = answer.expect("an answer").completeness;
    assert_eq!(completeness.complete, completeness.first.is_empty());
    let first = completeness.first.into_iter();
    first
        .map(|site| {
            let at = format!("{}:{}:{}", site.file, site.line, site.column);
            format!("{at} {}", site.reason)
        })
        .collect()
}

/// Returns the sites of a complete answer: none.
fn complete() -> Vec<String> {
    Vec::new()
}

/// Returns whether an answer about callers is complete, and its words.
fn verdict(files: &Workspace, target: &str) -> (bool, String) {
    let request = GraphRequest::new(Operation::Callers, target);
    let completeness = files.host.ask(&request).expect("an answer").completeness;
    let words = completeness.words.unwrap_or_default();
    (completeness.complete, words)
}

#[test]
fn exactly_the_listed_sites_make_an_answer_incomplete() {
    let mut wrong = Vec::new();
    for case in CASES {
        for (operation, target, expected) in case.expected {
            let found = unresolved_sites(*operation, case.fixture, target);
            if found != *expected {
                let rule = case.rule;
                wrong.push(format!(
                    "{rule}: {operation:?} of {target}: {found:?}, expected {expected:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A module of functions that call one another: a question about all of them looks up so many symbols that
/// the indexes of all units are merged, for later questions too.
fn calls_of_one_by_many() -> String {
    let calling = (0..100).map(|number| format!("def by{number}():\n    one()\n"));
    format!(
        "//- many.py\ndef one():\n    pass\n{}",
        calling.collect::<String>()
    )
}

#[test]
fn the_sites_of_a_question_are_the_same_whether_indexes_are_read_one_by_one_or_merged() {
    let mut incomplete = 0;
    for case in CASES {
        let text = format!("{}{}", case.fixture.trim_end(), "\n") + &calls_of_one_by_many();
        let load = || Fixture::of(texts(&text)).load();
        let single = load();
        let expected = case.expected.iter().map(|&(_, target, _)| target);
        let targets = expected.chain(["a.*", "*.go", "*.__init__"]);
        let merged = load();
        let mut many = GraphRequest::new(Operation::Callers, "many.one");
        many.depth = 2;
        let found = merged.host.ask(&many).expect("an answer").counts;
        assert_eq!(found.map(|counts| counts.workspace.nodes), Some(100));
        for target in targets {
            for operation in [Operation::Callers, Operation::References] {
                let request = GraphRequest::new(operation, target);
                let completeness = |workspace: &Workspace| {
                    let answer = workspace.host.ask(&request);
                    answer.map(|answer| answer.completeness)
                };
                let (of_single, of_merged) = (completeness(&single), completeness(&merged));
                let is_open = of_single.as_ref().is_ok_and(|found| !found.complete);
                incomplete += usize::from(is_open);
                assert_eq!(
                    of_single, of_merged,
                    "{}: {operation:?} of {target}",
                    case.rule
                );
            }
        }
    }
    assert!(incomplete > 50, "{incomplete}");
}

#[test]
fn a_function_escapes_as_an_argument_an_element_an_attribute_and_a_result() {
    let fixture = |line: &str| {
        format!(
            r#"
//- a.py
def f():
    pass
def g(h, o):
    {line}
"#
        )
    };
    for (line, position) in [
        ("h(f)", "4:7"),
        ("h([f])", "4:8"),
        ("o.x = f", "4:11"),
        ("return f", "4:12"),
        ("yield f", "4:11"),
        ("return {1: f}", "4:16"),
        ("h(f if o else None)", "4:7"),
    ] {
        let expected = [format!("a.py:{position} escapes")];
        assert_eq!(
            unresolved_callers(&fixture(line), "a.f"),
            expected,
            "{line}"
        );
    }
}

#[test]
fn a_comparison_an_attribute_read_or_a_list_does_not_let_a_function_escape() {
    let fixture = |line: &str| {
        format!(
            r#"
//- a.py
def f():
    pass
def g(o):
    {line}
"#
        )
    };
    for line in [
        "return o is f",
        "return f == o",
        "return f.__name__",
        "x = [f]",
        "x = f if o else None",
        "f()",
    ] {
        assert_eq!(
            unresolved_callers(&fixture(line), "a.f"),
            complete(),
            "{line}"
        );
    }
}

#[test]
fn a_decorated_function_escapes_unless_the_decorator_is_known_to_return_it() {
    let fixture = |line: &str| {
        format!(
            r#"
//- a.py
import abc, functools, contextlib, typing
def own(f): return f
class C:
    @{line}
    def go(self): pass
"#
        )
    };
    for line in [
        "property",
        "staticmethod",
        "classmethod",
        "abc.abstractmethod",
    ] {
        assert_eq!(
            unresolved_callers(&fixture(line), "a.C.go"),
            complete(),
            "{line}"
        );
    }
    for line in ["functools.lru_cache", "functools.cache", "typing.final"] {
        assert_eq!(
            unresolved_callers(&fixture(line), "a.C.go"),
            complete(),
            "{line}"
        );
    }
    for line in [
        "own",
        "contextlib.contextmanager",
        "functools.cached_property",
    ] {
        let expected = ["a.py:4:5 decorated"];
        assert_eq!(
            unresolved_callers(&fixture(line), "a.C.go"),
            expected,
            "{line}"
        );
    }
}

#[test]
fn a_string_literal_equal_to_a_name_may_look_it_up() {
    let fixture = |line: &str| {
        format!(
            r#"
//- a.py
def f(): pass
def g(h):
    {line}
"#
        )
    };
    for line in ["h('f')", "h('a.f')", "h('a:f')"] {
        let found = unresolved_callers(&fixture(line), "a.f");
        assert_eq!(found.len(), 1, "{line}");
        assert!(found[0].ends_with(" dynamic_attribute"), "{found:?}");
    }
    for line in ["'f'", "h('f is called')", "h({}['f'])", "x: 'f' = h"] {
        assert_eq!(
            unresolved_callers(&fixture(line), "a.f"),
            complete(),
            "{line}"
        );
    }
    let listed = r#"
//- a.py
__all__ = ['f']
def f(): pass
"#;
    assert_eq!(unresolved_callers(listed, "a.f"), complete());
}

#[test]
fn an_answer_says_that_a_framework_of_the_settings_calls_the_target() {
    let fixture = r#"
//- a.py
from shop import Shop
shop = Shop()
@shop.on('sale')
def sold(item): pass
@shop.off('sale')
def gone(item): pass
def paid(item): pass
shop.watch('pay', paid)
"#;
    let rows = r#"[
        {"line": 1, "row": {"decorator": "shop.Shop.on", "keeps": true}},
        {"line": 4, "row": {"call": "shop.Shop.watch", "function": 1}}
    ]"#;
    let files = Fixture::of(texts(fixture))
        .setting("framework", rows)
        .load();
    let verdict = |target: &str| verdict(&files, target);
    let called = "no caller found; a framework calls it, which it is registered with";
    assert_eq!(verdict("a.sold"), (true, called.to_owned()));
    assert_eq!(verdict("a.paid"), (true, called.to_owned()));
    assert_eq!(
        verdict("a.gone"),
        (false, "no caller found; 1 site could call it".to_owned())
    );
}

#[test]
fn an_answer_says_that_the_target_is_an_entry_point() {
    let fixture = r#"
//- pyproject.toml
[project.scripts]
shop = 'shop:Shop.run'
//- shop.py
class Shop:
    @classmethod
    def run(cls): pass
    def stop(self): pass
"#;
    let files = Fixture::of(texts(fixture)).load();
    let verdict = |target: &str| verdict(&files, target);
    let words = |words: &str| (true, words.to_owned());
    assert_eq!(
        verdict("shop.Shop.run"),
        words("no caller found; it runs as an entry point of the project")
    );
    assert_eq!(verdict("shop.Shop.stop"), words("no caller found"));
}

#[test]
fn an_answer_says_that_a_test_runner_calls_the_target_by_its_name() {
    // In `a.py` the names say nothing sure: no runner collects that file by itself.
    let fixture = r#"
//- test_a.py
def test_one(): pass
def pytest_configure(config): pass
class TestAll:
    def setup_method(self): pass
    def own(self): pass
def around():
    def test_local(): pass
    test_local()
//- a.py
def test_connection(): pass
def around():
    def test_local(): pass
    test_local()
"#;
    let files = Fixture::of(texts(fixture)).load();
    let verdict = |target: &str| verdict(&files, target);
    let by_runner = "no caller found; a test runner calls it by its name";
    for target in [
        "test_a.test_one",
        "test_a.pytest_configure",
        "test_a.TestAll.setup_method",
    ] {
        assert_eq!(verdict(target), (true, by_runner.to_owned()), "{target}");
    }
    let own = verdict("test_a.TestAll.own");
    assert_eq!(own, (true, "no caller found".to_owned()));
    for target in ["test_a.around.test_local", "a.around.test_local"] {
        assert_eq!(verdict(target), (true, String::new()), "{target}");
    }
    assert_eq!(
        unresolved_callers(fixture, "a.test_connection"),
        ["a.py:1:5 called_by_name"]
    );
}

#[test]
fn callers_of_callers_are_incomplete_if_one_of_them_is() {
    let fixture = r#"
//- a.py
def f(): pass
def g():
    f()
def h(x):
    x(g)
"#;
    let mut request = GraphRequest::new(Operation::Callers, "a.f");
    let fixture = Fixture::of(texts(fixture)).load();
    let complete = |request: &GraphRequest| {
        let answer = fixture.host.ask(request).expect("an answer");
        (answer.completeness.complete, answer.completeness.words)
    };
    assert_eq!(complete(&request), (true, None));
    request.depth = 2;
    let words = "1 caller found; 1 site could call it or a caller of it";
    assert_eq!(complete(&request), (false, Some(words.to_owned())));
}

#[test]
fn a_class_with_a_computed_base_may_be_a_subclass_of_any_class() {
    let computed = r#"
//- a.py
class C:
    def go(self): pass
//- b.py
def g(x):
    class D(x.y): pass
"#;
    for target in ["a.C", "a.C.go"] {
        let found = unresolved_sites(Operation::Implementations, computed, target);
        assert_eq!(found, ["b.py:2:15 unknown_base"], "{target}");
    }
    let made = r#"
//- a.py
class C: pass
class D: pass
def g(n, bases):
    return type(n, bases, {})
def h(n):
    return type(n, (D,), {})
"#;
    let found = unresolved_sites(Operation::Implementations, made, "a.C");
    assert_eq!(found, ["a.py:4:12 unknown_base"]);
    let found = unresolved_sites(Operation::Implementations, made, "a.D");
    assert_eq!(found, ["a.py:4:12 unknown_base", "a.py:6:21 escapes"]);
}

#[test]
fn an_absent_base_class_is_no_subclass_of_the_workspace_unless_a_class_inherits_both() {
    let fixture = r#"
//- a.py
from missing import Base
class C:
    def go(self): pass
class D(Base): pass
class E(Base, C): pass
"#;
    for target in ["a.C", "a.C.go"] {
        let found = unresolved_sites(Operation::Implementations, fixture, target);
        assert_eq!(found, ["a.py:5:9 unknown_base"], "{target}");
    }
    assert_eq!(
        unresolved_sites(Operation::Implementations, fixture, "a.D"),
        complete()
    );
    let found = unresolved_sites(Operation::Implements, fixture, "a.D");
    assert_eq!(found, ["a.py:4:9 unknown_base"]);
    let found = unresolved_sites(Operation::Implements, fixture, "a.C.go");
    assert_eq!(found, ["a.py:5:9 unknown_base"], "Base may declare it, too");
    assert_eq!(
        unresolved_sites(Operation::Implements, fixture, "a.C"),
        complete()
    );
}

#[test]
fn a_module_may_be_imported_by_a_computed_name() {
    let dependents = |line: &str| {
        let fixture = format!(
            r#"
//- p/__init__.py
//- p/a.py
//- b.py
import importlib
def g(n, h):
    {line}
"#
        );
        unresolved_sites(Operation::Dependents, &fixture, "p.a")
    };
    for line in [
        "importlib.import_module(n)",
        "importlib.import_module('p.' + n)",
    ] {
        assert_eq!(dependents(line), ["b.py:3:15 dynamic_attribute"], "{line}");
    }
    assert_eq!(dependents("__import__(n)"), ["b.py:3:5 dynamic_attribute"]);
    assert_eq!(dependents("importlib.import_module('q.' + n)"), complete());
    assert_eq!(dependents("h('p.a:f')"), ["b.py:3:10 dynamic_attribute"]);
    assert_eq!(dependents("h('p.ab')"), complete());
    assert_eq!(dependents("h('x.p.a')"), complete());
    let fixture = r#"
//- a.py
import importlib
def g(n):
    importlib.import_module(n)
"#;
    let found = unresolved_sites(Operation::Dependencies, fixture, "a");
    assert_eq!(found, ["a.py:3:15 dynamic_attribute"]);
}

#[test]
fn the_names_of_a_scope_may_be_looked_up_by_a_computed_name() {
    let of = |line: &str| {
        format!(
            r#"
//- a.py
from m import f
def g(n):
    from m import h
    def inner(): pass
    inner()
    h()
    return {line}
//- m.py
def f(): pass
def h(): pass
"#
        )
    };
    for line in ["locals()[n]", "vars()[n]", "locals().get(n)"] {
        let expected = ["a.py:7:12 dynamic_attribute"];
        assert_eq!(
            unresolved_callers(&of(line), "a.g.<locals>.inner"),
            expected,
            "{line}"
        );
        assert_eq!(unresolved_callers(&of(line), "m.h"), expected, "{line}");
        assert_eq!(unresolved_callers(&of(line), "m.f"), complete(), "{line}");
    }
    let expected = ["a.py:7:12 dynamic_attribute"];
    assert_eq!(unresolved_callers(&of("globals().get(n)"), "m.f"), expected);
    assert_eq!(
        unresolved_callers(&of("eval(n)"), "a.g.<locals>.inner"),
        expected
    );
    let module = r#"
//- a.py
def f(): pass
locals()['f' + input()]()
"#;
    let found = unresolved_callers(module, "a.f");
    assert_eq!(found[0], "a.py:2:1 dynamic_attribute");
    let class = r#"
//- a.py
class C:
    def go(self): pass
    x = locals()[input()]
"#;
    assert_eq!(
        unresolved_callers(class, "a.C.go"),
        ["a.py:3:9 dynamic_attribute"]
    );
}

#[test]
fn the_dict_of_a_class_or_module_has_its_functions() {
    let fixture = |line: &str| {
        format!(
            r#"
//- a.py
import sys
import m
class C:
    def go(self, n):
        return {line}
    def stop(self): pass
//- m.py
def f(): pass
"#
        )
    };
    for line in ["type(self).__dict__[n]", "C.__dict__[n]"] {
        let found = unresolved_callers(&fixture(line), "a.C.stop");
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        assert!(found[0].ends_with("dynamic_attribute"), "{found:?}");
    }
    assert_eq!(
        unresolved_callers(&fixture("self.__dict__[n]"), "a.C.stop"),
        complete()
    );
    let expected = ["a.py:5:18 dynamic_attribute"];
    assert_eq!(
        unresolved_callers(&fixture("m.__dict__[n]"), "m.f"),
        expected
    );
    let expected = ["a.py:5:16 dynamic_attribute"];
    assert_eq!(
        unresolved_callers(&fixture("getattr(m, n)"), "m.f"),
        expected
    );
    assert_eq!(
        unresolved_callers(&fixture("getattr(sys.modules[n], n)"), "m.f"),
        expected
    );
    assert_eq!(
        unresolved_callers(&fixture("getattr(n, n)"), "m.f"),
        complete()
    );
    let handed = r#"
//- a.py
import m
def g(x, n):
    return getattr(x, n)
g(m, 'x' + 'y')
//- m.py
def f(): pass
"#;
    assert_eq!(
        unresolved_callers(handed, "m.f"),
        ["a.py:3:12 dynamic_attribute"]
    );
}

#[test]
fn the_arguments_of_a_descriptor_escape_at_its_construction() {
    let fixture = r#"
//- a.py
class D:
    def __init__(self, f):
        self.f = f
    def __get__(self, o, t):
        return self.f(o)
def of(o): pass
class C:
    x = D(of)
    @D
    def go(self): pass
def g(c: C):
    c.x
    c.go
"#;
    assert_eq!(
        unresolved_callers(fixture, "a.D.__get__"),
        ["a.py:4:9 special_method"]
    );
    assert_eq!(
        unresolved_callers(fixture, "a.C.go"),
        ["a.py:13:7 unknown_receiver"]
    );
    assert_eq!(unresolved_callers(fixture, "a.of"), complete());
}

#[test]
fn super_in_a_mixin_may_call_a_sibling_class() {
    let fixture = r#"
//- a.py
class M:
    def go(self):
        super().go()
class A:
    def go(self): pass
class D(M, A): pass
"#;
    // By its name, and by the MRO of D.
    assert_eq!(
        unresolved_callers(fixture, "a.A.go")[0],
        "a.py:3:17 unknown_receiver"
    );
}

#[test]
fn both_conditional_definitions_of_a_method_are_called() {
    let fixture = r#"
//- a.py
class A:
    def x(self): pass
class B:
    def y(self): pass
class C:
    if input():
        def k(self):
            return A()
    else:
        def k(self):
            return B()
def g():
    C().k().x()
"#;
    let fixture = Fixture::of(texts(fixture)).load();
    // Of what both return only `A` has `x`.
    for (target, resolution) in [
        ("a.C.k#1", "value"),
        ("a.C.k#2", "value"),
        ("a.C.k", "value"),
        ("a.A.x", "exact"),
    ] {
        let answer = fixture
            .host
            .ask(&GraphRequest::new(Operation::Callers, target));
        let results = answer.expect("an answer").results;
        let found: Vec<_> = results.iter().map(|one| &*one.node.id).collect();
        assert_eq!(found, ["a.g"], "{target}");
        assert_eq!(results[0].sites[0].resolution, resolution, "{target}");
    }
}

#[test]
fn an_override_in_both_branches_may_run_where_the_bases_method_is_called() {
    let fixture = r#"
//- a.py
class C:
    def k(self): pass
class D(C):
    if input():
        def k(self): pass
    else:
        def k(self): pass
def g(c: C):
    c.k()
"#;
    let fixture = Fixture::of(texts(fixture)).load();
    for target in ["a.D.k#1", "a.D.k#2"] {
        let answer = fixture
            .host
            .ask(&GraphRequest::new(Operation::Callers, target));
        let results = answer.expect("an answer").results;
        let found: Vec<_> = results.iter().map(|one| &*one.node.id).collect();
        assert_eq!(found, ["a.g"], "{target}");
    }
}
