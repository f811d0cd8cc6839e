#!/usr/bin/env python3
"""Score a code graph's Go edges against the judge's JSON lines.

    python3 score.py code-graph.json oracle.jsonl [--prefix DIR/] [--show N] [--json FILE]

code-graph.json: what `codeweft export --format json` writes: nodes {id, kind, name, file, name_line, name_column},
edges {from, to, type, location {file, line, column}, resolution}; a location is the name token at the use, 1-based
line and byte column, the same convention as the judge's. --prefix is put before the judge's file names where the
export's root lies above the judge's.

Of an oracle with `-uses`, where the export holds `references`, also what references.py tells; --mutate SHARE turns
that share of our references to another definition first.

calls       recall of the judge's static and interface calls among our `exact` edges; precision of our `exact` call
            edges at sites in the judge's files. Closures and unresolved sites judge nothing; an `exact` edge at a call
            through a function value is wrong (that is `value`).
dispatch    at the judge's interface calls: which of its class-hierarchy targets we have, which of ours declared in
            its files are among them, and targets per site
callers     of the calls that were found, the share whose `from` is the function the judge names (a package node
            for package-level initialisers)
implements  type -> interface pairs with their receiver (value, or pointer where only *T implements), for interfaces
            and types declared in the judge's packages or theirs; "methods" the same of concrete methods and
            interface methods, each pair once, those of interface literals in a row of their own, and so those of
            generic types that hold for some type arguments; with generic interfaces those that hold for some arguments
"""
import argparse
import collections
import json
import sys

import references
from references import plain


def records(oracle):
    with open(oracle) as lines:
        yield from map(json.loads, lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("graph")
    parser.add_argument("oracle")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--json")
    parser.add_argument("--mutate", type=float, default=0.0)
    args = parser.parse_args()
    graph = json.load(open(args.graph))
    # An id is unique within its language only.
    graph["nodes"] = [n for n in graph["nodes"] if n.get("language", "go") == "go"]
    truth = [record for record in records(args.oracle) if record["k"] != "use"]

    def here(at):
        return at if not at or at.startswith("/") else args.prefix + at

    spot = {}
    for node in graph["nodes"]:
        if node.get("file") and node.get("name_line"):
            spot[node["id"]] = f'{node["file"]}:{node["name_line"]}:{node["name_column"]}'

    def same(node_id, definition, ident):
        if spot.get(node_id) and definition and not definition.startswith("/"):
            return spot[node_id] == here(definition)
        return plain(node_id) == plain(ident or "")

    files = {here(f) for r in truth if r["k"] == "package" for f in r["files"]}
    ours, dispatched, caller_of = collections.defaultdict(set), collections.defaultdict(set), {}
    packages = {n["id"]: (n.get("file") or "").rpartition("/")[0] for n in graph["nodes"] if n["kind"] == "package"}
    for edge in graph["edges"]:
        place = edge.get("location")
        if edge["type"] != "calls" or not place or place["file"] not in files:
            continue
        at = f'{place["file"]}:{place["line"]}:{place["column"]}'
        if edge.get("resolution") == "exact":
            ours[at].add(edge["to"])
            caller_of[(at, edge["to"])] = edge["from"]
        elif edge.get("resolution") == "dispatch":
            dispatched[at].add(edge["to"])

    result, shown = {}, collections.defaultdict(list)
    calls = {here(r["at"]): r for r in truth if r["k"] == "call"}
    sets = {(r["method"], r.get("def")): r["targets"] for r in truth if r["k"] == "dispatch"}
    by_method = {}
    for (method, _), targets in sets.items():
        by_method.setdefault(method, targets)
    caller_right = caller_total = 0
    for kind in ("static", "interface", "typeparam"):
        total = found = 0
        for at, call in calls.items():
            if call["kind"] != kind:
                continue
            total += 1
            matched = [to for to in ours.get(at, ()) if same(to, call.get("callee_def"), call.get("callee"))]
            if matched:
                found += 1
                caller, caller_total = caller_of[(at, matched[0])], caller_total + 1
                if call["caller"].endswith(".<vars>"):
                    fits = packages.get(caller) == at.rsplit(":", 2)[0].rpartition("/")[0]
                else:
                    fits = same(caller, call.get("caller_def"), call["caller"])
                if fits:
                    caller_right += 1
                else:
                    shown["wrong caller"].append((at, caller, call["caller"]))
            else:
                shown["missed " + kind].append((at, call.get("callee"), ours.get(at)))
        result[f"recall {kind}"] = (found, total)
    result["caller of the call"] = (caller_right, caller_total)
    right = wrong = 0
    for at, targets in ours.items():
        call = calls.get(at)
        if call and call["kind"] in ("closure", "unresolved"):
            continue
        for to in targets:
            if len(targets) == 1 and call and same(to, call.get("callee_def"), call.get("callee")):
                right += 1
            else:
                wrong += 1
                shown["wrong exact"].append((at, to, call and call.get("callee")))
    result["precision exact"] = (right, right + wrong)

    sites = reached = all_targets = ours_at_sites = within = here_at_sites = 0
    for at, call in calls.items():
        targets = call["kind"] == "interface" and by_method.get(call.get("callee"))
        if not targets:
            continue
        sites += 1
        mine = dispatched.get(at, ())
        ours_at_sites += len(mine)
        for target in targets:
            all_targets += 1
            reached += any(same(to, target.get("def"), target.get("id")) for to in mine)
        theirs = {here(target["def"]) for target in targets if target.get("def")}
        for to in mine:
            if spot.get(to, "").rsplit(":", 2)[0] in files:
                here_at_sites += 1
                if spot[to] in theirs:
                    within += 1
                else:
                    shown["dispatch beyond the class hierarchy"].append((at, to, call.get("callee")))
    result["dispatch of class hierarchy"] = (reached, all_targets)
    result["dispatch within class hierarchy"] = (within, here_at_sites)
    if sites:
        result["dispatch targets a site, ours x100"] = (ours_at_sites * 100 // sites, all_targets * 100 // sites)

    kinds = {n["id"]: n["kind"] for n in graph["nodes"]}
    tests_judged = any(f.endswith("_test.go") for f in files)
    pairs = {(e["from"], e["to"], e.get("receiver")) for e in graph["edges"]
             if e["type"] == "implements" and kinds.get(e["to"]) == "interface"
             and (tests_judged or not e.get("test"))}
    ids = collections.defaultdict(set)
    for ident, at in spot.items():
        ids[at].add(ident)
    def resolve(definition, ident):
        found = ids.get(here(definition or ""), set())
        return found or {ident, plain(ident)}
    total = found = 0
    judged, done = set(), set()
    for r in truth:
        if r["k"] != "impl":
            continue
        key = (r.get("type_def") or r["type"], r.get("iface_def") or r["iface"], r["ptr"])
        if key in done:  # with -tests the judge prints a pair once a variant
            continue
        done.add(key)
        total += 1
        receiver = "pointer" if r["ptr"] else "value"
        wanted = {(t, i, receiver) for t in resolve(r.get("type_def"), r["type"]) for i in resolve(r.get("iface_def"), r["iface"])}
        judged |= wanted
        if wanted & pairs:
            found += 1
        else:
            shown["missed implements"].append((r["type"], r["iface"]))
    known = {i for r in truth if r["k"] == "type" for i in resolve(r.get("def"), r["id"])}
    known.add("error")
    mine = {p for p in pairs if p[0] in known and p[1] in known}
    result["recall implements"] = (found, total)
    result["precision implements"] = (len(mine & judged), len(mine))
    for p in sorted(mine - judged)[:args.show]:
        shown["wrong implements"].append(p)

    # Methods to interface methods: a pair counts once, however many types have it. An export holds the pairs
    # of the workspace's methods; that a type of another module is embedded here adds none.
    methods = {(e["from"], e["to"]) for e in graph["edges"]
               if e["type"] == "implements" and kinds.get(e["to"]) == "method"
               and (tests_judged or not e.get("test"))}
    total = found = 0
    apart = {"literal": [0, 0], "some": [0, 0]}
    judged_methods, done = set(), set()
    for r in truth:
        if r["k"] != "implm":
            continue
        key = (r.get("method_def") or r["method"], r.get("imethod_def") or r["imethod"])
        if key in done or here(r.get("method_def") or "").rsplit(":", 2)[0] not in files:
            continue
        done.add(key)
        wanted = {(m, i) for m in resolve(r.get("method_def"), r["method"])
                  for i in resolve(r.get("imethod_def"), r["imethod"])}
        judged_methods |= wanted
        if kind := next((kind for kind in apart if r.get(kind)), None):
            apart[kind][0] += bool(wanted & methods)
            apart[kind][1] += 1
            continue
        total += 1
        if wanted & methods:
            found += 1
        else:
            shown["missed method pair"].append((r["method"], r["imethod"]))
    # The judge tries the types of its packages against every interface that those can name.
    declared = {m for r in truth if r["k"] == "func" for m in resolve(r.get("def"), r["id"])} | {"error.Error"}
    mine_methods = {p for p in methods if p[0] in declared and p[1] in declared}
    result["recall implements, methods"] = (found, total)
    # Of interface literals, and of generic types for some arguments, the graph has what some value is.
    result["recall implements, methods of literals"] = tuple(apart["literal"])
    result["recall implements, methods for some arguments"] = tuple(apart["some"])
    result["precision implements, methods"] = (len(mine_methods & judged_methods), len(mine_methods))
    for p in sorted(mine_methods - judged_methods)[:args.show]:
        shown["wrong method pair"].append(p)

    if any(edge["type"] == "references" for edge in graph["edges"]):
        uses = (record for record in records(args.oracle) if record["k"] == "use")
        rows, differences = references.score(graph["nodes"], graph["edges"], uses, files, here, args.mutate)
        result.update(rows)
        shown.update(differences)

    for name, (part, whole) in result.items():
        print(f"{name:34} {part:8} / {whole:<8} {part / whole if whole else float('nan'):.5f}")
    for name, rows in shown.items():
        for row in rows[:args.show]:
            print(name, *row, sep="\t")
    if args.json:
        json.dump({k: {"part": p, "whole": w} for k, (p, w) in result.items()}, open(args.json, "w"), indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
