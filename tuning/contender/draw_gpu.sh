#!/bin/sh
# Draws the list that judges speed on GPUs. In: a seed. Out: problems, one a line, the same for the same seed: lengths
# drawn evenly by magnitude from 2 to 5,000,000 points in five classes, so that nothing can be tuned to a list known
# beforehand.
#
# usage: draw_gpu.sh SEED [fftgen|bundle|harness] [COUNT]     COUNT in all (default 120)
#
#   smooth   no prime factor above 7
#   times    a smooth length times one prime from 11 to 127
#   prime    from 11 on
#   planes   two sides, cubes: three, smooth as the first class; the product is drawn, then its sides
#
# Of five lines of a class three are c2c in float, one is c2c in double and one r2c in float.
#
#   fftgen   "c2c f32 n=1000 batch=134217", batches of 1 GiB of input: for `fftgen plan`, `bench` and `tune --file`
#   bundle   "c2c f32 1000 134217" for gpu_bundle.sh
#   harness  "1 0 1000": precision and kind as numbers of gpu.h
set -eu
seed=${1:?usage: draw_gpu.sh SEED [fftgen|bundle|harness] [COUNT]}
form=${2:-fftgen}
case $form in fftgen | bundle | harness) ;; *) echo "draw_gpu.sh: $form: allowed: fftgen, bundle, harness" >&2 && exit 2 ;; esac
awk -v seed="$seed" -v form="$form" -v count="${3:-120}" '
# Lehmer, Mathematical methods in large-scale computing units (1951); the factor of Lewis, Goodman and Miller (1969).
function random() { return (state = state * 16807 % 2147483647) / 2147483647 }
function between(lo, hi) { return int(lo * exp(random() * log((hi + 1) / lo))) }
function is_prime(n, d) {
  for (d = 2; d * d <= n; d++) if (n % d == 0) return 0
  return n > 1
}
function is_smooth(n, p) {
  for (p = 2; p <= 7; p++) while (n % p == 0) n /= p
  return n == 1
}
function nearest(x, wanted, d) { # smooth or prime: lengths stay even by magnitude
  for (d = 0;; d++) {
    if (wanted == "prime" ? is_prime(x - d) : x - d > 1 && is_smooth(x - d)) return x - d
    if (wanted == "prime" ? is_prime(x + d) : is_smooth(x + d)) return x + d
  }
}
function smooth(lo, hi) { return nearest(between(lo, hi), "smooth") }
function times(p) { p = nearest(between(11, 127), "prime"); return p * smooth(2, MOST / p) }
function near(x, n) { # smooth, and within a quarter of x
  do n = between(x < 2.5 ? 2 : x * .8, x < 2.5 ? 3 : x * 1.25); while (!is_smooth(n))
  return n
}
function plane(all, side) { # one side up to eight times the other
  all = between(16, MOST)
  side = sqrt(all) * exp((random() - .5) * log(8))
  if (side < 2) side = 2
  return near(side) "x" near(all / side < 2 ? 2 : all / side)
}
function cube(side, all) { # half of them with three equal sides
  all = between(27, MOST)
  side = exp(log(all) / 3)
  if (random() < .5) return (all = near(side)) "x" all "x" all
  return near(side) "x" near(side) "x" near(side)
}
function draw(class) {
  if (class == 0) return smooth(2, MOST)
  if (class == 1) return times()
  if (class == 2) return nearest(between(11, MOST), "prime")
  return class == 3 ? plane() : cube()
}
function put(kind, precision, dims, side, n, points, bytes, batch) {
  n = split(dims, side, "x")
  for (points = 1; n > 0; n--) points *= side[n]
  bytes = points * (precision == "f64" ? 8 : 4) * (kind == "c2c" ? 2 : 1)
  batch = int(1073741824 / bytes)
  if (form == "fftgen") print kind, precision, "n=" dims, "batch=" batch
  else if (form == "bundle") print kind, precision, dims, batch
  else print precision == "f64" ? 2 : 1, kind == "c2c" ? 0 : 2, dims
}
BEGIN {
  MOST = 5000000
  state = (seed % 2147483646) + 1
  for (i = 0; i < 20; i++) random()
  for (i = 0; i < count; ) {
    class = i % 5; turn = int(i / 5) % 5
    kind = turn == 4 ? "r2c" : "c2c"; precision = turn == 3 ? "f64" : "f32"
    dims = draw(class)
    if (seen[kind precision dims]++) continue
    put(kind, precision, dims)
    i++
  }
}'
