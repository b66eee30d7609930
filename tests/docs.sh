#!/bin/sh
# The commands of README.md and of every page in docs/ work. An indented line that begins
# with $ is a command. The lines below it are what it prints, in this order; blanks count
# once, and lines may be missing (and where the first one is a complaint of fftgen's, the
# command fails). "<!-- not run: REASON -->" above a block keeps it from running: devices,
# minutes, somebody else's files. A command with neither is a failure. A fence that begins
# with a language and the name of a file (```c main.c) becomes that file.
# usage: docs.sh ROOT FFTGEN [PAGE...]
set -u
root=$(realpath "$1") program=$(realpath "$2")
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/bin"
ln -s "$program" "$dir/bin/fftgen"
PATH=$dir/bin:$PATH
export FFTGEN_WISDOM="$dir/wisdom.jsonl" HOME="$dir"

# A page's commands, one a line, in FOLDER/commands; what number n prints in FOLDER/printed.n; of what is not run
# "reason: command" in FOLDER/skipped; what is wrong in FOLDER/wrong.
split() { # page folder
  awk -v to="$2" '
    /^```[a-z]+ [A-Za-z0-9_.-]+$/ { file = to "/" $2; next }
    file != "" { if (/^```/) { close(file); file = "" } else print >file; next }
    function ends_block() { reason = ""; inside = 0 }
    /^<!-- not run: .* -->$/ { reason = $0; sub(/^<!-- not run: /, "", reason); sub(/ -->$/, "", reason); fresh = 1; next }
    /^$/ { if (!fresh) ends_block(); next }
    !/^    / { if (fresh && !/^    /) print FILENAME ":" FNR ": no block below its mark" >(to "/wrong"); ends_block(); fresh = 0; next }
    {
      fresh = 0
      line = substr($0, 5)
      if (more) { command = command substr(line, 1); more = 0 }
      else if (line ~ /^\$ /) command = substr(line, 3)
      else if (line ~ /^(fftgen( |$)|\.\/dev |build\/|sh tests\/)/ && line !~ /^fftgen: /) {
        command = line
        if (reason == "") print FILENAME ":" FNR ": neither run nor marked: " line >(to "/wrong")
      } else {
        if (inside && reason == "" && $1 != "...") { $1 = $1; print >(to "/printed." n) }
        next
      }
      if (command ~ /\\$/) { sub(/\\$/, "", command); more = 1; next }
      if (reason != "") { print reason ": " command >(to "/skipped"); next }
      if (line !~ /^\$ / && command == line) next
      print command >(to "/commands")
      n++
      inside = command ~ /(^|\/| )fftgen /
    }
  ' "$1"
}

# 0 where the command does what the page says.
try() { # command, file of printed lines
  expect=0
  [ -f "$2" ] && head -n 1 "$2" | grep -q '^fftgen: ' && expect=1
  sh -c "$1" >output 2>&1 </dev/null
  code=$?
  if [ $expect = 0 ] && [ $code != 0 ]; then echo "exit code $code: $(head -c 300 output)"; return 1; fi
  if [ $expect = 1 ] && [ $code = 0 ]; then echo "does not fail"; return 1; fi
  [ -f "$2" ] || return 0
  missing=$(awk 'NR == FNR { want[NR] = $0; n = NR; next } { $1 = $1 } $0 == want[i + 1] { i++ }
                 END { if (i < n) print want[i + 1] }' "$2" output)
  [ -z "$missing" ] || { echo "does not print, or not there: $missing"; return 1; }
}

bad=0 count=0 lines=0 skipped=0
fail() { bad=$((bad + 1)); echo "FAIL: $*"; }
least=20
[ $# = 0 ] || least=0
if [ $# = 0 ]; then
  set -- "$root/README.md" "$root"/*.md "$root"/docs/*.md "$root"/docs/*/*.md
fi
seen=' '
for page in "$@"; do
  [ -f "$page" ] || continue
  case $seen in *" $page "*) continue ;; esac
  seen="$seen$page "
  name=${page#"$root"/}
  here=$dir/$(echo "$name" | tr / _)
  mkdir "$here"
  ln -s "$root/examples" "$here/examples"
  split "$page" "$here"
  [ ! -f "$here/wrong" ] || { bad=$((bad + $(wc -l <"$here/wrong"))); sed "s|^$root/|FAIL: |" "$here/wrong"; }
  [ ! -f "$here/skipped" ] || skipped=$((skipped + $(wc -l <"$here/skipped")))
  [ -f "$here/commands" ] || continue
  cd "$here" || exit 1
  of=0
  while IFS= read -r line; do
    of=$((of + 1)) count=$((count + 1))
    [ ! -f "printed.$of" ] || lines=$((lines + $(wc -l <"printed.$of")))
    said=$(try "$line" "printed.$of") || fail "$name: $line: $said"
  done <commands
done
if [ -f "$root/docs/recipes.md" ]; then
  sed -n '/^```lua/,/^```$/p' "$root/docs/recipes.md" | grep -v '^```' | cmp -s - "$root/examples/recipes/two-passes.lua" ||
    fail "the recipe in docs/recipes.md is not the one in examples/"
fi
echo "$count commands of the pages and $lines lines that they print, $skipped marked as not run, $bad failures"
[ "$count" -ge $least ] && [ "$lines" -ge $least ] && [ $bad = 0 ]
