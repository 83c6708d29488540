#!/usr/bin/env bash
# What the action runs: annotations on standard output, reports in files, a summary on the page of the run.
set -uo pipefail
bin=${RUNNER_TEMP:-/tmp}/cudalint/bin
# On Windows: a drive's colon would end the entry.
[ -d "$bin" ] || bin=$(cygpath "${RUNNER_TEMP:-/tmp}/cudalint/Scripts")
export PATH="$bin:$PATH"

arguments=(check --format github)
[ -z "${SARIF:-}" ] || arguments+=(--report "sarif=$SARIF")
[ -z "${HTML:-}" ] || arguments+=(--report "html=$HTML")
if [ "${CHANGED_ONLY:-}" = true ] && [ -n "${BASE:-}" ]; then
  arguments+=(--since "$BASE")
fi
# Words, as in a shell without its other powers.
read -r -a more <<<"${ARGS:-}"
read -r -a paths <<<"${PATHS:-.}"

summary=$(mktemp)
cudalint "${arguments[@]}" ${more[@]+"${more[@]}"} -- "${paths[@]}" 2>"$summary"
code=$?
cat "$summary" >&2
echo "exit-code=$code" >>"${GITHUB_OUTPUT:-/dev/null}"
{
  echo "### cudalint"
  echo '```text'
  sed 's/`//g' "$summary"
  echo '```'
} >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
rm -f "$summary"
if [ "$code" = 1 ] && [ "${FAIL:-true}" != true ]; then exit 0; fi
exit "$code"
