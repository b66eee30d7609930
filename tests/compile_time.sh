#!/bin/sh
# Compilers get through what is emitted: 15 s of processor time and 2 GiB each, whatever the level.
# In: problems that once gave gcc minutes, each by one of the compilers, drawn by the day, with `all` by every one; with SEED
# and COUNT, problems at random, whose slowest compile is reported.
# usage: compile_time.sh FFTGEN [all | SEED COUNT]
set -u
fftgen=$1 seed=${2:-} count=${3:-40} all=
[ "$seed" != all ] || seed='' all=1
. ./drawn.sh
seconds=15 kilobytes=2097152
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0 tried=0 slowest=0 which=nothing
compilers=
for c in gcc clang-14 clang; do command -v $c >/dev/null 2>&1 && compilers="$compilers $c"; done
compilers=${compilers% clang}
[ -n "$compilers" ] || { echo "SKIP: neither gcc nor clang" && exit 77; }

# Centiseconds of the user's processor time that the children of a shell took: the second line of `times`.
centiseconds() { sed -n '2s/^\([0-9]*\)m\([0-9]*\)[.]\([0-9][0-9]\).*/\1 \2 \3/p' | awk '{ print $1 * 6000 + $2 * 100 + $3 }'; }

compile() { # compiler, level, the header's flags, what is compiled
  # shellcheck disable=SC2086
  (
    ulimit -t $seconds
    ulimit -v $kilobytes
    "$1" $2 $3 -c "$dir/k.c" -o "$dir/k.o" 2>"$dir/said"
    echo $? >"$dir/status"
    times
  ) >"$dir/times" 2>/dev/null
  took=$(centiseconds <"$dir/times")
  tried=$((tried + 1))
  [ "$(cat "$dir/status")" = 0 ] || { bad=1 && echo "FAIL: $4: $1 $2: not compiled in $seconds s and 2 GiB: $(head -1 "$dir/said")"; }
  if [ "${took:-0}" -gt $slowest ]; then slowest=$took which="$4: $1 $2"; fi
}

check() { # problem, isa, levels, plan by hand
  "$fftgen" emit "$1" --isa "$2" ${4:+--plan "$4"} --prefix k -o "$dir" >/dev/null 2>"$dir/said" ||
    { bad=1 && echo "FAIL: $1: $(head -1 "$dir/said")" && return; }
  if grep -q -e '-fdisable' "$dir/k.c"; then bad=1 && echo "FAIL: $1: asks for a special flag"; fi
  flags=$(sed -n 's/^ \* Flags: //p' "$dir/k.c")
  for c in $compilers; do
    [ -n "$seed" ] || drawn 2 || continue
    case $c in gcc) build='-O3 -fno-ivopts -ffp-contract=fast' ;; *) build='-O3 -ffp-contract=on -fno-omit-frame-pointer' ;; esac
    for level in $3; do
      [ "$level" = build ] && level=$build
      compile "$c" "$level" "$flags" "$1 --isa $2"
    done
  done
  # shellcheck disable=SC2086
  set -- $compilers
  drawn_calls=$((drawn_calls + 1 - $# % 2)) # the next problem has another compiler
}

# Kinds and lengths among which codelets of large primes are frequent.
draw() {
  awk -v seed="$1" -v count="$2" 'BEGIN {
    srand(seed)
    kinds = split("c2c c2c r2c c2r dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4", kind)
    primes = split("1 2 3 5 31 37 41 43 47 53 59 61 67 71 73 79 83 89 97 101 103 107 109 113 127", prime)
    isas = split("scalar sse2 avx2 avx512", isa)
    for (i = 0; i < count; i++) {
      k = kind[1 + int(rand() * kinds)]
      n = prime[1 + int(rand() * primes)] * (1 + int(rand() * 12))
      if (k == "dct1") n++
      if (k == "dst1") n = n > 1 ? n - 1 : n
      b = rand() < 0.4 ? " batch=" 2 + int(rand() * 16) : ""
      l = rand() < 0.2 ? " layout=split" : ""
      if (k ~ /^d/) l = ""
      print isa[1 + int(rand() * isas)], k, rand() < 0.5 ? "f32" : "f64", "n=" (n > 1 ? n : 2) b l
    }
  }'
}

if [ -n "$seed" ]; then
  draw "$seed" "$count" >"$dir/list"
  while read -r isa problem; do check "$problem" "$isa" '-O1 -O2 -O3 build'; done <"$dir/list"
else
  check "dst1 f32 n=308" avx2 '-O1 build'
  check "dct2 f64 n=618" avx2 '-O1'
  # Pointers that gcc's combiner folded into each address, and stores that it made vectors of: 39 s, minutes, 16 s.
  check "c2c f32 n=127 batch=64" avx512 '-O2' 'direct(127)'
  check "dst1 f32 n=308" avx2 '-O1' 'trig(real(6, direct(103)))'
  check "c2r f32 n=127 batch=32" avx512 '-O3' 'direct(127)'
  # Vectors gathered number by number along a line of three colours: 19 s.
  check "c2c f32 n=65536x3" avx512 'build'
  # What stays slow: a plan by hand is taken with a warning, by itself another one is.
  warned="c2c f16 n=127 batch=16"
  "$fftgen" emit "$warned" --isa avx512 --plan 'direct(127)' -o "$dir" 2>"$dir/said" >/dev/null
  grep -q 'compilers may take' "$dir/said" || { bad=1 && echo "FAIL: $warned: no warning: $(head -1 "$dir/said")"; }
  "$fftgen" emit "$warned" --isa avx512 -o "$dir" 2>"$dir/said" >/dev/null
  [ ! -s "$dir/said" ] || { bad=1 && echo "FAIL: $warned: $(head -1 "$dir/said")"; }
  check "$warned" avx512 '-O3'
fi
echo "$tried compiles; the slowest took $((slowest / 100)).$(printf %02d $((slowest % 100))) s: $which"
exit $bad
