#!/usr/bin/env python3
"""Compare the answers to `callers` that call themselves complete with who was seen to run the function.

    python ask_callers.py TREE callers.jsonl --binary codeweft [--environment VENV] [--show N] [--json FILE]
                          [--answers FILE | --answered FILE]

callers.jsonl is what trace_callers.py wrote of TREE. One `codeweft mcp` is asked for the callers of every function
that ran and of every class that a constructor was run for, each at the place of its name. An answer that says
`completeness.complete: true` has to list

tree      every caller of the tree
library   every caller in a file of a library that the index holds
          Where a library stands between the function and a listed caller of the tree that was just running a listed
          site, nothing is lacking: so answers name who calls what contextmanager, singledispatch and the like keep
runner    every caller in a file of a test runner; where the answer says in words that a test runner calls the function by its
          name, callers in libraries need not be listed: runners have plug-ins, event loops and wrappers run what they find.
          The same where it says that the function is an entry point, or that a framework calls it: those call it from libraries
made      of a class: who constructs it
outside   a caller in a file that the index does not hold cannot be listed: an answer without it is not complete

`__del__` that nobody calls by its name is left out. Each answer counts once, under the first of these that is lacking.

--answers keeps the answers, --answered compares kept ones instead of asking.

A mutant is a reason of incompleteness that is switched off: an answer whose open sites all have it then counts as
complete. `mutants` tells for each reason how many more complete answers there are and how many of them lack a caller:
a reason that no such answer needs is not seen at work.
"""
import argparse
import ast
import collections
import json
import os
import re
import subprocess
import sys
import time

LISTED = 500
REASONS = ("unknown_receiver", "function_value", "dynamic_attribute", "decorated", "special_method",
                 "unknown_base", "called_by_name", "escapes", "parse_error")
ORDER = ("tree", "made", "library", "runner", "outside")
RUNNER = re.compile(r"/site-packages/(_pytest|pytest|pluggy|anyio/pytest_plugin|hypothesis)\b|/xtask/judges/|/runpy\.py$")
IN_WORDS = ("a test runner calls it by its name", "it runs as an entry point of the project",
            "a framework calls it, which it is registered with")

IN_TESTS = re.compile(r"(^|/)(tests?|testing)/|(^|/)(test_[^/]*|[^/]*_test|conftest)\.py$")


class Session:
    """A running `codeweft mcp`."""

    def __init__(self, binary, root, environment):
        env = {k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "CONDA_PREFIX")}
        if environment:
            env["VIRTUAL_ENV"] = os.path.realpath(environment)
        self.child = subprocess.Popen([binary, "mcp", "--standalone", "--root", root], env=env, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1)
        self.last = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "judge", "version": "0"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps(message) + "\n")
        self.child.stdin.flush()

    def request(self, method, params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        for line in self.child.stdout:
            message = json.loads(line)
            if message.get("id") == self.last:
                if "error" in message:
                    sys.exit(f"{method}: {message['error']}")
                return message["result"]
        sys.exit(f"codeweft ended without an answer to {method}: {params}")

    def ask(self, **arguments):
        started = time.time()
        while True:
            call = {"name": "cortex_graph", "arguments": arguments, "_meta": {"codeweft/whole": True}}
            answer = self.request("tools/call", call)["structuredContent"]
            if answer.get("error_type") != "index_unavailable" or time.time() - started > 600:
                return answer
            time.sleep(0.2)

    def close(self):
        self.child.kill()
        self.child.wait()


def declarations(root, files):
    """By file: (qualified name, first line) -> (line, column of the name, names of the decorators)."""
    found = collections.defaultdict(dict)

    def decorator(node):
        node = node.func if isinstance(node, ast.Call) else node
        return ast.unparse(node)

    def walk(node, path, file, lines):
        for child in ast.iter_child_nodes(node):
            inner = path
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                word = "class" if isinstance(child, ast.ClassDef) else "def"
                text = lines[child.lineno - 1]
                at = re.compile(rb"\b" + word.encode() + rb"\s+").search(text, child.col_offset)
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                names = [decorator(d) for d in child.decorator_list]
                place = (child.lineno, (at.end() if at else child.col_offset) + 1, names)
                found[file][".".join([*path, child.name]), first] = place
                inner = [*path, child.name] + ([] if word == "class" else ["<locals>"])
            elif isinstance(child, ast.Lambda):
                key = ".".join([*path, "<lambda>"]), child.lineno
                twice = key in found[file]
                found[file][key] = None if twice else (child.lineno, child.col_offset + 1, [])
                inner = [*path, "<lambda>", "<locals>"]
            walk(child, inner, file, lines)

    for file in files:
        try:
            with open(os.path.join(root, file), "rb") as source:
                text = source.read()
            walk(ast.parse(text), [], file, text.splitlines())
        except (OSError, SyntaxError, ValueError, RecursionError) as error:
            print(f"{file}: {error}", file=sys.stderr)
    return found


def qualname(node):
    """The qualified name of an answer's node, as CPython has it."""
    if node["kind"] == "package":
        return "<module>"
    name = node["id"].removeprefix("py:")
    name = name[len(node["package"]) + 1:] if name.startswith(node["package"] + ".") else name
    return re.sub(r"#\d+", "", name)


def listed(answer):
    """(file, qualified name) -> (first lines of the nodes, lines of sites)"""
    found = {}
    for one in answer["results"]:
        node = one["node"]
        firsts, sites = found.setdefault((node.get("file"), qualname(node)), (set(), set()))
        firsts.add(node["start_line"])
        sites.update(site["line"] for site in one["sites"])
        if one.get("site_count", 0) > len(one["sites"]):
            sites.add(0)
    return found


def has(names, end):
    found = names.get((end["file"], end["qualname"]))
    if found is None:
        return False
    return end["qualname"] == "<module>" or "line" not in end or len(found[0]) == 1 or end["line"] in found[0]


def cause(record, decorators):
    """A short word for how the function was run."""
    name = record["callee"]["qualname"].rsplit(".", 1)[-1]
    if record["kind"] == "made":
        return "construction"
    if re.fullmatch(r"__\w+__", name) and name not in ("__init__", "__new__", "__call__"):
        return "special method, via " + record["via"] if "via" in record else "special method"
    if any("property" in one or one.endswith((".setter", ".deleter")) for one in decorators):
        return "property"
    if record["kind"] == "library":
        return "from a library"
    if record["kind"] == "via_c":
        return "via " + record["via"]
    if decorators:
        return "decorated: " + decorators[-1]
    if record["kind"] == "implicit":
        return "implicit"
    if record["kind"] == "class":
        return "class statement"
    if "name" not in record:
        return "a call of what has no name"
    return "by its name" if record["name"] == name else "by another name"


class Judge:
    def __init__(self, root, trace):
        self.root = root
        self.records = collections.defaultdict(list)
        made = collections.defaultdict(dict)
        for line in trace:
            record = json.loads(line)
            callee = record["callee"]
            self.records["function", callee["file"], callee["qualname"], callee["line"]].append(record)
            if "made" in record:
                key = record["made"]["file"], record["made"]["qualname"]
                again = {**record, "kind": "made"}
                made[key][json.dumps([record["caller"], record.get("lines")])] = again
        self.places = declarations(root, sorted({key[1] for key in self.records} | {key[0] for key in made}))
        for (file, name), records in made.items():
            first = [line for (known, line) in self.places[file] if known == name]
            if len(first) == 1:
                self.records["class", file, name, first[0]] = list(records.values())

    def ask(self, session):
        """The answers by key, and which files of libraries the index holds."""
        answers, unplaced = {}, 0
        for key in sorted(self.records):
            _, file, name, first = key
            place = self.places[file].get((name, first))
            if place is None:
                unplaced += 1
                continue
            answer = session.ask(operation="callers", target=f"{file}:{place[0]}:{place[1]}", depth=1,
                                 max_results=LISTED, include_context=False)
            answers[key] = {"error": answer.get("error_type"), "target": answer.get("target"),
                            "completeness": answer.get("completeness"), "truncated": answer.get("truncated"),
                            "results": [{"node": {k: one["node"].get(k) for k in ("id", "kind", "file", "package", "start_line")},
                                         "sites": one["sites"], "site_count": one.get("site_count", 0)}
                                        for one in answer.get("results", [])]}
        held = {}
        for records in self.records.values():
            for record in records:
                file = record["caller"]["file"]
                if record["kind"] == "library" and file not in held:
                    line = record["caller"].get("line", 1)
                    answer = session.ask(operation="definition", target=f"{file}:{line}", include_context=False)
                    held[file] = answer.get("error_type") is None
        return {"answers": [[list(k), v] for k, v in answers.items()], "held": held, "unplaced": unplaced}

    def lacking(self, key, answer, held):
        """What a complete answer lacks: by kind, records."""
        names, found = listed(answer), collections.defaultdict(list)
        for record in self.records[key]:
            caller = record["caller"]
            last = key[2].rsplit(".", 1)[-1]
            if last == "__del__" and record.get("name") != "__del__":
                found["collector"].append(record)
            elif has(names, caller):
                continue
            elif not os.path.isabs(caller["file"]):
                found["made" if record["kind"] == "made" else "tree"].append(record)
            else:
                by = record.get("held")
                if by and has(names, by) and any(by["lines"][0] <= line <= by["lines"][1] or line == 0
                                                 for line in names[by["file"], by["qualname"]][1]):
                    found["between"].append(record)
                elif any(words in ((answer["completeness"] or {}).get("words") or "") for words in IN_WORDS):
                    found["in words"].append(record)
                elif RUNNER.search(caller["file"]):
                    found["runner"].append(record)
                elif held.get(caller["file"]):
                    found["library"].append(record)
                else:
                    found["outside"].append(record)
        return found

    def compare(self, kept):
        held, rows = kept["held"], collections.Counter()
        rows["ran"] = len(self.records)
        rows["functions"] = sum(key[0] == "function" for key in self.records)
        rows["unplaced"] = kept["unplaced"]
        reasons, false, errors, mutants = collections.Counter(), [], collections.Counter(), {}
        for key, answer in kept["answers"]:
            key = tuple(key)
            rows["asked"] += 1
            of_tests = IN_TESTS.search(key[1])
            rows["asked outside of tests"] += not of_tests
            if answer["error"]:
                errors[answer["error"]] += 1
                continue
            completeness = answer["completeness"]
            last = answer["target"].rsplit(".", 1)[-1].split("#")[0].removesuffix(">").removeprefix("<")
            if last != key[2].rsplit(".", 1)[-1].strip("<>"):
                errors["another target: " + answer["target"]] += 1
                continue
            found = self.lacking(key, answer, held)
            kind = next((kind for kind in ORDER if found[kind]), None)
            if not completeness["complete"]:
                first = (completeness.get("first") or [{}])[0].get("reason", "no reason")
                reasons[first] += 1
                alone = only_reason(completeness)
                if alone:
                    mutant = mutants.setdefault(alone, {"complete": 0, "lacking": 0, "seen": []})
                    mutant["complete"] += 1
                    if kind and not answer["truncated"]:
                        mutant["lacking"] += 1
                        mutant["seen"].append(self.told(key, answer, kind, found[kind]))
                continue
            rows["complete"] += 1
            rows["complete outside of tests"] += not of_tests
            rows["complete functions"] += key[0] == "function"
            if answer["truncated"]:
                rows["cut"] += 1
                continue
            for aside in ("collector", "between", "in words"):
                rows[aside] += bool(found[aside])
            if kind:
                rows["lacking"] += 1
                rows["lacking " + kind] += 1
                false.append(self.told(key, answer, kind, found[kind]))
        return {"rows": rows, "reasons": reasons, "false": false, "errors": errors, "mutants": mutants}

    def told(self, key, answer, kind, records):
        records.sort(key=lambda r: (r["kind"] != "call", -r["count"]))
        record = records[0]
        place = self.places[key[1]].get((key[2], key[3]))
        caller = record["caller"]
        return {"kind": kind, "cause": cause(record, place[2] if place else []), "callee": answer["target"],
                "place": f"{key[1]}:{key[3]}", "caller": caller["qualname"],
                "site": f"{caller['file']}:{record.get('lines', ['?'])[0]}", "listed": len(answer["results"]),
                "lacking": len(records), "via": record.get("via")}


def only_reason(completeness):
    """The reason of all open sites, where they have one alone."""
    counts = completeness.get("by_reason")
    if counts is None:
        first = completeness.get("first") or []
        if completeness.get("unresolved_sites", 0) > len(first):
            return None
        counts = collections.Counter(one["reason"] for one in first)
    reasons = [reason for reason, count in counts.items() if count]
    return reasons[0] if len(reasons) == 1 else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("trace")
    parser.add_argument("--binary", default="codeweft")
    parser.add_argument("--environment")
    parser.add_argument("--show", type=int, default=0, help="print N answers that lack a caller, and N of each mutant")
    parser.add_argument("--json")
    parser.add_argument("--answers")
    parser.add_argument("--answered")
    args = parser.parse_args()
    with open(args.trace) as trace:
        judge = Judge(args.tree, trace)
    started = time.time()
    if args.answered:
        with open(args.answered) as file:
            kept = json.load(file)
    else:
        session = Session(args.binary, args.tree, args.environment)
        kept = judge.ask(session)
        session.close()
    if args.answers:
        with open(args.answers, "w") as file:
            json.dump(kept, file)
    result = judge.compare(kept)
    rows = result["rows"]
    for name, part, whole in [
        ("asked", rows["asked"], rows["ran"]),
        ("complete", rows["complete"], rows["asked"]),
        ("complete outside of tests", rows["complete outside of tests"], rows["asked outside of tests"]),
        ("complete that lack a caller that ran", rows["lacking"], rows["complete"]),
        *((f"  first lacking: {kind}", rows["lacking " + kind], rows["complete"]) for kind in ORDER),
        ("cut, not compared", rows["cut"], rows["complete"]),
        ("aside: __del__ by the collector", rows["collector"], rows["complete"]),
        ("aside: a library between, its user listed", rows["between"], rows["complete"]),
        ("aside: a caller outside, in words", rows["in words"], rows["complete"]),
    ]:
        print(f"{name:46} {part:7} / {whole:<7} {part / whole if whole else float('nan'):.4f}")
    print(f"functions that ran {rows['functions']}, without a place of their own {rows['unplaced']}; "
          f"{time.time() - started:.0f} s")
    for what, count in result["errors"].most_common():
        print(f"error {count}: {what}")
    for reason, count in result["reasons"].most_common():
        print(f"not complete, first for {reason}: {count}")
    causes = collections.Counter((one["kind"], one["cause"]) for one in result["false"])
    for (kind, why), count in causes.most_common():
        print(f"lacking {count:5} {kind}: {why}")
    for reason, mutant in sorted(result["mutants"].items()):
        print(f"mutant {reason}: {mutant['complete']} more complete, {mutant['lacking']} of them lack a caller")
    for one in result["false"][:args.show]:
        print(f"false complete\t{one['kind']}: {one['cause']}\t{one['callee']} ({one['place']})\tlacks {one['caller']} "
              f"at {one['site']}\tlists {one['listed']}, lacks {one['lacking']}")
    for reason, mutant in sorted(result["mutants"].items()):
        for one in mutant["seen"][:min(args.show, 5)]:
            print(f"mutant {reason}\t{one['kind']}: {one['cause']}\t{one['callee']} ({one['place']})\tlacks {one['caller']} at {one['site']}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump(result, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
