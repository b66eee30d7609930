#!/bin/sh
# Emitted kernels are so many times as fast as a plain one, which the same compiler makes with the same flags in the same
# run: floors.list. A row that falls below is measured twice more, since others use this machine too.
# usage: ratios.sh FFTGEN [CC]
set -u
fftgen=$1 cc=${2:-cc} here=$(dirname "$0")
. "$(dirname "$0")/../counted.sh"
rows=0

build() { # isa, points, batch, precision: $dir/ratio
  case $4 in f32) real=float ;; *) real=double ;; esac
  "$fftgen" emit "c2c $4 n=$2 batch=$3" --isa "$1" --prefix kernel -o "$dir" >/dev/null 2>"$dir/said" || return 1
  flags=$(sed -n 's/^ \* Flags: //p' "$dir/kernel.c")
  # shellcheck disable=SC2086
  "$cc" -O3 $more $flags -DREAL=$real -DPOINTS="$2" -DBATCH="$3" -I "$dir" -I "$here" "$here/ratio.c" "$here/reference.c" \
    "${5:-$dir/kernel.c}" -lm -o "$dir/ratio" 2>"$dir/said"
}

# As the head of emitted C says.
case $("$cc" --version) in *clang*) more='-ffp-contract=on -fno-omit-frame-pointer' ;; *) more='-fno-ivopts -ffp-contract=fast' ;; esac

below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

measure() { # name, floor: the line that ratio prints; 1 when it is below the floor three times, 2 when it fails
  for _ in 1 2 3; do
    "$dir/ratio" >"$dir/figures" || { fail "$1: wrong, or ended: $(cat "$dir/figures")" && return 2; }
    read -r ours theirs ratio far <"$dir/figures"
    below "$ratio" "$2" || return 0
  done
  return 1
}

here_isas=$("$fftgen" devices --json | grep -o '"isa":"[a-z0-9]*","here":true' | cut -d '"' -f 4)
printf '%-8s %-24s %9s %9s %6s %6s\n' isa problem 'ns' 'plain ns' ratio floor
while read -r isa points batch precision floor; do
  case $isa in '#'* | '') continue ;; esac
  name="c2c $precision n=$points batch=$batch"
  echo "$here_isas" | grep -qx "$isa" || { printf '%-8s %-24s not on this CPU\n' "$isa" "$name" && continue; }
  build "$isa" "$points" "$batch" "$precision" || { fail "$name, $isa: $(head -1 "$dir/said")" && continue; }
  measure "$name, $isa" "$floor"
  status=$?
  [ $status -eq 2 ] || printf '%-8s %-24s %9s %9s %6s %6s\n' "$isa" "$name" "$ours" "$theirs" "$ratio" "$floor"
  [ $status -ne 1 ] || fail "$name, $isa: $ratio times as fast as the plain kernel, at least $floor is wanted"
  rows=$((rows + 1))
done <"$here/floors.list"
[ $rows -ge 4 ] || fail "only $rows rows were measured"

# --- what measures can fail: the plain kernel in place of an emitted one is as fast as itself, and below a floor of 2
cat >"$dir/itself.c" <<'END'
#include "reference.h"
void kernel(const real *in, real *out, real *scratch);
void kernel(const real *in, real *out, real *scratch) {
  static plan *p;
  (void)scratch;
  if (!p) p = reference_create(POINTS);
  reference_execute(p, (const pair *)in, (pair *)out);
}
END
build scalar 1024 1 f32 "$dir/itself.c" || fail "the plain kernel: $(head -1 "$dir/said")"
! measure 'the plain kernel' 2 || fail "the plain kernel is $ratio times as fast as itself"

echo "$rows rows, $bad failures"
[ $bad -eq 0 ]
