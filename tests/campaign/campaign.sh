#!/bin/sh
# Random problems through every door, a form in which fftgen delivers code. Results are compared with a definition that
# follows docs/problem.md and shares no code with the generator (oracle.c), within the tolerance of docs/campaign.md.
#
# usage: campaign.sh BUILD [--seed S] [--count N] [--first K] [--jobs J] [--door D] [--isa I] [--log FILE]
#        campaign.sh BUILD --problem TEXT --door D [--isa I] [--values A=1,B=2]
#        campaign.sh BUILD --list FILE    lines "DOOR ISA VALUES PROBLEM", or "... | PLAN" for doors that emit
#
# Doors: gcc and clang (emit), bundle, embedded, llvm, cc and tcc (plans made now by libfftgen), pack, opencl; cuda, hip,
# metal and sycl (emitted kernels on this CPU, by blocks.h) and cl (emitted kernels on the first OpenCL device); kernel: cuda by plans with
# clusters, queues and bulk copies.
# A case that failed is a line with the command that repeats it; the log has a line for each case, in parts, as they end.
# Campaigns of 1,000 cases and more say how far they are, and end with a table of what they covered (covered.awk).
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
seed=${FFTGEN_SEED:-$(date +%Y%m%d)} count=200 first=0 jobs=2 door=- isa=- log= problem= values=- list=
while [ $# -gt 0 ]; do
  case $1 in
    --seed | --count | --first | --jobs | --door | --isa | --log | --problem | --values | --list)
      [ $# -gt 1 ] || { echo "campaign: $1 wants a value" >&2; exit 2; } ;;
    *) echo "campaign: unknown option $1; allowed: --seed --count --first --jobs --door --isa --log --problem --values --list" >&2
      exit 2 ;;
  esac
  eval "${1#--}=\$2"
  shift 2
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=${log:-$work/log}
[ "$first" != 0 ] || : >"$log"

export CAMPAIGN_SOURCE="$here" CAMPAIGN_FFTGEN="$build/fftgen" CAMPAIGN_ORACLE="$build/tests/campaign_oracle"
export CAMPAIGN_LIBRARY="$build/tests/campaign_library" CAMPAIGN_FLAGS="$work/flags" CAMPAIGN_LEVEL="${CAMPAIGN_LEVEL:--O1}"
export CAMPAIGN_LAUNCHED="$build/tests/campaign_launched"
export CAMPAIGN_CROSS='' CAMPAIGN_EMULATOR='' CAMPAIGN_SKIPPED=''
"$CAMPAIGN_FFTGEN" devices --json >"$work/devices" || exit 1
has() { command -v "$1" >/dev/null 2>&1; }
skip() { # door or instruction set, why
  CAMPAIGN_SKIPPED="$CAMPAIGN_SKIPPED $1"
  echo "SKIP: $1: $2"
}
for name in scalar sse2 avx2 avx512 znver4; do
  flags=$(sed -n 's/.*"isa":"'"$name"'",[^}]*"flags":"\([^"]*\)".*/\1/p' "$work/devices")
  echo "$name $flags" >>"$work/flags"
  runs=$name
  [ $name = znver4 ] && runs=avx512 # the same instructions
  grep -q "\"isa\":\"$runs\",\"here\":true" "$work/devices" || skip $name 'this CPU lacks it'
done
if [ "$(uname -m)" = aarch64 ]; then
  CAMPAIGN_CROSS=gcc
else
  CAMPAIGN_CROSS=aarch64-linux-gnu-gcc CAMPAIGN_EMULATOR=qemu-aarch64
  { has "$CAMPAIGN_CROSS" && has "$CAMPAIGN_EMULATOR"; } || skip neon "no $CAMPAIGN_CROSS or no $CAMPAIGN_EMULATOR"
fi
has gcc || { echo 'SKIP: no gcc'; exit 77; }
has clang || skip clang 'no clang'
[ -f "$build/libfftgen-llvm.so" ] || skip llvm 'libfftgen-llvm is not built'
grep -q '"device":"opencl",[^}]*"here":true' "$work/devices" || { skip opencl 'no OpenCL device' && skip cl 'no OpenCL device'; }
{ has g++ && [ -x "$CAMPAIGN_LAUNCHED" ]; } ||
  for of in cuda hip metal sycl; do skip $of 'no g++, or no cJSON'; done
case $door in
  - | gcc | clang | bundle | embedded | llvm | cc | tcc | pack | opencl | cuda | hip | metal | sycl | cl | kernel) ;;
  *) echo "campaign: unknown door $door" >&2; exit 2 ;;
esac

if [ -n "$problem" ]; then # one problem, given
  [ "$door" != - ] || door=gcc
  [ "$isa" != - ] || case $door in gcc | clang) isa=scalar ;; esac
  echo "$first $door $isa $values $problem" >"$work/list"
  export CAMPAIGN_LIST="$work/list"
  count=1
elif [ -n "$list" ]; then
  sed -e 's/#.*//' -e '/^ *$/d' "$list" | awk '{ print NR - 1, $0 }' >"$work/list"
  export CAMPAIGN_LIST="$work/list"
  count=$(wc -l <"$work/list") first=0
else
  echo "campaign: seed $seed, cases $first to $((first + count - 1))"
fi
chunk=40
[ "$count" -ge $((chunk * jobs)) ] || chunk=$(((count + jobs - 1) / jobs))
start=$(date +%s)
k=$first
while [ "$k" -lt $((first + count)) ]; do
  size=$((first + count - k))
  [ "$size" -le $chunk ] || size=$chunk
  echo "$seed $k $size $door $isa $work/part$k"
  k=$((k + size))
done >"$work/parts"
export CAMPAIGN_LOG="$log" CAMPAIGN_WORK="$work" CAMPAIGN_COUNT="$count" CAMPAIGN_START="$start"
xargs -P "$jobs" -L 1 sh "$here/part.sh" <"$work/parts"
cat "$work"/part[0-9]* >"$work/all"
seconds=$(($(date +%s) - start))
[ "$count" -lt 1000 ] || awk -f "$here/covered.awk" "$work/all"
awk -F '\t' -v all="$count" -v seconds="$seconds" '
  NF > 1 { n[$2]++; lines++ }
  NF > 1 && $2 != "passed" && $2 != "skipped" { bad++ }
  END {
    printf "%d passed, %d failed, %d skipped in %d s", n["passed"], all - n["passed"] - n["skipped"], n["skipped"], seconds
    for (what in n) if (what != "passed" && what != "skipped") printf "; %d %s", n[what], what
    print ""
    exit bad > 0 || lines != all || n["passed"] == 0 && n["skipped"] < all
  }' "$work/all"
