#!/bin/sh
# Products of matrices by warps, on a GPU of compute capability 8.0 or more: a kernel for each shape of
# targets/forms/matrix.def, compared with the definition. usage: mma.sh TEST_MATRIX
set -u
found=$("$1" 2>&1) || { printf '%s\n' "$found"; exit 1; }
printf '%s\n' "$found" | grep 'relative error' && exit 0
printf '%s\n' "$found" | grep 'SKIP'
exit 77
