#!/bin/sh
# Emitted C compiles everywhere: problems at random, each with operations, strides,
# places and parameters in turn, for every instruction set, by gcc and clang as
# C99 .. C23, by g++ and clang++ as C++17 and C++20, without a warning; a header and its
# source in one unit, functions with C's linkage, and bundles of what was drawn.
#
# usage: standards.sh FFTGEN [--seed N] [--count N] [--all]
#   --count  problems for each instruction set (default 4), others for each, beside a few that stay
#   Without --all a compiler reads every other source, drawn by the day.
#   --all    every compiler reads each source by every standard, with all warnings; and each source is
#            compiled in every way and by every compiler, once each (a Latin square): compilers change places
#            from source to source, standards from square to square, so that all pairs of compiler, way and standard
#            occur. Every triple for every source would take three hours and more, and tells no more: ways
#            and standards meet in what compilers read, and that is read by all. Else each source takes
#            one of the standards and of the ways in turn
set -u
fftgen=$1
shift
. "$(dirname "$0")/counted.sh"
seed=1 count=4 all=
while [ $# -gt 0 ]; do
  case $1 in
    --seed) seed=$2 && shift 2 ;;
    --count) count=$2 && shift 2 ;;
    --all) all=1 && shift ;;
    *) echo "standards.sh: $1: allowed: --seed N, --count N, --all" >&2 && exit 2 ;;
  esac
done
strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-align -Werror'
sources=0 compiled=0 refused=0

# --- problems: more than are asked for, as some are refused
draw() {
  awk -v seed="$seed" '
  # Lehmer generator: Lewis, Goodman and Miller (1969).
  function random() { return (state = state * 16807 % 2147483647) / 2147483647 }
  function whole(lo, hi) { return lo + int(random() * (hi - lo + 1)) }
  function one(list, part, n) { n = split(list, part, " "); return part[whole(1, n)] }
  function chance(percent) { return random() * 100 < percent }
  function length_of(most) {
    return chance(25) ? 2 ^ whole(0, 7) : chance(10) ? one("127 211 256 360 719 1000 1024 4096") : whole(2, most)
  }
  function operations(side, kind, list, text, n) {
    list = "window(hann) window(nuttall) window mul"
    if (kind == "c2c") list = list " conj shift"
    if (side == "load") list = list " zeropad(" whole(1, 8) ")"
    for (n = whole(1, 3); n; n--) text = text (text ? "," : "") one(list)
    if (side == "load" && kind !~ /^c2[cr]/ && chance(30)) text = one("u8 i16") "," text
    if (side == "store" && kind ~ /^[cr]2c/ && chance(40)) text = text "," one("mag mag2 logmag conj")
    if (side == "store" && (kind !~ /2c/ || text ~ /mag/) && chance(30)) text = text "," one("u8 i16")
    return text
  }
  function problem(kind, precision, complex, text, rank) {
    kind = one("c2c c2c c2c c2c r2c r2c r2c c2r c2r dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4")
    precision = one("f32 f32 f64 f64 f16 bf16")
    complex = kind == "c2c"
    text = kind " " precision " n="
    rank = chance(15) ? 2 : chance(5) ? 3 : 1
    if (rank == 1 && chance(15))
      text = text length_of(64) ":" one("1 2 3") ":" one("1 2") (chance(30) ? "" : " batch=rows[1..9]:400:400")
    else {
      for (text = text length_of(rank > 1 ? 12 : 100); rank > 1; rank--) text = text "x" whole(2, 12)
      text = text one(",, ,batch=count[1..16] ,batch=" whole(2, 40) " ,batch=2x" whole(2, 9))
      gsub(/,+/, " ", text)
    }
    if (complex && chance(30)) text = text " sign=+1"
    if (chance(15)) text = text " place=in"
    if (complex && chance(25)) text = text " layout=" one("split interleaved>split split>interleaved")
    if (precision != "f64" && chance(15)) text = text " compute=f64"
    if (chance(30)) text = text " scale=" one("1/n 1/sqrt(n) 0.125 -3e-5")
    if (chance(40)) text = text " load=" operations("load", kind)
    if (chance(40)) text = text " store=" operations("store", kind)
    return text
  }
  BEGIN { state = seed * 7919 % 2147483646 + 1; for (i = 0; i < 20; i++) random(); for (;;) print problem() }' |
    head -n "$1"
}

# --- compilers: name, language, standards
compilers=
add() {
  if ! command -v "$1" >/dev/null 2>&1; then
    echo "SKIP: no $1 here"
  else
    compilers="$compilers $1"
  fi
}
for compiler in gcc-12 gcc-13 clang-14 clang-19 g++ clang++; do add $compiler; done
case $compilers in *gcc-*) ;; *) add gcc ;; esac
case $compilers in *clang-*) ;; *) add clang ;; esac
cross=
if command -v aarch64-linux-gnu-gcc >/dev/null 2>&1; then cross=aarch64-linux-gnu-gcc; else echo 'SKIP: no aarch64-linux-gnu-gcc here: nothing for NEON'; fi
[ -n "$compilers" ] || exit 77

standards_of() { case $1 in *++*) echo 'c++17 c++20' ;; *) echo 'c99 c11 c17 c2x' ;; esac; }
ways='-O0 -O2 -flto -ffast-math -fsanitize=undefined'
nth() { # number from 0, words
  skip=$(($1 % ($# - 1)))
  shift $((skip + 1))
  echo "$1"
}
"$fftgen" devices --json >"$dir/devices" || exit 1
flags_of() { sed 's/.*"isa":"'"$1"'",[^}]*"flags":"\([^"]*\)".*/\1/' "$dir/devices"; }
of_compiler() { # compiler, flags: without what it does not know
  case $1 in clang*) echo "$2" | sed 's/-mprefer-vector-width=[0-9]*//' ;; *) echo "$2" ;; esac
}

# Compiles; complaints with the problem's text.
compile() { # compiler, standard, way ("" only reads), flags, file, problem
  language=c
  case $1 in *++*) language=c++ ;; esac
  behind= # the functions by which bundles ask for the CPU's features are in libgcc
  case $3 in
    '') how=-fsyntax-only ;;
    -flto) how="-O1 -flto -fPIC -shared -nostdlib -o $dir/object.so" behind=-Wl,-lgcc ;; # -x none: clang-19 warns
    -fsanitize*) how="-O1 $3 -c -o $dir/object.o" ;;
    -ffast-math) how="-O1 $3 -c -o $dir/object.o" ;;
    *) how="$3 -c -o $dir/object.o" ;;
  esac
  compiled=$((compiled + 1))
  # shellcheck disable=SC2086
  timeout 120 $1 -x $language -std=$2 $strict $4 $how "$5" $behind 2>"$dir/log" || {
    [ $? -ne 124 ] || echo 'error: not done after 120 s' >>"$dir/log"
    fail "$1 -std=$2 $3, $6: $(grep -m 2 -E 'error|warning' "$dir/log" || tail -1 "$dir/log")"
    return 1
  }
  [ "$language$3" = c++-O0 ] || return 0
  others=$(nm -g --defined-only "$dir/object.o" | sed 's/.* //' | grep -v '^q[0-9]')
  [ -z "$others" ] || fail "$1 -std=$2, $6: defines $others"
}

# Row `number` of a Latin square of ways and compilers; a longer side begins the shorter one again.
square() { # compilers
  # shellcheck disable=SC2086
  side=$(set -- $ways "$@" && echo $#) nways=$(set -- $ways && echo $#)
  side=$((side - nways > nways ? side - nways : nways))
  column=0
  while [ $column -lt $side ]; do
    compiler=$(nth $((number + column)) "$@")
    # shellcheck disable=SC2086
    compile "$compiler" "$(nth $((number / side + column)) $(standards_of "$compiler"))" "$(nth $column $ways)" \
      "$(of_compiler "$compiler" "${extra:-$flags}")" "$dir/$name.both.c" "$isa, $problem"
    column=$((column + 1))
  done
}

check() { # instruction set, compilers: what $dir/ISA.list names
  flags=$(flags_of "$1")
  isa=$1
  shift
  number=0
  while IFS='|' read -r name problem; do
    number=$((number + 1))
    printf '#include "%s.h"\n#include "%s.c"\n' "$name" "$name" >"$dir/$name.both.c"
    extra=$(sed -n 's/^ \* Flags: //p' "$dir/$name.c")
    for compiler in "$@"; do
      turn=$((turn + 1))
      [ $# -eq 1 ] || drawn 2 || continue
      standards=$(standards_of "$compiler")
      own=$(of_compiler "$compiler" "${extra:-$flags}")
      if [ -n "$all" ]; then
        for standard in $standards; do compile "$compiler" "$standard" '' "$own" "$dir/$name.both.c" "$isa, $problem"; done
        continue
      fi
      # shellcheck disable=SC2086
      compile "$compiler" "$(nth $turn $standards)" '' "$own" "$dir/$name.both.c" "$isa, $problem"
      # shellcheck disable=SC2086
      [ $((turn % 3)) -ne 0 ] || compile "$compiler" "$(nth $turn $standards)" "$(nth $((turn / 3)) $ways)" "$own" "$dir/$name.both.c" "$isa, $problem"
    done
    [ -z "$all" ] || square "$@"
  done <"$dir/$isa.list"
}

emit() { # problem, instruction set
  name=q${sources}_$2
  "$fftgen" emit "$1" --isa "$2" --prefix "$name" -o "$dir" >/dev/null 2>"$dir/log" || return 1
  sources=$((sources + 1))
  echo "$name|$1" >>"$dir/$2.list"
}

emit_all() { # instruction set
  : >"$dir/$1.list"
  # What once did not compile.
  for problem in 'r2c f64 n=99 load=i16,window(hann) store=mag' 'c2c f16 n=256 batch=32' 'c2r f64 n=2 layout=split'; do
    emit "$problem" "$1" || fail "emit $problem --isa $1: $(cat "$dir/log")"
  done
  made=0
  while [ $made -lt "$count" ] && IFS= read -r problem <&3; do
    if emit "$problem" "$1"; then made=$((made + 1)); else refused=$((refused + 1)); fi
  done
  [ $made -eq "$count" ] || fail "$1: only $made of $count problems were emitted"
}

. ./drawn.sh
turn=$seed
draw $((10 * count + 20)) >"$dir/problems"
draw $((10 * count + 20)) | cmp -s - "$dir/problems" || fail 'a seed draws two lists'
exec 3<"$dir/problems"
for isa in scalar sse2 avx2 avx512; do
  case $(uname -m) in x86_64) ;; *) [ $isa = scalar ] || { echo "SKIP: $isa: not this machine's"; continue; } ;; esac
  emit_all $isa
  # shellcheck disable=SC2086
  check $isa $compilers
done
if [ -n "$cross" ]; then
  emit_all neon
  check neon $cross
fi

# --- bundles: of what they take
n=0 bundle=0
while [ $bundle -lt $((count / 5 + 1)) ] && IFS= read -r problem; do
  case $problem in *load=* | *store=* | *f16* | *compute=*) continue ;; esac
  n=$((n + 1))
  [ $n -gt 1 ] || { first=$problem; continue; }
  n=0
  "$fftgen" emit --bundle "q$bundle" "$first" "$problem" -o "$dir/bundle" >/dev/null 2>&1 || continue
  printf '#include "q%s.h"\n#include "q%s.c"\n' $bundle $bundle >"$dir/bundle/both.c"
  for compiler in $compilers; do
    for standard in $(standards_of "$compiler"); do
      turn=$((turn + 1))
      [ -n "$all" ] || [ $((turn % 2)) -eq 0 ] || continue
      for way in $([ -z "$all" ] || echo "$ways"); do compile "$compiler" "$standard" "$way" '' "$dir/bundle/both.c" "bundle of $first, $problem"; done
      compile "$compiler" "$standard" '' '' "$dir/bundle/both.c" "bundle of $first, $problem"
    done
  done
  bundle=$((bundle + 1))
done <"$dir/problems"
[ $bundle -gt 0 ] || fail 'no bundle was made'

echo "seed $seed: $sources sources and $bundle bundles, compiled $compiled times by$compilers $cross; $refused problems not emitted; $bad failures"
[ $bad = 0 ]
