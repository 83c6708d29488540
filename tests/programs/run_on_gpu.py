#!/usr/bin/env python3
"""Compiles and runs every program of a set on a GPU, and says where a label is wrong.

usage: tests/programs/run_on_gpu.py SET [--nvcc NVCC] [-j COMPILES] [--jobs RUNS] [--trials N] [--timeout S] [--only NAME ...] [--results FILE]

SET is a folder of programs (README.md beside this file describes label.toml). Each is built by `nvcc -std=c++17 -arch=sm_90`, the `build` flags
of its label and all its .cu and .cpp files, and run N times with CUDA_MODULE_LOADING=LAZY and N times with EAGER, in a process group of its own
that is killed when the time is up. Programs whose harm or promise is a time run alone, after all others.

How a run ends: `hang` (the time was up), else by the last line that is DONE, WRONG, SLOW or ERROR: `done`, `wrong`, `slow`, `error`; without one
`crash`. `compile` is a program that nvcc does not take. A line that tells of harm counts even when DONE follows. One line of JSON per run goes to
FILE (default: SET/gpu_results.jsonl), anew; with --only the lines of other programs stay. The exit code is 1 when a label with `expect_lazy` and `expect_eager` is not what every run did, 2 when
nothing could be run. Python 3.11, nothing else.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

MODES = ("LAZY", "EAGER")
TIMED = ("serialise", "benchmark")
VERDICT = re.compile(r"^(DONE|WRONG|SLOW|ERROR)\b")


def programs(folder, only):
    """Name and label of each program, sorted."""
    found = []
    for path in sorted(folder.iterdir()):
        label = path / "label.toml"
        if label.is_file() and (not only or path.name in only):
            found.append((path, tomllib.loads(label.read_text())))
    return found


def expected(label, mode):
    """What the label says of a mode; None where it says nothing."""
    lazy = label.get("expect_lazy", label.get("expect"))
    return lazy if mode == "LAZY" else label.get("expect_eager", lazy)


def runs_alone(label):
    """Whether its outcome is a time, which other programs on the GPU would change."""
    family = {label["family"], label.get("near", "")}
    slow = "slow" in (expected(label, "LAZY"), expected(label, "EAGER"))
    return bool(label.get("exclusive") or slow or family & set(TIMED))


def compile_one(nvcc, path, label, target):
    """Builds a program; what the compiler said when it does not."""
    # Relative, so that `__FILE__` in what a program prints says nothing of the machine.
    sources = sorted(str(it.relative_to(path)) for it in path.rglob("*") if it.suffix in (".cu", ".cpp", ".cc"))
    command = [nvcc, "-std=c++17", "-arch=sm_90", "-o", str(target), *sources, *shlex.split(label.get("build", ""))]
    try:
        built = subprocess.run(command, cwd=path, capture_output=True, text=True, errors="replace", timeout=600)
    except subprocess.TimeoutExpired:
        return "the compiler did not end"
    if built.returncode == 0 and target.is_file():
        return None
    return (built.stdout + built.stderr)[-2000:] or f"the compiler ended with {built.returncode}"


def classify(output, code):
    """How a run that ended by itself ended."""
    lines = [it.strip() for it in output.splitlines()]
    verdicts = [it.group(1).lower() for it in map(VERDICT.match, lines) if it]
    harm = [it for it in verdicts if it != "done"]
    if harm:
        return harm[-1]
    return "done" if verdicts and code == 0 else "crash"


def run_one(binary, mode, timeout):
    """Outcome, seconds and output of one run."""
    environment = {**os.environ, "CUDA_MODULE_LOADING": mode}
    started = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [str(binary)], cwd=binary.parent, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        seconds = time.monotonic() - started
        # Children of a program that has ended die with it.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        output.seek(0)
        text = output.read().decode(errors="replace")
    return "hang" if code is None else classify(text, code), seconds, text[-2000:]


def others(results, names):
    """Lines of earlier runs about other programs."""
    if not results.is_file():
        return []
    return [line for line in results.open() if json.loads(line)["case"] not in names]


class Results:
    """What is known so far: every result goes to the file as soon as it is there."""

    def __init__(self, file):
        self.file = file
        self.results = []

    def add(self, path, label, mode, trial, outcome, seconds, output):
        record = {
            "case": path.name, "mode": mode, "outcome": outcome, "expected": expected(label, mode), "family": label["family"],
            "bad": label["bad"], "seconds": round(seconds, 2), "attempt": trial, "output": output,
        }
        self.results.append(record)
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()


def run_all(collected, built, options, workers):
    """Every trial of some programs, `workers` at a time."""
    def one(item):
        path, label, binary, mode, trial = item
        return item, run_one(binary, mode, options.timeout)

    items = [(*it, mode, trial) for it in built for mode in MODES for trial in range(1, options.trials + 1)]
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for (path, label, _, mode, trial), (outcome, seconds, output) in pool.map(one, items):
            collected.add(path, label, mode, trial, outcome, seconds, output)


def report(results):
    """Prints what every program did and where its label says something else; how many do."""
    wrong, unlabelled = 0, 0
    cases = {}
    for it in results:
        cases.setdefault((it["case"], it["mode"]), []).append(it)
    for (case, mode), runs in sorted(cases.items()):
        outcomes = sorted({it["outcome"] for it in runs})
        wanted = runs[0]["expected"]
        if wanted is None:
            unlabelled += 1
            print(f"{case} {mode}: {', '.join(outcomes)}, the label says nothing")
        elif outcomes != [wanted]:
            wrong += 1
            last = (runs[-1]["output"].strip().splitlines() or ["no output"])[-1]
            print(f"{case} {mode}: {', '.join(outcomes)}, the label says {wanted} [{last[:100]}]")
        elif runs[0]["bad"] == (wanted == "done") and mode == "LAZY":
            wrong += 1
            print(f"{case} {mode}: {wanted} as the label says, but it is labelled as {'bad' if runs[0]['bad'] else 'clean'}")
    counts = {}
    for it in results:
        counts[it["outcome"]] = counts.get(it["outcome"], 0) + 1
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    print(f"{len(results)} runs: {told}; {wrong} of {len(cases)} labels wrong, {unlabelled} without an outcome")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=pathlib.Path, help="folder of programs")
    parser.add_argument("--nvcc", default=os.environ.get("NVCC") or "nvcc")
    parser.add_argument("-j", "--compiles", type=int, default=os.cpu_count(), help="programs compiled at a time")
    parser.add_argument("--jobs", type=int, default=4, help="programs run at a time")
    parser.add_argument("--trials", type=int, default=1, help="runs of each program in each mode")
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds after which a run is a hang")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME")
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    if not options.set.is_dir():
        parser.error(f"there is no folder `{options.set}`")
    nvcc = shutil.which(options.nvcc)
    if nvcc is None:
        parser.error(f"there is no compiler `{options.nvcc}`")
    nvcc = os.path.abspath(nvcc)
    chosen = programs(options.set.resolve(), options.only)
    if not chosen:
        parser.error(f"there are no programs in `{options.set}`")
    results = options.results or options.set / "gpu_results.jsonl"
    kept = others(results, {path.name for path, _ in chosen}) if options.only else []
    with tempfile.TemporaryDirectory() as work, results.open("w") as file:
        file.writelines(kept)
        collected = Results(file)
        folders = []
        for path, label in chosen:
            folder = pathlib.Path(work) / path.name
            folder.mkdir()
            folders.append((path, label, folder / "program"))
        with concurrent.futures.ThreadPoolExecutor(options.compiles) as pool:
            said = list(pool.map(lambda it: compile_one(nvcc, *it), folders))
        for (path, label, _), problem in zip(folders, said):
            if problem is not None:
                for mode in MODES:
                    collected.add(path, label, mode, 1, "compile", 0.0, problem)
        built = [it for it, problem in zip(folders, said) if problem is None]
        run_all(collected, [it for it in built if not runs_alone(it[1])], options, options.jobs)
        run_all(collected, [it for it in built if runs_alone(it[1])], options, 1)
        return 1 if report(collected.results) else 0


if __name__ == "__main__":
    sys.exit(main())
