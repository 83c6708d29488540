#!/bin/sh
# Tries the language server in real editors without a screen, and the extension for VS Code without VS Code; what is not installed is skipped.
#   tests/editors/run.sh [--install] [BINARY]      the binary [default: target/debug/cudalint]; --install gets what the extension is built with
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
install=
if [ "${1:-}" = --install ]; then
  install=yes
  shift
fi
binary=$(realpath "${1:-$root/target/debug/cudalint}")
[ -x "$binary" ] || { echo "there is no $binary: cargo build" >&2; exit 2; }

neovim() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/project"
  cp "$root/fixtures/spin-without-preload/bad-flag-handoff.cu" "$work/project/a.cu"
  HOME="$work" XDG_STATE_HOME="$work" XDG_CACHE_HOME="$work" CUDALINT="$binary" PROJECT="$(realpath "$work/project")" \
    timeout 300 nvim --headless -u NONE -i NONE -c "luafile $here/neovim.lua"
  # What the editor wrote is what the command would have written.
  cp "$root/fixtures/spin-without-preload/bad-flag-handoff.cu" "$work/expected.cu"
  "$binary" check --fix --unsafe-fixes --exit-zero --quiet --format concise "$work/expected.cu" >/dev/null
  cmp "$work/expected.cu" "$work/project/a.cu"
  echo "neovim: the file is what cudalint check --fix writes"
}

vscode() {
  cd "$root/editors/vscode"
  if [ -n "$install" ]; then
    npm ci
  fi
  npm run --silent lint
  npm test --silent
  npm run --silent package >/dev/null
  contents=$(unzip -Z1 dist/cudalint.vsix | sort | tr '\n' ' ')
  wanted='[Content_Types].xml extension.vsixmanifest extension/LICENSE-APACHE extension/LICENSE-MIT extension/dist/extension.js extension/package.json extension/readme.md '
  if [ "$(echo "$contents" | tr ' ' '\n' | LC_ALL=C sort)" != "$(echo "$wanted" | tr ' ' '\n' | LC_ALL=C sort)" ]; then
    echo "vscode: the package holds $contents" >&2
    exit 1
  fi
  echo "vscode: lint, tests and package"
}

if command -v nvim >/dev/null; then
  neovim
else
  echo "neovim: skipped, nvim is not installed"
fi
if [ -n "$install" ] || [ -d "$root/editors/vscode/node_modules" ]; then
  vscode
else
  echo "vscode: skipped, --install gets what it needs"
fi
