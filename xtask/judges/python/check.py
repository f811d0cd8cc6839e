#!/usr/bin/env python3
"""Checks the judges on programs small enough to know the truth of, and that a wrong graph scores worse.

    python check.py

Wants CPython 3.11, for the tracer does. Prints `ok` and a line for each check; the first that fails is an error.
"""
import ast
import copy
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

PROGRAM = {
    "src/lib.py": '''\
import functools


class Base:
    def __init__(self, size):
        self.size = size

    def area(self):
        return self.side() * self.size

    def side(self):
        return 1

    def __add__(self, other):
        return Square(self.size + other.size)


class Square(Base):
    def side(self):
        return self.size


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


@logged
def total(shapes):
    return sum(map(measure, shapes))


def measure(shape):
    return shape.area()


def numbers(end):
    yield from range(end)
''',
    "tests/test_lib.py": '''\
import lib


def test_all():
    shapes = [lib.Base(2), lib.Square(3)]
    assert lib.total(shapes) == 2 + 9
    assert (shapes[0] + shapes[1]).area() == 25
    assert [n for n in lib.numbers(3)] == [0, 1, 2]


test_all()
''',
}

DECLARED = {
    "pack/__init__.py": "from .deep import *\nfrom .deep import run as again\n",
    "pack/deep.py": '''\
import pack.other


def run():
    pass


class Top:
    def start(self):
        self.step()

    def step(self):
        def inner():
            self.last()
        inner()

    def last(self):
        pass
''',
    "pack/other.py": '''\
import pack.deep as d


class Middle(d.Top):
    def step(self):
        super().step()


def make():
    class Low(Middle):
        def step(self):
            d.Top.step(self)
    return Low


if make:
    from os import getcwd as sometimes
else:
    from pack.deep import run as sometimes
''',
    "use.py": '''\
import pack
from pack import again as more, run
from pack.other import sometimes

run()


def f(run):
    run()
    more()
    sometimes()
    return [more() for more in ()], lambda: pack.deep.run()
''',
    "broken.py": "def (\n",
}


def run(*words, root):
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, cwd=root)
    if done.returncode:
        sys.exit(f"{words} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def write(root, files):
    for path, text in files.items():
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w") as file:
            file.write(text)


def check(name, got, expected):
    if got != expected:
        sys.exit(f"FAILED {name}\n  got      {got}\n  expected {expected}")
    print("ok", name)


def nodes_of(root):
    """Nodes as an export has them."""
    nodes = []

    def walk(node, path, names, file):
        for child in ast.iter_child_nodes(node):
            inner = names
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                inner = [*names, child.name]
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                kind = "class" if isinstance(child, ast.ClassDef) else "function"
                nodes.append({"id": ".".join([path, *inner]), "kind": kind, "name": child.name, "file": file,
                              "start_line": first, "end_line": child.end_lineno})
            walk(child, path, inner, file)

    for file in PROGRAM:
        path = os.path.basename(file)[:-3]
        nodes.append({"id": path, "kind": "package", "name": path, "file": file, "start_line": 1, "end_line": 1})
        with open(os.path.join(root, file)) as source:
            walk(ast.parse(source.read()), path, [], file)
    return nodes


def graph_of(trace, nodes):
    """The graph that says just what was traced: one callee is exact, several are dispatch."""
    by_place = {(n["file"], n["start_line"], n["name"]): n["id"] for n in nodes}
    modules = {n["file"]: n["id"] for n in nodes if n["kind"] == "package"}

    def of(end):
        name = end["qualname"].split(".")[-1]
        return modules[end["file"]] if name == "<module>" else by_place[end["file"], end["line"], name]

    edges = [{"from": "lib.Square", "to": "lib.Base", "type": "embeds"}]
    for record in trace:
        if record["kind"] == "resumed":
            continue
        site = record["site"]
        place = {"file": record["caller"]["file"], "line": site.get("name_line", site["line"]),
                 "column": site.get("name_column", site["column"])}
        edges.append({"from": of(record["caller"]), "to": of(record["callee"]), "type": "calls", "location": place})
    for edge in edges:
        if edge["type"] == "calls":
            targets = {e["to"] for e in edges if e.get("location") == edge["location"]}
            edge["resolution"] = "exact" if len(targets) == 1 else "dispatch"
    return {"nodes": nodes, "edges": edges}


def score(graph, root):
    with open(os.path.join(root, "graph.json"), "w") as file:
        json.dump(graph, file)
    run(os.path.join(HERE, "score.py"), "graph.json", "calls.jsonl", "--tests", "tests/", "--json", "score.json",
        root=root)
    with open(os.path.join(root, "score.json")) as file:
        return {name: (row["part"], row["whole"]) for name, row in json.load(file).items()}


def changed(graph, change):
    graph = copy.deepcopy(graph)
    change(graph["edges"])
    return graph


def edge_to(edges, target):
    return next(e for e in edges if e["to"] == target and e["type"] == "calls")


def traced(root):
    write(root, PROGRAM)
    trace_calls = os.path.join(HERE, "trace_calls.py")
    os.environ["PYTHONPATH"] = os.path.join(root, "src")
    run("-B", trace_calls, "--root", root, "--out", "calls.jsonl", "--", "tests/test_lib.py", root=root)
    with open(os.path.join(root, "calls.jsonl")) as file:
        lines = [json.loads(line) for line in file]
    trace = [record for record in lines if "caller" in record]
    check("decorated definitions are told", [r["decorated"]["qualname"] for r in lines if "decorated" in r],
          ["logged.<locals>.wrapper", "total"])
    told = sorted({(r["kind"], r["caller"]["qualname"], r["callee"]["qualname"]) for r in trace})
    check("every call has its kind", told, [
        ("call", "<module>", "logged"),
        ("call", "<module>", "test_all"),
        ("call", "Base.__add__", "Base.__init__"),
        ("call", "Base.area", "Base.side"),
        ("call", "Base.area", "Square.side"),
        ("call", "logged.<locals>.wrapper", "total"),
        ("call", "measure", "Base.area"),
        ("call", "test_all", "Base.__init__"),
        ("call", "test_all", "Base.area"),
        ("call", "test_all", "logged.<locals>.wrapper"),
        ("call", "test_all", "numbers"),
        ("implicit", "test_all", "Base.__add__"),
        ("via_c", "total", "measure"),
    ])
    place = next(r["site"] for r in trace if r["callee"]["qualname"] == "Base.area" and r["kind"] == "call"
                 and r["caller"]["qualname"] == "test_all")
    check("a site is the called name", (place["name_line"], place["name_column"]), (7, 36))
    return graph_of(trace, nodes_of(root))


def scored(root):
    graph = traced(root)
    whole = score(graph, root)
    check("what was traced scores in full", {name: part for name, (part, _) in whole.items()},
          {**{name: of for name, (_, of) in whole.items()}, "unjudged exact": 0, "targets a site": 12})
    check("pairs, library callers and sites are counted", [whole["recall call"], whole["recall library"],
          whole["recall site"], whole["claimed exact"]], [(11, 11), (6, 6), (11, 11), (10, 10)])

    lost = score(changed(graph, lambda edges: edges.remove(edge_to(edges, "test_lib.test_all"))), root)
    check("an edge less is a pair and a site less", [lost["recall call"], lost["recall site"]], [(10, 11), (10, 11)])

    smaller = copy.deepcopy(graph)
    smaller["nodes"] = [node for node in graph["nodes"] if node["id"] != "lib.measure"]
    smaller = score(smaller, root)
    check("a node less is a pair in and a pair out less", [smaller["recall call"], smaller["recall via_c"]],
          [(10, 11), (0, 1)])

    silent = score(changed(graph, lambda edges: [e.update(resolution="value") for e in edges]), root)
    check("edges that claim nothing find and are not claimed", [silent["recall call"], silent["claimed exact"],
          silent["precision exact"]], [(11, 11), (0, 10), (0, 0)])

    guessed = score(changed(graph, lambda edges: [e.update(resolution="name") for e in edges]), root)
    check("a guess by name is no edge", guessed["recall call"], (0, 11))

    def wrong(edges):
        edge_to(edges, "lib.measure").update(to="lib.logged")
        edge_to(edges, "test_lib.test_all").update(to="lib.measure")
    turned = score(changed(graph, wrong), root)
    check("a wrong target is a wrong edge", (whole["precision exact"], turned["precision exact"]), ((10, 10), (9, 10)))

    override = score(changed(graph, lambda edges: [e.update(resolution="exact") for e in edges
                                                   if e["to"] == "lib.Base.side"]), root)
    check("the declared method is right where an override ran", override["precision exact"], (11, 11))

    def other_way(edges):
        edge_to(edges, "lib.Square.side").update(resolution="exact")
        edges.remove(edge_to(edges, "lib.Base.side"))
        edges.pop(0)
    check("an override seen is right", score(changed(graph, other_way), root)["precision exact"], (11, 11))

    def guessing(edges):
        edges += [{**edge_to(edges, "lib.Base.area"), "to": to, "resolution": "dispatch"}
                  for to in ("lib.Base.side", "lib.logged", "lib.total")]
    many = score(changed(graph, guessing), root)
    check("guessing widens the sites", (whole["targets a site"], many["targets a site"]), ((12, 11), (15, 11)))

    def unwrapped(edges):
        edge_to(edges, "lib.logged.wrapper").update(to="lib.total")
    check("what a wrapper hides is not judged", score(changed(graph, unwrapped), root)["unjudged exact"], (1, 10))

    def moved(edges):
        edge_to(edges, "test_lib.test_all")["location"]["column"] += 1
    check("an edge at another place is at no site that ran", score(changed(graph, moved), root)["recall site"], (10, 11))


def declared(root):
    write(root, DECLARED)

    def ask(*words):
        told = run("-B", os.path.join(HERE, "declared.py"), root, *words, root=root)
        return [json.loads(line) for line in told.splitlines()]

    check("callers are found through imports, stars and lambdas",
          [(r["id"], r["line"], r["column"], r["sure"]) for r in ask("callers", "pack.deep.run")],
          [("use", 5, 1, True), ("use.f", 10, 5, True), ("use.f", 11, 5, False),
           ("use.f.<locals>.<lambda>", 12, 55, True)])
    check("subclasses have a distance", [(r["id"], r["distance"]) for r in ask("subclasses", "pack.deep.Top")],
          [("pack.other.Middle", 1), ("pack.other.make.<locals>.Low", 2)])
    check("callees go by self and nested functions",
          [(r["id"], r["depth"]) for r in ask("callees", "pack.deep.Top.start", "--depth", "3")],
          [("pack.deep.Top.step", 1), ("pack.deep.Top.step.<locals>.inner", 2), ("pack.deep.Top.last", 3)])
    check("overrides, and who calls the method itself",
          [(r["kind"], r["id"]) for r in ask("overrides", "pack.deep.Top.step")],
          [("caller", "pack.deep.Top.start"), ("override", "pack.other.Middle.step"),
           ("caller", "pack.other.Middle.step"), ("override", "pack.other.make.<locals>.Low.step"),
           ("caller", "pack.other.make.<locals>.Low.step")])
    check("the cycle of imports", [r["id"] for r in ask("cycle")], ["pack.deep", "pack.other"])


def main() -> int:
    if sys.implementation.name != "cpython" or sys.version_info[:2] != (3, 11):
        sys.exit("this wants CPython 3.11")
    with tempfile.TemporaryDirectory() as root:
        scored(os.path.realpath(root))
    with tempfile.TemporaryDirectory() as root:
        declared(os.path.realpath(root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
