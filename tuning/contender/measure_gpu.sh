#!/bin/sh
# Measures what the model chooses: one call on a machine with the device, which builds nothing but kernels. In: a file of
# problems as draw_gpu.sh writes them (form fftgen). Each problem's first five plans by the model are checked and timed in
# turns, the device's library beside them (cuFFT). Out, in FOLDER, parts of a copy's speed:
#
#   plans.csv  problem|plan|part of copy          as docs/lab/data/h100-drawn-plans.csv.gz, for score_gpu.sh
#   rows.csv   problem|library|choice|best of the five|chosen plan
#   tune.json  what `fftgen tune` said, with the reason of each plan that is missing
#
# and the geometric mean of choice over library, and of the best over the choice. Problems without a time are named.
#
# usage: measure_gpu.sh FFTGEN PROBLEMS FOLDER [DEVICE [BUDGET]]     cuda, 380s: 120 problems of 1 GiB in under 8 minutes
set -eu
usage='usage: measure_gpu.sh FFTGEN PROBLEMS FOLDER [DEVICE [BUDGET]]'
fftgen=${1:?$usage} problems=${2:?$usage} dir=${3:?$usage} device=${4:-cuda} budget=${5:-380s}
target=$device
case $device in cc | tcc | llvm) target=c ;; esac
mkdir -p "$dir"
echo 'rules = {}' >"$dir/space.lua" # the recipes' plans, as the model sorts them
first=$(sed '/^ *\(#.*\)*$/d' "$problems" | head -1)
[ -n "$first" ] || { echo "measure_gpu.sh: $problems: no problem in it" >&2 && exit 2; }
"$fftgen" bench "$first" --target "$target" --device "$device" --no-wisdom --no-peer --json >"$dir/bench.json"
"$fftgen" tune --file "$problems" --target "$target" --device "$device" --space "$dir/space.lua" --candidates 5 --again \
  --wisdom "$dir/wisdom.jsonl" --budget "$budget" --report "$dir/tune.csv" --json >"$dir/tune.json"
sed '/^ *\(#.*\)*$/d' "$problems" | while IFS= read -r problem; do
  plan=$("$fftgen" plan "$problem" --target "$target" --device "$device" --no-wisdom --json) || plan=
  echo "$problem|$(echo "$plan" | sed 's/.*"plans":\[{"plan":"\([^"]*\)".*/\1/')"
done >"$dir/choice"
LC_ALL=C awk -v dir="$dir" '
function field(text, name) { # a number, or a text
  if (!match(text, "\"" name "\":")) return ""
  text = substr(text, RSTART + RLENGTH)
  if (substr(text, 1, 1) == "\"") { text = substr(text, 2); sub(/".*/, "", text) } else sub(/[,}\]].*/, "", text)
  return text
}
function moved(problem, word, side, n, i, points, last, number, batch) { # bytes of input and output
  split(problem, word, " ")
  n = split(substr(word[3], 3), side, "x"); last = side[n]
  for (points = i = 1; i <= n; i++) points *= side[i]
  number = word[2] == "f64" ? 8 : word[2] == "f16" ? 2 : 4
  batch = match(problem, /batch=[0-9]+/) ? substr(problem, RSTART + 6, RLENGTH - 6) : 1
  if (word[1] == "c2c") return 4 * points * number * batch
  return (points + points / last * 2 * (int(last / 2) + 1)) * number * batch
}
BEGIN { print "problem|plan|part of copy" > (dir "/plans.csv") }
FILENAME ~ /bench.json$/ { rate = 0; if (field($0, "copy_ns") > 0) rate = field($0, "bytes") / field($0, "copy_ns"); next }
FILENAME ~ /choice$/ { n++; problem[n] = $0; sub(/\|.*/, "", problem[n]); choice[problem[n]] = $0; sub(/^[^|]*\|/, "", choice[problem[n]]); next }
{ # an object of a problem begins with its candidates
  all = split($0, part, /\{"candidates":\[/)
  for (p = 2; p <= all; p++) {
    end = index(part[p], "],\"problem\":")
    if (!end) continue
    rest = substr(part[p], end + 2); name = field(rest, "problem"); copy = moved(name) / rate
    many = split(substr(part[p], 1, end - 1), one, /\{"plan":/)
    for (i = 2; i <= many; i++) {
      plan = field("\"plan\":" one[i], "plan"); ns = field(one[i], "ns")
      if (!(ns > 0)) continue
      printf "%s|%s|%.4f\n", name, plan, copy / ns > (dir "/plans.csv")
      if (copy / ns > best[name]) best[name] = copy / ns
      if (plan == choice[name]) chosen[name] = copy / ns
    }
    if (match(rest, /"opponents":\[[^]]*"ns":[0-9.e+]+/)) { other = substr(rest, RSTART); ns = field(other, "ns"); library[name] = copy / ns }
  }
}
END {
  if (!(rate > 0)) { print "measure_gpu.sh: no copy was timed: " dir "/bench.json" > "/dev/stderr"; exit 1 }
  print "problem|library|choice|best of the five|chosen plan" > (dir "/rows.csv")
  for (i = 1; i <= n; i++) {
    p = problem[i]
    if (!(chosen[p] > 0)) { print "measure_gpu.sh: no time of the choice: " p " by " choice[p] > "/dev/stderr"; missing++; continue }
    printf "%s|%.4f|%.4f|%.4f|%s\n", p, library[p], chosen[p], best[p], choice[p] > (dir "/rows.csv")
    rows++; spare += log(best[p] / chosen[p])
    if (library[p] > 0) { beside++; gain += log(chosen[p] / library[p]) }
  }
  printf "%d problems, %d without a time; choice over library %.3f in %d; best of the five over choice %.3f\n", n, missing,
    beside ? exp(gain / beside) : 0, beside, rows ? exp(spare / rows) : 0
}' "$dir/bench.json" "$dir/choice" "$dir/tune.json"
