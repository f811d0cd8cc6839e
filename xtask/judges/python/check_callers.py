#!/usr/bin/env python3
"""Checks answers to `callers` on a program of every way to run a function, and the judge of them by mutants.

    python3.11 check_callers.py --binary codeweft [--show N] [--told FILE]

`ways/` is run under the tracer; then a line of `ways/damaged.py` is damaged, and every function that ran is asked for.
Prints `ok` and a line for each check; the first that fails is an error. Wants CPython 3.11, for the tracer does.

- no complete answer lacks a caller that ran
- every reason of incompleteness is needed: switched off, a complete answer lacks a caller that ran
- the judge sees what is taken away: an answer that lacks nothing, without one of its callers that ran, is false where it
  calls itself complete
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

import ask_callers

HERE = os.path.dirname(os.path.abspath(__file__))
DAMAGED = "ways/damaged.py", "return called_in_damaged()", "return called_in_damaged(  ] def"


def check(name, got, expected):
    if got != expected:
        sys.exit(f"FAILED {name}\n  got      {got}\n  expected {expected}")
    print("ok", name)


def traced(root):
    lines = os.path.join(root, "..", "callers.jsonl")
    done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "trace_callers.py"), "--root", root, "--out", lines,
                           "--", "run.py"], cwd=root, capture_output=True, text=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"})
    if done.returncode:
        sys.exit(f"the program ended with {done.returncode}: {done.stderr}")
    with open(lines) as file:
        return file.readlines()


def mutated(judge, kept):
    """Takes the answers that lack nothing, says that they are complete, takes one caller that ran out of each, and
    counts how many are then false, of how many."""
    seen = of = 0
    for key, answer in kept["answers"]:
        told = {**answer, "completeness": {**(answer["completeness"] or {}), "complete": True}}
        if answer["error"] or judge.compare({**kept, "answers": [[key, told]]})["rows"]["lacking"]:
            continue
        names = ask_callers.listed(answer)
        for record in judge.records[tuple(key)]:
            if record["kind"] == "library" or not ask_callers.has(names, record["caller"]):
                continue
            end = record["caller"]["file"], record["caller"]["qualname"]
            less = [one for one in answer["results"] if (one["node"]["file"], ask_callers.qualname(one["node"])) != end]
            of += 1
            seen += judge.compare({**kept, "answers": [[key, {**told, "results": less}]]})["rows"]["lacking"]
            break
    return seen, of


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--show", type=int, default=0, help="print N answers that lack a caller, and N open ones")
    parser.add_argument("--told", help="also write the comparison here")
    args = parser.parse_args()
    if sys.implementation.name != "cpython" or sys.version_info[:2] != (3, 11):
        sys.exit("this wants CPython 3.11")
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(os.path.realpath(folder), "ways")
        shutil.copytree(os.path.join(HERE, "ways"), root)
        judge = ask_callers.Judge(root, traced(root))
        path = os.path.join(root, DAMAGED[0])
        with open(path) as file:
            text = file.read()
        check("the line to damage is there", text.count(DAMAGED[1]), 1)
        with open(path, "w") as file:
            file.write(text.replace(*DAMAGED[1:]))
        session = ask_callers.Session(args.binary, root, None)
        kept = judge.ask(session)
        session.close()
    result = judge.compare(kept)
    if args.told:
        with open(args.told, "w") as file:
            json.dump(result, file, indent=1)
    rows = result["rows"]
    for one in result["false"][:args.show]:
        print("lacks", one["cause"], "|", one["callee"], "|", one["caller"], one["site"])
    for key, answer in kept["answers"][:args.show and None]:
        told = answer["completeness"]
        if args.show and told and not told["complete"]:
            print("open", answer["target"], told.get("by_reason") or told["first"])
    for reason, mutant in sorted(result["mutants"].items()):
        print(f"muted {reason}: {mutant['complete']} more complete, {mutant['lacking']} of them lack a caller")
    print(f"{rows['functions']} functions ran, {rows['asked']} answers, {rows['complete']} complete")
    check("every function that ran is asked for", (rows["asked"] + rows["unplaced"] == rows["ran"], sum(result["errors"].values())),
          (True, 0))
    seen, of = mutated(judge, kept)
    check("a caller less is a false answer", (seen == of, of >= 100), (True, True))
    check("no complete answer lacks a caller that ran", [one["callee"] for one in result["false"]], [])
    unseen = [reason for reason in ask_callers.REASONS if not result["mutants"].get(reason, {}).get("lacking")]
    check("every reason is needed", unseen, [])
    return 0


if __name__ == "__main__":
    sys.exit(main())
