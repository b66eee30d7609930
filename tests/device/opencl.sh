#!/bin/sh
# The OpenCL device through the program, and what it says when it is not there.
# usage: opencl.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/../counted.sh"

# --- without a platform (where nobody preloads one)
mkdir "$dir/none"
complains 2 'no OpenCL' env OCL_ICD_VENDORS="$dir/none" "$fftgen" verify 'c2c f32 n=8' --device opencl
complains 2 'no OpenCL' env OCL_ICD_VENDORS="$dir/none" "$fftgen" verify 'c2c f32 n=8' --target opencl
OCL_ICD_VENDORS="$dir/none" "$fftgen" devices >"$dir/stdout" || fail 'devices fails without OpenCL'
grep -q '^opencl .*no OpenCL' "$dir/stdout" || fail "devices does not say why OpenCL is absent: $(cat "$dir/stdout")"
OCL_ICD_VENDORS="$dir/none" "$fftgen" emit 'c2c f32 n=64' --target opencl -o "$dir/out" >"$dir/stdout" ||
  fail 'emit --target opencl needs OpenCL'

if ! "$fftgen" devices --json | grep -q '"device":"opencl",[^}]*"here":true'; then
  "$fftgen" devices | grep '^opencl'
  echo 'SKIP: no OpenCL device here'
  [ $bad = 0 ] && exit 77
  exit 1
fi

# verified PROBLEM [OPTION...]
verified() {
  count=$((count + 1))
  "$fftgen" verify "$@" --device opencl --json >"$dir/stdout" 2>"$dir/stderr" || fail "exit code $?: $*: $(cat "$dir/stderr")"
  grep -q '"proved":true.*"ok":true' "$dir/stdout" || fail "not proved or not verified: $*: $(cat "$dir/stdout")"
}
verified 'c2c f32 n=4096'
verified 'c2c f64 n=1000 sign=+1 batch=7'
verified 'c2c f32 n=60 batch=count[1..100]' --set count=100
verified 'c2c f32 n=360:s[1..4]:2 batch=3:1440:720' --set s=3 --plan 'stockham(9,8,5)'
verified 'c2c f64 n=1009 place=in layout=split'
verified 'c2c f32 n=96' --plan 'stockham(8,12)' --inputs 50
complains 2 'isa' "$fftgen" verify 'c2c f32 n=8' --device opencl --isa neon
verified 'c2c f32 n=256 batch=100' --isa sse2
verified 'c2c f32 n=256 batch=100' --isa scalar
complains 2 'target opencl' "$fftgen" verify 'c2c f32 n=8' --device opencl --target c
"$fftgen" bench 'c2c f32 n=256 batch=16' --device opencl --json >"$dir/stdout" || fail 'bench on OpenCL'
grep -q '"device":"opencl"' "$dir/stdout" || fail "bench does not name its device: $(cat "$dir/stdout")"

echo "$count commands, $bad failures"
[ $bad = 0 ]
