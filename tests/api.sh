#!/bin/sh
# The reference of the public headers can be made without a complaint, and it has their
# functions and fields with what the headers say of them. usage: api.sh ROOT
set -u
cd "$1" || exit 2
command -v doxygen >/dev/null 2>&1 || { echo 'SKIP: no doxygen (package doxygen)'; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { bad=$((bad + 1)); echo "FAIL: $*"; }
(cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $dir"; echo 'GENERATE_XML = YES'; echo 'GENERATE_HTML = NO') | doxygen - >"$dir/log" 2>&1 ||
  fail "doxygen: $(tail -n 3 "$dir/log")"
count=0
for name in $(sed -n 's/^FFTGEN_API .*[ *]\(fftgen_[a-z_]*\)(.*/\1/p' runtime/include/fftgen/*.h | sort -u); do
  count=$((count + 1))
  grep -rq "<name>$name</name>" "$dir/xml" || fail "no $name"
done
[ $count -ge 10 ] || fail "$count functions in the headers"
grep -rqi 'zero in a field: the default' "$dir/xml/structfftgen__options.xml" || fail 'the struct of options says nothing of itself'
grep -q 'default: malloc' "$dir/xml/structfftgen__options.xml" || fail 'fields say nothing'
echo "$count functions, $bad failures"
[ $bad = 0 ]
