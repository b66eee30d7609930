#!/bin/sh
# What is emitted for problems by chance, as one sum a problem: a change that moves code about changes none of them.
#
# usage: bytes.sh BUILD [SEED [COUNT]] >FILE       before the change, then after it; then diff
#
# COUNT problems (500) of every kind and precision, by tests/campaign/draw.c; each for one target and instruction set in
# turn. A refusal is a line as well: its exit code and the sum of its message.
set -u
build=$(cd "$1" && pwd) seed=${2:-1} count=${3:-500}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
"$build/tests/campaign_oracle" draw "$seed" 0 "$count" - - >list || exit 1
one() { # number, problem
  case $(($1 % 10)) in
    0) target='c --isa scalar' ;; 1) target='c --isa sse2' ;; 2) target='c --isa avx2' ;; 3) target='c --isa avx512' ;;
    4) target='c --isa znver4' ;; 5) target='c --isa neon' ;; 6) target='c --isa avx2' ;; 7) target=opencl ;;
    8) target=cuda ;; *) target=hip ;;
  esac
  # shellcheck disable=SC2086
  "$build/fftgen" emit "$2" --target $target -o out.$1 >said.$1 2>&1
  status=$?
  [ $status = 0 ] && cat out.$1/* >said.$1
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$status" "$(sha256sum <said.$1 | cut -c1-32)" "$target" "$2"
  rm -rf "out.$1" "said.$1"
}
# Values of run-time parameters are in the fourth column; emitted text does not depend on them.
part() { # which half
  awk -v half="$1" '$1 % 2 == half' list | while read -r number _ _ _ problem; do one "$number" "$problem"; done >"part.$1"
}
part 0 & part 1
wait
sort -n part.0 part.1
