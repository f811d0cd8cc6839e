//! Declarations and imports of Python, a rule each.

mod python_printed;

use expect_test::{Expect, expect};

fn check_items(text: &str, expected: Expect) {
    expected.assert_eq(&python_printed::items(text));
}

#[test]
fn imports_keep_module_level_names_and_what_they_bind() {
    check_items(
        "\
import a.b, c.d as e
from . import f, g as h
from ..i.j import (k,
    l as m,)
from n import *
from __future__ import annotations
",
        expect![[r#"
            import a.b binds a
            import c.d as e
            from . import f, g as h
            from ..i.j import k, l as m
            from n import *
            from __future__ import annotations
            #0 module
              bind a import.0.0
              bind e import.1.0
              bind f import.2.0
              bind h import.2.1
              bind k import.3.0
              bind m import.3.1
              bind * import.4
              bind annotations import.5.0
        "#]],
    );
}

#[test]
fn an_import_has_its_guard() {
    check_items(
        "\
from typing import TYPE_CHECKING
import typing, sys, os
if TYPE_CHECKING:
    import a
if typing.TYPE_CHECKING:
    import b
else:
    import c
try:
    import d
except ImportError:
    import e
except (ModuleNotFoundError, OSError):
    import f
else:
    import g
if sys.version_info >= (3, 8):
    import h
elif sys.platform == \"win32\":
    import i
else:
    import j
if os.name == \"nt\":
    import k
if unknown():
    import l
try:
    import m
except ValueError:
    pass
def f():
    import n
    from o import p
",
        expect![[r#"
            from typing import TYPE_CHECKING
            import typing binds typing
            import sys binds sys
            import os binds os
            import a binds a under TypeChecking
            import b binds b under TypeChecking
            import c binds c under Other
            import d binds d under ImportError
            import e binds e under ImportError
            import f binds f under ImportError
            import g binds g under Other
            import h binds h under Since(8)
            import i binds i under Version
            import j binds j under Version
            import k binds k under Version
            import l binds l under Other
            import m binds m under Other
            import n binds n in function
            from o import p in function
            #0 module
              bind TYPE_CHECKING import.0.0
              bind typing import.1.0
              bind sys import.2.0
              bind os import.3.0
              bind a import.4.0 under TypeChecking
              bind b import.5.0 under TypeChecking
              bind c import.6.0 under Other
              bind d import.7.0 under ImportError
              bind e import.8.0 under ImportError
              bind f import.9.0 under ImportError
              bind g import.10.0 under Other
              bind h import.11.0 under Since(8)
              bind i import.12.0 under Version
              bind j import.13.0 under Version
              bind k import.14.0 under Version
              bind l import.15.0 under Other
              bind m import.16.0 under Other
              bind f item.1
              #1 def f() falls-through
                result None
        "#]],
    );
}

#[test]
fn a_declaration_has_its_guard() {
    check_items(
        "\
import sys
if sys.version_info < (3,):
    def f(): pass
else:
    def f(): pass
    class C: pass
try:
    import json
except ImportError:
    json = None
while x:
    y = 1
",
        expect![[r#"
            import sys binds sys
            import json binds json under ImportError
            #0 module
              bind sys import.0.0
              bind f item.1 under Version
              bind f item.2 under Version
              bind C item.3 under Version
              bind json import.1.0 under ImportError
              bind json = None under ImportError
              bind y = int under Other
              #1 def f() falls-through under Version
                result None
              #2 def f~1() falls-through under Version
                result None
              #3 class C under Version
        "#]],
    );
}

#[test]
fn parameters_have_kinds_annotations_and_defaults() {
    check_items("\
def f(a, b: int, /, c, d: str = \"x\", *args: int, e, g=None, **kwargs: \"Any\") -> \"list[int]\": ...
def g(*, a): ...
def h(a=1, /): ...
", expect![[r##"
    #0 module
      bind f item.1
      bind g item.2
      bind h item.3
      #1 def f(/a, /b: int, c, d: str = "x", *args: int, =e, =g = None, **kwargs: Any) -> ([] list int) stub falls-through
        result None
      #2 def g(=a) stub falls-through
        result None
      #3 def h(/a = int) stub falls-through
        result None
"##]]);
}

#[test]
fn unpacked_annotations_of_star_parameters() {
    check_items(
        "\
def f(*args: *Ts) -> tuple[*Ts]: ...
x: tuple[int, *tuple[str, ...]] = a[*b]
",
        expect![[r#"
            #0 module
              bind f item.1
              bind x = ([] a (star b)): ([] tuple (tuple int (star ([] tuple (tuple str ...)))))
              #1 def f(*args: (star Ts)) -> ([] tuple (star Ts)) stub falls-through
                result None
        "#]],
    );
}

#[test]
fn type_parameters_stand_with_their_item() {
    check_items(
        "\
class C[T, U: int, *Ts, **P](Base[T], metaclass=M, flag=1): pass
def f[T: (int, str)](a: T) -> T: return a
type X[K] = dict[K, list[X]]
class D[T]:
    def m[S](self, a: T, b: S): ...
",
        expect![[r#"
            #0 module
              bind C item.1
              bind f item.2
              bind X type ([] dict (tuple ? ([] list X)))
              bind D item.3
              #1 class C[T, U: int, Ts, P](([] Base typeparam.1.0), metaclass = M, flag = int)
              #2 def f[T: (tuple int str)](a: typeparam.2.0) -> typeparam.2.0
                result param.0
              #3 class D[T]
                bind m item.4
                #4 def m[S](self, a: typeparam.3.0, b: typeparam.4.0) stub falls-through
                  result None
        "#]],
    );
}

#[test]
fn decorators_are_any_expression() {
    check_items(
        "\
@a
@b.c(1)
@(lambda f: f)
@d[0].e
async def f(): pass
@property
def g(): pass
g
x = g
",
        expect![[r#"
            #0 module
              bind f item.2
              bind g item.3
              bind x = decorated.3
              #1 <lambda>(f)
                result param.0
              #2 async def f() falls-through
                @ a
                @ (call (. b c) int)
                @ item.1
                @ (. ([] d int) e)
                result None
              #3 def g() falls-through
                @ property
                result None
        "#]],
    );
}

#[test]
fn class_bases_and_keywords() {
    check_items(
        "\
class A: pass
class B(): pass
class C(A, *bases, metaclass=Meta, **options): pass
",
        expect![[r#"
            #0 module
              bind A item.1
              bind B item.2
              bind C item.3
              #1 class A
              #2 class B
              #3 class C(item.1, (star bases), metaclass = Meta, **options)
        "#]],
    );
}

#[test]
fn items_of_equal_names_are_numbered() {
    check_items(
        "\
def f(): pass
def f(): pass
class C:
    def f(self): pass
    @overload
    def f(self): pass
x = lambda: (lambda: 1)
y = lambda a, *b, c=2: a
",
        expect![[r#"
            #0 module
              bind f item.1
              bind f item.2
              bind C item.3
              bind x = item.6
              bind y = item.8
              #1 def f() falls-through
                result None
              #2 def f~1() falls-through
                result None
              #3 class C
                bind f item.4
                bind f item.5
                #4 def f(self) stub falls-through
                  result None
                #5 def f~1(self) stub falls-through
                  @ overload
                  result None
              #6 <lambda>()
                result item.7
                #7 <lambda>()
                  result int
              #8 <lambda>~1(a, *b, =c = int)
                result param.0
        "#]],
    );
}

#[test]
fn flags_say_what_a_function_does() {
    check_items(
        "\
def stub_dots(): ...
def stub_doc():
    \"doc\"
def stub_raise():
    \"doc\"
    raise NotImplementedError(\"x\")
def stub_late(a):
    check(a)
    raise NotImplementedError
def no_stub_late(a):
    if a: return 1
    raise NotImplementedError
def stub_pass(): pass
def no_stub(): return 1
def loop():
    while True:
        if a: return 1
def loop_break():
    while True:
        break
def gen():
    yield 1
    x = yield
    yield from other()
async def agen():
    yield 2
    return
def raises():
    raise ValueError
def both(a):
    if a: return 1
    else: raise X
def tries():
    try:
        return 1
    finally:
        x = 2
def with_(a):
    with a: return 1
",
        expect![[r#"
            #0 module
              bind stub_dots item.1
              bind stub_doc item.2
              bind stub_raise item.3
              bind stub_late item.4
              bind no_stub_late item.5
              bind stub_pass item.6
              bind no_stub item.7
              bind loop item.8
              bind loop_break item.9
              bind gen item.10
              bind agen item.11
              bind raises item.12
              bind both item.13
              bind tries item.14
              bind with_ item.15
              #1 def stub_dots() stub falls-through
                result None
              #2 def stub_doc() stub falls-through
                result None
              #3 def stub_raise() stub
              #4 def stub_late(a) stub
              #5 def no_stub_late(a)
                result int
              #6 def stub_pass() falls-through
                result None
              #7 def no_stub()
                result int
              #8 def loop()
                result int
              #9 def loop_break() falls-through
                result None
              #10 def gen() generator falls-through
                result None
                yield int
                yield None
                yield (iter (call other))
              #11 async def agen() generator falls-through
                result None
                yield int
              #12 def raises()
              #13 def both(a)
                result int
              #14 def tries()
                result int
              #15 def with_(a)
                result int
        "#]],
    );
}

#[test]
fn results_follow_the_flow() {
    check_items(
        "\
def f(a):
    x = 1
    if a:
        x = \"s\"
    return x
def g(a):
    x = None
    for y in a:
        x = y
    return x
def h(a):
    if a is None:
        return a
    return a.b
lambda a: a + 1
",
        expect![[r##"
            #0 module
              bind f item.1
              bind g item.2
              bind h item.3
              #1 def f(a)
                result (phi "s" int)
              #2 def g(a)
                result (phi None (iter param.0))
              #3 def h(a)
                result (none param.0)
                result (. (not-none param.0) b)
              #4 <lambda>(a)
                result (+ param.0 int)
        "##]],
    );
}

#[test]
fn stores_into_self_stand_with_the_method() {
    check_items(
        "\
class C:
    x: int
    def __init__(self, a):
        self.x = a
        self.y: str = \"s\"
        self.__z, self.w = a
        self.v: int
        if a:
            self.x += 1
        self.u = self.t = []
        for self.s in a: pass
        with a as self.r: pass
        other.q = 1
        self.p.q = 1
    @classmethod
    def make(cls):
        cls.k = cls()
    @staticmethod
    def no(a):
        a.b = 1
    def inner(self):
        def g(self): self.no = 1
        f = lambda: self
",
        expect![[r##"
            #0 module
              bind C item.1
              #1 class C
                bind x: int
                bind __init__ item.2
                bind make item.3
                bind no item.4
                bind inner item.5
                #2 def __init__(self, a) stub falls-through
                  store #1.x = param.1
                  store #1.y = "s": str
                  store #1._C__z = (unpack 0 param.1)
                  store #1.w = (unpack 1 param.1)
                  store #1.v: int
                  store #1.x = (+= (. param.0 x) int)
                  store #1.u = (list)
                  store #1.t = (list)
                  store #1.s = (iter param.1)
                  store #1.r = (enter param.1)
                  result None
                #3 def make(cls) stub falls-through
                  @ classmethod
                  store #1.k = (call param.0)
                  result None
                #4 def no(a) stub falls-through
                  @ staticmethod
                  result None
                #5 def inner(self) stub falls-through
                  bind self param.0
                  result None
                  #6 def g(self) falls-through
                    result None
                  #7 <lambda>()
                    result free.5.self
        "##]],
    );
}
