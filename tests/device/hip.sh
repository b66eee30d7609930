#!/bin/sh
# Emitted HIP by the compilers that users have: clang with no header, as strict as
# it can be; hipcc; the launcher against HIP's headers. What is absent is said. Of kernels and architectures a half is
# drawn by the day, and a third of those for hipcc; with `all`, every one.
# usage: hip.sh FFTGEN [all]
set -u
fftgen=$1 all=${2:+1}
. ./drawn.sh
. "$(dirname "$0")/../counted.sh"
some=0 hips=0
has() { command -v "$1" >/dev/null 2>&1; }

headers=''
for folder in /opt/rocm/include /usr/include; do
  [ -z "$headers" ] && [ -f "$folder/hip/hip_runtime_api.h" ] && headers=$folder
done
clang='' hipcc=''
if has clang-19 && has ld.lld-19; then clang=clang-19; else echo 'SKIP: no clang-19 and ld.lld-19 here'; fi
if has hipcc; then hipcc=hipcc; else echo 'SKIP: no hipcc here'; fi
[ -n "$headers" ] || echo 'SKIP: no headers of HIP here: launchers are not compiled against them'

emitted() { # PROBLEM PLAN
  count=$((count + 1))
  "$fftgen" emit "$1" --target hip --plan "$2" --prefix kernel -o "$dir" >/dev/null || { fail "emit $1"; return; }
  if [ -n "$clang" ]; then
    some=1
    for arch in gfx90a gfx942 gfx1100 gfx1201; do
      drawn 2 || continue
      $clang -x hip --cuda-device-only --offload-arch=$arch -O3 -nogpulib -nogpuinc -DFFTGEN_NO_HEADERS \
        -Wall -Wextra -Wno-unused-parameter \
        -Werror --no-gpu-bundle-output "$dir/kernel.hip" -o "$dir/kernel.co" || fail "clang for $arch: $1"
    done
    drawn_calls=$((drawn_calls + 1)) # the next kernel has the other two
  fi
  hips=$((hips + 1))
  if [ -n "$hipcc" ] && { [ -n "$all" ] || [ $(((hips + drawn_day) % 3)) = 0 ]; }; then
    some=1
    hipcc --genco --offload-arch=gfx90a -O3 "$dir/kernel.hip" -o "$dir/kernel.hsaco" 2>"$dir/log" ||
      fail "hipcc: $1: $(head -n 5 "$dir/log")"
  fi
  if [ -n "$headers" ]; then
    some=1
    cc -std=c99 -O1 -Wall -Wextra -Werror -isystem "$headers" -D__HIP_PLATFORM_AMD__ -D__HIP_PLATFORM_HCC__ -DFFTGEN_MAIN \
      -c "$dir/kernel_hip_host.c" -o "$dir/kernel.o" || fail "cc: launcher of $1"
  fi
}
emitted 'c2c f32 n=8 batch=count[1..1000]' 'direct(8)'
emitted 'c2c f64 n=256 batch=9' 'stockham(16,16)'
emitted 'c2c f64 n=256 batch=9' 'stockham(16,16; shuffles=on)'
emitted 'c2c f32 n=30 layout=split place=in batch=5' 'stockham(6,5)'
emitted 'c2c f32 n=8192' 'stockham(16,16,32)'
emitted 'c2c f64 n=8 batch=3 store=logmag' 'direct(8)'
emitted 'r2c f32 n=64 batch=3 load=window(hann) store=mag,logmag' 'direct(64)'

# The logarithm that the text brings, on this machine: within 4 units in the last place of the C library's.
{
  echo '#include <math.h>'
  echo '#include <stdio.h>'
  echo '#define __device__ static'
  echo '#define __forceinline__ inline'
  sed -n '/^#ifndef FFTGEN_HIP_LOG10/,/^#endif/p' "$dir/kernel.hip"
  cat <<'END'
int main(void) {
  unsigned long long state = 1, worst = 0;
  for (long i = 0; i < 2000000; i++) {
    union { unsigned long long bits; double x; } a, got, want;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    a.bits = state >> (i & 63 ? 1 : 13) & 0x7fffffffffffffffull;      /* all exponents; less than normal */
    if (i % 4 == 1) a.bits = 0x3ff0000000000000ull + (state >> 34) - (1u << 29); /* very near 1 */
    if (i % 4 == 2) a.bits = 0x3fe0000000000000ull + (state >> 10);              /* 0.5 .. 2 */
    if (!isfinite(a.x) || a.x == 1) continue;
    got.x = fftgen_log10(a.x), want.x = log10(a.x);
    unsigned long long off = got.bits > want.bits ? got.bits - want.bits : want.bits - got.bits;
    if (off > worst) worst = off;
    if (fftgen_log10f((float)a.x) != (float)fftgen_log10((float)a.x)) return 2;
  }
  if (fftgen_log10(0.0) != -INFINITY || fftgen_log10(INFINITY) != INFINITY || !isnan(fftgen_log10(NAN))) return 3;
  if (fftgen_log10(1.0) != 0 || fftgen_log10(4.9406564584124654e-324) > -323.30 || worst > 4) return 4;
  printf("the logarithm is within %llu units in the last place\n", worst);
  return 0;
}
END
} >"$dir/log.c"
cc -std=gnu11 -O2 "$dir/log.c" -o "$dir/log" -lm && "$dir/log" || fail 'the logarithm that the text brings'

# The command that the source itself says, as it says it, where HIP's headers are and where they are not: one
# code object, not a bundle.
if [ -n "$clang" ]; then
  count=$((count + 1))
  sed -n '/^ \* clang -x hip/,/-o NAME/s/^ \* //p' "$dir/kernel.hip" | sed "s/^clang/$clang/; s!NAME!$dir/kernel!g" >"$dir/command"
  grep -q gfx942 "$dir/command" || fail 'the source says no command for clang'
  rm -f "$dir/kernel.co"
  sh "$dir/command" 2>"$dir/log" || fail "the source's own command: $(cat "$dir/command"): $(head -n 3 "$dir/log")"
  [ "$(head -c 4 "$dir/kernel.co" | tail -c 3)" = ELF ] || fail "the source's own command makes no code object"
fi

# The device function from a kernel of somebody else; two sources in one.
if [ -n "$clang" ]; then
  "$fftgen" emit 'c2c f32 n=64 batch=4' --target hip --plan 'stockham(8,8)' --prefix kernel -o "$dir" >/dev/null
  "$fftgen" emit 'c2c f64 n=60' --target hip --plan 'stockham(6,10)' --prefix other -o "$dir" >/dev/null
  {
    cat "$dir/kernel.hip" "$dir/other.hip"
    echo '__global__ void mine(const float *in, float *out, const float *tw) {'
    echo '  __shared__ float memory[2 * 64 * 64];'
    echo '  kernel_block_device(in, out, tw, memory, blockIdx.x);'
    echo '}'
  } >"$dir/mine.hip"
  $clang -x hip --cuda-device-only --offload-arch=gfx942 -O3 -nogpulib -nogpuinc -DFFTGEN_NO_HEADERS -Wall -Werror \
    --no-gpu-bundle-output "$dir/mine.hip" -o "$dir/mine.co" || fail 'the device function from a kernel of somebody else'
fi
# The device: one line where there is none.
if ! "$fftgen" devices --json | grep -q '"device":"hip",[^}]*"here":true'; then
  "$fftgen" verify 'c2c f32 n=8' --device hip >"$dir/stdout" 2>"$dir/stderr"
  [ $? = 2 ] || fail 'verify without a device: exit code'
  [ "$(wc -l <"$dir/stderr")" = 1 ] || fail "complaint is not one line: $(cat "$dir/stderr")"
  grep -q 'HIP' "$dir/stderr" || fail "the complaint does not say what is absent: $(cat "$dir/stderr")"
  [ "$("$fftgen" devices | grep -c '^hip ')" = 1 ] || fail 'devices: not one line about HIP'
  "$fftgen" devices | grep '^hip '
  echo 'SKIP: no GPU of AMD here: the device is run on the test'"'"'s own runtime alone'
fi
# The device's calls, on a runtime that keeps accounts: kernels are compiled for its
# architecture, launched, what was taken is given back; its results are no transform's.
if [ -n "$clang" ] && cc -shared -fPIC -O1 "$(dirname "$0")/fake_hip.c" -o "$dir/libamdhip64.so.5" -Wl,-soname,libamdhip64.so.5; then
  some=1
  fake() { LD_LIBRARY_PATH="$dir" FAKE_HIP_ACCOUNT=1 "$@" >"$dir/stdout" 2>"$dir/stderr"; }
  fake "$fftgen" devices
  grep -q '^hip .*gfx90a, wave64' "$dir/stdout" || fail "devices on the test's runtime: $(grep '^hip' "$dir/stdout")"
  fake env FAKE_HIP_ARCH=gfx999 "$fftgen" devices
  grep -q '^hip .*absent.*gfx999.*not in the table' "$dir/stdout" || fail 'an unknown architecture is not refused'
  fake "$fftgen" verify 'c2c f32 n=64 batch=3' --device hip
  [ $? = 3 ] || fail "a runtime that does not transform: exit code, $(cat "$dir/stderr")"
  grep -q 'calls, 0 alive' "$dir/stderr" || fail "left on the device: $(cat "$dir/stderr")"
  n=1
  while [ $n -le 12 ]; do
    fake env FAKE_HIP_FAIL=$n "$fftgen" verify 'c2c f32 n=64 batch=3' --device hip
    [ $? != 0 ] || fail "call $n fails and nobody says so"
    grep -q 'calls, 0 alive' "$dir/stderr" || fail "left on the device after call $n: $(cat "$dir/stderr")"
    n=$((n + 1))
  done
fi
echo "$count problems, $bad failures"
[ $bad = 0 ] || exit 1
[ $some = 1 ] || exit 77
