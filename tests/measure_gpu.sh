#!/bin/sh
# What measures plans on a GPU, with a program in place of fftgen that answers as it does: which plans it asks for,
# parts of a copy's speed, what is missing. usage: measure_gpu.sh MEASURE
set -u
measure=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { bad=1 && echo "FAIL: $*" && cat "$dir/said" "$dir/wrong"; }
cat >"$dir/fftgen" <<'END'
#!/bin/sh
echo "$@" >>"$(dirname "$0")/asked"
case $1 in
bench) echo '[{"problem":"p","plan":"direct(8)","ns":9,"bytes":128000,"copy_ns":1000,"copy_fraction":0.5}]' ;;
plan) case $2 in
  *n=8*) echo '{"problem":"p","plans":[{"plan":"stockham(4,2)","recipe":"stockham","cost":1},{"plan":"direct(8)","recipe":"direct","cost":2}]}' ;;
  *) echo '{"problem":"p","plans":[{"plan":"direct(5)","recipe":"direct","cost":1}]}' ;;
  esac ;;
tune)
  echo "$@" | grep -q -- '--candidates 5 --again' || exit 2
  printf '%s' '[{"candidates":[{"plan":"direct(8)","state":"timed","ns":1000,"spread":0.1},{"plan":"stockham(4,2)","state":"timed","ns":2000},{"plan":"stockham(2,4)","state":"failed","why":"it \"spills\""}],"problem":"c2c f32 n=8 batch=1000","plan":"direct(8)","ns":1000,"opponents":[{"name":"cuFFT","ns":4000}]},'
  echo '{"candidates":[{"plan":"direct(5)","state":"late"}],"problem":"r2c f64 n=5 batch=10","plan":"direct(5)","ns":0,"opponents":[{"name":"cuFFT","why":"none"}]}]' ;;
esac
END
chmod +x "$dir/fftgen"
printf '# drawn\nc2c f32 n=8 batch=1000\nr2c f64 n=5 batch=10\n' >"$dir/list"
sh "$measure" "$dir/fftgen" "$dir/list" "$dir/out" cuda 5s >"$dir/said" 2>"$dir/wrong" || fail "it ends with $?"
grep -q '^2 problems, 1 without a time; choice over library 2.000 in 1; best of the five over choice 2.000$' "$dir/said" || fail "means"
grep -q 'no time of the choice: r2c f64 n=5 batch=10 by direct(5)' "$dir/wrong" || fail "what is missing is not named"
printf 'problem|plan|part of copy\n%s\n%s\n' 'c2c f32 n=8 batch=1000|direct(8)|1.0000' 'c2c f32 n=8 batch=1000|stockham(4,2)|0.5000' |
  cmp -s - "$dir/out/plans.csv" || fail "plans: $(cat "$dir/out/plans.csv")"
printf 'problem|library|choice|best of the five|chosen plan\n%s\n' 'c2c f32 n=8 batch=1000|0.2500|0.5000|1.0000|stockham(4,2)' |
  cmp -s - "$dir/out/rows.csv" || fail "rows: $(cat "$dir/out/rows.csv")"
grep -q '^bench c2c f32 n=8 batch=1000 --target cuda --device cuda' "$dir/asked" || fail "the copy is not of the first problem"
sh "$measure" "$dir/fftgen" /dev/null "$dir/out" >"$dir/said" 2>"$dir/wrong" && fail "a list without problems is taken"
exit $bad
