"""Measures language servers beside each other over LSP, in one run: the first answer, cold and with their
caches, the callers of functions by lot, and memory.

A question is the incoming calls of a Go function, or the references of a Python function, asked of each
server as an editor asks: initialize, open the file, ask until the answer is not empty. Cold: a new cache
folder (XDG_CACHE_HOME). Warm: a new process with the folder that the cold one has left, after it had time to
settle. Between settling and its end the cold one is asked for the callers of functions by lot, the same of each
server, in opened files; then its memory is read. Rows run one after the other; nothing else should.

  race.py --codeweft BIN [--gopls BIN] [--ty BIN] [--settle SECONDS] NAME=ROOT:FILE:FUNCTION...

If CODEWEFT_BENCH_JSON names a file, the figures of codeweft divided by those of the other server are written there.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 300

# How long a server is asked for callers by lot.
BY_LOT = 120


class Server:
    """A language server over its standard input and output."""

    def __init__(self, command, root, environment):
        self.process = subprocess.Popen(
            command, cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0
        self.answers = {}
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.process.stdin.flush()
        except BrokenPipeError:
            sys.exit(f"{self.process.args[0]} has ended")

    def read(self):
        output = self.process.stdout
        while True:
            length = 0
            while (line := output.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                return
            message = json.loads(output.read(length))
            if "method" in message and "id" in message:
                asked = message.get("params", {}).get("items", [])
                is_settings = message["method"] == "workspace/configuration"
                self.send({"id": message["id"], "result": [None] * len(asked) if is_settings else None})
            elif "id" in message:
                with self.changed:
                    self.answers[message["id"]] = message
                    self.changed.notify_all()

    def ask(self, method, params):
        """Returns the result; None for an error."""
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        with self.changed:
            if not self.changed.wait_for(lambda: number in self.answers, PATIENCE):
                sys.exit(f"{self.process.args[0]}: no answer to {method} in {PATIENCE} s")
            return self.answers.pop(number).get("result")

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def callers(server, path, place):
    if path.suffix == ".go":
        items = server.ask("textDocument/prepareCallHierarchy", place)
        return server.ask("callHierarchy/incomingCalls", {"item": items[0]}) if items else None
    return server.ask("textDocument/references", {**place, "context": {"includeDeclaration": False}})


def place_of(path, text, at):
    position = {"line": text.count("\n", 0, at), "character": at - (text.rfind("\n", 0, at) + 1)}
    return {"textDocument": {"uri": path.resolve().as_uri()}, "position": position}


def opened(server, path, text):
    language = "go" if path.suffix == ".go" else "python"
    document = {"uri": path.resolve().as_uri(), "languageId": language, "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": document})


def by_lot(root, suffix, count):
    """Returns functions of a workspace, drawn at random: (file, text, offset of the name)."""
    declared = re.compile(r"^func (\w+)\(" if suffix == ".go" else r"^def (\w+)\(", re.MULTILINE)
    found = []
    for path in sorted(pathlib.Path(root).rglob("*" + suffix)):
        if not {"testdata", "vendor"} & set(path.parts) and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            found += [(path, text, match.start(1)) for match in declared.finditer(text) if text.isascii()]
    return random.Random(17).sample(found, min(count, len(found)))


def callers_by_lot(server, functions):
    """Returns the 99th percentile of the times to callers, in milliseconds, and how many were asked."""
    times, files, began = [], set(), time.monotonic()
    for path, text, at in functions:
        if time.monotonic() - began > BY_LOT:
            break
        if path not in files:
            files.add(path)
            opened(server, path, text)
            server.ask("textDocument/documentSymbol", {"textDocument": {"uri": path.resolve().as_uri()}})
        asked = time.monotonic()
        callers(server, path, place_of(path, text, at))
        times.append(time.monotonic() - asked)
    times.sort()
    return times[-(-len(times) * 99 // 100) - 1] * 1e3, len(times)


def megabytes(server, root):
    """Returns the resident memory of a server: the process, and the one that it is the proxy of."""
    pids = [server.process.pid]
    note = pathlib.Path(root, ".codeweft/server.json")
    if server.is_codeweft and note.is_file():
        pids.append(json.loads(note.read_text())["pid"])
    kilobytes = 0
    for pid in pids:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        kilobytes += int(re.search(r"^VmRSS:\s*(\d+)", status, re.MULTILINE)[1])
    return kilobytes * 1024 / 1e6


def first_answer(command, environment, root, file, function):
    """Returns the server, the seconds to its first answer that is not empty, and how many places that has."""
    path = pathlib.Path(root, file)
    text = path.read_text(encoding="utf-8")
    word = "func " if path.suffix == ".go" else "def "
    place = place_of(path, text, text.index(word + function + "(") + len(word))

    began = time.monotonic()
    server = Server(command, root, environment)
    folder = pathlib.Path(root).resolve().as_uri()
    capabilities = {
        "workspace": {"configuration": True, "workspaceFolders": True},
        "textDocument": {"callHierarchy": {}, "references": {}},
    }
    server.ask(
        "initialize",
        {
            "processId": os.getpid(),
            "rootUri": folder,
            "workspaceFolders": [{"uri": folder, "name": "race"}],
            "capabilities": capabilities,
        },
    )
    server.tell("initialized", {})
    opened(server, path, text)
    while time.monotonic() - began < PATIENCE:
        if found := callers(server, path, place):
            return server, time.monotonic() - began, len(found)
        time.sleep(0.02)
    sys.exit(f"{command[0]}: {function} had no answer in {PATIENCE} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--gopls")
    parser.add_argument("--ty")
    parser.add_argument("--settle", type=float, default=30)
    parser.add_argument("--rounds", type=int, default=3, help="warm runs, of which the middle counts")
    parser.add_argument("--lot", type=int, default=100, help="functions by lot whose callers are asked")
    parser.add_argument("questions", nargs="+", metavar="NAME=ROOT:FILE:FUNCTION")
    given = parser.parse_args()
    columns = ["cold", "warm", "callers", "memory"]
    print(f"{'workspace':12} {'server':10} {'cold s':>8} {'warm s':>8} {'p99 ms':>8} {'asked':>6} {'MB':>8} {'places':>8}")
    lines = []
    for question in given.questions:
        name, rest = question.split("=", 1)
        root, file, function = rest.split(":")
        servers = {"codeweft": [given.codeweft, "lsp"]}
        if file.endswith(".go") and given.gopls:
            servers["gopls"] = [given.gopls, "serve"]
        if file.endswith(".py") and given.ty:
            servers["ty"] = [given.ty, "server"]
        functions = by_lot(root, pathlib.Path(file).suffix, given.lot)
        rows = []
        for kind, command in servers.items():
            home = tempfile.mkdtemp(prefix="race")
            environment = dict(os.environ, XDG_CACHE_HOME=home + "/cache", XDG_RUNTIME_DIR=home, XDG_STATE_HOME=home)
            stop = [given.codeweft, "serve", "--stop", "--root", root]

            def run(is_cold):
                server, took, places = first_answer(command, environment, root, file, function)
                server.is_codeweft = kind == "codeweft"
                time.sleep(given.settle if is_cold else 1)
                further = (*callers_by_lot(server, functions), megabytes(server, root)) if is_cold else ()
                server.end()
                if server.is_codeweft:
                    subprocess.run(stop, env=environment, capture_output=True)
                return took, places, *further

            try:
                cold, places, slow, asked, memory = run(True)
                warm = sorted(run(False)[0] for _ in range(given.rounds))[given.rounds // 2]
            finally:
                shutil.rmtree(home, ignore_errors=True)
            rows.append([cold, warm, slow, memory])
            shown = f"{cold:8.2f} {warm:8.2f} {slow:8.1f} {asked:6} {memory:8.0f} {places:8}"
            print(f"{name:12} {kind:10} {shown}", flush=True)
        if len(rows) == 2:
            for column, ours, other in zip(columns, *rows):
                lines.append({"bar": f"race-{name}-{column}", "figure": ours / other, "unit": "times"})
    if file := os.environ.get("CODEWEFT_BENCH_JSON"):
        pathlib.Path(file).write_text("".join(json.dumps(line) + "\n" for line in lines))


main()
