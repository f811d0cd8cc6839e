"""Scores the knowledge graph of open projects, and prints the figures as one JSON object.

    python3 score.py --codeweft BIN --handlers BIN --projects FOLDER [--test-set | --list N] [--only NAME] [--show N]

Operations and their handlers are judged by `handlers` (Go, by go/types) and `functions.py` (Python's own parser); calls
between services and events by `service_calls.tsv` and `events.tsv`, which were written by reading the projects. Every
third project of the first list, by the SHA-256 of its name, is the test set; those of the other lists, which were made later, are judged apart.

A figure has `right` of `all`. For an operation of which the judge knows the handlers: recall counts those where one of
ours is among them, precision how many of ours are. What the judge knows nothing of is counted apart.
"""

import argparse
import collections
import csv
import hashlib
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def table(name):
    path = HERE / name
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as lines:
        read = csv.reader((line for line in lines if line.strip()), delimiter="\t")
        head = [cell.lstrip("# ") for cell in next(read)]
        return [dict(zip(head, row)) for row in read]


def test_set():
    names = sorted((row["name"] for row in table("projects.tsv") if row["list"] == "1"), key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return set(names[2::3])


def plain(operation):
    """An operation without the names of its parameters."""
    method, path = operation.split(" ", 1)
    path = re.sub(r"\{[^}]*\}|<[^>]*>|(?<=/):[^/]+", "{}", path)
    return f"{method} {path.rstrip('/') or '/'}"


def graph(codeweft, root):
    ended = subprocess.run([codeweft, "knowledge", "graph", "--root", str(root)], capture_output=True, text=True)
    if ended.returncode not in (0, 1):
        sys.exit(f"{root}: {ended.stderr.strip()}")
    return json.loads(ended.stdout)


def lines(*command):
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in ended.stdout.splitlines()]


class Score:
    def __init__(self, show):
        self.right, self.all, self.differences, self.show = collections.Counter(), collections.Counter(), [], show

    def count(self, name, right, words):
        self.all[name] += 1
        self.right[name] += bool(right)
        if not right:
            self.differences.append(f"{name}: {words}")


def handlers_of(graph):
    """Returns (operation, file of the contract) -> (file, name) of each of its handlers."""
    nodes = {node["id"]: node for node in graph["nodes"]}
    found = collections.defaultdict(set)
    for node in graph["nodes"]:
        if node["node_type"] == "endpoint":
            found[plain(f"{node['method']} {node['path']}"), node["file_path"]]
    for edge in graph["edges"]:
        if edge["relation"] == "HANDLES_ENDPOINT":
            endpoint = nodes[edge["target"]]
            _, file, name = edge["source"].split("::", 2)
            found[plain(f"{endpoint['method']} {endpoint['path']}"), endpoint["file_path"]].add((file, name))
    return found


def merged(rows):
    """Returns operation -> all handlers that the judge has, and the contracts that they are from."""
    found = collections.defaultdict(lambda: (set(), set()))
    for row in rows:
        handlers, contracts = found[plain(row["operation"])]
        handlers.update((one["file"], one["name"]) for one in row["handlers"])
        contracts.add(row.get("contract"))
    return found


def ours_for(ours, operation, contracts):
    """Our handlers of an operation; contracts may put the address of a server before the path."""
    method, path = operation.split(" ", 1)
    found = []
    for (known, contract), handlers in ours.items():
        if known.startswith(method + " ") and known.endswith(path):
            before = known[len(method) + 1 : -len(path)]
            if "{}" not in before:
                found.append((contract not in contracts, len(before), handlers))
    # Where one of the judge's own contracts counts, only those, and of them the shortest path.
    own = [one for one in found if not one[0]]
    least = min((length for _, length, _ in own), default=None)
    chosen = [handlers for _, length, handlers in own if length == least] if own else [handlers for _, _, handlers in found]
    return set().union(*chosen) if chosen else set()


def score_handlers(score, project, what, truth, ours):
    for operation, (right, contracts) in sorted(truth.items(), key=lambda pair: pair[0]):
        found = ours_for(ours, operation, contracts)
        if not right:
            score.all[f"{what}-not-judged"] += 1
            continue
        score.count(f"{what}-recall", found & right, f"{project} {operation}: {sorted(right)}, ours {sorted(found)}")
        for one in sorted(found):
            score.count(f"{what}-precision", one in right, f"{project} {operation}: {one}, not {sorted(right)}")


def score_calls(score, project, graph):
    rows = [row for row in table("service_calls.tsv") if row["project"] == project]
    if not rows:
        return
    by_code = {(row["caller"], row["callee"]) for row in rows if row["known_from"] == "code"}
    both = {(row["caller"], row["callee"]) for row in rows}
    callers = {row["caller"] for row in rows}
    found = {}
    for edge in graph["edges"]:
        if edge["relation"] == "SERVICE_CALLS":
            pair = (edge["source"].split("::", 1)[1], edge["target"].split("::", 1)[1])
            found[pair] = set(edge.get("evidence", [])) != {"deployment"}
    for pair in sorted(by_code):
        score.count("calls-code-recall", pair in found, f"{project}: {' -> '.join(pair)}")
    for pair in sorted(both):
        score.count("calls-recall", pair in found, f"{project}: {' -> '.join(pair)}")
    for pair, is_of_code in sorted(found.items()):
        if pair[0] in callers:
            score.count("calls-precision", pair in both, f"{project}: {' -> '.join(pair)}")
            if is_of_code:
                score.count("calls-code-precision", pair in both, f"{project}: {' -> '.join(pair)}")
        else:
            score.all["calls-not-judged"] += 1


def score_events(score, project, graph):
    rows = [row for row in table("events.tsv") if row["project"] == project]
    if not rows:
        return
    nodes = {node["id"]: node for node in graph["nodes"]}
    truth = {(row["service"], row["direction"], row["channel"]) for row in rows if row["channel"] != "?"}
    unknown = {(row["service"], row["direction"]) for row in rows if row["channel"] == "?"}
    words = {"PUBLISHES_EVENT": "publish", "CONSUMES_EVENT": "consume"}
    found = set()
    for edge in graph["edges"]:
        if edge["relation"] in words:
            event = nodes[edge["target"]]
            found.add((edge["source"].split("::", 1)[1], words[edge["relation"]], event["channel"]))
    for fact in sorted(truth):
        score.count("events-recall", fact in found, f"{project}: {' '.join(fact)}")
    for fact in sorted(found):
        if fact[:2] in unknown and fact not in truth:
            score.all["events-not-judged"] += 1
            continue
        score.count("events-precision", fact in truth, f"{project}: {' '.join(fact)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--handlers", required=True)
    parser.add_argument("--projects", required=True, type=pathlib.Path)
    parser.add_argument("--test-set", action="store_true")
    parser.add_argument("--list", default="1")
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=0)
    wanted = parser.parse_args()
    held_out, score = test_set(), Score(wanted.show)
    judged = []
    for row in table("projects.tsv"):
        name, root = row["name"], wanted.projects / row["name"]
        if wanted.only and name != wanted.only:
            continue
        if row["list"] != wanted.list or (name in held_out) != wanted.test_set:
            continue
        if not root.is_dir():
            score.differences.append(f"{name} is not there: --fetch")
            continue
        judged.append(name)
        ours = graph(wanted.codeweft, root.resolve())
        handlers = handlers_of(ours)
        score_handlers(score, name, "go", merged(lines(wanted.handlers, str(root.resolve()))), handlers)
        score_handlers(score, name, "python", merged(lines(sys.executable, str(HERE / "functions.py"), str(root.resolve()))), handlers)
        score_calls(score, name, ours)
        score_events(score, name, ours)
    figures = {name: {"right": score.right[name], "all": score.all[name]} for name in sorted(score.all)}
    print(json.dumps({"projects": judged, "figures": figures, "differences": score.differences}))


main()
