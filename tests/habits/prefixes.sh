#!/bin/sh
# What a library shows to other files begins with fg_ and a word of its own (tests/habits/prefixes); libfftgen's
# public functions begin with fftgen_.
# usage: prefixes.sh ROOT BUILD
#
# A breach is planted first for each library: a name that belongs to the next one, and one that belongs to none.
set -eu
root=$1 build=$2 table=$1/tests/habits/prefixes
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT

# In: lines "LIBRARY SYMBOL". Out: those that the table does not give to that library.
not_allowed() {
  awk 'NR == FNR { if ($0 !~ /^#/) for (i = 2; i <= NF; i++) {
                     owner[$i] = $1 }
                   next }
       $1 == "runtime" && $2 ~ /^fftgen_/ { next }
       { name = $2; found = ""
         if (sub(/^fg_/, "", name))
           for (name = name "_"; name != ""; sub(/[^_]*_$/, "", name))
             if (substr(name, 1, length(name) - 1) in owner) { found = owner[substr(name, 1, length(name) - 1)]; break }
         if (found != $1) print $1 ": " $2 (found == "" ? "" : " has a word of " found) }' "$table" -
}

awk '!/^#/ { for (i = 2; i <= NF; i++) { if ($i in owner) { print "two libraries have the word " $i; bad = 1 }
                                         owner[$i] = $1 } } END { exit bad }' "$table"
libraries=$(awk '!/^#/ && !seen[$1]++ { print $1 }' "$table")
awk '!/^#/ && !($1 in word) { word[$1] = $2; list[++n] = $1 }
     END { for (i = 1; i <= n; i++) { print list[i], "fg_" word[list[i % n + 1]] "_x"; print list[i], "fg_planted_x" } }' \
  "$table" >"$probe/planted"
seen=$(not_allowed <"$probe/planted" | wc -l)
[ "$seen" = "$(wc -l <"$probe/planted")" ] || { echo "the check itself is broken: it saw $seen planted names"; exit 1; }

for library in $libraries; do
  [ -f "$build/libfg_$library.a" ] || { echo "no $build/libfg_$library.a"; exit 1; }
  nm "$build/libfg_$library.a" 2>/dev/null | awk -v library="$library" '$2 ~ /^[TDRBC]$/ { print library, $3 }'
done | grep -Ev ' (__|_GLOBAL_|__odr_asan)' >"$probe/symbols"
count=$(wc -l <"$probe/symbols")
[ "$count" -gt 500 ] || { echo "only $count symbols: looking in the wrong place?"; exit 1; }
not_allowed <"$probe/symbols" >"$probe/found"
if [ -s "$probe/found" ]; then
  cat "$probe/found"
  exit 1
fi
echo "$count names of $(printf '%s\n' $libraries | wc -l) libraries begin with a word of their own"
