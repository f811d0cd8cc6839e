//! Symbols and locals by byte offset, and back.

use expect_test::{Expect, expect};

use super::harness::Fixture;

fn check(text: &str, marked: &[&str], expected: Expect) {
    let fixture = Fixture::new(text);
    let found = marked.iter().map(|marked| fixture.at("a.py", marked));
    expected.assert_eq(&found.collect::<String>());
}

#[test]
fn a_declared_name_is_its_symbol_from_its_first_to_its_last_byte() {
    check(
        "
        class Count:
            def step(self): ...
        start = 1
        ",
        &[
            "^Count",
            "Coun^t",
            "Count^:",
            "def ^step",
            "^start",
            "^class",
        ],
        expect![[r#"
            ^Count: a.Count at a.py:1:7 lines 1-2
            Coun^t: a.Count at a.py:1:7 lines 1-2
            Count^:: nothing
            def ^step: a.Count.step at a.py:2:9
            ^start: a.start at a.py:3:1
            ^class: nothing
        "#]],
    );
}

#[test]
fn a_parameter_and_a_local_are_found_at_their_first_binding() {
    check(
        "
        def f(first, *rest, key=1, **more):
            total = first
            total = total + key
            return rest, more, total
        ",
        &[
            "def f(^first",
            "*^rest",
            "= ^first",
            "^total = first",
            "^total = total",
            "= ^total",
            "+ ^key",
            "return ^rest",
            "more, ^total",
        ],
        expect![[r#"
            def f(^first: local first of a.f at 1:7
            *^rest: local rest of a.f at 1:15
            = ^first: local first of a.f at 1:7
            ^total = first: local total of a.f at 2:5
            ^total = total: local total of a.f at 2:5
            = ^total: local total of a.f at 2:5
            + ^key: local key of a.f at 1:21
            return ^rest: local rest of a.f at 1:15
            more, ^total: local total of a.f at 2:5
        "#]],
    );
}

#[test]
fn a_name_of_a_function_around_is_the_local_of_that_function() {
    check(
        "
        def outer(base):
            count = 0
            def inner():
                nonlocal count
                count += base
            return inner
        ",
        &["+= ^base", "^count += base", "return ^inner"],
        expect![[r#"
            += ^base: local base of a.outer at 1:11
            ^count += base: local count of a.outer at 2:5
            return ^inner: a.outer.<locals>.inner at a.py:3:9 lines 3-5
        "#]],
    );
}

#[test]
fn a_global_name_is_the_variable_of_the_module() {
    check(
        "
        limit = 1
        def read():
            return limit
        def write():
            global limit
            limit = 2
        ",
        &["return ^limit", "    ^limit = 2"],
        expect![[r#"
            return ^limit: a.limit at a.py:1:1
                ^limit = 2: a.limit at a.py:1:1
        "#]],
    );
}

#[test]
fn a_local_that_hides_a_global_is_the_local() {
    check(
        "
        limit = 1
        def f():
            limit = 2
            return limit
        ",
        &["return ^limit", "^limit = 1"],
        expect![[r#"
            return ^limit: local limit of a.f at 3:5
            ^limit = 1: a.limit at a.py:1:1
        "#]],
    );
}

#[test]
fn targets_of_comprehensions_lambdas_and_handlers_are_locals() {
    check(
        "
        def f(items):
            doubled = [item + 1 for item in items]
            key = lambda part: part
            try:
                pass
            except OSError as error:
                raise error
            with open('x') as stream:
                return stream
        ",
        &[
            "[^item",
            "for ^item",
            "in ^items",
            "lambda ^part",
            ": ^part",
            "as ^error",
            "raise ^error",
            "return ^stream",
        ],
        expect![[r#"
            [^item: local item of a.f at 2:29
            for ^item: local item of a.f at 2:29
            in ^items: local items of a.f at 1:7
            lambda ^part: local part of a.f.<locals>.<lambda> at 3:18
            : ^part: local part of a.f.<locals>.<lambda> at 3:18
            as ^error: local error of a.f at 6:23
            raise ^error: local error of a.f at 6:23
            return ^stream: local stream of a.f at 8:23
        "#]],
    );
}

#[test]
fn a_target_of_a_comprehension_in_a_module_is_a_local_of_the_module() {
    check(
        "
        squares = [one * one for one in (1, 2)]
        ",
        &["[^one", "for ^one"],
        expect![[r#"
            [^one: local one of a at 1:26
            for ^one: local one of a at 1:26
        "#]],
    );
}

#[test]
fn an_attribute_of_self_is_the_field_of_the_class() {
    check(
        "
        class C:
            shared = 1
            def __init__(self):
                self.own = 2
                self.shared = 3
            def read(self):
                return self.own + self.shared
        ",
        &[
            "self.^own = 2",
            "self.^shared = 3",
            "return self.^own",
            "+ self.^shared",
            "+ ^self",
        ],
        expect![[r#"
            self.^own = 2: a.C.own at a.py:4:14
            self.^shared = 3: a.C.shared at a.py:2:5
            return self.^own: a.C.own at a.py:4:14
            + self.^shared: a.C.shared at a.py:2:5
            + ^self: local self of a.C.read at 6:14
        "#]],
    );
}

#[test]
fn a_called_class_is_the_class_and_not_its_constructor() {
    check(
        "
        class C:
            def __init__(self): ...
        c = C()
        ",
        &["= ^C()"],
        expect![[r#"
            = ^C(): a.C at a.py:1:7 lines 1-2
        "#]],
    );
}

#[test]
fn an_import_names_modules_and_what_they_declare() {
    check(
        "
        #- a.py
        import pkg.mod
        import pkg.mod as short
        from pkg.mod import thing as own, Kind
        from . import pkg
        own(Kind, short.thing, pkg.mod.thing)
        #- pkg/__init__.py
        #- pkg/mod.py
        def thing(): ...
        class Kind: ...
        ",
        &[
            "import pkg.^mod\n",
            "import pkg.^mod as",
            "as ^short",
            "from pkg.^mod",
            "import ^thing",
            "as ^own",
            ", ^Kind\n",
            "^own(",
            "(^Kind",
            "short.^thing",
            "pkg.mod.^thing)",
        ],
        expect![[r#"
            import pkg.^mod
            : pkg.mod at pkg/mod.py:1:1
            import pkg.^mod as: pkg.mod at pkg/mod.py:1:1
            as ^short: pkg.mod at pkg/mod.py:1:1
            from pkg.^mod: pkg.mod at pkg/mod.py:1:1
            import ^thing: pkg.mod.thing at pkg/mod.py:1:5
            as ^own: pkg.mod.thing at pkg/mod.py:1:5
            , ^Kind
            : pkg.mod.Kind at pkg/mod.py:2:7
            ^own(: pkg.mod.thing at pkg/mod.py:1:5
            (^Kind: pkg.mod.Kind at pkg/mod.py:2:7
            short.^thing: pkg.mod.thing at pkg/mod.py:1:5
            pkg.mod.^thing): pkg.mod.thing at pkg/mod.py:1:5
        "#]],
    );
}

#[test]
fn a_part_of_a_dotted_import_is_the_package_up_to_there() {
    check(
        "
        #- a.py
        import pkg.sub.mod
        from pkg . sub import mod as other
        import os . path, missing.part
        from .pkg import sub
        from . import pkg
        #- pkg/__init__.py
        #- pkg/sub/__init__.py
        #- pkg/sub/mod.py
        ",
        &[
            "import ^pkg.sub",
            "pkg.^sub.",
            "pkg.sub.^mod",
            "from ^pkg",
            "from pkg . ^sub",
            "as ^other",
            "missing.^part",
            "^missing.part",
            "from .^pkg import sub",
            "from ^. import pkg",
        ],
        expect![[r#"
            import ^pkg.sub: pkg at pkg/__init__.py:1:1
            pkg.^sub.: pkg.sub at pkg/sub/__init__.py:1:1
            pkg.sub.^mod: pkg.sub.mod at pkg/sub/mod.py:1:1
            from ^pkg: pkg at pkg/__init__.py:1:1
            from pkg . ^sub: pkg.sub at pkg/sub/__init__.py:1:1
            as ^other: pkg.sub.mod at pkg/sub/mod.py:1:1
            missing.^part: missing.part at nowhere
            ^missing.part: missing.part at nowhere
            from .^pkg import sub: pkg at pkg/__init__.py:1:1
            from ^. import pkg: pkg at pkg/__init__.py:1:1
        "#]],
    );
}

#[test]
fn a_local_that_is_called_is_the_local_and_not_what_runs() {
    check(
        "
        #- a.py
        class C:
            def __call__(self): ...
        def other(): ...
        def f(given):
            made = C()
            made()
            given()
            chosen = other
            chosen()
            from b import thing as renamed
            renamed()
            def inner(): ...
            inner()
        #- b.py
        def thing(): ...
        ",
        &[
            "    ^made()",
            "^given()",
            "^chosen()",
            "^renamed()",
            "^inner()",
        ],
        expect![[r#"
                ^made(): local made of a.f at 5:5
            ^given(): local given of a.f at 4:7
            ^chosen(): local chosen of a.f at 8:5
            ^renamed(): b.thing at b.py:1:5
            ^inner(): a.f.<locals>.inner at a.py:12:9
        "#]],
    );
}

#[test]
fn the_uses_of_a_local_are_those_of_its_scope() {
    let fixture = Fixture::new(
        "
        def f(first, rest):
            total = first
            for one in rest:
                total += one
            def inner():
                nonlocal total
                total = total + first
                rest = 1
                return rest
            return [item for item in rest], (lambda first: first)
        ",
    );
    let marked = [
        "f(^first",
        ", ^rest",
        "^total = first",
        "for ^one",
        "^rest = 1",
        "lambda ^first",
    ];
    let found = marked
        .iter()
        .map(|marked| fixture.local_uses("a.py", marked));
    expect![[r#"
        f(^first: 2:13 7:25
        , ^rest: 3:16 10:30
        ^total = first: 4:9 6:18 7:9 7:17
        for ^one: 4:18
        ^rest = 1: 9:16
        lambda ^first: 10:52
    "#]]
    .assert_eq(&found.collect::<String>());
}

#[test]
fn names_of_several_bytes_count_in_bytes() {
    let fixture = Fixture::new("é = 1\ndef ü(): ...\ndef f(ä): return (ä, ü())\n");
    expect![[r#"
        a package a.py:1:1
        a.é variable a.py:1:1
        a.ü function a.py:2:5
        a.f function a.py:3:5
        , ^ü: a.ü at a.py:2:5
        (^ä: local ä of a.f at 3:7
    "#]]
    .assert_eq(&(fixture.symbols() + &fixture.at("a.py", ", ^ü") + &fixture.at("a.py", "(^ä")));
}

#[test]
fn a_name_that_a_stub_declares_for_an_import_of_its_module_is_what_the_import_names() {
    let fixture = Fixture::new(
        "
        #- a.py
        from b import Thing
        #- a.pyi
        class Thing:
            def run(self) -> int: ...
            def only(self) -> int: ...
        #- b.py
        class Thing:
            def run(self):
                return 1
        ",
    );
    let marked = ["^Thing", "def ^run", "def ^only"];
    let found = marked.iter().map(|marked| fixture.at("a.pyi", marked));
    expect![[r#"
        ^Thing: b.Thing at b.py:1:7 lines 1-3
        def ^run: b.Thing.run at b.py:2:9 lines 2-3
        def ^only: a.Thing.only at a.pyi:3:9
    "#]]
    .assert_eq(&found.collect::<String>());
}
