#!/bin/sh
# How good the shipped model is on a GPU that was measured. In: plans and what they reached, on standard input, lines
# "PROBLEM|PLAN|PART OF A COPY'S SPEED" as in docs/lab/data/h100-drawn-plans.csv.gz; a problem without a batch is one
# of 1 GiB. Out, by class of problems: plans; the root mean square of the logarithm of predicted over measured time, of
# all and of those within 1.3 of the problem's best; its mean; the time of the plan that the model takes for the best
# over that of the best, in the geometric mean and the worst.
#
# usage: score_gpu.sh FFTGEN MACHINE <PLANS
set -eu
fftgen=${1:?usage: score_gpu.sh FFTGEN MACHINE, plans on standard input}
machine=${2:?usage: score_gpu.sh FFTGEN MACHINE, plans on standard input}
"$fftgen" devices --arch="$machine" >/dev/null
LC_ALL=C awk -F'|' -v fftgen="$fftgen" -v machine="$machine" '
function points(dims, side, n, all) {
  n = split(dims, side, "x")
  for (all = 1; n > 0; n--) all *= side[n]
  return all
}
function class_of(dims, side, n, p) {
  n = split(dims, side, "x")
  if (n > 1) return n == 2 ? "planes" : "cubes"
  for (n = dims += 0; n % 2 == 0;) n /= 2
  for (p = 3; p <= 7; p += 2) while (n % p == 0) n /= p
  if (n == 1) return "smooth"
  for (p = 2; p * p <= dims; p++) if (dims % p == 0) return "times a prime"
  return "primes"
}
function cost(problem, plan, command, text) {
  command = fftgen " plan \"" problem "\" --target cuda --no-wisdom --json --arch " machine " --plan \"" plan "\""
  if ((command | getline text) < 1) text = ""
  close(command)
  return match(text, /"cost":[0-9]+/) ? substr(text, RSTART + 7, RLENGTH - 7) + 0 : 0
}
function add(class, error, near) {
  count[class]++; sum[class] += error; square[class] += error * error
  if (near) { near_count[class]++; near_square[class] += error * error }
}
function choose(class, loss) {
  chosen[class]++; loss_sum[class] += log(loss)
  if (loss > worst[class]) worst[class] = loss
}
function print_row(class) {
  if (!count[class]) return
  printf "%-14s %6d %6.3f %6.3f %+6.2f", class, count[class], sqrt(square[class] / count[class]),
    near_count[class] ? sqrt(near_square[class] / near_count[class]) : 0, sum[class] / count[class]
  if (chosen[class]) printf " %7.3f %6.2f", exp(loss_sum[class] / chosen[class]), worst[class]
  print ""
}
$3 + 0 > 0 {
  split($1, word, " "); kind = word[1]; precision = word[2]; dims = substr(word[3], 3)
  number = precision == "f64" ? 8 : precision == "f16" ? 2 : 4
  last = dims; sub(/.*x/, "", last)
  input = points(dims) * number * (kind == "c2c" ? 2 : 1)
  other = kind == "c2c" ? input : points(dims) / last * 2 * (int(last / 2) + 1) * number
  if (kind == "c2r") { swapped = input; input = other; other = swapped }
  batch = match($1, /batch=[0-9]+/) ? substr($1, RSTART + 6, RLENGTH - 6) : int(1073741824 / input)
  full = kind " " precision " n=" dims " batch=" batch
  if (!(c = cost(full, $2))) { print "score_gpu.sh: left out: " full " by " $2 > "/dev/stderr"; next }
  n++; problem[n] = full; class[n] = class_of(dims); part[n] = $3 + 0
  guess[n] = c; error[n] = log(c / 16 * $3 / ((input + other) * batch))
  if ($3 + 0 > best[full]) best[full] = $3 + 0
  if (!(full in cheapest) || c < guess[cheapest[full]]) cheapest[full] = n
  plans[full]++
}
END {
  if (!n) { print "score_gpu.sh: no plan on standard input" > "/dev/stderr"; exit 1 }
  for (i = 1; i <= n; i++) {
    near = part[i] * 1.3 > best[problem[i]]
    add(class[i], error[i], near); add("all", error[i], near)
    if (cheapest[problem[i]] != i || plans[problem[i]] < 2) continue
    loss = best[problem[i]] / part[i]
    choose(class[i], loss); choose("all", loss)
  }
  printf "%-14s %6s %6s %6s %6s %7s %6s\n", "class", "plans", "rms", "near", "mean", "choice", "worst"
  split("smooth|times a prime|primes|planes|cubes|all", order, "|")
  for (i = 1; i <= 6; i++) print_row(order[i])
}'
