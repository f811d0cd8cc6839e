"""Prints where the symbols of a Python project are declared.

It reads lines `module:Class.attribute`, `module:name` or `module:` (the module itself) and prints for each the dotted
name of the declaration. It runs on the project's interpreter, with the project's sources on the path.

- A name of a module belongs to the module whose text binds it: imports are followed, also `*` and those for type
  checkers alone.
- An attribute belongs to the first class of the method resolution order (`__mro__`) whose body binds it or whose
  `__init__` stores it through its first parameter; where there is none, to the first whose other methods store it.
- What the text says has to be what runs: a class or function has to name that module (`__module__`) and that place
  (`__qualname__`) itself.
"""

import ast
import functools
import importlib
import inspect
import sys
import types


class Unknown(Exception):
    """The text and the interpreter do not agree on a declaration, or there is none."""


@functools.cache
def parsed(module):
    file = importlib.import_module(module).__file__
    with open(file, encoding="utf-8") as text:
        return ast.parse(text.read()), file.endswith("__init__.py")


def statements(body):
    """All statements of a scope, with those inside of conditions and the like, without those of inner scopes."""
    for one in body:
        yield one
        for field in ("body", "orelse", "finalbody", "handlers"):
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                break
            inner = getattr(one, field, [])
            yield from statements(inner if isinstance(inner, list) else [])


def names(target):
    """The names that a target of an assignment binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, (ast.Tuple, ast.List)):
        for one in target.elts:
            yield from names(one)


def targets(one):
    """The targets of an assignment."""
    if isinstance(one, ast.Assign):
        return one.targets
    return [one.target] if isinstance(one, (ast.AnnAssign, ast.AugAssign, ast.For)) else []


def binds(body, name):
    """Whether a scope declares a name itself."""
    for one in statements(body):
        if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and one.name == name:
            return True
        if any(name in names(target) for target in targets(one)):
            return True
    return False


def home(module, name):
    """The module that declares a name of a module, and the name there."""
    tree, is_package = parsed(module)
    if binds(tree.body, name):
        return module, name
    stars = []
    for one in statements(tree.body):
        if not isinstance(one, ast.ImportFrom):
            continue
        base = module.split(".")
        if one.level:
            base = base[: len(base) - one.level + (1 if is_package else 0)]
        source = ".".join((base if one.level else []) + ([one.module] if one.module else []))
        for alias in one.names:
            if alias.name == "*":
                stars.append(source)
            elif (alias.asname or alias.name) == name:
                return home(source, alias.name)
    for source in stars:
        if hasattr(importlib.import_module(source), name):
            return home(source, name)
    raise Unknown(f"{module} binds no {name}")


def class_node(cls):
    """The syntax of a class; none where no text declares it."""
    try:
        body = parsed(cls.__module__)[0].body
    except (AttributeError, SyntaxError, UnicodeDecodeError):
        return None
    node = None
    for part in cls.__qualname__.split("."):
        found = [one for one in statements(body) if isinstance(one, ast.ClassDef) and one.name == part]
        if not found:
            return None
        node = found[-1]
        body = node.body
    return node


def stores(function, name):
    """Whether a method stores an attribute through its first parameter."""
    parameters = function.args.posonlyargs + function.args.args
    if not parameters:
        return False
    for one in ast.walk(function):
        for target in targets(one):
            for inner in ast.walk(target):
                if (
                    isinstance(inner, ast.Attribute)
                    and inner.attr == name
                    and isinstance(inner.ctx, ast.Store)
                    and isinstance(inner.value, ast.Name)
                    and inner.value.id == parameters[0].arg
                ):
                    return True
    return False


def attribute(cls, name):
    """The class that declares an attribute of a class."""
    later = None
    for one in cls.__mro__:
        node = class_node(one)
        if node is None:
            continue
        methods = [each for each in statements(node.body) if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef))]
        initial = [each for each in methods if each.name == "__init__"]
        if binds(node.body, name) or any(stores(each, name) for each in initial):
            return one
        if later is None and any(stores(each, name) for each in methods):
            later = one
    if later is None:
        raise Unknown(f"{cls.__qualname__} has no {name}")
    return later


def declared(line):
    """The dotted name of the declaration."""
    module, _, path = line.partition(":")
    if not path:
        return importlib.import_module(module).__name__
    first, *rest = path.split(".")
    source, name = home(module, first)
    value = getattr(importlib.import_module(source), name)
    answer = f"{source}.{name}"
    for part in rest:
        owner = attribute(value, part)
        answer = f"{owner.__module__}.{owner.__qualname__}.{part}"
        value = inspect.getattr_static(owner, part, None)
    # By `type`, for a proxy pretends to be what it stands for.
    if type(value) in (classmethod, staticmethod):
        value = value.__func__
    if issubclass(type(value), (type, types.FunctionType)):
        value = inspect.unwrap(value)
        runs = f"{value.__module__}.{value.__qualname__}"
        if runs != answer:
            raise Unknown(f"{line}: the text says {answer}, the interpreter {runs}")
    return answer


def main():
    if sys.argv[1:] == ["django"]:
        from django import setup
        from django.conf import settings

        apps = ["admin", "auth", "contenttypes", "messages", "sessions"]
        settings.configure(INSTALLED_APPS=[f"django.contrib.{app}" for app in apps])
        setup()
    for line in sys.stdin:
        try:
            print(declared(line.strip()))
        except (Unknown, ImportError, AttributeError) as error:
            print(f"error: {error}")


main()
