#!/usr/bin/env python3
"""Score a code graph's Python call edges against a recorded trace.

    python score.py code-graph.json calls.jsonl [--prefix DIR/] [--tests tests/ ...] [--show N] [--json FILE]

code-graph.json: what `codeweft export --format json` writes; nodes {id, kind, name, file, start_line, end_line},
edges {from, to, type, location {file, line, column}, resolution}. --prefix: the traced root's path inside the
exported workspace, where they differ. Only edges of resolution exact, dispatch and value count; a guess by name is
no edge.

recall     of the traced (caller, callee) pairs, the share that the graph has, by kind; an instantiation counts as
           found when the edge goes to the class or to the __init__/__new__ that ran. "library" leaves out callers
           whose file lies under --tests, for test files flatter; "site" counts called names with one callee found.
           A pair of which the graph has no node is not found. A wrapper that a decorator made (a function nested in
           one that ran at the decorators) and what it wraps run in each other's place: either counts. `__del__`
           is left out, since the collector runs it anywhere
precision  of the `exact` edges at called names that ran, the share whose callee was seen there. Right, too: an
           edge to a declared method where an override of it ran (a subclass by the graph's own `embeds` edges), and
           to a protocol, its method or its `__call__` where what satisfies the protocol ran: a class that has all its
           methods, any function for `__call__`. A second `exact` target at one site is wrong by itself. An edge to a
           decorated definition where a wrapper ran instead is counted apart, as unjudged.
claimed    of the called names at which exactly one callee ran, the share that carries an `exact` edge to a symbol of
           the workspace: a floor, so that precision is not bought by silence; "unjudged" has a ceiling
targets    how many targets the graph gives a site: mean and 99th percentile, so that recall is not bought by guessing;
           an edge without a location counts nowhere
"""
import argparse
import collections
import json
import sys

TRUSTED = ("exact", "dispatch", "value")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("graph")
    parser.add_argument("trace")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--tests", action="append", help="again for each folder; without it tests/")
    parser.add_argument("--show", type=int, default=0, help="print N misses and N wrong edges")
    parser.add_argument("--json")
    args = parser.parse_args()
    tests = tuple(args.tests or ["tests/"])
    graph = json.load(open(args.graph))
    lines = [json.loads(line) for line in open(args.trace)]
    trace = [r for r in lines if "caller" in r]

    by_place, by_file, nodes = {}, collections.defaultdict(list), {}
    for node in graph["nodes"]:
        nodes[node["id"]] = node
        if node.get("file") and node["kind"] in ("function", "method", "class", "interface"):
            by_file[node["file"]].append(node)
            by_place[(node["file"], node["start_line"], node["name"])] = node["id"]

    def identify(end):
        file, name = args.prefix + end["file"], end["qualname"].split(".")[-1]
        if name == "<module>":
            return ("module", file)
        found = by_place.get((file, end["line"], name))
        if found:
            return found
        near = [n for n in by_file[file] if abs(n["start_line"] - end["line"]) <= 20 and n["end_line"] >= end["line"]
                and (n["name"] == name or name == "<lambda>" and n["name"].startswith("<lambda"))]
        if near:
            return min(near, key=lambda n: abs(n["start_line"] - end["line"]))["id"]
        return ("no node", file, end["qualname"], end["line"])

    methods = collections.defaultdict(set)
    for ident, node in nodes.items():
        if node["kind"] in ("function", "method"):
            methods[ident.rsplit(".", 1)[0]].add(node["name"])

    module_of = {n["id"]: n.get("file") for n in graph["nodes"] if n["kind"] == "package"}
    bases, pairs = collections.defaultdict(set), set()
    exact, targets = collections.defaultdict(set), collections.defaultdict(set)
    for edge in graph["edges"]:
        if edge["type"] == "embeds":
            bases[edge["from"]].add(edge["to"])
        if edge["type"] != "calls" or edge.get("resolution") not in TRUSTED:
            continue
        caller = ("module", module_of[edge["from"]]) if edge["from"] in module_of else edge["from"]
        place = edge.get("location")
        if place:
            pairs.add((caller, edge["to"]))
            at = (place["file"], place["line"], place["column"])
            targets[at].add(edge["to"])
            if edge["resolution"] == "exact":
                exact[at].add(edge["to"])

    def owner(ident):
        return ident.rsplit(".", 1)[0]

    def below(child, base, seen=()):
        return child == base or any(below(b, base, (*seen, child)) for b in bases.get(child, ()) if b not in seen)

    def construction(ident):
        return nodes[ident]["name"] in ("__init__", "__new__", "__call__", "__post_init__") if ident in nodes else False

    def all_methods(ident, seen=()):
        own = set(methods.get(ident, ()))
        for base in bases.get(ident, ()):
            if base not in seen:
                own |= all_methods(base, (*seen, ident))
        return own

    def satisfies(callee, protocol):
        """Whether what ran is of a class that has the methods of a protocol, or a function where it has `__call__`."""
        wanted = methods.get(protocol, set())
        return callee in nodes and bool(wanted) and (wanted == {"__call__"} or wanted <= all_methods(owner(callee)))

    decorated = {identify(r["decorated"]) for r in lines if "decorated" in r}

    # What was called at the lines of a definition from the scope around it: its decorators.
    decorators, by_lines = collections.defaultdict(set), collections.defaultdict(list)
    for ident in decorated:
        if ident in nodes:
            by_lines[nodes[ident]["file"]].append(ident)
    for record in trace:
        line, caller = record.get("site", {}).get("line"), identify(record["caller"])
        for ident in by_lines.get(args.prefix + record["caller"]["file"], ()) if line else ():
            around = caller[0] == "module" or ident.startswith(f"{caller}.")
            if around and nodes[ident]["start_line"] <= line <= nodes[ident]["end_line"]:
                decorators[ident].add(identify(record["callee"]))

    def is_wrapped(callee, at):
        """Whether a function ran that a decorator of what the graph has at the place made."""
        outer = callee.rpartition(".<locals>.")[0] if isinstance(callee, str) else ""
        return bool(outer) and any(outer in decorators.get(target, ()) for target in targets.get(at, ()))

    total, hit, misses, unknown = collections.Counter(), collections.Counter(), [], 0
    seen_at, resumed_at, done = collections.defaultdict(set), collections.defaultdict(set), set()
    for record in trace:
        caller, callee = identify(record["caller"]), identify(record["callee"])
        unknown += "no node" in (caller[0], callee[0])
        site = record.get("site", {})
        if "name_line" in site and record["kind"] in ("call", "resumed"):
            at = (args.prefix + record["caller"]["file"], site["name_line"], site["name_column"])
            (seen_at if record["kind"] == "call" else resumed_at)[at].add(callee)
        if record["callee"]["qualname"].endswith(".__del__"):
            continue
        if record["kind"] == "resumed" or (record["kind"], caller, callee) in done:
            continue
        done.add((record["kind"], caller, callee))
        made = construction(callee) and nodes[callee]["name"] != "__call__"
        at = (args.prefix + record["caller"]["file"], site.get("name_line"), site.get("name_column"))
        found = (caller, callee) in pairs or bool(made and (caller, owner(callee)) in pairs)
        found = found or record["kind"] == "call" and is_wrapped(callee, at)
        kinds = [record["kind"]]
        if record["kind"] == "call" and not record["caller"]["file"].startswith(tests):
            kinds.append("library")
        for kind in kinds:
            total[kind] += 1
            hit[kind] += found
        if not found:
            misses.append(record)

    def right_at(target, seen):
        if target in seen or any(construction(s) and below(target, owner(s)) for s in seen):
            return True
        name, of = nodes[target]["name"], target if nodes[target]["kind"] == "interface" else owner(target)
        if of in nodes and nodes[of]["kind"] == "interface":
            made = target == of  # a class that is one of the protocol's, not an object
            ran = [s for s in seen if s in nodes and (made and construction(s) or name in (nodes[s]["name"], "__call__"))]
            if any(satisfies(s, of) for s in ran):
                return True
        return any(s in nodes and nodes[s]["name"] == name and below(owner(s), owner(target)) for s in seen)

    right = wrong = unjudged = sites_found = one = claimed = 0
    errors, widths = [], []
    for at, seen in seen_at.items():
        named = targets.get(at, set())
        sites_found += any(s in named or construction(s) and owner(s) in named or is_wrapped(s, at) for s in seen)
        if len(seen) == 1:
            one += 1
            claimed += any(t in nodes and not nodes[t].get("external") for t in exact.get(at, ()))
        if at in targets:  # a class and the constructor it runs are one target
            widths.append(len([t for t in targets[at] if not construction(t)]) or 1)
        own = sorted(t for t in exact.get(at, ()) if t in nodes and not nodes[t].get("external"))
        functions = [t for t in own if nodes[t]["kind"] not in ("class", "interface") and not construction(t)]
        for target in own:
            surplus = target in functions[1:]
            if not surplus and right_at(target, seen | resumed_at.get(at, set())):
                right += 1
            elif not surplus and target in decorated:
                unjudged += 1
            else:
                wrong += 1
                errors.append((at, target, sorted(map(str, seen))))
    result = {f"recall {k}": (hit[k], total[k]) for k in ("call", "library", "class", "via_c", "implicit")}
    result["recall site"] = (sites_found, len(seen_at))
    result["precision exact"] = (right, right + wrong)
    result["claimed exact"] = (claimed, one)
    result["unjudged exact"] = (unjudged, right + wrong + unjudged)
    result["targets a site"] = (sum(widths), len(widths))
    for name, (part, whole) in result.items():
        print(f"{name:16} {part:7} / {whole:<7} {part / whole if whole else float('nan'):.4f}")
    widths.sort()
    if widths:
        mean, high = sum(widths) / len(widths), widths[min(len(widths) - 1, len(widths) * 99 // 100)]
        print(f"targets a site: mean {mean:.2f}, 99th percentile {high}, over {len(widths)} sites that ran")
    print(f"exact edges to decorated definitions whose wrapper ran: {unjudged}; traced edges with an end that is no node: {unknown}")
    for miss in misses[:args.show]:
        print("miss ", miss["kind"], miss["caller"]["file"], miss.get("site", {}).get("line"), miss["callee"]["qualname"])
    for at, target, seen in errors[:args.show]:
        print("wrong", at, target, "seen:", seen)
    if args.json:
        rows = {k: {"part": p, "whole": w} for k, (p, w) in result.items()}
        rows["targets a site"]["widths"] = collections.Counter(widths)
        json.dump(rows, open(args.json, "w"), indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
