#!/bin/sh
# Convolutions too long for `campaign draw`, for machines that are absent: each has a plan, which is assembled but not proved.
# Lengths with odd parts, several dimensions of which blocks hold no line, batches, strides, and parts of arrays.
#
# usage: large.sh FFTGEN [--seed S] [--count N] [--log FILE]
set -u
fftgen=$1
shift
seed=${FFTGEN_SEED:-$(date +%Y%m%d)} count=40 log=
while [ $# -gt 1 ]; do
  case $1 in
    --seed | --count | --log) eval "${1#--}=\$2" ;;
    *) echo "large: unknown option $1; allowed: --seed --count --log" >&2 && exit 2 ;;
  esac
  shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v seed="$seed" -v count="$count" '
function below(n) { return int(rand() * n) }
function one_of(list,   part) { return part[1 + below(split(list, part, " "))] }
function length_in(low, high,   n, p) { # of small primes
  do {
    n = one_of("1 1 3 5 7 9 11 13 15 21 25 45 49 63 75 77 121 143 175 1001 5005 7 3125 6561")
    while (n < low) n *= one_of("2 2 2 2 3 5")
  } while (n > high)
  return n
}
function part_of(n,   length_of) { # what is loaded and stored
  length_of = 1 + below(n)
  return one_of("load=zeropad(" length_of ") store=crop(" length_of ") store=crop(" n - length_of ":" length_of \
    ") load=shift store=shift store=mul(each)")
}
BEGIN {
  srand(seed)
  for (i = 0; i < count; i++) {
    split(one_of("cuda:sm_70 cuda:sm_80 cuda:sm_86 cuda:sm_90 cuda:h200 hip:gfx90a hip:gfx942 hip:gfx1030 metal:apple7 " \
      "opencl:opencl-gpu sycl:opencl-gpu"), row, ":")
    type = one_of(row[1] == "metal" ? "f16 bf16 f32" : "f16 bf16 f32 f64")
    rank = 1 + below(2)
    low = one_of("1000 4000 16000 60000")
    n = length_in(low, 2 * low + 1000)
    text = one_of("rconv rconv rconv conv") " " type " n=" n
    if (rank > 1) text = text "x" (below(4) ? length_in(2, 40) : length_in(100, 400))
    else if (!below(6)) text = text ":" one_of("1:3 2:1 3:2")
    if (below(3)) text = text " batch=" (rank > 1 ? 1 + below(8) : one_of("2 3 16 100 1000 1001"))
    if (below(2)) text = text " scale=1/n"
    if (below(3) == 0) text = text " spectrum=" one_of("each conj each,conj")
    if (rank == 1 && below(2)) text = text " " part_of(n)
    print row[1], row[2], text
  }
}' </dev/null >"$work/list"
bad=0
while read -r target arch problem; do
  timeout 300 "$fftgen" plan "$problem" --target "$target" --arch "$arch" --no-wisdom >"$work/said" 2>&1
  code=$?
  said=passed
  [ $code = 0 ] || { said=$(tail -1 "$work/said") bad=$((bad + 1)) && echo "FAIL $code: fftgen plan \"$problem\" --target $target --arch $arch: $said"; }
  [ -z "$log" ] || printf '%s\t%s\t%s\t%s\n' "$target" "$arch" "$problem" "$said" >>"$log"
done <"$work/list"
echo "large: seed $seed, $count convolutions, $bad failures"
[ $bad = 0 ]
