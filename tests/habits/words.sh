#!/bin/sh
# What no file of the tree may hold: notes to oneself, absolute paths of one
# machine, words of our own where the field has one. usage: words.sh ROOT
set -eu
cd "$1"
pattern='\<(TODO|FIXME|XXX)\>|/home/|/root/|/work/'
found=$(find generator targets tuning runtime fftw python templates tests examples docs README.md CMakeLists.txt dev \
  -type f 2>/dev/null | grep -v '^tests/habits/words.sh$' | LC_ALL=C sort | xargs grep -EnI "$pattern" || true)
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
# Words of tests/habits/words in the files below a folder; older spellings of plans are allowed where they are read.
old_words() { # root
  tab=$(printf '\t')
  while IFS="$tab" read -r word say where; do
    case $word in '#'* | '') continue ;; esac
    # shellcheck disable=SC2086
    (cd "$1" && for at in $where; do [ -e "$at" ] && find "$at" -type f; done) |
      grep -Ev '^docs/lab/|^tests/habits/|^generator/plan/aliases\.def$' | LC_ALL=C sort |
      (cd "$1" && xargs -r grep -EnI -- "$word" /dev/null || true) |
      grep -Ev '^docs/plan\.md:.*(names of today|`forms=128`)' |
      sed "s!\$!   (say: $(printf '%s' "$say" | sed 's/[&!\\]/\\&/g'))!"
  done <tests/habits/words
}

# The check itself: a line for each row of the table, which it has to see.
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
mkdir -p "$probe/generator/cost" "$probe/generator/map" "$probe/templates"
cat >"$probe/generator/map/planted.c" <<'PLANTED'
/* the second cache */
/* a block's memory */
/* woven */
/* a strip */
/* in a hurry */
/* adders */
/* l1_ways */
/* fg_strip_load fg_turns fg_place_of */
/* stockham(8,8; pairs=2) */
/* fftgen_berth(door) */
/* the first cache */
/* a crew of workers */
/* nobody waits */
/* threads go in step */
PLANTED
cat >"$probe/templates/planted.tmpl" <<'PLANTED'
struct place places[]
int carve;
scalar, for want of vectors
real parts and imaginary parts apart
<h2>Ways</h2>
PLANTED
echo '/* a price */' >"$probe/generator/cost/planted.c"
planted=$(grep -cEv '^(#|$)' tests/habits/words)
seen=$(old_words "$probe" | wc -l)
[ "$seen" = "$planted" ] || { echo "the check itself is broken: of $planted planted words it saw $seen"; exit 1; }
old_words . >"$probe/found"
if [ -s "$probe/found" ]; then
  cat "$probe/found"
  exit 1
fi
echo "nothing that should not be there"
