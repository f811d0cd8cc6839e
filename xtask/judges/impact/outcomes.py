"""A plugin of pytest: appends the outcome of each test to $OUTCOMES as a line of JSON, with the file and the
qualified name of the function that it runs."""

import inspect
import json
import os
import pathlib

import pytest

FILE = os.environ["OUTCOMES"]
ROOT = pathlib.Path.cwd()


def relative(path):
    try:
        return pathlib.Path(path).resolve().relative_to(ROOT).as_posix()
    except ValueError:
        return str(path)


def write(**fields):
    with open(FILE, "a", encoding="utf-8") as out:
        out.write(json.dumps(fields) + "\n")


def place(item):
    """Returns the file and the name of a test's function; without one, those of the item."""
    function = getattr(item, "function", None)
    if function is None:
        return relative(item.path), None
    inner = inspect.unwrap(function)
    code = getattr(inner, "__code__", None)
    file = relative(code.co_filename) if code else relative(item.path)
    if not file.endswith(".py") or file.startswith("/"):
        file = relative(item.path)
    return file, getattr(inner, "__qualname__", item.name)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    result = yield
    report = result.get_result()
    if report.when == "call" or report.outcome != "passed":
        outcome = {"passed": "pass", "failed": "fail", "skipped": "skip"}[report.outcome]
        file, name = place(item)
        write(id=item.nodeid, outcome=outcome, file=file, name=name)


def pytest_collectreport(report):
    if report.failed:
        write(id=report.nodeid, outcome="import", file=report.nodeid.split("::")[0], name=None)
