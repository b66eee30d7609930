#!/bin/sh
# The judge of mutants judged: with the proofs left out ($FFTGEN_MUTANT_UNPROVED) most mutants are written, and found to
# be wrong; the same seed makes the same faults.
# usage: self.sh BUILD
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { bad=1 && echo "FAIL: $*"; }
judge() { # log, count; then the exit code
  sh "$here/mutate.sh" "$build" --seed 5 --count "$2" --jobs 1 --door gcc --isa scalar --log "$1" >"$dir/said" 2>&1
}
FFTGEN_MUTANT_UNPROVED=1 judge "$dir/open" 12 && fail 'nothing is wrong without proofs'
wrong=$(cut -f 2 "$dir/open" | grep -c -e wrong -e uncompiled -e crashed)
[ "$wrong" -ge 6 ] || fail "only $wrong of 12 mutants are found to be wrong without proofs: $(cat "$dir/said")"
judge "$dir/one" 12 || fail "a mutant is written: $(cat "$dir/said")"
judge "$dir/again" 12
cut -f 1,2,7 "$dir/one" | cmp -s - "$(cut -f 1,2,7 "$dir/again" >"$dir/columns" && echo "$dir/columns")" ||
  fail 'the same seed makes other faults'
[ $bad = 0 ] && echo "without proofs $wrong of 12 mutants are found to be wrong"
exit $bad
