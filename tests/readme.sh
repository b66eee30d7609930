#!/bin/sh
# The commands of README.md work: every indented line that begins with $. What stands
# below one of fftgen's is what it prints, in this order; blanks count once, and lines
# may be missing. usage: readme.sh ROOT FFTGEN
set -u
root=$(realpath "$1") program=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
ln -s "$program" "$dir/bin/fftgen"
ln -s "$root/examples" "$dir/examples"
PATH=$dir/bin:$PATH
cd "$dir" || exit 1
awk '
  sub(/^    \$ /, "") { print >"commands"; n++; inside = /^fftgen /; next }
  !/^    / { inside = 0 }
  inside && $1 != "..." { $1 = $1; print >("printed" n) }
' "$root/README.md"
bad=0 count=0 lines=0
while IFS= read -r line; do
  count=$((count + 1))
  sh -c "$line" >output 2>&1 </dev/null || {
    bad=$((bad + 1))
    echo "FAIL: $line: $(head -c 300 output)"
  }
  [ -f "printed$count" ] || continue
  lines=$((lines + $(wc -l <"printed$count")))
  missing=$(awk 'NR == FNR { want[NR] = $0; n = NR; next } { $1 = $1 } $0 == want[i + 1] { i++ }
                 END { if (i < n) print want[i + 1] }' "printed$count" output)
  [ -z "$missing" ] || {
    bad=$((bad + 1))
    echo "FAIL: $line: does not print, or not there: $missing"
  }
done <commands
sed -n '/^```lua/,/^```$/p' "$root/README.md" | grep -v '^```' >recipe
cmp -s recipe "$root/examples/recipes/two-passes.lua" || {
  bad=$((bad + 1))
  echo "FAIL: the recipe in README.md is not the one in examples/"
}
echo "$count commands of README.md and $lines lines that they print, $bad failures"
[ "$count" -ge 10 ] && [ "$lines" -ge 20 ] && [ $bad = 0 ]
