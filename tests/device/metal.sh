#!/bin/sh
# Emitted Metal without Apple's compiler. Its kernels' address spaces and types by clang, to which Metal's words are its own
# (a Metal compiler is clang); kernels and launchers on this CPU, with the headers of campaign/words in place of Apple's.
# It shows that text and launches are right; neither that Apple's compiler takes them, nor how fast they are.
# usage: metal.sh FFTGEN
set -u
fftgen=$1
here=$(cd "$(dirname "$0")/../campaign" && pwd)
. ./counted.sh
some=0
has() { command -v "$1" >/dev/null 2>&1; }
has g++ || { echo 'SKIP: no g++ here'; exit 77; }
clang=''
for name in clang-19 clang; do [ -z "$clang" ] && has $name && clang=$name; done
[ -n "$clang" ] || echo 'SKIP: no clang here: address spaces are not checked'

# Metal's words for clang: address spaces that do not convert into each other.
mkdir "$dir/spaces"
cat >"$dir/spaces/metal_stdlib" <<'END'
#define device __attribute__((address_space(1)))
#define threadgroup __attribute__((address_space(3)))
#define constant const __attribute__((address_space(2)))
#define thread
typedef unsigned uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef _Float16 half;
#define PAIR(type) typedef type type##2 __attribute__((ext_vector_type(2)));
PAIR(float) PAIR(half) PAIR(uchar) PAIR(short)
static inline float2 make_float2(float a, float b) { return (float2){a, b}; }
template <class T> static inline float2 make_float2(T a) { return __builtin_convertvector(a, float2); }
static inline half2 make_half2(float2 a) { return __builtin_convertvector(a, half2); }
static inline uchar2 make_uchar2(uchar a, uchar b) { return (uchar2){a, b}; }
static inline short2 make_short2(short a, short b) { return (short2){a, b}; }
#define float2(...) make_float2(__VA_ARGS__)
#define half2(...) make_half2(__VA_ARGS__)
#define uchar2(...) make_uchar2(__VA_ARGS__)
#define short2(...) make_short2(__VA_ARGS__)
namespace metal {
enum class mem_flags { mem_device = 1, mem_threadgroup = 2 };
mem_flags operator|(mem_flags, mem_flags);
void threadgroup_barrier(mem_flags);
float simd_shuffle_xor(float, ushort);
template <class T, class U> T as_type(U);
float sqrt(float), log10(float), log(float), exp(float), fabs(float), fmin(float, float), fmax(float, float), rint(float);
}
END

emitted() { # PROBLEM [PLAN]
  count=$((count + 1)) some=1
  rm -f "$dir"/fft*
  "$fftgen" emit "$1" --target metal ${2:+--plan "$2"} --prefix fft -o "$dir" >/dev/null || { fail "emit $1"; return; }
  if [ -n "$clang" ]; then # a function's own arrays of such memory are static to clang
    sed 's/alignas(16) threadgroup/alignas(16) static threadgroup/' "$dir/fft.metal" >"$dir/kernel.cc"
    $clang -x c++ -std=c++14 -fsyntax-only -Wall -Wextra -Werror -Wno-unknown-attributes -Wno-unused-parameter \
      -Wno-unused-function -I "$dir/spaces" "$dir/kernel.cc" 2>"$dir/log" || fail "clang: $1: $(head -n 5 "$dir/log")"
  fi
  if ! grep -q '^int main' "$dir/fft_metal_host.cpp"; then # load and store operations: campaigns launch them
    g++ -std=c++17 -O1 -Wall -Wextra -Werror -I "$here/words" -c "$dir/fft_metal_host.cpp" -o "$dir/host.o" 2>"$dir/log" ||
      fail "the launcher of $1: $(head -n 3 "$dir/log")"
    return
  fi
  sed 's/alignas(16) threadgroup \([a-z]*\) \([a-z0-9_]*\)\[\([0-9]*\)\];/\1 *const \2 = blocks_array<\1>(\3);/' \
    "$dir/fft.metal" >"$dir/kernel.cc"
  sed -n 's/.*"kernel": "\(.*\)",/KERNEL(\1)/p' "$dir/fft_metal.json" | sort -u >"$dir/kernels.def"
  printf '#define BLOCKS_KERNELS "%s"\n#include "blocks_launch.h"\n' "$dir/kernels.def" >>"$dir/kernel.cc"
  g++ -std=c++17 -O1 -w -I "$here" -I "$here/words" -c "$dir/kernel.cc" -o "$dir/kernel.o" 2>"$dir/log" ||
    { fail "g++: $1: $(grep -m 3 error "$dir/log")"; return; }
  g++ -std=c++17 -O1 -Wall -Wextra -Werror -I "$here/words" -DFFTGEN_MAIN "$dir/fft_metal_host.cpp" "$dir/kernel.o" \
    -o "$dir/run" 2>"$dir/log" || { fail "the launcher of $1: $(head -n 3 "$dir/log")"; return; }
  "$dir/run" "$dir/fft.metal" >"$dir/log" 2>&1 || fail "$1: $(cat "$dir/log")"
}
emitted 'c2c f32 n=8 batch=count[1..1000]' 'direct(8)'
emitted 'c2c f32 n=1000 sign=+1 batch=7' 'stockham(10,10,10)'
emitted 'c2c f32 n=64 batch=c[1..400]' 'stockham(8,8)'
emitted 'c2c f32 n=4096 batch=3'
emitted 'c2c f32 n=8192 batch=c[1..5] place=in'
emitted 'c2c f32 n=16384 sign=+1 batch=2'
emitted 'c2c f32 n=256 batch=c[1..40]' 'stockham(16,16; shuffles=on)'
emitted 'c2c f32 n=64 batch=50' 'stockham(4,4,4; shuffles=on)'
emitted 'c2c f32 n=96 batch=9 place=in layout=split' 'stockham(8,12)'
emitted 'c2c f32 n=60:s[1..4]:2 batch=rows[1..4]:300:160' 'stockham(6,10)'
emitted 'c2c f32 n=8192' 'four-step(stockham(8,8), stockham(16,8))'
emitted 'c2c f32 n=131' 'bluestein(270, stockham(15,18))'
emitted 'c2c f32 n=1009 batch=2'
emitted 'c2c f16 n=1024 batch=5'
emitted 'c2c bf16 n=48 batch=6'
emitted 'r2c f32 n=360 batch=4'
emitted 'c2r f32 n=60 batch=3'
emitted 'r2c f32 n=64x30'
emitted 'dct2 f32 n=64 batch=5'
emitted 'c2c f32 n=16x24 batch=3'
emitted 'r2c f32 n=512 batch=3 load=u8,window(hann) store=logmag'
emitted 'dct2 f32 n=8 batch=64 load=u8 store=u8'
emitted 'conv f32 n=64 batch=5'

# The check itself: what clang does not take, and a wrong launch.
if [ -n "$clang" ]; then
  sed 's/alignas(16) threadgroup/alignas(16) static threadgroup/; s/threadgroup const float \*work0/device const float *work0/' \
    "$dir/fft.metal" >"$dir/wrong.cc"
  $clang -x c++ -std=c++14 -fsyntax-only -w -I "$dir/spaces" "$dir/wrong.cc" 2>/dev/null && fail 'clang mixes address spaces'
fi
"$fftgen" emit 'c2c f64 n=8' --target metal -o "$dir" >"$dir/log" 2>&1 && fail 'Metal has double precision'
grep -q 'target metal: its language has no f64' "$dir/log" || fail "f64: $(cat "$dir/log")"
echo "$count problems, $bad failures"
[ $bad = 0 ] || exit 1
[ $some = 1 ] || exit 77
