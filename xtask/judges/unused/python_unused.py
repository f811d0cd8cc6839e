"""Compares what `codeweft analyze unused_symbols` lists in a Python project with vulture's reports, and
with a trace of the calls that ran (xtask/judges/python/trace_calls.py).

    python3 python_unused.py --codeweft BIN --vulture BIN [--trace FILE] [--environment VENV] [--show N] TREE

The tree is copied below --work without the metadata that makes it a distribution, so that its public
names are no roots for us, as they are none for vulture (--distribution leaves the metadata). Whatever
the trace ran, by code that is no test, must not be listed as complete.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess

REPORT = re.compile(r"(.+?):(\d+): unused (\w+(?: \w+)?) '(.+?)' \((\d+)% confidence")


def copy_of(tree, work, distribution):
    target = work / tree.name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(tree, target, symlinks=True, ignore=shutil.ignore_patterns(".codeweft"))
    project = target / "pyproject.toml"
    if not distribution:
        if project.exists():
            project.write_text(project.read_text().replace("[build-system]", "[tool.none]"))
        (target / "setup.py").unlink(missing_ok=True)
    return target


def ours(arguments, folder, tests):
    environment = dict(os.environ)
    if arguments.environment:
        environment["VIRTUAL_ENV"] = str(arguments.environment)
    found = {}
    folders = sorted({str(p.relative_to(folder)) for p in folder.rglob("*.py")})

    def ask(prefix):
        command = [arguments.codeweft, "analyze", "unused_symbols", "--json", "--max-results", "500"]
        command += ["--include-tests", tests]
        if prefix:
            command += ["--path-prefix", prefix]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode not in (0, 1):
            raise SystemExit(done.stdout[:500] + done.stderr[:2000])
        answer = json.loads(done.stdout)["symbols"]
        for item in answer["items"]:
            found[item["file"], item["start_line"], item["name"]] = item
        return answer["total_found"] <= 500

    if not ask(None):
        for file in folders:
            ask(file)
    return found


def cause_of_missing(kind, name, text, tests):
    """Returns why a report of vulture is not among ours."""
    if kind in ("import", "unreachable code", "argument"):
        return f"{kind}: not a declaration of ours"
    if kind == "variable" and text[:1].isspace():
        return "local variable, or a field of a class that libraries or decorators read"
    if kind == "attribute":
        return "attribute: a look-up, a base or a decorator may read it, or it is read elsewhere"
    return f"{kind}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--vulture", required=True)
    parser.add_argument("--trace", type=pathlib.Path)
    parser.add_argument("--environment", type=pathlib.Path)
    parser.add_argument("--distribution", action="store_true")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/unused-judge"))
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("tree", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    folder = copy_of(arguments.tree.resolve(), arguments.work, arguments.distribution)
    source = "src" if (folder / "src").is_dir() else arguments.tree.name.split("-")[0]
    items = {key: item for key, item in ours(arguments, folder, "true").items()}
    own = {key: item for key, item in items.items() if key[0].startswith(source + "/")}
    done = subprocess.run(
        [arguments.vulture, source, "tests", "--min-confidence", "60"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    theirs = {}
    for line in done.stdout.splitlines():
        found = REPORT.match(line)
        if found and found.group(1).startswith(source):
            theirs[found.group(1), int(found.group(2)), found.group(4)] = found.group(3)
    complete = sum(item["completeness"]["complete"] for item in own.values())
    print(f"{arguments.tree.name}: we list {len(own)}, {complete} complete; vulture {len(theirs)}")
    both = {key for key in theirs if key in own}
    print(f"   both {len(both)}")
    groups = collections.defaultdict(list)
    for key in sorted(set(theirs) - both):
        lines = (folder / key[0]).read_text().splitlines()
        text = lines[key[1] - 1] if key[1] <= len(lines) else ""
        groups["only vulture: " + cause_of_missing(theirs[key], key[2], text, None)].append(key)
    for key, item in sorted(own.items()):
        if key in both:
            continue
        if item["completeness"]["complete"]:
            cause = f"only ours: complete {item['kind']} ({item['reason']})"
        else:
            first = item["completeness"]["first"][0]["reason"]
            cause = f"only ours: incomplete {item['kind']}: {first}"
        groups[cause].append(key)
    for cause, keys in sorted(groups.items(), key=lambda one: -len(one[1])):
        print(f"   {len(keys):5} {cause}")
        for key in keys[: arguments.show]:
            print(f"         {key[0]}:{key[1]} {key[2]}")
    if arguments.trace:
        ran = set()
        for line in arguments.trace.open():
            callee = json.loads(line).get("callee")
            if callee is None:
                continue
            ran.add((callee["file"], callee["line"]))
        wrong = [key for key, item in items.items() if key[:2] in ran and item["completeness"]["complete"]]
        doubted = [key for key, item in items.items() if key[:2] in ran and key not in wrong]
        print(f"   ran {len(ran)}; listed as complete though it ran {len(wrong)}; as incomplete {len(doubted)}")
        for key in wrong[:20]:
            print(f"         {key[0]}:{key[1]} {key[2]}")
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / f"{arguments.tree.name}.json").write_text(json.dumps(list(items.values())))


if __name__ == "__main__":
    main()
