#!/usr/bin/env bash
# Compiles every fixture under fixtures/, every example in the rule cards and the kernels in kernels/ with nvcc; needs no GPU.
#
# usage: tests/fixtures_compile.sh [--install] [PATH…]     (default: everything)
# nvcc is taken from $NVCC, else PATH, else the toolkit installed as a Python package; with --install the toolkit, NCCL and
# cuBLAS come from PyPI into target/cuda first. Without an nvcc it says so and exits 0; programs that need a library that is missing are
# counted apart.
# Objects are linked too when the CUDA libraries are there (set LINK=0 to skip).
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
jobs=${JOBS:-2}
packages=$root/target/cuda

if [ "${1:-}" = --install ]; then
  shift
  if ! python3 -m venv "$packages" || ! "$packages/bin/pip" install -q --disable-pip-version-check \
    'cuda-toolkit[nvcc,cudart,nvrtc,cccl,cublas]==13.0.*' nvidia-nccl-cu13; then
    echo "fixtures_compile: the CUDA toolkit could not be installed from PyPI; going on with what is here"
  fi
fi

find_nvcc() {
  if [ -n "${NVCC:-}" ]; then
    printf '%s\n' "$NVCC"
  elif command -v nvcc >/dev/null 2>&1; then
    command -v nvcc
  elif ls "$packages"/lib/python*/site-packages/nvidia/cu*/bin/nvcc >/dev/null 2>&1; then
    ls "$packages"/lib/python*/site-packages/nvidia/cu*/bin/nvcc | head -n 1
  else
    python3 - 2>/dev/null <<'PY'
import glob, os, site, sys
for base in site.getsitepackages() + [site.getusersitepackages()]:
    for path in sorted(glob.glob(os.path.join(base, "nvidia", "*", "bin", "nvcc"))):
        print(path)
        sys.exit(0)
PY
  fi
}

nvcc=$(find_nvcc)
if [ -z "$nvcc" ] || [ ! -x "$nvcc" ]; then
  echo "fixtures_compile: no nvcc found, nothing compiled (set NVCC to its path)"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

link=${LINK:-auto}
if [ "$link" = auto ]; then
  echo 'int main() { return 0; }' > "$work/probe.cu"
  if "$nvcc" -o "$work/probe" "$work/probe.cu" -lcuda >/dev/null 2>&1; then link=1; else link=0; fi
fi

# One fixture per line: a file, or a directory of files that make one program.
if [ $# -gt 0 ]; then
  printf '%s\n' "$@"
else
  find "$root/fixtures" -mindepth 2 -maxdepth 2 \( -name 'bad-*' -o -name 'good-*' \) | sort
  for card in "$root"/rules/*.md; do
    # The n-th ```cuda block of a card becomes <card>-<n>.cu.
    awk -v base="$work/$(basename "$card" .md)" '
      /^```cuda/ { inside = 1; ++count; next }
      /^```/ { inside = 0 }
      inside { print > (base "-" count ".cu") }' "$card"
  done
  find "$work" -name '*-[0-9].cu' | sort
fi > "$work/all"

# Those of the probe have no main.
for kernels in "$root"/kernels/*.cu; do
  if [ $# -eq 0 ] && ! "$nvcc" -ptx -arch=sm_90 -o "$work/kernels.ptx" "$kernels"; then
    echo "FAILED $kernels"
    exit 1
  fi
done

. "$root/tests/library_headers.sh"
apart=0
while IFS= read -r program; do
  if needs_missing "$program"; then apart=$((apart + 1)); else printf '%s\n' "$program"; fi
done < "$work/all" > "$work/list"
if [ "$apart" -gt 0 ]; then
  echo "fixtures_compile: $apart programs need libraries (Python packages nvidia-nccl-cu13, nvidia-cublas) that are not here"
fi

compile_one() {
  fixture=$1
  name=$(printf "%s" "${fixture#"$root"/fixtures/}" | tr "/" "_")
  if [ -d "$fixture" ]; then
    sources=$(find "$fixture" -name '*.cu' -o -name '*.cpp' | sort)
  else
    sources=$fixture
  fi
  flags="$library_flags $(grep -h -m1 '^// build:' $sources | tr -d '\r' | sed 's/^[^:]*: *//')"
  if [ "$link" = 1 ]; then
    command=("$nvcc" -std=c++17 -arch=sm_90 $flags -o "$work/$name" $sources -lcuda -lpthread)
    "${command[@]}" > "$work/$name.log" 2>&1 || touch "$work/$name.failed"
  else
    compile_flags=$(printf '%s' "$flags" | sed 's/-l[a-z]*//g')
    : > "$work/$name.log"
    for source in $sources; do
      "$nvcc" -std=c++17 -arch=sm_90 $compile_flags -c -o "$work/$name.o" "$source" >> "$work/$name.log" 2>&1 || touch "$work/$name.failed"
    done
  fi
  if [ -e "$work/$name.failed" ]; then
    echo "FAILED $fixture"
    cat "$work/$name.log"
    return 1
  fi
}
export -f compile_one
export root work link nvcc

if xargs -P "$jobs" -I{} bash -c 'compile_one "$1"' _ {} < "$work/list"; then
  echo "fixtures_compile: $(wc -l < "$work/list") programs compiled with $nvcc ($([ "$link" = 1 ] && echo linked || echo objects only))"
else
  echo "fixtures_compile: some programs do not compile"
  exit 1
fi
