#!/bin/sh
# The libraries export what their header declares, Fortran's names (api/fortran.def) by both spellings, and nothing else,
# and want no libraries beside libc's.
# usage: names.sh ROOT LIBFFTW3 LIBFFTW3F
set -eu
root=$1
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
# Functions and texts of the header's table, by their names in X().
sed -n '/^#define FFTW_DEFINE_API/,/^FFTW_DEFINE_API/p' "$root/fftw/include/fftw3.h" | tr '\\\n' '  ' |
  tr ';' '\n' | grep -v typedef | tr -d ' ' | # a declaration a line, however it is broken
  grep -o 'X([a-z0-9_]*)(\|X([a-z0-9_]*)\[' | sed 's/X(\([a-z0-9_]*\)).*/\1/' | sort -u >"$probe/header"
sed -n 's/^NAME(\(.*\))/\1/p' "$root/fftw/api/fortran.def" >"$probe/fortran"
[ "$(wc -l <"$probe/fortran")" = 50 ] || { echo "$(wc -l <"$probe/fortran") names of Fortran, not 50"; exit 1; }
for pair in "$2 fftw_" "$3 fftwf_"; do
  library=${pair% *} prefix=${pair#* }
  sed "s/^/$prefix/" "$probe/header" >"$probe/declared"
  [ "$(wc -l <"$probe/declared")" -ge 75 ] || { echo "only $(wc -l <"$probe/declared") names in the header"; exit 1; }
  letter=d && [ "$prefix" = fftw_ ] || letter=s
  for end in _ __; do sed "s/.*/${letter}fftw_&$end/" "$probe/fortran"; done >>"$probe/declared"
  sort -o "$probe/declared" "$probe/declared"
  nm -D --defined-only "$library" | awk '{ print $3 }' | sort -u >"$probe/exported"
  diff "$probe/declared" "$probe/exported" || { echo "$library: declared (<), exported (>)"; exit 1; }
  readelf -d "$library" | grep NEEDED | grep -vE '\[(libc|libm|libpthread|ld-linux[^]]*)\.so' && { echo "$library needs more"; exit 1; }
  readelf -d "$library" | grep -q "SONAME.*\[lib${prefix%_}3*[.]so[.]3\]\|SONAME.*lib${prefix%f_}" || { echo "$library: soname"; exit 1; }
done
echo "$(wc -l <"$probe/header") names a library, $(wc -l <"$probe/fortran") of Fortran twice"
