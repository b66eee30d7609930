#!/bin/sh
# Full disks, and folders that nothing may be executed from: plans are made all the
# same, with a warning. Folders are full by a shim, whoever runs this; where this may
# mount file systems, also truly. Wisdom that cannot be written is printed.
# usage: full.sh FFTGEN SHIM LIBRARY INCLUDE
fftgen=$1 shim=$2 library=$3 include=$4
. "$(dirname "$0")/faults.sh"
here=$(cd "$(dirname "$0")" && pwd)
dir=$(realpath "$dir")
export FFTGEN_WISDOM="$dir/wisdom.jsonl" CC=
cc -std=c11 -O1 -I "$include" "$here/../runtime/inside.c" "$library" -Wl,-rpath,"$(dirname "$library")" -lm -pthread \
  -o "$dir/inside" || { echo 'FAIL: inside.c does not compile'; exit 1; }
mkdir "$dir/full" "$dir/open"
everywhere=$dir/full:$dir/tmp:$(realpath /tmp):$(realpath /dev/shm)

# plan WHAT WARNING COMMAND...: it makes a plan, which is right, and warns.
plan() {
  what=$1 warning=$2
  shift 2
  count=$((count + 1))
  "$@" >"$dir/stdout" 2>&1 || fail "$what: exit code $?: $(cat "$dir/stdout")"
  grep -q '^right' "$dir/stdout" || fail "$what: $(cat "$dir/stdout")"
  if [ -n "$warning" ]; then
    grep -Eq "^warning: .*($warning)" "$dir/stdout" || fail "$what: no warning of '$warning': $(cat "$dir/stdout")"
  else
    grep '^warning' "$dir/stdout" && fail "$what: a warning where nothing is wrong"
  fi
  leaves_nothing "$what"
  [ -z "$(find "$dir/full" -name 'new-*')" ] || fail "$what: halves stay in the cache"
}
with() { timeout 120 env "$@"; }
full() { # folders that are full, command...
  folders=$1
  shift
  rm -rf "$dir/full/cache"
  with LD_PRELOAD="$shim" FULL="$folders" FFTGEN_CACHE="$dir/full/cache" "$@"
}

plan 'no disk is full' '' with FFTGEN_CACHE="$dir/open/cache" "$dir/inside" plan 60
llvm=yes
[ -f "$(dirname "$library")/libfftgen-llvm.so" ] || { llvm=no && echo 'SKIP: libfftgen-llvm is not built'; }
if [ $llvm = yes ]; then
  plan 'the cache is full' 'No space.*written elsewhere' full "$dir/full" "$dir/inside" plan 60
  plan 'all disks are full' 'No space.*written elsewhere' full "$everywhere" "$dir/inside" plan 60
  count=$((count + 1))
  full "$everywhere" "$dir/inside" fork 120 >"$dir/stdout" 2>&1 || # several kernels in memory at once
    fail "all disks are full, several plans: $(cat "$dir/stdout")"
fi
if command -v gcc >/dev/null 2>&1; then
  plan 'gcc, the cache is full' 'gcc: No space.*written elsewhere' full "$dir/full" CC=gcc "$dir/inside" plan 60
  plan 'gcc, disks are full' 'No space.*written elsewhere' full "${everywhere%:*}" CC=gcc "$dir/inside" plan 60
  grep -q 'made by' "$dir/stdout" && fail "gcc, disks are full: not by gcc, which has /dev/shm: $(cat "$dir/stdout")"
  plan 'gcc, all is full' 'made by LLVM|scalar code by tcc' full "$everywhere" CC=gcc "$dir/inside" plan 60
  "$fftgen" pack 'c2c f32 n=60' --isa scalar -o "$dir/kernels.tar" >/dev/null || fail 'pack fails'
  plan 'a pack in one file, all is full' 'written elsewhere' full "$everywhere" FFTGEN_JIT= FFTGEN_PACK="$dir/kernels.tar" \
    "$dir/inside" plan 60
  grep -q '^right pack' "$dir/stdout" || fail "a pack in one file, all is full: $(cat "$dir/stdout")"
else
  echo 'SKIP: no gcc'
fi
plan 'tcc, all is full' 'scalar code by tcc' full "$everywhere" PATH=/nonexistent FFTGEN_LLVM= "$dir/inside" plan 60

# --- a quota: no file of a kernel's size, in memory neither; the program continues, and one with a smaller file works
count=$((count + 2))
rm -rf "$dir/quota"
(ulimit -f 1 && FFTGEN_CACHE="$dir/quota" with "$dir/inside" plan 61) 2>&1 | cat >"$dir/stdout"
grep -q 'no kernel for .*files in memory cannot be written, either' "$dir/stdout" || fail "a quota of half a KiB: $(cat "$dir/stdout")"
(ulimit -f 128 && FFTGEN_CACHE="$dir/quota" with "$dir/inside" plan 61) 2>&1 | cat >"$dir/stdout"
grep -q '^right' "$dir/stdout" || fail "a quota of 64 KiB: $(cat "$dir/stdout")"
leaves_nothing 'a quota'

# --- no PATH: the compiler that CC names is found where the system looks, or another way is taken
if [ -x /usr/bin/gcc ]; then
  plan 'gcc without a PATH' '' with -i CC=gcc TMPDIR="$TMPDIR" FFTGEN_CACHE="$dir/open/cache" "$dir/inside" plan 48
  grep -q '^right jit' "$dir/stdout" || fail "gcc without a PATH: $(cat "$dir/stdout")"
fi
plan 'a compiler that is not there' 'nowhere/cc: not found' with CC=nowhere/cc FFTGEN_CACHE="$dir/open/cache" "$dir/inside" plan 45
plan 'a compiler that fails' 'made by LLVM|scalar code by tcc' with CC="gcc -nonsense" FFTGEN_CACHE="$dir/open/cache" "$dir/inside" plan 45
plan 'the same once more' 'made by LLVM|scalar code by tcc' with CC="gcc -nonsense" FFTGEN_CACHE="$dir/open/cache" "$dir/inside" plan 45

# --- wisdom: what was measured is printed, the old file stays
tune() { full "$dir/full" "$fftgen" tune 'c2c f32 n=4' --again --device tcc --candidates 1 --wisdom "$dir/full/wisdom.jsonl"; }
"$fftgen" tune 'c2c f32 n=8' --device tcc --candidates 1 --wisdom "$dir/full/wisdom.jsonl" >/dev/null 2>&1 || fail 'tune fails'
cp "$dir/full/wisdom.jsonl" "$dir/before"
count=$((count + 1))
tune >"$dir/stdout" 2>"$dir/stderr"
code=$?
[ $code = 1 ] || fail "wisdom has no room: exit code $code"
grep -q 'No space left on device; this is what was to be written' "$dir/stderr" || fail "wisdom has no room: $(cat "$dir/stderr")"
grep '^{' "$dir/stdout" >"$dir/kept.jsonl" && "$fftgen" wisdom check "$dir/kept.jsonl" >/dev/null ||
  fail "wisdom has no room: what was measured is lost: $(cat "$dir/stdout")"
cmp -s "$dir/full/wisdom.jsonl" "$dir/before" || fail 'wisdom has no room: the old file is damaged'
leaves_nothing 'tune'
plan 'wisdom on a full disk' '' with LD_PRELOAD="$shim" FULL="$dir/full" FFTGEN_WISDOM="$dir/full/wisdom.jsonl" \
  FFTGEN_CACHE="$dir/open/cache" "$dir/inside" plan 60

# --- file systems: full, and noexec
mounted() { # options, script: with $dir/disk mounted so, and nobody else sees it
  timeout 120 unshare -rm sh -c 'mount -t tmpfs -o "$1" tmpfs "$2/disk" && shift && eval "$2"' sh "$1" "$dir" "$2"
}
mkdir "$dir/disk"
if mounted size=40k true 2>/dev/null; then
  for cc in '' gcc; do
    [ -z "$cc" ] || command -v $cc >/dev/null 2>&1 || continue
    [ -n "$cc" ] || [ $llvm = yes ] || continue
    plan "a disk without room for the cache's folders, CC=$cc" 'No space' mounted size=40k \
      "head -c 100000 /dev/zero >'$dir/disk/fill' 2>/dev/null; CC=$cc FFTGEN_CACHE='$dir/disk/cache' '$dir/inside' plan 60"
    plan "a disk without room for a kernel, CC=$cc" 'No space' mounted size=40k \
      "mkdir -p '$dir/disk/cache/objects' '$dir/disk/cache/index'; chmod -R go-w '$dir/disk/cache'; head -c 100000 /dev/zero >'$dir/disk/fill' 2>/dev/null
       CC=$cc FFTGEN_CACHE='$dir/disk/cache' '$dir/inside' plan 60"
    plan "noexec, CC=$cc" 'loaded from memory' mounted noexec \
      "CC=$cc FFTGEN_CACHE='$dir/disk/cache' '$dir/inside' plan 60"
    plan "noexec once more, CC=$cc" 'loaded from memory' mounted noexec \
      "CC=$cc FFTGEN_CACHE='$dir/disk/cache' '$dir/inside' plan 60 >/dev/null; CC=$cc FFTGEN_CACHE='$dir/disk/cache' '$dir/inside' plan 60"
    grep -q '^right cache' "$dir/stdout" || fail "noexec once more: $(cat "$dir/stdout")"
  done
else
  echo 'SKIP: no file system can be mounted here'
fi

done_with 'programs on full disks'
