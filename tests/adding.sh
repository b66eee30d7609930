#!/bin/sh
# The patches of docs/adding.md: each applies, changes the files that its section names and no others, and what it adds
# can be used. usage: adding.sh ROOT
set -u
root=$(realpath "$1")
for tool in patch cmake ninja; do
  command -v $tool >/dev/null 2>&1 || { echo "SKIP: no $tool here"; exit 77; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { echo "FAIL: $*"; bad=$((bad + 1)); }

# Sections of the page in FOLDER/NAME.text, their patches in FOLDER/NAME.diff.
split() { # page folder
  awk -v to="$2" '
    /^## / { text = $0 "\n" }
    /^```diff / { name = $2; sub(/\.diff$/, "", name); printf "%s", text >(to "/" name ".text"); file = to "/" name ".diff"; next }
    file != "" { if (/^```/) { close(file); file = "" } else print >file; next }
    { text = text $0 "\n" }
  ' "$1"
}

# Files that a patch changes and its section does not name.
unnamed() { # folder name
  sed -n 's!^+++ b/!!p' "$1/$2.diff" | while read -r file; do
    grep -qF "\`$file\`" "$1/$2.text" || echo "$file"
  done
}

# The check itself sees a file that is not named.
mkdir "$dir/probe" "$dir/patches"
printf '## A thing\n\nIn `a/b.c`.\n\n```diff thing.diff\n--- a/a/b.c\n+++ b/a/b.c\n--- a/c.c\n+++ b/c.c\n```\n' >"$dir/probe/page.md"
split "$dir/probe/page.md" "$dir/probe"
[ "$(unnamed "$dir/probe" thing)" = c.c ] || { echo 'the check itself is broken'; exit 1; }

split "$root/docs/adding.md" "$dir/patches"
mkdir "$dir/tree"
(cd "$root" && tar -cf - --exclude=.git --exclude='./build*' --exclude='./python/build*' .) | tar -xf - -C "$dir/tree"
count=0
for patch in "$dir"/patches/*.diff; do
  name=$(basename "$patch" .diff)
  count=$((count + 1))
  wrong=$(unnamed "$dir/patches" "$name")
  [ -z "$wrong" ] || fail "$name changes $wrong, which its section does not name"
  (cd "$dir/tree" && patch -p1 --fuzz=0 --no-backup-if-mismatch <"$patch") >"$dir/said" 2>&1 || fail "$name does not apply: $(cat "$dir/said")"
done
[ $count = 6 ] || fail "$count patches, of 6"
for habit in pages includes shape; do
  sh "$dir/tree/tests/habits/$habit.sh" "$dir/tree" >"$dir/said" 2>&1 || fail "habits.$habit: $(cat "$dir/said")"
done
[ $bad = 0 ] || exit 1

cmake -G Ninja -S "$dir/tree" -B "$dir/build" -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0 >"$dir/said" 2>&1 &&
  ninja -C "$dir/build" -j2 fftgen >>"$dir/said" 2>&1 || { grep -E 'error|FAILED' "$dir/said" | head; tail -3 "$dir/said"; exit 1; }
fftgen=$dir/build/fftgen
FFTGEN_WISDOM=$dir/wisdom.jsonl HOME=$dir
export FFTGEN_WISDOM HOME
says() { # what is expected, command
  expected=$1
  shift
  "$@" >"$dir/said" 2>&1 || fail "$*: $(head -3 "$dir/said")"
  grep -qe "$expected" "$dir/said" || fail "$*: no '$expected': $(head -5 "$dir/said")"
}
says '^ *8' "$fftgen" ops 8 --algo halved
says k.c "$fftgen" emit 'c2c f64 n=32' --plan 'copied(stockham(8,4))' --prefix k -o "$dir/out"
grep -q 'copied(stockham(8,4)' "$dir/out/k.c" || fail 'no plan copied(...) in what was emitted'
grep -q 'a stage that copies: ' "$dir/out/k.c" || fail 'the pass says nothing'
says 'copied(PLAN)' "$fftgen" help plan
says 'stockham(4,4,4)' "$fftgen" plan 'c2c f32 n=64' --isa scalar
says 'least_split' "$fftgen" help parameters
says '' "$fftgen" emit 'c2c f32 n=64' --plan 'stockham(8,8; least_split=0)' --prefix k -o "$dir/out"
says 'k.cl' "$fftgen" emit 'r2c f32 n=64 batch=3' --target clspv --prefix k -o "$dir/out"
says 'clspv' "$fftgen" devices
echo "$count patches, $bad failures"
[ $bad = 0 ]
