#!/bin/sh
# Plans just in time in a program that is in a locale with a decimal comma: by LLVM,
# by a C compiler and by tcc, each result compared with the definition; then what
# is in the cache, in the C locale. Run by in.sh, without a hook: the program
# chooses its locale itself. usage: jit.sh LIBRARY JIT INCLUDE
set -eu
library=$1 jit=$2 include=$3
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "FAIL: $*"; exit 1; }
sanitize=
if nm "$library" | grep -q __asan_; then sanitize='-fsanitize=address,undefined'; fi
# shellcheck disable=SC2086
cc -O1 $sanitize -I "$include" "$here/locale/user.c" "$library" -lm -Wl,-rpath,"$(dirname "$library")" -o plans
export FFTGEN_JIT="$jit" FFTGEN_WISDOM="$dir/none" FFTGEN_CACHE="$dir/cache"

# NAME LOCALE ORIGIN [VARIABLE=VALUE...]: all problems; the cache is called NAME.
check() {
  name=$1 locale=$2 origin=$3
  shift 3
  env "$@" FFTGEN_CACHE="$dir/$name" ./plans "$locale" >said 2>&1 || fail "$name in $locale ($?): $(cat said)"
  grep -v "^$origin " said && fail "$name in $locale is not all from $origin"
  if [ "$origin" = jit ] && [ "$(grep -c 'scalar code by tcc' said)" != "$by_tcc" ]; then
    fail "$name in $locale is not by $name: $(cat said)"
  fi
  echo "$name in $locale: $(wc -l <said) plans are right"
}
by_tcc=0
if [ -f "$(dirname "$jit")/libfftgen-llvm.so" ]; then
  check llvm "$FFTGEN_TEST_LOCALE" jit PATH=/nonexistent
  check llvm C cache
else
  echo "SKIP: plans by LLVM: libfftgen-llvm is not built"
fi
check gcc "$FFTGEN_TEST_LOCALE" jit CC=gcc FFTGEN_LLVM=
check gcc C cache CC=gcc FFTGEN_LLVM=
by_tcc=$(grep -c . said)
check tcc "$FFTGEN_TEST_LOCALE" jit CC= FFTGEN_LLVM= PATH=/nonexistent
