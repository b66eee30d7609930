#!/bin/sh
# Everything that wants a real GPU, in one command: a kernel of each recipe, also under
# compute-sanitizer's checks of memory and of races where that is; plans of the
# runtime and what they cost, the programs of the documentation, the device through
# the program. For machines without the
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
recipes="$build/tests/device_recipes cuda device/recipes.list"
# shellcheck disable=SC2086 # a command and its arguments
run 'every recipe' $recipes
run plans "$build/tests/device_cuda_plan" "$build/libfftgen-jit.so"
run 'what plans cost' "$build/tests/runtime_bench" "$build/libfftgen-jit.so"
run 'the runtime from outside' sh device/runtime.sh "$root" "$build/fftgen" "$build/libfftgen.so" "$build/libfftgen-jit.so"
if command -v compute-sanitizer >/dev/null 2>&1; then
  # shellcheck disable=SC2086
  for tool in memcheck racecheck; do run "$tool" compute-sanitizer --tool "$tool" --error-exitcode 1 $recipes 0; done
fi
[ "${BRIEF:-}" ] || run 'the device through the program' sh device/cuda.sh "$build/fftgen"
echo "$bad failures"
[ $bad = 0 ]
