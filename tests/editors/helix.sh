#!/bin/sh
# Opens a program that hangs in Helix, on a terminal that nobody sees, and looks at what the editor shows: CUDALINT is the binary, PROJECT the
# folder, HX the editor. The configuration is the one of docs/editors.md, without clangd.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
file=$PROJECT/a.cu
mkdir -p "$HOME/.config/helix" "$HOME/bin"
ln -sf "$CUDALINT" "$HOME/bin/cudalint"
awk '/^```toml,helix/ { inside = 1; next } /^```/ { inside = 0 } inside' "$root/docs/editors.md" |
  sed 's/"clangd", //' >"$HOME/.config/helix/languages.toml"

terminal() {
  tmux -S "$HOME/tmux" "$@"
}
screen() {
  terminal capture-pane -p -t helix
}
fail() {
  echo "helix: $1; it shows:" >&2
  screen >&2 || true
  terminal kill-server 2>/dev/null || true
  exit 1
}
# wait_for WHAT COMMAND...: two minutes.
wait_for() {
  what=$1
  shift
  for _ in $(seq ${TRIES:-600}); do
    if "$@"; then return; fi
    sleep 0.2
  done
  fail "never: $what"
}
shows() {
  if is_over; then fail "it ended before it showed $1"; fi
  screen | grep -q -- "$1"
}
keys() {
  terminal send-keys -t helix "$@"
}
is_over() {
  ! terminal has-session -t helix 2>/dev/null
}

terminal -f /dev/null new-session -d -s helix -x 160 -y 48 \
  "cd '$PROJECT' && XDG_CONFIG_HOME='$HOME/.config' PATH='$HOME/bin:$PATH' '$HX' '$file'"
wait_for 'the file' shows 'await_gate'
# The list of diagnostics, and the place of the only one.
keys Space d
wait_for 'a diagnostic' shows 'spin-without-preload'
keys Enter
sleep 0.5
keys Space k
wait_for 'hovering' shows 'a kernel spins until a kernel that was never launched'
keys Escape
keys Space a
wait_for 'the fix' shows 'Unsafe fix'
keys Enter
wait_for 'an edit' shows 'cudaFuncGetAttributes'
keys Escape
sleep 0.5
keys ':wq' Enter
wait_for 'the end' is_over
echo 'helix: a diagnostic, a hover, a fix'
