#!/bin/sh
# Every header compiles alone; public ones as C++ too.
# usage: headers.sh ROOT CC CXX
set -eu
root=$1 cc=$2 cxx=$3
cd "$root"
flags="-Wall -Wextra -Wpedantic -Werror -fsyntax-only -D_GNU_SOURCE -I. $(pkg-config --cflags lua5.4 mpfr libcjson)"
bad=0 count=0
check() { # compiler and options, header
  header=$2
  # Twice: the guard is there too.
  if ! printf '#include "%s"\n#include "%s"\n' "$header" "$header" | $1 $flags -; then
    echo "$header: does not compile alone with: $1"
    bad=1
  fi
  count=$((count + 1))
}
for header in $(find generator targets tuning runtime fftw -name '*.h' | LC_ALL=C sort); do
  check "$cc -std=gnu11 -x c" "$header"
  case $header in
    runtime/include/* | fftw/include/*) check "$cxx -std=c++17 -x c++" "$header" ;;
  esac
done
if [ $count -lt 20 ]; then
  echo "only $count headers found: looking in the wrong place?"
  exit 1
fi
echo "$count headers checked"
exit $bad
