#!/bin/sh
# The plots of the documents are what docs/plots.py draws from the raw data, each shows
# its machine and day, and a page refers to it. usage: plots.sh ROOT
set -u
root=$1
bad=0
fail() { bad=$((bad + 1)); echo "FAIL: $*"; }
count=0
for plot in "$root"/docs/plots/*.svg; do
  name=$(basename "$plot")
  count=$((count + 1))
  grep -q 'plots/'"$name" "$root"/README.md "$root"/docs/*.md "$root"/docs/lab/*.md || fail "no page shows $name"
  grep -Eq '>[^<]*(Xeon|EPYC|NVIDIA|x86-64)[^<]*20[0-9]{2}-[01][0-9]-[0-3][0-9]' "$plot" || fail "$name: no machine and day"
  data=$(grep -Eo '[a-z0-9-]+\.csv\.gz' "$plot" | sort -u)
  [ -n "$data" ] || fail "$name: no raw data"
  for file in $data; do [ -f "$root/docs/lab/data/$file" ] || fail "$name: no $file in docs/lab/data"; done
done
[ $count -ge 5 ] || fail "$count plots"
echo "$count plots, $bad failures"
[ $bad = 0 ] || exit 1
for python in python3 /usr/bin/python3; do
  version=$($python -c 'import matplotlib; print(matplotlib.__version__)' 2>/dev/null) && break
done
[ -n "$version" ] || { echo 'SKIP: no matplotlib to draw them again (package python3-matplotlib)'; exit 77; }
grep -q "Matplotlib v$version," "$root/docs/plots/front.svg" ||
  { echo "SKIP: drawn by another matplotlib than $version"; exit 77; }
$python "$root/docs/plots.py" --check
