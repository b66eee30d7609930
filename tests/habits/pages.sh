#!/bin/sh
# Every folder of sources has a page, README.md, of at most 40 lines, which names each file beside it that holds
# statements (.c, .lua, .sh; its header will do) and no file that is not there (docs/room.md). usage: pages.sh ROOT
set -eu
root=$1

# In: a tree. Out: what is wrong with its pages.
wrong() { # root
  (cd "$1" && find generator runtime tuning targets fftw python/core -name '*.c' -o -name '*.lua' -o -name '*.sh' | sed 's!/[^/]*$!!' | LC_ALL=C sort -u) |
    while read -r folder; do
      page=$1/$folder/README.md
      [ -f "$page" ] || { echo "$folder: no README.md"; continue; }
      lines=$(wc -l <"$page")
      [ "$lines" -le 40 ] || echo "$folder/README.md: $lines lines, a page has at most 40"
      # Names of the table's first column, and files in running text.
      sed -n 's/^| \([^|]*\) |.*/\1/p' "$page" | tr -d '`[]' | sed 's/([^)]*)//g' | tr ', ' '\n\n' |
        grep -E '^[A-Za-z0-9_-]+\.(c|h|def|lua|sh|tmpl|jsonl)$' >"$probe/names" || true
      while read -r name; do
        [ -f "$1/$folder/$name" ] || echo "$folder/README.md: names $name, which is not there"
      done <"$probe/names"
      for file in "$1/$folder"/*.c "$1/$folder"/*.lua "$1/$folder"/*.sh; do
        [ -f "$file" ] || continue
        name=$(basename "$file")
        grep -qxF -e "$name" -e "${name%.c}.h" "$probe/names" || echo "$folder/README.md: does not name $name"
      done
    done
}

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
mkdir -p "$probe/tree/generator/none" "$probe/tree/generator/long" "$probe/tree/runtime" "$probe/tree/tuning" "$probe/tree/targets/good" "$probe/tree/fftw" "$probe/tree/python/core"
touch "$probe/tree/generator/none/a.c" "$probe/tree/generator/long/b.c" "$probe/tree/tuning/c.c" "$probe/tree/targets/good/d.c" "$probe/tree/targets/good/e.h"
{ echo '| b.c | does |'; seq 40; } >"$probe/tree/generator/long/README.md"
printf '| file | does |\n|---|---|\n| x.c | is gone |\n' >"$probe/tree/tuning/README.md"
printf '| file | does |\n|---|---|\n| [d.c](d.c), e.h | all |\n' >"$probe/tree/targets/good/README.md"
seen=$(wrong "$probe/tree")
expected='generator/long/README.md: 41 lines, a page has at most 40
generator/none: no README.md
tuning/README.md: names x.c, which is not there
tuning/README.md: does not name c.c'
if [ "$seen" != "$expected" ]; then
  echo "the check itself is broken: of what was planted it saw:"
  printf '%s\n' "$seen"
  exit 1
fi
found=$(wrong "$root")
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
echo "every folder of sources has its page"
