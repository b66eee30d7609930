#!/bin/sh
# The cost models through the program: what it refuses, and figures of a GPU from plans that were measured.
# usage: model.sh FFTGEN
set -u
fftgen=$(realpath "$1")
source=$(cd "$(dirname "$0")/.." && pwd)
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
refuses 'plans: |No such file' row --plans plans
refuses "a CPU's figures are fitted where it is" row --plans plans --arch zen4
refuses '--model and --plans exclude each other' row --plans plans --model model.jsonl
refuses 'plans: |No such file' row --plans plans --arch sm_90
for wrong in 'c2c f32 n=16' 'c2c f32 n=16|direct(16)' 'c2c f32 n=16|direct(16)|fast' 'c2c f32 n=16|direct(16)|0'; do
  printf 'problem|plan|part\n%s\n' "$wrong" >plans
  refuses "plans, line 2: allowed: PROBLEM|PLAN|PART OF A COPY" row --plans plans --arch sm_90
done
printf 'c2c f32 n=16|direct(16)|.5\n' >plans
refuses '1 plans to fit|allowed: from ' row --plans plans --arch sm_90
refuses '1 plans to fit|allowed: from 8 on' row --plans plans
for wrong in 'c2c f32 n=16' 'c2c f32 n=16|direct(16)' 'c2c f32 n=16|direct(16)|fast' 'c2c f32 n=16|direct(16)|10|avx3'; do
  printf 'problem|plan|ns\n%s\n' "$wrong" >plans
  refuses "plans, line 2: allowed: PROBLEM|PLAN|NANOSECONDS|ISA" row --plans plans
done

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

# --- a row of this CPU: measured here, read again, and by a fitted model; each is C that compiles to the same figures
printf 'c2c f32 n=16\nc2c f32 n=60\nc2c f64 n=32\n' >problems
row_of_cpu() { # FILE PLANS ARGUMENTS: a row of so many plans, or more
  file=$1 plans=$2
  shift 2
  count=$((count + 1))
  "$fftgen" model row "$@" -o "$file" >out 2>errors || fail "row $*: $(cat errors)"
  [ "$(sed -n 's/^\([0-9]*\) plans of [0-9]* problems; 0 left out$/\1/p' out)" -ge "$plans" ] || fail "row $*: says $(cat out)"
  grep -q '^new figures  *[0-9.]*  [0-9.]*  [0-9.]*  [0-9.]*$' out || fail "row $*: no errors of the new figures: $(cat out)"
  head -5 "$file" | tr -d '\n' | grep -q "Costs on .*: .fftgen model row $1 .*20[0-9][0-9]-[0-9][0-9]-[0-9][0-9], .* at worst" ||
    fail "row $*: head $(head -5 "$file")"
  printf '#include "%s"\nconst fg_core_costs fg_machine_core_costs = {0};\nint main(void) { return !(%s.units.near > 0 && %s.moves.shuffle > 0); }\n' "$PWD/$file" \
    fg_machine_costs_here fg_machine_costs_here >use.c
  "${CC:-cc}" -Wall -Wextra -Werror -I "$source" -o use use.c 2>errors && ./use || fail "row $*: does not compile: $(cat errors)"
}
row_of_cpu costs_here.c 8 --isa scalar --device tcc --problems problems --plans measured --kernels 4
cp costs_here.c first.c
row_of_cpu costs_here.c 8 --isa scalar --device tcc --plans measured
[ "$(grep '^ *\.[a-z_0-9]* = ' costs_here.c | grep -v source)" = "$(grep '^ *\.[a-z_0-9]* = ' first.c | grep -v source)" ] ||
  fail "row: other figures by the same plans"
refuses 'none.jsonl: nothing is fitted' row --model none.jsonl --isa scalar --device tcc --problems problems

echo "$count commands, $bad failures"
[ $bad = 0 ]
