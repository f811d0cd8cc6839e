"""Times the first answer of language servers over LSP, cold and with their caches, in one run.

A question is the incoming calls of a Go function, or the references of a Python function, asked of each
server as an editor asks: initialize, open the file, ask until the answer is not empty. Cold: a new cache
folder (XDG_CACHE_HOME). Warm: a new process with the folder that the cold one has left, after it had time to
settle. Rows run one after the other; nothing else should.

  race.py --codeweft BIN [--gopls BIN] [--ty BIN] [--settle SECONDS] NAME=ROOT:FILE:FUNCTION...
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 300


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


def first_answer(command, environment, root, file, function, settle):
    """Returns the seconds to the first answer that is not empty, and how many places it has."""
    path = pathlib.Path(root, file)
    text = path.read_text(encoding="utf-8")
    is_go = path.suffix == ".go"
    at = text.index(("func " if is_go else "def ") + function + "(") + len("func " if is_go else "def ")
    line = text.count("\n", 0, at)
    position = {"line": line, "character": at - (text.rfind("\n", 0, at) + 1)}
    document = {"uri": path.resolve().as_uri()}
    place = {"textDocument": document, "position": position}

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
    opened = {**document, "languageId": "go" if is_go else "python", "version": 1, "text": text}
    server.tell("textDocument/didOpen", {"textDocument": opened})
    while time.monotonic() - began < PATIENCE:
        if is_go:
            items = server.ask("textDocument/prepareCallHierarchy", place)
            found = server.ask("callHierarchy/incomingCalls", {"item": items[0]}) if items else None
        else:
            found = server.ask("textDocument/references", {**place, "context": {"includeDeclaration": False}})
        if found:
            took = time.monotonic() - began
            time.sleep(settle)
            server.end()
            return took, len(found)
        time.sleep(0.02)
    sys.exit(f"{command[0]}: {function} had no answer in {PATIENCE} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codeweft", required=True)
    parser.add_argument("--gopls")
    parser.add_argument("--ty")
    parser.add_argument("--settle", type=float, default=30)
    parser.add_argument("--rounds", type=int, default=3, help="warm runs, of which the middle counts")
    parser.add_argument("questions", nargs="+", metavar="NAME=ROOT:FILE:FUNCTION")
    given = parser.parse_args()
    print(f"{'workspace':24} {'server':10} {'cold s':>8} {'warm s':>8} {'places':>8}")
    for question in given.questions:
        name, rest = question.split("=", 1)
        root, file, function = rest.split(":")
        servers = {"codeweft": [given.codeweft, "lsp"]}
        if file.endswith(".go") and given.gopls:
            servers["gopls"] = [given.gopls, "serve"]
        if file.endswith(".py") and given.ty:
            servers["ty"] = [given.ty, "server"]
        for server, command in servers.items():
            home = tempfile.mkdtemp(prefix="race")
            environment = dict(os.environ, XDG_CACHE_HOME=home + "/cache", XDG_RUNTIME_DIR=home, XDG_STATE_HOME=home)
            stop = [given.codeweft, "serve", "--stop", "--root", root]

            def run(settle):
                measured = first_answer(command, environment, root, file, function, settle)
                if server == "codeweft":
                    subprocess.run(stop, env=environment, capture_output=True)
                return measured

            try:
                cold, places = run(given.settle)
                warm = sorted(run(1)[0] for _ in range(given.rounds))[given.rounds // 2]
            finally:
                shutil.rmtree(home, ignore_errors=True)
            print(f"{name:24} {server:10} {cold:8.2f} {warm:8.2f} {places:8}", flush=True)


main()
