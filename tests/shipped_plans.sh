#!/bin/sh
# The lines of the wisdom that is shipped: is each plan emitted for its machine, with both proofs?
#
# usage: shipped_plans.sh FFTGEN WISDOM ARCH [COUNT [SEED]]
#
# COUNT lines (0: all), evenly spread from one that the seed chooses (default: the date).
set -u
fftgen=$1 wisdom=$2 arch=$3 count=${4:-0} seed=${5:-$(date +%Y%m%d)}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

sed -n 's/.*"problem":"\([^"]*\)","target":"\([^"]*\)","plan":"\([^"]*\)".*/\1|\2|\3/p' "$wisdom" >"$dir/all"
lines=$(wc -l <"$dir/all")
[ "$lines" -gt 0 ] && [ "$lines" = "$(grep -c '"plan"' "$wisdom")" ] || { echo "FAIL: $wisdom: lines that are not read"; exit 1; }
awk -v count="$count" -v seed="$seed" -v lines="$lines" '
  { step = count ? int(lines / count) : 1; if ((NR - 1 + seed) % step == 0) print }' "$dir/all" >"$dir/list"

bad=0
while IFS='|' read -r problem target plan; do
  timeout 300 "$fftgen" emit "$problem" --target "$target" --arch "$arch" --plan "$plan" --prefix k -o "$dir/out" \
    >/dev/null 2>"$dir/said" || { bad=$((bad + 1)) && echo "FAIL: $problem by $plan: $(head -1 "$dir/said")"; }
done <"$dir/list"
echo "$(wc -l <"$dir/list") plans of $lines, seed $seed: $bad not emitted"
[ $bad = 0 ]
