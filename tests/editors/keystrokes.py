#!/usr/bin/env python3
"""Measures what an edit costs in the language server: from didChange to the end of the check that it starts.

    tests/editors/keystrokes.py BINARY FOLDER [--edits N] [--jobs N] [FILE...]

Each FILE (default: the file of the folder with most findings, and one without any) is opened and edited N times: a word is typed into a
comment, a line is put above everything, and a statement is put into the first function. The debounce is 0. Prints medians and maxima in
milliseconds: until diagnostics of the edited file come, where they change, and until the check is done. Exit code 1 when a bound is given by
`--at-most MILLISECONDS` and the median until done is above it.
"""

import argparse
import json
import pathlib
import queue
import re
import statistics
import subprocess
import sys
import threading
import time


class Server:
    """`cudalint server` on a folder, and what it sends."""

    def __init__(self, binary, folder, jobs):
        self.process = subprocess.Popen([binary, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.findings = {}
        self._send(
            id=0,
            method="initialize",
            params={
                "capabilities": {},
                "initializationOptions": {"debounce": 0, "jobs": jobs},
                "workspaceFolders": [{"uri": folder.as_uri(), "name": folder.name}],
            },
        )
        self._wait(lambda it: it.get("id") == 0)
        self.notify("initialized")

    def _read(self):
        pipe = self.process.stdout
        while line := pipe.readline():
            length = int(line.split(b":")[1])
            while pipe.readline().strip():
                pass
            self.messages.put((time.perf_counter(), json.loads(pipe.read(length))))
        self.messages.put((time.perf_counter(), None))

    def _send(self, **message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, **params):
        self._send(method=method, params=params)

    def _wait(self, wanted):
        while True:
            moment, message = self.messages.get(timeout=900)
            if message is None:
                sys.exit("the server is gone")
            if message.get("method") == "textDocument/publishDiagnostics":
                self.findings[message["params"]["uri"]] = message["params"]["diagnostics"]
            if wanted(message):
                return moment

    def checked(self, address=None):
        """When diagnostics of a document came (or None), and when the check was done."""
        published = None
        while True:
            moment, message = self.messages.get(timeout=900)
            if message is None:
                sys.exit("the server is gone")
            method = message.get("method")
            if method == "textDocument/publishDiagnostics":
                self.findings[message["params"]["uri"]] = message["params"]["diagnostics"]
                if message["params"]["uri"] == address:
                    published = moment
            elif method == "$/cudalint/checked":
                return published, moment

    def close(self):
        self._send(id=1, method="shutdown")
        self._wait(lambda it: it.get("id") == 1)
        self.notify("exit")
        self.process.wait(timeout=60)


def edits(text):
    """What is done to a document: a name and (offset, text)."""
    function = re.search(r"^\w[^;{}#]*\)\s*\{", text, re.M)
    yield "a word in a comment", 0, "// word\n"
    yield "a line above everything", 0, "\n"
    if function:
        yield "a statement in the first function", function.end(), " int typed_here = 1; (void)typed_here;"


def position(text, offset):
    before = text[:offset]
    line = before.count("\n")
    return {"line": line, "character": len(before) - (before.rfind("\n") + 1)}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binary")
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("--edits", type=int, default=5)
    options.add_argument("--jobs", type=int, default=0)
    options.add_argument("--at-most", type=float)
    options = options.parse_args()
    folder = options.folder.resolve()
    began = time.perf_counter()
    server = Server(options.binary, folder, options.jobs)
    _, done = server.checked()
    print(f"{folder.name}: first check {done - began:.2f} s, {sum(map(len, server.findings.values()))} findings")
    files = [it.resolve() for it in options.files]
    if not files:
        most = max(server.findings, key=lambda it: (len(server.findings[it]), it), default=None)
        if most:
            files.append(pathlib.Path(most.removeprefix("file://")))
        silent = (it for it in sorted(folder.rglob("*.cu")) if it.as_uri() not in server.findings)
        files.extend(list(silent)[:1])
    worst = 0
    for file in files:
        address = file.as_uri()
        text = file.read_text(errors="replace")
        server.notify("textDocument/didOpen", textDocument={"uri": address, "languageId": "cuda-cpp", "version": 0, "text": text})
        server.checked()
        version = 0
        for name, offset, typed in edits(text):
            published, finished = [], []
            for _ in range(options.edits):
                version += 1
                place = position(text, offset)
                change = {"range": {"start": place, "end": place}, "text": typed}
                text = text[:offset] + typed + text[offset:]
                began = time.perf_counter()
                server.notify("textDocument/didChange", textDocument={"uri": address, "version": version}, contentChanges=[change])
                first, last = server.checked(address)
                finished.append(1000 * (last - began))
                if first:
                    published.append(1000 * (first - began))
            shown = f"{statistics.median(published):.0f}" if published else "unchanged"
            median = statistics.median(finished)
            worst = max(worst, median)
            print(f"{file.relative_to(folder)}: {name}: diagnostics {shown}, done {median:.0f} (at most {max(finished):.0f}) ms")
            if "first function" in name:
                break
            # The first function moved with what stands above it.
            moved = re.search(r"^\w[^;{}#]*\)\s*\{", text, re.M)
            offset = moved.end() if moved else offset
        server.notify("textDocument/didClose", textDocument={"uri": address})
        server.checked()
    server.close()
    if options.at_most is not None and worst > options.at_most:
        sys.exit(f"{worst:.0f} ms is more than {options.at_most:.0f} ms")


if __name__ == "__main__":
    main()
