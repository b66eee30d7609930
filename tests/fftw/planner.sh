#!/bin/sh
# The planner from eight threads: thirty rounds; with `races`, two of a library that is built under TSan.
# usage: planner.sh SOURCE BUILD [races]
set -eu
source=$1 build=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
if nm "$build/fftw/libfftw3.so.3" | grep -q __asan_; then echo 'SKIP: this build is instrumented'; exit 77; fi
cc -O2 -std=c11 -D_GNU_SOURCE -I "$source" planner.c -o "$dir/planner" -L "$build/fftw" -lfftw3 -lm -pthread -Wl,-rpath,"$build/fftw"
if [ "${3:-}" != races ]; then
  "$dir/planner" 30 || fail 'thirty rounds'
  exit 0
fi
cmake -S "$source" -B "$dir/races" -DFFTGEN_RUNTIME_ONLY=ON "-DFFTGEN_PROGRAM=$build/fftgen" -DFFTGEN_FFTW_ISAS=scalar,avx2 \
  -DFFTGEN_SANITIZE=thread -DCMAKE_BUILD_TYPE=None >"$dir/log" 2>&1 || fail "configuring: $(tail -5 "$dir/log")"
cmake --build "$dir/races" --parallel 2 --target fftgen_fftw3 >"$dir/log" 2>&1 || fail "building: $(tail -15 "$dir/log")"
nm -D "$dir/races/fftw/libfftw3.so" | grep -q __tsan_ || fail "the library is not instrumented"
cc -O1 -g -fsanitize=thread -std=c11 -D_GNU_SOURCE -I "$source" planner.c -o "$dir/planner" -L "$dir/races/fftw" -lfftw3 -lm -pthread \
  -Wl,-rpath,"$dir/races/fftw"
TSAN_OPTIONS="halt_on_error=1 suppressions=$source/tests/tsan.supp" "$dir/planner" 2 >"$dir/out" 2>&1 || fail "under TSan: $(head -40 "$dir/out")"
echo 'no race'
