#!/usr/bin/env python3
"""Runs cudalint over the labelled test suite of CuSan (https://github.com/tudasc/cusan-tests) and counts what it gets right.

Usage: tests/cusan.py CHECKOUT [CUDALINT]

A case whose name ends in `_nok` holds a data race, every other one holds none. The suite builds some racy cases without
`-Dcusan_SYNC` and their repaired form with it: both are checked. A case is right when a finding of the race group that is
an error, or relies on behaviour no document promises, is there exactly where the label says so. Those whose race hangs on
such behaviour (a free that synchronises, a copy to pageable memory that is complete) are listed, and counted apart.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

# The suite takes for granted that these happen to synchronise, or that they do not; documents leave it open.
OPEN = {"CL208", "CL209"}


def findings(binary, source, defines):
    """Codes of the race findings of one case, compiled as CUDA as the suite's own runner does."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / (source.stem + ".cu")
        target.write_bytes(source.read_bytes())
        command = [binary, "check", str(target), "--isolated", "--preview", "--format", "json", "--exit-zero", *defines]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if result.returncode != 0:
            sys.exit(f"{source}: {result.stderr}")
        report = json.loads(result.stdout)
    return sorted({it["code"] for it in report["findings"] if it["code"].startswith("CL2")})


def cases(checkout):
    """Every build the suite makes: file, -D options, whether it races."""
    for source in sorted((checkout / "testsuite").glob("*/*")):
        if source.suffix not in {".c", ".cpp", ".cu"}:
            continue
        racy = source.stem.endswith("_nok")
        yield source, [], racy
        if racy and "cusan_SYNC" in source.read_text():
            yield source, ["-Dcusan_SYNC"], False


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    checkout = pathlib.Path(sys.argv[1])
    binary = sys.argv[2] if len(sys.argv) > 2 else "cudalint"
    totals = {}
    for source, defines, racy in cases(checkout):
        codes = findings(binary, source, defines)
        firm = [it for it in codes if it not in OPEN]
        is_open = bool(codes) and not firm
        right = racy if is_open else bool(firm) == racy
        kind = "open" if is_open else "firm"
        word = "right" if right else ("open" if is_open else "wrong")
        name = " ".join([f"{source.parent.name}/{source.name}", *defines])
        print(f"{word:6}{name:70}{'racy' if racy else 'clean':6}{','.join(codes) or 'silent'}")
        counts = totals.setdefault((source.parent.name, kind), [0, 0])
        counts[0] += right
        counts[1] += 1
    print()
    for (folder, kind), (right, count) in sorted(totals.items()):
        print(f"{folder}, {kind}: {right} of {count} as labelled")


if __name__ == "__main__":
    main()
