#!/bin/sh
# The picture of examples/photo on a GPU, beside cuFFT: microseconds and launches of both.
# usage: photo.sh FFTGEN [FOLDER]     FOLDER: where it builds; without a device it builds alone
set -eu
fftgen=$1 dir=${2:-$(mktemp -d)}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$dir"
# Two programs of two kernels: rows, and columns that become a picture; columns there and back, and rows.
problem_of() {
  case $1 in
    rows) echo 'r2c f32 n=1024 batch=1024 load=u8' ;;
    levels) echo 'c2c f32 n=1024:513:513 batch=513:1:1 store=log(1+abs(x*h[b,k]))*13.1,u8' ;;
    columns) echo 'conv f32 n=1024:513:513 batch=513:1:1 spectrum=each scale=1/n' ;;
    back) echo 'c2r f32 n=1024 batch=1024 scale=1/n store=u8' ;;
  esac
}
for part in rows levels columns back; do
  "$fftgen" emit "$(problem_of $part)" --target cuda --arch sm_90 --prefix photo_$part -o "$dir" >/dev/null
  kernels=$(grep -c '"kernel":' "$dir/photo_${part}_cu.json")
  [ "$kernels" = 1 ] || { echo "FAIL: $(problem_of $part): $kernels kernels"; exit 1; }
done
command -v nvcc >/dev/null 2>&1 || { echo 'SKIP: four kernels, and no nvcc here'; exit 77; }
cuda=$(dirname "$(dirname "$(command -v nvcc)")")
for part in rows levels columns back; do
  nvcc -arch=sm_90 -cubin -o "$dir/photo_$part.cubin" "$dir/photo_$part.cu"
  cc -O2 -I "$cuda/include" -c "$dir/photo_${part}_cu_host.c" -o "$dir/photo_$part.o"
done
nvcc -O2 -std=c++17 -arch=sm_90 -o "$dir/photo" "$here/photo.cu" "$dir"/photo_*.o -lcufft -lcuda -L"$cuda/lib64/stubs"
nvidia-smi >/dev/null 2>&1 || { echo 'SKIP: no CUDA device here'; exit 77; }
"$dir/photo" "$dir"
