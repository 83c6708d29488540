#!/bin/sh
# Tries the language server in real editors without a screen; an editor that is not installed is skipped.
#   tests/editors/run.sh [BINARY]        the binary [default: target/debug/cudalint]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
binary=$(realpath "${1:-$root/target/debug/cudalint}")
[ -x "$binary" ] || { echo "there is no $binary: cargo build" >&2; exit 2; }

if ! command -v nvim >/dev/null; then
  echo "neovim: skipped, nvim is not installed"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/project"
cp "$root/fixtures/spin-without-preload/bad-flag-handoff.cu" "$work/project/a.cu"
HOME="$work" XDG_STATE_HOME="$work" CUDALINT="$binary" PROJECT="$(realpath "$work/project")" \
  timeout 300 nvim --headless -u NONE -i NONE -c "luafile $here/neovim.lua"
# What the editor wrote is what the command would have written.
cp "$root/fixtures/spin-without-preload/bad-flag-handoff.cu" "$work/expected.cu"
"$binary" check --fix --unsafe-fixes --exit-zero --quiet --format concise "$work/expected.cu" >/dev/null
cmp "$work/expected.cu" "$work/project/a.cu"
echo "neovim: the file is what cudalint check --fix writes"
