#!/bin/sh
# libfftw3 and libfftw3f by codelets of instruction sets that are not this machine's widest, built as a package for other
# machines is, by the program that runs here; drawn problems. sse2: what a package for any x86-64 takes where there is no
# AVX2. neon: a cross build, under an emulator. usage: isas.sh SOURCE FFTGEN sse2|neon [SEED]
set -eu
source=$1 fftgen=$2 isa=$3 seed=${4:-35}
cross=aarch64-linux-gnu
skip() { echo "SKIP: $*"; exit 77; }
fail() { echo "FAIL: $*"; exit 1; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
case $isa in
sse2)
  [ "$(uname -m)" = x86_64 ] || skip 'another machine'
  prefix='' emulator='' double='(mul|add)pd.*xmm' float='(mul|add)ps.*xmm'
  narrow=
  for precision in F32 F64; do
    for bundle in FORWARD BACKWARD ALONE; do narrow="$narrow -DFFTW_${precision}_${bundle}_WIDEST=2"; done
  done
  set -- -DFFTGEN_FFTW_ISAS=scalar,sse2,avx2,avx512 "-DCMAKE_C_FLAGS=$narrow" ;;
neon)
  [ "$(uname -m)" != aarch64 ] || skip 'this is the machine that would be built for'
  prefix=$cross- emulator="qemu-aarch64 -L /usr/$cross" double='fml[as].*v[0-9]+\.2d' float='fml[as].*v[0-9]+\.4s'
  for tool in $cross-gcc qemu-aarch64; do
    command -v $tool >/dev/null 2>&1 || skip "no $tool here"
  done
  printf 'set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR aarch64)\nset(CMAKE_C_COMPILER %s-gcc)\n' $cross >"$dir/toolchain.cmake"
  set -- "-DCMAKE_TOOLCHAIN_FILE=$dir/toolchain.cmake" ;;
*) fail "no such set: $isa" ;;
esac
cmake -S "$source" -B "$dir/build" -DFFTGEN_RUNTIME_ONLY=ON "-DFFTGEN_PROGRAM=$fftgen" -DCMAKE_BUILD_TYPE=None "$@" >"$dir/log" 2>&1 ||
  fail "configuring: $(tail -5 "$dir/log")"
grep -q "FFTGEN_FFTW_ISAS.*scalar,$isa" "$dir/build/CMakeCache.txt" || fail "no $isa"
cmake --build "$dir/build" --parallel 2 --target fftgen_fftw3 fftgen_fftw3f >"$dir/log" 2>&1 || fail "building: $(tail -15 "$dir/log")"
for precision in '' f; do
  library=$dir/build/fftw/libfftw3$precision.so
  single=0 operations=$double
  [ -z "$precision" ] || single=1 operations=$float
  "${prefix}objdump" -d "$library" >"$dir/code"
  grep -qE "$operations" "$dir/code" || fail "libfftw3$precision: no operations of $isa"
  [ $isa != sse2 ] || ! grep -q '%zmm' "$dir/code" || fail "libfftw3$precision: wider vectors than $isa's"
  "${prefix}gcc" -O1 -std=c11 -D_GNU_SOURCE -DFG_FFTW_SINGLE=$single -I "$source" portable.c problem.c -o "$dir/portable" \
    -L "$dir/build/fftw" "-lfftw3$precision" -lm -Wl,-rpath,"$dir/build/fftw" || fail 'the program of the test'
  # shellcheck disable=SC2086
  $emulator "$dir/portable" 300 "$seed" >"$dir/out" || fail "libfftw3$precision: $(cat "$dir/out")"
  cat "$dir/out"
done
