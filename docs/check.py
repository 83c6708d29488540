#!/usr/bin/env python3
"""Checks the documentation: `docs/check.py --cudalint BINARY [--update]`.

Every link inside of the repository leads somewhere, with its anchor; every flag of a shown command is one; every shown command whose output is shown
prints that; every cudalint.toml is one; every picture is what the command draws, and so is the site as a whole when mdbook is there. With
--update, outputs and pictures are written anew.
"""

import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import build

ROOT = build.ROOT
DOCS = build.DOCS
PAGES = [*sorted(DOCS.glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "rules").glob("*.md"))]

# Pictures, and the programs whose first finding they show.
PICTURES = {
    "first-hang": "docs/examples/first-hang/relay.cu",
    "block": "fixtures/blocking-call-behind-resident/bad-free-scratch.cu",
    "lock": "fixtures/blocking-call-behind-resident/bad-feeder-thread.cu",
    "order": "fixtures/release-behind-wait/bad-copy-same-stream.cu",
    "legacy": "fixtures/null-stream-beside-nonblocking/bad-launch-without-stream.cu",
}

# Fenced blocks, with their language.
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def slug(heading):
    """The anchor of a heading, as forges and mdbook make it."""
    words = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", lambda it: it.group(1) or "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text):
    found = []
    build.outside_of_code(text, lambda line: found.append(line) or line)
    return {slug(it.lstrip("#")) for it in found if it.startswith("#")}


def links(page, text):
    wrong = []

    def look(line):
        for match in build.LINK.finditer(line):
            link = match.group(3)
            if re.match(r"[a-z]+:", link) or link.startswith("<"):
                continue
            path, _, anchor = link.partition("#")
            file = (page.parent / path).resolve() if path else page
            if not file.exists():
                wrong.append(f"{page.relative_to(ROOT)}: `{link}` leads nowhere")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
                wrong.append(f"{page.relative_to(ROOT)}: `{link}` names no heading")
        return line

    build.outside_of_code(text, look)
    return wrong


class Shell:
    """A folder with the examples, and the binary in it."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        shutil.copytree(DOCS / "examples", folder, dirs_exist_ok=True)
        shown = "fixtures/spin-without-preload/bad-flag-handoff.cu"
        (folder / shown).parent.mkdir(parents=True)
        shutil.copy(ROOT / shown, folder / shown)
        self.help = {}

    def run(self, command):
        path = str(pathlib.Path(self.binary).parent)
        environment = {"PATH": f"{path}:/usr/bin:/bin", "COLUMNS": "100", "HOME": str(self.folder)}
        result = subprocess.run(
            ["bash", "-c", command], cwd=self.folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        return result.stdout

    def unknown_flags(self, line):
        """Flags of the cudalint commands of a line that no help mentions."""
        words = re.split(r"\s#\s|\s#$", line)[0]
        for part in re.split(r"[|;]|&&", words):
            given = shlex.split(part)
            given = given[1:] if given[:1] == ["$"] else given
            if given[:1] != ["cudalint"] or len(given) < 2:
                continue
            name = given[1] if not given[1].startswith("-") else ""
            if name not in self.help:
                arguments = [self.binary, *([name] if name else []), "--help"]
                result = subprocess.run(arguments, capture_output=True, text=True, check=False)
                self.help[name] = result.stdout if result.returncode == 0 else None
            known = self.help[name]
            if known is None:
                yield f"there is no `cudalint {name}`"
                continue
            for flag in (it.partition("=")[0] for it in given if re.fullmatch(r"--[a-z][a-z-]*(=.*)?", it)):
                if flag not in ("--help", "--version") and not re.search(re.escape(flag) + r"\b(?!-)", known):
                    yield f"`cudalint {name}` has no `{flag}`"


def blocks(page, text, shell, update):
    """The text with outputs as they are, and what is wrong."""
    wrong = []

    def one(match):
        language, body = match.groups()
        if language == "toml" and page.parent == DOCS:
            wrong.extend(f"{page.relative_to(ROOT)}: {it}" for it in configuration(body, shell))
        if language != "console":
            return match.group(0)
        lines = body.splitlines()
        for line in (it for it in lines if it.startswith("$ ")):
            wrong.extend(f"{page.relative_to(ROOT)}: {it}" for it in shell.unknown_flags(line[2:]))
        shown = [it for it in lines if not it.startswith("$ ")]
        wanted = update and len(lines) == 1 and page.name in ("first-hang.md", "quick-start.md") and needs_no_gpu(lines[0])
        if not (shown or wanted) or not lines[0].startswith("$ cudalint"):
            return match.group(0)
        command = lines[0][2:]
        printed = shell.run(command).rstrip()
        actual = f"```console\n$ {command}\n" + (f"{printed}\n" if printed else "") + "```"
        if actual.split("\n", 2)[2] != match.group(0).split("\n", 2)[2]:
            # The README shows findings alone.
            quiet = shell.run(f"{command} --quiet --isolated").rstrip()
            if page.name == "README.md" and "\n".join(shown).rstrip() == quiet:
                return match.group(0)
            if not update:
                wrong.append(f"{page.relative_to(ROOT)}: `{command}` prints something else:\n{printed}")
        return actual

    return BLOCK.sub(one, text), wrong


def needs_no_gpu(line):
    return line.startswith("$ cudalint check") and "--verify" not in line and "#" not in line and "|" not in line


def configuration(text, shell):
    """What is wrong with a cudalint.toml; what it names need not be there."""
    folder = shell.folder / "configuration/inner"
    (folder / "cuda-models").mkdir(parents=True, exist_ok=True)
    (folder.parent / "cudalint.toml").write_text("", encoding="utf-8")
    (folder / "cudalint.toml").write_text(text, encoding="utf-8")
    (folder / "a.cu").write_text("", encoding="utf-8")
    result = subprocess.run([shell.binary, "check", ".", "--show-settings"], cwd=folder, capture_output=True, text=True, check=False)
    return [] if result.returncode == 0 else [result.stderr]


def pictures(shell, update):
    wrong = []
    for name, program in PICTURES.items():
        path = DOCS / f"pictures/{name}.svg"
        file = ROOT / program
        (shell.folder / "drawn").mkdir(exist_ok=True)
        copy = shell.folder / "drawn" / file.name
        shutil.copy(file, copy)
        drawn = shell.run(f"cudalint check --isolated --format json --quiet drawn/{file.name} | cudalint draw -")
        copy.unlink()
        if update:
            path.write_text(drawn, encoding="utf-8")
        elif not drawn.startswith("<svg") or not path.is_file() or path.read_text(encoding="utf-8") != drawn:
            wrong.append(f"docs/pictures/{name}.svg is not what the command draws of {program}")
    return wrong


def site(binary, folder):
    """Builds the site; every page of it has a place in the summary, and every link leads to a file."""
    build.build(binary, folder, "")
    source = folder / "src"
    listed = set(re.findall(r"\(([^()]+\.md)\)", (source / "SUMMARY.md").read_text(encoding="utf-8")))
    pages = {it.relative_to(source).as_posix() for it in source.rglob("*.md")} - {"SUMMARY.md"}
    wrong = [f"the site lists {it}, which is not there" for it in sorted(listed - pages)]
    wrong += [f"the site does not list {it}" for it in sorted(pages - listed)]
    for name in pages:
        page = source / name

        def look(line, page=page, name=name):
            for match in build.LINK.finditer(line):
                link = match.group(3)
                if not re.match(r"[a-z]+:|#", link) and not (page.parent / link.partition("#")[0]).is_file():
                    wrong.append(f"the site's {name} links to {link}, which is not there")
            return line

        build.outside_of_code(page.read_text(encoding="utf-8"), look)
    if shutil.which("mdbook"):
        result = subprocess.run(["mdbook", "build", str(folder)], capture_output=True, text=True, check=False)
        said = result.stdout + result.stderr
        if result.returncode != 0 or "WARN" in said or not (folder / "book/index.html").is_file():
            wrong.append(f"mdbook: {said}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cudalint", required=True, help="the binary")
    parser.add_argument("--update", action="store_true", help="write outputs and pictures anew")
    arguments = parser.parse_args()
    binary = str(pathlib.Path(arguments.cudalint).resolve())
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name).resolve()
        (folder / "work").mkdir()
        shell = Shell(binary, folder / "work")
        wrong += pictures(shell, arguments.update)
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            updated, problems = blocks(page, text, shell, arguments.update)
            if updated != text and arguments.update and page.parent == DOCS:
                page.write_text(updated, encoding="utf-8")
            wrong += problems + links(page, updated)
        wrong += site(binary, folder / "book")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
