"""Runs the tests of a Python project."""

import json
import os
import pathlib
import subprocess
import tempfile

from verdict import Run, Test

HERE = pathlib.Path(__file__).parent


def environment_of(folder, virtual_environment):
    variables = dict(os.environ)
    paths = [HERE, folder / "src" if (folder / "src").is_dir() else folder]
    variables["PYTHONPATH"] = os.pathsep.join(str(path) for path in paths)
    variables["PYTHONDONTWRITEBYTECODE"] = "1"
    variables["PYTHONHASHSEED"] = "0"
    variables["VIRTUAL_ENV"] = str(virtual_environment)
    variables["PATH"] = f"{virtual_environment}/bin{os.pathsep}{variables['PATH']}"
    return variables


def run(folder, virtual_environment, seconds, only=None):
    """Runs all tests, or those of some files."""
    command = [f"{virtual_environment}/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-p", "outcomes", "--continue-on-collection-errors", *sorted(only or [])]
    result = Run()
    with tempfile.NamedTemporaryFile("r", suffix=".jsonl") as file:
        variables = environment_of(folder, virtual_environment)
        variables["OUTCOMES"] = file.name
        try:
            done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True,
                                  timeout=seconds, check=False, errors="replace")
            if done.returncode not in (0, 1):
                lines = (done.stdout + done.stderr).strip().splitlines()
                result.note = f"pytest ended with {done.returncode}: {lines[-1] if lines else ''}"
            if done.returncode in (3, 4):  # a conftest.py that cannot be imported
                result.unbuilt.add("")
        except subprocess.TimeoutExpired:
            result.note = f"ended after {seconds} s"
        rows = [json.loads(line) for line in file]
    for row in rows:
        if row["outcome"] == "import":
            result.unbuilt.add(row["file"])
            continue
        test = Test(row["id"], row["file"], row["name"] and row["name"].replace(".<locals>", ""), row["id"].split("::")[0])
        # A failure of a later phase counts.
        if result.outcomes.get(test) != "fail":
            result.outcomes[test] = row["outcome"]
    return result
