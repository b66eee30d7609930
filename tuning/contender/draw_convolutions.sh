#!/bin/sh
# Draws the list that judges convolutions on CPUs. In: a seed. Out: problems, one a line, the same for the same seed,
# so that nothing can be tuned to a list known beforehand.
#
# usage: draw_convolutions.sh SEED [COUNT]     COUNT of each group (default 2)
#
# Groups: powers of two, smooth lengths, any lengths, two dimensions, batches; of all arrays within 1 MiB, and from
# 2^18 points on. Half of all are of reals; batches have one spectrum or one for each transform. Each in float and in
# double.
#
#     draw_convolutions.sh 1 | fftgen_convolutions
set -eu
seed=${1:?usage: draw_convolutions.sh SEED [COUNT]}
awk -v seed="$seed" -v count="${2:-2}" '
# Lehmer, Mathematical methods in large-scale computing units (1951); the factor of
# Lewis, Goodman and Miller (1969).
function random() { return (state = state * 16807 % 2147483647) / 2147483647 }
function whole(lo, hi) { return lo + int(random() * (hi - lo + 1)) }
function between(lo, hi) { return int(lo * exp(random() * log((hi + 1) / lo))) } # even by magnitude
function left_of(n, p) { # of n without its small factors
  for (p = 2; p <= 7; p++) while (n % p == 0) n /= p
  return n
}
function smooth(lo, hi, n) { do n = between(lo, hi); while (left_of(n) > 1); return n }
function usual(lo, hi) { # half of them powers of two
  if (random() < .5) return smooth(lo, hi)
  return 2 ^ whole(int(log(lo) / log(2) + .999), int(log(hi) / log(2) + 1e-9))
}
function put(n, batch, kind, each, p) {
  kind = random() < .5 ? "rconv" : "conv"
  each = batch > 1 && random() < .5 ? " spectrum=each" : ""
  for (p = 32; p <= 64; p += 32) print kind " f" p " n=" n (batch > 1 ? " batch=" batch : "") each
}
BEGIN {
  state = (seed % 2147483646) + 1
  for (i = 0; i < 20; i++) random()
  for (i = 0; i < count; i++) {
    put(2 ^ whole(6, 14), 1)
    put(smooth(65, 20000), 1)
    put(between(16, 20000), 1)
    n = usual(8, 128); put(n "x" usual(8, 16384 / n < 256 ? 16384 / n : 256), 1)
    n = usual(16, 2048); put(n, whole(2, 16384 / n))
    put(2 ^ whole(18, 22), 1)
    put(smooth(2 ^ 18, 2 ^ 22), 1)
    put(between(2 ^ 18, 2 ^ 20), 1)
    n = usual(384, 2048); put(n "x" usual(2 ^ 18 / n < 384 ? 384 : 2 ^ 18 / n, 2048), 1)
    n = usual(64, 32768); put(n, int(between(2 ^ 18, 2 ^ 21) / n) + 1)
  }
}'
