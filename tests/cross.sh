#!/bin/sh
# A cross build as its users meet it: libfftgen for another machine from this
# source, kernels for it from the program that runs here, both in a user's project;
# the result runs under an emulator. usage: cross.sh SOURCE FFTGEN
set -eu
source=$1 fftgen=$2
here=$PWD
cross=aarch64-linux-gnu
skip() { echo "SKIP: $*"; exit 77; }
[ "$(uname -m)" != aarch64 ] || skip 'this is the machine that would be built for'
for tool in $cross-gcc qemu-aarch64; do
  command -v $tool >/dev/null 2>&1 || skip "no $tool here"
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
cat >"$dir/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER $cross-gcc)
END
printf 'int main(void) { return 0; }\n' >"$dir/probe.c"
run() { qemu-aarch64 -L /usr/$cross "$@"; }
{ $cross-gcc "$dir/probe.c" -o "$dir/probe" && run "$dir/probe"; } 2>"$dir/log" ||
  skip "$cross-gcc makes no program that runs: $(head -n 1 "$dir/log")"
build() { # folder, cmake arguments
  folder=$1
  shift
  cmake -B "$dir/$folder" "-DCMAKE_TOOLCHAIN_FILE=$dir/toolchain.cmake" "$@" >"$dir/log" 2>&1 ||
    fail "$folder, configuring: $(tail -5 "$dir/log")"
  cmake --build "$dir/$folder" >"$dir/log" 2>&1 || fail "$folder, building: $(tail -15 "$dir/log")"
}

build library -S "$source" -DFFTGEN_RUNTIME_ONLY=ON -DCMAKE_C_FLAGS=-O0 -DCMAKE_BUILD_TYPE=None
cmake --install "$dir/library" --prefix "$dir/installed" >"$dir/log" || fail "installing: $(tail -5 "$dir/log")"
if cmake -S "$here/install" -B "$dir/without" "-DCMAKE_TOOLCHAIN_FILE=$dir/toolchain.cmake" \
  "-DCMAKE_PREFIX_PATH=$dir/installed" -DISAS=scalar >"$dir/log" 2>&1; then
  fail 'without a program that runs here, nothing complains'
fi
grep -q 'FFTGEN_PROGRAM' "$dir/log" || fail "does not say what to set: $(tail -5 "$dir/log")"
build user -S "$here/install" "-DCMAKE_PREFIX_PATH=$dir/installed" "-DFFTGEN_PROGRAM=$fftgen" '-DISAS=scalar;neon'
run "$dir/user/alone" || fail 'sources that stand alone'
run "$dir/user/linked" >"$dir/out" || fail "with libfftgen: $(cat "$dir/out")"
cat "$dir/out"
grep -q ', neon,' "$dir/out" || fail 'the scalar kernel was taken'
touch "$dir/stamp"
cmake --build "$dir/user" >/dev/null 2>&1
[ -z "$(find "$dir/user" -name '*.[co]' -newer "$dir/stamp")" ] || fail 'built again, though nothing changed'
echo 'a cross build works'
