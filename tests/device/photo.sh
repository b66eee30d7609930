#!/bin/sh
# The picture of examples/photo on a GPU, beside cuFFT: microseconds and launches of both.
# usage: photo.sh FFTGEN [FOLDER]     FOLDER: where it builds; without a device it builds alone
set -eu
fftgen=$1 dir=${2:-$(mktemp -d)}
here=$(cd "$(dirname "$0")" && pwd)
command -v nvcc >/dev/null 2>&1 || { echo 'SKIP: no nvcc here'; exit 77; }
cuda=$(dirname "$(dirname "$(command -v nvcc)")")
mkdir -p "$dir"
emit() {
  "$fftgen" emit "$2" --target cuda --arch sm_90 --prefix "$1" -o "$dir" >/dev/null
  nvcc -arch=sm_90 -cubin -o "$dir/$1.cubin" "$dir/$1.cu"
  cc -O2 -I "$cuda/include" -c "$dir/$1_cu_host.c" -o "$dir/$1.o"
}
emit photo_spectrum 'r2c f32 n=1024x1024 load=u8 store=log(1+abs(x*h[k]))*13.1,u8'
emit photo_filter 'rconv f32 n=1024x1024 load=u8 store=u8 scale=1/n'
nvcc -O2 -std=c++17 -arch=sm_90 -o "$dir/photo" "$here/photo.cu" "$dir/photo_spectrum.o" "$dir/photo_filter.o" -lcufft -lcuda \
  -L"$cuda/lib64/stubs"
nvidia-smi >/dev/null 2>&1 || { echo 'SKIP: no CUDA device here'; exit 77; }
"$dir/photo" "$dir/photo_filter.cubin" "$dir/photo_spectrum.cubin"
