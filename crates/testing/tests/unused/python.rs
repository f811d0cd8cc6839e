//! The rules of Python.

use expect_test::expect;

use super::{check, check_with_tests};

#[test]
fn what_module_code_entry_points_decorators_and_tests_reach_is_in_use() {
    let fixture = "
//- pyproject.toml
[project.scripts]
shop = 'shop.cli:run'
//- shop/__init__.py
//- shop/cli.py
from flask import app
def run():
    return helper()
def helper(): ...
def unused(): ...
def by_test(): ...
@app.route('/')
def index():
    return shown()
def shown(): ...
class Box:
    @property
    def size(self): return 1
    @staticmethod
    def make(): ...
Box()
__all__ = ['listed']
def listed(): ...
if __name__ == '__main__':
    script()
def script(): ...
//- tests/test_cli.py
from shop.cli import by_test
def test_by():
    by_test()
";
    check(
        fixture,
        expect![[r#"
        shop.cli.unused Unreferenced
        shop.cli.by_test OnlyTests 1: shop/cli.py:6:5 called_by_name
        shop.cli.Box.size Unreferenced 1: shop/cli.py:1:6 unknown_receiver
        shop.cli.Box.make Unreferenced 1: shop/cli.py:1:6 unknown_receiver
    "#]],
    );
    check_with_tests(
        fixture,
        expect![[r#"
        shop.cli.unused Unreferenced
        shop.cli.Box.size Unreferenced 1: shop/cli.py:1:6 unknown_receiver
        shop.cli.Box.make Unreferenced 1: shop/cli.py:1:6 unknown_receiver
    "#]],
    );
}

#[test]
fn what_an_entry_point_means_is_in_use_and_what_only_has_its_name_is_not() {
    check(
        "
//- pyproject.toml
[project.scripts]
shop = 'shop:run'
[project.entry-points.stores]
files = 'shop.stores:Files.make'
//- shop/__init__.py
from .cli import start as run
//- shop/cli.py
def start(): ...
def run(): ...
//- shop/stores.py
class Files:
    @classmethod
    def make(cls): ...
class Others: ...
",
        expect![[r#"
            shop.cli.run Unreferenced
            shop.stores.Others Unreferenced
        "#]],
    );
}

#[test]
fn what_a_framework_calls_is_in_use() {
    check(
        "
//- shop.py
from flask import Flask
app = Flask(__name__)
@app.route('/')
def index():
    shown()
def shown(): ...
def hidden(): ...
",
        expect![[r#"
            shop.hidden Unreferenced
        "#]],
    );
}

#[test]
fn public_names_of_a_distribution_are_used_by_importers() {
    check(
        "
//- pyproject.toml
[build-system]
requires = []
//- shop/__init__.py
def public(): ...
def _private(): ...
class Open:
    def method(self): ...
    def _hidden(self): ...
class _Closed:
    def method(self): ...
//- shop/_inner.py
def public(): ...
//- tools/script.py
def public(): ...
",
        expect![[r#"
            shop._private Unreferenced
            shop.Open._hidden Unreferenced
            shop._Closed Unreferenced
            shop._Closed.method Unreferenced
            shop._inner.public Unreferenced
            tools.script.public Unreferenced
        "#]],
    );
}

#[test]
fn special_methods_and_overrides_live_with_their_class() {
    check(
        "
//- a.py
from threading import Thread
from abc import ABC, abstractmethod
class Worker(Thread):
    def run(self): ...
    def extra(self): ...
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    def unused(self): ...
class Square(Shape):
    def __repr__(self): return ''
    def area(self): return 1
    def unused(self): ...
class Unused:
    def __repr__(self): return ''
def total(shape: Shape):
    return shape.area()
Worker()
total(Square())
",
        expect![[r#"
            a.Unused Unreferenced
            a.Worker.run Unreferenced 3: a.py:1:6 unknown_receiver a.py:2:6 unknown_receiver a.py:3:14 unknown_base
            a.Worker.extra Unreferenced 3: a.py:1:6 unknown_receiver a.py:2:6 unknown_receiver a.py:3:14 unknown_base
            a.Shape.unused Unreferenced 3: a.py:1:6 unknown_receiver a.py:2:6 unknown_receiver a.py:6:13 unknown_base
            a.Square.unused Unreferenced 3: a.py:1:6 unknown_receiver a.py:2:6 unknown_receiver a.py:6:13 unknown_base
        "#]],
    );
}

#[test]
fn a_write_is_no_use() {
    check(
        "
//- a.py
_count = 0
_seen = 0
class Box:
    def __init__(self):
        self._left = 1
        self._right = 2
    def right(self):
        return self._right
def main():
    global _count, _seen
    _count = 1
    _seen = 2
    return _seen, Box().right()
main()
",
        expect![[r#"
            a.Box._left Unreferenced
        "#]],
    );
}

#[test]
fn a_look_up_with_a_constant_beginning_reaches_every_name_that_begins_so() {
    check(
        "
//- a.py
class Visitor:
    def visit(self, node):
        return getattr(self, 'visit_' + node)()
    def visit_name(self): ...
    def visit_call(self): ...
    def other(self): ...
Visitor().visit('name')
",
        expect![[r#"
            a.Visitor.other Unreferenced
        "#]],
    );
}

#[test]
fn a_look_up_by_a_formatted_name_reaches_the_methods_of_subclasses() {
    check(
        "
//- shop/__init__.py
//- shop/visitor.py
class Visitor:
    def visitor(self, node):
        return getattr(self, f'visit_{type(node).__name__}', None)
    def visit(self, node):
        return self.visitor(node)(node)
//- shop/compiler.py
from .visitor import Visitor
class Compiler(Visitor):
    def visit_name(self, node):
        return self.helper(node)
    def helper(self, node): ...
    def other(self): ...
Compiler().visit('name')
",
        expect![[r#"
            shop.compiler.Compiler.other Unreferenced
        "#]],
    );
}

#[test]
fn names_in_literals_look_ups_and_calls_of_unknown_receivers_leave_doubts() {
    check(
        "
//- a.py
class Plugin:
    def start(self): ...
    def stop(self): ...
    def close(self): ...
    def quiet(self): ...
def run(x, key):
    x.start()
    register('a:named')
    return x.field
def register(path): ...
def named(): ...
def plain(): ...
run(Plugin(), 'stop')
",
        expect![[r#"
            a.Plugin.quiet Unreferenced
            a.plain Unreferenced
            a.Plugin.start Unreferenced 2: a.py:2:9 special_method a.py:7:7 unknown_receiver
            a.Plugin.stop Unreferenced 1: a.py:13:16 dynamic_attribute
            a.Plugin.close Unreferenced 1: a.py:4:9 special_method
            a.named Unreferenced 1: a.py:8:17 dynamic_attribute
        "#]],
    );
    check(
        "
//- a.py
class Plugin:
    def start(self): ...
def run(x, key):
    return getattr(x, key)()
def plain(): ...
run(Plugin(), 'x')
",
        expect![[r#"
            a.plain Unreferenced
            a.Plugin.start Unreferenced 2: a.py:2:9 special_method a.py:4:12 dynamic_attribute
        "#]],
    );
}

#[test]
fn code_of_a_class_body_and_of_an_unused_class_runs() {
    check(
        "
//- a.py
def compute(): return 1
def default(): return 2
def decorate(f): return f
def unused(): ...
class Unused:
    value = compute()
    def method(self, x=default()): ...
",
        expect![[r#"
            a.decorate Unreferenced
            a.unused Unreferenced
            a.Unused Unreferenced
            a.Unused.method Unreferenced
        "#]],
    );
}

#[test]
fn an_import_alone_is_no_use_but_a_package_gives_its_names_away() {
    check(
        "
//- shop/__init__.py
from .a import given
//- shop/a.py
def given(): ...
def imported(): ...
//- shop/b.py
from .a import imported
",
        expect![[r#"
            shop.a.imported Unreferenced
        "#]],
    );
}
