#!/bin/sh
# The commands of README.md work: every indented line that begins with $.
# usage: readme.sh ROOT FFTGEN
set -u
root=$(realpath "$1") program=$(realpath "$2")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
ln -s "$program" "$dir/bin/fftgen"
ln -s "$root/examples" "$dir/examples"
PATH=$dir/bin:$PATH
cd "$dir" || exit 1
sed -n 's/^    \$ //p' "$root/README.md" >commands
bad=0
while IFS= read -r line; do
  sh -c "$line" >output 2>&1 </dev/null || {
    bad=$((bad + 1))
    echo "FAIL: $line: $(head -c 300 output)"
  }
done <commands
sed -n '/^```lua/,/^```$/p' "$root/README.md" | grep -v '^```' >recipe
cmp -s recipe "$root/examples/recipes/two-passes.lua" || {
  bad=$((bad + 1))
  echo "FAIL: the recipe in README.md is not the one in examples/"
}
count=$(wc -l <commands)
echo "$count commands of README.md, $bad failures"
[ "$count" -ge 10 ] && [ $bad = 0 ]
