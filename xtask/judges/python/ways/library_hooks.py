"""What the library finds by its name on an object, or keeps for later."""
import ast
import cmd
import collections
import contextlib
import dataclasses
import enum
import functools
import io
import json
import logging
import operator
import threading
import weakref


class Visitor(ast.NodeVisitor):
    def visit_Name(self, node):
        return node.id

    def generic_visit(self, node):
        return super().generic_visit(node)


class Shell(cmd.Cmd):
    def do_greet(self, line):
        self.line = line

    def default(self, line):
        self.line = None


class Handler(logging.Handler):
    def emit(self, record):
        self.record = record


class Filter:
    def filter(self, record):
        return True


class Worker(threading.Thread):
    def run(self):
        self.worked = True


@dataclasses.dataclass
class Data:
    items: list = dataclasses.field(default_factory=lambda: made_items())
    name: str = ""

    def __post_init__(self):
        self.ready = True


def made_items():
    return []


class Colour(enum.Enum):
    RED = 1

    @classmethod
    def _missing_(cls, value):
        return cls.RED

    def _generate_next_value_(name, start, count, last):
        return name


class Mapping(collections.UserDict):
    def __missing__(self, key):
        return key


class Text(io.TextIOBase):
    def write(self, text):
        return len(text)

    def writable(self):
        return True


class Service:
    def by_methodcaller(self):
        return 1

    def by_partialmethod(self, number):
        return number

    partial = functools.partialmethod(by_partialmethod, 1)

    def _get(self):
        return 2

    value = property(_get)

    def closed(self):
        return 3

    def close(self):
        return 4


def at_end():
    return 1


def collected(reference):
    return reference


def object_hook(value):
    return value


def reduced(one, other):
    return one + other


def for_default():
    return 0


def hashed_key(value):
    return value


def run():
    Visitor().visit(ast.parse("name"))
    Shell().onecmd("greet x")
    Shell().onecmd("other")
    logger = logging.Logger("ways")
    handler = Handler()
    handler.addFilter(Filter())
    logger.addHandler(handler)
    logger.error("told")
    worker = Worker()
    worker.start()
    worker.join()
    Data()
    Colour(7)
    Mapping()["a"]
    print("x", file=Text())
    service = Service()
    operator.methodcaller("by_methodcaller")(service)
    service.partial()
    service.value
    with contextlib.ExitStack() as stack:
        stack.callback(at_end)
        stack.push(lambda *error: None)
    with contextlib.closing(service):
        pass
    kept = Service()
    watched = weakref.ref(kept, collected)
    del kept
    watched()
    json.loads("{}", object_hook=object_hook)
    functools.reduce(reduced, [1, 2])
    collections.defaultdict(for_default)["a"]
    min([1], key=hashed_key)


run()
