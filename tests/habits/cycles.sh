#!/bin/sh
# Files of a room that need each other: a cycle is of three at most, in what their objects define and want. Rooms that
# have larger ones still are listed with them; these do not grow. generator/lower is held to it by its includes too.
# usage: cycles.sh BUILD
#
# A cycle of two is planted first, and one of four.
set -eu
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT

# In: output of nm -A, "FILE:VALUE TYPE NAME" or "FILE:  U NAME". Out: "SIZE FILE...", a line for each cycle.
cycles() {
  sed -nE 's/^([^:]*):[0-9a-f ]+ ([A-Za-z]) (fg_[A-Za-z0-9_]+)$/\1 \2 \3/p' | awk '
    !($1 in number) { number[$1] = ++n; file[n] = $1 }
    $2 ~ /^[TRDB]$/ { home[$3] = number[$1] }
    $2 == "U" { wants[++m] = number[$1] " " $3 }
    END {
      for (i = 1; i <= m; i++) { split(wants[i], w, " "); if (w[2] in home && home[w[2]] != w[1]) to[w[1], home[w[2]]] = 1 }
      for (k = 1; k <= n; k++) for (i = 1; i <= n; i++) if ((i, k) in to) for (j = 1; j <= n; j++) if ((k, j) in to) to[i, j] = 1
      for (i = 1; i <= n; i++) {
        if (i in seen) continue
        list = file[i]; size = 1
        for (j = i + 1; j <= n; j++) if (((i, j) in to) && ((j, i) in to)) { list = list " " file[j]; size++; seen[j] = 1 }
        if (size > 1) print size, list
      }
    }'
}
largest() { sort -nr | awk 'NR == 1 { n = $1 } END { print n + 0 }'; }

plant() { # so many files, each of which wants the next one
  i=0
  while [ $i -lt "$1" ]; do
    printf 'f%d.o:0000000000000010 T fg_f%d\nf%d.o:                 U fg_f%d\n' $i $i $i $(((i + 1) % $1))
    i=$((i + 1))
  done
}
for planted in 2 4; do
  seen=$(plant $planted | cycles | largest)
  [ "$seen" = $planted ] || { echo "the check itself is broken: it saw a cycle of $seen in one of $planted"; exit 1; }
done

allowed() { # of a room
  case $1 in
    problem) echo 10 ;;
    prove) echo 10 ;;
    cli) echo 8 ;;
    *) echo 3 ;;
  esac
}
cd "$build"
bad=0 rooms=0
for folder in CMakeFiles/fg_*.dir/generator/*/; do
  room=${folder%/}
  room=${room##*/}
  ls "$folder"*.o >/dev/null 2>&1 || continue
  rooms=$((rooms + 1))
  for object in "$folder"*.o; do # old build folders have objects of sources that were removed
    name=${object##*/}
    [ ! -e "$root/generator/$room/${name%.o}" ] || echo "$object"
  done | xargs nm -A | sed "s|^$folder||" | cycles >"$probe/found"
  n=$(largest <"$probe/found") most=$(allowed "$room")
  [ "$n" -le "$most" ] || { echo "$room: a cycle of $n files, of $most allowed:"; sort -nr "$probe/found" | head -n 1; bad=1; }
done

# A header is its source's: what includes it wants the two of them.
cd "$root/generator/lower"
for file in *.[ch]; do
  unit=${file%.*}
  echo "$unit:0 T fg_$unit"
  sed -nE "s|^#include \"generator/lower/([a-z0-9_]+)\\.h\".*|$unit:  U fg_\\1|p" "$file"
done | sort -u >"$probe/lines"
[ "$(grep -c ': *U ' "$probe/lines")" -gt 100 ] || { echo 'too few includes: reading the wrong lines?'; exit 1; }
cycles <"$probe/lines" >"$probe/found"
n=$(largest <"$probe/found")
[ "$n" -le 3 ] || { echo "lower: a cycle of $n files by includes:"; sort -nr "$probe/found" | head -n 1; bad=1; }
[ $rooms -gt 10 ] || { echo 'too few rooms: looking in the wrong place?'; exit 1; }
[ $bad = 0 ] || exit 1
echo "$rooms rooms, no cycle of more than three files but in three of them"
