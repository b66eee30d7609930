#!/bin/sh
# Random calls under AddressSanitizer and UBSan, codelets included; and arrays of GPUs whose memory is the host's. usage: asan.sh ROOT FFTGEN FOLDER [CALLS [SEED]]
# Takes some ten minutes to build; FFTGEN is a program that runs here.
set -eu
root=$(realpath "$1") program=$(realpath "$2") folder=$3 calls=${4:-100000} seed=${5:-34}
python=${PYTHON:-/usr/bin/python3}
"$python" -c 'import numpy, sysconfig, os, sys; sys.exit(not os.path.exists(sysconfig.get_paths()["include"] + "/Python.h"))' 2>/dev/null || {
  echo 'SKIP: no python3-dev or python3-numpy'
  exit 77
}
cmake -G Ninja -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DFFTGEN_RUNTIME_ONLY=ON -DFFTGEN_PROGRAM="$program" -DFFTGEN_SANITIZE=ON \
  -DFFTGEN_SANITIZE_CODELETS=ON -DFFTGEN_FFTW_ISAS="${ISAS:-scalar,avx2}" -DFFTGEN_PYTHON=ON -DPython_EXECUTABLE="$python" \
  ${CMAKE_C_COMPILER_LAUNCHER:+-DCMAKE_C_COMPILER_LAUNCHER=$CMAKE_C_COMPILER_LAUNCHER} >/dev/null
ninja -C "$folder" fftgen_python fftgen_shared
export PYTHONPATH="$folder/python" PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0
checks=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
LD_PRELOAD=$checks "$python" "$root/python/tests/fuzz.py" "$calls" "$seed"

host=$folder/host
rm -rf "$host" && mkdir -p "$host" && cp -rL "$folder/python/fftgen" "$host"
gcc -shared -fPIC -g -O1 -I"$root" -I"$root/runtime/include" "$root/python/tests/host_gpu.c" -o "$host/host_gpu.so" "$folder/libfftgen.so" -Wl,-rpath,"$folder"
ln -s "$host/host_gpu.so" "$host/fftgen/$(basename "$(readlink "$folder/libfftgen.so")")"
cd "$root/python/tests"
export FFTGEN_CACHE="$host/cache" FFTGEN_WISDOM="$host/wisdom.jsonl" FFTGEN_JIT="$(dirname "$program")/libfftgen-jit.so" PYTHONDONTWRITEBYTECODE=1
LD_PRELOAD=$checks:$host/host_gpu.so PYTHONPATH="$host:host" "$python" -W ignore -m unittest -q test_host_gpu
LD_PRELOAD=$checks "$python" -W ignore -m unittest -q test_fused test_convolve
