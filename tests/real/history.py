#!/usr/bin/env python3
"""Asks cudalint about bugs that maintainers of public projects fixed: does it report them before the fix, and not after it?

Usage: tests/real/history.py CUDALINT --mirror DIR [--fixes FILE] [--only WORD …] [--trees DIR] [--write FILE] [--compare FILE]

`history.toml` lists the fixes, and `history-mined.toml` fifty more that were scored before any was looked at. DIR holds each repository as `OWNER+NAME/repo`, a git directory (`git clone --bare`). The headers of a
fix's components and the sources beside what it changed are taken from the commit and from the one before it; with `--trees` they stay
for the next run. A finding counts where it is gone behind the fix (rule, file, the text of its line):

- fixed: it is about the bug itself, as far as that can be told: its rule is of the kind of the fix (a race, a hang, ...), and what its story
  spans in a file holds a line that the fix touched;
- gone: it only went away with the fix;
- stays: it is about lines that the fix touched, and is there still.

`--only` chooses by a word in the repository, commit or kind. `defines` of a fix are macros that the project's own build files define.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib

HEADERS = {".h", ".H", ".hpp", ".cuh", ".hh", ".hxx", ".inl", ".ipp", ".inc", ".tpp"}
SOURCES = {".cu", ".c", ".cc", ".cpp", ".cxx", ".hip"}
# Seconds of CPU one check may take.
LIMIT = 240
# What the rules of a kind of bug begin with.
KINDS = {"hang": "CL1", "race": "CL2", "capture": "CL3", "serialisation": "CL4", "timing": "CL5"}
# A line is near a changed one when at most this many lines lie between them.
NEAR = 3


def git(mirror, fix, *arguments):
    """What git prints about the fix's repository."""
    folder = mirror / fix["repo"].replace("/", "+") / "repo"
    return subprocess.run(["git", f"--git-dir={folder}", *arguments], capture_output=True, check=True).stdout


def changed_files(mirror, fix):
    """The CUDA sources and headers that the fix changed, apart from those added."""
    names = git(mirror, fix, "diff", "--name-only", "--diff-filter=MDR", "--no-renames", f"{fix['commit']}^", fix["commit"])
    changed = [it for it in names.decode().split("\n") if pathlib.PurePath(it).suffix in HEADERS | SOURCES]
    return [it for it in changed if it in fix["files"]]


def changed_lines(mirror, fix, side):
    """Of each changed file, the lines that the fix removed (`side` is `-`) or added (`+`); a bare insertion touches its neighbours."""
    diff = git(mirror, fix, "diff", "--no-renames", "--unified=0", f"{fix['commit']}^", fix["commit"], "--", *fix["files"])
    lines = collections.defaultdict(set)
    path = ""
    for text in diff.decode(errors="replace").split("\n"):
        if text.startswith(("--- a/", "+++ b/")):
            path = text[6:]
        elif hunk := re.match(r"@@ -(\d+),?(\d*) \+(\d+),?(\d*) @@", text):
            first, count = hunk.group(1, 2) if side == "-" else hunk.group(3, 4)
            lines[path] |= set(range(int(first), int(first) + max(1, int(count or 1)) + (count == "0")))
    return lines


def wanted(name, fix):
    """Whether a file belongs to the part of the repository that is checked."""
    path = pathlib.PurePath(name)
    folders = [f"{pathlib.PurePath(it).parent}/" for it in fix["files"]]
    components = fix.get("tree") or [""]
    if not name.startswith(tuple(components + folders)):
        return False
    return path.suffix in HEADERS or path.suffix in SOURCES and f"{path.parent}/" in folders + fix.get("sources", [])


def unpack(mirror, fix, revision, target):
    """Writes the wanted files of one commit below `target`."""
    names = git(mirror, fix, "ls-tree", "-r", "-z", "--name-only", revision).decode().split("\0")
    names = [it for it in names if it and wanted(it, fix)]
    target.mkdir(parents=True)
    for start in range(0, len(names), 500):
        archive = git(mirror, fix, "archive", revision, "--", *names[start : start + 500])
        with tempfile.TemporaryFile() as file:
            file.write(archive)
            file.seek(0)
            tarfile.open(fileobj=file).extractall(target, filter="data")
    # Where the project begins.
    (target / "cudalint.toml").write_text("")


def check(binary, tree, files, defines):
    """The report of one check of the changed files, or None where the limit was passed, and the seconds of CPU it took."""
    command = ["nice", "-n", "5", str(binary), "check", *files, "--jobs", "1", "--preview", "--pedantic", "--format", "json", "--exit-zero"]
    command += [f"--define={it}" for it in defines]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    result = subprocess.run(command, cwd=tree, capture_output=True, preexec_fn=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return (json.loads(result.stdout)["findings"] if result.returncode == 0 else None), seconds


def identities(tree, findings):
    """Of each finding: rule, file, and the words of its line, which stay when lines above come or go."""
    texts = {}
    for it in findings:
        path = it["path"]
        texts.setdefault(path, (tree / path).read_text(errors="replace").split("\n"))
        line = texts[path][it["line"] - 1] if it["line"] <= len(texts[path]) else ""
        yield it["code"], path, " ".join(line.split())


def near(finding, lines):
    """Whether the finding, or a step of its story, is about lines that the fix touched."""
    places = [(finding["path"], finding["line"])] + [(it["path"], it["line"]) for it in finding["steps"]]
    return any(abs(line - it) <= NEAR for path, line in places for it in lines.get(path, ()))


def spans(finding, lines):
    """Whether the story of a finding goes over a line that the fix touched."""
    stretches = collections.defaultdict(list)
    for it in [finding, *finding["steps"]]:
        stretches[it["path"]].append(it["line"])
    return any(
        min(places) - NEAR <= line <= max(places) + NEAR for path, places in stretches.items() for line in lines.get(path, ())
    )


def brief(finding):
    return f"{finding['code']} {finding['severity']} {finding['confidence']} {finding['path']}:{finding['line']}"


def outcome(mirror, binary, fix, trees):
    """What is reported before the fix, what of it stays, and what is new behind it."""
    sides, seconds = {}, 0
    for side, revision in (("before", f"{fix['commit']}^"), ("after", fix["commit"])):
        tree = trees / f"{fix['commit'][:12]}-{side}"
        if not tree.exists():
            unpack(mirror, fix, revision, tree)
        files = [it for it in changed_files(mirror, fix) if (tree / it).exists()]
        findings, spent = check(binary, tree, files, fix.get("defines", []))
        seconds += spent
        if findings is None:
            return {"reported": "limit" if spent >= LIMIT else "failed", "seconds": seconds}
        sides[side] = list(zip(findings, identities(tree, findings), strict=True))
    rest = collections.Counter(it for _, it in sides["after"])
    gone = []
    for finding, identity in sides["before"]:
        rest[identity] -= 1
        if rest[identity] < 0:
            gone.append(finding)
    old = collections.Counter(it for _, it in sides["before"])
    new = [finding for finding, it in sides["after"] if not old[it]]
    touched = changed_lines(mirror, fix, "-")
    stays = [it for it, _ in sides["before"] if it not in gone and near(it, touched)]
    own = [it for it in gone if it["code"].startswith(KINDS[fix["kind"]]) and spans(it, touched)]
    word = "fixed" if own else "gone" if gone else "stays" if stays else "no"
    return {
        "reported": word,
        "fixed": [brief(it) for it in own],
        "gone": [brief(it) for it in gone if it not in own],
        "stays": [brief(it) for it in stays],
        "new": [brief(it) for it in new],
        "seconds": seconds,
    }


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--mirror", type=pathlib.Path, required=True)
    parser.add_argument("--fixes", type=pathlib.Path, default=pathlib.Path(__file__).parent / "history.toml")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--trees", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--compare", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = arguments()
    binary = options.binary.resolve()
    fixes = tomllib.loads(options.fixes.read_text())["fix"]
    about = lambda fix: f"{fix['repo']} {fix['commit']} {fix['kind']}"
    fixes = [it for it in fixes if not options.only or any(word in about(it) for word in options.only)]
    earlier = json.loads(options.compare.read_text()) if options.compare else {}
    trees = options.trees or pathlib.Path(tempfile.mkdtemp())
    results, words = {}, collections.Counter()
    for fix in fixes:
        name = f"{fix['repo']} {fix['commit'][:9]}"
        result = results[name] = outcome(options.mirror, binary, fix, trees)
        words[result["reported"]] += 1
        if earlier.get(name, {}) | {"seconds": 0} == result | {"seconds": 0}:
            continue
        print(f"{result['reported']:7}{name:36}{fix['kind']:14}{fix['what']}", flush=True)
        for word in ("fixed", "gone", "stays", "new"):
            for line in result.get(word, []):
                print(f"       {word:6} {line}", flush=True)
        if options.write:
            options.write.write_text(json.dumps(results, indent=1))
    if not options.trees:
        shutil.rmtree(trees)
    print(f"{len(fixes)} fixes: " + ", ".join(f"{count} {word}" for word, count in sorted(words.items())))
    if options.write:
        options.write.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    sys.exit(main())
