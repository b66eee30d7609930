#!/bin/sh
# libfftgen and kernels under TSan: threads create plans out of linked kernels and
# a pack, and share plans. What generates (proofs, LLVM in threads) is watched by
# ./dev races, which takes minutes. usage: threads.sh SOURCE FFTGEN
set -eu
source=$1 fftgen=$2
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
skip() { echo "SKIP: $*"; exit 77; }
flags='-fsanitize=thread -O1 -g1'
printf 'int main(void) { return 0; }\n' >"$dir/probe.c"
# shellcheck disable=SC2086
{ cc $flags "$dir/probe.c" -o "$dir/probe" && "$dir/probe"; } 2>"$dir/log" || skip "TSan does not run: $(head -n 1 "$dir/log")"
export FFTGEN_WISDOM="$dir/wisdom.jsonl" FFTGEN_CACHE="$dir/cache"
cmake -S "$source" -B "$dir/library" -DFFTGEN_RUNTIME_ONLY=ON -DFFTGEN_SANITIZE=thread -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS='-O1 -g1' >"$dir/log" 2>&1 || fail "configuring: $(tail -5 "$dir/log")"
cmake --build "$dir/library" --target fftgen_static >"$dir/log" 2>&1 || fail "building: $(tail -15 "$dir/log")"
"$fftgen" pack 'c2c f32 n=16' --isa scalar -o "$dir/pack" >"$dir/log" || fail "pack: $(cat "$dir/log")"
"$fftgen" pack 'c2c f32 n=16' 'c2c f32 n=32768' --isa scalar --sources mine -o "$dir/mine" >"$dir/log" ||
  fail "pack --sources: $(cat "$dir/log")"
# shellcheck disable=SC2086
cc $flags -I "$source/runtime/include" "$here/runtime/threads.c" "$dir"/mine/*.c "$dir/library/libfftgen.a" \
  -o "$dir/threads" -lm -ldl -pthread || fail 'the program does not compile'
TSAN_OPTIONS="suppressions=$here/tsan.supp" "$dir/threads" "$dir/pack" >"$dir/out" 2>&1 || fail "$(head -60 "$dir/out")"
cat "$dir/out"
echo 'no races'
