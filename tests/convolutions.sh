#!/bin/sh
# Convolutions that are drawn and measured beside other libraries: the same for a seed; rows and means; refusals. And
# those with a scale are verified.
# usage: convolutions.sh DRAW PROGRAM FFTGEN
set -u
draw=$1 program=$2 fftgen=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { bad=1 && echo "FAIL: $*"; }
export FFTGEN_CACHE="$dir/cache" FFTGEN_WISDOM="$dir/none"
sh "$draw" 1 >"$dir/one" && sh "$draw" 1 >"$dir/again" && sh "$draw" 2 >"$dir/two" || fail draw
cmp -s "$dir/one" "$dir/again" || fail "not the same for a seed"
cmp -s "$dir/one" "$dir/two" && fail "the same for two seeds"
[ "$(wc -l <"$dir/one")" -eq 40 ] || fail "$(wc -l <"$dir/one") problems"
while IFS= read -r problem; do
  "$fftgen" wisdom explain "$problem" >"$dir/said" 2>&1 || fail "$problem: $(cat "$dir/said")"
done <"$dir/one"
printf 'conv f32 n=30\nrconv f64 n=8x6 batch=3 spectrum=each\nconv f64 n=64 | convolve(stockham(8,8))\n' |
  "$program" --seconds 0.001 --mkl none >"$dir/said" 2>&1 || fail "$(cat "$dir/said")"
grep -q '^conv f64 n=64 .*|convolve(stockham(8,8))$' "$dir/said" || fail "a plan: $(cat "$dir/said")"
grep -q '^in cache, all, 3 problems: [0-9.]* times FFTW.s speed' "$dir/said" || fail "no mean: $(cat "$dir/said")"
for wrong in 'c2c f32 n=8' 'conv f32 n=8:2' 'conv f32 n=8 sign=+1' 'conv f32'; do
  "$program" --fftw none --mkl none "$wrong" >"$dir/said" 2>&1 && fail "$wrong: measured"
done
for problem in 'conv f64 n=48 scale=1/n' 'conv f64 n=512 scale=1/n batch=2' 'rconv f64 n=512 scale=1/n' 'rconv f64 n=512:2:1' 'conv f64 n=2048 scale=1/n' 'conv f64 n=100' 'rconv f32 n=30 scale=0.25 batch=2' 'rconv f32 n=40 batch=90x3 spectrum=each,conj sum=channel' \
  'conv f64 n=12 batch=5 spectrum=channel sum=shared store=mul'; do
  "$fftgen" verify "$problem" >"$dir/said" 2>&1 || fail "$problem: $(cat "$dir/said")"
done
exit $bad
