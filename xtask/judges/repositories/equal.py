"""Whether engines give the rows that plain dictionaries give, of questions across repositories.

Prints JSON: for each engine how many questions it was asked and which rows differed, and how many functions of how many
repositories call into another one.
"""

import argparse
import hashlib
import importlib.util
import json
import pathlib
import subprocess
import sys
from collections import defaultdict
from types import SimpleNamespace

import pyarrow.parquet


def script(path):
    spec = importlib.util.spec_from_file_location("repositories", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Tables:
    """The tables of all repositories, read without an engine."""

    def __init__(self, folder):
        self.nodes = defaultdict(list)
        self.aliases = {}
        self.named = defaultdict(set)
        self.calls = set()
        implements = []
        edges = []
        for tables in sorted(folder.iterdir()):
            rows = lambda name: pyarrow.parquet.read_table(tables / f"{name}.parquet").to_pylist()
            for node in rows("nodes"):
                self.nodes[node["key"]].append((tables.name, node))
            for alias in rows("aliases"):
                self.aliases.setdefault(alias["alias_key"], set()).add(alias["key"])
                self.named[alias["package"], alias["descriptor"]].add(alias["key"])
            edges += rows("edges")
        for edge in edges:
            if edge["type"] == "calls":
                for to in self.aliases.get(edge["to_key"], {edge["to_key"]}):
                    self.calls.add((edge["from_key"], to))
            elif edge["type"] == "implements":
                implements.append((edge["from_key"], edge["to_key"]))
        implementers = defaultdict(set)
        for implementer, interface in implements:
            implementers[interface].add(implementer)
        self.with_hierarchy = self.calls | {
            (caller, implementer) for caller, callee in self.calls for implementer in implementers.get(callee, ())
        }

    def own(self, key):
        """The rows of a symbol in the repositories that declare it."""
        return {(node["package"], node["id"]) for _, node in self.nodes.get(key, ()) if not node["external"]}

    def called_from_elsewhere(self):
        """The functions that another repository than their own calls, by a hash of what they are."""
        owners = {
            key: {name for name, node in rows if not node["external"]} for key, rows in self.nodes.items()
        }
        found = {}
        pairs = set()
        for caller, callee in self.calls:
            theirs, ours = owners.get(caller, set()), owners.get(callee, set())
            if theirs and ours and not theirs & ours:
                pairs |= {(a, b) for a in theirs for b in ours}
                for package, name in self.own(callee):
                    found[hashlib.sha256(f"{package} {name}".encode()).hexdigest()] = (package, name)
        return [found[digest] for digest in sorted(found)], pairs

    def answer(self, package, name, descriptor, hierarchy, transitive):
        steps = self.with_hierarchy if hierarchy else self.calls
        kinds = ("function", "method", "class", "type", "variable")
        targets = set(self.named.get((package, descriptor), ()))
        for key, rows in self.nodes.items():
            for _, node in rows:
                same = node["id"] == name or node["id"].endswith(("." + name, "/" + name))
                if node["package"] == package and same and node["kind"] in kinds:
                    targets |= self.aliases.get(key, {key})
        callers = defaultdict(set)
        for caller, callee in steps:
            callers[callee].add(caller)
        if not transitive:
            reached = {caller for target in targets for caller in callers.get(target, ())}
        else:
            reached, todo = set(targets), list(targets)
            while todo:
                for caller in callers.get(todo.pop(), ()):
                    if caller not in reached:
                        reached.add(caller)
                        todo.append(caller)
        return sorted({row for key in reached for row in self.own(key)})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--script", type=pathlib.Path, required=True)
    parser.add_argument("--tables", type=pathlib.Path, required=True, help="an empty folder")
    parser.add_argument("--engines", default="duckdb,datafusion,spark")
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--spark-questions", type=int, default=4)
    parser.add_argument("repositories", type=pathlib.Path, nargs="+")
    wanted = parser.parse_args()
    repositories = script(wanted.script)
    for repository in wanted.repositories:
        command = [wanted.codeweft, "export", "--quiet", "--format", "parquet", "--root", str(repository)]
        subprocess.run(command + ["--output", str(wanted.tables / repository.name)], check=True)
    tables = Tables(wanted.tables)
    called, pairs = tables.called_from_elsewhere()
    said = {"called": len(called), "pairs": len(pairs), "engines": {}}
    for name in wanted.engines.split(","):
        count = wanted.spark_questions if name == "spark" else wanted.questions
        engine = repositories.ENGINES[name](wanted.tables, None)
        asked, differ = 0, []
        for package, symbol in called[:count]:
            for hierarchy in (False, True):
                for question, transitive in ((repositories.callers, False), (repositories.impact, True)):
                    words = SimpleNamespace(package=package, name=symbol, hierarchy=hierarchy)
                    rows = [tuple(row) for row in question(engine, words)]
                    descriptor = repositories.alias_of(symbol)
                    expected = tables.answer(package, symbol, descriptor, hierarchy, transitive)
                    asked += 1
                    if rows != expected:
                        missing, more = set(expected) - set(rows), set(rows) - set(expected)
                        differ.append(
                            f"{question.__name__} of {package} {symbol}{' by hierarchy' * hierarchy}: "
                            f"{len(missing)} missing, {len(more)} more, as {sorted(missing | more)[:1]}"
                        )
        said["engines"][name] = {"asked": asked, "differ": differ}
        print(f"{name}: {asked} asked, {len(differ)} differ", file=sys.stderr)
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()
