#!/usr/bin/env python3
"""Measures what an edit costs in the language server: from didChange to the diagnostics of the edited file, and to the end of the check.

    tests/editors/keystrokes.py BINARY FOLDER [--edits N] [--jobs N] [--debounce MS] [--at-most MS] [--stages]
                                [--kind WORDS]... [FILE...]

Each FILE (default: the file of the folder with most findings, and one without any) is opened. A word is typed into a comment above everything, a
line is put there, a statement into a function of the host and one into a kernel, N times each; then a call is typed into the function of the host
key by key, as a person would, so that the text is broken most of the time. The debounce is 0 unless it is given, and every key waits for the check
of the one before. For each: minimum, median and maximum in milliseconds until the diagnostics of the edited file were there (sent, or known to stay
as they are), until the check of the project was done, and the CPU time the server used for it. Exit code 1 when a bound is given by `--at-most` and
the median until the diagnostics of the edited file is above it for any kind of edit. `--stages` says where the time went (medians). `--kind comment`
makes only the edits whose name has these words: in a large project some kinds cost a whole check each.
"""

import argparse
import json
import os
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

    def __init__(self, binary, folder, jobs, debounce):
        self.process = subprocess.Popen([binary, "server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.findings = {}
        self._send(
            id=0,
            method="initialize",
            params={
                "capabilities": {},
                "initializationOptions": {"debounce": debounce, "jobs": jobs},
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
        """When diagnostics of a document were there, when the check was done, and how long its stages took."""
        there = None
        while True:
            moment, message = self.messages.get(timeout=1800)
            if message is None:
                sys.exit("the server is gone")
            method, params = message.get("method"), message.get("params")
            if method == "textDocument/publishDiagnostics":
                self.findings[params["uri"]] = params["diagnostics"]
                if params["uri"] == address:
                    there = moment
            elif method == "$/cudalint/published" and address in params["uris"]:
                there = moment
            elif method == "$/cudalint/checked":
                return there or moment, moment, params["stages"]

    def cpu_seconds(self):
        """What the process has used so far; 0 where nobody can say."""
        try:
            fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        self._send(id=1, method="shutdown")
        self._wait(lambda it: it.get("id") == 1)
        self.notify("exit")
        self.process.wait(timeout=60)


# A call as it is typed.
TYPED = "cudaMemset(typed, 0, 16);"
HEAD = re.compile(r"^(?:template[^;{}]*>\s*)?(?P<head>\w[^;{}#()]*\([^;{}#]*\)\s*(?:const\s*)?)\{", re.M)


def bodies(text):
    """Where the bodies of the first function of the host and of the first kernel begin, as far as a regular expression can tell."""
    found = [(bool(re.search(r"__(?:global|device)__", it["head"])), it.end()) for it in HEAD.finditer(text)]
    host = next((at for is_device, at in found if not is_device), None)
    device = next((at for is_device, at in found if is_device), None)
    return host, device


def edits(text, times):
    """What is done to a document: names, and lists of texts with what finds their places."""

    def host(it):
        return bodies(it)[0]

    def device(it):
        return bodies(it)[1]

    yield "a word in a comment", [("// word\n", lambda _: 0)] * times
    yield "a line above everything", [("\n", lambda _: 0)] * times
    if host(text) is not None:
        yield "a statement in a function of the host", [(" int typed_here = 1; (void)typed_here;", host)] * times
    if device(text) is not None:
        yield "a statement in a kernel", [(" int typed_here = 1; (void)typed_here;", device)] * times
    if host(text) is not None:
        room = " char typed[16];\n "
        keys = [(key, lambda it, at=at: host(it) + len(room) + at) for at, key in enumerate(TYPED)]
        yield "room for it", [(room, host)]
        yield "a call, key by key", keys


def position(text, offset):
    before = text[:offset]
    line = before.count("\n")
    return {"line": line, "character": len(before) - (before.rfind("\n") + 1)}


def told(times):
    return f"{min(times):.0f} {statistics.median(times):.0f} {max(times):.0f}"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("binary")
    options.add_argument("folder", type=pathlib.Path)
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("--edits", type=int, default=5)
    options.add_argument("--jobs", type=int, default=0)
    options.add_argument("--debounce", type=int, default=0)
    options.add_argument("--at-most", type=float)
    options.add_argument("--kind", action="append", default=[])
    options.add_argument("--stages", action="store_true")
    options = options.parse_intermixed_args()
    folder = options.folder.resolve()
    began = time.perf_counter()
    server = Server(options.binary, folder, options.jobs, options.debounce)
    _, done, _ = server.checked()
    findings = sum(map(len, server.findings.values()))
    print(f"{folder.name}: first check {done - began:.2f} s, {server.cpu_seconds():.2f} s of CPU time, {findings} findings", flush=True)
    files = [it.resolve() for it in options.files]
    if not files:
        most = max(server.findings, key=lambda it: (len(server.findings[it]), it), default=None)
        if most:
            files.append(pathlib.Path(most.removeprefix("file://")))
        silent = (it for it in sorted(folder.rglob("*.cu")) if it.as_uri() not in server.findings)
        files.extend(list(silent)[:1])
    print("milliseconds: minimum, median, maximum until the diagnostics of the file; until the check is done; of CPU time")
    worst = 0
    for file in files:
        address = file.as_uri()
        text = file.read_text(errors="replace")
        server.notify("textDocument/didOpen", textDocument={"uri": address, "languageId": "cuda-cpp", "version": 0, "text": text})
        server.checked()
        version = 0
        print(file.relative_to(folder))
        for name, keys in edits(text, options.edits):
            if options.kind and not any(it in name for it in options.kind):
                continue
            there, done, used, stages = [], [], [], {}
            for typed, place in keys:
                version += 1
                offset = place(text)
                start = position(text, offset)
                change = {"range": {"start": start, "end": start}, "text": typed}
                text = text[:offset] + typed + text[offset:]
                before, began = server.cpu_seconds(), time.perf_counter()
                server.notify("textDocument/didChange", textDocument={"uri": address, "version": version}, contentChanges=[change])
                first, last, took = server.checked(address)
                there.append(1000 * (first - began))
                done.append(1000 * (last - began))
                used.append(1000 * (server.cpu_seconds() - before))
                for stage, spent in took:
                    stages.setdefault(stage, []).append(spent)
            worst = max(worst, statistics.median(there))
            print(f"  {name}: {told(there)}; {told(done)}; {told(used)}", flush=True)
            if options.stages:
                print("   ", ", ".join(f"{stage} {statistics.median(spent):.0f}" for stage, spent in stages.items()), flush=True)
        server.notify("textDocument/didClose", textDocument={"uri": address})
        server.checked()
    server.close()
    if options.at_most is not None and worst > options.at_most:
        sys.exit(f"{worst:.0f} ms is more than {options.at_most:.0f} ms")


if __name__ == "__main__":
    main()
