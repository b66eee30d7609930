#!/bin/sh
# Targets that launch kernels - CUDA, HIP, OpenCL, Metal, SYCL - write and prove the text of valid problems: none is refused. This needs
# no device and runs nothing.
#
# usage: emit.sh BUILD sweep|draw [--seed S] [--count N] [--first K] [--jobs J] [--target T] [--log FILE]
#        emit.sh BUILD --problem TEXT --target T
#
# sweep: every kind x length up to 130 x precision x target, one and several, without and with operations, in an order by
# the seed; --count 0, the default: all of them. draw: problems of every kind that docs/problem.md describes. --log: a
# line for each case, in order; a campaign is resumed by --first.
set -u
build=$(cd "$1" && pwd)
shift
what= seed=${FFTGEN_SEED:-$(date +%Y%m%d)} count=0 first=0 jobs=2 target=- log= problem=
while [ $# -gt 0 ]; do
  case $1 in
    sweep | draw) what=$1 && shift && continue ;;
    --seed | --count | --first | --jobs | --target | --log | --problem)
      [ $# -gt 1 ] || { echo "emit: $1 wants a value" >&2; exit 2; } ;;
    *) echo "emit: unknown option $1; allowed: --seed --count --first --jobs --target --log --problem" >&2; exit 2 ;;
  esac
  eval "${1#--}=\$2"
  shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
oracle=$build/tests/campaign_oracle
case $target in
  - | cuda | hip | opencl | metal | sycl) ;;
  *) echo "emit: unknown target $target; allowed: cuda, hip, opencl, metal, sycl" >&2; exit 2 ;;
esac

if [ -n "$problem" ]; then
  echo "0 $target - - $problem" >"$work/list"
elif [ "$what" = sweep ]; then
  "$oracle" sweep "$seed" "$first" "$count" | awk -v t="$target" 't == "-" || $2 == t' >"$work/list"
elif [ "$what" = draw ]; then
  [ "$target" != - ] || target=gpu
  [ "$count" != 0 ] || count=2000
  "$oracle" draw "$seed" "$first" "$count" "$target" - >"$work/list"
else
  echo 'emit: sweep, draw or --problem' >&2
  exit 2
fi
count=$(wc -l <"$work/list")
echo "emit: $what seed $seed, $count cases"
chunk=$(((count + 8 * jobs - 1) / (8 * jobs)))
split -l "$((chunk < 50 ? chunk : 50))" -a 5 "$work/list" "$work/part."
ls "$work"/part.* | xargs -P "$jobs" -I FILE sh -c '"$1" <"$2" >"$2.done" || echo "emit: $2: the caller fails" >&2' \
  sh "$build/tests/campaign_emit" FILE
cat "$work"/part.*.done | sort -n >"$work/all"
[ -z "$log" ] || cp "$work/all" "$log"
# What failed, and the command that repeats it.
awk -v all="$count" '
  NR == FNR { target[$1] = $2; text = $0; for (i = 0; i < 4; i++) sub(/^[^ ]* /, "", text); problem[$1] = text; next }
  { n[$2]++; lines++ }
  $2 != "passed" {
    printf "FAIL %s\n  ./dev campaign emit --target %s --problem \047%s\047\n", $0, target[$1], problem[$1]
  }
  END {
    printf "%d passed, %d refused, %d crashed, %d hung of %d\n", n["passed"], n["refused"], n["crashed"], n["hung"], all
    exit all == 0 || lines != all || n["passed"] != all
  }' "$work/list" "$work/all"
