#!/bin/sh
# Kernels for a wheel, so that first calls with GPU arrays compile nothing: transforms of adjacent rows, complex and real, both ways, any
# number of them: of 60 lengths to 4096 in both precisions, of 7 times powers of two and of 8192 to 32768 in single. It takes NVRTC, some
# minutes, and, for a third of the bytes, xz. usage: pack.sh FFTGEN FILE.tar[.xz] [ARCH]
set -eu
program=$1 file=$2 arch=${3:-sm_90}
set --
for odd in 1 3 5 7 9 15 25 125; do
  n=$odd
  while [ "$n" -le $((odd == 1 ? 32768 : 4096)) ]; do
    for precision in f32 f64; do
      if [ "$n" -lt 8 ] || { [ $precision = f64 ] && { [ "$n" -gt 4096 ] || [ "$odd" = 7 ]; }; }; then continue; fi
      for form in "c2c:" "c2c: sign=+1 scale=1/n" "r2c:" "c2r: scale=1/n"; do
        set -- "$@" "${form%%:*} $precision n=$n batch=count[1..1048576]${form#*:}"
      done
    done
    n=$((2 * n))
  done
done
echo "$# problems" >&2
case $file in
*.xz)
  "$program" pack "$@" --target cuda --arch "$arch" -o "${file%.xz}"
  xz -9e -f "${file%.xz}"
  ;;
*) "$program" pack "$@" --target cuda --arch "$arch" -o "$file" ;;
esac
