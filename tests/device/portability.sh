#!/bin/sh
# bench --portability on a small problem: every backend that is here, the metric, launches,
# plans carried, agreement; JSON, CSV and the page. usage: portability.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/../counted.sh"
quick='--seconds 0.005 --samples 30 --candidates 1 --effort estimate'

# shellcheck disable=SC2086
"$fftgen" bench --portability 'c2c f32 n=16 batch=4' 'r2c f64 n=20' $quick --only 'tcc,LLVM,OpenCL,CUDA' --json \
  --report "$dir/page.html" --report "$dir/copy.json" >"$dir/json" 2>"$dir/stderr" || fail "exit code $?: $(cat "$dir/stderr")"
for word in '"backend":0' '"ns":' '"architectural":' '"application":' '"set":"every backend"' '"lost":0}' '"chi2_ndf":' '"p":1' \
  '"all_total":\[' '"overhead":{' '"name":"tcc on 1 thread","language":"C","here":true'; do
  grep -q -e "$word" "$dir/json" || fail "no $word in the JSON"
done
grep -q '"input":"f(x) = x"' "$dir/json" || { grep -q '"here":true.*"here":true' "$dir/json" && fail 'no agreement of two backends'; }
grep -q '"backend":0' "$dir/copy.json" || fail 'no JSON as a report'
# What is absent says why.
if grep -q '"here":false' "$dir/json"; then
  grep -q '"here":false,"why":"..*"' "$dir/json" || fail 'absent, without a reason'
fi
for word in '<svg' 'harmonic mean' 'Published: SYCL-FFT' 'tcc on 1 thread' 'chi2/ndf' '</html>'; do
  grep -q "$word" "$dir/page.html" || fail "no $word in the page"
done
# A sentence and the metric first, units on axes, outputs that agree folded.
first=$(grep -n 'By its fastest backend on each of [0-9]* piece' "$dir/page.html" | cut -d: -f1)
metric=$(grep -n '<h2>The metric' "$dir/page.html" | cut -d: -f1)
backends=$(grep -n '<h2>Backends' "$dir/page.html" | cut -d: -f1)
[ "${first:-0}" -gt 0 ] && [ "$first" -lt "${metric:-0}" ] && [ "$metric" -lt "${backends:-0}" ] ||
  fail "the page does not begin with a sentence and the metric: lines $first, $metric, $backends"
grep -q '<text [^>]*>&#181;s</text>' "$dir/page.html" || fail 'the axis of launches has no unit'
if grep -q '"chi2_ndf":' "$dir/json"; then
  grep -q '<summary>Pairs of outputs that agree: [0-9]*; L2 at most [0-9.]*e-' "$dir/page.html" || fail 'outputs that agree are not folded'
fi
grep -q 'do not agree' "$dir/page.html" && fail 'outputs of two backends do not agree'
grep -q 'nan\|\${' "$dir/page.html" && fail 'the page has what is no number'
grep -q 'https\{0,1\}://\|<script' "$dir/page.html" && fail 'the page needs something else'

# shellcheck disable=SC2086
"$fftgen" bench --portability 'c2c f32 n=8' $quick --only tcc --csv >"$dir/csv" || fail "CSV: exit code $?"
head -n 1 "$dir/csv" | grep -qx 'table,problem,backend,other,quantity,value' || fail "CSV: $(head -n 1 "$dir/csv")"
grep -q '^"runs","c2c f32 n=8","tcc on 1 thread","..*","ns",[0-9]' "$dir/csv" || fail 'CSV: no time'
awk 'NR > 1 && !/,-?[0-9.]+(e[-+]?[0-9]+)?$/ { exit 1 }' "$dir/csv" || fail 'CSV: a row without a number'
# shellcheck disable=SC2086
"$fftgen" bench --portability 'c2c f32 n=8' $quick --only tcc >"$dir/tables" || fail "tables: exit code $?"
awk 'length > 100 { print; exit 1 }' "$dir/tables" || fail 'wider than 100 columns'
grep -q 'published: k-means in SYCL' "$dir/tables" || fail 'tables: nothing published beside'

# --- interrupted in the second problem: the first one is written
# shellcheck disable=SC2086
"$fftgen" bench --portability 'c2c f32 n=8' 'c2c f32 n=262144' $quick --only tcc --report "$dir/half.json" >"$dir/tables" 2>"$dir/stderr" &
child=$! waited=0
while ! grep -q 'n=262144' "$dir/stderr" && [ $waited -lt 300 ]; do sleep 0.1; waited=$((waited + 1)); done
kill -INT $child
wait $child
[ $? = 1 ] || fail 'interrupted: exit code is not 1'
grep -q 'interrupted; what was found is written' "$dir/stderr" || fail "interrupted: $(tail -1 "$dir/stderr")"
grep -q '"problem":"c2c f32 n=8"' "$dir/half.json" || fail 'interrupted: what was measured is lost'
grep -q 'n=262144' "$dir/half.json" && fail 'interrupted: a problem that was not finished is in the report'

complains 2 'no backend is here' "$fftgen" bench --portability 'c2c f32 n=8' --only nobody
complains 2 'ends in .html' "$fftgen" bench --portability 'c2c f32 n=8' --report report.txt
complains 2 'needs --portability' "$fftgen" bench 'c2c f32 n=8' --csv
complains 2 '--only chooses' "$fftgen" bench --portability 'c2c f32 n=8' --device tcc
complains 2 'problem' "$fftgen" bench --portability 'c2c f32 n=0' --only tcc
echo "$bad failures"
[ $bad = 0 ]
