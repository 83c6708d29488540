#!/usr/bin/env python3
"""Asks cudalint about defects put into public libraries: does it report them, and is it silent on their clean twins?

Usage: tests/real/inject.py CUDALINT --sources DIR [--only WORD …] [--trees DIR] [--write FILE] [--compare FILE]

Each folder of `injections/` holds one `patch.toml`: the repository and its commit, the edits as line numbers and words of our own, and the
lines where a good report may point. DIR holds each repository's files at that commit below the last part of its name. One patch at a time is
applied to a copy made of links, and the patched file is checked with the whole library around it. What counts is what is new against the
library as it is: found, where a new finding or a step of its story is about an accepted line; elsewhere, where it is about other lines;
flagged, where there is anything new beside a clean patch. `--only` chooses by a word in the folder's name or kind.
"""

import argparse
import collections
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
# Seconds of CPU one check may take.
LIMIT = 300
# A line is near an accepted one when at most this many lines lie between them.
NEAR = 3


def patches(only):
    """The patches in the order of their folders, each with its name."""
    for file in sorted((HERE / "injections").glob("*/patch.toml")):
        patch = tomllib.loads(file.read_text()) | {"name": file.parent.name}
        if not only or any(word in f"{patch['name']} {patch['kind']}" for word in only):
            yield patch


def linked(source, target):
    """A copy of the repository that shares its files until they are written anew, and where the project begins."""
    if not target.exists():
        shutil.copytree(source, target, copy_function=os.link, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        (target / "cudalint.toml").write_text("")
    return target


def replace(file, text):
    """Writes the file anew, never through a link to the source."""
    file.unlink()
    file.write_text(text)


def edited(text, edits):
    """The text with the numbered lines of each edit replaced."""
    lines = text.split("\n")
    for it in sorted(edits, key=lambda it: it["first"], reverse=True):
        lines[it["first"] - 1 : it["last"]] = it["text"].removesuffix("\n").split("\n") if it["text"] else []
    return "\n".join(lines)


def check(binary, tree, file):
    """The findings of one check, or a word for why there are none, and the seconds of CPU it took."""
    command = ["nice", "-n", "5", str(binary), "check", file, "--jobs", "1", "--format", "json", "--exit-zero"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    result = subprocess.run(command, cwd=tree, capture_output=True, preexec_fn=limit, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    if result.returncode == 0:
        return json.loads(result.stdout)["findings"], seconds
    return ("limit" if seconds >= LIMIT else "failed"), seconds


def identity(tree, finding):
    """Rule, file, and the words of the line, which stay when lines above come or go."""
    lines = (tree / finding["path"]).read_text(errors="replace").split("\n")
    line = lines[finding["line"] - 1] if finding["line"] <= len(lines) else ""
    return finding["code"], finding["path"], " ".join(line.split())


def near(finding, accepted):
    """Whether the finding, or a step of its story, is about an accepted line."""
    places = [(finding["path"], finding["line"])] + [(it["path"], it["line"]) for it in finding["steps"]]
    accepted = [it.rsplit(":", 1) for it in accepted]
    return any(path == it and abs(line - int(number)) <= NEAR for path, line in places for it, number in accepted)


def brief(finding):
    return f"{finding['code']} {finding['severity']} {finding['confidence']} {finding['path']}:{finding['line']}"


def unpatched(options, tree, file, known):
    """How often each finding is there without a patch; asked once per file, and only where a patched file has findings."""
    if file not in known:
        findings, _ = check(options.binary, tree, file)
        known[file] = collections.Counter(identity(tree, it) for it in findings) if isinstance(findings, list) else findings
    return known[file]


def outcome(options, patch, known):
    """What the patch makes the checker say that it did not say before."""
    source = options.sources / patch["repo"].split("/")[1]
    tree = linked(source, options.trees / source.name)
    files = {it["file"] for it in patch["edit"]}
    texts = {it: (source / it).read_text() for it in files}
    try:
        for file, text in texts.items():
            replace(tree / file, edited(text, [it for it in patch["edit"] if it["file"] == file]))
        findings, seconds = check(options.binary, tree, patch["file"])
        identities = [] if isinstance(findings, str) else [identity(tree, it) for it in findings]
    finally:
        for file, text in texts.items():
            replace(tree / file, text)
    old = unpatched(options, tree, patch["file"], known) if identities else collections.Counter()
    if isinstance(findings, str) or isinstance(old, str):
        return {"reported": findings if isinstance(findings, str) else old, "seconds": seconds}
    counts = collections.Counter(identities) - old
    new = [it for it, key in zip(findings, identities, strict=True) if counts[key]]
    words = ("found" if any(near(it, patch["lines"]) for it in new) else "elsewhere") if patch["bad"] else "flagged"
    return {"reported": words if new else "silent", "new": [brief(it) for it in new], "seconds": seconds}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--sources", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--trees", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--compare", type=pathlib.Path)
    return parser.parse_args()


def main():
    options = arguments()
    options.binary = options.binary.resolve()
    temporary = None if options.trees else tempfile.mkdtemp(dir=options.sources.parent)
    options.trees = options.trees or pathlib.Path(temporary)
    earlier = json.loads(options.compare.read_text()) if options.compare else {}
    results, known = {}, {}
    words = {True: collections.Counter(), False: collections.Counter()}
    for patch in patches(options.only):
        result = results[patch["name"]] = outcome(options, patch, known)
        words[patch["bad"]][result["reported"]] += 1
        if earlier.get(patch["name"], {}) | {"seconds": 0} != result | {"seconds": 0}:
            print(f"{result['reported']:10}{patch['name']:32}{patch['kind']:12}{result['seconds']:5} s", flush=True)
            for line in result.get("new", []):
                print(f"          {line}", flush=True)
        if options.write:
            options.write.write_text(json.dumps(results, indent=1))
    for bad, title in ((True, "defects"), (False, "clean")):
        print(f"{words[bad].total()} {title}: " + ", ".join(f"{count} {word}" for word, count in sorted(words[bad].items())))
    if temporary:
        shutil.rmtree(temporary)


if __name__ == "__main__":
    sys.exit(main())
