#!/bin/sh
# Emitted Metal, kernels and launchers, on a GPU of NVIDIA's: the same text with Metal's words in CUDA's (metal_on_cuda/). It
# shows that the text is right, not how fast it is on Apple's.
#
# usage: metal_on_cuda.sh FFTGEN [FOLDER]   builds (for sm_90) and, where a GPU is, runs; all programs stay in FOLDER; without
#                                           FOLDER a third of them is drawn by the day
#        metal_on_cuda.sh --run FOLDER      runs what was built, on another machine
set -u
here=$(cd "$(dirname "$0")" && pwd)
words=$here/../campaign/words
bad=0 count=0 ran=0
fail() {
  bad=$((bad + 1))
  printf 'FAIL: %s\n' "$*"
}
gpu_here() { nvidia-smi -L >/dev/null 2>&1; }

run_all() { # folder
  for program in "$1"/*.run; do
    name=${program%.run}
    if METAL_CUBIN=$name.cubin "$program" "$name.metal" >"$1/output" 2>&1; then cat "$1/output"; else fail "$name: $(cat "$1/output")"; fi
    ran=$((ran + 1))
  done
}
if [ "$1" = --run ]; then
  run_all "$2"
  echo "$ran programs of Metal ran on $(nvidia-smi -L | head -n 1), $bad failures"
  [ $bad = 0 ] && [ $ran -gt 0 ]
  exit
fi

fftgen=$1 all=${2:+1}
. "$here/../drawn.sh"
command -v nvcc >/dev/null 2>&1 || { echo 'SKIP: no nvcc here'; exit 77; }
cuda=$(dirname "$(dirname "$(command -v nvcc)")")
dir=${2:-}
if [ -z "$dir" ]; then
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
fi
mkdir -p "$dir"

# Kernels of CUDA ask for the numbers of thread and block, and have numbers by value.
in_cuda() { # source
  sed -z -e 's/#include <metal_stdlib>\nusing namespace metal;/#include "words.cuh"/' \
    -e 's/\[\[kernel, max_total_threads_per_threadgroup(\([0-9]*\))\]\] void/extern "C" __global__ __launch_bounds__(\1) void/g' \
    -e 's/,[ \n]*uint thread_id \[\[[a-z_]*\]\], uint block_id \[\[[a-z_]*\]\]) {/) {\n  const uint thread_id = threadIdx.x, block_id = blockIdx.x;/g' \
    -e 's/\bdevice //g' -e 's/constant long &/const long /g' -e 's/ \[\[buffer([0-9]*)\]\]//g' \
    -e 's/alignas(16) threadgroup/alignas(16) __shared__/g' -e 's/static inline/static __device__ inline/g' "$1"
}

built() { # NAME PROBLEM [PLAN]
  drawn 3 || return
  count=$((count + 1))
  "$fftgen" emit "$2" --target metal ${3:+--plan "$3"} --prefix "$1" -o "$dir" >/dev/null || { fail "emit $2"; return; }
  in_cuda "$dir/$1.metal" >"$dir/$1.cu"
  nvcc -arch=sm_90 -cubin -Xcudafe --diag_suppress=177 -I "$here/metal_on_cuda" -o "$dir/$1.cubin" "$dir/$1.cu" >"$dir/log" 2>&1 ||
    { fail "nvcc: $2: $(head -n 5 "$dir/log")"; return; }
  [ -s "$dir/log" ] && fail "nvcc warns: $2: $(head -n 5 "$dir/log")"
  grep -q '^int main' "$dir/$1_metal_host.cpp" || return
  g++ -std=c++17 -O1 -Wall -Wextra -Werror -I "$here/metal_on_cuda" -I "$words" -isystem "$cuda/include" -DFFTGEN_MAIN \
    "$dir/$1_metal_host.cpp" -o "$dir/$1.run" -L "$cuda/lib64/stubs" -lcuda || fail "g++: launcher of $2"
}
built alone 'c2c f32 n=8 batch=count[1..1000]' 'direct(8)'
built block 'c2c f32 n=1000 sign=+1 batch=7' 'stockham(10,10,10)'
built groups 'c2c f32 n=64 batch=c[1..400]' 'stockham(8,8)'
built large 'c2c f32 n=4096 batch=3' 'stockham(16,16,16)'
built within 'c2c f32 n=96 batch=9 place=in layout=split' 'stockham(8,12)'
built strided 'c2c f32 n=60:s[1..4]:2 batch=rows[1..4]:300:160' 'stockham(6,10)'
built tiles 'c2c f32 n=8192' 'four-step(stockham(8,8), stockham(16,8))'
built chirp 'c2c f32 n=131' 'bluestein(270, stockham(15,18))'
built ladder 'c2c f32 n=90' 'cooley-tukey(9, stockham(2,5))'
built halves 'c2c f16 n=1024 batch=5'
built reals 'r2c f32 n=360 batch=4'
built several 'c2c f32 n=16x24 batch=3'
built bytes 'dct2 f32 n=8 batch=64 load=u8 store=i16'
if gpu_here; then
  run_all "$dir"
else
  echo 'SKIP: no GPU of NVIDIA here: what was built is not run'
fi
echo "$count programs of Metal built by nvcc, $ran ran, $bad failures"
[ $bad = 0 ] || exit 1
[ $ran -gt 0 ] || exit 77
