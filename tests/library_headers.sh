# Sourced by the scripts that compile samples. Sets, for the compiler in $nvcc:
#   library_flags   where headers lie that the toolkit's Python package keeps apart
#   needs_missing   whether a program, a file or a folder, includes a library that is not here; such programs are counted apart
library_flags=
for include in "$(dirname "$nvcc")"/../../nccl/include; do
  if [ -d "$include" ]; then library_flags="-I $include"; fi
done
missing=
for header in nccl.h cublas_v2.h; do
  if ! printf '#include <%s>\n' "$header" | "$nvcc" $library_flags -E -x cu - >/dev/null 2>&1; then
    missing="${missing:+$missing|}^#include <$header>"
  fi
done

needs_missing() {
  [ -n "$missing" ] && grep -Eqrs "$missing" "$1"
}
export library_flags missing
export -f needs_missing
