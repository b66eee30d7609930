#!/bin/sh
# What a library shows to other files is used by one, in the product or in a test: else it is static, or removed.
# usage: unused.sh BUILD
#
# A name is planted first that nobody uses, and one that a test alone does.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT

# In: output of nm, "OBJECT: TYPE NAME" a line. Out: names of ours that are defined and wanted nowhere else.
lonely() {
  awk '$2 ~ /^[TRDB]$/ && $3 ~ /^fg_/ { defined[$3] = $1 }
       $2 == "U" { wanted[$3] = 1 }
       END { for (name in defined) if (!(name in wanted)) print defined[name] " " name }' | LC_ALL=C sort
}
# Values leave lines of nm -A, "LIBRARY:OBJECT:VALUE TYPE NAME" or "OBJECT:  U NAME".
shorten() { sed -nE 's/^(.*):[0-9a-f ]+ ([A-Za-z]) (\S+)$/\1: \2 \3/p'; }

printf 'libfg_x.a:a.o:0000000000000010 T fg_planted\nlibfg_x.a:a.o:0000000000000020 T fg_tested\ntests/t.o:                 U fg_tested\n' >"$probe/planted"
seen=$(shorten <"$probe/planted" | lonely)
[ "$seen" = 'libfg_x.a:a.o: fg_planted' ] || { echo "the check itself is broken: it saw '$seen'"; exit 1; }

cd "$build"
if nm libfg_base.a 2>/dev/null | grep -q __asan_; then echo 'SKIP: an instrumented build'; exit 77; fi
# Old build folders have objects of sources that were removed.
find CMakeFiles tests -name '*.o' 2>/dev/null | while read -r object; do
  folder=${object%%CMakeFiles/*} source=${object#*.dir/}
  source=${source%.o}
  [ ! -e "$root/$folder$source" ] && [ ! -e "$folder$source" ] && [ ! -e "$root/$source" ] || echo "$object"
done | xargs nm -A 2>/dev/null | shorten >"$probe/symbols"
[ "$(grep -c ' T fg_' "$probe/symbols")" -gt 500 ] || { echo 'too few symbols: looking in the wrong place?'; exit 1; }
lonely <"$probe/symbols" >"$probe/found"
if [ -s "$probe/found" ]; then
  sed 's/^/no other file uses it: /' "$probe/found"
  exit 1
fi
echo "each of $(awk '$2 ~ /^[TRDB]$/ && $3 ~ /^fg_/ { print $3 }' "$probe/symbols" | sort -u | wc -l) names is used by another file"
