#!/bin/sh
# libfftgen inside other programs, one mode a test: threads of 128 KiB of stack, forks, alone, beside threads that make
# plans, and while a compiler does not end; many threads, signals, dlclose, a program that uses LLVM itself, one with two
# copies of libfftgen. With LLVM, and where a compiler is waited for, with gcc. usage: inside.sh LIBRARY INCLUDE MODE
set -eu
library=$1 include=$2 mode=$3
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "FAIL: $*"; exit 1; }
skip() { echo "SKIP: $*"; exit 77; }
export FFTGEN_WISDOM="$dir/wisdom.jsonl" FFTGEN_CACHE="$dir/cache" CC=
sanitize=
if nm "$library" | grep -q __asan_; then
  [ "$mode" != stack ] || skip 'frames of an instrumented build are larger'
  sanitize='-fsanitize=address,undefined'
fi
build() { # program, what is behind it
  source=$1
  shift
  # shellcheck disable=SC2086
  cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -O1 -g $sanitize -I "$include" "$here/runtime/$source.c" -o "$source" "$@" \
    >log 2>&1 || fail "$source.c does not compile: $(cat log)"
}
run() { # what it shows, command: without a cache, then with one
  what=$1
  shift
  rm -rf cache
  for cache in cold warm; do timeout 120 "$@" >out 2>&1 || fail "$what, $cache cache: exit code $?: $(cat out)"; cat out; done
}
has_gcc() { command -v gcc >/dev/null 2>&1; }

link="$library -Wl,-rpath,$(dirname "$library") -lm -pthread"
case $mode in
unload)
  build unload -ldl
  run 'dlclose' ./unload "$library" 600 ;;
copies)
  build copies -ldl -lm
  cp "$library" copy.so
  for near in "$(dirname "$library")"/libfftgen-*.so; do ln -s "$near" .; done
  run 'two copies' ./copies "$library" ./copy.so 720
  timeout 120 ./copies "$library" ./copy.so 720 cached >out 2>&1 || fail "two copies and one cache: $(cat out)" ;;
llvm)
  config=$(command -v llvm-config-19) || skip 'no llvm-config-19 (llvm-19-dev)'
  [ -f "$(dirname "$library")/libfftgen-llvm.so" ] || skip 'libfftgen-llvm is not built'
  # shellcheck disable=SC2046,SC2086
  build beside_llvm -isystem "$("$config" --includedir)" $link $("$config" --ldflags --libs)
  run 'a program with LLVM in it' ./beside_llvm 700 ;;
stuck)
  has_gcc || skip 'no gcc'
  # shellcheck disable=SC2086
  build inside $link
  mkfifo gate
  printf '#!/bin/sh\ncase "$*" in *-shared*) : >compiling; read -r go <gate ;; esac\nexec gcc "$@"\n' >slow && chmod +x slow
  SLOW=$PWD/slow timeout 120 ./inside stuck 3 3<>gate >out 2>&1 || fail "a fork while a compiler runs: exit code $?: $(cat out)"
  cat out ;;
*)
  # shellcheck disable=SC2086
  build inside $link
  number=300
  [ "$mode" != stack ] || number=128
  run "$mode" ./inside "$mode" $number
  if [ "$mode" = stack ]; then # and threads of ours, where nothing says how large they shall be
    run "$mode, RLIMIT_STACK" sh -c "ulimit -S -s 192 && exec ./inside stack 128"
  fi
  if has_gcc && [ "$mode" != threads ]; then
    run "$mode, by gcc" env CC=gcc ./inside "$mode" $number 1
  else
    echo 'not with gcc'
  fi ;;
esac
echo "libfftgen works inside: $mode"
