#!/bin/sh
# Lists that judge: the same for a seed, another for another, and problems all of them.
# usage: draw.sh DRAW FFTGEN
set -u
draw=$1 fftgen=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { bad=1 && echo "FAIL: $*"; }
for form in harness fftgen; do
  sh "$draw" 1 $form >"$dir/one" && sh "$draw" 1 $form >"$dir/again" && sh "$draw" 2 $form >"$dir/two" || fail "$form"
  cmp -s "$dir/one" "$dir/again" || fail "$form: not the same for a seed"
  cmp -s "$dir/one" "$dir/two" && fail "$form: the same for two seeds"
  [ "$(wc -l <"$dir/one")" -ge 90 ] || fail "$form: too short"
done
sh "$draw" 3 harness | grep -Evx '(c2c|r2c):f(32|64):[0-9]+(x[0-9]+)*(\*[0-9]+)?(@2)?!?' && fail "not the form of harnesses"
while IFS= read -r problem; do
  FFTGEN_WISDOM=$dir/none "$fftgen" wisdom explain "$problem" >"$dir/said" 2>&1 || fail "$problem: $(cat "$dir/said")"
done <"$dir/one"
sh "$draw" 1 other 2>"$dir/said" && fail "an unknown form is taken"
grep -q 'allowed: harness, fftgen' "$dir/said" || fail "an unknown form is not named"
exit $bad
