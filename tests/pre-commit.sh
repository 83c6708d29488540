#!/usr/bin/env bash
# Runs the hook with the real pre-commit (PyPI: pip install pre-commit) on a temporary repository.
#
# With --install, pre-commit builds the hook from the checked-out commit as it does for users (slow); with --wheel FOLDER, it installs the
# wheel that `maturin build --out FOLDER` made, through the hook that `cudalint init --hook` writes; without, it runs the binary that
# `cargo build` made, through the same entry.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
pre_commit=${PRE_COMMIT:-pre-commit}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.com
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.com PRE_COMMIT_HOME="$work/cache"

git init -q "$work/project"
cd "$work/project"
cp "$here/fixtures/wait-before-write/bad-worker-thread.cu" bad.cu
printf 'int main() { cudaDeviceSynchronize(); return 0; }\n' >good.cu
printf 'int helper();\n' >helper.h
git add .
git commit -qm 'start'

if [ "${1:-}" = --install ]; then
  # The commit, not the working tree: that is what users get.
  printf 'repos:\n  - repo: %s\n    rev: %s\n    hooks:\n      - id: cudalint\n' \
    "$here" "$(git -C "$here" rev-parse HEAD)" >.pre-commit-config.yaml
elif [ "${1:-}" = --wheel ]; then
  PIP_FIND_LINKS=$(cd "$2" && pwd)
  export PIP_FIND_LINKS
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/Cargo.toml" | head -1)
  sed "s/VERSION/$version/" "$here/src/cli/init/pre-commit-config.yaml" >.pre-commit-config.yaml
else
  (cd "$here" && cargo build --quiet)
  export PATH="$here/target/debug:$PATH"
  sed -n 's/^- id/  - id/; s/^  \([a-z]\)/    \1/; p' "$here/.pre-commit-hooks.yaml" |
    sed 's/language: rust/language: system/; /minimum_pre_commit_version/d; s/^  /      /' |
    { printf 'repos:\n  - repo: local\n    hooks:\n'; cat; } >.pre-commit-config.yaml
fi
git add .

expect() { # expect CODE WORD -- hook arguments
  local code=$1 word=$2 status=0
  shift 3
  "$pre_commit" run cudalint "$@" >"$work/log" 2>&1 || status=$?
  if [ "$status" != "$code" ] || ! grep -q -- "$word" "$work/log"; then
    echo "pre-commit $* ended with $status, expected $code and \`$word\`:" >&2
    cat "$work/log" >&2
    exit 1
  fi
}

expect 0 Passed -- --files good.cu
expect 1 wait-before-write -- --files bad.cu
expect 1 wait-before-write -- --files good.cu bad.cu
expect 0 Passed -- --files good.cu helper.h
expect 1 wait-before-write -- --all-files
echo "pre-commit: the hook finds what it should"
