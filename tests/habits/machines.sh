#!/bin/sh
# Figures of machines stand in targets/machine/ and nowhere else. Fails with FILE:LINE for a constant of the generator,
# its recipes or the tuner that is called like a figure and is a number, and for numbers that can be no others': how many
# multiprocessors, how much shared memory a GPU of a row has. usage: machines.sh ROOT
set -eu
root=$1

# Constants that are not about machines, or not yet out of passes: one pattern a line, with a reason behind it.
allowed='generator/ir/walk\.h:.*FG_WARP = 32         how many threads proof and counts go through at once
generator/map/padding\.c:.*shares\[\] = .64, 100    the steps in which shared memory is given, of compute capability 9.0
generator/map/block\.c:.*WARP = 32               likewise, of GPUs by any vendor
recipes/rader\.lua:.*WARP = 8, 256, 32           measured with warps of 32
recipes/nd\.lua:.*REGISTERS = 64 << 10           of planes, as measured on the H200'

# Comments are left out: they may tell where something was measured.
breaches() { # root
  (cd "$1" && find generator tuning \( -name '*.[ch]' -o -name '*.lua' \) 2>/dev/null | LC_ALL=C sort |
    xargs awk '
      FNR == 1 { inside = 0 }
      {
        line = $0
        if (inside) { if (!(i = index(line, "*/"))) next; line = substr(line, i + 2); inside = 0 }
        while (i = index(line, "/*")) {
          if (!(j = index(substr(line, i), "*/"))) { line = substr(line, 1, i - 1); inside = 1; break }
          line = substr(line, 1, i - 1) substr(line, i + j + 1)
        }
        if (FILENAME ~ /\.lua$/) sub(/--.*/, "", line)
        name = "(SEGMENT|SECTOR|WARP|WAVE|PROCESSORS|MULTIPROCESSORS|REGISTERS|REGISTER_STEP|MOST_REGISTERS|L2|L2_BYTES|USUAL_SECOND)"
        if (line ~ "(^|[^A-Z0-9_])(FG_)?" name " = ([A-Z]+, *)*[0-9]" || line ~ name " = [0-9]+, [0-9]+, [0-9]" ||
            line ~ /(^|[^0-9.])(132|232448|233472|166912|22[78] (<<|\*) ?10|16[34] << 10)($|[^0-9.])/ ||
            line ~ /(adders|two_turns) *[=;]/ )
          print FILENAME ":" FNR ": " $0
      }')
}

report() { # root
  printf '%s\n' "$allowed" | sed 's/   .*//' >"$probe/allowed"
  breaches "$1" | grep -vEf "$probe/allowed" || true
}

probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
mkdir -p "$probe/generator/recipes" "$probe/tuning"
printf 'enum { SEGMENT = 128 };\n/* SEGMENT = 128 */\nint x = 64;\n' >"$probe/generator/a.c"
printf 'enum {\n  A = 1, PROCESSORS = 132,\n  REST = 10 };\n' >"$probe/generator/b.c"
printf 'local SECTOR = 32 -- and at least\n-- SEGMENT = 128\nlocal SEGMENT = fft.machine.segment_bytes\n' >"$probe/generator/recipes/c.lua"
printf 'int64_t room = (227 << 10) / bytes;\n' >"$probe/tuning/d.c"
seen=$(report "$probe" | cut -d: -f1,2 | tr '\n' ' ')
expected='generator/a.c:1 generator/b.c:2 generator/recipes/c.lua:1 tuning/d.c:1 '
if [ "$seen" != "$expected" ]; then
  echo "the check itself is broken: of the planted breaches it saw: $seen"
  exit 1
fi
found=$(report "$root")
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
echo "figures of machines stand in their rows"
