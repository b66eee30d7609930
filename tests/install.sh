#!/bin/sh
# The installed package as its users meet it: moved to another place, found by
# CMake and by pkg-config, generating kernels during a user's build and only when
# something changed. usage: install.sh BUILD
set -eu
build=$1
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
cmake --install "$build" --prefix "$dir/first" >"$dir/log" || fail "$(tail -5 "$dir/log")"
mv "$dir/first" "$dir/moved"
export FFTGEN_CACHE="$dir/cache" FFTGEN_WISDOM="$dir/wisdom.jsonl"
if nm "$dir"/moved/lib*/libfftgen.so "$dir"/moved/lib/*/libfftgen.so 2>/dev/null | grep -q __asan_; then
  echo 'SKIP: an instrumented build is not what gets installed'
  exit 77
fi

# --- CMake
isas=scalar
case $(uname -m) in x86_64) isas='scalar;avx2' ;; esac
cmake -S "$here/install" -B "$dir/user" -DCMAKE_PREFIX_PATH="$dir/moved" "-DISAS=$isas" >"$dir/log" 2>&1 ||
  fail "configuring: $(tail -5 "$dir/log")"
cmake --build "$dir/user" >"$dir/log" 2>&1 || fail "building: $(tail -15 "$dir/log")"
"$dir/user/alone"
grep -q 'Planned for: cpu' "$dir/user/planned_fft/planned_fft_1.c"
"$dir/user/linked"
touch "$dir/stamp"
cmake --build "$dir/user" >"$dir/log" 2>&1
changed=$(find "$dir/user" -name '*.[co]' -newer "$dir/stamp")
[ -z "$changed" ] || fail "built again, though nothing changed: $changed"

# --- pkg-config, and just in time with the plugin beside the library
pc=$(dirname "$(find "$dir/moved" -name fftgen.pc)")
flags=$(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs fftgen)
lib=$(PKG_CONFIG_PATH=$pc pkg-config --variable=libdir fftgen)
# shellcheck disable=SC2086
cc "$here/runtime/user.c" $flags -lm -Wl,-rpath,"$(cd "$lib" && pwd)" -o "$dir/user_pc"
"$dir/user_pc" 'c2c f32 n=32' 32 >"$dir/out" || fail "$(cat "$dir/out")"
grep -q '^jit ' "$dir/out" || fail "the plugin is not found beside the library: $(cat "$dir/out")"
cat "$dir/out"
echo 'the installed package works'
