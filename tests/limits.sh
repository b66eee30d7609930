#!/bin/sh
# What a proof may take: problems whose arrays or lengths are large are emitted and verified in
# the memory and time that their elements ask for: a third of them, drawn by the day; with `all`, every one.
# usage: limits.sh FFTGEN [all]
set -eu
fftgen=$1 all=${2:+1}
. ./drawn.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
if ! (ulimit -v 4194304) 2>/dev/null || ! command -v timeout >/dev/null; then
  echo "SKIP: no limits of memory or time here"
  exit 77
fi

# within SECONDS MIB ARGUMENTS...: if drawn, the command ends well, in seconds of processor time, however busy the machine is.
within() {
  drawn 3 || return 0
  seconds=$1 mib=$2
  shift 2
  if ! (ulimit -v $((mib * 1024)) && ulimit -t "$seconds" && timeout 600 "$fftgen" "$@" >"$dir/out" 2>&1); then
    echo "not within $seconds s and $mib MiB: $*"
    cat "$dir/out"
    exit 1
  fi
}

far="is[1..1048576]:os[1..1048576]"
batch="count[1..1048576]:id[1..1048576]:od[1..1048576]"
for target in c opencl cuda; do
  within 3 1024 emit "c2c f32 n=64:$far" --target "$target" --dump=source
  within 10 1024 emit "c2c f32 n=64:$far batch=$batch" --target "$target" --dump=source
  within 30 1024 emit "c2c f32 n=64:$far batch=16:id[1..1048576]:od[1..1048576]" --target "$target" --dump=source
  drawn_calls=$((drawn_calls + 1)) # the next target follows a day later: one of each form every day
done
within 30 1024 emit "c2c f64 n=64:s[1..1048576]:s batch=c[1..1048576]:d[1..1048576]:d place=in" --dump=source
within 30 1024 emit "c2c f32 n=8:$far""x8:js[1..1048576]:ps[1..1048576]" --dump=source
# Large programs for GPUs: values are walked by sample.
within 10 2048 emit "c2c f32 n=512x512x512" --target cuda --dump=source
within 10 2048 emit "c2c f64 n=384x384x384" --target hip --dump=source
within 10 2048 emit "r2c f32 n=512x512x512" --target opencl --dump=source
within 10 2048 emit "c2c f32 n=1024x1024x64" --target opencl --dump=source
within 10 2048 emit "c2c f64 n=4096x4096" --target cuda --dump=source
within 10 2048 emit "c2c f32 n=67108864" --target cuda --dump=source
within 10 2048 emit "c2c f32 n=512x512x512 place=in" --target cuda --dump=source
within 10 2048 emit "c2c f32 n=512x512x512 place=in" --target opencl --dump=source
# And for CPUs.
within 20 2048 emit "c2c f32 n=512x512x512" --isa avx2 --dump=source
within 20 4096 emit "c2c f32 n=67108864" --isa avx2 --dump=source
# 512 MiB of factors: their contents are not made for sources alone. It takes 1 GiB, of an address space for a whole walk.
within 10 4096 emit "c2c f32 n=67108864" --target opencl --prefix k -o "$dir/far"
# Large primes: 8 s on a machine of 2026-11.
for prime in "c2c f32 n=524287" "c2c f64 n=786433"; do
  : >"$dir/out"
  within 30 2048 verify "$prime"
  [ ! -s "$dir/out" ] || grep -q '^proved *yes' "$dir/out"
done
echo "large programs, far elements and large primes are proved within their limits"
