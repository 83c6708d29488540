#!/usr/bin/env bash
# Looks at the HTML page with a browser: axe finds nothing, in light and dark, wide and narrow. Skips, saying so, where there is no Chromium or node.
#
# tests/page.sh [CUDALINT] [FOLDER for screenshots]; CHROMIUM names the browser. playwright-core and axe-core come from npm, into target/tools.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
cudalint=$(realpath "${1:-$here/target/debug/cudalint}")
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
if [ -z "$browser" ] || ! command -v npm >/dev/null; then
  echo "skipped: there is no chromium, or no npm" >&2
  exit 0
fi
tools=$here/target/tools/page
mkdir -p "$tools"
[ -d "$tools/node_modules/axe-core" ] || npm install --silent --no-audit --no-fund --prefix "$tools" playwright-core@1 axe-core@4
cp "$here/tests/page.mjs" "$tools/page.mjs"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Alone, so that not all of the repository is read.
for rule in spin-without-preload unordered-cross-stream-access illegal-call-during-capture pageable-async-copy unsynchronised-timing; do
  mkdir "$work/$rule"
  find "$here/fixtures/$rule" -name 'bad-*.cu' | sort | head -4 | xargs -I{} cp {} "$work/$rule"
done
cd "$work"
"$cudalint" check --isolated --exit-zero --quiet --format concise --output-file /dev/null --report html="$tools/page.html" \
  .
BROWSER="cp %s $tools/explained.html" "$cudalint" explain --open CL102 2>/dev/null
# The browser is not waited for.
for _ in $(seq 50); do [ -s "$tools/explained.html" ] && break; sleep 0.1; done
node "$tools/page.mjs" "$tools/page.html" "$browser" "${2:-}" "$tools/explained.html"
