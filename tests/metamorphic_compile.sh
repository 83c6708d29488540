#!/usr/bin/env bash
# Compiles the variants that `cargo bench --bench metamorphic -- --write DIR` wrote: one that does not compile is a defect of the rewriter.
#
# usage: tests/metamorphic_compile.sh DIR [EVERY]     (EVERY: take one variant of so many; default all)
# nvcc is taken from $NVCC, else PATH, else the toolkit that tests/fixtures_compile.sh installs; without an nvcc it says so and exits 0.
# Objects are compiled and not linked; NVCC_FLAGS are passed on.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?usage: tests/metamorphic_compile.sh DIR [EVERY]}
every=${2:-1}

nvcc=${NVCC:-$(command -v nvcc || ls "$root"/target/cuda/lib/python*/site-packages/nvidia/cu*/bin/nvcc 2>/dev/null | head -n 1)}
if [ -z "$nvcc" ] || [ ! -x "$nvcc" ]; then
  echo "metamorphic_compile: no nvcc found, nothing compiled (set NVCC to its path)"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$root/tests/library_headers.sh"

compile_one() {
  variant=$1
  sources=$(find "$variant" -name '*.cu' -o -name '*.cpp' | sort)
  if needs_missing "$variant"; then
    echo "apart $variant" >> "$work/apart"
    return 0
  fi
  flags="$(grep -h -m1 '^// build:' $sources | tr -d '\r' | sed 's/^[^:]*: *//; s/-l[a-z]*//g')"
  log=$(mktemp -p "$work")
  for source in $sources; do
    # Warnings are the programs' own business.
    if ! nice "$nvcc" -std=c++17 -arch=sm_90 -w ${NVCC_FLAGS:-} $library_flags $flags -c -o "$log.o" "$source" > "$log" 2>&1; then
      echo "FAILED $source"
      head -n 12 "$log"
      return 1
    fi
  done
}
export -f compile_one
export work nvcc

find "$folder" -mindepth 2 -maxdepth 2 -type d | sort | awk -v every="$every" 'NR % every == 0' > "$work/list"
if xargs -P "${JOBS:-2}" -I{} bash -c 'compile_one "$1"' _ {} < "$work/list"; then
  echo "metamorphic_compile: $(wc -l < "$work/list") variants compiled with $nvcc ($(cat "$work/apart" 2>/dev/null | wc -l) of them left out: their libraries are not here)"
else
  echo "metamorphic_compile: some variants do not compile"
  exit 1
fi
