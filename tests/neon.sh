#!/bin/sh
# C for NEON: compiled by a cross compiler without a warning, in vectors, and every
# source passes its own test under an emulator. usage: neon.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/counted.sh"
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
level=-O1 # faster to compile; only the results are checked
check 'c2c f32 n=8 batch=37'
check 'c2c f64 n=12 sign=+1'
check 'c2c f64 n=16 place=in layout=split batch=5'
check 'c2c f32 n=20:s[1..3]:2 batch=rows[1..9]:100:80'
check 'c2c f32 n=32:64:64 batch=columns[1..64]:1:1 layout=split>interleaved'
check 'c2c f32 n=1009'
check 'c2c f32 n=6x5x16 batch=3'
check 'c2c f64 n=4099' # its tables are filled when it starts
grep -q kernel_init "$dir/kernel.h" || fail 'tables that are written in the source'
check 'r2c f32 n=8 batch=19 place=in'
check 'dct2 f64 n=9 batch=19'
check 'c2c f32 n=64' --plan 'stockham(8,8)'
check 'c2c f32 n=4096' --plan 'four-step(stockham(8,8), stockham(8,8))'
# One source for both CPUs: NEON is chosen when it is compiled, and only its own tables are there.
"$fftgen" emit --bundle both --isa scalar,avx2,avx512,neon one='c2c f32 n=64' two='r2c f64 n=30 batch=4' three='c2c f64 n=17000' \
  -o "$dir" >/dev/null || fail 'a bundle of NEON and others'
cat >"$dir/user.c" <<'C'
#include "both.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#if ONE_SCRATCH_BYTES
#define ONE(x, y) one(x, y, room.f)
#else
#define ONE(x, y) one(x, y)
#endif
#if TWO_SCRATCH_BYTES
#define TWO(x, y) two(x, y, room.d)
#else
#define TWO(x, y) two(x, y)
#endif
static union { float f[4096]; double d[4096]; } room;
int main(int argc, char **argv) {
  static float x[128], y[128];
  static double u[120], v[128], w;
  if (argc < 2 || strcmp(both_isa(), argv[1])) return printf("%s\n", both_isa()), 1;
  x[2] = 1; /* a wave */
  ONE(x, y);
  for (int k = 0; k < 64; k++) w += fabs(y[2 * k] - cos(k * 6.283185307179586 / 64)) + fabs(y[2 * k + 1] + sin(k * 6.283185307179586 / 64));
  for (int i = 0; i < 4; i++) u[30 * i] = i + 1;
  TWO(u, v);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 16; k++) w += fabs(v[32 * i + 2 * k] - (i + 1)) + fabs(v[32 * i + 2 * k + 1]);
  return w < 1e-4 ? 0 : 2;
}
C
strict='-std=c99 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Werror'
for level in '' -DBOTH_WIDEST=1; do
  expected=neon && [ -z "$level" ] || expected=scalar
  $compiler $strict $level -c "$dir/both.c" -o "$dir/both.o" || fail "bundle, $level: it does not compile"
  $compiler $strict -Wno-conversion -static "$dir/user.c" "$dir/both.o" -o "$dir/user" -lm && $emulator "$dir/user" $expected || fail "bundle, $level: exit code $?"
done
if [ "$(uname -m)" = x86_64 ]; then
  gcc $strict -c "$dir/both.c" -o "$dir/here.o" && gcc -O2 "$dir/user.c" "$dir/here.o" -o "$dir/user" -lm || fail 'the same source for this machine'
  "$dir/user" "$(gcc -O2 -x c - -o "$dir/which" <<'C' && "$dir/which"
#include <stdio.h>
int main(void) { puts(__builtin_cpu_supports("avx512f") ? "avx512" : __builtin_cpu_supports("avx2") ? "avx2" : "scalar"); return 0; }
C
)" || fail "the same source on this machine: exit code $?"
fi
echo "$count sources, $bad failures"
[ $bad = 0 ]
