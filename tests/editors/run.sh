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

# An editor with a project of its own, which it changes as the command would: try NAME COMMAND...
try() {
  name=$1
  shift
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/project"
  cp "$root/fixtures/spin-without-preload/bad-flag-handoff.cu" "$work/project/a.cu"
  status=0
  HOME="$work" XDG_STATE_HOME="$work" XDG_CACHE_HOME="$work" CUDALINT="$binary" PROJECT="$(realpath "$work/project")" \
    timeout 300 "$@" || status=$?
  # The editor has said why.
  [ "$status" != 77 ] || return 0
  [ "$status" = 0 ] || exit 1
  cp "$root/fixtures/spin-without-preload/bad-flag-handoff.cu" "$work/expected.cu"
  "$binary" check --fix --unsafe-fixes --exit-zero --quiet --format concise "$work/expected.cu" >/dev/null
  cmp "$work/expected.cu" "$work/project/a.cu"
  echo "$name: the file is what cudalint check --fix writes"
}

neovim() {
  try neovim nvim --headless -u NONE -i NONE -c "luafile $here/neovim.lua"
}

# From Emacs 29 on eglot is in it; before that it comes as a package (Debian: elpa-eglot).
emacs_eglot() {
  packages='(setq load-path (append (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*") load-path))'
  try emacs emacs --batch -Q --eval "$packages" -l "$here/emacs.el"
}

# `hx`, or what HX names; the terminal is tmux's.
helix() {
  export HX
  try helix sh "$here/helix.sh"
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
if command -v emacs >/dev/null; then
  emacs_eglot
else
  echo "emacs: skipped, emacs is not installed"
fi
HX=${HX:-$(command -v hx || true)}
if [ -n "$HX" ] && command -v tmux >/dev/null; then
  helix
else
  echo "helix: skipped, hx (Debian 13: hx) or tmux is not installed"
fi
if [ -n "$install" ] || [ -d "$root/editors/vscode/node_modules" ]; then
  vscode
else
  echo "vscode: skipped, --install gets what it needs"
fi
