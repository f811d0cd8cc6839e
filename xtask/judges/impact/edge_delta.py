"""Compares the edges that `codeweft impact --diff A..B` says come and go with those by which fresh exports of
both revisions differ.

    python3 edge_delta.py --codeweft BIN --repositories DIR [--count N] [--only NAME ...] [--show N] [--out FILE]
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import history

MOST = 500
FIELDS = ("from", "to", "type", "kind", "resolution", "receiver", "type_args", "test", "reason", "in_literal",
          "of_literal")


def key(row):
    """Returns what is compared of an edge: all but its position."""
    values = (row.get(field) for field in FIELDS)
    return tuple(tuple(value) if isinstance(value, list) else value or None for value in values)


def exported(arguments, folder, variables):
    """Returns the edges of an export. A call with a reason leads to what an interface or a function value may run;
    changes do not list these."""
    file = pathlib.Path(arguments.work) / "export.json"
    command = [arguments.codeweft, "export", "--quiet", "--root", str(folder), "--output", str(file)]
    command += ["--edges", "calls,embeds,implements,imports,references"]
    subprocess.run(command, env=variables, check=True, capture_output=True)
    rows = json.loads(file.read_text())["edges"]
    return {key(row) for row in rows if row["type"] != "calls" or not row.get("reason")}


def judge(arguments, repository, commit):
    print(f"{repository.name} {commit.short()} {commit.subject[:70]}", flush=True)
    variables = dict(os.environ)
    if arguments.environment:
        variables["VIRTUAL_ENV"] = str(arguments.environment)
    checkout = history.Checkout(repository, arguments.work)
    checkout.at(commit.parent)
    before = exported(arguments, checkout.folder, variables)
    checkout.at(commit.number)
    after = exported(arguments, checkout.folder, variables)
    command = [arguments.codeweft, "impact", "--diff", f"{commit.parent}..{commit.number}", "--json", "--disk"]
    command += ["--quiet", "--max-results", str(MOST), "--root", str(checkout.folder)]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    row = {"repository": repository.name, "commit": commit.number, "subject": commit.subject, "differences": []}
    if done.returncode not in (0, 1):
        row["refused"] = (done.stdout + done.stderr).strip()[:400]
        print(f"  refused: {row['refused']}")
        return row
    change = json.loads(done.stdout)["change"]
    for side, wanted in (("added", after - before), ("removed", before - after)):
        rows, total = change[f"{side}_edges"], change[f"{side}_edges_total"]
        ours = {key(one) for one in rows}
        wrong = [("not exported", one) for one in ours - wanted]
        is_cut = total > len(rows)
        if not is_cut:
            wrong += [("not of the change", one) for one in wanted - ours]
        if not is_cut and len(ours) != total:
            wrong += [("listed twice", ())]
        if total != len(wanted):
            wrong += [("total", (total, len(wanted)))]
        row[side] = {"exports": len(wanted), "change": total, "listed": len(rows)}
        row["differences"] += [[side, why, list(one)] for why, one in wrong]
        print(f"  {side}: {total} of the change, {len(wanted)} of the exports{', cut' if is_cut else ''}; "
              f"{len(wrong)} differences", flush=True)
    for side, why, one in row["differences"][: arguments.show]:
        print(f"  DIFFERS {side}, {why}: {one}")
    return row


def print_totals(rows):
    print("\nrepository    commits  added  removed  cut  commits that differ  differences  refused")
    names = sorted({row["repository"] for row in rows})
    for name in [*names, "all"]:
        mine = [row for row in rows if name in ("all", row["repository"])]
        sides = [row[side] for row in mine for side in ("added", "removed") if side in row]
        total = collections.Counter()
        for row in mine:
            for side in ("added", "removed"):
                total[side] += row.get(side, {}).get("exports", 0)
        cut = sum(side["listed"] < side["change"] for side in sides)
        print(f"{name:12}  {len(mine):7}  {total['added']:5}  {total['removed']:7}  {cut:3}  "
              f"{sum(bool(row['differences']) for row in mine):19}  "
              f"{sum(len(row['differences']) for row in mine):11}  {sum('refused' in row for row in mine):7}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--codeweft", required=True, type=os.path.abspath)
    parser.add_argument("--repositories", required=True)
    parser.add_argument("--environment", type=os.path.abspath, help="a virtual environment")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--commit", help="only this commit, of the repository of --only")
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "judge-edges"))
    parser.add_argument("--out", type=os.path.abspath, help="also append what is found here, as lines of JSON")
    arguments = parser.parse_args()
    found = history.repositories(arguments.repositories, arguments.only)
    count = 1 << 30 if arguments.commit else arguments.count
    pairs = history.chosen(found, count, history.Repository.commits_of_sources)
    rows = []
    for repository, commit in pairs:
        if arguments.commit and not commit.number.startswith(arguments.commit):
            continue
        row = judge(arguments, repository, commit)
        rows.append(row)
        if arguments.out:
            with open(arguments.out, "a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")
    print_totals(rows)
    return 4 if any(row["differences"] or "refused" in row for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
