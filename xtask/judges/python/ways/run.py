"""Runs every way in which a function can be run without a call of its name that a reader sees.

The tracer tells who ran each; answers to `callers` that call themselves complete must lack none of them."""
import pkgutil
import tomllib
import unittest
from pathlib import Path

from ways import (arguments, attributes, bases, bodies, called, containers, damaged, decorated, dynamic, names, operators,
                  patched, results, twins)


def entry_points():
    """As an installer's script does."""
    with open(Path(__file__).with_name("pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    for name in project["scripts"].values():
        pkgutil.resolve_name(name)()


def main():
    for module in (arguments, attributes, bases, bodies, called, containers, damaged, decorated, dynamic, operators, patched,
                   results, twins):
        module.run()
    names.everything()
    entry_points()
    unittest.TextTestRunner(verbosity=0).run(unittest.defaultTestLoader.loadTestsFromName("ways.tests"))


main()
