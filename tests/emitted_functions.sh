#!/bin/sh
# Functions of vectors in emitted C: compared with libm's in long double for random numbers, and at edges, by gcc and
# clang, with and without contraction, for every instruction set that runs here.
#
# usage: emitted_functions.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/counted.sh"
check=$(dirname "$0")/emitted_functions.c
all='complex(log(re(x))+exp(im(x)),log10(re(x))+sqrt(max(re(x),im(x)))+min(abs(re(x)),1))'

# The widest vectors of an emitted file.
widest() { sed -n 's/^typedef [a-z]* vec\([0-9]*\) .*/\1/p' "$1" | sort -n | tail -1; }

# COMPILER ISA MARCH PRECISION REAL
compare() {
  "$fftgen" emit "c2c $4 n=64 batch=256 store=$all" --isa "$2" --prefix f -o "$dir" >/dev/null ||
    { fail "emit $4 $2" && return; }
  for contract in fast off; do
    count=$((count + 1))
    "$1" -O2 -march="$3" -ffp-contract=$contract -w -DEMITTED="\"$dir/f.c\"" -DREAL="$5" -DLANES="$(widest "$dir/f.c")" \
      "$check" -o "$dir/check" -lm || fail "$1 $2 $4 does not compile"
    "$dir/check" >"$dir/found" || fail "$1 $2 $4 -ffp-contract=$contract: $(cat "$dir/found")"
  done
}

for cc in gcc clang-19; do
  command -v $cc >/dev/null || continue
  for isa in sse2:x86-64 avx2:haswell avx512:skylake-avx512; do
    march=${isa#*:}
    case ${isa%:*} in
      avx2) grep -q avx2 /proc/cpuinfo || continue ;;
      avx512) grep -q avx512dq /proc/cpuinfo || continue ;;
    esac
    compare $cc "${isa%:*}" "$march" f32 float
    compare $cc "${isa%:*}" "$march" f64 double
  done
done
# Columns that are scalars have vectors of their results where there is a logarithm: no call of libm's.
"$fftgen" emit 'r2c f32 n=256 batch=9 store=20*log10(abs(x)+1e-3)' --plan 'real(8, stockham(8,4))' --isa avx2 \
  --prefix columns -o "$dir" >/dev/null || fail "emit columns"
! grep -n ' log10f(' "$dir/columns.c" || fail "a logarithm of a scalar"

[ $count -gt 0 ] || { echo "SKIP: neither gcc nor clang-19 for this CPU" && exit 77; }
echo "$count comparisons"
[ $bad = 0 ]
