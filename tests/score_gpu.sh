#!/bin/sh
# What says how good the model is on a GPU: figures of measured plans, refusals.
# usage: score_gpu.sh SCORE FFTGEN
set -u
score=$1 fftgen=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { bad=1 && echo "FAIL: $*" && cat "$dir/said"; }
say() { sh "$score" "$fftgen" "$@" >"$dir/said" 2>"$dir/wrong"; }

# Two plans of one problem as the model has them: no error, and the best is chosen.
cost() { "$fftgen" plan "$1" --target cuda --no-wisdom --arch sm_90 --json --plan "$2" | sed 's/.*"cost":\([0-9]*\).*/\1/'; }
part() { echo "$1|$2|$(awk -v c="$(cost "$1" "$2")" -v times="$3" 'BEGIN { printf "%.6f", 2 * 8 * 1000 * 100000 * 16 / c * times }')"; }
problem="c2c f32 n=1000 batch=100000"
{ part "$problem" "stockham(10,10,10)" 1 && part "$problem" "stockham(40,25)" 1; } >"$dir/plans"
say sm_90 <"$dir/plans" || fail "two plans"
grep -Eq '^smooth +2 +0\.000 +0\.000 +[+-]0\.00 +1\.000 +1\.00$' "$dir/said" || fail "two plans as predicted"
# The other one twice as fast as predicted: an error of log 2 of one of two, and a choice half as fast.
{ part "$problem" "stockham(10,10,10)" 1 && part "$problem" "stockham(10,10,10; threads=64)" 4; } >"$dir/plans"
say sm_90 <"$dir/plans" || fail "two plans, one wrong"
grep -Eq '^all +2 +0\.980 ' "$dir/said" || fail "the error of a plan"
{ echo "c2c f32 n=60|direct(61)|0.5" && echo "c2c f32 n=60|direct(60)|0.5" && echo "problem|plan|part of copy"; } >"$dir/plans"
say sm_90 <"$dir/plans" || fail "a plan that is none"
grep -q 'left out: c2c f32 n=60 batch=2236962 by direct(61)' "$dir/wrong" || fail "a plan that is none is not named"
grep -Eq '^all +1 ' "$dir/said" || fail "the other plan"
for n in 1010 1009 48x15 3x3x3; do echo "c2c f32 n=$n||0.5"; done | sed 's/n=1010|/&bluestein(2048, stockham(16,16,8))/; s/n=1009|/&bluestein(2048, stockham(16,16,8))/
  s/n=48x15|/&nd(stockham(8,6), direct(15))/; s/n=3x3x3|/&nd(direct(3), direct(3), direct(3))/' >"$dir/plans"
say sm_90 <"$dir/plans" || fail "classes"
for class in 'times a prime' primes planes cubes; do grep -Eq "^$class +1 " "$dir/said" || fail "no $class"; done
say sm_1 <"$dir/plans" && fail "an unknown machine is taken"
grep -q "sm_1" "$dir/wrong" || fail "an unknown machine is not named"
say sm_90 </dev/null && fail "no plans are taken"
exit $bad
