#!/bin/sh
# libfftgen on devices from outside: the programs of docs/runtime.md, packs where there
# is nothing else, what was tuned is found again. usage: runtime.sh ROOT FFTGEN LIBRARY JIT
set -u
root=$1 fftgen=$2 library=$3 jit=$4
. "$(dirname "$0")/../counted.sh"
cd "$dir" || exit 1
ran=0
export FFTGEN_WISDOM="$dir/wisdom.jsonl" FFTGEN_CACHE="$dir/cache" FFTGEN_JIT="$jit"

cuda=
if command -v nvcc >/dev/null 2>&1; then cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")"); fi
# program NAME: the indented text of docs/runtime.md that begins with this name.
program() {
  sed -n "/^    \/\* $1 \*\//,/^    }\$/s/^    //p" "$root/docs/runtime.md" >"$1"
  [ -s "$1" ] || fail "docs/runtime.md has no $1"
}
sanitize=
if nm "$library" | grep -q __asan_; then sanitize='-fsanitize=address,undefined'; fi
# builds NAME OPTION...
builds() {
  name=$1
  shift
  # shellcheck disable=SC2086
  cc -std=c99 -Wall -Wextra -Wpedantic -Werror $sanitize -isystem "${cuda:-.}/include" -I "$root/runtime/include" "$name.c" \
    "$library" "$@" -lm -Wl,-rpath,"$(dirname "$library")" -o "$name" >log 2>&1 || fail "$name.c of docs/runtime.md: $(cat log)"
}

problem='c2c f32 n=1024 batch=100'
# alone PROGRAM: with a pack and nothing else.
alone() { FFTGEN_CACHE=/proc/none FFTGEN_JIT='' FFTGEN_PACK=${2:-} ./"$1" >out 2>&1; }

# lives TARGET: its program runs here; now from packs, then by wisdom.
lives() {
  ran=$((ran + 1))
  grep -l "\"target\":\"$1\"" cache/objects/*.fgk >/dev/null || fail "nothing of $1 is in the cache"
  for arch in '' '--arch native'; do
    rm -rf kernels elsewhere
    # shellcheck disable=SC2086
    "$fftgen" pack "$problem" --target "$1" $arch -o kernels >packed || fail "pack $arch: $(cat packed)"
    mv kernels elsewhere
    if [ "$1" = opencl ] || [ -n "$arch" ]; then # CUDA's sources want a compiler
      alone "$1" elsewhere || fail "$1 with a pack alone $arch: $(cat out)"
    else
      alone "$1" elsewhere && fail "$1 runs from a source without a compiler"
      FFTGEN_CACHE=/proc/none FFTGEN_PACK=elsewhere ./"$1" >out 2>&1 || fail "$1 from a source: $(cat out)"
    fi
    alone "$1" && fail "$1 runs with nothing at all"
    grep -q 'no kernel for' out || fail "$1 with nothing at all: $(cat out)"
    for file in elsewhere/*.fgk; do printf x >>"$file"; done
    alone "$1" elsewhere && fail "$1: a damaged pack is taken"
    grep -q 'damaged' out || fail "$1: a damaged pack: $(cat out)"
  done
  "$fftgen" tune "$problem" --device "$1" --candidates 2 --budget "${BUDGET:-30s}" >tuned 2>&1 || fail "tune: $(cat tuned)"
  "$fftgen" wisdom explain "$problem" >explained
  grep -q "$1.*taken" explained || fail "wisdom of $1: $(cat explained)"
  plan=$(sed -n "s/.*\"target\":\"$1\",\"plan\":\"\([^\"]*\)\".*/\1/p" wisdom.jsonl)
  "$fftgen" pack "$problem" --target "$1" --arch native -o known >packed || fail "pack: $(cat packed)"
  grep -qF "$plan" packed || fail "wisdom of $1 says $plan; packed: $(cat packed)"
  ./"$1" >out 2>&1 || fail "$1 after tuning: $(cat out)"
  grep -l "\"target\":\"$1\".*\"plan\":\"$plan\"" cache/objects/*.fgk >/dev/null || fail "the tuned plan $plan of $1 is not what runs"
}

# --- OpenCL
program opencl.c
if ! echo 'int main(void) { return 0; }' | cc -xc - -o probe -l:libOpenCL.so.1 2>/dev/null; then
  echo 'SKIP: no libOpenCL.so.1 here: the program for OpenCL is not linked'
else
  builds opencl -l:libOpenCL.so.1
fi
[ ! -x opencl ] || ./opencl >out 2>&1
code=$?
[ -x opencl ] || code=77
case $code in
  0) lives opencl ;;
  77) echo 'SKIP: no OpenCL device here' ;;
  *) fail "the program for OpenCL: $(cat out)" ;;
esac

# --- CUDA: compiled wherever its header is
program cuda.c
if [ -z "$cuda" ]; then
  echo 'SKIP: no nvcc here: the program for CUDA is not compiled'
else
  stub=$(find -L "$cuda" -name libcuda.so -path '*stubs*' 2>/dev/null | head -n 1)
  builds cuda "${stub:--c}"
  ./cuda >out 2>&1
  case $? in
    0) lives cuda ;;
    77 | 127) echo 'SKIP: no CUDA device here: the program of docs/runtime.md is compiled and not run' ;;
    *) fail "the program for CUDA: $(cat out)" ;;
  esac
fi
echo "$ran programs ran, $bad failures"
[ $bad = 0 ] || exit 1
[ $ran -gt 0 ] || exit 77
