#!/bin/sh
# The Python package: its tests, and random calls. usage: python.sh PYTHON PACKAGE ROOT [CALLS]
set -eu
python=$1 package=$2 root=$3 calls=${4:-3000}
[ -n "$python" ] && [ -f "$package/fftgen/_core.abi3.so" ] || {
  echo 'SKIP: the Python extension is not built: it wants python3-dev and python3-numpy'
  exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONPATH="$package" PYTHONDONTWRITEBYTECODE=1 FFTGEN_CACHE="$folder/cache" FFTGEN_WISDOM="$folder/wisdom.jsonl"
cd "$root/python/tests"
"$python" -c 'import numpy; print("NumPy", numpy.__version__)'
"$python" -c 'import scipy; print("SciPy", scipy.__version__)' 2>/dev/null || echo 'no SciPy: its backend is not tested'
"$python" -W ignore -m unittest -q test_definition test_arrays test_halves test_package test_plans test_fused test_convolve test_long test_compare test_notebooks test_numba
"$python" -c 'import torch; print("PyTorch", torch.__version__)' 2>/dev/null || echo 'no PyTorch: its tensors are not tested'
"$python" -c 'import jax; print("JAX", jax.__version__)' 2>/dev/null || echo 'no JAX: fftgen.jax_ops is not tested'
"$python" -W ignore -m unittest -q test_torch test_jax test_gpu

# GPUs whose memory is the host's: a driver, and a libfftgen beside the extension (host_gpu.c).
if [ -f "$package/host_gpu.so" ]; then
  mkdir -p "$folder/package/fftgen"
  cp "$package"/fftgen/* "$folder/package/fftgen"
  ln -s "$package/host_gpu.so" "$folder/package/fftgen/libfftgen.so.$(sed -n 's/^## \([0-9]*\.[0-9]*\)\..*/\1/p' "$root/CHANGELOG.md" | head -1)"
  LD_PRELOAD="$package/host_gpu.so" PYTHONPATH="$folder/package:host" "$python" -W ignore -m unittest -q test_host_gpu test_host_gpu_page test_torch
else
  echo 'no libfftgen in this build: arrays of a GPU are not tested'
fi
"$python" fuzz.py "$calls" 34
