"""Plants secrets in copies of clean trees, lets Codeweft read and write everything, and counts.

    judge.py --codeweft BINARY [--count 100] [--seed 1] [--json] TREE…

found     planted secrets whose file the list of files that are not visible names
false     files that it names in the trees as they are, a million lines, but for those with secrets that are published on purpose
          (published.tsv, written by reading them)
written   planted secrets that occur in what Codeweft wrote or printed: by bytes, and by detect-secrets where it is installed

The forms are those that issuers document; see FORMS. Values are random by the seed.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import sqlite3
import string
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

LETTERS = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"
BASE64 = LETTERS + "+/"

# Documents and sources that Codeweft reads, by the end of the name.
ENDS = (".go", ".py", ".pyi", ".yaml", ".yml", ".json", ".proto", ".env")


def some(rng, letters, length):
    return "".join(rng.choice(letters) for _ in range(length))


def private_key(rng):
    kind = rng.choice(["RSA ", "EC ", "", "OPENSSH "])
    body = "\n".join(some(rng, BASE64, 64) for _ in range(6))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{body}\n-----END {kind}PRIVATE KEY-----"


# Name, the name of a variable, and what makes a value.
FORMS = [
    ("aws key", "aws_id", lambda r: "AKIA" + some(r, UPPER, 16)),
    ("private key", "pem", private_key),
    ("password", "db_password", lambda r: some(r, LETTERS, r.randint(8, 20))),
    ("secret", "client_secret", lambda r: some(r, LETTERS + "!#%*-_", r.randint(8, 32))),
    ("token", "auth_token", lambda r: some(r, LETTERS, r.randint(8, 40))),
    ("api_key", "api_key", lambda r: some(r, LETTERS, r.randint(16, 40))),
    ("github", "gh", lambda r: "ghp_" + some(r, LETTERS, 36)),
    ("gitlab", "gl", lambda r: "glpat-" + some(r, LETTERS, 20)),
    ("slack", "slack", lambda r: f"xoxb-{r.randint(10**11, 10**12)}-{r.randint(10**11, 10**12)}-" + some(r, LETTERS, 24)),
    ("stripe", "stripe", lambda r: "sk_live_" + some(r, LETTERS, 24)),
    ("google", "maps", lambda r: "AIza" + some(r, LETTERS + "-_", 35)),
    ("azure", "storage", lambda r: "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=" + some(r, BASE64, 86) + "=="),
    ("npm", "npm", lambda r: "npm_" + some(r, LETTERS, 36)),
    ("pypi", "pypi", lambda r: "pypi-AgEIcHlwaS5vcmc" + some(r, LETTERS, 80)),
    ("sendgrid", "mail", lambda r: "SG." + some(r, LETTERS, 22) + "." + some(r, LETTERS, 43)),
    ("twilio", "sms", lambda r: "SK" + some(r, HEX, 32)),
    ("jwt", "session", lambda r: f"eyJ{some(r, LETTERS, 33)}.eyJ{some(r, LETTERS, 60)}.{some(r, LETTERS, 43)}"),
    ("base64", "material", lambda r: some(r, BASE64, 43) + "="),
    ("hex", "signing_key", lambda r: some(r, HEX, 64)),
    ("hex", "material", lambda r: some(r, HEX, 40)),
]


def line(path, name, value):
    """A line that assigns a value to a name, in the syntax of a file."""
    if path.suffix == ".go":
        name = name.replace("_", " ").title().replace(" ", "")
        return f"\nvar planted{name} = `{value}`\n"
    if path.suffix in (".py", ".pyi"):
        quote = '"""' if "\n" in value else '"'
        return f"\n{name} = {quote}{value}{quote}\n"
    if path.suffix == ".env":
        return f'\n{name.upper()}="{value}"\n'
    if "\n" in value:
        value = value.replace("\n", "\n  ")
        return f"\n{name}: |\n  {value}\n"
    return f'\n{name}: "{value}"\n'


def sources(root):
    for folder, folders, names in os.walk(root):
        # Hidden files and folders are not read, but for environment files.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        # Nor are Go's files in what the go command ignores (`go help packages`).
        parts = Path(folder).relative_to(root).parts
        ignored = any(part == "testdata" or part.startswith("_") for part in parts)
        for name in sorted(names):
            if name.startswith(".") and not name.startswith(".env") or ignored and name.endswith(".go"):
                continue
            if name.endswith(ENDS) or "ockerfile" in name:
                path = Path(folder) / name
                if path.is_file() and not path.is_symlink():
                    yield path


def run(binary, words, root, home):
    kept = {name: os.environ[name] for name in ("PATH", "GOROOT", "GOPATH") if name in os.environ}
    command = [binary, *words, "--root", str(root)]
    done = subprocess.run(command, capture_output=True, env={**kept, "HOME": str(home)}, check=False)
    return done.stdout + done.stderr


def skipped(binary, root, home, said):
    """The files that are not visible, with line and kind."""
    said.append(run(binary, ["index", "--json", "-q"], root, home))
    listed = Path(root) / ".codeweft/excluded_files.txt"
    rows = listed.read_text().splitlines() if listed.is_file() else []
    return dict(row.split("\t", 1) for row in rows)


def texts_of(folder):
    """What files hold, texts of the SQLite export unpacked."""
    for path in sorted(Path(folder).rglob("*")):
        if not path.is_file():
            continue
        yield path, path.read_bytes()
        if path.suffix == ".db":
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
                for packed, size in db.execute("SELECT z, size FROM file_text"):
                    yield path, zlib.decompress(packed) if len(packed) != size else packed


def published():
    """The ends of paths of files with secrets that are published on purpose, with the line's kind."""
    with open(Path(__file__).parent / "published.tsv", encoding="utf-8") as rows:
        return {tuple(row.rstrip("\n").split("\t")[:2]) for row in rows if not row.startswith("#")}


def is_published(path, what, known):
    kind = what.rsplit(", line ", 1)[0]
    return any(kind == one and f"/{path}".endswith(f"/{end}") for end, one in known)


def detect_secrets(folder):
    """The hashes of what detect-secrets finds below a folder; None where it is not installed."""
    command = [sys.executable, "-m", "detect_secrets", "scan", "--all-files", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False, cwd=folder)
    if done.returncode:
        return None
    results = json.loads(done.stdout)["results"]
    return {one["hashed_secret"] for found in results.values() for one in found}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--quick", action="store_true", help="without what is written: only found and false")
    parser.add_argument("trees", nargs="+")
    wanted = parser.parse_args()
    rng = random.Random(wanted.seed)
    lines = missed = total = false = 0
    planted, said, misses = [], [], []
    on_purpose, known_secrets = 0, published()
    with tempfile.TemporaryDirectory() as top:
        top = Path(top)
        home = top / "home"
        home.mkdir()
        written = top / "written"
        written.mkdir()
        for number, tree in enumerate(wanted.trees):
            copy = top / f"tree{number}"
            ignored = shutil.ignore_patterns(".git", ".codeweft", "__pycache__", "site-packages")
            shutil.copytree(tree, copy, symlinks=True, ignore=ignored)
            known = skipped(wanted.codeweft, copy, home, [])
            for path, what in sorted(known.items()):
                is_known = is_published(path, what, known_secrets)
                on_purpose += is_known
                false += not is_known
                if wanted.show:
                    print(f"clean tree: {path}: {what}{' (published)' if is_known else ''}")
            files = list(sources(copy))
            lines += sum(path.read_bytes().count(b"\n") for path in files)
            clean = [path for path in files if str(path.relative_to(copy)) not in known]
            clean = [path for path in clean if path.suffix not in (".json", ".proto") and "ockerfile" not in path.name]
            share = wanted.count // len(wanted.trees) + (number < wanted.count % len(wanted.trees))
            here = []
            for path in rng.sample(clean, min(share, len(clean))):
                form, name, make = FORMS[(len(planted) + len(here)) % len(FORMS)]
                value = make(rng)
                with path.open("a") as file:
                    file.write(line(path, name, value))
                here.append((str(path.relative_to(copy)), form, value))
            now = skipped(wanted.codeweft, copy, home, said)
            for path, form, value in here:
                total += 1
                if path not in now:
                    missed += 1
                    misses.append((path, form, len(value)))
            planted += here
            if wanted.quick:
                continue
            for form in ("json", "sqlite", "scip"):
                out = written / f"tree{number}.{'db' if form == 'sqlite' else form}"
                said.append(run(wanted.codeweft, ["export", "--format", form, "-o", str(out)], copy, home))
            for path, _, _ in here[:20]:
                said.append(run(wanted.codeweft, ["query", "outline", path, "--json", "--include-context", "true"], copy, home))
            said.append(run(wanted.codeweft, ["knowledge", "graph"], copy, home))
            shutil.copytree(copy / ".codeweft", written / f"codeweft{number}", dirs_exist_ok=True)
        shutil.copytree(home, written / "home", dirs_exist_ok=True)
        (written / "said.txt").write_bytes(b"\n".join(said))
        found_in = set()
        missed_paths = {path for path, _, _ in misses}
        for path, content in texts_of(written):
            for where, form, value in planted:
                part = value.split("\n")[1] if "\n" in value else value
                if where not in missed_paths and part.encode() in content:
                    found_in.add((form, str(path.relative_to(written))))
        hashes = None if wanted.quick else detect_secrets(written)
        own = {hashlib.sha1(value.encode()).hexdigest() for _, _, value in planted}
    row = {
        "lines": lines,
        "planted": total,
        "found": (total - missed) / max(total, 1),
        "published": on_purpose,
        "false": false,
        "false_per_million": false * 1e6 / max(lines, 1),
        "written": len(found_in),
        "detect_secrets": None if hashes is None else len(hashes & own),
    }
    if wanted.json:
        print(json.dumps(row))
        return
    for path, form, length in misses:
        print(f"missed: {form} of {length} characters in {path}")
    for form, path in sorted(found_in):
        print(f"written: {form} in {path}")
    for name, value in row.items():
        print(f"{name:20} {value}")


if __name__ == "__main__":
    main()
