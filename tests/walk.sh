#!/bin/sh
# The walk of docs/architecture.md: twelve stops, each a function that its file defines,
# no file and no function visited twice. usage: walk.sh ROOT
set -u
cd "$1" || exit 2
page=docs/architecture.md
bad=0 count=0 seen=' '
fail() { bad=$((bad + 1)); echo "FAIL: $page: $*"; }
stops=$(awk '/^<!-- walk: /{ inside = 1; next } inside && /^\| [0-9]/ { split($0, c, " *[|] *"); print c[2], c[3], c[4] } inside && /^#/ { exit }' $page)
while read -r stop file function; do
  count=$((count + 1))
  [ "$stop" = $count ] || fail "stop $stop is row $count"
  case $seen in
  *" $file "*) fail "stop $stop visits $file again" ;;
  *" $function "*) fail "stop $stop visits $function again" ;;
  esac
  seen="$seen$file $function "
  [ -f "$file" ] || { fail "stop $stop: no file $file"; continue; }
  # A definition: the name at the beginning of a declaration that opens a body, on its line or the next ones.
  awk -v f="$function" '
    $0 ~ "^[a-z].*[ *]" f "\\(" { open = 1 }
    open && /;$/ { open = 0 }
    open && /\{/ { found = 1; exit }
    END { exit !found }' "$file" || fail "stop $stop: $file does not define $function"
done <<END
$stops
END
echo "$count stops, $bad failures"
[ $count = 12 ] && [ $bad = 0 ]
