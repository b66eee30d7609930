#!/bin/sh
# Draws the list that judges speed on CPUs. In: a seed. Out: problems, one a line, the
# same for the same seed: lengths, batches, distances from every group of the bars, so
# that nothing can be tuned to a list known beforehand.
#
# usage: draw.sh SEED [harness|fftgen] [COUNT]     COUNT of each group (default 4)
#
#   harness   for benchmarks that take KIND:PRECISION:N1xN2[*BATCH][@THREADS][!]
#   fftgen    for `fftgen bench` and `fftgen tune --file`: the same but for threads,
#             and problems with strides, and with distances by which transforms begin
#             at every alignment
set -eu
seed=${1:?usage: draw.sh SEED [harness|fftgen] [COUNT]}
form=${2:-harness}
case $form in harness | fftgen) ;; *) echo "draw.sh: $form: allowed: harness, fftgen" >&2 && exit 2 ;; esac
awk -v seed="$seed" -v form="$form" -v count="${3:-4}" '
# Lehmer, Mathematical methods in large-scale computing units (1951); the factor of
# Lewis, Goodman and Miller (1969).
function random() { return (state = state * 16807 % 2147483647) / 2147483647 }
function whole(lo, hi) { return lo + int(random() * (hi - lo + 1)) }
# Even by magnitude.
function between(lo, hi) { return int(lo * exp(random() * log((hi + 1) / lo))) }
function is_prime(n, d) {
  for (d = 2; d * d <= n; d++) if (n % d == 0) return 0
  return n > 1
}
function left_of(n, p) { # of n without its small factors
  for (p = 2; p <= 7; p++) while (n % p == 0) n /= p
  return n
}
function largest_power(n, p) { while (n % p == 0) n /= p; return n == 1 }
function smooth(lo, hi, n) {
  do n = between(lo, hi); while (left_of(n) > 1 || largest_power(n, 2) || largest_power(n, 3) ||
                                 largest_power(n, 5) || largest_power(n, 7))
  return n
}
function prime(lo, hi, n) { do n = between(lo, hi); while (!is_prime(n)); return n }
function power(p, most, n, k, least) { # at least 25
  k = 0
  for (n = p; n * p <= most; n *= p) k++
  least = p == 3 ? 3 : 2
  return p ^ whole(least, k + 1)
}
function any(lo, hi, draw) { # a length of whatever kind
  draw = random()
  return draw < .5 ? 2 ^ int(log(between(lo, hi)) / log(2) + 1e-9) : draw < .8 ? smooth(lo, hi) : between(lo, hi)
}
function some(bytes, n) { n = int(bytes / n); return n < 2 ? 2 : whole(2, n) }
# kind, lengths, batch, threads, in place
function put(kind, n, batch, threads, place, p, text) {
  for (p = 32; p <= 64; p += 32) {
    if (form == "harness")
      text = kind ":f" p ":" n (batch > 1 ? "*" batch : "") (threads > 1 ? "@" threads : "") (place ? "!" : "")
    else
      text = kind " f" p " n=" n (batch > 1 ? " batch=" batch : "") (place ? " place=in" : "")
    if (form == "harness" || threads < 2) put_once(text)
  }
}
function put_strided(kind, n, is, os, batch, id, od, p) {
  for (p = 32; p <= 64 && form == "fftgen"; p += 32)
    put_once(kind " f" p " n=" n ":" is ":" os " batch=" batch ":" id ":" od)
}
function put_once(text) { if (!seen[text]++) print text }
BEGIN {
  state = (seed % 2147483646) + 1
  for (i = 0; i < 20; i++) random()
  for (i = 0; i < count; i++) {
    put("c2c", whole(2, 64))
    put("c2c", 2 ^ whole(7, 12))
    put("c2c", 2 ^ whole(13, 15))
    put("c2c", smooth(65, 100000))
    put("c2c", 2 ^ whole(15, 18))
    put("c2c", random() < .3 ? 1000000 : 2 ^ whole(19, 22))
    put("c2c", power(3 + 2 * whole(0, 2), 200000))
    put("c2c", random() < .6 ? prime(31, 1000003) : prime(11, 40) * prime(11, 40))
    put("r2c", 2 * any(8, 500000))
    n = any(4, 4096)
    put(random() < .7 ? "c2c" : "r2c", n, some(2000000, n))
    put("c2c", any(16, 1000000), 1, 1, 1)
    put("c2c", any(64, 1500) "x" any(64, 1500))
    put("c2c", any(16, 160) "x" any(16, 160) "x" any(16, 160))
    put("c2c", 2 ^ whole(16, 22), 1, 2)
    n = any(4, 1024); batch = some(500000, n)
    put_strided("c2c", n, batch, batch, batch, 1, 1)               # columns
    gap = whole(1, 7)
    put_strided("c2c", n, 1, 1, batch, n + gap, n + whole(0, 7)) # rows at every alignment
    put_strided("c2c", n, whole(2, 3), 1, batch, 3 * n, n)
  }
}'
