#!/bin/sh
# Sources by clang-tidy 14 and the checks of .clang-tidy. usage: tidy.sh ROOT BUILD [FILE...]
# Without files: those that differ from the last commit, those of the last commit, and some more
# by a seed that is printed; FFTGEN_TIDY_SEED=SEED draws the same again. All of them: ./dev tidy.
set -eu
root=$(realpath "$1") build=$(realpath "$2")
shift 2
drawn=8
command -v clang-tidy-14 >/dev/null || { echo 'SKIP: no clang-tidy-14 here'; exit 77; }
[ -f "$build/compile_commands.json" ] || { echo "FAIL: $build has no compile_commands.json"; exit 1; }
cd "$root"

# Sources of the tree; what the build itself writes is emitted text.
known() {
  sed -n "s|^ *\"file\": \"$root/\(.*\.c\)\",*\$|\1|p" "$build/compile_commands.json" |
    grep -v "^${build#"$root"/}/" | LC_ALL=C sort -u
}

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
known >"$dir/known"
[ "$(wc -l <"$dir/known")" -gt 300 ] || { echo "FAIL: $build compiles only $(wc -l <"$dir/known") sources"; exit 1; }
if [ $# -gt 0 ]; then
  printf '%s\n' "$@" >"$dir/wanted"
else
  seed=${FFTGEN_TIDY_SEED:-$(date +%s)}
  echo "seed $seed"
  awk -v seed="$seed" 'BEGIN { srand(seed) } { print rand(), $0 }' "$dir/known" | sort | head -n $drawn | cut -d ' ' -f 2 >"$dir/wanted"
  # A tree without git has no changes to look at.
  { git diff --name-only HEAD && git diff --name-only HEAD~1 HEAD; } 2>/dev/null | tail -n 40 >>"$dir/wanted" || true
fi
LC_ALL=C sort -u "$dir/wanted" | LC_ALL=C comm -12 - "$dir/known" >"$dir/files"
[ -s "$dir/files" ] || { echo 'FAIL: none of these is compiled here'; exit 1; }
status=0
xargs -P "${JOBS:-2}" -n 6 clang-tidy-14 -p "$build" --quiet --extra-arg=-Wno-ignored-optimization-argument <"$dir/files" >"$dir/out" 2>"$dir/err" || status=1
if [ $status -ne 0 ]; then
  grep -E '(warning|error): ' "$dir/out" | sed "s|^$root/||" | LC_ALL=C sort -u
  grep -vE 'warnings? (generated|treated)|^$' "$dir/err" || true
fi
echo "$(wc -l <"$dir/files") files read"
exit $status
