#!/usr/bin/env python3
"""Puts the documentation site together: `docs/build.py [--cudalint BINARY] [--out FOLDER]`, then `mdbook build FOLDER`.

The pages are docs/*.md as they are, a page for each rule from its card, with its example drawn and with what GPUs were seen to do, and references
from the schemas and from `--help`. A link to a file that is no page leads to the repository, when Cargo.toml names one, and is plain text otherwise.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
COMMANDS = ["check", "verify", "probe", "rules", "explain", "draw", "init", "server", "man", "completions", "version"]


def output(binary, *arguments):
    result = subprocess.run([binary, *arguments], capture_output=True, text=True, check=True, env={"COLUMNS": "100"})
    return result.stdout


def outside_of_code(text, change):
    """The text with every line outside of fenced code changed."""
    lines, fence = [], None
    for line in text.splitlines():
        mark = re.match(r"\s*(```+|~~~+)", line)
        if fence is None and not mark:
            line = change(line)
        if mark:
            fence = mark.group(1) if fence is None else None if line.strip() == fence else fence
        lines.append(line)
    return "\n".join(lines) + "\n"


class Site:
    """Where each file of the repository is on the site, and what is written there."""

    def __init__(self, out, repository):
        self.source = out / "src"
        self.repository = repository
        self.pages = {DOCS / it.name: it.name for it in DOCS.glob("*.md")}
        self.pages |= {it: f"rules/{it.name}" for it in (ROOT / "rules").glob("*.md")}
        self.pages[ROOT / "rules/models/README.md"] = "models-howto.md"

    def target(self, origin, here, link):
        """A link of a file of the repository, as the page at `here` says it; `None` for what is nowhere on the site."""
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return link
        path, _, anchor = link.partition("#")
        file = (origin.parent / path).resolve()
        anchor = f"#{anchor}" if anchor else ""
        up = "../" * here.count("/")
        if file in self.pages:
            return up + self.pages[file] + anchor
        if file.is_file() and DOCS in file.parents:
            return up + file.relative_to(DOCS).as_posix() + anchor
        if self.repository:
            return f"{self.repository}/blob/HEAD/{file.relative_to(ROOT).as_posix()}{anchor}"
        return None

    def write(self, here, text, origin):
        def replaced(match):
            mark, words, link = match.groups()
            target = self.target(origin, here, link)
            return words if target is None else f"{mark}[{words}]({target})"

        path = self.source / here
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(outside_of_code(text, lambda line: LINK.sub(replaced, line)), encoding="utf-8")


def example(binary, rule, text):
    """What the rule finds in the example of its card, drawn; nothing where there is no picture of it."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / f"{rule['name']}.cu"
        source.write_text(text.split("```cuda\n")[1].split("\n```")[0] + "\n", encoding="utf-8")
        report = pathlib.Path(folder) / "report.json"
        found = ["--isolated", "--select", rule["code"], "--preview", "--pedantic", "--exit-zero", "--quiet"]
        output(binary, "check", *found, "--output-file", str(report), "--format", "json", str(source))
        # Addresses of this machine are of no use to who reads the page.
        report.write_text(report.read_text(encoding="utf-8").replace(f"{folder}/", ""), encoding="utf-8")
        drawn = subprocess.run([binary, "draw", str(report)], capture_output=True, text=True, check=False)
        return drawn.stdout if drawn.returncode == 0 else ""


def evidence(rule):
    """What GPUs were seen to do with the samples of a rule."""
    if not rule["evidence"]:
        return ""
    rows = ["| where | trials per mode | bad ones as predicted | good ones complete | fixed ones complete |", "|---|---|---|---|---|"]
    for it in rule["evidence"]:
        counts = [f"{it[kind]['asPredicted']} of {it[kind]['of']}" if it[kind]["of"] else "–" for kind in ("bad", "good", "fixed")]
        where = f"{it['gpu']}, driver {it['driver']}, CUDA {it['cuda']}"
        rows.append(f"| {where} | {it['trialsPerMode']} | {' | '.join(counts)} |")
    again = f"`cudalint verify {rule['name']}` repeats it on your GPU."
    return "\n## What GPUs did\n\n" + "\n".join(rows) + f"\n\n{again}\n"


def words_of(schema, definitions):
    """Type and values of a property, in words."""
    reference = schema.get("$ref", "").removeprefix("#/definitions/")
    if reference in definitions:
        return words_of(definitions[reference] | {k: v for k, v in schema.items() if k != "$ref"}, definitions)
    if "enum" in schema:
        return ", ".join(f"`{it}`" for it in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if "oneOf" in schema or "anyOf" in schema:
        return " or ".join(words_of(it, definitions) for it in schema.get("oneOf", schema.get("anyOf")))
    kind = schema.get("type", "any")
    kind = " or ".join(kind) if isinstance(kind, list) else kind
    if kind == "array" and "items" in schema:
        inner = schema["items"]
        name = inner.get("$ref", "").removeprefix("#/definitions/")
        nested = definitions.get(name, inner).get("type") == "object"
        return f"list of `{name}`" if nested and name else f"list of {words_of(inner, definitions)}"
    return kind


def described(schema, definitions):
    reference = definitions.get(schema.get("$ref", "").removeprefix("#/definitions/"), {})
    return schema.get("description", reference.get("description", "")).replace("|", "\\|")


def table(schema, definitions):
    """One row for each property of an object."""
    required = schema.get("required", [])
    rows = ["| key | value | default | what |", "|---|---|---|---|"]
    for name, it in schema.get("properties", {}).items():
        default = json.dumps(it["default"]) if "default" in it else "required" if name in required else ""
        words = words_of(it, definitions).replace("|", "\\|")
        rows.append(f"| `{name}` | {words} | {default} | {described(it, definitions)} |")
    return "\n".join(rows) + "\n"


def reference(title, lead, path):
    """A page of tables from a JSON Schema: the whole, objects inside of it, and what it defines by name."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    definitions = schema.get("definitions", {})
    parts = [f"# {title}\n", f"{lead}\n", table(schema, definitions)]
    nested = [(name, it) for name, it in schema["properties"].items()]
    nested += [(name, it["items"]) for name, it in schema["properties"].items() if "items" in it]
    for name, it in [*nested, *definitions.items()]:
        if it.get("properties"):
            parts += [f"## `{name}`\n", described(it, definitions) + "\n", table(it, definitions)]
    return "\n".join(parts)


def commands(binary):
    text = "# Commands and flags\n\nWhat `--help` says.\n"
    for name in COMMANDS:
        shown = output(binary, name, "--help").rstrip()
        text += f"\n## cudalint {name}\n\n```text\n{shown}\n```\n"
    return text


def summary(rules):
    text = (DOCS / "SUMMARY.md").read_text(encoding="utf-8")
    pages = "\n".join(f"  - [{it['code']} {it['name']}](rules/{it['name']}.md)" for it in rules)
    text = text.replace("<!-- rule pages -->", pages)
    text = text.replace("<!-- commands -->", "- [Commands and flags](commands.md)")
    text = text.replace("<!-- configuration reference -->", "  - [Every key](configuration-reference.md)")
    return text.replace("<!-- output reference -->", "  - [The JSON report](report-reference.md)")


def build(binary, out, repository):
    shutil.rmtree(out, ignore_errors=True)
    site = Site(out, repository)
    rules = json.loads(output(binary, "rules", "--format", "json"))
    rules = [it for it in rules if (ROOT / f"rules/{it['name']}.md").is_file()]
    for page in DOCS.glob("*.md"):
        if page.name != "SUMMARY.md":
            site.write(page.name, page.read_text(encoding="utf-8"), page)
    drawn = site.source / "pictures/rules"
    for rule in rules:
        card = ROOT / f"rules/{rule['name']}.md"
        text = output(binary, "explain", rule["code"], "--no-pager")
        picture = example(binary, rule, text)
        if picture:
            drawn.mkdir(parents=True, exist_ok=True)
            (drawn / f"{rule['name']}.svg").write_text(picture, encoding="utf-8")
            site.pages[card.with_suffix(".svg")] = f"pictures/rules/{rule['name']}.svg"
            shown = f"![what goes wrong in this example]({rule['name']}.svg)\n\n## Use instead"
            text = text.replace("## Use instead", shown, 1)
        site.write(f"rules/{card.name}", text + evidence(rule), card)
    howto = ROOT / "rules/models/README.md"
    site.write("models-howto.md", howto.read_text(encoding="utf-8"), howto)
    schema = ROOT / "src/config/cudalint.schema.json"
    lead = "Every key of `cudalint.toml`, from its schema."
    site.write("configuration-reference.md", reference("Configuration reference", lead, schema), schema)
    schema = ROOT / "src/report/findings.schema.json"
    lead = "What `cudalint check --format json` writes, from its schema; `json-lines` writes one `finding` per line."
    site.write("report-reference.md", reference("The JSON report", lead, schema), schema)
    site.write("commands.md", commands(binary), DOCS / "index.md")
    listed = summary(rules).replace("(models.md)", "(models.md)\n  - [Write a model](models-howto.md)")
    (site.source / "SUMMARY.md").write_text(listed, encoding="utf-8")
    for folder in ("pictures", "examples"):
        shutil.copytree(DOCS / folder, site.source / folder, dirs_exist_ok=True)
    shutil.copy(DOCS / "hang.svg", site.source)
    # What the command prints is 100 columns wide.
    (out / "site.css").write_text(":root { --content-max-width: 900px; }\n", encoding="utf-8")
    book = '[book]\ntitle = "cudalint"\nlanguage = "en"\nsrc = "src"\n\n[output.html]\nadditional-css = ["site.css"]\n'
    if repository:
        book += f'git-repository-url = "{repository}"\n'
    (out / "book.toml").write_text(book, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cudalint", default="cudalint", help="the binary")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "target/book", help="a folder, which is replaced")
    arguments = parser.parse_args()
    package = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["package"]
    binary = shutil.which(arguments.cudalint)
    if binary is None:
        sys.exit(f"there is no {arguments.cudalint}")
    build(str(pathlib.Path(binary).resolve()), arguments.out, package.get("repository", "").rstrip("/"))


if __name__ == "__main__":
    main()
