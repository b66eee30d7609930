#!/bin/sh
# A plug-in for GPU benchmarks that needs nothing but the CUDA driver where it
# runs. usage: gpu_bundle.sh FFTGEN FOLDER NAME <LIST
# LIST: lines "PRECISION POINTS [BATCH [PLAN]]"; BATCH 0 or none: any. Out:
# FOLDER/NAME.so. Needs nvcc and cc; ARCH is sm_90 if not set.
set -eu
fftgen=$1 dir=$2 name=$3
here=$(cd "$(dirname "$0")/../.." && pwd)
arch=${ARCH:-sm_90}
include=$(dirname "$(dirname "$(command -v nvcc)")")/include
work=$dir/$name.work
rm -rf "$work"
mkdir -p "$work"
: >"$work/kernels.def"
while read -r precision points batch plan; do
  case $precision in '' | '#'*) continue ;; esac
  batch=${batch:-0}
  kernel=${name}_${precision}_${points}
  count=$batch
  [ "$batch" != 0 ] || count="count[1..$((points < 1073741824 ? 2147483648 / points : 2))]"
  set -- "c2c $precision n=$points batch=$count" --target cuda --prefix "$kernel" -o "$work"
  [ -z "$plan" ] || set -- "$@" --plan "$plan"
  if ! "$fftgen" emit "$@" >/dev/null; then
    echo "$name: left out: $precision $points $plan" >&2
    continue
  fi
  double=0
  [ "$precision" = f32 ] || double=1
  echo "KERNEL($kernel, $double, $points, $batch, 1)" >>"$work/kernels.def"
  printf '.section .rodata\n.balign 64\n.globl %s_image\n%s_image:\n.incbin "%s.cubin"\n' \
    "$kernel" "$kernel" "$work/$kernel" >>"$work/images.S"
done
echo '.section .note.GNU-stack,"",@progbits' >>"$work/images.S"
ls "$work"/*.cu | sed 's/\.cu$//' | xargs -P "${JOBS:-2}" -I{} nvcc -arch="$arch" -cubin -Xptxas -v -o {}.cubin {}.cu >"$work/ptxas.log" 2>&1
cc -shared -fPIC -O2 -I"$here" -I"$work" -I"$include" -DBUNDLE_NAME="\"$name\"" -o "$dir/$name.so" \
  "$here/tuning/contender/gpu_bundle.c" "$work"/*_cu_host.c "$work/images.S" -lm
echo "$dir/$name.so: $(wc -l <"$work/kernels.def") kernels; spilling: $(grep -c '[1-9][0-9]* bytes spill stores' "$work/ptxas.log" || true)"
