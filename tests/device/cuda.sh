#!/bin/sh
# The CUDA device through the program; what it says when it is not there; emitted
# files through nvcc where there is one. usage: cuda.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/../counted.sh"

emitted() { # PROBLEM PLAN: compiles by nvcc, launcher by cc, device form from another kernel
  count=$((count + 1))
  "$fftgen" emit "$1" --target cuda --plan "$2" --prefix kernel -o "$dir" >/dev/null || { fail "emit $1"; return; }
  nvcc -arch=sm_90 -cubin -o "$dir/kernel.cubin" "$dir/kernel.cu" >"$dir/log" 2>&1 || fail "nvcc: $1: $(cat "$dir/log")"
  [ -s "$dir/log" ] && fail "nvcc warns: $1: $(cat "$dir/log")"
  cc -std=c99 -O1 -Wall -Wextra -Werror -I"$include" -DFFTGEN_MAIN -c "$dir/kernel_cu_host.c" -o "$dir/kernel.o" || fail "cc: $1"
}
if command -v nvcc >/dev/null 2>&1; then
  include=$(dirname "$(dirname "$(command -v nvcc)")")/include
  emitted 'c2c f32 n=8 batch=count[1..1000]' 'direct(8)'
  emitted 'c2c f64 n=256 batch=9' 'stockham(16,16)'
  emitted 'c2c f64 n=256 batch=9' 'stockham(16,16; shuffles=on)'
  emitted 'c2c f32 n=1024 batch=count[1..1000]' 'four-step(stockham(8,4), stockham(8,4); cluster=4)'
  emitted 'c2c f64 n=4096 batch=9' 'four-step(stockham(8,8), stockham(8,8); cluster=16, resident=4)'
  emitted 'c2c f32 n=4096 batch=count[1..1000]' 'four-step(stockham(8,8), stockham(8,8); tile=16, rows=16, queue=3)'
  emitted 'c2c f32 n=30 layout=split place=in batch=5' 'stockham(6,5)'
  emitted 'c2c f32 n=64 batch=5 layout=split load=mul store=x*g[k]' 'stockham(8,8)'
  grep -q 'in\[2\]: in_mul1' "$dir/kernel_cu_host.c" && grep -q '{IN, 3, 256, 0}, /[*] out_g' "$dir/kernel_cu_host.c" ||
    fail 'the launcher of operations: arrays behind the input'
  emitted 'rconv f32 n=64 batch=5 load=u8 store=u8' 'convolve(real(2, stockham(4,8)))'
  "$fftgen" emit 'c2c f32 n=64 batch=4' --target cuda --plan 'stockham(8,8)' --prefix kernel -o "$dir" >/dev/null
  {
    cat "$dir/kernel.cu"
    echo '__global__ void mine(const float *in, float *out, const float *tw) {'
    echo '  __shared__ float memory[2 * 64 * 64];'
    echo '  kernel_block_device(in, out, tw, memory, blockIdx.x);'
    echo '}'
  } >"$dir/mine.cu"
  nvcc -arch=sm_90 -cubin -o "$dir/mine.cubin" "$dir/mine.cu" || fail 'the device function from a kernel of somebody else'
else
  echo 'SKIP: no nvcc here: emitted sources are not compiled by it'
fi

if ! "$fftgen" devices --json | grep -q '"device":"cuda",[^}]*"here":true'; then
  "$fftgen" verify 'c2c f32 n=8' --device cuda >"$dir/stdout" 2>"$dir/stderr"
  [ $? = 2 ] || fail 'verify without a device: exit code'
  [ "$(wc -l <"$dir/stderr")" = 1 ] || fail "complaint is not one line: $(cat "$dir/stderr")"
  grep -qi 'cuda' "$dir/stderr" || fail "the complaint does not say what is absent: $(cat "$dir/stderr")"
  "$fftgen" devices | grep '^cuda'
  echo 'SKIP: no CUDA device here'
  [ $bad = 0 ] && exit 77
  exit 1
fi

verified() { # PROBLEM [OPTION...]
  count=$((count + 1))
  "$fftgen" verify "$@" --device cuda --json >"$dir/stdout" 2>"$dir/stderr" || fail "exit code $?: $*: $(cat "$dir/stderr")"
  grep -q '"proved":true.*"ok":true' "$dir/stdout" || fail "not proved or not verified: $*: $(cat "$dir/stdout")"
}
for precision in f32 f64; do
  for n in 1 2 3 8 13 16 60 64 100 243 256 1000 1024 1009 2048 4096 8192 10007 65536; do
    verified "c2c $precision n=$n batch=7"
    verified "c2c $precision n=$n batch=3 sign=+1 place=in"
  done
done
verified 'c2c f32 n=60 batch=count[1..100]' --set count=100
verified 'c2c f32 n=8 batch=count[1..1000]' --set count=777 --plan 'direct(8)'
verified 'c2c f32 n=16384 batch=3'
if "$fftgen" devices --json | grep -q '"cluster":16'; then
  verified 'c2c f32 n=32768 batch=300' --plan 'four-step(stockham(16,16), stockham(16,8); cluster=8)'
  verified 'c2c f64 n=16384 batch=count[1..500] sign=+1' --set count=400 --plan 'four-step(stockham(16,8), stockham(16,8); cluster=16)'
fi
verified 'c2c f32 n=4096 batch=count[1..5000]' --set count=4321 --plan 'four-step(stockham(8,8), stockham(8,8); tile=16, rows=16, queue=16)'
verified 'c2c f32 n=360:s[1..4]:2 batch=3:1440:720' --set s=3 --plan 'stockham(9,8,5)'
verified 'c2c f64 n=1009 place=in layout=split'
"$fftgen" bench 'c2c f32 n=256 batch=16' --device cuda --json >"$dir/stdout" || fail 'bench on CUDA'
grep -q '"device":"cuda"' "$dir/stdout" || fail "bench does not name its device: $(cat "$dir/stdout")"
echo "$count commands, $bad failures"
[ $bad = 0 ]
