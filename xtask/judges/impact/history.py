"""Commits of repositories by rule, and checkouts of them."""

import dataclasses
import pathlib
import re
import subprocess

PYTHON_TEST = re.compile(r"(^|/)(tests?/|testing/|test_[^/]*\.py$|[^/]*_test\.py$|conftest\.py$)")
GO_TEST = re.compile(r"(_test\.go$|(^|/)testdata/)")


def git(folder, *words, check=True, text=True):
    command = ["git", "-C", str(folder), *words]
    done = subprocess.run(command, capture_output=True, text=text, check=False, errors="replace" if text else None)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


@dataclasses.dataclass
class Commit:
    number: str
    parent: str
    subject: str
    files: list  # of (status, path)

    def short(self):
        return self.number[:10]


@dataclasses.dataclass
class Repository:
    name: str
    source: pathlib.Path
    language: str  # go or python

    def is_source(self, path):
        return path.endswith(".go" if self.language == "go" else ".py")

    def is_test(self, path):
        return bool((GO_TEST if self.language == "go" else PYTHON_TEST).search(path))

    def commits(self, wanted):
        """Yields the commits from HEAD back that are no merges, and whose changed files are wanted."""
        log = git(self.source, "log", "--no-merges", "--format=%x01%H %P%x02%s", "--name-status", "--no-renames")
        for entry in log.split("\x01")[1:]:
            head, _, rest = entry.partition("\x02")
            number, *parents = head.split()
            subject, *lines = rest.splitlines()
            files = [tuple(line.split("\t", 1)) for line in lines if "\t" in line]
            if len(parents) == 1 and wanted(files):
                yield Commit(number, parents[0], subject, files)

    def commits_with_tests(self):
        """Commits that change a source that is no test, and a test."""

        def wanted(files):
            paths = [path for _, path in files if self.is_source(path)]
            tests = [self.is_test(path) for path in paths]
            return any(tests) and not all(tests)

        return self.commits(wanted)

    def commits_of_sources(self):
        return self.commits(lambda files: any(self.is_source(path) for _, path in files))


def repositories(folder, only):
    """Returns the repositories in a folder, by name; those of another language are passed over."""
    found = []
    for path in sorted(pathlib.Path(folder).resolve().iterdir()):
        if not (path / ".git").exists() and not (path / "HEAD").exists():
            continue
        if only and path.name not in only:
            continue
        names = git(path, "ls-tree", "--name-only", "HEAD").split()
        if "go.mod" in names:
            found.append(Repository(path.name, path, "go"))
        elif "pyproject.toml" in names or "setup.py" in names:
            found.append(Repository(path.name, path, "python"))
        else:
            print(f"skipped {path.name}: neither a Go module nor a Python project")
    return found


def in_turn(streams, count):
    """Yields `count` items of some streams: the first of each, the second of each, and so on."""
    streams = [iter(one) for one in streams]
    while streams and count > 0:
        for stream in list(streams):
            item = next(stream, None)
            if item is None:
                streams.remove(stream)
            elif count > 0:
                count -= 1
                yield item


def chosen(found, count, commits):
    """Returns pairs of a repository and a commit, by repository; each repository has its turn."""

    def of(repository):
        return ((repository, commit) for commit in commits(repository))

    pairs = in_turn([of(one) for one in found], count)
    return sorted(pairs, key=lambda pair: pair[0].name)  # stable: commits stay from new to old


class Checkout:
    """A clone of a repository for one judge."""

    def __init__(self, repository, work):
        self.folder = pathlib.Path(work).resolve() / repository.name
        if not self.folder.exists():
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            git(self.folder.parent, "clone", "--quiet", "--shared", "--no-checkout",
                str(repository.source), str(self.folder))
        git(self.folder, "fetch", "--quiet", "origin")

    def at(self, revision):
        git(self.folder, "checkout", "--quiet", "--force", "--detach", revision)
        git(self.folder, "clean", "-ffdxq")

    def apply(self, patch):
        if patch:
            command = ["git", "-C", str(self.folder), "apply", "--whitespace=nowarn", "-"]
            subprocess.run(command, input=patch, check=True)
