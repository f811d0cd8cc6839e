"""How far `codeweft export --format scip` agrees with scip-go.

For each module both index the same folder. A place is the line and column at which an occurrence starts.
At the places that both have, their symbols are compared as sets, versions apart: the indexes know
different ones. What only one has is counted by cause, and so are the places that differ.

Also runs `scip lint` on ours: the only errors allowed are those of relationships whose target the index
has, because lint reads documents in the order of a hash table.

A place counts as agreed or not unless scip-go contradicts itself there: see `is_interface_method`. Both shares are
printed, that of all shared places and that without those.

Exits with 1 if a module is below --least, or if lint has another error.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True).stdout


def occurrences(scip, index):
    """Returns file -> place -> symbols, versions apart, and the width of each place."""
    read = json.loads(run(scip, "print", "--json", str(index)))
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    widths = {}
    for document in read["documents"]:
        path = document["relative_path"]
        for one in document.get("occurrences", []):
            line, start, end = one["range"][0], one["range"][1], one["range"][-1]
            found[path][line, start].add(without_version(one["symbol"]))
            if len(one["range"]) == 3:
                widths[path, line, start] = end - start
    return found, widths, read


def without_version(symbol):
    if symbol.startswith("local "):
        return symbol
    scheme, manager, package, _version, descriptor = symbol.split(" ", 4)
    return " ".join((scheme, manager, package, descriptor))


def cause_theirs(symbols):
    """Says why we have no occurrence where scip-go has these."""
    if all(symbol.endswith(" unsafe/") for symbol in symbols):
        return "the package unsafe, which is no symbol here"
    if all(re.search(r":[^/#.]*\.$", symbol) for symbol in symbols):
        return "parameters of function literals of variables"
    if all(symbol.startswith("local ") for symbol in symbols):
        return "local variables, parameters, labels"
    if any("$anon_" in symbol for symbol in symbols):
        return "members of type literals"
    return "other"


def cause_ours(symbols):
    return "package clause or qualifier" if all(one.endswith("/") for one in symbols) else "other"


def is_interface_method(ours, theirs):
    """Whether the two differ only in the suffix of a method of an interface: `I#M.` and `I#M().`.

    scip-go describes the methods of an interface by the syntax of its declaration, as `I#M.`, in the index of the
    module that declares it. For packages that it does not index it describes the object of the type checker, and all
    functions are `M().` there: its own uses do not lead to its own definitions.
    """
    plain = lambda symbols: {one.replace("().", ".") for one in symbols}
    return ours != theirs and plain(ours) == plain(theirs)


def cause_differs(ours, theirs):
    if is_interface_method(ours, theirs):
        return "methods of interfaces of other modules: scip-go has I#M(). there, and defines I#M."
    if any("$anon_" in one for one in theirs):
        return "members of type literals"
    if {re.sub(r"/init\(\+\d+\)\.$", "/init().", one) for one in ours} == theirs:
        return "init functions: scip-go has one symbol for all of a package"
    if ours < theirs:
        return "scip-go has one more at the place"
    if theirs < ours:
        return "we have one more at the place"
    return "another symbol"


def lint(scip, index, read):
    """Returns the errors of `scip lint` that are not those of its own order."""
    ended = subprocess.run([scip, "lint", str(index)], capture_output=True, text=True)
    words = (ended.stdout + ended.stderr).splitlines()
    known = {symbol["symbol"] for symbol in read.get("external_symbols", [])}
    for document in read["documents"]:
        known.update(symbol["symbol"] for symbol in document.get("symbols", []))
    wrong, ordered = [], 0
    for line in words:
        target = re.search(r"has a relationship to '([^']*)'", line)
        if target and target.group(1) in known:
            ordered += 1
        elif line.strip():
            wrong.append(line)
    return wrong, ordered


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--scip", default="scip")
    parser.add_argument("--scip-go", default="scip-go")
    parser.add_argument("--least", type=float, default=0.999)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print the figures as one object and nothing else")
    parser.add_argument("modules", nargs="+", type=pathlib.Path)
    wanted = parser.parse_args()
    release = run("go", "env", "GOVERSION").strip()
    missed, figures = False, {}
    for module in wanted.modules:
        module = module.resolve()
        with tempfile.TemporaryDirectory() as folder:
            ours_file, theirs_file = pathlib.Path(folder, "ours.scip"), pathlib.Path(folder, "theirs.scip")
            run(wanted.codeweft, "export", "--quiet", "--format", "scip", "--root", str(module), "-o", str(ours_file))
            run(wanted.scip_go, "index", "--quiet", "--module-version=.", f"--go-version={release}",
                "--repository-remote=example.com/none", "--output", str(theirs_file), cwd=module)
            ours, our_widths, read = occurrences(wanted.scip, ours_file)
            theirs, their_widths, _ = occurrences(wanted.scip, theirs_file)
            wrong, ordered = lint(wanted.scip, ours_file, read)
        compared = Compared(ours, our_widths, theirs, their_widths)
        rest = compared.rest()
        missed |= rest < wanted.least or bool(wrong)
        figures[module.name] = {"shared": compared.shared(), "same": compared.same, "share": compared.share(),
                                "without_contradictions": rest, "lint": len(wrong)}
        if wanted.json:
            continue
        compared.report(module.name, wanted.show)
        print(f"  scip lint: {len(wrong)} errors, and {ordered} of relationships whose target the index has")
        for line in wrong[: max(wanted.show, 5)]:
            print(f"    {line}")
    if wanted.json:
        print(json.dumps(figures))
        return 0
    return 1 if missed else 0


class Compared:
    """The places of two indexes of one module, by whether their symbols are the same."""

    def __init__(self, ours, our_widths, theirs, their_widths):
        self.same, self.widths, self.differs, self.only_ours, self.only_theirs = 0, 0, {}, {}, {}
        for path in sorted(set(ours) | set(theirs)):
            # The main program that `go test` generates.
            if path.startswith(".."):
                continue
            for place in sorted(set(ours[path]) | set(theirs[path])):
                is_wide = our_widths.get((path, *place)) != their_widths.get((path, *place))
                at = f"{path}:{place[0] + 1}:{place[1] + 1}"
                self.add(at, ours[path].get(place), theirs[path].get(place), is_wide)

    def add(self, at, here, there, is_wide):
        there_global = there and {one for one in there if not one.startswith("local ")}
        if here and there_global:
            if here == there_global:
                self.same += 1
                self.widths += is_wide
            else:
                cause = cause_differs(here, there_global)
                self.differs.setdefault(cause, []).append((at, sorted(here), sorted(there_global)))
        elif there:
            cause = "local in scip-go, a node of the graph here" if here else cause_theirs(there)
            self.only_theirs.setdefault(cause, []).append((at, [], sorted(there)))
        else:
            self.only_ours.setdefault(cause_ours(here), []).append((at, sorted(here), []))

    def shared(self):
        return self.same + sum(len(places) for places in self.differs.values())

    def share(self):
        return self.same / self.shared() if self.shared() else 1.0

    def rest(self):
        """The share without the places where scip-go contradicts itself."""
        of_suffix = sum(len(places) for cause, places in self.differs.items() if cause.startswith("methods of interfaces"))
        rest = self.shared() - of_suffix
        return self.same / rest if rest else 1.0

    def report(self, name, show):
        print(f"{name}: {self.same} of {self.shared()} shared places have the same symbol ({self.share():.4f}; "
              f"{self.rest():.4f} without the suffix of other modules' interfaces); {self.widths} of another width")
        listed = (("differ", self.differs), ("only scip-go", self.only_theirs), ("only ours", self.only_ours))
        for title, causes in listed:
            for cause, places in sorted(causes.items()):
                print(f"  {title}: {len(places)} {cause}")
                for at, here, there in places[:show]:
                    print(f"    {at} ours {here} theirs {there}")


if __name__ == "__main__":
    sys.exit(main())
