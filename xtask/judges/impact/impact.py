"""Judges the tests that `codeweft impact --patch` lists by running them.

    python3 impact.py --codeweft BIN --repositories DIR --environment VENV [--go N] [--python N] [--only NAME ...]
                      [--out FILE]

For a commit, the tests are run as it left them, with its sources and with those of its parent. Each test whose
outcome differs must be listed for the patch from one to the other.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import go_tests
import history
import python_tests
from verdict import JUDGED, difference

MOST = 500
SECONDS = 300
RUNNERS = {"go": go_tests, "python": python_tests}


class Refused(Exception):
    """What `codeweft` says where it gives no answer."""


class Listed:
    """The tests that are listed for a patch, by file and name, each with whether it is only possible."""

    def __init__(self):
        self.tests = {}
        self.certain = 0
        self.total = 0
        self.asked = 0

    def add(self, change):
        for test in change["tests"]:
            key = (test["file"], test["id"])
            self.tests[key] = self.tests.get(key, True) and test.get("possible", False)

    def find(self, test):
        """Returns "certain" or "possible"; `None` for a test that is not listed."""
        for (file, number), possible in self.tests.items():
            if file == test.file and (number == test.name or number.endswith(f".{test.name}")):
                return "possible" if possible else "certain"
        return None


def ask(arguments, folder, patch):
    command = [arguments.codeweft, "impact", "--patch", "-", "--json", "--disk", "--quiet", "--root", str(folder)]
    environment = dict(os.environ)
    if arguments.environment:
        environment["VIRTUAL_ENV"] = str(arguments.environment)
    done = subprocess.run([*command, "--max-results", str(MOST)], input=patch, env=environment,
                          capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise Refused((done.stdout + done.stderr).decode(errors="replace").strip()[:400])
    return json.loads(done.stdout)["change"]


def listed(arguments, checkout, repository, commit, patch):
    """Asks for the tests. Where the list is cut, it is asked for again with a part of the files with tests only."""
    answer = Listed()
    change = ask(arguments, checkout.folder, patch)
    answer.total, answer.certain = change["tests_total"], change["tests_certain"]
    paths = history.git(checkout.folder, "ls-files").splitlines()
    name = pathlib.PurePosixPath
    files = [path for path in paths if repository.is_source(path) and repository.is_test(path)]
    files = [path for path in files if name(path).name not in ("conftest.py", "__init__.py")]

    def part(kept):
        gone = [path for path in files if path not in kept]
        for path in gone:
            (checkout.folder / path).unlink()
        change = ask(arguments, checkout.folder, patch)
        history.git(checkout.folder, "checkout", "--quiet", "--", *gone)
        answer.asked += 1
        answer.add(change)
        if change["tests_total"] > len(change["tests"]):
            half = len(kept) // 2
            if half:
                part(kept[:half])
                part(kept[half:])
            else:
                print(f"  note: the list of {kept} is cut")

    answer.add(change)
    if change["tests_total"] > len(change["tests"]):
        part(files[: len(files) // 2])
        part(files[len(files) // 2 :])
    return answer


def confirmed(arguments, runner, checkout, commit, reverse, differ):
    """Returns the tests that differ in a second pair of runs, too."""
    doubted = [test for test, kind in differ.items() if kind in ("run", "other")]
    if not doubted:
        return differ, 0
    groups = {test.group for test in doubted}
    without = runner.run(checkout.folder, arguments.environment, SECONDS, groups)
    checkout.at(commit.number)
    at = runner.run(checkout.folder, arguments.environment, SECONDS, groups)
    again = {test.id for test in difference(at, without)}
    kept = {test: kind for test, kind in differ.items() if test not in doubted or test.id in again}
    return kept, len(differ) - len(kept)


def one_of_each(tests):
    """Returns one of the tests that run the same function."""
    return {(test.file, test.name): test for test in tests if test.name}.values()


def judge(arguments, repository, commit):
    print(f"{repository.name} {commit.short()} {commit.subject[:70]}", flush=True)
    runner = RUNNERS[repository.language]
    checkout = history.Checkout(repository, arguments.work)
    checkout.at(commit.number)
    paths = [path for _, path in commit.files if not repository.is_test(path)]
    ends = [commit.number, commit.parent, "--", *paths]
    patch = history.git(checkout.folder, "diff", *ends, text=False)
    reverse = history.git(checkout.folder, "diff", "--binary", "--no-renames", *ends, text=False)
    row = {"repository": repository.name, "commit": commit.number, "subject": commit.subject}
    answer = Listed()
    try:
        answer = listed(arguments, checkout, repository, commit, patch)
    except Refused as why:
        row["refused"] = str(why)
        print(f"  refused: {why}")
    checkout.at(commit.number)
    at = runner.run(checkout.folder, arguments.environment, SECONDS)
    checkout.at(commit.number)
    checkout.apply(reverse)
    without = runner.run(checkout.folder, arguments.environment, SECONDS)
    for word, run in (("with the change", at), ("without it", without)):
        if run.note:
            print(f"  note: {word}: {run.note}")
    differ, unsteady = confirmed(arguments, runner, checkout, commit, reverse, difference(at, without))
    functions = one_of_each(at.outcomes)
    found = collections.Counter()
    kinds = {}
    missing = {}
    for test, kind in differ.items():
        if not test.name:
            print(f"  note: no function: {test.id}")
            continue
        key = (test.file, test.name)
        kinds.setdefault(key, kind)
        how = answer.find(test)
        if how is None:
            missing[key] = kind
    found.update(kinds.values())
    how = collections.Counter(answer.find(test) for test in one_of_each(at.outcomes))
    how_failing = collections.Counter(answer.find(test) for test in one_of_each(differ))
    row.update(
        tests=len(functions), fail=dict(found), listed=answer.total, certain=answer.certain,
        run_and_listed=how["certain"] + how["possible"], run_and_certain=how["certain"],
        failing_certain=how_failing["certain"], failing_possible=how_failing["possible"], unsteady=unsteady,
        asked_in_parts=answer.asked, union=len(answer.tests),
        missing=[[file, name, kind] for (file, name), kind in sorted(missing.items())],
    )
    words = ", ".join(f"{count} {kind}" for kind, count in sorted(found.items())) or "none"
    print(f"  fail by the change: {words}; listed {answer.total} of {len(functions)}: {answer.certain} certain, "
          f"{answer.total - answer.certain} possible; missing "
          f"{sum(kind in JUDGED for kind in missing.values())}", flush=True)
    if answer.asked:
        print(f"  the list was cut at {MOST}; asked in {answer.asked} parts, which have {len(answer.tests)}")
    if unsteady:
        print(f"  {unsteady} differed in one pair of runs only")
    for (file, name), kind in sorted(missing.items()):
        if kind in JUDGED:
            print(f"  MISSING {kind} {file} {name}")
    return row


def print_totals(rows):
    print("\nrepository    commits  with failing  run  compile  module  missing  package (missing)  other (missing)"
          "  tests  listed  certain")
    names = sorted({row["repository"] for row in rows})
    for name in [*names, "all"]:
        mine = [row for row in rows if name in ("all", row["repository"])]

        def fail(kind):
            return sum(row["fail"].get(kind, 0) for row in mine)

        def missing(kinds):
            return sum(kind in kinds for row in mine for _, _, kind in row["missing"])

        with_failing = sum(any(row["fail"].get(kind) for kind in JUDGED) for row in mine)
        tests = sum(row["tests"] for row in mine) or 1
        total, certain = (sum(row[field] for row in mine) for field in ("run_and_listed", "run_and_certain"))
        apart = "  ".join(f"{fail(kind):7} {missing([kind]):9}" for kind in ("package", "other"))
        print(f"{name:12}  {len(mine):7}  {with_failing:12}  {fail('run'):3}  {fail('compile'):7}  "
              f"{fail('module'):6}  {missing(JUDGED):7}  {apart}  {tests:5}  {total / tests:6.1%}  "
              f"{certain / tests:7.1%}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--codeweft", required=True, type=os.path.abspath)
    parser.add_argument("--repositories", required=True)
    parser.add_argument("--environment", type=os.path.abspath, help="a virtual environment with requirements.txt")
    parser.add_argument("--go", type=int, default=7)
    parser.add_argument("--python", type=int, default=13)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--commit", help="only this commit, of the repository of --only")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "judge-impact"))
    parser.add_argument("--out", type=os.path.abspath, help="also append what is found here, as lines of JSON")
    arguments = parser.parse_args()
    found = history.repositories(arguments.repositories, arguments.only)
    if arguments.python and not arguments.environment and any(one.language == "python" for one in found):
        print("skipped Python: --environment names no virtual environment")
        arguments.python = 0
    rows = []
    for language, count in (("go", arguments.go), ("python", arguments.python)):
        of_rule = history.Repository.commits_with_tests
        if arguments.commit:
            count = 1 << 30
        of_language = [one for one in found if one.language == language]
        for repository, commit in history.chosen(of_language, count, of_rule):
            if arguments.commit and not commit.number.startswith(arguments.commit):
                continue
            row = judge(arguments, repository, commit)
            rows.append(row)
            if arguments.out:
                with open(arguments.out, "a", encoding="utf-8") as out:
                    out.write(json.dumps(row) + "\n")
    print_totals(rows)
    bad = sum(kind in JUDGED for row in rows for _, _, kind in row["missing"]) + sum("refused" in row for row in rows)
    return 4 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
