#!/bin/sh
# What emitting large problems takes: seconds of processor time and the most memory, for each problem, target and
# precision; at the end the median and the worst. Fails where one takes more than is allowed, or is not emitted.
#
# usage: emission.sh FFTGEN large|draw [--seed S] [--count N] [--target T] [--arch A] [--seconds S] [--mib M]
#
# large: cubes, planes, a power of two and a prime, for CUDA, OpenCL, HIP and C. draw: N lengths from 2 to 5,000,000,
# evenly by their logarithm, in five classes: products of 2, 3, 5 and 7; such times a prime from 11 to 127; primes;
# planes; cubes.
set -u
fftgen=$1 what=$2
shift 2
seed=${FFTGEN_SEED:-$(date +%Y%m%d)} count=30 target= arch= seconds=10 mib=2048
while [ $# -gt 0 ]; do
  case $1 in
    --seed) seed=$2 ;;
    --count) count=$2 ;;
    --target) target=$2 ;;
    --arch) arch=$2 ;;
    --seconds) seconds=$2 ;;
    --mib) mib=$2 ;;
    *) echo "emission.sh: $1: unknown; allowed: --seed, --count, --target, --arch, --seconds, --mib" && exit 2 ;;
  esac
  shift 2
done
[ -x /usr/bin/time ] || { echo "SKIP: no /usr/bin/time" && exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

large() {
  for n in 384x384x384 4096x4096 512x512x512 "512x512x512 place=in" 67108864 10000019; do
    for precision in f32 f64; do
      for t in ${target:-cuda opencl hip c}; do echo "$t c2c $precision n=$n"; done
    done
  done
}

draw() {
  awk -v seed="$seed" -v count="$count" -v target="${target:-cuda}" 'BEGIN {
    srand(seed)
    primes = split("11 13 17 19 23 29 31 37 41 43 47 53 59 61 67 71 73 79 83 89 97 101 103 107 109 113 127", prime)
    for (i = 0; i < count; i++) {
      precision = rand() < 0.5 ? "f32" : "f64"
      if (i % 5 == 0) n = smooth(about(2, 5e6))
      if (i % 5 == 1) { p = prime[1 + int(rand() * primes)]; n = p * smooth(about(2, 5e6 / p)) }
      if (i % 5 == 2) for (n = about(20, 5e6); !is_prime(n);) n--
      if (i % 5 == 3) { all = about(4, 5e6); a = smooth(about(2, all / 2 + 2)); n = a "x" smooth(int(all / a) + 1) }
      if (i % 5 == 4) { a = smooth(int(about(8, 5e6) ^ (1 / 3)) + 1); n = a "x" a "x" a }
      print target, "c2c", precision, "n=" n
    }
  }
  function about(low, high) { return int(exp(log(low) + rand() * (log(high) - log(low)))) }
  function is_prime(n, d) { for (d = 2; d * d <= n; d++) if (n % d == 0) return 0; return n > 1 }
  function smooth(n, p) {
    for (; n > 2; n--) {
      for (p = n; p % 2 == 0;) p /= 2
      for (; p % 3 == 0;) p /= 3
      for (; p % 5 == 0;) p /= 5
      for (; p % 7 == 0;) p /= 7
      if (p == 1) return n
    }
    return 2
  }'
}

case $what in
  large) large ;;
  draw) draw ;;
  *) echo "emission.sh: $what: unknown; allowed: large, draw" && exit 2 ;;
esac >"$dir/list"
bad=0
: >"$dir/taken"
while read -r t problem; do
  if ! /usr/bin/time -f "%U %S %e %M" -o "$dir/time" timeout 1800 "$fftgen" emit "$problem" --target "$t" \
    ${arch:+--arch "$arch"} --prefix k -o "$dir/out" >/dev/null 2>"$dir/said"; then
    bad=1
    echo "FAIL: $problem, $t: $(head -1 "$dir/said")"
    continue
  fi
  tail -1 "$dir/time" | awk -v most="$seconds" -v mib="$mib" -v what="$problem, $t" '{
    over = $1 + $2 > most || $4 / 1024 > mib
    printf "%7.2f s of the processor, %7.2f s, %6d MiB: %s%s\n", $1 + $2, $3, $4 / 1024, what, over ? "  OVER" : ""
  }' | tee -a "$dir/taken"
done <"$dir/list"
grep -q OVER "$dir/taken" && bad=1
sort -n "$dir/taken" | awk '{ line[NR] = $0 } END { if (NR) print "median:" line[int((NR + 1) / 2)] "\nworst: " line[NR] }'
exit $bad
