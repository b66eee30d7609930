#!/bin/sh
# C for NEON: compiled by a cross compiler without a warning, in vectors, and every
# source passes its own test under an emulator. usage: neon.sh FFTGEN
set -u
fftgen=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0 count=0
fail() {
  bad=$((bad + 1))
  printf 'FAIL: %s\n' "$*"
}
cross=aarch64-linux-gnu
if [ "$(uname -m)" = aarch64 ]; then
  compiler=gcc objdump=objdump emulator=''
else
  compiler=$cross-gcc objdump=$cross-objdump emulator=qemu-aarch64
  for tool in $compiler $emulator; do
    command -v $tool >/dev/null 2>&1 || { echo "SKIP: no $tool here"; exit 77; }
  done
fi
printf 'int main(void) { return 0; }\n' >"$dir/probe.c"
{ $compiler -static "$dir/probe.c" -o "$dir/probe" && $emulator "$dir/probe"; } 2>"$dir/log" ||
  { echo "SKIP: $compiler makes no program that runs: $(head -n 1 "$dir/log")"; exit 77; }

check() { # problem, option...
  count=$((count + 1))
  "$fftgen" emit "$@" --isa neon --prefix kernel --self-test -o "$dir" >/dev/null || { fail "emit $*"; return; }
  $compiler -std=c99 $level -fno-ivopts -ffp-contract=fast -Wall -Wextra -Wpedantic -Werror "$dir/kernel.c" -static \
    -o "$dir/kernel" -lm || { fail "$compiler: $*"; return; }
  # shellcheck disable=SC2086
  $emulator "$dir/kernel" >"$dir/output" 2>&1 || fail "self-test of $*: $(cat "$dir/output")"
}
vectors() { # of the last source: registers of $1 numbers are added and fused
  $objdump -d "$dir/kernel" | grep -qE "fadd.*v[0-9]+\.$1" || fail "no additions of .$1"
  $objdump -d "$dir/kernel" | grep -qE "fml[as].*v[0-9]+\.$1" || fail "no fused operations of .$1"
}
level=-O3
check 'c2c f32 n=1024'
vectors 4s
check 'c2c f64 n=360 batch=3'
vectors 2d
level=-O1 # faster to compile; what comes is judged alone
check 'c2c f32 n=8 batch=37'
check 'c2c f64 n=12 sign=+1'
check 'c2c f64 n=16 place=in layout=split batch=5'
check 'c2c f32 n=20:s[1..3]:2 batch=rows[1..9]:100:80'
check 'c2c f32 n=32:64:64 batch=columns[1..64]:1:1 layout=split>interleaved'
check 'c2c f32 n=1009'
check 'c2c f32 n=6x5x16 batch=3'
check 'c2c f64 n=17000' # its tables are filled when it starts
grep -q kernel_init "$dir/kernel.h" || fail 'tables that stand in the source'
check 'r2c f32 n=8 batch=19 place=in'
check 'dct2 f64 n=9 batch=19'
check 'c2c f32 n=64' --plan 'stockham(8,8)'
check 'c2c f32 n=4096' --plan 'four-step(stockham(8,8), stockham(8,8))'
# What is for another CPU is refused by name where several are chosen from.
"$fftgen" emit --bundle both --isa scalar,neon 'c2c f32 n=8' -o "$dir" 2>"$dir/output" && fail 'a bundle of NEON'
grep -q 'neon: emit it alone' "$dir/output" || fail "bundle: $(cat "$dir/output")"
echo "$count sources, $bad failures"
[ $bad = 0 ]
