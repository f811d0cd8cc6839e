"""Names that are made at run time."""
import sys


class Visitor:
    def visit(self, kind):
        return getattr(self, "visit_" + kind, self.visit_other)(kind)

    def visit_name(self, kind):
        return kind

    def visit_other(self, kind):
        return kind


class Service:
    def constant_name(self):
        return 1

    def listed_name(self):
        return 2

    def formatted_name(self):
        return 3

    def in_dict(self):
        return 4

    def by_mapping(self):
        return 5


def from_globals():
    return 1


def from_module():
    return 2


def from_import():
    return 3


def evaluated():
    return 4


def executed():
    return 5


class Loaded:
    def __init__(self):
        self.loaded = True


def __getattr__(name):
    if name == "computed_name":
        return 1
    raise AttributeError(name)


def run():
    Visitor().visit("name")
    Visitor().visit("number")
    service = Service()
    getattr(service, "constant_name")()
    for name in ("listed_name",):
        getattr(service, name)()
    getattr(service, f"{'formatted'}_name")()
    Service.__dict__["in_dict"](service)
    vars(Service)["by_mapping"](service)
    globals()["from_" + "globals"]()
    module = sys.modules[__name__]
    getattr(module, "from_module")()
    __import__(__name__).from_import()
    eval("evaluated()")
    exec("executed()")
    globals()["Loaded"]()
    module.computed_name


run()
