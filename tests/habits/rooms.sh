#!/bin/sh
# The rooms of a folder use what FOLDER/rooms lets them use, and no more: includes and, of the generator, symbols.
# usage: rooms.sh ROOT FOLDER [BUILD]        without BUILD: includes alone
#
# For each room a breach is planted first, in an include and in a symbol, which the check has to see.
set -eu
root=$1 top=$2 build=${3:-}
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
rooms=$(sed -n 's/^\([a-z][a-z]*\).*/\1/p' "$root/$top/rooms")
# Files beside the folders: a room where the list has a line `core`, else no matter.
core=$(printf '%s\n' "$rooms" | grep -x core || true)
# Folders without a line are as the line `others`, where there is one.
others=$(printf '%s\n' "$rooms" | grep -x others || true)

# A room may use rooms of lines above its own alone: so there is no circle.
awk '/^[a-z]/ { for (i = 2; i <= NF && $i != "#"; i++) if (!($i in seen)) { print "rooms: " $1 " uses " $i ", which is not above it"; bad = 1 }
                seen[$1] = 1 } END { exit bad }' "$root/$top/rooms"
for folder in "$root/$top"/*/; do
  room=$(basename "$folder")
  case $room in cli | recipes | contender | include | openmp | wisdom) continue ;; esac
  [ -z "$others" ] || continue
  printf '%s\n' "$rooms" | grep -qx "$room" || { echo "$top/$room is no line of $top/rooms"; exit 1; }
done

# In: lines "FROM TO WHAT". Out: those that generator/rooms does not allow.
not_allowed() {
  awk 'NR == FNR { if ($0 ~ /^[a-z]/) for (i = 1; i <= NF && $i != "#"; i++) { may[$1, $i] = 1; room[$1] = 1 } next }
       !($1 in room) && (("others" SUBSEP $2) in may) { next }
       !(($1, $2) in may) { from = $1; to = $2; $1 = $2 = ""; print from " uses " to ":" $0 }' \
    "$root/$top/rooms" -
}

includes() { # root
  (cd "$1" && grep -rn --include='*.[ch]' "^ *# *include \"$top/" "$top") |
    sed -n "s!^\($top/\([^:]*\)\):[0-9]*:.*\"$top/\([^\"]*\)\".*!\2 \3 \1 includes \3!p" |
    awk -v core="$core" '{ for (i = 1; i < 3; i++) if (!sub("/.*", "", $i)) $i = core; if ($1 != "" && $2 != "") print }' |
    grep -Ev '^(cli|recipes|contender|include|openmp|wisdom) |^[a-z]+ include |^  *|^[a-z]+  '
}

# In: output of nm -A over the rooms' libraries. Out: lines as above.
symbols() {
  awk '{
         if (NF < 2) next
         split($1, at, ":"); room = at[1]; sub(/^.*libfg_/, "", room); sub(/\.a$/, "", room)
         type = $(NF - 1); name = $NF
         if (type ~ /^[TDRBC]$/) owner[name] = room
         else if (type == "U") { wants[++count] = room; wanted[count] = name; file[count] = at[2] }
       }
       END { for (i = 1; i <= count; i++) if (wanted[i] in owner && owner[wanted[i]] != wants[i])
               print wants[i], owner[wanted[i]], file[i], "calls", wanted[i] }'
}

# The check itself: a breach of each room, of the kind that it would be: the room behind it, or itself of the last one.
last=
for room in $rooms; do
  if [ -n "$last" ]; then
    from=$top/$last to=$top/$room
    [ $last = "$core" ] && from=$top
    [ $room = "$core" ] && to=$top
    mkdir -p "$probe/$from"
    echo "#include \"$to/x.h\"" >"$probe/$from/breach.c"
    printf 'libfg_%s.a:x.o: T fg_planted_%s\nlibfg_%s.a:breach.o: U fg_planted_%s\n' $room $room $last $room
  fi
  last=$room
done >"$probe/nm"
planted=$(($(printf '%s\n' $rooms | wc -l) - 1))
seen=$(includes "$probe" | not_allowed | wc -l)
[ "$seen" = $planted ] || { echo "the check itself is broken: of $planted planted includes it saw $seen"; exit 1; }
seen=$(symbols <"$probe/nm" | not_allowed | wc -l)
[ "$seen" = $planted ] || { echo "the check itself is broken: of $planted planted symbols it saw $seen"; exit 1; }

includes "$root" | not_allowed >"$probe/found"
if [ -n "$build" ]; then
  for room in $rooms; do [ -f "$build/libfg_$room.a" ] || { echo "no $build/libfg_$room.a"; exit 1; }; done
  (cd "$build" && nm -A $(printf 'libfg_%s.a ' $rooms) 2>/dev/null) | symbols | not_allowed >>"$probe/found"
fi
if [ -s "$probe/found" ]; then
  cat "$probe/found"
  exit 1
fi
echo "$(printf '%s\n' $rooms | wc -l) rooms of $top use what they may"
