#!/bin/sh
# linear= beside NumPy. usage: linear.sh FFTGEN
set -u
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for python in python3 /usr/bin/python3; do
  "$python" -c 'import numpy' 2>/dev/null && found=$python && break
done
[ -n "${found:-}" ] || { echo 'SKIP: no NumPy'; exit 77; }
command -v gcc >/dev/null 2>&1 || { echo 'SKIP: no gcc'; exit 77; }
"$found" linear.py "$1" "$dir"
