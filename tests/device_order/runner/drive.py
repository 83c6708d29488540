#!/usr/bin/env python3
"""Runs every case of a file on the GPU, with and without lazy loading, several processes at a time.

usage: drive.py RUNNER CASES RESULTS [--workers N] [--limit S] [--seconds S] [--batch N] [--expect FILE] [--modes LAZY,EAGER]

A line of CASES is a number and what `encode.rs` writes. A line of RESULTS is `NUMBER MODE OUTCOME ...`:
  done VALUES                   it ended, and what was kept
  hang THREAD:INDEX ...         it did not end within the limit after set-up, and the operation each host thread is in
  error THREAD INDEX CODE       a CUDA call failed; then `done` or `hang` as above
  broken                        set-up failed, or the process died
A process runs up to --batch cases, each with kernels of its own; the first that does not end is its last, and what is left
goes to another process. With --expect (lines `NUMBER MODE done|hang`) cases that should hang come last in their process,
and those that end otherwise than expected are run again alone, with three times the limit: what they do then counts.
"""
import argparse
import os
import select
import signal
import subprocess
import threading
import time


class Process:
    """A runner with some cases to run."""

    def __init__(self, runner, mode):
        environment = dict(os.environ, CUDA_MODULE_LOADING=mode)
        self.child = subprocess.Popen(
            [runner],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        self.text = b""

    def run(self, line, limit):
        """What becomes of a case, and whether the process can take another."""
        try:
            self.child.stdin.write(line.encode() + b"\n")
            self.child.stdin.flush()
        except BrokenPipeError:
            return "broken", False
        deadline = time.monotonic() + 40
        seen, ready, error, last = [], False, "", {}
        while True:
            while b"\n" in self.text:
                word, self.text = self.text.split(b"\n", 1)
                words = word.decode().split()
                if words[0] == "ready":
                    ready, deadline = True, time.monotonic() + limit
                elif words[0] == "error":
                    error = " ".join(words) + " "
                elif words[0] == ">":
                    last[words[1]] = words[2]
                elif words[0] == "done":
                    return error + " ".join(words), not error
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.child.stdout], [], [], left)[0]:
                break
            part = os.read(self.child.stdout.fileno(), 65536)
            if not part:
                return "broken", False
            self.text += part
        if not ready:
            return "broken", False
        return error + "hang " + " ".join(f"{thread}:{index}" for thread, index in sorted(last.items())), False

    def end(self):
        """Ends it, whatever it does."""
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.child.wait()
        self.child.stdin.close()
        self.child.stdout.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runner")
    parser.add_argument("cases")
    parser.add_argument("results")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--limit", type=float, default=2.0)
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--expect")
    parser.add_argument("--modes", default="LAZY,EAGER")
    options = parser.parse_args()
    started = time.monotonic()
    expected = {}
    if options.expect:
        for line in open(options.expect):
            number, mode, outcome = line.split()
            expected[number, mode] = outcome
    cases = [line.rstrip("\n").split(" ", 1) for line in open(options.cases)]
    text = dict(cases)
    modes = options.modes.split(",")
    done = {mode: [it for it, _ in cases if expected.get((it, mode)) != "hang"] for mode in modes}
    hang = {mode: [it for it, _ in cases if expected.get((it, mode)) == "hang"] for mode in modes}
    results = {}
    lock = threading.Lock()
    until = started + options.seconds * 0.9

    def take():
        """The cases of one process."""
        with lock:
            mode = max(modes, key=lambda it: len(done[it]) + len(hang[it]))
            count = options.batch - 1
            batch, done[mode] = done[mode][:count], done[mode][count:]
            batch += hang[mode][:1]
            hang[mode] = hang[mode][1:]
            return mode, batch

    def work():
        while time.monotonic() < until:
            mode, batch = take()
            if not batch:
                return
            process = Process(options.runner, mode)
            for position, number in enumerate(batch):
                limit = options.limit / 2 if expected.get((number, mode)) == "hang" else options.limit
                outcome, goes_on = process.run(text[number], limit)
                with lock:
                    results[number, mode] = outcome
                if not goes_on:
                    with lock:
                        for it in batch[position + 1 :]:
                            (hang if expected.get((it, mode)) == "hang" else done)[mode].append(it)
                    break
            process.end()

    threads = [threading.Thread(target=work) for _ in range(options.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = time.monotonic() - started
    again = []
    for number, mode in sorted(results):
        wanted = expected.get((number, mode))
        if wanted and wanted not in results[number, mode].split():
            again.append((number, mode))
    changed = []
    for number, mode in again:
        if time.monotonic() > started + options.seconds:
            break
        process = Process(options.runner, mode)
        outcome, _ = process.run(text[number], options.limit * 3)
        process.end()
        if ("hang" in outcome) != ("hang" in results[number, mode]):
            changed.append((number, mode, results[number, mode], outcome))
        results[number, mode] = outcome
    with open(options.results, "w") as out:
        for number, _ in cases:
            for mode in modes:
                if (number, mode) in results:
                    out.write(f"{number} {mode} {results[number, mode]}\n")
    kinds = {}
    for outcome in results.values():
        kind = outcome.split()[0]
        kinds[kind] = kinds.get(kind, 0) + 1
    left = sum(len(done[mode]) + len(hang[mode]) for mode in modes)
    print(f"{len(results)} runs in {taken:.0f} s, {left} left out: {kinds}")
    print(f"{len(again)} run again; {len(changed)} changed")
    for it in changed[:40]:
        print(" ", *it)


main()
