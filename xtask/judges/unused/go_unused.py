"""Compares what `codeweft analyze unused_symbols` lists in a Go module with the reports of `deadcode
-test` (functions) and of staticcheck's U1000 (names).

    python3 go_unused.py --codeweft BIN --deadcode BIN --staticcheck BIN [--show N] MODULE...

A module is copied below --work, and its path gets an element `internal`: then no other module can
import its packages, so that exported names are no roots for us, as they are none for deadcode. All
three read the copy, on linux/amd64 without cgo, with tests.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ENVIRONMENT = {
    **os.environ,
    "GOOS": "linux",
    "GOARCH": "amd64",
    "CGO_ENABLED": "0",
    "GOWORK": "off",
    "GOFLAGS": "-mod=mod",
}


def copy_of(module, work):
    """Returns a copy of a module whose packages cannot be imported from outside."""
    target = work / module.name
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(module, target, symlinks=True)
    gomod = target / "go.mod"
    text = gomod.read_text()
    path = re.search(r"^module\s+(\S+)", text, re.M).group(1)
    first, _, rest = path.partition("/")
    inner = f"{first}/internal/{rest}" if rest else f"internal.{first}/internal"
    gomod.write_text(text.replace(f"module {path}", f"module {inner}", 1))
    quoted = re.compile(r'"' + re.escape(path) + r'(["/])')
    for file in target.rglob("*.go"):
        before = file.read_text(errors="surrogateescape")
        after = quoted.sub(lambda found: '"' + inner + found.group(1), before)
        if after != before:
            file.write_text(after, errors="surrogateescape")
    return target


def run(command, folder):
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    return done.stdout, done.stderr, done.returncode


def relative(path, folder):
    path = pathlib.Path(path)
    path = path if path.is_absolute() else folder / path
    return os.path.relpath(path, folder)


def deadcode(binary, folder):
    """Returns the functions that deadcode reports, by file and line."""
    out, err, code = run([binary, "-test", "-json", "./..."], folder)
    if code != 0:
        sys.exit(f"deadcode: {err[:2000]}")
    found = {}
    for package in json.loads(out) or []:
        for one in package["Funcs"]:
            at = one["Position"]
            file = relative(at["File"], folder)
            # `go test` compiles an example without output and does not run it: it documents.
            is_example = file.endswith("_test.go") and one["Name"].startswith("Example")
            if not one.get("Generated") and not is_example:
                found[file, at["Line"]] = one["Name"]
    return found


def staticcheck(binary, folder):
    """Returns the names that U1000 reports, by file and line, with the kind of each."""
    out, err, _ = run([binary, "-checks", "U1000", "-f", "json", "./..."], folder)
    found = {}
    for line in out.splitlines():
        one = json.loads(line)
        if one["code"] != "U1000":
            print("   staticcheck:", one["message"][:200], file=sys.stderr)
            continue
        at = one["location"]
        kind, name = re.match(r"(\w+) (.+) is unused", one["message"]).groups()
        found[relative(at["file"], folder), at["line"], name.split(".")[-1].strip("()*")] = kind
    return found


def ours(binary, folder):
    """Returns all symbols that we list, file by file: an answer has at most 500."""
    folders = sorted({str(p.parent.relative_to(folder)) for p in folder.rglob("*.go")})
    items = {}

    def ask(prefix):
        command = [binary, "analyze", "unused_symbols", "--json", "--include-tests", "true"]
        command += ["--max-results", "500"]
        if prefix not in ("", "."):
            command += ["--path-prefix", prefix]
        out, err, code = run(command, folder)
        if code not in (0, 1):
            sys.exit(f"codeweft {prefix}: {out[:500]} {err[:2000]}")
        found = json.loads(out)["symbols"]
        for item in found["items"]:
            items[item["file"], item["start_line"], item["name"]] = item
        return found["total_found"] <= 500

    if not ask(""):
        for one in folders:
            if not ask(one):
                for file in sorted((folder / one).glob("*.go")):
                    ask(str(file.relative_to(folder)))
    return items


def cause_of_extra(item, dead, folder):
    """Returns why an item that neither judge reports is listed."""
    if not item["completeness"]["complete"]:
        reasons = {site["reason"] for site in item["completeness"]["first"]}
        return "incomplete: " + "+".join(sorted(reasons))
    if item["kind"] in ("function", "method"):
        return f"complete {item['kind']} ({item['reason']})"
    public = "exported " if item["visibility"] == "public" else ""
    return f"complete {public}{item['kind']} ({item['reason']})"


def recall(name, wanted, found, show, folder):
    missing = sorted(key for key in wanted if key not in found)
    share = 1 - len(missing) / len(wanted) if wanted else 1.0
    print(f"   {name}: {len(wanted) - len(missing)} of {len(wanted)} listed, recall {share:.3f}")
    for key in missing[:show]:
        print(f"      not listed {key} {wanted[key]}")
    return len(wanted) - len(missing), len(wanted)


def judge(module, arguments):
    folder = copy_of(module, arguments.work)
    dead = deadcode(arguments.deadcode, folder)
    named = staticcheck(arguments.staticcheck, folder)
    items = ours(arguments.codeweft, folder)
    print(f"{module.name}: we list {len(items)}")
    functions = {
        (file, line) for (file, line, _), item in items.items() if item["kind"] in ("function", "method")
    }
    names = set(items)
    by_name = {(file, name) for file, _, name in items}
    totals = [recall("deadcode -test", dead, functions, arguments.show, folder)]
    # A constant or field of a group may begin on another line than its name.
    wanted = {key: kind for key, kind in named.items()}
    found = {key for key in wanted if key in names or (key[0], key[2]) in by_name}
    totals.append(recall("U1000", wanted, found, arguments.show, folder))
    known = {(file, name) for file, _, name in named}
    causes = collections.Counter()
    examples = collections.defaultdict(list)
    for (file, line, name), item in items.items():
        if (file, line) in dead or (file, name) in known:
            continue
        cause = cause_of_extra(item, dead, folder)
        causes[cause] += 1
        examples[cause].append(f"{file}:{line} {item['id']}")
    for cause, count in causes.most_common():
        print(f"   only ours {count:5} {cause}")
        for example in examples[cause][: arguments.show]:
            print(f"      {example}")
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / f"{module.name}.json").write_text(json.dumps(list(items.values())))
    shutil.rmtree(folder / ".codeweft", ignore_errors=True)
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--deadcode", required=True)
    parser.add_argument("--staticcheck", required=True)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("/tmp/unused-judge"))
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("modules", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    totals = [judge(module.resolve(), arguments) for module in arguments.modules]
    for at, name in enumerate(["deadcode -test", "U1000"]):
        found = sum(one[at][0] for one in totals)
        wanted = sum(one[at][1] for one in totals)
        print(f"all: {name} {found} of {wanted}, recall {found / wanted if wanted else 1:.3f}")


if __name__ == "__main__":
    main()
