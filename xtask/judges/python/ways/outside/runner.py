"""Stands for what installs commands and finds tests: it is in no file that is indexed."""
import pkgutil
import sys
import tomllib


def tests_of(module):
    """As pytest does."""
    for name, value in list(vars(sys.modules[module]).items()):
        if name.startswith("test_"):
            value()
        elif name.startswith("Test"):
            case = value()
            getattr(case, "setup_method", int)()
            for method in dir(value):
                if method.startswith("test_"):
                    getattr(case, method)()


def command_of(file):
    """As an installer's script does."""
    with open(file, "rb") as project:
        for name in tomllib.load(project)["project"]["scripts"].values():
            pkgutil.resolve_name(name)()
