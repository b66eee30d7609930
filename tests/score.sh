#!/bin/sh
# How good are estimates? Fits a model here, tunes problems that it was not fitted
# on, and compares what the model alone would have chosen: within 15 % in geometric
# mean, and nearer to tuned than FFTW's ESTIMATE is to its MEASURE. It takes minutes
# and wants a machine of its own. usage: score.sh FFTGEN [PROBLEM...]
set -eu
fftgen=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$fftgen" model fit --model "$dir/model.jsonl"
"$fftgen" model score --model "$dir/model.jsonl" "$@" | tee "$dir/score"
awk '/^geometric mean/ {
  found = 1
  own = substr($0, match($0, /tuned: /) + 7) + 0
  peer = substr($0, match($0, /FFTW.s: /) + 8) + 0
  if (!(own > 0 && own <= 1.15)) { print "FAIL: estimates are " own " times tuned; allowed: 1.15"; bad = 1 }
  if (peer > 0 && own >= peer) { print "FAIL: no nearer than FFTW, " peer; bad = 1 }
}
END { if (!found) { print "FAIL: no score"; bad = 1 } exit bad }' "$dir/score"
