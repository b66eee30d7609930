#!/bin/sh
# Emitted C stands alone: it compiles in an empty folder without a warning, with
# gcc and clang, needs nothing but libm, links beside others of its kind, reads
# from C++, and passes its own test. usage: emitted.sh FFTGEN
set -u
fftgen=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0 count=0
fail() {
  bad=$((bad + 1))
  printf 'FAIL: %s\n' "$*"
}

runs_here() { "$fftgen" devices --json | grep -q "\"isa\":\"$1\",\"here\":true"; }

flags_of() { # problem, isa: the compiler flags that the sources ask for
  "$fftgen" emit "$1" --isa "$2" --prefix probe -o "$dir/probe" --json | sed 's/.*"flags":"\([^"]*\)".*/\1/'
}

# One problem: compile alone, look at undefined symbols, run the self-test.
check() { # problem, isa, compiler
  name=t$count
  count=$((count + 1))
  flags=$(flags_of "$1" "$2")
  "$fftgen" emit "$1" --isa "$2" --prefix "$name" -o "$dir" >/dev/null || { fail "emit $1 $2"; return; }
  strict="-std=c99 -O2 -Wall -Wextra -Wpedantic -Werror $flags"
  $3 $strict -c "$dir/$name.c" -o "$dir/$name.o" || fail "$3 $strict: $1"
  needed=$(nm -u "$dir/$name.o" | sed 's/.* //' | grep -vE '^(memcpy|memset|sin|cos|sincos|sinf|cosf|_GLOBAL_OFFSET_TABLE_)$')
  [ -z "$needed" ] || fail "$1 for $2 needs: $needed"
  printf '#include "%s.h"\n' "$name" >"$dir/$name.cc"
  c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$dir/$name.cc" || fail "the header of $1 as C++"
  "$fftgen" emit "$1" --isa "$2" --prefix "$name" --self-test -o "$dir/self" >/dev/null || { fail "emit --self-test $1"; return; }
  $3 $strict "$dir/self/$name.c" -o "$dir/self/$name" -lm || { fail "$3, self-test of $1"; return; }
  if runs_here "$2"; then
    "$dir/self/$name" >"$dir/output" 2>&1 || fail "self-test of $1 for $2 by $3: $(cat "$dir/output")"
  fi
}

compilers=
for compiler in gcc clang; do
  if command -v $compiler >/dev/null 2>&1; then
    compilers="$compilers $compiler"
  else
    echo "SKIP: no $compiler here"
  fi
done
[ -n "$compilers" ] || exit 77
for isa in scalar avx2 avx512; do
  runs_here $isa || echo "SKIP: self-tests for $isa: this CPU lacks it (compiled only)"
  for compiler in $compilers; do
    check 'c2c f32 n=8' $isa "$compiler"
    check 'c2c f64 n=12 sign=+1' $isa "$compiler"
    check 'c2c f32 n=1024' $isa "$compiler"
    [ $compiler = gcc ] || continue
    check 'c2c f64 n=1' $isa $compiler
    check 'c2c f32 n=16 batch=37' $isa $compiler
    check 'c2c f64 n=360' $isa $compiler
    check 'c2c f32 n=1009' $isa $compiler
    check 'c2c f64 n=65536' $isa $compiler
  done
done
# All of them in one program.
gcc -shared -o "$dir/all.so" "$dir"/t*.o -lm || fail 'the objects do not link together'
echo "$count sources, $bad failures"
[ $bad = 0 ]
