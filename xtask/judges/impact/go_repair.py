"""Takes out of Go test files what does not compile without a change, so that the other tests of the package run.

A function with an error goes whole, then what uses it, until the package compiles.
"""

import re
import subprocess

ERROR = re.compile(r"^(?:vet: )?(\S+_test\.go):(\d+):\d+: (.*)$", re.MULTILINE)
DECLARATION = re.compile(r"(func|var|const|type)\b")
NAME = re.compile(r"^func\s+((?:Test|Example|Fuzz|Benchmark)\w*)\s*\(")
IMPORT = re.compile(r'^(\s*(?:import\s+)?)(?:[\w.]+\s+)?("[^"]+")')
ROUNDS = 12


def errors_of(folder, packages, variables):
    command = ["go", "test", "-vet=off", "-gcflags=-e", "-run", "^$", *packages]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=False,
                          errors="replace")
    return ERROR.findall(done.stdout + done.stderr)


def declaration_at(lines, number):
    """Returns the lines of the declaration, in gofmt's form, around a line; `None` outside of one."""
    start = number
    while start >= 0 and not DECLARATION.match(lines[start]):
        start -= 1
    if start < 0:
        return None
    end = start
    if lines[start].rstrip().endswith(("{", "(", "`", ",")):
        end += 1
        while end < len(lines) and not lines[end].startswith(("}", ")")):
            end += 1
    return (start, end + 1) if number <= end else None


def repair(folder, packages, variables):
    """Returns the tests that were taken out, as pairs of file and name."""
    gone = set()
    for _ in range(ROUNDS):
        found = errors_of(folder, packages, variables)
        if not found:
            return gone
        by_file = {}
        for file, line, words in found:
            by_file.setdefault(file.removeprefix("./"), set()).add((int(line) - 1, words))
        for file, places in by_file.items():
            path = folder / file
            lines = path.read_text().splitlines()
            for number, words in sorted(places):
                if "imported and not used" in words or "imported as" in words:
                    lines[number] = IMPORT.sub(r"\1_ \2", lines[number])
                    continue
                span = declaration_at(lines, number)
                if span is None:
                    continue
                name = NAME.match(lines[span[0]])
                if name:
                    gone.add((file, name[1]))
                lines[span[0] : span[1]] = [""] * (span[1] - span[0])
            path.write_text("\n".join(lines) + "\n")
    return gone
