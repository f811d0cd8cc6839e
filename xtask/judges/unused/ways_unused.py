"""Checks on small programs (xtask/judges/python/ways), each of which runs functions in ways of its kind,
that nothing which ran is listed as unused and complete.

    python3.11 ways_unused.py --codeweft BIN [--show]
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = HERE.parent / "python"


def programs():
    """Returns each program as the files of a tree, with the arguments that run it."""
    for entry in sorted((PYTHON / "ways").iterdir()):
        if entry.suffix == ".py":
            yield entry.stem, [entry], ["main.py"]
        elif (entry / "main.py").exists():
            yield entry.name, list(entry.iterdir()), ["main.py"]
        elif list(entry.glob("test_*.py")):
            yield entry.name, list(entry.iterdir()), ["-m", "pytest", "-q"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    wrong = ran_in_all = listed_in_all = 0
    for name, files, run in programs():
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder) / "tree"
            tree.mkdir()
            for file in files:
                target = tree / ("main.py" if len(files) == 1 else file.name)
                (shutil.copytree if file.is_dir() else shutil.copy)(file, target)
            trace = pathlib.Path(folder) / "calls.jsonl"
            subprocess.run(
                [sys.executable, "-B", PYTHON / "trace_calls.py", "--root", tree, "--out", trace, "--", *run],
                cwd=tree,
                capture_output=True,
                check=False,
            )
            if not trace.exists():
                print(f"{name}: did not run")
                continue
            rows = [json.loads(line) for line in trace.open()]
            rows = [row for row in rows if "callee" in row]
            ran = {(row[side]["file"], row[side]["line"]) for row in rows for side in ("caller", "callee")}
            done = subprocess.run(
                [arguments.codeweft, "analyze", "unused_symbols", "--json", "--max-results", "500"],
                cwd=tree,
                capture_output=True,
                text=True,
                check=False,
            )
            items = json.loads(done.stdout)["symbols"]["items"]
            complete = [item for item in items if item["completeness"]["complete"]]
            bad = [item for item in complete if (item["file"], item["start_line"]) in ran]
            ran_in_all += len(ran)
            listed_in_all += len(complete)
            wrong += len(bad)
            for item in bad:
                print(f"{name}: {item['id']} ran, and is listed as complete")
            if arguments.show:
                for item in items:
                    print(f"   {name} {item['id']} {item['reason']} {item['completeness']}")
    print(f"ran {ran_in_all}, listed as complete {listed_in_all}, of them ran {wrong}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
