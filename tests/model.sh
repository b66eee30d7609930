#!/bin/sh
# The cost models through the program: what it refuses, and figures of a GPU from plans that were measured.
# usage: model.sh FFTGEN
set -u
fftgen=$(realpath "$1")
. "$(dirname "$0")/counted.sh"
cd "$dir" || exit 2
export FFTGEN_MODEL="$dir/model.jsonl" FFTGEN_WISDOM="$dir/wisdom.jsonl"
refuses() { # WORDS ARGUMENTS: of model
  words=$1
  shift
  complains 2 "$words" "$fftgen" model "$@"
}

# --- what is refused, and what is allowed
refuses 'nothing is fitted on this machine: fftgen model fit' show
refuses "model show: takes no problems; score does" show 'c2c f32 n=8'
refuses "--kernels '0': 1 .. 100" fit --kernels 0
refuses "--seconds '0': 1 .. 3600" score --seconds 0
refuses 'none.lua|No such file' fit --device tcc --space none.lua
refuses 'problem, column 11|n: 0' score 'c2c f32 n=0' --device tcc
refuses '--plans FILE|--problems FILE' row --arch sm_90
refuses 'figures of which GPU?|help machines' row --plans plans
refuses 'figures of which GPU?' row --plans plans --arch zen4
refuses 'plans: |No such file' row --plans plans --arch sm_90
for wrong in 'c2c f32 n=16' 'c2c f32 n=16|direct(16)' 'c2c f32 n=16|direct(16)|fast' 'c2c f32 n=16|direct(16)|0'; do
  printf 'problem|plan|part\n%s\n' "$wrong" >plans
  refuses "plans, line 2: allowed: PROBLEM|PLAN|PART OF A COPY" row --plans plans --arch sm_90
done
printf 'c2c f32 n=16|direct(16)|.5\n' >plans
refuses '1 plans to fit|allowed: from ' row --plans plans --arch sm_90

# --- a row: figures that fit what was measured are written as a whole, each plan with its prediction
awk 'BEGIN {
  split("16 16 16 16 16 32 32 32 32 32 32 64 64 64 64 64 128 128 128 128", n)
  split("4,4 2,8 8,2 2,4,2 2,2,4 4,8 8,4 2,16 16,2 4,4,2 2,4,4 8,8 4,16 16,4 4,4,4 2,8,4 8,16 16,8 4,8,4 4,4,8", plan)
  split("@ @batch=100 @batch=1000 @batch=9@sign=+1 @place=in @batch=7@place=in @batch=11", form)
  for (f = 1; f <= 7; f++) for (p = 1; p <= 20; p++) for (w = 32; w <= 64; w += 32) {
    gsub("@", " ", form[f])
    printf "c2c f%d n=%d%s|stockham(%s)|%.2f\n", w, n[p], form[f], plan[p], 0.3 + 0.01 * (7 * ++i % 60)
  }
}' >plans
count=$((count + 1))
"$fftgen" model row --arch sm_90 --plans plans --json -o row.c >json 2>errors || fail "row: $(cat errors)"
grep -q '^280 plans of 56 problems; 0 left out$' errors || fail "row: says $(cat errors)"
[ "$(grep -c '^new figures  *[0-9.]*  [0-9.]*  [0-9.]*  [0-9.]*$' errors)" = 1 ] || fail "row: no errors of the new figures: $(cat errors)"
grep -q '^const fg_gpu_costs fg_machine_costs_sm_90 = {$' row.c || fail "row: $(head -5 row.c)"
[ "$(grep -c '^    \.[a-z_]* = [0-9-]*,$' row.c)" -ge 40 ] || fail "row: $(wc -l <row.c) lines"
[ "$(tr '}' '\n' <json | grep -c '"plan":"stockham(4,4)","time":[0-9.e+-]*,"predicted":[0-9.e+-]*')" = 14 ] || fail "row: $(head -c 300 json)"

echo "$count commands, $bad failures"
[ $bad = 0 ]
