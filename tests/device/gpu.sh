#!/bin/sh
# Everything that wants a real GPU, in one command: the device through the program,
# plans of the runtime and what they cost, the programs of the documentation, and
# one of the tests under compute-sanitizer where that is. For machines without the
# build's tools: only what the build made is needed. usage: gpu.sh ROOT BUILD
set -u
root=$1 build=$2
bad=0
cd "$root/tests" || exit 1
run() { # NAME COMMAND...
  name=$1
  shift
  echo "--- $name"
  "$@"
  code=$?
  case $code in
    0) ;;
    77) echo "SKIPPED: $name" ;;
    *)
      echo "FAILED: $name ($code)"
      bad=$((bad + 1))
      ;;
  esac
}
run plans "$build/tests/device_cuda_plan" "$build/libfftgen-jit.so"
run 'what plans cost' "$build/tests/runtime_bench" "$build/libfftgen-jit.so"
run 'the runtime from outside' sh device/runtime.sh "$root" "$build/fftgen" "$build/libfftgen.so" "$build/libfftgen-jit.so"
if command -v compute-sanitizer >/dev/null 2>&1; then
  run memcheck compute-sanitizer --error-exitcode 1 "$build/tests/device_cuda_plan" "$build/libfftgen-jit.so"
fi
[ "${BRIEF:-}" ] || run 'the device through the program' sh device/cuda.sh "$build/fftgen"
echo "$bad failures"
[ $bad = 0 ]
