#!/usr/bin/env bash
# Fuzzes each target for a while: `tests/fuzz/run.sh [--seconds N] [--install] [TARGET...]`, 60 seconds altogether unless told otherwise.
#
# Needs cargo-fuzz, and no nightly compiler: coverage comes from a stable pass, and the code under test has no unsafe part that a sanitizer
# could watch. `--install` gets cargo-fuzz into target/tools. Without it this says so and succeeds: `cargo test` runs the same code over the
# corpus either way. What was learnt stays in target/fuzz/corpus; what fails, in target/fuzz/artifacts, with the command that repeats it.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=60
targets=()
while (($#)); do
    case $1 in
        --seconds) seconds=$2; shift ;;
        --install) [[ -x target/tools/bin/cargo-fuzz ]] || cargo install cargo-fuzz --locked --quiet --root target/tools ;;
        -*) echo "usage: $0 [--seconds N] [--install] [TARGET...]" >&2; exit 2 ;;
        *) targets+=("$1") ;;
    esac
    shift
done
export PATH=$PWD/target/tools/bin:$PATH
if ! command -v cargo-fuzz > /dev/null; then
    echo "fuzzing is skipped: there is no cargo-fuzz (\`$0 --install\` gets it)"
    exit 0
fi
((${#targets[@]})) || mapfile -t targets < <(sed -n 's/^name = "\([a-z_]*\)"$/\1/p' tests/fuzz/Cargo.toml)

options=(--fuzz-dir tests/fuzz --target-dir target/fuzz --sanitizer none --codegen-units 16)
cargo fuzz build "${options[@]}"
failed=()
each=$((seconds / ${#targets[@]} > 0 ? seconds / ${#targets[@]} : 1))
for target in "${targets[@]}"; do
    learnt=target/fuzz/corpus/$target
    seeds=()
    [[ -d tests/fuzz/corpus/$target ]] && seeds+=("tests/fuzz/corpus/$target")
    dictionary=tests/fuzz/cuda.dict
    case $target in
        facts | facts_json | check | suppressions) seeds+=(fixtures) ;;
        configuration | baseline | compile_commands) dictionary=tests/fuzz/settings.dict ;;
    esac
    mkdir -p "$learnt" "target/fuzz/artifacts/$target"
    echo "== $target, $each seconds"
    cargo fuzz run "${options[@]}" "$target" "$learnt" "${seeds[@]}" -- \
        -max_total_time="$each" -timeout=60 -rss_limit_mb=6144 -max_len=16384 -dict="$dictionary" \
        -artifact_prefix="target/fuzz/artifacts/$target/" -print_final_stats=1 -verbosity=1 || failed+=("$target")
done
if ((${#failed[@]})); then
    echo "these fail: ${failed[*]}" >&2
    exit 1
fi
