//! Fixtures in which exactly the named unresolved sites make an answer incomplete.

use codeweft_graph::answer::Operation::{self, Callees, Callers, Dependents, References};

/// A fixture, and the unresolved sites of answers about it.
pub struct Case {
    /// The rule that the case shows.
    pub rule: &'static str,
    /// The files.
    pub fixture: &'static str,
    /// Operation, target, and the unresolved sites as `file:line:column reason`; an answer without
    /// any is complete.
    pub expected: &'static [(Operation, &'static str, &'static [&'static str])],
}

/// The cases, by rule.
pub const CASES: &[Case] = &[
    Case {
        rule: "a function that is only called by its name is complete",
        fixture: r#"
//- a.py
def f():
    pass
def g():
    f()
//- b.py
import a
a.f()
"#,
        expected: &[(Callers, "a.f", &[]), (Callers, "a.g", &[])],
    },
    Case {
        rule: "a method whose name is called on its own objects is complete",
        fixture: r#"
//- a.py
class C:
    def go(self):
        self.turn()
    def turn(self):
        pass
c = C()
def f():
    C().go()
"#,
        expected: &[
            (Callers, "a.C.go", &[]),
            (Callers, "a.C.turn", &[]),
            (Callers, "a.C", &[]),
        ],
    },
    Case {
        rule: "what a method returns that ends with raise NotImplementedError may be anything, asked both ways",
        fixture: r#"
//- a.py
class Base:
    def make(self):
        self.note()
        raise NotImplementedError
    def note(self):
        pass
class Thing:
    def go(self):
        pass
def run(base: Base):
    base.make().go()
"#,
        expected: &[
            (Callers, "a.Thing.go", &["a.py:11:17 unknown_receiver"]),
            (Callees, "a.run", &["a.py:11:17 unknown_receiver"]),
        ],
    },
    Case {
        rule: "an override may return another object than its base, asked both ways",
        fixture: r#"
//- a.py
class Thing:
    def go(self):
        pass
class Base:
    def other(self):
        return None
class Sub(Base):
    def other(self):
        return Thing()
def run(base: Base):
    base.other().go()
def own():
    Thing().go()
class Plain:
    def go(self):
        pass
class Maker:
    def make(self):
        return Plain()
class MakerOfThings(Maker):
    def make(self):
        return Thing()
def make(maker: Maker):
    maker.make().go()
"#,
        expected: &[
            // Values of the override reach the call: its caller is listed.
            (Callers, "a.Thing.go", &[]),
            (Callees, "a.run", &[]),
            (Callees, "a.make", &["a.py:24:18 unknown_receiver"]),
            (Callees, "a.own", &[]),
        ],
    },
    Case {
        rule: "a subclass may store another object or class in an attribute, asked both ways",
        fixture: r#"
//- a.py
class Thing:
    def go(self):
        pass
class Base:
    item = None
    kind = None
    def by_item(self):
        self.item.go()
    def by_kind(self):
        self.kind()
class Sub(Base):
    item = Thing()
    kind = Thing
"#,
        expected: &[
            // The site is listed: values reach it.
            (Callers, "a.Thing.go", &[]),
            (Callees, "a.Base.by_item", &["a.py:8:19 unknown_receiver"]),
            (Callees, "a.Base.by_kind", &["a.py:10:14 function_value"]),
        ],
    },
    Case {
        rule: "an operator calls the special method of any class, if the class of an operand is only declared",
        fixture: r#"
//- a.py
class Money:
    def __add__(self, other):
        return self
    def __len__(self):
        return 1
def declared(a: int):
    return a + 1
def certain():
    return 1 + 2
def subtracted(a: int):
    return a - 1
def tested(a: int):
    if a:
        pass
"#,
        expected: &[
            (Callees, "a.declared", &["a.py:7:14 special_method"]),
            (Callees, "a.certain", &[]),
            (Callees, "a.subtracted", &[]),
            (Callees, "a.tested", &["a.py:13:8 special_method"]),
        ],
    },
    Case {
        rule: "a subclass may declare an operator that its base has not, and elements are compared with their container",
        fixture: r#"
//- a.py
class Base:
    def same(self):
        return self == 1
    def less(self):
        return self < 1
class Sub(Base):
    def __eq__(self, other):
        return True
def certain():
    return [Sub()] == []
"#,
        expected: &[
            (Callees, "a.Base.same", &["a.py:3:21 special_method"]),
            (Callees, "a.Base.less", &[]),
            (Callees, "a.certain", &["a.py:10:20 special_method"]),
            (Callers, "a.Sub.__eq__", &["a.py:7:9 special_method"]),
        ],
    },
    Case {
        rule: "applying a decorator of an object calls a method of any class of its name",
        fixture: r#"
//- a.py
class App:
    def route(self, function):
        return function
class Other:
    def route(self, function):
        return function
def declared(app: App):
    @app.route
    def index():
        pass
def certain():
    app = App()
    @app.route
    def index():
        pass
"#,
        expected: &[
            (Callees, "a.declared", &["a.py:8:10 unknown_receiver"]),
            (Callees, "a.certain", &[]),
            (Callers, "a.Other.route", &["a.py:8:10 unknown_receiver"]),
        ],
    },
    Case {
        rule: "an attribute that holds a function may be what is called by its name",
        fixture: r#"
//- a.py
class Number:
    def unwrap(self):
        return 1
    __int__ = unwrap
    def state(self):
        return int(self)
class Plain:
    def run(self):
        pass
class Other:
    run = print
def go(p: Plain):
    p.run()
"#,
        expected: &[
            (Callees, "a.Number.state", &["a.py:6:16 special_method"]),
            (Callees, "a.go", &["a.py:13:7 unknown_receiver"]),
        ],
    },
    Case {
        rule: "reading an attribute runs a property of any class that has it, and so may a descriptor",
        fixture: r#"
//- a.py
def made(name):
    return property(lambda self: name)
class Plain:
    width = 1
    size: int = made("size")
class Other:
    @property
    def width(self):
        return 1
def declared(p: Plain):
    return p.width
def described():
    return Plain().size
def other(p: Plain):
    return p.height
"#,
        expected: &[
            (Callees, "a.declared", &["a.py:11:14 unknown_receiver"]),
            (Callees, "a.described", &["a.py:13:20 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "a callee may be another function where code stores one by the callee's name",
        fixture: r#"
//- shop.py
def price():
    return 1
def size():
    return 1
def total():
    return price()
def area():
    return size()
//- test_shop.py
import shop
def test_total(monkeypatch):
    monkeypatch.setattr(shop, "price", lambda: 0)
    shop.total()
"#,
        expected: &[
            (Callees, "shop.total", &["shop.py:6:12 dynamic_attribute"]),
            (Callees, "shop.area", &[]),
        ],
    },
    Case {
        rule: "code that is not read may call what it is passed",
        fixture: r#"
//- a.py
import absent
def passing(x):
    absent.keep(x)
def constant():
    absent.keep(1)
"#,
        expected: &[
            (Callees, "a.passing", &["a.py:3:12 escapes"]),
            (Callees, "a.constant", &[]),
        ],
    },
    Case {
        rule: "a base of another package holds its subclasses as cls",
        fixture: r#"
//- lib/__init__.py
//- lib/base.py
class Base:
    def __new__(cls, *args):
        return hold(cls)
def hold(x):
    return x
//- app/__init__.py
//- app/m.py
from lib.base import Base
class Sub(Base):
    pass
def run():
    Sub()
"#,
        expected: &[
            (Callers, "app.m.Sub", &["lib/base.py:3:21 escapes"]),
            (Callers, "app.m.run", &[]),
        ],
    },
    Case {
        rule: "the class of an object is constructed where the class cannot be named",
        fixture: r#"
//- lib/__init__.py
//- lib/copying.py
def copy(x):
    return type(x)()
//- app/__init__.py
//- app/m.py
from lib.copying import copy
class Plain:
    pass
def run():
    copy(Plain())
"#,
        expected: &[(
            Callers,
            "app.m.Plain",
            &["lib/copying.py:2:19 function_value"],
        )],
    },
    Case {
        rule: "both definitions of a name escape with it",
        fixture: r#"
//- a.py
def g(x):
    if x:
        def f(): pass
    else:
        def f(): pass
    return f
"#,
        expected: &[
            (Callers, "a.g.<locals>.f", &["a.py:6:12 escapes"]),
            (Callers, "a.g.<locals>.f#2", &["a.py:6:12 escapes"]),
        ],
    },
    Case {
        rule: "a lambda escapes at its position",
        fixture: r#"
//- a.py
def g(h):
    h(lambda: 1)
"#,
        expected: &[(Callers, "a.g.<locals>.<lambda>", &["a.py:2:7 escapes"])],
    },
    Case {
        rule: "a method read without a call escapes with its overrides",
        fixture: r#"
//- a.py
class C:
    def go(self, h):
        h(self.stop)
    def stop(self): pass
class D(C):
    def stop(self): pass
"#,
        expected: &[
            (Callers, "a.C.stop", &["a.py:3:16 escapes"]),
            (Callers, "a.D.stop", &["a.py:3:16 escapes"]),
        ],
    },
    Case {
        rule: "a read of an attribute of an unknown value may be a method",
        fixture: r#"
//- a.py
class C:
    def stop(self): pass
def g(x, h):
    h(x.stop)
"#,
        expected: &[(Callers, "a.C.stop", &["a.py:4:9 unknown_receiver"])],
    },
    Case {
        rule: "special methods are called by the language and file methods by C code",
        fixture: r#"
//- a.py
class C:
    def __len__(self): return 1
    def __init__(self): pass
    def write(self, x): pass
    def quiet(self): pass
def __getattr__(name): pass
"#,
        expected: &[
            (Callers, "a.C.__len__", &["a.py:2:9 special_method"]),
            (Callers, "a.C.__init__", &[]),
            (Callers, "a.C.write", &["a.py:4:9 special_method"]),
            (Callers, "a.C.quiet", &[]),
            (Callers, "a.__getattr__", &["a.py:6:5 special_method"]),
        ],
    },
    Case {
        rule: "a constructor may be called where its class escapes",
        fixture: r#"
//- a.py
class C:
    def __init__(self): pass
class D(C): pass
def g(h):
    h(D)
"#,
        expected: &[
            (Callers, "a.C.__init__", &["a.py:5:7 escapes"]),
            (Callers, "a.D", &["a.py:5:7 escapes"]),
            (Callers, "a.C", &[]),
        ],
    },
    Case {
        rule: "the class of an object is a value",
        fixture: r#"
//- a.py
class C: pass
def g(x, h):
    h(type(x))
"#,
        expected: &[(Callers, "a.C", &["a.py:3:7 escapes"])],
    },
    Case {
        rule: "the class of an object is a value",
        fixture: r#"
//- a.py
class C: pass
def g(x):
    return x.__class__()
"#,
        expected: &[(Callers, "a.C", &["a.py:3:14 unknown_receiver"])],
    },
    Case {
        rule: "the class of an object is a value",
        fixture: r#"
//- a.py
class C: pass
def g(x):
    return type(x) is C
"#,
        expected: &[(Callers, "a.C", &[])],
    },
    Case {
        rule: "the class of an object is a value",
        fixture: r#"
//- a.py
class C:
    @classmethod
    def of(cls, h):
        h(cls)
class D(C): pass
class E: pass
"#,
        expected: &[
            (Callers, "a.D", &["a.py:4:11 escapes"]),
            (Callers, "a.E", &[]),
        ],
    },
    Case {
        rule: "a computed attribute may be any attribute of its object",
        fixture: r#"
//- a.py
class C:
    def go(self): pass
    @property
    def p(self): pass
def g(x, n):
    return getattr(x, n)
def f(): pass
"#,
        expected: &[
            (Callers, "a.C.go", &["a.py:6:12 dynamic_attribute"]),
            (Callers, "a.f", &[]),
        ],
    },
    Case {
        rule: "a computed attribute may be any attribute of its object",
        fixture: r#"
//- a.py
class C:
    def go(self, n):
        return getattr(self, n)
class D(C):
    def stop(self): pass
class E:
    def stop(self): pass
"#,
        expected: &[
            (Callers, "a.D.stop", &["a.py:3:16 dynamic_attribute"]),
            (Callers, "a.E.stop", &[]),
        ],
    },
    Case {
        rule: "the prefix of a computed name limits the candidates",
        fixture: r#"
//- a.py
class C:
    def visit(self, n):
        return getattr(self, 'visit_' + n)
    def visit_a(self): pass
    def other(self): pass
"#,
        expected: &[
            (Callers, "a.C.visit_a", &["a.py:3:16 dynamic_attribute"]),
            (Callers, "a.C.other", &[]),
        ],
    },
    Case {
        rule: "hasattr runs properties only",
        fixture: r#"
//- a.py
class C:
    def go(self): pass
    @property
    def p(self): pass
def g(x, n):
    return hasattr(x, n)
"#,
        expected: &[
            (Callers, "a.C.go", &[]),
            (Callers, "a.C.p", &["a.py:6:12 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "getattr forwarded by a class is reported at the attribute access",
        fixture: r#"
//- a.py
class Proxy:
    def __init__(self, x):
        self.x = x
    def __getattr__(self, name):
        return getattr(self.x, name)
class C:
    def go(self): pass
    def stop(self): pass
def g(p: Proxy):
    p.go()
"#,
        expected: &[
            (Callers, "a.C.go", &["a.py:10:7 unknown_receiver"]),
            (Callers, "a.C.stop", &[]),
        ],
    },
    Case {
        rule: "executed text may call the names in its literals",
        fixture: r#"
//- a.py
def f(): pass
def h(): pass
def g(x):
    exec(x + 'f is called')
"#,
        expected: &[
            (Callers, "a.f", &["a.py:4:15 dynamic_attribute"]),
            (Callers, "a.h", &[]),
        ],
    },
    Case {
        rule: "globals with a computed name may be any function of the module",
        fixture: r#"
//- a.py
def f(): pass
def g(n):
    def inner(): pass
    inner()
    return globals()[n]
"#,
        expected: &[
            (Callers, "a.f", &["a.py:5:12 dynamic_attribute"]),
            (Callers, "a.g.<locals>.inner", &[]),
        ],
    },
    Case {
        rule: "an unknown base class may call any method",
        fixture: r#"
//- a.py
from missing import Base
class C(Base):
    def go(self): pass
class D(C):
    def stop(self): pass
class E:
    def rest(self): pass
"#,
        expected: &[
            (Callers, "a.C.go", &["a.py:2:9 unknown_base"]),
            (Callers, "a.D.stop", &["a.py:2:9 unknown_base"]),
            (Callers, "a.E.rest", &[]),
        ],
    },
    Case {
        rule: "a base class in C calls the methods that it declares",
        fixture: r#"
//- a.py
class C(dict):
    def pop(self, k): pass
    def other(self): pass
"#,
        expected: &[
            (Callers, "a.C.pop", &["a.py:2:9 special_method"]),
            (Callers, "a.C.other", &[]),
        ],
    },
    Case {
        rule: "entry points of a project are called by name",
        fixture: r#"
//- pyproject.toml
[project]
name = 'a'
[project.scripts]
run = 'a:start'
//- a.py
def start(): pass
def other(): pass
"#,
        expected: &[(Callers, "a.start", &[]), (Callers, "a.other", &[])],
    },
    Case {
        rule: "a script calls what its name means, a plug-in may be called by what looks it up, and what is not known may be any function of the name",
        fixture: r#"
//- pyproject.toml
[project.scripts]
run = 'shop:run'
[project.entry-points.stores]
files = 'shop.stores:Files'
gone = 'absent.module:halt'
//- shop/__init__.py
from .cli import start as run
//- shop/cli.py
def start(): pass
def run(): pass
def halt(): pass
//- shop/stores.py
class Files:
    def __init__(self, path): pass
class Others:
    def __init__(self, path): pass
"#,
        expected: &[
            (Callers, "shop.cli.start", &[]),
            (Callers, "shop.cli.run", &[]),
            (
                Callers,
                "shop.cli.halt",
                &["shop/cli.py:3:5 called_by_name"],
            ),
            (
                Callers,
                "shop.stores.Files.__init__",
                &[
                    "shop/stores.py:1:7 called_by_name",
                    "shop/stores.py:2:9 called_by_name",
                ],
            ),
            (Callers, "shop.stores.Others.__init__", &[]),
        ],
    },
    Case {
        rule: "a framework calls what a decorator or a call registers, by the path that the text names",
        fixture: r#"
//- web.py
from flask import Flask
app = Flask(__name__)
//- a.py
import blinker
import click
import signal
from absent import app as other_app
from flask import Blueprint, Flask
from web import app
shop = Blueprint('shop', __name__)
@app.route('/')
def index(): pass
@shop.get('/items')
def items(): pass
@other_app.route('/')
def other(): pass
@click.group()
def cli(): pass
@cli.command()
def add(): pass
def plug(site: Flask):
    @site.errorhandler(404)
    def missing(error): pass
def stop(number, frame): pass
signal.signal(signal.SIGINT, stop)
def keep(number, frame): pass
signal.strsignal(keep)
saved = blinker.signal('saved')
def on_saved(sender): pass
saved.connect(receiver=on_saved)
class Box:
    def halt(self, number, frame): pass
    def start(self):
        signal.signal(signal.SIGTERM, self.halt)
"#,
        expected: &[
            (Callers, "a.index", &[]),
            (Callers, "a.items", &[]),
            (Callers, "a.other", &["a.py:12:1 decorated"]),
            (Callers, "a.cli", &[]),
            (Callers, "a.add", &[]),
            (Callers, "a.plug.<locals>.missing", &[]),
            (Callers, "a.stop", &[]),
            (Callers, "a.keep", &["a.py:24:18 escapes"]),
            (Callers, "a.on_saved", &[]),
            (Callers, "a.Box.halt", &[]),
        ],
    },
    Case {
        rule: "what flow follows to its end is listed and no open site, but for what code outside may pass",
        fixture: r#"
//- a.py
class C:
    def go(self): pass
class D:
    def halt(self): pass
def _run(job):
    job.go()
def run(job):
    job.halt()
def main():
    _run(C())
    run(D())
"#,
        expected: &[
            (Callers, "a.C.go", &[]),
            (Callers, "a.D.halt", &["a.py:8:9 unknown_receiver"]),
            (Callees, "a.run", &["a.py:8:9 unknown_receiver"]),
        ],
    },
    Case {
        rule: "a class below abc.ABC has known bases, though abc binds its metaclass on two branches",
        fixture: r#"
//- abc.py
try:
    from _abc import get
except ImportError:
    from _py_abc import ABCMeta
else:
    class ABCMeta(type):
        pass
class ABC(metaclass=ABCMeta):
    pass
//- _py_abc.py
class ABCMeta(type):
    pass
//- a.py
from abc import ABC
class Job(ABC):
    def go(self): pass
"#,
        expected: &[(Callers, "a.Job.go", &[])],
    },
    Case {
        rule: "an annotated receiver may be an object of another class",
        fixture: r#"
//- a.py
class C:
    def go(self): pass
class Fake:
    def go(self): pass
    def stop(self): pass
def g(c: C):
    c.go()
"#,
        expected: &[
            (Callers, "a.C.go", &[]),
            (Callers, "a.Fake.go", &["a.py:7:7 unknown_receiver"]),
            (Callers, "a.Fake.stop", &[]),
        ],
    },
    Case {
        rule: "the inferred class of an attribute may be another class",
        fixture: r#"
//- a.py
class C:
    def go(self): pass
class Fake:
    def go(self): pass
class H:
    def __init__(self):
        self.c = C()
    def run(self):
        self.c.go()
    def now(self):
        c = C()
        c.go()
"#,
        expected: &[
            (Callers, "a.C.go", &[]),
            (Callers, "a.Fake.go", &["a.py:9:16 unknown_receiver"]),
        ],
    },
    Case {
        rule: "super calls the next class in the MRO of the object",
        fixture: r#"
//- a.py
class A:
    def go(self): pass
class B(A):
    def go(self):
        super().go()
class C(A):
    def go(self): pass
class D(B, C): pass
"#,
        expected: &[
            (Callers, "a.C.go", &["a.py:5:17 unknown_receiver"]),
            (Callers, "a.B.go", &[]),
        ],
    },
    Case {
        rule: "a method call on an unknown value may pass the receiver as an argument",
        fixture: r#"
//- a.py
class C:
    def go(self, a): pass
def g(k, c):
    k.go(c, 1)
"#,
        expected: &[(Callers, "a.C.go", &["a.py:4:7 unknown_receiver"])],
    },
    Case {
        rule: "references are unresolved at annotated receivers too",
        fixture: r#"
//- a.py
class C:
    def go(self): pass
class Fake:
    def go(self): pass
def g(c: C):
    c.go()
"#,
        expected: &[(References, "a.Fake.go", &["a.py:6:7 unknown_receiver"])],
    },
    Case {
        rule: "a file with syntax errors may construct a class by the name of a subclass",
        fixture: r#"
//- a.py
class Root:
    def __init__(self): pass
//- b.py
import a
class Leaf(a.Root): pass
//- c.py
x = (Leaf( = = 2
"#,
        expected: &[
            (Callers, "a.Root.__init__", &["c.py:1:1 parse_error"]),
            (References, "a.Root.__init__", &["c.py:1:1 parse_error"]),
            (Callers, "b.Leaf", &["c.py:1:1 parse_error"]),
        ],
    },
    Case {
        rule: "a file with syntax errors may import the modules that it names",
        fixture: r#"
//- a.py
//- b.py
x = (a = = 2
//- c.py
import a
x = = 1
"#,
        expected: &[(Dependents, "a", &["b.py:1:1 parse_error"])],
    },
    Case {
        rule: "a look-up by names that all come as constants finds these alone",
        fixture: r#"
//- a.py
class C:
    def run(self):
        pass
    def stop(self):
        pass
def _get(x, name=None):
    return getattr(x, name)
def go(x):
    _get(x, 'run')()
    for name in ('walk', 'sleep'):
        _get(x, name)
"#,
        expected: &[
            (Callers, "a.C.stop", &[]),
            (
                Callers,
                "a.C.run",
                &["a.py:7:12 dynamic_attribute", "a.py:9:14 dynamic_attribute"],
            ),
        ],
    },
    Case {
        rule: "a look-up of known objects finds what their classes have",
        fixture: r#"
//- a.py
class A:
    def run(self):
        pass
class B:
    def run(self):
        pass
class Below(A):
    def stop(self):
        pass
def _get(x, name):
    return getattr(x, name)
def go(name):
    _get(Below(), name)()
"#,
        expected: &[
            (Callers, "a.B.run", &[]),
            (Callers, "a.A.run", &["a.py:11:12 dynamic_attribute"]),
            (Callers, "a.Below.stop", &["a.py:11:12 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "the table of an unknown object has the methods of classes that leave, and no others",
        fixture: r#"
//- a.py
import absent
class A:
    def run(self):
        pass
class B:
    def run(self):
        pass
def go():
    absent.register(B)
    return vars(absent.get())
"#,
        expected: &[
            (Callers, "a.A.run", &[]),
            (Callers, "a.B.run", &["a.py:10:12 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "the names of a module are its own and those that it imports",
        fixture: r#"
//- a.py
from b import f
from c import *
def own():
    pass
def go(name):
    return globals()[name]
//- b.py
def f():
    pass
def g():
    pass
//- c.py
def h():
    pass
"#,
        expected: &[
            (Callers, "b.g", &[]),
            (Callers, "b.f", &["a.py:6:12 dynamic_attribute"]),
            (Callers, "c.h", &["a.py:6:12 dynamic_attribute"]),
            (Callers, "a.own", &["a.py:6:12 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "a formatted name looks up what begins as it does",
        fixture: r#"
//- a.py
class C:
    def visit_a(self):
        pass
    def leave_a(self):
        pass
def go(x, kind):
    return getattr(x, f"visit_{kind}")()
"#,
        expected: &[
            (Callers, "a.C.leave_a", &[]),
            (Callers, "a.C.visit_a", &["a.py:7:12 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "the constant start of a formatted name is known through a variable and in another case",
        fixture: r#"
//- a.py
class C:
    def visit_a(self):
        pass
    def leave_a(self):
        pass
def go(x, kind):
    name = f"visit_{kind}"
    return getattr(x, name.lower())()
def again(x, kind):
    return getattr(x, "visit_{}".format(kind).lower())()
def make():
    return C()
"#,
        expected: &[
            (Callers, "a.C.leave_a", &[]),
            (
                Callers,
                "a.C.visit_a",
                &[
                    "a.py:8:12 dynamic_attribute",
                    "a.py:10:12 dynamic_attribute",
                ],
            ),
        ],
    },
    Case {
        rule: "the module of the program is no other one",
        fixture: r#"
//- a.py
import sys
def f():
    pass
def go(name):
    return getattr(sys.modules["__main__"], name)
//- b.py
def g():
    pass
"#,
        expected: &[(Callers, "b.g", &[])],
    },
    Case {
        rule: "what a literal takes out of the loaded modules is the module of its name alone",
        fixture: r#"
//- a.py
import sys
def f():
    pass
def go(x, name):
    if "a" in sys.modules or name not in sys.modules:
        sys.modules[name] = None
    sys.modules.get("b")
    return getattr(x, name)()
//- b.py
def g():
    pass
"#,
        expected: &[
            (Callers, "a.f", &[]),
            (Callers, "b.g", &["a.py:8:12 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "what values bring to a look-up is called where it flows to, if that does not leave",
        fixture: r#"
//- a.py
class Sorter:
    def go(self, kind):
        run = getattr(self, f"on_{kind}")
        run()
    def give(self, kind):
        return getattr(self, f"to_{kind}")
    def on_a(self):
        pass
    def to_a(self):
        pass
    def only(self, kind):
        getattr(self, f"in_{kind}")
    @property
    def in_a(self):
        pass
def test(kind):
    Sorter().go(kind)
    Sorter().only(kind)
"#,
        expected: &[
            (Callers, "a.Sorter.on_a", &[]),
            (Callers, "a.Sorter.to_a", &["a.py:6:16 dynamic_attribute"]),
            (Callers, "a.Sorter.in_a", &["a.py:12:9 dynamic_attribute"]),
            (
                References,
                "a.Sorter.on_a",
                &["a.py:3:15 dynamic_attribute"],
            ),
        ],
    },
    Case {
        rule: "what a look-up brings of a property is its result, and the property runs there",
        fixture: r#"
//- a.py
_kept = []
def _keep(f):
    _kept.append(f)
    return f
class _Sorter:
    @property
    @_keep
    def in_a(self):
        return _kept[0]
    def only(self, kind):
        getattr(self, f"in_{kind}")
def test(kind):
    _Sorter().only(kind)
"#,
        expected: &[(Callers, "a._Sorter.in_a", &["a.py:11:9 dynamic_attribute"])],
    },
    Case {
        rule: "what a module takes out of the loaded modules by its own name is itself",
        fixture: r#"
//- a.py
import sys
this = sys.modules[__name__]
def f():
    pass
def go(x, name):
    return getattr(x, name)()
//- b.py
def g():
    pass
"#,
        expected: &[
            (Callers, "a.f", &["a.py:6:12 dynamic_attribute"]),
            (Callers, "b.g", &[]),
        ],
    },
    Case {
        rule: "a module has no methods, unless its class may be one of the workspace",
        fixture: r#"
//- a.py
import importlib
import sys
from types import ModuleType
class C:
    def stop(self):
        pass
class Parts:
    def load(self):
        pass
class Lazy(Parts, ModuleType):
    def wait(self):
        pass
def make():
    return C(), Lazy()
def go(name, attribute, x):
    module = importlib.import_module(name)
    getattr(module, attribute)()
    getattr(sys.modules[name] if x else sys.modules.get(name), attribute)()
//- b.py
def g():
    pass
"#,
        expected: &[
            (Callers, "a.C.stop", &[]),
            (
                Callers,
                "a.Lazy.wait",
                &[
                    "a.py:10:19 unknown_base",
                    "a.py:17:5 dynamic_attribute",
                    "a.py:18:5 dynamic_attribute",
                ],
            ),
            (
                Callers,
                "a.Parts.load",
                &[
                    "a.py:10:19 unknown_base",
                    "a.py:17:5 dynamic_attribute",
                    "a.py:18:5 dynamic_attribute",
                ],
            ),
            (
                Callers,
                "b.g",
                &[
                    "a.py:16:24 dynamic_attribute",
                    "a.py:17:5 dynamic_attribute",
                    "a.py:18:5 dynamic_attribute",
                ],
            ),
        ],
    },
    Case {
        rule: "a module that is imported by a known name has what it imports, through star imports too, and nothing else",
        fixture: r#"
//- a.py
import importlib
def go(attribute):
    for name in ["c"]:
        getattr(importlib.import_module(name), attribute)()
//- b.py
def g():
    pass
def h():
    pass
//- c.py
from d import *
//- d.py
from e import *
//- e.py
from d import *
from b import g
__all__ = ["g"]
//- f.py
from b import h
//- g.py
def own():
    pass
"#,
        expected: &[
            (Callers, "b.g", &["a.py:4:27 dynamic_attribute"]),
            (Callers, "b.h", &[]),
            (Callers, "g.own", &[]),
        ],
    },
    Case {
        rule: "a module that is imported by a known name has what it imports under another name of a third module",
        fixture: r#"
//- a.py
import importlib
def go(attribute):
    for name in ["c"]:
        getattr(importlib.import_module(name), attribute)()
//- b.py
def real():
    pass
def other():
    pass
//- c.py
from d import alias as last
//- d.py
def bind():
    global alias
    from b import real as alias
from b import real as alias, other
"#,
        expected: &[
            (Callers, "b.real", &["a.py:4:27 dynamic_attribute"]),
            (Callers, "b.other", &[]),
        ],
    },
    Case {
        rule: "a module that is imported by a known name has what a library gives it under another name",
        fixture: r#"
//- .venv/pyvenv.cfg
home = /usr/bin
//- .venv/lib/python3.11/site-packages/lib/__init__.py
from shop import sell as offer
//- a.py
import importlib
def go(attribute):
    for name in ["c"]:
        getattr(importlib.import_module(name), attribute)()
//- c.py
from d import again
//- d.py
from lib import offer as again
//- shop.py
def sell():
    pass
def buy():
    pass
"#,
        expected: &[
            (Callers, "shop.sell", &["a.py:4:27 dynamic_attribute"]),
            (Callers, "shop.buy", &[]),
        ],
    },
    Case {
        rule: "a module that replaces itself by an object has its methods",
        fixture: r#"
//- a.py
import importlib
import sys
class Lazy:
    def load(self):
        pass
sys.modules[__name__] = Lazy()
//- b.py
import importlib
def go(name, attribute):
    return getattr(importlib.import_module(name), attribute)()
"#,
        expected: &[(Callers, "a.Lazy.load", &["b.py:3:12 dynamic_attribute"])],
    },
    Case {
        rule: "a default that is taken instead of a module may be any object",
        fixture: r#"
//- a.py
import sys
class C:
    def stop(self):
        pass
def make():
    return C()
def go(name, attribute, x):
    return getattr(sys.modules.get(name, x), attribute)()
"#,
        expected: &[(Callers, "a.C.stop", &["a.py:8:12 dynamic_attribute"])],
    },
    Case {
        rule: "a name that fails the test before its look-up is not looked up",
        fixture: r#"
//- a.py
class C:
    def stop(self):
        pass
    def STOP(self):
        pass
def make():
    return C()
def go(x):
    for key in dir(x):
        if key.isupper():
            x[key] = getattr(x, key)()
    return {n: getattr(x, n) for n in dir(x) if not n.startswith("s")}
"#,
        expected: &[
            (Callers, "a.C.stop", &[]),
            (
                Callers,
                "a.C.STOP",
                &[
                    "a.py:11:22 dynamic_attribute",
                    "a.py:12:16 dynamic_attribute",
                ],
            ),
        ],
    },
    Case {
        rule: "reading the class of what a class declares makes no object",
        fixture: r#"
//- a.py
class C:
    pass
class Base:
    kind = None
    def name(self):
        made = self.kind(1)
        return made.__class__.__name__
    def again(self):
        made = self.kind(1)
        return made.__class__()
class Below(Base):
    kind = C
def make():
    return C()
"#,
        expected: &[(Callers, "a.C", &[])],
    },
    Case {
        rule: "a class in the text of an exception is not called",
        fixture: r#"
//- a.py
class C:
    pass
def go(x):
    kind = type(x)
    raise TypeError("not %s", kind, type(x))
def make():
    return C()
"#,
        expected: &[(Callers, "a.C", &[])],
    },
    Case {
        rule: "a class that a test compares is not called",
        fixture: r#"
//- .venv/pyvenv.cfg
version = 3.11
//- .venv/lib/python3.11/site-packages/unittest/__init__.py
from .case import TestCase
//- .venv/lib/python3.11/site-packages/unittest/case.py
class TestCase:
    def assertEqual(self, first, second): pass
    def assertIsInstance(self, x, kind): pass
//- test_a.py
from unittest import TestCase
class C:
    pass
class Test(TestCase):
    def test(self, x):
        C()
        self.assertEqual(type(x), C)
        self.assertIsInstance(x, type(x))
"#,
        expected: &[(Callers, "test_a.C", &[])],
    },
    Case {
        rule: "a class of an object that is named, compared or printed is called by none",
        fixture: r#"
//- a.py
class C:
    pass
def go(x):
    print(str(type(x)), x.__class__.__name__, type(None))
    return type(x) in (int, str) or type(x) not in [bytes]
def make():
    return C()
"#,
        expected: &[(Callers, "a.C", &[])],
    },
    Case {
        rule: "what is passed to what calls it is called there alone",
        fixture: r#"
//- a.py
import absent
def f():
    pass
def g():
    pass
def _run(job):
    job()
def go():
    _run(f)
    _run(lambda: g())
def leave():
    absent.register(g)
"#,
        expected: &[
            (Callers, "a.f", &[]),
            (Callers, "a.go.<lambda>", &[]),
            (Callers, "a.g", &["a.py:12:21 escapes"]),
        ],
    },
    Case {
        rule: "a decorator that calls what it is given is followed",
        fixture: r#"
//- a.py
import absent
def own(f):
    def run():
        return f()
    return run
@own
def f():
    pass
@absent.route
def g():
    pass
f()
"#,
        expected: &[
            (Callers, "a.f", &[]),
            (Callers, "a.g", &["a.py:9:1 decorated"]),
        ],
    },
    Case {
        rule: "an import of a literal name is of that module alone",
        fixture: r#"
//- a.py
import importlib
def go():
    __import__('concurrent.futures')
    return importlib.import_module('b')
//- b.py
def f():
    pass
//- c.py
def g():
    pass
"#,
        expected: &[
            (Callers, "c.g", &[]),
            (Callers, "b.f", &["a.py:4:22 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "who looks a class up by its name runs its constructor",
        fixture: r#"
//- a.py
class C:
    def __init__(self):
        pass
    def go(self):
        pass
def make(name):
    return globals()[name]()
//- b.py
import c
class Below(c.Base):
    pass
def make(name):
    return globals()[name]()
//- c.py
class Base:
    def __init__(self):
        pass
    def go(self):
        pass
"#,
        expected: &[
            (Callers, "a.C.__init__", &["a.py:7:12 dynamic_attribute"]),
            (Callers, "a.C.go", &[]),
            (Callers, "c.Base.__init__", &["b.py:5:12 dynamic_attribute"]),
            (Callers, "c.Base.go", &[]),
        ],
    },
    Case {
        rule: "a look-up on an unknown object finds of a test what leaves, or is passed there by the workspace",
        fixture: r#"
//- a.py
def read(thing, name):
    return getattr(thing, name)
class Job:
    def go(self):
        pass
//- test_a.py
import a, absent
class Mine:
    def go(self):
        pass
class Above:
    def go(self):
        pass
class Given(Above):
    pass
class Passed:
    def go(self):
        pass
    def stay(self):
        pass
def test_it():
    Mine().go()
    absent.keep(Given())
    a.read(absent.other(), absent.name())
    a.read(Passed(), absent.name())
"#,
        expected: &[
            (Callers, "test_a.Mine.go", &[]),
            (Callers, "test_a.Above.go", &["a.py:2:12 dynamic_attribute"]),
            (
                Callers,
                "test_a.Passed.go",
                &["a.py:2:12 dynamic_attribute"],
            ),
            (
                Callers,
                "test_a.Passed.stay",
                &["a.py:2:12 dynamic_attribute"],
            ),
            (Callers, "a.Job.go", &["a.py:2:12 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "an unknown receiver is an object of a test's class only if one leaves",
        fixture: r#"
//- test_a.py
import absent
class Mine:
    def go(self):
        pass
class Given:
    def go(self):
        pass
def test_it():
    Mine().go()
    absent.keep(Given())
    absent.other().go()
"#,
        expected: &[
            (Callers, "test_a.Mine.go", &[]),
            (
                Callers,
                "test_a.Given.go",
                &["test_a.py:11:20 unknown_receiver"],
            ),
        ],
    },
    Case {
        rule: "the class of an unknown object is that of a test only if an object of it leaves",
        fixture: r#"
//- test_a.py
import absent
class Mine:
    def __init__(self):
        pass
class Given:
    def __init__(self):
        pass
def test_it():
    Mine()
    absent.keep(Given())
    return type(absent.other())()
"#,
        expected: &[
            (Callers, "test_a.Mine", &[]),
            (Callers, "test_a.Mine.__init__", &[]),
            (Callers, "test_a.Given", &["test_a.py:11:32 function_value"]),
        ],
    },
    Case {
        rule: "what a look-up finds is called only if it gets to a call, or leaves; a property runs anyway",
        fixture: r#"
//- a.py
class Model:
    def run(self):
        pass
    @property
    def state(self):
        pass
def is_ready(model, attribute):
    found = getattr(model, attribute)
    return found == 'ready' or found[0]
def store(model, attribute):
    kept = (1, getattr(model, attribute))
    kept[1]['key'] = 2
def call(model, attribute):
    _run(getattr(model, attribute))
def _run(job):
    job()
def give(model, attribute):
    return getattr(model, attribute)
def show(module):
    return [str(value) for name, value in vars(module).items()]
def call_all(module):
    for name, value in vars(module).items():
        value()
"#,
        expected: &[
            (
                Callers,
                "a.Model.run",
                &[
                    "a.py:14:10 dynamic_attribute",
                    "a.py:18:12 dynamic_attribute",
                ],
            ),
            (
                Callers,
                "a.Model.state",
                &[
                    "a.py:8:13 dynamic_attribute",
                    "a.py:11:16 dynamic_attribute",
                    "a.py:14:10 dynamic_attribute",
                    "a.py:18:12 dynamic_attribute",
                ],
            ),
        ],
    },
    Case {
        rule: "a module of a test is imported by a value only if the workspace passes its name",
        fixture: r#"
//- a.py
import importlib
def load(name):
    return importlib.import_module(name)
def run():
    pass
//- tests/plugins.py
def run():
    pass
//- tests/other.py
def run():
    pass
//- tests/test_a.py
import a
def test_it():
    a.load('plugins')
"#,
        expected: &[
            (Callers, "plugins.run", &["a.py:3:22 dynamic_attribute"]),
            (Callers, "other.run", &[]),
            (Callers, "a.run", &["a.py:3:22 dynamic_attribute"]),
        ],
    },
    Case {
        rule: "an imported module may be asked for what it imports itself",
        fixture: r#"
//- a.py
import importlib
def _load(name):
    return importlib.import_module(name)
_load('b.c')
//- b/__init__.py
from d import near
//- b/c.py
from d import f
//- d.py
def f():
    pass
def near():
    pass
def other():
    pass
"#,
        expected: &[
            (Callers, "d.f", &["a.py:3:22 dynamic_attribute"]),
            (Callers, "d.near", &["a.py:3:22 dynamic_attribute"]),
            (Callers, "d.other", &[]),
        ],
    },
    Case {
        rule: "code outside passes no object of a test to a public function, so its call is none of a test's method",
        fixture: r#"
//- a.py
def run(job):
    job.go()
class Job:
    def go(self):
        pass
//- test_a.py
import a
class Mine:
    def go(self):
        pass
class Other:
    def go(self):
        pass
def test_it():
    a.run(Mine())
"#,
        expected: &[
            (Callers, "test_a.Mine.go", &[]),
            (Callers, "test_a.Other.go", &[]),
            (Callers, "a.Job.go", &["a.py:2:9 unknown_receiver"]),
        ],
    },
    Case {
        rule: "the runner of a test is the caller of what a decorator of a library makes of it, too",
        fixture: r#"
//- test_a.py
import absent
@absent.given(1)
def test_it(x):
    pass
@absent.given(1)
def other(x):
    pass
"#,
        expected: &[
            (Callers, "test_a.test_it", &[]),
            (Callers, "test_a.other", &["test_a.py:5:1 decorated"]),
        ],
    },
    Case {
        rule: "a fixture is called by pytest, which is given it by its decorator",
        fixture: r#"
//- test_a.py
import pytest
@pytest.fixture
def thing():
    pass
"#,
        expected: &[(Callers, "test_a.thing", &["test_a.py:2:1 decorated"])],
    },
    Case {
        rule: "a descriptor of the library copies the attributes of what it wraps",
        fixture: r#"
//- a.py
class Composed:
    @property
    def __name__(self):
        return 'a'
def make(x):
    return staticmethod(x)
make(Composed())
"#,
        expected: &[(Callees, "a.make", &["a.py:6:12 special_method"])],
    },
    Case {
        rule: "the class of an object that is only printed or compared is not called",
        fixture: r#"
//- a.py
class A:
    def __init__(self):
        pass
def describe(value, wanted):
    if type(value) in wanted or value.__class__ is str:
        return None
    return "%s" % type(value) + f"{value.__class__}"
"#,
        expected: &[(Callers, "a.A", &[]), (Callers, "a.A.__init__", &[])],
    },
    Case {
        rule: "the class of an object that is called later, kept or given away may be called",
        fixture: r#"
//- a.py
class A:
    def __init__(self):
        pass
def again(value):
    return call(type(value))
def call(kind):
    return kind()
def keep(box, value):
    box.kind = value.__class__
def give(value):
    return absent.register(type(value))
def result(value):
    return [type(value)]
"#,
        expected: &[(
            Callers,
            "a.A.__init__",
            &[
                "a.py:5:17 escapes",
                "a.py:9:22 escapes",
                "a.py:11:28 escapes",
                "a.py:13:13 escapes",
            ],
        )],
    },
];
