#!/bin/sh
# Emitted C stands alone: it compiles in an empty folder without a warning, with
# gcc and clang, needs nothing but libm, links beside others of its kind, reads
# from C++, and passes its own test. usage: emitted.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/counted.sh"

"$fftgen" devices --json >"$dir/devices" || exit 1 # once: it starts every driver
runs_here() { grep -q "\"isa\":\"$1\",\"here\":true" "$dir/devices"; }

flags_of() { # isa: the compiler flags that its sources ask for
  sed 's/.*"isa":"'"$1"'",[^}]*"flags":"\([^"]*\)".*/\1/' "$dir/devices"
}

# One problem: compile alone, run the self-test; its symbols are looked at below, with those of all.
check() { # problem, isa, compiler
  name=t$count
  count=$((count + 1))
  "$fftgen" emit "$1" --isa "$2" --prefix "$name" -o "$dir" >/dev/null || { fail "emit $1 $2"; return; }
  strict="-std=c99 -Wall -Wextra -Wpedantic -Werror $flags"
  $3 $strict -O0 -c "$dir/$name.c" -o "$dir/$name.o" || fail "$3 $strict: $1"
  echo "$name.o: $1 for $2" >>"$dir/names"
  grep -qF -e "$flags" "$dir/$name.c" || fail "$1 for $2 does not say which flags it needs: $flags"
  printf '#include "%s.h"\n' "$name" >"$dir/$name.cc"
  c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$dir/$name.cc" || fail "the header of $1 as C++"
  "$fftgen" emit "$1" --isa "$2" --prefix "$name" --self-test -o "$dir/self" >/dev/null || { fail "emit --self-test $1"; return; }
  $3 $strict -O2 "$dir/self/$name.c" -o "$dir/self/$name" -lm || { fail "$3, self-test of $1"; return; }
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
# Kinds and forms take turns among instruction sets: each is compiled for one of them, and the three together for all.
kinds='r2c c2r dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4'
turn=0
in_turn() { # problem: for the instruction set whose turn it is
  turn=$((turn + 1))
  [ $((turn % 3)) -ne "$mine" ] || check "$1" $isa $compiler
}
mine=0
for isa in scalar sse2 avx2 avx512; do
  flags=$(flags_of $isa)
  runs_here $isa || echo "SKIP: self-tests for $isa: this CPU lacks it (compiled only)"
  for compiler in $compilers; do
    check 'c2c f32 n=8' $isa "$compiler"
    check 'c2c f64 n=12 sign=+1' $isa "$compiler"
    check 'c2c f32 n=1024' $isa "$compiler"
    { [ $compiler = gcc ] && [ $isa != sse2 ]; } || continue
    for kind in $kinds; do in_turn "$kind f64 n=9 batch=19"; done
    in_turn 'r2c f32 n=8 batch=19 place=in'
    in_turn 'c2r f64 n=6x10 batch=3' # parts of the last dimension's ends cancel, which are not alone
    in_turn 'c2c f32 n=6x5x16 batch=3'
    # in place, split, strided with run-time parameters
    in_turn 'c2c f64 n=211 sign=+1 place=in layout=split'
    in_turn 'c2c f32 n=20:s[1..3]:2 batch=rows[1..9]:100:80'
    in_turn 'c2c f32 n=32:64:64 batch=columns[1..64]:1:1 layout=split>interleaved'
    in_turn 'c2c f64 n=1'
    in_turn 'c2c f32 n=16 batch=37'
    in_turn 'c2c f64 n=360'
    in_turn 'c2c f32 n=1009'
    in_turn 'c2c f64 n=65536'
    in_turn 'c2c f64 n=10007'
    mine=$((mine + 1)) turn=0
  done
done
# Undefined symbols, and names without the source's prefix: FILE.o:  U NAME, FILE.o:ADDRESS T NAME
(cd "$dir" && nm -g -A t*.o) >"$dir/symbols"
awk -F '[: ]+' -v allowed='^(memcpy|memset|sin|cos|sincos|sinf|cosf|sinl|cosl|sincosl|_GLOBAL_OFFSET_TABLE_)$' '
  FILENAME ~ /names$/ { what[$1] = $0; next }
  $(NF - 1) == "U" { if ($NF !~ allowed) print "FAIL: " what[$1] " needs: " $NF; next }
  { name = $1; sub(/[.]o$/, "", name) }
  $NF != name && index($NF, name "_") != 1 { print "FAIL: " what[$1] " defines a name without its prefix: " $NF }
' "$dir/names" "$dir/symbols" >"$dir/wrong"
cat "$dir/wrong"
bad=$((bad + $(wc -l <"$dir/wrong")))
[ "$(cut -d : -f 1 "$dir/symbols" | sort -u | wc -l)" = $count ] || fail 'not every source has symbols'
grep -q '_init$' "$dir/symbols" || fail 'no source has tables large enough to be filled by NAME_init'
# All of them in one program; two of one kind work side by side.
set -- $compilers
$1 -shared -o "$dir/all.so" "$dir"/t*.o -lm || fail 'the objects do not link together'
for name in one two; do
  "$fftgen" emit 'c2c f32 n=8' --isa scalar --prefix $name -o "$dir/pair" >/dev/null || fail "emit --prefix $name"
done
cat >"$dir/pair/main.c" <<'END'
#include "one.h"
#include "two.h"
#include <string.h>
int main(void) {
  float x[2 * ONE_POINTS] = {1, 0, 2}, y[2 * ONE_POINTS], z[2 * TWO_POINTS];
  one(x, y);
  two(x, z);
  return y[0] != 3 || memcmp(y, z, sizeof y) != 0;
}
END
$1 -std=c99 -Wall -Wextra -Wpedantic -Werror "$dir"/pair/*.c -o "$dir/pair/both" && "$dir/pair/both" || fail 'two prefixes in one program'
echo "$count sources, $bad failures"
[ $bad = 0 ]
