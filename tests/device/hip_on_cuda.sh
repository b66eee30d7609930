#!/bin/sh
# Emitted HIP, kernels and launchers, on a GPU of NVIDIA's: the same text, with the
# headers of hip_on_cuda/ in place of AMD's. It shows that the text is right, not
# how fast it is on AMD's.
#
# usage: hip_on_cuda.sh FFTGEN [FOLDER]   builds (for sm_90) and, where a GPU is, runs; programs stay in FOLDER
#        hip_on_cuda.sh --run FOLDER      runs what was built, on another machine
set -u
here=$(cd "$(dirname "$0")" && pwd)
bad=0 count=0 ran=0
fail() {
  bad=$((bad + 1))
  printf 'FAIL: %s\n' "$*"
}
gpu_here() { nvidia-smi -L >/dev/null 2>&1; }

run_all() {
  for program in "$1"/*.run; do
    name=${program%.run}
    if "$program" "$name.cubin" >"$1/output" 2>&1; then cat "$1/output"; else fail "$name: $(cat "$1/output")"; fi
    ran=$((ran + 1))
  done
}
if [ "$1" = --run ]; then
  run_all "$2"
  echo "$ran programs of HIP ran on $(nvidia-smi -L | head -n 1), $bad failures"
  [ $bad = 0 ] && [ $ran -gt 0 ]
  exit
fi

fftgen=$1
command -v nvcc >/dev/null 2>&1 || { echo 'SKIP: no nvcc here'; exit 77; }
cuda=$(dirname "$(dirname "$(command -v nvcc)")")
dir=${2:-}
if [ -z "$dir" ]; then
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' EXIT
fi
mkdir -p "$dir"

built() { # NAME PROBLEM [PLAN]
  count=$((count + 1))
  "$fftgen" emit "$2" --target hip ${3:+--plan "$3"} --prefix "$1" -o "$dir" >/dev/null || { fail "emit $2"; return; }
  nvcc -x cu -arch=sm_90 -cubin -I "$here/hip_on_cuda" -o "$dir/$1.cubin" "$dir/$1.hip" >"$dir/log" 2>&1 ||
    { fail "nvcc: $2: $(head -n 5 "$dir/log")"; return; }
  [ -s "$dir/log" ] && fail "nvcc warns: $2: $(head -n 5 "$dir/log")"
  cc -std=c99 -O1 -Wall -Wextra -Werror -I "$here/hip_on_cuda" -isystem "$cuda/include" -DFFTGEN_MAIN \
    "$dir/$1_hip_host.c" -o "$dir/$1.run" -L "$cuda/lib64/stubs" -lcuda -lm || fail "cc: launcher of $2"
}
built alone 'c2c f32 n=8 batch=count[1..1000]' 'direct(8)'
built codelet 'c2c f64 n=16 batch=150' 'direct(16)'
built block 'c2c f32 n=1000 sign=+1 batch=7' 'stockham(10,10,10)'
built groups 'c2c f32 n=64 batch=c[1..400]' 'stockham(8,8)'
built large 'c2c f64 n=4096 batch=3' 'stockham(16,16,16)'
built within 'c2c f64 n=96 batch=9 place=in layout=split' 'stockham(8,12)'
built strided 'c2c f32 n=60:s[1..4]:2 batch=rows[1..4]:300:160' 'stockham(6,10)'
built passes 'c2c f32 n=8192' 'stockham(16,16,32)'
built tiles 'c2c f32 n=8192' 'four-step(stockham(8,8), stockham(16,8))'
built chirp 'c2c f32 n=131' 'bluestein(270, stockham(15,18))'
built ladder 'c2c f32 n=90' 'cooley-tukey(9, stockham(2,5))'
built several 'c2c f32 n=16x24 batch=3'
if gpu_here; then
  run_all "$dir"
else
  echo 'SKIP: no GPU of NVIDIA here: what was built is not run'
fi
echo "$count programs of HIP built by nvcc, $ran ran, $bad failures"
[ $bad = 0 ] || exit 1
[ $ran -gt 0 ] || exit 77
