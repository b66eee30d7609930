#!/bin/sh
# The Python package on a real GPU: its tests there, notebooks, what calls cost, and the page of comparisons, in PAGE.
# usage: python.sh PYTHON BUILD PAGE [SECONDS]; the build has python/, libfftgen.so, libfftgen-jit.so and the program
set -u
python=$1 build=$(realpath "$2") page=$(realpath -m "$3") seconds=${4:-200}
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1 FFTGEN_PROGRAM="$build/fftgen" FFTGEN_CACHE="$folder/cache"
cd "$root/python/tests" || exit 1
bad=0
for test in test_gpu test_jax test_numba test_fused test_convolve test_notebooks; do
  echo "--- $test"
  timeout 300 "$python" -W ignore -m unittest $test >"$folder/log" 2>&1 || bad=1
  tail -15 "$folder/log"
done
echo '--- bench/fused.py, of the host'
"$python" "$root/python/bench/fused.py" 10 35
echo '--- compare'
timeout $((${seconds%.*} + 120)) "$python" -m fftgen.compare --quick --seconds "$seconds" -o "$page" --json "${page%.html}.json" || bad=1
exit $bad
