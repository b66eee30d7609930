#!/bin/sh
# A plug-in for GPU benchmarks that needs nothing but the CUDA driver where it
# runs. usage: gpu_bundle.sh FFTGEN FOLDER NAME <LIST
# LIST: lines "[KIND] PRECISION DIMS [BATCH [PLAN]]"; KIND: c2c (none), r2c or c2r; DIMS:
# 1024, 256x256; BATCH 0 or none: any, gib: as many as hold one GiB of input. Out:
# FOLDER/NAME.so. Needs nvcc and cc; ARCH is sm_90 if not set, and MACHINE, whose plans are
# emitted (fftgen help machines), is ARCH. STEP=emit stops before
# compiling, STEP=compile continues from there, in the same place of another machine. JOBS: at a time, of both (2).
set -eu
fftgen=$1 dir=$2 name=$3
here=$(cd "$(dirname "$0")/../.." && pwd)
arch=${ARCH:-sm_90}
include=$(dirname "$(dirname "$(command -v nvcc)")")/include
work=$dir/$name.work

# One line of the list; what does not go is left out.
emit_one() {
  kernel=$1
  shift
  "$fftgen" emit "$@" --target cuda --arch "${MACHINE:-$arch}" --prefix "$kernel" -o "$work" >/dev/null || echo "$name: left out: $*" >&2
}

emit_all() {
  rm -rf "$work"
  mkdir -p "$work"
  : >"$work/wanted"
  running=0
  while read -r kind rest; do
    case $kind in '' | '#'*) continue ;; c2c | r2c | c2r) ;; *) rest="$kind $rest" kind=c2c ;; esac
    read -r precision dims batch plan <<EOF
$rest
EOF
    case $precision in f16) number=0 bytes=2 ;; f32) number=1 bytes=4 ;; f64) number=2 bytes=8 ;; esac
    points=$(($(echo "$dims" | tr x '*'))) batch=${batch:-0} last=${dims##*x}
    case $kind in # the harness's number, and numbers of an input
      c2c) code=0 numbers=$((2 * points)) ;;
      r2c) code=2 numbers=$points ;;
      c2r) code=3 numbers=$((points / last * 2 * (last / 2 + 1))) ;;
    esac
    [ "$batch" != gib ] || batch=$((1073741824 / bytes / numbers))
    kernel=${name}_${kind}_${precision}_${dims}
    count=$batch
    [ "$batch" != 0 ] || count="count[1..$((points < 1073741824 ? 2147483648 / points : 2))]"
    set -- "$kind $precision n=$dims batch=$count"
    [ -z "$plan" ] || set -- "$@" --plan "$plan"
    echo "$kernel $dims $batch $number $code" >>"$work/wanted"
    emit_one "$kernel" "$@" &
    running=$((running + 1))
    [ "$running" -lt "${JOBS:-2}" ] || { wait && running=0; }
  done
  wait
}

# What nvcc did not take is left out, too.
link_all() {
  : >"$work/kernels.def"
  : >"$work/images.S"
  while read -r kernel dims batch number code; do
    [ -f "$work/$kernel.cu" ] || continue
    [ -f "$work/$kernel.cubin" ] || { echo "$name: left out, not compiled: $kernel" >&2 && rm "$work/${kernel}_cu_host.c" && continue; }
    echo "KERNEL($kernel, \"$dims\", $batch, $number, $code)" >>"$work/kernels.def"
    printf '.section .rodata\n.balign 64\n.globl %s_image\n%s_image:\n.incbin "%s.cubin"\n' \
      "$kernel" "$kernel" "$work/$kernel" >>"$work/images.S"
  done <"$work/wanted"
  echo '.section .note.GNU-stack,"",@progbits' >>"$work/images.S"
  cc -shared -fPIC -O2 -I"$here" -I"$work" -I"$include" -DBUNDLE_NAME="\"$name\"" -o "$dir/$name.so" \
    "$here/tuning/contender/gpu_bundle.c" "$work"/*_cu_host.c "$work/images.S" -lm
  echo "$dir/$name.so: $(wc -l <"$work/kernels.def") kernels; spilling: $(grep -c '[1-9][0-9]* bytes spill stores' "$work/ptxas.log" || true)"
}

compile_all() {
  ls "$work"/*.cu | sed 's/\.cu$//' | xargs -P "${JOBS:-2}" -I{} nvcc -arch="$arch" -cubin -Xptxas -v -o {}.cubin {}.cu >"$work/ptxas.log" 2>&1 || true
  link_all
}

case ${STEP:-both} in
emit) emit_all ;;
compile) compile_all ;;
both) emit_all && compile_all ;;
esac
