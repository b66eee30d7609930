#!/bin/sh
# Bundles: one source for several problems compiles with plain flags, gives what
# the definition gives at every level, links beside another, shares its tables,
# is chosen by several threads at once, and stays within the size that was asked
# for. For a small machine: nothing of libm, and the sizes that its header states.
# Of compilers and levels, and of sizes, some are drawn by the day; with `all`, every one.
# usage: bundle.sh FFTGEN [all]
set -u
fftgen=$1 all=${2:+1}
. ./drawn.sh
here=$PWD
. "$(dirname "$0")/counted.sh"
emit() { "$fftgen" emit "$@" >"$dir/out" 2>&1; }
value() { sed -n "s/^#define $2 //p" "$1"; } # header, macro
refused() { # words of the complaint, then arguments
  words=$1
  shift
  emit "$@" -o "$dir/refused" && fail "not refused: $*"
  grep -q "$words" "$dir/out" || fail "$*: says $(cat "$dir/out")"
  [ ! -e "$dir/refused" ] || fail "$*: left files"
}
strict='-std=c99 -Wall -Wextra -Wpedantic -Werror'
compilers=
for compiler in gcc clang; do
  command -v $compiler >/dev/null 2>&1 && compilers="$compilers $compiler" || echo "SKIP: no $compiler here"
done
[ -n "$compilers" ] || exit 77

# --- right at every level, alone in a folder, with plain flags
problems='c2c f32 n=256|c2c f32 n=256 sign=+1|c2c f64 n=60|c2c f32 n=31|c2c f32 n=256 batch=4|c2c f64 n=10007'
old=$IFS
IFS='|'
# shellcheck disable=SC2086
set -- $problems
IFS=$old
emit --bundle dsp "$@" -o "$dir/a" || fail "emit --bundle: $(cat "$dir/out")"
emit --bundle dsp "$@" -o "$dir/again"
diff -r "$dir/a" "$dir/again" >/dev/null || fail 'the same command gives other bytes'
head -1 "$dir/a/dsp.c" | grep -q 0BSD || fail 'no licence'
printf '#include "dsp.h"\n' >"$dir/a/h.cc"
c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$dir/a/h.cc" || fail 'the header as C++'
best=1
"$fftgen" devices --json >"$dir/devices"
for isa in avx2 avx512; do
  grep -q "\"isa\":\"$isa\",\"here\":true" "$dir/devices" && best=$((best + 1)) || break
done
for compiler in $compilers; do
  for level in 1 2 3; do
    [ $level = 3 ] || drawn 2 || continue
    $compiler $strict -O2 -DDSP_WIDEST=$level -c "$dir/a/dsp.c" -o "$dir/dsp.o" || fail "$compiler, level $level"
    $compiler -O2 -I "$dir/a" "$here/bundle_check.c" "$dir/dsp.o" -o "$dir/check" -lm -pthread || fail "$compiler: check"
    expected=$(echo 'scalar avx2 avx512' | cut -d ' ' -f "$([ $level -lt $best ] && echo $level || echo $best)")
    "$dir/check" "$expected" || fail "$compiler, level $level: wrong"
  done
  needed=$(nm -u "$dir/dsp.o" | sed 's/.* //' | grep -vE '^(memcpy|memset|sin|cos|sincos|sinl|cosl|sincosl|__cpu_model|__cpu_indicator_init|_GLOBAL_OFFSET_TABLE_)$')
  [ -z "$needed" ] || fail "$compiler: needs $needed"
  others=$(nm -g --defined-only "$dir/dsp.o" | sed 's/.* //' | grep -v '^dsp_')
  [ -z "$others" ] || fail "$compiler: defines $others"
  objdump -d "$dir/dsp.o" | grep -q 'vfn\?m.*zmm' || fail "$compiler: no fused operations on 64 bytes"
done # with all levels in $dir/dsp.o
# Two threads at the first call, watched.
if gcc -fsanitize=thread -O1 -I "$dir/a" "$here/bundle_check.c" "$dir/a/dsp.c" -o "$dir/race" -lm -pthread 2>/dev/null; then
  "$dir/race" >"$dir/out" 2>&1
  case $? in
    0) ;;
    *) if grep -q 'data race' "$dir/out"; then fail "$(head -20 "$dir/out")"; else echo "SKIP: TSan does not run: $(head -1 "$dir/out")"; fi ;;
  esac
else
  echo 'SKIP: gcc has no TSan here'
fi

# --- tables are shared; two bundles with the same problems link
emit --bundle one 'c2c f32 n=512' --isa scalar,avx2 -o "$dir/a" || fail 'bundle one'
emit --bundle two 'c2c f32 n=512' 'c2c f32 n=512 batch=4' 'c2c f32 n=512 batch=5' --isa scalar,avx2 -o "$dir/a" || fail 'bundle two'
one=$(value "$dir/a/one.h" ONE_STATIC_TABLE_BYTES) two=$(value "$dir/a/two.h" TWO_STATIC_TABLE_BYTES)
[ "$one" -gt 0 ] && [ "$one" = "$two" ] || fail "tables of one: $one bytes; of three alike: $two"
gcc -O1 -I "$dir/a" "$here/bundle_check.c" "$dir/dsp.o" "$dir/a/one.c" "$dir/a/two.c" -o "$dir/both" -lm -pthread || fail 'three bundles do not link'

# --- --max-code: what compilers make of it is no larger
for most in 70000 45000 30000; do
  drawn 3 || continue
  if ! emit --bundle fit 'c2c f32 n=256' 'c2c f64 n=60' --max-code $most -o "$dir/fit"; then
    fail "--max-code $most: $(cat "$dir/out")"
    continue
  fi
  for compiler in $compilers; do
    $compiler -O2 -c "$dir/fit/fit.c" -o "$dir/fit.o" || fail "$compiler: --max-code $most"
    is=$(size "$dir/fit.o" | awk 'NR == 2 { print $1 }')
    [ "$is" -le $most ] || fail "--max-code $most, but $compiler makes $is bytes"
  done
done
emit --bundle fit 'c2c f32 n=256' --max-code 6500 --measure 'gcc -Os' -o "$dir/fit" || fail "measured: $(cat "$dir/out")"
gcc -Os -c "$dir/fit/fit.c" -o "$dir/fit.o"
is=$(size "$dir/fit.o" | awk 'NR == 2 { print $1 }')
[ "$is" -le 6500 ] && [ "$is" = "$(value "$dir/fit/fit.h" FIT_FLASH_BYTES)" ] ||
  fail "measured: $is bytes, the header says $(value "$dir/fit/fit.h" FIT_FLASH_BYTES)"
refused 'max-code 500: the smallest' --bundle fit 'c2c f32 n=256' --max-code 500

# --- operations: functions of libm, numbers of 8 and 16 bits, arrays of the caller's, filters
cat >"$dir/operations.c" <<'END'
#include "ops.h"
#include <math.h>
#include <stdio.h>
static _Alignas(64) char work[1 << 18];
static unsigned char bytes[4 * 64];
static float level[4 * 33], gain[33], limit = -1, filter[3] = {1, -2, 4}, spectrum[2 * 33], x[64], y[64];
static unsigned short halves[64], back[64];
int main(void) {
  int bad = 0;
  for (int b = 0; b < 4; b++) bytes[64 * b + b] = (unsigned char)(63 * (b + 1)); /* of impulses magnitudes are equal */
  for (int k = 0; k < 33; k++) gain[k] = 1 + k;
  loud_init(work), loud(bytes, level, gain, &limit, work);
  for (int i = 0; i < 4 * 33; i++) bad |= fabs(level[i] - log(1 + 63 * (i / 33 + 1)) * (1 + i % 33)) > 1e-3;
  if (bad) printf("loud\n");
  fir_prepare_init(work), fir_prepare(filter, spectrum, work);
  x[5] = 2;
  fir_init(work), fir(x, y, spectrum, work);
  for (int j = 0; j < 64; j++) bad |= fabsf(y[j] - (j < 5 || j > 7 ? 0 : 2 * filter[j - 5])) > 1e-5f;
  if (bad) printf("fir\n");
  for (int i = 0; i < 64; i++) halves[i] = 0;
  halves[0] = 0x3c00; /* 1 */
  half_init(work), half(halves, back, work);
  for (int i = 0; i < 64; i++) bad |= back[i] != (i % 2 ? 0x3800 : 0x3c00); /* 1 and 1/2 */
  return bad;
}
END
for isas in scalar scalar,avx2,avx512 scalar,avx2,neon; do
  drawn 3 || continue
  emit --bundle ops --work --isa $isas loud='r2c f32 n=64 batch=4 load=u8 store=max(log(1+abs(x))*gain[k],limit)' \
    fir='rconv f32 n=64 filter=shared(3) scale=1/n' half='c2c f16 n=32 store=x+complex(0,0.5)' -o "$dir/ops" || fail "operations: $(cat "$dir/out")"
  for widest in 1 2 3; do
    gcc $strict -O2 -DOPS_WIDEST=$widest -I "$dir/ops" -c "$dir/ops/ops.c" -o "$dir/ops.o" || fail "operations by gcc, $isas"
    gcc -O1 -I "$dir/ops" "$dir/operations.c" "$dir/ops.o" -o "$dir/operations" -lm && "$dir/operations" || fail "operations of $isas"
    [ $isas != scalar ] || break
  done
  clang $strict -O2 -c "$dir/ops/ops.c" -o "$dir/ops.o" || fail "operations by clang, $isas"
  gcc -O1 -I "$dir/ops" "$dir/operations.c" "$dir/ops.o" -o "$dir/operations" -lm && "$dir/operations" || fail "operations of $isas by clang"
done
emit --bundle ops --work --embedded loud='r2c f32 n=64 batch=4 load=u8 store=max(log(1+abs(x))*gain[k],limit)' \
  fir='rconv f32 n=64 filter=shared(3) scale=1/n' half='c2c f16 n=32 store=x+complex(0,0.5)' -o "$dir/ops" || fail "--embedded operations: $(cat "$dir/out")"
gcc $strict -O2 -c "$dir/ops/ops.c" -o "$dir/ops.o" || fail '--embedded operations by gcc'
gcc -O1 -I "$dir/ops" "$dir/operations.c" "$dir/ops.o" -o "$dir/operations" -lm && "$dir/operations" || fail '--embedded operations'
refused 'as float and as double' --bundle x 'c2c f16 n=8' 'c2c f16 n=8 compute=f64'

# --- what is refused
refused 'would both be' --bundle x 'c2c f32 n=8' 'c2c f32 n=8 sign=-1'
refused 'give --bundle' --embedded 'c2c f32 n=8'
refused 'more with --bundle' 'c2c f32 n=8' 'c2c f32 n=16'
refused 'scalar,avx2,avx512' --bundle x --isa mmx 'c2c f32 n=8'
refused 'is scalar' --bundle x --embedded --isa avx2 'c2c f32 n=8'
refused 'no such compiler' --bundle x --measure /nowhere/cc 'c2c f32 n=8'
refused 'not with --bundle' --bundle x --self-test 'c2c f32 n=8'
refused 'no digit first' --bundle 1x 'c2c f32 n=8'

# --- small machines
emit --bundle mcu --embedded 'c2c f32 n=64' 'c2c f32 n=1009' 'c2c f32 n=65536' -o "$dir/mcu" || fail "--embedded: $(cat "$dir/out")"
gcc $strict -O2 -ffreestanding -fno-stack-protector -c "$dir/mcu/mcu.c" -o "$dir/mcu.o" || fail '--embedded by gcc'
needed=$(nm -u "$dir/mcu.o" | sed 's/.* //' | grep -vE '^(memcpy|memset|_GLOBAL_OFFSET_TABLE_)$')
[ -z "$needed" ] || fail "--embedded needs $needed"
cat >"$dir/impulse.c" <<'END'
#include "mcu.h"
#include <math.h>
#include <stdio.h>
static _Alignas(64) char scratch[4 << 20];
static float x[2 * 65536], y[2 * 65536];
static int differs(int n) { /* an impulse at 1: output k is exp(-2 pi i k / n) */
  double worst = 0;
  for (int k = 0; k < n; k++) {
    double angle = -6.283185307179586476925 * k / n;
    worst = fmax(worst, hypot(y[2 * k] - cos(angle), y[2 * k + 1] - sin(angle)));
  }
  if (worst > 2e-6) printf("n=%d: %g\n", n, worst);
  return worst > 2e-6;
}
int main(void) {
  int bad = 0;
  x[2] = 1;
  mcu_c2c_f32_n64_fwd(x, y, (void *)scratch);
  bad |= differs(64);
  mcu_c2c_f32_n1009_fwd(x, y, (void *)scratch);
  bad |= differs(1009);
  mcu_c2c_f32_n65536_fwd(x, y, (void *)scratch);
  return bad | differs(65536);
}
END
gcc -O1 -I "$dir/mcu" "$dir/impulse.c" "$dir/mcu.o" -o "$dir/impulse" -lm && "$dir/impulse" || fail '--embedded computes something else'
arm='arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard -O2 -ffreestanding'
if command -v arm-none-eabi-gcc >/dev/null 2>&1 && command -v arm-none-eabi-size >/dev/null 2>&1; then
  for most in 0 5000; do
    limit=
    [ $most = 0 ] || limit="--max-code $most"
    # shellcheck disable=SC2086
    emit --bundle m4 --embedded 'c2c f32 n=64' 'c2c f32 n=256 sign=+1' $limit --measure "$arm" -o "$dir/mcu" || fail "m4: $(cat "$dir/out")"
    # shellcheck disable=SC2086
    $arm -Wall -Wextra -Wpedantic -Werror -c "$dir/mcu/m4.c" -o "$dir/m4.o" || fail 'cortex-m4 does not compile'
    # shellcheck disable=SC2046
    set -- $(arm-none-eabi-size "$dir/m4.o" | tail -1)
    [ "$1" = "$(value "$dir/mcu/m4.h" M4_FLASH_BYTES)" ] || fail "flash: $1 bytes, the header says otherwise"
    [ "$(($2 + $3))" = "$(value "$dir/mcu/m4.h" M4_STATIC_RAM_BYTES)" ] || fail "RAM: $2 and $3 bytes, the header says otherwise"
    tables=$(arm-none-eabi-nm -S --size-sort "$dir/m4.o" | awk '/ r m4_table/ { print $2 }' | while read -r x; do echo $((0x$x)); done | awk '{ s += $1 } END { print s + 0 }')
    [ "$tables" = "$(value "$dir/mcu/m4.h" M4_STATIC_TABLE_BYTES)" ] || fail "tables: $tables bytes, the header says otherwise"
    for call in m4_c2c_f32_n64_fwd m4_c2c_f32_n256_bwd; do
      # shellcheck disable=SC2086
      $arm -fstack-usage -c "$dir/mcu/m4.c" -o "$dir/m4.o"
      stack=$(awk -F '[:\t]' -v name=$call 'index($(NF - 2), name) == 1 { s += $(NF - 1) } END { print s + 0 }' "$dir/m4.su")
      upper=$(echo $call | tr a-z A-Z)
      [ "$stack" -gt 0 ] && [ "$stack" = "$(value "$dir/mcu/m4.h" "${upper}_STACK_BYTES")" ] ||
        fail "$call: $stack bytes of stack, the header says $(value "$dir/mcu/m4.h" "${upper}_STACK_BYTES")"
    done
    [ $most = 0 ] || [ "$1" -le $most ] || fail "$1 bytes of flash, at most $most were asked for"
    echo "cortex-m4: $1 bytes of flash, $tables of them tables, $(($2 + $3)) of static memory"
  done
else
  echo 'SKIP: no arm-none-eabi-gcc: sizes for a Cortex-M4 are not compared (package gcc-arm-none-eabi)'
fi
echo "$bad failures"
# --- one signature, whatever the plan wants: (in, out, work) and NAME_init
emit --bundle same --work none='c2c f32 n=4' some='c2c f32 n=256' filled='c2c f64 n=10007' real='r2c f64 n=30 batch=rows[1..9]' -o "$dir/w" ||
  fail "emit --work: $(cat "$dir/out")"
for head in 'none(const float \*in, float \*out, void \*work)' 'some(const float \*in, float \*out, void \*work)' \
  'filled(const double \*in, double \*out, void \*work)' 'real(const double \*in, double \*out, void \*work, ' 'none_init(void \*work)' \
  'some_init(void \*work)' 'filled_init(void \*work)' 'real_init(void \*work)'; do
  grep -q "^void $head" "$dir/w/same.h" || fail "--work: no $head: $(grep '^void' "$dir/w/same.h")"
done
cat >"$dir/w/user.c" <<'C'
#include "same.h"
#include <math.h>
#include <stdlib.h>
#define TRY(name, real, points, allowed)                                                                               \
  do {                                                                                                                 \
    real *in = (real *)calloc(2 * points, sizeof(real)), *out = (real *)calloc(2 * points, sizeof(real));              \
    void *work = aligned_alloc(64, NAME_BYTES(name) ? NAME_BYTES(name) : 64);                                          \
    name##_init(work);                                                                                                 \
    in[2] = 1;                                                                                                         \
    name(in, out, work);                                                                                               \
    for (int k = 0; k < points; k++)                                                                                   \
      if (fabs((double)out[2 * k] - cos(6.283185307179586 * k / points)) > allowed) return 1;                          \
    free(in), free(out), free(work);                                                                                   \
  } while (0)
#define NAME_BYTES(name) name##_bytes
enum { none_bytes = NONE_WORK_BYTES, some_bytes = SOME_WORK_BYTES, filled_bytes = FILLED_WORK_BYTES };
int main(void) {
  TRY(none, float, 4, 1e-5);
  TRY(some, float, 256, 1e-5);
  TRY(filled, double, 10007, 1e-11);
  return REAL_WORK_BYTES < 0;
}
C
for compiler in $compilers; do
  for level in 1 2 3; do
    drawn 3 || continue
    $compiler $strict -Wconversion -Wshadow -O1 -DSAME_WIDEST=$level -c "$dir/w/same.c" -o "$dir/w/same.o" || fail "--work: $compiler, level $level"
    $compiler -std=c11 -O1 "$dir/w/user.c" "$dir/w/same.o" -o "$dir/w/user" -lm && "$dir/w/user" || fail "--work: $compiler, level $level: wrong"
  done
  drawn_calls=$((drawn_calls + 1)) # the next compiler has another level
done
c++ -std=c++17 -Wall -Wextra -Wconversion -Wshadow -Werror -x c++ -fsyntax-only "$dir/w/same.c" || fail '--work as C++'

[ $bad = 0 ]
