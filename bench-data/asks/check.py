"""Verifies that the expected symbols of asks.jsonl are those that the languages' own tools name; README.md has the rule.

    python3 bench-data/asks/check.py        # with CODEWEFT_CORPORA as `cargo xtask asks --fetch` had it
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = ("go", "python")


def projects():
    """The rows of projects.tsv by name."""
    found = {}
    for line in (HERE / "projects.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, language, registered, version, sources, _ = line.split("\t")
            found[name] = (language, registered, version, sources)
    return found


def run(words, folder, lines, environment):
    done = subprocess.run(
        words, cwd=folder, input="\n".join(lines) + "\n", env={**os.environ, **environment}, text=True, capture_output=True
    )
    answers = done.stdout.splitlines()
    if len(answers) != len(lines):
        raise SystemExit(f"{words}: {done.stderr}")
    return answers


def go_id(declared, module, folder, library):
    """The id of a declaration `import/path:Type.Member`, by docs/graph.md, "Ids"."""
    path, _, name = declared.partition(":")
    inside = path == module or path.startswith(module + "/")
    short = path
    if path == module:
        parts = module.split("/")
        if parts[-1][0] == "v" and parts[-1][1:].isdigit():
            parts.pop()
        if not (folder / parts[-1]).is_dir():
            short = parts[-1]
    elif inside:
        short = path[len(module) + 1 :]
    if short in library:
        short = path
    return f"{short}.{name}" if name else short


def expected(name, project, means, corpora, library):
    """The ids of what names mean in a project."""
    language, registered, version, sources = project
    if language == "go":
        folder = corpora / registered.replace("/", "_")
        words = ["go", "run", str(HERE / "declared.go")]
        answers = run(words, folder, means, {"CGO_ENABLED": "0", "GOWORK": "off"})
        return [one if one.startswith("error:") else go_id(one, registered, folder, library) for one in answers]
    folder = corpora / f"{registered}-{version}"
    python = corpora / f"asks-venv-{name}" / "bin" / "python"
    words = [str(python), str(HERE / "declared.py"), name]
    path = {"PYTHONPATH": str(folder / sources), "PYTHONDONTWRITEBYTECODE": "1"}
    return run(words, folder, means, path)


def main():
    corpora = os.environ.get("CODEWEFT_CORPORA")
    if not corpora:
        raise SystemExit("CODEWEFT_CORPORA names no folder")
    library = set(subprocess.run(["go", "list", "std"], text=True, capture_output=True).stdout.split())
    rows = [json.loads(line) for line in (HERE.parent / "asks.jsonl").read_text().splitlines()]
    wrong = 0
    for name, project in projects().items():
        asked = [row for row in rows if row["project"] == name]
        answers = expected(name, project, [row["means"] for row in asked], pathlib.Path(corpora), library)
        for row, answer in zip(asked, answers):
            if answer != row["expected"]:
                wrong += 1
                print(f"{row['id']}: {row['target']}: expected {row['expected']}, but {row['means']} is {answer}")
    for language in LANGUAGES:
        count = sum(projects()[row["project"]][0] == language for row in rows)
        print(f"{language}: {count} questions")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
