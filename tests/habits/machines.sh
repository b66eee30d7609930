#!/bin/sh
# Figures of machines are written in targets/machine/ and nowhere else. Fails with FILE:LINE for a constant of the generator,
# its recipes or the tuner that is called like a figure and is a number, and for numbers that can be no others': how many
# multiprocessors, how much shared memory a GPU of a row has. A recipe has no number of bytes, and none of which its
# comment says that it counts bytes, registers or threads (targets/machine/plan_limits.def). usage: machines.sh ROOT
set -eu
root=$1

# Constants that are not about machines: one pattern a line, with a reason behind it.
allowed='generator/map/padding\.c:.*MOST_ELEMENTS = 1 << 17   what is walked to count conflicts
generator/prove/text_sample_arrays\.c:.*LINE = 8             neighbours of an element in the proof
generator/prove/page\.h:.*FG_PAGE = 256              reals of a page in the memory of the proof
tuning/contender/.*                             trials, which measure them'

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
        recipe = FILENAME ~ /^generator\/recipes\//
        if (recipe && line !~ /MAX_POINTS = 1 << / &&
            (line ~ /[0-9]+ << / || line ~ /^local [A-Z][^-]*[^-A-Za-z0-9_"][0-9][0-9][^"]*--.*(bytes|registers|threads) of/))
          print FILENAME ":" FNR ": " $0
        if (FILENAME ~ /\.lua$/) sub(/--.*/, "", line)
        name = "(SEGMENT|SECTOR|WARP|WAVE|PROCESSORS|MULTIPROCESSORS|REGISTERS|REGISTER_STEP|MOST_REGISTERS|L[123]|L[123]_BYTES|LINE|CACHE_LINE|HALF_LINE|PAGE|WAYS|BANKS|BANK_BYTES|BANK_ROW|LATENCY_[A-Z]+|USUAL_SECOND)"
        rooms = FILENAME ~ /^generator\/(assemble|map|lower|cost|ir)\// # sizes in bytes are limits (targets/machine/limits.def)
        if (rooms && line ~ /(^|[^A-Z0-9_])[A-Z][A-Z0-9_]* = [0-9]+ << [0-9]/) print FILENAME ":" FNR ": " $0
        else if (rooms && line ~ /static const [a-z_]*(cost|price)s? [a-z_0-9]+(\[\])? = \{/) print FILENAME ":" FNR ": " $0
        else if (line ~ "(^|[^A-Z0-9_])(FG_)?" name " = ([A-Z]+, *)*[0-9]" || line ~ name " = [0-9]+, [0-9]+, [0-9]" ||
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
mkdir -p "$probe/generator/recipes" "$probe/generator/map" "$probe/tuning"
printf 'enum { SEGMENT = 128 };\n/* SEGMENT = 128 */\nint x = 64;\n' >"$probe/generator/a.c"
printf 'enum {\n  A = 1, PROCESSORS = 132,\n  REST = 10 };\n' >"$probe/generator/b.c"
printf 'local SECTOR = 32 -- and at least\n-- SEGMENT = 128\nlocal SEGMENT = fft.machine.segment_bytes\n' >"$probe/generator/recipes/c.lua"
printf 'local MAX_POINTS = 1 << 60 -- indices\nlocal RING = 26 << 20\nlocal N, OF = 3, 104 -- registers of a thread\nlocal FEW = 16 -- points\n' >"$probe/generator/recipes/f.lua"
printf 'int64_t room = (227 << 10) / bytes;\n' >"$probe/tuning/d.c"
printf 'enum { WITHIN = 48 << 10, N = 1 << 3 };\nstatic const unit_costs zen = {.spill = 9};\nint64_t kib = 1 << 10;\n' >"$probe/generator/map/e.c"
seen=$(report "$probe" | cut -d: -f1,2 | tr '\n' ' ')
expected='generator/a.c:1 generator/b.c:2 generator/map/e.c:1 generator/map/e.c:2 generator/recipes/c.lua:1 generator/recipes/f.lua:2 generator/recipes/f.lua:3 tuning/d.c:1 '
if [ "$seen" != "$expected" ]; then
  echo "the check itself is broken: of the planted breaches it saw: $seen"
  exit 1
fi
found=$(report "$root")
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  exit 1
fi
echo "figures of machines are in their rows"
