//! Overloads are signatures of the function that implements them.

use expect_test::{Expect, expect};

use super::harness::Fixture;

fn symbols(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).symbols());
}

fn uses(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).uses("a.py"));
}

#[test]
fn a_function_with_overloads_is_one_node_at_its_implementation() {
    symbols(
        "
        import typing as t
        from typing_extensions import overload as sig

        @t.overload
        def f(x: int) -> int: ...
        @sig
        def f(x: str) -> str: ...
        def f(x):
            return x

        def f(x): ...
        ",
        expect![[r#"
            a package a.py:1:1
            a.f function a.py:8:5 lines 8-9
            a.f#2 function a.py:11:5
        "#]],
    );
}

#[test]
fn without_an_implementation_the_first_overload_represents_all() {
    symbols(
        "
        from typing import Protocol, overload

        class P(Protocol):
            @overload
            def m(self, a: int) -> int: ...
            @overload
            def m(self, a: str, b: str) -> str: ...
        ",
        expect![[r#"
            a package a.py:1:1
            a.P interface a.py:3:7 lines 3-7
            a.P.m method a.py:5:9 lines 4-5
        "#]],
    );
}

#[test]
fn each_branch_has_its_own_overloads() {
    symbols(
        "
        import sys
        from typing import overload

        if sys.platform == 'linux':
            @overload
            def f(x: int) -> int: ...
            def f(x): ...
        else:
            @overload
            def f(x: str) -> str: ...
            def f(x): ...
        ",
        expect![[r#"
            a package a.py:1:1
            a.f function a.py:7:9
            a.f#2 function a.py:11:9
        "#]],
    );
}

#[test]
fn a_decorator_named_overload_that_is_not_typings_leaves_redefinitions() {
    symbols(
        "
        from dispatching import overload

        @overload
        def f(x: int): ...
        def f(x): ...
        ",
        expect![[r#"
            a package a.py:1:1
            a.f function a.py:4:5 lines 3-4
            a.f#2 function a.py:5:5
        "#]],
    );
}

#[test]
fn calls_and_signatures_belong_to_the_implementation() {
    uses(
        "
        from typing import overload

        class A: ...

        @overload
        def f(x: int) -> A: ...
        @overload
        def f(x: str) -> str: ...
        def f(x):
            return x

        def g():
            f(1)
        ",
        expect![[r#"
            1:20 overload -> typing.overload import direct
            5:2 overload -> typing.overload call direct
            6:10 int -> builtins.int parameter direct
            6:18 A -> a.A result direct
            7:2 overload -> typing.overload call direct
            8:10 str -> builtins.str parameter direct
            8:18 str -> builtins.str result direct
            13:5 f -> a.f call direct
        "#]],
    );
}
