"""What two runs of the tests say of a change."""

import dataclasses
import typing


class Test(typing.NamedTuple):
    """A test: its id as the runner has it, the file and the name of its function, and what is compiled or imported
    as one with it: a package's folder, a file."""

    id: str
    file: str
    name: str | None
    group: str


@dataclasses.dataclass
class Run:
    outcomes: dict = dataclasses.field(default_factory=dict)
    # Packages that do not compile, files that cannot be imported; "" for all.
    unbuilt: set = dataclasses.field(default_factory=set)
    # Tests that do not compile and were taken out, as pairs of file and name.
    broken: set = dataclasses.field(default_factory=set)
    note: str = ""


# The kinds of tests that a list of affected tests must have.
JUDGED = ("run", "compile", "module")


def difference(at, without):
    """Returns the tests whose outcome differs, each with the way in which it does:

    run      pass on one side, fail on the other
    compile  its own code does not compile on one side
    module   its file cannot be imported on one side
    package  another file of its package does not compile, and could not be left out
    other    one side skips it or does not have it
    """
    found = {}
    by_id = {test.id: test for test in [*without.outcomes, *at.outcomes]}
    now = {test.id: outcome for test, outcome in at.outcomes.items()}
    before = {test.id: outcome for test, outcome in without.outcomes.items()}
    for number, test in by_id.items():
        sides = [(now.get(number), without), (before.get(number), at)]
        pair = {now.get(number), before.get(number)}
        passes = [run for outcome, run in sides if outcome == "pass"]
        if pair == {"pass", "fail"}:
            found[test] = "run"
        elif any((test.file, test.name) in run.broken for run in passes):
            found[test] = "compile"
        elif any(test.group in run.unbuilt or "" in run.unbuilt for run in passes):
            found[test] = "module" if test.file.endswith(".py") else "package"
        elif "pass" in pair and len(pair) == 2 and not (None in pair and (at.note or without.note)):
            found[test] = "other"
    return found
