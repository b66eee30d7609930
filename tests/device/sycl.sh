#!/bin/sh
# Emitted SYCL: kernels and launchers on this CPU, with the header of campaign/words in place of a SYCL implementation's; and by
# AdaptiveCpp's acpp where it is in PATH, which compiles the same text as SYCL 2020 and runs it on this CPU. Without acpp
# this shows that text and launches are right, not that a SYCL compiler takes them.
# usage: sycl.sh FFTGEN
set -u
fftgen=$1
here=$(cd "$(dirname "$0")/../campaign" && pwd)
. ./counted.sh
has() { command -v "$1" >/dev/null 2>&1; }
has g++ || { echo 'SKIP: no g++ here'; exit 77; }
acpp=''
if has acpp; then acpp=acpp; else echo 'SKIP: no acpp here: no SYCL compiler takes the text'; fi

emitted() { # PROBLEM [PLAN]
  count=$((count + 1))
  rm -f "$dir"/fft*
  "$fftgen" emit "$1" --target sycl ${2:+--plan "$2"} --prefix fft -o "$dir" >/dev/null || { fail "emit $1"; return; }
  for source in "$dir"/fft*.cpp; do
    main=-DFFTGEN_MAIN
    grep -q '^int main' "$source" || main=-c # load and store operations: a launcher without a test
    g++ -std=c++17 -O1 -Wall -Wextra -Wno-unused-function -Wno-unknown-pragmas -Wno-attributes -Werror -I "$here" \
      -isystem "$here/words" $main "$source" -o "$dir/run" \
      2>"$dir/log" || { fail "g++: $1: $(head -n 3 "$dir/log")"; return; }
    [ $main = -c ] || "$dir/run" >"$dir/log" 2>&1 || fail "$1: $(cat "$dir/log")"
    [ -n "$acpp" ] || continue
    $acpp --acpp-targets=omp.library-only -std=c++17 -O1 $main "$source" -o "$dir/run" >"$dir/log" 2>&1 ||
      { fail "acpp: $1: $(grep -m 3 error "$dir/log")"; return; }
    [ $main = -c ] || "$dir/run" >"$dir/log" 2>&1 || fail "by acpp, $1: $(cat "$dir/log")"
  done
}
emitted 'c2c f32 n=8 batch=count[1..1000]' 'direct(8)'
emitted 'c2c f64 n=256 batch=c[1..40]' 'stockham(16,16; shuffles=on)'
emitted 'c2c f32 n=64 batch=50' 'stockham(4,4,4; shuffles=on)'
emitted 'c2c f64 n=1000 sign=+1 batch=7' 'stockham(10,10,10)'
emitted 'c2c f32 n=64 batch=c[1..400]' 'stockham(8,8)'
emitted 'c2c f64 n=96 batch=9 place=in layout=split' 'stockham(8,12)'
emitted 'c2c f32 n=60:s[1..4]:2 batch=rows[1..4]:300:160' 'stockham(6,10)'
emitted 'c2c f32 n=8192' 'four-step(stockham(8,8), stockham(16,8))'
emitted 'c2c f32 n=131' 'bluestein(270, stockham(15,18))'
emitted 'c2c f16 n=1024 batch=5'
emitted 'c2c bf16 n=48 batch=6 compute=f64'
emitted 'r2c f64 n=360 batch=4'
emitted 'c2r f32 n=60 batch=3'
emitted 'dct2 f64 n=64 batch=5'
emitted 'c2c f32 n=16x24 batch=3'
emitted 'r2c f32 n=512 batch=3 load=u8,window(hann) store=logmag'
emitted 'dct2 f64 n=8 batch=64 load=u8 store=i16'
emitted 'conv f32 n=64 batch=5'

# Two headers in one source.
count=$((count + 1))
for p in f32 f64; do "$fftgen" emit "c2c $p n=64 batch=3 load=i16 store=u8" --target sycl --prefix "two_$p" -o "$dir" >/dev/null; done
printf '#include "two_f32.hpp"\n#include "two_f64.hpp"\n' >"$dir/two.cpp"
g++ -std=c++17 -fsyntax-only -Wall -Wextra -Wno-unused-function -Wno-unknown-pragmas -Werror -I "$here" -isystem "$here/words" "$dir/two.cpp" 2>"$dir/log" ||
  fail "two headers: $(head -n 3 "$dir/log")"
echo "$count problems, $bad failures"
[ $bad = 0 ]
