#!/usr/bin/env python3
"""Score what an export says may run at calls against x/tools' variable type analysis (vta).

    python3 dispatch.py code-graph.json callgraph.jsonl [--show N] [--json FILE] [--mutate SHARE]

code-graph.json: what `codeweft export --format json` writes. callgraph.jsonl: what `callgraph/` prints of one
command. Both name places alike, so sites and targets are compared by place.

Judged are the sites in the workspace's files, in functions that vta reaches from the command; none of them is
in a test. Our targets are counted where they are declared in packages that the command links, outside of tests.
Each kind of site has figures of its own:

dispatch          calls of interface methods: vta's methods that we have as `dispatch`
type parameters   calls of a constraint's methods: as `dispatch`, or as `exact`
values            calls of function values: vta's declared functions and methods that we have as `value`
literals          the same calls, vta's function literals, each by the declared function that holds it
either            the two together

recall is the share of vta's targets that we have. size is our targets and vta's at all of these sites, those
where vta has none included. --mutate turns that share of our targets to others first.
"""
import argparse
import collections
import json
import random
import sys

from references import plain

KINDS = ("dispatch", "type parameters", "values", "literals", "either")


def folder(file):
    return file.rpartition("/")[0]


def file_of(place):
    return place.rsplit(":", 2)[0]


def places(nodes):
    """Where nodes are declared: `file:line:column`, `in FOLDER` for packages, `id:…` without a place."""
    spot = {}
    for node in nodes:
        if node["kind"] == "package":
            spot[node["id"]] = "in " + folder(node.get("file") or "")
        elif node.get("file") and node.get("name_line"):
            spot[node["id"]] = f'{node["file"]}:{node["name_line"]}:{node["name_column"]}'
        else:
            spot[node["id"]] = "id:" + plain(node["id"])
    return spot


def targets_of(edges, spot, sites, mutate):
    """What our edges say at sites: by place and resolution the places of targets."""
    ours = collections.defaultdict(lambda: collections.defaultdict(set))
    for edge in edges:
        at = edge.get("location")
        if edge["type"] == "calls" and at:
            at = f'{at["file"]}:{at["line"]}:{at["column"]}'
            if at in sites:
                ours[at][edge.get("resolution")].add(spot.get(edge["to"], "id:" + plain(edge["to"])))
    if mutate:
        lot = random.Random(1)
        declared = sorted(place for place in spot.values() if ":" in place)
        for at in sorted(ours):
            for resolution, here in ours[at].items():
                ours[at][resolution] = {lot.choice(declared) if lot.random() < mutate else one
                                        for one in sorted(here)}
    return ours


def score(nodes, edges, records, mutate=0.0):
    """The rows of the score, and the differences by what they are."""
    spot = places(node for node in nodes if node.get("language", "go") == "go")
    folders = {record["pkg"]: record["folder"] for record in records if record["k"] == "dep"}
    linked = set(folders.values())

    def key(target):
        if target["id"].endswith(".<vars>"):
            return "in " + folders[target["id"].removesuffix(".<vars>")]
        return target["def"] or "id:" + plain(target["id"])

    sites = {}
    for record in records:
        if record["k"] != "site" or record["at"].startswith("/"):
            continue
        # Functions that differ in their type arguments only are one, and so are their sites.
        site = sites.setdefault(record["at"], {"kind": record["kind"], "declared": set(), "literals": set()})
        site["what"] = record.get("callee", "a function value")
        for target in record["targets"]:
            site["literals" if target.get("literal") else "declared"].add(key(target))
    names = {place: ident for ident, place in spot.items()}
    ours = targets_of(edges, spot, sites, mutate)

    def counted(targets):
        return {one for one in targets if one.startswith("in ") and one[3:] in linked or one.startswith("id:")
                or folder(file_of(one)) in linked and not file_of(one).endswith("_test.go")}

    sums, shown = collections.Counter(), collections.defaultdict(list)
    for at, site in sorted(sites.items()):
        have = ours.get(at, {})
        declared, literals = site["declared"], site["literals"]
        run, value = have.get("dispatch", set()), have.get("value", set())
        if site["kind"] == "interface":
            judged = [("dispatch", declared, run, counted(run))]
        elif site["kind"] == "typeparam":
            judged = [("type parameters", declared, run | have.get("exact", set()), counted(run))]
        elif site["kind"] == "value":
            # One of ours may stand for a literal in that function, or for itself.
            judged = [("values", declared, value, counted(value - (literals - declared))),
                      ("literals", literals, value, counted(value & literals)),
                      ("either", declared | literals, value, counted(value))]
        else:
            continue
        for kind, theirs, mine, size in judged:
            sums[kind, "found"] += len(theirs & mine)
            sums[kind, "theirs"] += len(theirs)
            sums[kind, "ours"] += len(size)
            sums[kind, "sites"] += 1
            sums[kind, "sites with a target"] += bool(theirs)
            if kind == "either":
                continue
            for place in sorted(theirs - mine):
                shown["missed, " + kind].append((at, site["what"], names.get(place, "?"), place,
                                                 f"{len(size)} for {len(theirs)}"))
            if len(size) > 2 * len(theirs) + 2:
                shown["too many, " + kind].append((at, site["what"], f"{len(size)} for {len(theirs)}",
                                                   *(names.get(one, one) for one in sorted(size - theirs)[:4])))
    rows = {}
    for kind in KINDS:
        rows[f"recall {kind}"] = (sums[kind, "found"], sums[kind, "theirs"])
        rows[f"size {kind}"] = (sums[kind, "ours"], sums[kind, "theirs"])
    for kind in ("dispatch", "type parameters", "either"):
        rows[f"sites with a target, {kind}"] = (sums[kind, "sites with a target"], sums[kind, "sites"])
    return rows, shown


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("graph")
    parser.add_argument("callgraph")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--json")
    parser.add_argument("--mutate", type=float, default=0.0)
    args = parser.parse_args()
    with open(args.graph) as file:
        graph = json.load(file)
    with open(args.callgraph) as lines:
        records = [json.loads(line) for line in lines]
    rows, shown = score(graph["nodes"], graph["edges"], records, args.mutate)
    for name, (part, whole) in rows.items():
        print(f"{name:34} {part:8} / {whole:<8} {part / whole if whole else float('nan'):.5f}")
    for name, differences in sorted(shown.items()):
        for row in differences[:args.show]:
            print(name, *row, sep="\t")
    if args.json:
        with open(args.json, "w") as file:
            json.dump({k: {"part": p, "whole": w} for k, (p, w) in rows.items()}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
