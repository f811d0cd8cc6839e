#!/usr/bin/env python3
"""Compare the answers to `callees` that call themselves complete with what was seen to run.

    python ask_callees.py TREE callers.jsonl --binary codeweft [--environment VENV] [--show N] [--json FILE]

callers.jsonl is what trace_callers.py wrote of TREE. One `codeweft mcp` is asked for the callees of every function of
the tree that was seen to call one, at the place of its name. An answer that says `completeness.complete: true` has to
list every function of the tree that ran for

call       a call expression in it
implicit   an operator, property, `with` or iteration in it
via_c      a C function that it called and that called back: sorted(key=f), len(x)

Where a constructor ran, the answer has to list the class or the constructor. `__del__` that nobody calls by its name
is left out, as in ask_callers.py: the collector runs it.
"""
import argparse
import collections
import json
import os
import sys
import time

from ask_callers import LISTED, Session, cause, declarations, has, listed

KINDS = ("call", "implicit", "via_c")


def named(record):
    """The callee, and the class that was made if the call ran its constructor."""
    made = record.get("made")
    return [record["callee"], *([made] if made else [])]


def lists(names, record):
    """Whether an answer lists what a record says ran: for a constructor its class will do."""
    end = record["callee"]
    owner, _, last = end["qualname"].rpartition(".")
    if any(has(names, one) for one in named(record)):
        return True
    return last in ("__init__", "__new__", "__post_init__") and has(names, {"file": end["file"], "qualname": owner})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tree")
    parser.add_argument("trace")
    parser.add_argument("--binary", default="codeweft")
    parser.add_argument("--environment")
    parser.add_argument("--show", type=int, default=0, help="print N answers that lack a callee")
    parser.add_argument("--json")
    args = parser.parse_args()
    records = collections.defaultdict(list)
    with open(args.trace) as trace:
        for line in trace:
            record = json.loads(line)
            caller = record["caller"]
            # Generated code stands between, and what it calls is no text of the caller.
            collected = record["callee"]["qualname"].endswith("__del__") and record.get("name") != "__del__"
            if record["kind"] in KINDS and not collected and "line" in caller and not os.path.isabs(caller["file"]) and not record.get("generated"):
                records[caller["file"], caller["qualname"], caller["line"]].append(record)
    places = declarations(args.tree, sorted({key[0] for key in records} | {r["callee"]["file"] for all in records.values() for r in all}))
    session = Session(args.binary, args.tree, args.environment)
    rows, reasons, false, causes = collections.Counter(), collections.Counter(), [], collections.Counter()
    started = time.time()
    for key, ran in sorted(records.items()):
        file, name, first = key
        place = places[file].get((name, first))
        if place is None or name == "<module>":
            rows["unplaced"] += 1
            continue
        answer = session.ask(operation="callees", target=f"{file}:{place[0]}:{place[1]}", depth=1,
                             max_results=LISTED, include_context=False)
        if answer.get("error_type"):
            rows["error " + answer["error_type"]] += 1
            continue
        rows["asked"] += 1
        completeness = answer["completeness"]
        names = listed(answer)
        missing = [record for record in ran if not lists(names, record)]
        rows["lacking, complete or not"] += bool(missing)
        if not completeness["complete"]:
            reasons[(completeness.get("first") or [{}])[0].get("reason", "no reason")] += 1
            continue
        rows["complete"] += 1
        if answer["truncated"] or not missing:
            continue
        rows["lacking"] += 1
        record = missing[0]
        callee = record["callee"]
        place = places[callee["file"]].get((callee["qualname"], callee["line"]))
        why = cause(record, place[2] if place else [])
        causes[record["kind"], why] += 1
        false.append({"kind": record["kind"], "cause": why, "caller": answer["target"], "callee": callee["qualname"],
                      "site": f"{file}:{record.get('lines', ['?'])[0]}", "lacking": len(missing)})
    session.close()
    for row in ("asked", "complete", "lacking", "lacking, complete or not", "unplaced"):
        print(f"{row:30} {rows[row]:7}")
    for row, count in rows.items():
        if row.startswith("error"):
            print(row, count)
    print(f"{time.time() - started:.0f} s")
    for reason, count in reasons.most_common():
        print(f"not complete, first for {reason}: {count}")
    for (kind, why), count in causes.most_common():
        print(f"lacking {count:5} {kind}: {why}")
    for one in false[:args.show]:
        print(f"false complete\t{one['kind']}: {one['cause']}\t{one['caller']} lacks {one['callee']} at {one['site']}")
    if args.json:
        with open(args.json, "w") as file:
            json.dump({"rows": rows, "reasons": reasons, "false": false}, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
