#!/bin/sh
# Every way that GPUs have to compute a transform (device/recipes.list), by a language whose kernels run on this CPU
# (blocks.h), compared with the definition. What needs clusters, queues or bulk copies is left out, and doubles are floats
# where the language has none; so is a long table, which tables.c sums by its definition. A third of the list is drawn by the day; with `all`, every line.
# usage: recipes.sh BUILD DOOR [all]
set -u
build=$1 door=$2 all=${3:+1}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../drawn.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
grep -Ev '^#|^ *$|cluster|queue|bulk|persistent|load=|store=|^conv|^rconv|matrix=|n=4099' "$here/../device/recipes.list" |
  while IFS='|' read -r problem plan values; do
    drawn 3 || continue
    name=$(printf '%s\n' "$problem" | grep -o '[a-z]*\[' | tr -d '[' | tr '\n' ' ')
    given=-
    for n in $name; do
      value=${values# } value=${value%% *} values=${values# "$value"}
      [ "$given" = - ] && given=$n=$value || given=$given,$n=$value
    done
    [ "$door" != metal ] || problem=$(printf '%s\n' "$problem" | sed 's/f64/f32/')
    plan=${plan# } plan=${plan% }
    echo "$door - $given ${problem% }${plan:+ | $plan}"
  done >"$work/list"
sh "$here/campaign.sh" "$build" --list "$work/list"
