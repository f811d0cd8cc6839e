#!/usr/bin/env python3
"""Checks answers to `callers` on programs of every way to run a function, and the judge of them by mutants.

    python3.11 check_callers.py --binary codeweft [--only NAME] [--show] [--told FILE]

Each program of `ways/`, a file or a folder with `main.py`, is run under the tracer as a tree of its own; the modules of
`ways/outside` can be imported and are in no tree. Then a line of `damaged_text/main.py` is damaged, and every function
that ran is asked for. Prints `ok` and a line for each check; the first that fails is an error. Wants CPython 3.11, for
the tracer does.

- no complete answer lacks a caller that ran
- every reason of incompleteness is needed: switched off, a complete answer lacks a caller that ran
- the judge sees what is taken away: an answer that lacks nothing, without one of its callers that ran, is false where it
  calls itself complete
"""
import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

import ask_callers

HERE = os.path.dirname(os.path.abspath(__file__))
DAMAGED = "damaged_text", "return called_in_damaged()", "return called_in_damaged(  ] def"


def check(name, got, expected):
    if got != expected:
        sys.exit(f"FAILED {name}\n  got      {got}\n  expected {expected}")
    print("ok", name)


def programs():
    """Name, folder or file, and the file to run."""
    ways = os.path.join(HERE, "ways")
    for name in sorted(os.listdir(ways)):
        path = os.path.join(ways, name)
        if os.path.isfile(os.path.join(path, "main.py")):
            yield name, path, "main.py"
        elif name.endswith(".py"):
            yield name[:-3], path, name


def traced(root, program):
    lines = root + ".jsonl"
    outside = os.path.join(os.path.dirname(root), "outside")
    done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "trace_callers.py"), "--root", root, "--out", lines,
                           "--", program], cwd=root, capture_output=True, text=True,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONPATH": outside})
    if done.returncode:
        sys.exit(f"{root} ended with {done.returncode}: {done.stderr}")
    with open(lines) as file:
        return file.readlines()


def asked(folder, name, path, program, binary):
    """The judge of a program, and the answers about it."""
    root = os.path.join(folder, name)
    if os.path.isdir(path):
        shutil.copytree(path, root)
    else:
        os.mkdir(root)
        shutil.copy(path, root)
    judge = ask_callers.Judge(root, traced(root, program))
    if name == DAMAGED[0]:
        with open(os.path.join(root, program)) as file:
            text = file.read()
        check("the line to damage is there", text.count(DAMAGED[1]), 1)
        with open(os.path.join(root, program), "w") as file:
            file.write(text.replace(*DAMAGED[1:]))
    session = ask_callers.Session(binary, root, None)
    kept = judge.ask(session)
    session.close()
    return judge, kept


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


def tell(name, judge, kept, result):
    for one in result["false"]:
        print(f"{name}: FALSE {one['callee']} lacks {one['caller']} {one['site']} ({one['cause']})")
    for key, answer in kept["answers"]:
        told = answer["completeness"]
        if told and not told["complete"]:
            found = judge.lacking(tuple(key), answer, kept["held"])
            lacks = [kind for kind in ask_callers.ORDER if found[kind]]
            print(f"{name}: open {answer['target']} lacks {lacks} {told.get('by_reason') or told['first']}")
        elif told:
            print(f"{name}: complete {answer['target']}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--only", help="one program alone")
    parser.add_argument("--show", action="store_true", help="print what is complete, what is open and why")
    parser.add_argument("--told", help="also write the comparison here")
    args = parser.parse_args()
    if sys.implementation.name != "cpython" or sys.version_info[:2] != (3, 11):
        sys.exit("this wants CPython 3.11")
    rows, false, mutants, seen, of, wrong = collections.Counter(), [], collections.defaultdict(collections.Counter), 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        folder = os.path.realpath(folder)
        shutil.copytree(os.path.join(HERE, "ways", "outside"), os.path.join(folder, "outside"))
        for name, path, program in programs():
            if args.only not in (None, name):
                continue
            judge, kept = asked(folder, name, path, program, args.binary)
            result = judge.compare(kept)
            rows.update(result["rows"])
            false += [(name, one) for one in result["false"]]
            wrong += [(name, what) for what in result["errors"]]
            for reason, mutant in result["mutants"].items():
                mutants[reason].update(complete=mutant["complete"], lacking=mutant["lacking"])
            part = mutated(judge, kept)
            seen, of = seen + part[0], of + part[1]
            if args.show:
                tell(name, judge, kept, result)
    if args.told:
        with open(args.told, "w") as file:
            json.dump({"rows": rows, "reasons": {}, "false": [one for _, one in false], "mutants": mutants}, file)
    for reason, mutant in sorted(mutants.items()):
        print(f"muted {reason}: {mutant['complete']} more complete, {mutant['lacking']} of them lack a caller")
    print(f"{rows['functions']} functions ran, {rows['asked']} answers, {rows['complete']} complete")
    check("every function that ran is asked for", (rows["ran"] - rows["asked"] - rows["unplaced"], wrong), (0, []))
    check("a caller less is a false answer", seen == of > 0, True)
    wrong = [(name, one["callee"], one["cause"]) for name, one in false]
    check("no complete answer lacks a caller that ran", wrong, [])
    unseen = [reason for reason in ask_callers.REASONS if not mutants[reason]["lacking"]]
    check("every reason is needed", unseen, [])
    return 0


if __name__ == "__main__":
    sys.exit(main())
