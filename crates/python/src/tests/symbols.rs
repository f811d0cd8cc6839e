//! Declarations: their rows, kinds and locations.

use expect_test::{Expect, expect};

use super::harness::Fixture;

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&Fixture::new(text).symbols());
}

#[test]
fn classes_functions_and_lambdas_are_nodes_at_any_depth() {
    check(
        "
        def outer():
            def inner():
                return lambda: 1
            class Local:
                def method(self): ...
            return inner

        class C:
            class D:
                async def m(self): ...
            key = lambda self: 2
        ",
        expect![[r#"
            a package a.py:1:1
            a.outer function a.py:1:5 lines 1-6
            a.outer.<locals>.inner function a.py:2:9 lines 2-3
            a.outer.<locals>.inner.<locals>.<lambda> function a.py:3:16
            a.outer.<locals>.Local class a.py:4:11 lines 4-5
            a.outer.<locals>.Local.method method a.py:5:13
            a.C class a.py:8:7 lines 8-11
            a.C.key field a.py:11:5
            a.C.D class a.py:9:11 lines 9-10
            a.C.D.m method a.py:10:19
            a.C.<lambda> function a.py:11:11
        "#]],
    );
}

#[test]
fn a_declaration_starts_with_its_first_decorator_and_its_name_is_its_place() {
    check(
        "
        @first
        @second(
            1,
        )
        def f(
            a,
        ):
            return a

        @third
        class C:
            @property
            def x(self):
                return 1
        ",
        expect![[r#"
            a package a.py:1:1
            a.f function a.py:5:5 lines 1-8
            a.C class a.py:11:7 lines 10-14
            a.C.x method a.py:13:9 lines 12-14
        "#]],
    );
}

#[test]
fn declarations_of_one_name_in_one_scope_are_twins() {
    check(
        "
        import sys

        if sys.platform == 'win32':
            def f(): ...
        else:
            def f(): ...

        class C:
            @property
            def x(self): ...
            @x.setter
            def x(self, value): ...

        a = [lambda: 1, lambda: 2]
        ",
        expect![[r#"
            a package a.py:1:1
            a.a variable a.py:14:1
            a.f function a.py:4:9
            a.f#2 function a.py:6:9
            a.C class a.py:8:7 lines 8-12
            a.C.x method a.py:10:9 lines 9-10
            a.C.x#2 method a.py:12:9 lines 11-12
            a.<lambda> function a.py:14:6
            a.<lambda>#2 function a.py:14:17
        "#]],
    );
}

#[test]
fn a_name_of_a_module_is_one_variable_however_often_it_is_bound() {
    check(
        "
        a = 1
        a = 2
        b: int
        for c, (d, *e) in []:
            f = 1
        with open('x') as g:
            pass
        try:
            pass
        except OSError as h:
            pass
        if (i := 1):
            pass
        j = k = 2
        l += 1
        m.n = 3
        del a
        def set_global():
            global o
            o = 1
            local = 2
        ",
        expect![[r#"
            a package a.py:1:1
            a.a variable a.py:1:1
            a.b variable a.py:3:1
            a.c variable a.py:4:5
            a.d variable a.py:4:9
            a.e variable a.py:4:13
            a.f variable a.py:5:5
            a.g variable a.py:6:19
            a.h variable a.py:10:19
            a.i variable a.py:12:5
            a.j variable a.py:14:1
            a.k variable a.py:14:5
            a.l variable a.py:15:1
            a.o variable a.py:20:5
            a.set_global function a.py:18:5 lines 18-21
        "#]],
    );
}

#[test]
fn what_a_def_a_class_or_only_imports_bind_is_no_variable() {
    check(
        "
        import os
        from os import path as p
        from os import *
        try:
            import json
        except ImportError:
            json = None

        def f(): ...
        f = g(f)
        class C: ...
        C = None
        ",
        expect![[r#"
            a package a.py:1:1
            a.json variable a.py:7:5
            a.f function a.py:9:5
            a.C class a.py:11:7
        "#]],
    );
}

#[test]
fn targets_of_comprehensions_and_locals_are_no_nodes() {
    check(
        "
        squares = [x * x for x in range(3)]

        def f(a, *b, c=1, **d):
            e = a
            return {k: v for k, v in d.items()}
        ",
        expect![[r#"
            a package a.py:1:1
            a.squares variable a.py:1:1
            a.f function a.py:3:5 lines 3-5
        "#]],
    );
}

#[test]
fn attributes_are_the_names_of_the_class_and_what_its_methods_store_in_self() {
    check(
        "
        class C:
            limit = 3
            name: str

            def early(self):
                self.late = 1
                self.limit = 4
                self.early = None

            def __init__(self, a):
                self.name = a
                self.late = 2
                self.plain: int = 3
                other.no = 4

            @classmethod
            def make(cls):
                cls.shared = 1
        ",
        expect![[r#"
            a package a.py:1:1
            a.C class a.py:1:7 lines 1-18
            a.C.limit field a.py:2:5
            a.C.name field a.py:3:5
            a.C.late field a.py:12:14
            a.C.plain field a.py:13:14
            a.C.shared field a.py:18:13
            a.C.early method a.py:5:9 lines 5-8
            a.C.__init__ method a.py:10:9 lines 10-14
            a.C.make method a.py:17:9 lines 16-18
        "#]],
    );
}

#[test]
fn a_private_name_of_a_class_is_mangled() {
    check(
        "
        class _C:
            __a = 1
            def __m(self):
                self.__b = 2
            __m = wrap(__m)
            def __call__(self): ...
        ",
        expect![[r#"
            a package a.py:1:1
            a._C class private a.py:1:7 lines 1-6
            a._C._C__a field private a.py:2:5
            a._C._C__b field private a.py:4:14
            a._C.__m method private a.py:3:9 lines 3-4
            a._C.__call__ method a.py:6:9
        "#]],
    );
}

#[test]
fn visibility_is_by_the_name_alone() {
    check(
        "
        #- _inner.py
        class Public:
            def _m(self): ...
            def __len__(self): ...
        def _private():
            def public(): ...
        __all__ = []
        _ = 1
        #- _pkg/__init__.py
        #- pkg/__main__.py
        ",
        expect![[r#"
            _inner package private _inner.py:1:1
            _inner.__all__ variable _inner.py:6:1
            _inner._ variable private _inner.py:7:1
            _inner.Public class _inner.py:1:7 lines 1-3
            _inner.Public._m method private _inner.py:2:9
            _inner.Public.__len__ method _inner.py:3:9
            _inner._private function private _inner.py:4:5 lines 4-5
            _inner._private.<locals>.public function _inner.py:5:9
            _pkg package private _pkg/__init__.py:1:1
            pkg package nowhere
            pkg.__main__ package pkg/__main__.py:1:1
        "#]],
    );
}

#[test]
fn aliases_and_new_types_are_types_and_final_names_are_constants() {
    check(
        "
        import typing as t
        from typing import Final, NewType as Fresh, TypeAlias

        type A[T] = list[T]
        B: TypeAlias = 'dict[str, int]'
        C = Fresh('C', int)
        D = t.NewType('D', int)
        E: Final = 1
        F: t.Final[int] = 2
        LOUD = 3
        G = NewType('G', int)
        H: Optional[int] = None

        class K:
            limit: Final = 4
            type I = int
        ",
        expect![[r#"
            a package a.py:1:1
            a.A type a.py:4:6
            a.B type a.py:5:1
            a.C type a.py:6:1
            a.D type a.py:7:1
            a.E constant a.py:8:1
            a.F constant a.py:9:1
            a.LOUD variable a.py:10:1
            a.G variable a.py:11:1
            a.H variable a.py:12:1
            a.K class a.py:14:7 lines 14-16
            a.K.limit field a.py:15:5
            a.K.I type a.py:16:10
        "#]],
    );
}

#[test]
fn protocols_and_abstract_classes_are_interfaces() {
    check(
        "
        import abc
        import typing_extensions as te
        from abc import ABC, ABCMeta, abstractmethod as must
        from typing import Protocol, TypeVar

        T = TypeVar('T')

        class P(Protocol): ...
        class Q(Protocol[T]): ...
        class R(te.Protocol): ...
        class FitsP(P): ...
        class Base(ABC):
            @must
            def m(self): ...
        class Meta(metaclass=ABCMeta):
            @property
            @abc.abstractmethod
            def x(self): ...
        class Sub(Base):
            def m(self): ...
        class Further(Base):
            @must
            def n(self): ...
        class Nothing(ABC): ...
        class Alone:
            @must
            def m(self): ...
        class OfBuiltin(dict):
            @must
            def m(self): ...
        ",
        expect![[r#"
            a package a.py:1:1
            a.T variable a.py:6:1
            a.P interface a.py:8:7
            a.Q interface a.py:9:7
            a.R interface a.py:10:7
            a.FitsP class a.py:11:7
            a.Base interface a.py:12:7 lines 12-14
            a.Base.m method a.py:14:9 lines 13-14
            a.Meta interface a.py:15:7 lines 15-18
            a.Meta.x method a.py:18:9 lines 16-18
            a.Sub class a.py:19:7 lines 19-20
            a.Sub.m method a.py:20:9
            a.Further interface a.py:21:7 lines 21-23
            a.Further.n method a.py:23:9 lines 22-23
            a.Nothing class a.py:24:7
            a.Alone class a.py:25:7 lines 25-27
            a.Alone.m method a.py:27:9 lines 26-27
            a.OfBuiltin class a.py:28:7 lines 28-30
            a.OfBuiltin.m method a.py:30:9 lines 29-30
        "#]],
    );
}

#[test]
fn either_branch_of_a_guarded_import_can_name_a_protocol() {
    check(
        "
        try:
            from typing import Protocol
        except ImportError:
            from typing_extensions import Protocol

        class P(Protocol): ...

        def f():
            class Q(Protocol): ...
        ",
        expect![[r#"
            a package a.py:1:1
            a.P interface a.py:6:7
            a.f function a.py:8:5 lines 8-9
            a.f.<locals>.Q interface a.py:9:11
        "#]],
    );
}

#[test]
fn a_stub_beside_its_module_adds_no_nodes_and_a_stub_alone_has_them() {
    check(
        "
        #- a.py
        def f(x):
            return x
        #- a.pyi
        def f(x: int) -> int: ...
        def only_here() -> int: ...
        #- b.pyi
        class C:
            x: int
        ",
        expect![[r#"
            a package a.py:1:1
            a.f function a.py:1:5 lines 1-2
            b package b.pyi:1:1
            b.C class b.pyi:1:7 lines 1-2
            b.C.x field b.pyi:2:5
        "#]],
    );
}

#[test]
fn every_enum_member_and_data_field_is_a_field_of_its_class() {
    check(
        "
        from dataclasses import dataclass
        from enum import Enum

        class Color(Enum):
            RED = 1
            GREEN = 2

        @dataclass
        class Point:
            x: int
            y: int = 0
        ",
        expect![[r#"
            a package a.py:1:1
            a.Color class a.py:4:7 lines 4-6
            a.Color.RED field a.py:5:5
            a.Color.GREEN field a.py:6:5
            a.Point class a.py:9:7 lines 8-11
            a.Point.x field a.py:10:5
            a.Point.y field a.py:11:5
        "#]],
    );
}
