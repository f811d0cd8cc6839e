"""Runs the tests of a Go module."""

import json
import os
import re
import subprocess
import time

import go_repair
from verdict import Run, Test

DECLARED = re.compile(r"^func\s+((?:Test|Example|Fuzz|Benchmark)\w*)\s*\(", re.MULTILINE)
# A run that a panic ends is repeated without the tests that ran, at most so often.
REPEATS = 12


def variables():
    return {**os.environ, "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOWORK": "off"}


def ask(folder, *words):
    done = subprocess.run(["go", *words], cwd=folder, env=variables(), capture_output=True, text=True, check=False)
    return done.stdout


def declared_in(folder):
    """Returns the file of each test by its folder and name."""
    found = {}
    for path in folder.rglob("*_test.go"):
        file = path.relative_to(folder)
        for name in DECLARED.findall(path.read_text(errors="replace")):
            found[file.parent.as_posix(), name] = file.as_posix()
    return found


def run(folder, _environment, seconds, only=None):
    """Runs all tests, or those of some packages, named by their folders."""
    result = run_as_is(folder, seconds, only)
    unbuilt = result.unbuilt
    if unbuilt:
        gone = go_repair.repair(folder, [f"./{one}" for one in sorted(unbuilt)], variables())
        again = run_as_is(folder, seconds, unbuilt)
        result.outcomes.update(again.outcomes)
        result.unbuilt = again.unbuilt
        result.note = result.note or again.note
        result.broken = {key for key in gone if as_package(key[0]) not in again.unbuilt}
    return result


def as_package(file):
    return file.rpartition("/")[0] or "."


def run_as_is(folder, seconds, only):
    module = ask(folder, "list", "-m").strip()
    files = declared_in(folder)
    result = Run()
    end = time.monotonic() + seconds
    open_packages = {f"./{one}" for one in only} if only else {"./..."}
    seen = {}  # the tests that ran, by package
    for _ in range(REPEATS):
        again = set()
        for packages, names in rounds(open_packages, seen):
            failed = one_run(folder, packages, names, end, module, files, result, seen)
            again |= failed
        if not again or time.monotonic() > end:
            break
        open_packages = again
    return result


def rounds(packages, seen):
    """Returns the packages of each run with the tests that it leaves out."""
    if packages & set(seen):
        return [([package], seen.get(package, set())) for package in sorted(packages)]
    return [(sorted(packages), set())]


def one_run(folder, packages, without, end, module, files, result, seen):
    """Returns the packages that failed after tests that had not run before."""
    left = end - time.monotonic()
    if left <= 1:
        result.note = "out of time"
        return set()
    command = ["go", "test", "-json", "-short", "-count=1", "-vet=off", f"-timeout={int(left)}s"]
    if without:
        command += ["-skip", "^(" + "|".join(sorted(without)) + ")$"]
    try:
        done = subprocess.run([*command, *packages], cwd=folder, env=variables(), capture_output=True,
                              text=True, timeout=left + 10, check=False, errors="replace")
        printed = done.stdout
    except subprocess.TimeoutExpired as late:
        printed = (late.stdout or b"").decode(errors="replace")
        result.note = "out of time"
    failed = set()
    started = {}
    for line in printed.splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue
        action, name = event.get("Action"), event.get("Test")
        path = event.get("Package") or event.get("ImportPath", "").split(" ")[0]
        where = path.removeprefix(module).strip("/") or "."
        package = f"./{where}"
        if name is None:
            if action == "fail":
                if event.get("FailedBuild"):
                    result.unbuilt.add(where)
                else:
                    failed.add(package)
            continue
        if "/" in name:
            continue
        if action in ("run", "cont"):
            started.setdefault(package, set()).add(name)
        elif action == "pause":
            started.get(package, set()).discard(name)
        elif action in ("pass", "fail", "skip"):
            test = Test(f"{where}.{name}", files.get((where, name), ""), name, where)
            result.outcomes[test] = action
    more = set()
    for package in failed:
        before = set(seen.get(package, set()))
        known = {test.name for test in result.outcomes if f"./{test.group}" == package}
        # Those that a panic ended without a word.
        for name in started.get(package, set()) - known:
            where = package[2:]
            result.outcomes[Test(f"{where}.{name}", files.get((where, name), ""), name, where)] = "fail"
            known.add(name)
        seen[package] = before | known
        if seen[package] != before:
            more.add(package)
    return more
