//! The ways into a Python function that no call of a text shows: each makes an answer about its
//! callers incomplete, at a place that a person can look at; where all are closed it is complete.

use codeweft_graph::answer::{GraphRequest, Operation};
use codeweft_testing::Fixture;
use codeweft_testing::fixture::texts;

/// The open sites of a target's callers: `file:line:column reason`.
fn open(world: &str, target: &str) -> Vec<String> {
    asked(Operation::Callers, world, target)
}

fn asked(operation: Operation, world: &str, target: &str) -> Vec<String> {
    let world = Fixture::of(texts(world)).load();
    let answer = world.host.ask(&GraphRequest::new(operation, target));
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

fn complete() -> Vec<String> {
    Vec::new()
}

#[test]
fn a_function_that_is_only_called_by_its_name_is_complete() {
    let world = "//- a.py\ndef f():\n    pass\ndef g():\n    f()\n//- b.py\nimport a\na.f()\n";
    assert_eq!(open(world, "a.f"), complete());
    assert_eq!(open(world, "a.g"), complete());
}

#[test]
fn a_method_whose_name_is_called_on_its_own_objects_is_complete() {
    let world = "//- a.py\nclass C:\n    def go(self):\n        self.turn()\n    def turn(self):\n        pass\nc = C()\ndef f():\n    C().go()\n";
    assert_eq!(open(world, "a.C.go"), complete());
    assert_eq!(open(world, "a.C.turn"), complete());
    assert_eq!(open(world, "a.C"), complete());
}

#[test]
fn a_function_escapes_as_an_argument_an_element_an_attribute_and_a_result() {
    let world = |line: &str| format!("//- a.py\ndef f():\n    pass\ndef g(h, o):\n    {line}\n");
    for (line, place) in [
        ("h(f)", "4:7"),
        ("x = [f]", "4:10"),
        ("o.x = f", "4:11"),
        ("return f", "4:12"),
        ("yield f", "4:11"),
        ("return {1: f}", "4:16"),
        ("x = f if o else None", "4:9"),
    ] {
        let expected = [format!("a.py:{place} escapes")];
        assert_eq!(open(&world(line), "a.f"), expected, "{line}");
    }
}

#[test]
fn a_comparison_or_attribute_read_does_not_let_a_function_escape() {
    let world = |line: &str| format!("//- a.py\ndef f():\n    pass\ndef g(o):\n    {line}\n");
    for line in ["return o is f", "return f == o", "return f.__name__", "f()"] {
        assert_eq!(open(&world(line), "a.f"), complete(), "{line}");
    }
}

#[test]
fn both_definitions_of_a_name_escape_with_it() {
    let world = "//- a.py\ndef g(x):\n    if x:\n        def f(): pass\n    else:\n        def f(): pass\n    return f\n";
    assert_eq!(open(world, "a.g.<locals>.f"), ["a.py:6:12 escapes"]);
    assert_eq!(open(world, "a.g.<locals>.f#2"), ["a.py:6:12 escapes"]);
}

#[test]
fn a_lambda_escapes_at_its_position() {
    let world = "//- a.py\ndef g(h):\n    h(lambda: 1)\n";
    assert_eq!(open(world, "a.g.<locals>.<lambda>"), ["a.py:2:7 escapes"]);
}

#[test]
fn a_method_read_without_a_call_escapes_with_its_overrides() {
    let world = "//- a.py\nclass C:\n    def go(self, h):\n        h(self.stop)\n    def stop(self): pass\nclass D(C):\n    def stop(self): pass\n";
    assert_eq!(open(world, "a.C.stop"), ["a.py:3:16 escapes"]);
    assert_eq!(open(world, "a.D.stop"), ["a.py:3:16 escapes"]);
}

#[test]
fn a_read_of_an_attribute_of_an_unknown_value_may_be_a_method() {
    let world = "//- a.py\nclass C:\n    def stop(self): pass\ndef g(x, h):\n    h(x.stop)\n";
    assert_eq!(open(world, "a.C.stop"), ["a.py:4:9 unknown_receiver"]);
}

#[test]
fn a_decorated_function_escapes_unless_the_decorator_is_known_to_return_it() {
    let world = |line: &str| {
        format!(
            "//- a.py\nimport abc, functools, contextlib, typing\ndef own(f): return f\nclass C:\n    @{line}\n    def go(self): pass\n"
        )
    };
    for line in [
        "property",
        "staticmethod",
        "classmethod",
        "abc.abstractmethod",
    ] {
        assert_eq!(open(&world(line), "a.C.go"), complete(), "{line}");
    }
    for line in ["functools.lru_cache", "functools.cache", "typing.final"] {
        assert_eq!(open(&world(line), "a.C.go"), complete(), "{line}");
    }
    for line in [
        "own",
        "contextlib.contextmanager",
        "functools.cached_property",
    ] {
        let expected = ["a.py:4:5 decorated"];
        assert_eq!(open(&world(line), "a.C.go"), expected, "{line}");
    }
}

#[test]
fn special_methods_are_called_by_the_language_and_file_methods_by_c_code() {
    let world = "//- a.py\nclass C:\n    def __len__(self): return 1\n    def __init__(self): pass\n    def write(self, x): pass\n    def quiet(self): pass\ndef __getattr__(name): pass\n";
    assert_eq!(open(world, "a.C.__len__"), ["a.py:2:9 special_method"]);
    assert_eq!(open(world, "a.C.__init__"), complete());
    assert_eq!(open(world, "a.C.write"), ["a.py:4:9 special_method"]);
    assert_eq!(open(world, "a.C.quiet"), complete());
    assert_eq!(open(world, "a.__getattr__"), ["a.py:6:5 special_method"]);
}

#[test]
fn a_constructor_may_be_called_where_its_class_escapes() {
    let world =
        "//- a.py\nclass C:\n    def __init__(self): pass\nclass D(C): pass\ndef g(h):\n    h(D)\n";
    assert_eq!(open(world, "a.C.__init__"), ["a.py:5:7 escapes"]);
    assert_eq!(open(world, "a.D"), ["a.py:5:7 escapes"]);
    assert_eq!(open(world, "a.C"), complete());
}

#[test]
fn the_class_of_an_object_is_a_value() {
    let of_any = "//- a.py\nclass C: pass\ndef g(x, h):\n    h(type(x))\n";
    assert_eq!(open(of_any, "a.C"), ["a.py:3:7 escapes"]);
    let called = "//- a.py\nclass C: pass\ndef g(x):\n    return x.__class__()\n";
    assert_eq!(open(called, "a.C"), ["a.py:3:14 unknown_receiver"]);
    let compared = "//- a.py\nclass C: pass\ndef g(x):\n    return type(x) is C\n";
    assert_eq!(open(compared, "a.C"), complete());
    let own = "//- a.py\nclass C:\n    @classmethod\n    def of(cls, h):\n        h(cls)\nclass D(C): pass\nclass E: pass\n";
    assert_eq!(open(own, "a.D"), ["a.py:4:11 escapes"]);
    assert_eq!(open(own, "a.E"), complete());
}

#[test]
fn a_computed_attribute_may_be_any_attribute_of_its_object() {
    let of_any = "//- a.py\nclass C:\n    def go(self): pass\n    @property\n    def p(self): pass\ndef g(x, n):\n    return getattr(x, n)\ndef f(): pass\n";
    assert_eq!(open(of_any, "a.C.go"), ["a.py:6:12 dynamic_attribute"]);
    assert_eq!(open(of_any, "a.f"), complete(), "no module is a value");
    let of_own = "//- a.py\nclass C:\n    def go(self, n):\n        return getattr(self, n)\nclass D(C):\n    def stop(self): pass\nclass E:\n    def stop(self): pass\n";
    assert_eq!(open(of_own, "a.D.stop"), ["a.py:3:16 dynamic_attribute"]);
    assert_eq!(open(of_own, "a.E.stop"), complete());
}

#[test]
fn the_prefix_of_a_computed_name_limits_the_candidates() {
    let world = "//- a.py\nclass C:\n    def visit(self, n):\n        return getattr(self, 'visit_' + n)\n    def visit_a(self): pass\n    def other(self): pass\n";
    assert_eq!(open(world, "a.C.visit_a"), ["a.py:3:16 dynamic_attribute"]);
    assert_eq!(open(world, "a.C.other"), complete());
}

#[test]
fn hasattr_runs_properties_only() {
    let world = "//- a.py\nclass C:\n    def go(self): pass\n    @property\n    def p(self): pass\ndef g(x, n):\n    return hasattr(x, n)\n";
    assert_eq!(open(world, "a.C.go"), complete());
    assert_eq!(open(world, "a.C.p"), ["a.py:6:12 dynamic_attribute"]);
}

#[test]
fn getattr_forwarded_by_a_class_is_reported_at_the_attribute_access() {
    let world = "//- a.py\nclass Proxy:\n    def __init__(self, x):\n        self.x = x\n    def __getattr__(self, name):\n        return getattr(self.x, name)\nclass C:\n    def go(self): pass\n    def stop(self): pass\ndef g(p: Proxy):\n    p.go()\n";
    assert_eq!(open(world, "a.C.go"), ["a.py:10:7 unknown_receiver"]);
    assert_eq!(open(world, "a.C.stop"), complete());
}

#[test]
fn a_string_literal_equal_to_a_name_may_look_it_up() {
    let world = |line: &str| format!("//- a.py\ndef f(): pass\ndef g(h):\n    {line}\n");
    for line in ["h('f')", "h('a.f')", "h('a:f')"] {
        let found = open(&world(line), "a.f");
        assert_eq!(found.len(), 1, "{line}");
        assert!(found[0].ends_with(" dynamic_attribute"), "{found:?}");
    }
    for line in ["'f'", "h('f is called')", "h({}['f'])", "x: 'f' = h"] {
        assert_eq!(open(&world(line), "a.f"), complete(), "{line}");
    }
    let listed = "//- a.py\n__all__ = ['f']\ndef f(): pass\n";
    assert_eq!(open(listed, "a.f"), complete());
}

#[test]
fn executed_text_may_call_the_names_in_its_literals() {
    let world = "//- a.py\ndef f(): pass\ndef h(): pass\ndef g(x):\n    exec(x + 'f is called')\n";
    assert_eq!(open(world, "a.f"), ["a.py:4:15 dynamic_attribute"]);
    assert_eq!(open(world, "a.h"), complete());
}

#[test]
fn globals_with_a_computed_name_may_be_any_function_of_the_module() {
    let world = "//- a.py\ndef f(): pass\ndef g(n):\n    def inner(): pass\n    inner()\n    return globals()[n]\n";
    assert_eq!(open(world, "a.f"), ["a.py:5:12 dynamic_attribute"]);
    assert_eq!(open(world, "a.g.<locals>.inner"), complete());
}

#[test]
fn an_unknown_base_class_may_call_any_method() {
    let world = "//- a.py\nfrom missing import Base\nclass C(Base):\n    def go(self): pass\nclass D(C):\n    def stop(self): pass\nclass E:\n    def rest(self): pass\n";
    assert_eq!(open(world, "a.C.go"), ["a.py:2:9 unknown_base"]);
    assert_eq!(open(world, "a.D.stop"), ["a.py:2:9 unknown_base"]);
    assert_eq!(open(world, "a.E.rest"), complete());
}

#[test]
fn a_base_class_in_c_calls_the_methods_that_it_declares() {
    let world = "//- a.py\nclass C(dict):\n    def pop(self, k): pass\n    def other(self): pass\n";
    assert_eq!(open(world, "a.C.pop"), ["a.py:2:9 special_method"]);
    assert_eq!(open(world, "a.C.other"), complete());
}

#[test]
fn tests_and_hooks_are_called_by_name() {
    let world = "//- test_a.py\ndef test_one(): pass\ndef pytest_configure(config): pass\nclass TestAll:\n    def setup_method(self): pass\n    def own(self): pass\n";
    let named = |target: &str, place: &str| {
        let expected = [format!("test_a.py:{place} called_by_name")];
        assert_eq!(open(world, target), expected, "{target}");
    };
    named("test_a.test_one", "1:5");
    named("test_a.pytest_configure", "2:5");
    named("test_a.TestAll.setup_method", "4:9");
    assert_eq!(open(world, "test_a.TestAll.own"), complete());
}

#[test]
fn entry_points_of_a_project_are_called_by_name() {
    let world = "//- pyproject.toml\n[project]\nname = 'a'\n[project.scripts]\nrun = 'a:start'\n//- a.py\ndef start(): pass\ndef other(): pass\n";
    assert_eq!(open(world, "a.start"), ["a.py:1:5 called_by_name"]);
    assert_eq!(open(world, "a.other"), complete());
}

#[test]
fn an_annotated_receiver_may_be_an_object_of_another_class() {
    let world = "//- a.py\nclass C:\n    def go(self): pass\nclass Fake:\n    def go(self): pass\n    def stop(self): pass\ndef g(c: C):\n    c.go()\n";
    assert_eq!(open(world, "a.C.go"), complete(), "it is listed");
    assert_eq!(open(world, "a.Fake.go"), ["a.py:7:7 unknown_receiver"]);
    assert_eq!(open(world, "a.Fake.stop"), complete());
}

#[test]
fn the_inferred_class_of_an_attribute_may_be_another_class() {
    let world = "//- a.py\nclass C:\n    def go(self): pass\nclass Fake:\n    def go(self): pass\nclass H:\n    def __init__(self):\n        self.c = C()\n    def run(self):\n        self.c.go()\n    def now(self):\n        c = C()\n        c.go()\n";
    assert_eq!(open(world, "a.C.go"), complete());
    assert_eq!(open(world, "a.Fake.go"), ["a.py:9:16 unknown_receiver"]);
}

#[test]
fn super_calls_the_next_class_in_the_mro_of_the_object() {
    let world = "//- a.py\nclass A:\n    def go(self): pass\nclass B(A):\n    def go(self):\n        super().go()\nclass C(A):\n    def go(self): pass\nclass D(B, C): pass\n";
    assert_eq!(open(world, "a.C.go"), ["a.py:5:17 unknown_receiver"]);
    assert_eq!(open(world, "a.B.go"), complete());
}

#[test]
fn a_method_call_on_an_unknown_value_may_pass_the_receiver_as_an_argument() {
    let world = "//- a.py\nclass C:\n    def go(self, a): pass\ndef g(k, c):\n    k.go(c, 1)\n";
    assert_eq!(open(world, "a.C.go"), ["a.py:4:7 unknown_receiver"]);
}

#[test]
fn references_are_unresolved_at_annotated_receivers_too() {
    let world = "//- a.py\nclass C:\n    def go(self): pass\nclass Fake:\n    def go(self): pass\ndef g(c: C):\n    c.go()\n";
    let found = asked(Operation::References, world, "a.Fake.go");
    assert_eq!(found, ["a.py:6:7 unknown_receiver"]);
}

#[test]
fn callers_of_callers_are_incomplete_if_one_of_them_is() {
    let world = "//- a.py\ndef f(): pass\ndef g():\n    f()\ndef h(x):\n    x(g)\n";
    let mut request = GraphRequest::new(Operation::Callers, "a.f");
    let world = Fixture::of(texts(world)).load();
    let complete = |request: &GraphRequest| {
        let answer = world.host.ask(request).expect("an answer");
        (answer.completeness.complete, answer.completeness.words)
    };
    assert_eq!(complete(&request), (true, None));
    request.depth = 2;
    let words = "1 caller found; 1 site could call it or a caller of it";
    assert_eq!(complete(&request), (false, Some(words.to_owned())));
}

#[test]
fn a_class_with_a_computed_base_may_be_a_subclass_of_any_class() {
    let computed =
        "//- a.py\nclass C:\n    def go(self): pass\n//- b.py\ndef g(x):\n    class D(x.y): pass\n";
    for target in ["a.C", "a.C.go"] {
        let found = asked(Operation::Implementations, computed, target);
        assert_eq!(found, ["b.py:2:15 unknown_base"], "{target}");
    }
    let made = "//- a.py\nclass C: pass\nclass D: pass\ndef g(n, bases):\n    return type(n, bases, {})\ndef h(n):\n    return type(n, (D,), {})\n";
    let found = asked(Operation::Implementations, made, "a.C");
    assert_eq!(found, ["a.py:4:12 unknown_base"]);
    let found = asked(Operation::Implementations, made, "a.D");
    assert_eq!(found, ["a.py:4:12 unknown_base", "a.py:6:21 escapes"]);
}

#[test]
fn an_absent_base_class_is_no_subclass_of_the_workspace_unless_a_class_inherits_both() {
    let world = "//- a.py\nfrom missing import Base\nclass C:\n    def go(self): pass\nclass D(Base): pass\nclass E(Base, C): pass\n";
    for target in ["a.C", "a.C.go"] {
        let found = asked(Operation::Implementations, world, target);
        assert_eq!(found, ["a.py:5:9 unknown_base"], "{target}");
    }
    assert_eq!(asked(Operation::Implementations, world, "a.D"), complete());
    let found = asked(Operation::Implements, world, "a.D");
    assert_eq!(found, ["a.py:4:9 unknown_base"]);
    let found = asked(Operation::Implements, world, "a.C.go");
    assert_eq!(found, ["a.py:5:9 unknown_base"], "Base may declare it, too");
    assert_eq!(asked(Operation::Implements, world, "a.C"), complete());
}

#[test]
fn a_module_may_be_imported_by_a_computed_name() {
    let dependents = |line: &str| {
        let world = format!(
            "//- p/__init__.py\n//- p/a.py\n//- b.py\nimport importlib\ndef g(n, h):\n    {line}\n"
        );
        asked(Operation::Dependents, &world, "p.a")
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
    let world = "//- a.py\nimport importlib\ndef g(n):\n    importlib.import_module(n)\n";
    let found = asked(Operation::Dependencies, world, "a");
    assert_eq!(found, ["a.py:3:15 dynamic_attribute"]);
}

#[test]
fn a_file_with_syntax_errors_may_import_the_modules_that_it_names() {
    let world = "//- a.py\n//- b.py\nx = (a = = 2\n//- c.py\nimport a\nx = = 1\n";
    let found = asked(Operation::Dependents, world, "a");
    assert_eq!(found, ["b.py:1:1 parse_error"]);
}

#[test]
fn the_names_of_a_scope_may_be_looked_up_by_a_computed_name() {
    let of = |line: &str| {
        format!(
            "//- a.py\nfrom m import f\ndef g(n):\n    from m import h\n    def inner(): pass\n    inner()\n    h()\n    return {line}\n//- m.py\ndef f(): pass\ndef h(): pass\n"
        )
    };
    for line in ["locals()[n]", "vars()[n]", "locals().get(n)"] {
        let expected = ["a.py:7:12 dynamic_attribute"];
        assert_eq!(open(&of(line), "a.g.<locals>.inner"), expected, "{line}");
        assert_eq!(open(&of(line), "m.h"), expected, "{line}");
        assert_eq!(open(&of(line), "m.f"), complete(), "{line}");
    }
    let expected = ["a.py:7:12 dynamic_attribute"];
    assert_eq!(open(&of("globals().get(n)"), "m.f"), expected);
    assert_eq!(open(&of("eval(n)"), "a.g.<locals>.inner"), expected);
    let module = "//- a.py\ndef f(): pass\nlocals()['f' + input()]()\n";
    let found = open(module, "a.f");
    assert_eq!(found[0], "a.py:2:1 dynamic_attribute");
    let class = "//- a.py\nclass C:\n    def go(self): pass\n    x = locals()[input()]\n";
    assert_eq!(open(class, "a.C.go"), ["a.py:3:9 dynamic_attribute"]);
}

#[test]
fn the_dict_of_a_class_or_module_has_its_functions() {
    let world = |line: &str| {
        format!(
            "//- a.py\nimport sys\nimport m\nclass C:\n    def go(self, n):\n        return {line}\n    def stop(self): pass\n//- m.py\ndef f(): pass\n"
        )
    };
    for line in ["type(self).__dict__[n]", "C.__dict__[n]"] {
        let found = open(&world(line), "a.C.stop");
        assert_eq!(found.len(), 1, "{line}: {found:?}");
        assert!(found[0].ends_with("dynamic_attribute"), "{found:?}");
    }
    assert_eq!(open(&world("self.__dict__[n]"), "a.C.stop"), complete());
    let expected = ["a.py:5:18 dynamic_attribute"];
    assert_eq!(open(&world("m.__dict__[n]"), "m.f"), expected);
    let expected = ["a.py:5:16 dynamic_attribute"];
    assert_eq!(open(&world("getattr(m, n)"), "m.f"), expected);
    assert_eq!(open(&world("getattr(sys.modules[n], n)"), "m.f"), expected);
    assert_eq!(open(&world("getattr(n, n)"), "m.f"), complete());
    let handed = "//- a.py\nimport m\ndef g(x, n):\n    return getattr(x, n)\ng(m, 'x' + 'y')\n//- m.py\ndef f(): pass\n";
    assert_eq!(open(handed, "m.f"), ["a.py:3:12 dynamic_attribute"]);
}

#[test]
fn the_arguments_of_a_descriptor_escape_at_its_construction() {
    let world = "//- a.py\nclass D:\n    def __init__(self, f):\n        self.f = f\n    def __get__(self, o, t):\n        return self.f(o)\ndef of(o): pass\nclass C:\n    x = D(of)\n    @D\n    def go(self): pass\ndef g(c: C):\n    c.x\n    c.go\n";
    assert_eq!(open(world, "a.D.__get__"), ["a.py:4:9 special_method"]);
    assert_eq!(open(world, "a.C.go")[0], "a.py:9:5 decorated");
    let found = open(world, "a.of");
    assert!(found.contains(&"a.py:8:11 escapes".to_owned()), "{found:?}");
}

#[test]
fn super_in_a_mixin_may_call_a_sibling_class() {
    let world = "//- a.py\nclass M:\n    def go(self):\n        super().go()\nclass A:\n    def go(self): pass\nclass D(M, A): pass\n";
    // By its name, and by the order of D.
    assert_eq!(open(world, "a.A.go")[0], "a.py:3:17 unknown_receiver");
}

#[test]
fn both_conditional_definitions_of_a_method_are_called() {
    let world = "//- a.py\nclass A:\n    def x(self): pass\nclass B:\n    def y(self): pass\nclass C:\n    if input():\n        def k(self):\n            return A()\n    else:\n        def k(self):\n            return B()\ndef g():\n    C().k().x()\n";
    let world = Fixture::of(texts(world)).load();
    for target in ["a.C.k#1", "a.C.k#2", "a.C.k", "a.A.x"] {
        let answer = world
            .host
            .ask(&GraphRequest::new(Operation::Callers, target));
        let results = answer.expect("an answer").results;
        let found: Vec<_> = results.iter().map(|one| &*one.node.id).collect();
        assert_eq!(found, ["a.g"], "{target}");
        assert_eq!(results[0].sites[0].resolution, "value", "{target}");
    }
}

#[test]
fn an_override_in_both_branches_may_run_where_the_bases_method_is_called() {
    let world = "//- a.py\nclass C:\n    def k(self): pass\nclass D(C):\n    if input():\n        def k(self): pass\n    else:\n        def k(self): pass\ndef g(c: C):\n    c.k()\n";
    let world = Fixture::of(texts(world)).load();
    for target in ["a.D.k#1", "a.D.k#2"] {
        let answer = world
            .host
            .ask(&GraphRequest::new(Operation::Callers, target));
        let results = answer.expect("an answer").results;
        let found: Vec<_> = results.iter().map(|one| &*one.node.id).collect();
        assert_eq!(found, ["a.g"], "{target}");
    }
}
