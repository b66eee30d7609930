#!/bin/sh
# Kernels for a wheel, so that first calls with GPU arrays compile nothing: transforms of adjacent rows of single precision, complex and real,
# both ways, of 60 lengths to 4096, any number of them. It takes NVRTC, and some minutes. usage: pack.sh FFTGEN FILE.tar [ARCH]
set -eu
program=$1 file=$2 arch=${3:-sm_90}
set --
for odd in 1 3 5 9 15 25 125; do
  n=$odd
  while [ "$n" -le 4096 ]; do
    if [ "$n" -ge 8 ]; then
      for form in "c2c:" "c2c: sign=+1 scale=1/n" "r2c:" "c2r: scale=1/n"; do
        set -- "$@" "${form%%:*} f32 n=$n batch=count[1..1048576]${form#*:}"
      done
    fi
    n=$((2 * n))
  done
done
echo "$# problems" >&2
"$program" pack "$@" --target cuda --arch "$arch" -o "$file"
