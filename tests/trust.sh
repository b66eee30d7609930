#!/bin/sh
# What docs/security.md says about programs that use libfftgen: each part here is named there.
# usage: trust.sh FFTGEN LIBRARY JIT LLVM INCLUDE (LLVM: a file that need not be there)
set -eu
fftgen=$1 library=$2 jit=$3 llvm=$4 include=$5
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
chmod 755 .
fail() { echo "FAIL: $*"; exit 1; }
if nm "$library" | grep -q __asan_; then echo 'SKIP: this build is instrumented'; exit 77; fi
command -v gcc >/dev/null 2>&1 || { echo 'SKIP: no gcc here'; exit 77; }
gcc=$(command -v gcc)

# A folder with the library, its plugins beside it, and a program against it.
mkdir home safe alone bare evil
soname=$(basename "$(realpath "$library")")
soname=${soname%.*} # libfftgen.so.0.2 of libfftgen.so.0.2.0
cp -L "$library" "safe/$soname"
cp -L "$library" "alone/$soname"
cp -L "$library" "bare/$soname" # without LLVM, so that a compiler is wanted
cp "$jit" safe/libfftgen-jit.so
cp "$jit" bare/libfftgen-jit.so
if [ -e "$llvm" ]; then cp "$llvm" safe/libfftgen-llvm.so; fi
for folder in safe alone bare; do
  cc -std=c99 -I "$include" "$here/runtime/user.c" "$folder/$soname" -lm -Wl,-rpath,"$dir/$folder" -o "$folder/user"
done
export HOME="$dir/home" FFTGEN_WISDOM="$dir/none.jsonl" FFTGEN_CACHE="$dir/cache"
unset CC FFTGEN_CC FFTGEN_PACK FFTGEN_JIT FFTGEN_LLVM XDG_CACHE_HOME XDG_DATA_HOME || true

# Programs and a library that leave a trace wherever they are run or loaded.
log="$dir/log"
: >"$log"
chmod 666 "$log"
for name in gcc clang evil.sh other.sh; do
  printf '#!/bin/sh\necho "%s $*" >>"%s"\nexec "%s" "$@"\n' "$name" "$log" "$gcc" >evil/$name
  chmod 755 evil/$name
done
printf '#include <stdio.h>\n__attribute__((constructor)) static void f(void) { FILE *l = fopen("%s", "a"); if (l) fputs("loaded\\n", l), fclose(l); }\n' "$log" >evil.c
cc -shared -fPIC evil.c -o evil/evil.so
quiet() { [ ! -s "$log" ] || fail "$1: $(cat "$log")"; }
heard() { grep -q "$2" "$log" || fail "$1: $(cat "$log")"; : >"$log"; }
user() { ./safe/user 'c2c f32 n=64' 64 >out || fail "$1: $(cat out)"; }

# --- wisdom: a line names a command, and nothing runs it
"$fftgen" tune 'c2c f32 n=64' --budget 5s --isa scalar --compiler gcc --wisdom mine.jsonl >/dev/null
grep -q '"command"' mine.jsonl && fail 'tune writes a command'
grep -q '"compiler_kind":"gcc [0-9]*\.[0-9]*"' mine.jsonl || fail "the kind of compiler: $(cat mine.jsonl)"
edit() { sed -e 's/,"check":"[^"]*"//' -e 's#"compiler_kind":"[^"]*"#'"$1#" mine.jsonl; }
edit "\"command\":\"$dir/evil/evil.sh\"" >theirs.jsonl
"$fftgen" wisdom check theirs.jsonl >checked || fail 'an old line is damaged'
grep -q 'line 1: its command is ignored' checked || fail "check is silent: $(cat checked)"
"$fftgen" wisdom merge theirs.jsonl -o merged.jsonl 2>checked
grep -q 'name a command, which is ignored' checked || fail "merge is silent: $(cat checked)"
grep -q '"command"' merged.jsonl && fail "merge passes a command on: $(cat merged.jsonl)"
"$fftgen" wisdom check merged.jsonl >checked && grep -q '1 lines good' checked || fail "merged: $(cat checked)"
"$fftgen" wisdom merge mine.jsonl theirs.jsonl -o merged.jsonl 2>checked # a line of ours is better
grep -q 'name a command, which is ignored' checked || fail "merge is silent of a line that it drops: $(cat checked)"
for kind in "\"command\":\"$dir/evil/evil.sh\"" "\"compiler_kind\":\"$dir/evil/evil.sh\"" \
  "\"compiler_kind\":\"gcc $dir/evil/evil.sh\"" '"compiler_kind":"evil.sh"' '"compiler_kind":"gcc -fplugin=evil.so"'; do
  edit "$kind" >theirs.jsonl
  rm -rf cache
  FFTGEN_WISDOM=theirs.jsonl user "with $kind"
  grep -q '^jit ' out || fail "with $kind: $(cat out)"
  quiet "wisdom with $kind"
done

# --- wisdom: the kind of compiler is looked for in PATH, under the names that the code knows
edit '"compiler_kind":"gcc 99.1"' >theirs.jsonl
rm -rf cache
PATH=$dir/evil:$PATH FFTGEN_WISDOM=theirs.jsonl user 'a kind'
heard 'gcc in PATH was not asked' '^gcc .*-shared'
grep -q '"problem"' theirs.jsonl || fail 'the line is gone'

# --- compilers: FFTGEN_CC before CC, either before wisdom
rm -rf cache
FFTGEN_CC=$dir/evil/other.sh CC=$dir/evil/evil.sh FFTGEN_WISDOM=theirs.jsonl user FFTGEN_CC
grep -q '^evil.sh' "$log" && fail "CC came before FFTGEN_CC: $(cat "$log")"
heard 'FFTGEN_CC was not asked' '^other.sh .*-shared'
rm -rf cache
CC=$dir/evil/evil.sh FFTGEN_WISDOM=theirs.jsonl user CC
heard 'CC was not asked' '^evil.sh .*-shared'

# --- packs: loaded where they are named, and nowhere else
"$fftgen" pack 'c2c f32 n=64' --isa scalar -o pack >/dev/null
"$fftgen" pack 'c2c f32 n=64' --isa scalar -o pack.tar >/dev/null
mkdir -p here cache home/.cache/fftgen home/.local/share/fftgen
for place in here safe cache home/.cache/fftgen home/.local/share/fftgen; do cp pack/* "$place"; cp -r pack pack.tar "$place"; done
(cd here && FFTGEN_JIT='' ../safe/user 'c2c f32 n=64' 64 >../out) && fail "a pack that nobody named: $(cat out)"
grep -q 'pack: none given' out || fail "a pack that nobody named: $(cat out)"
FFTGEN_PACK=pack FFTGEN_JIT='' user 'a pack that was named'
grep -q '^pack ' out || fail "a pack that was named: $(cat out)"
rm -rf safe/*.so safe/pack* cache home/.cache home/.local
cp "$jit" safe/libfftgen-jit.so
if [ -e "$llvm" ]; then cp "$llvm" safe/libfftgen-llvm.so; fi

# --- files that are none: a message, and nobody waits
mkfifo fifo
soon() { timeout 20 "$@" >out 2>&1 && return 0 || status=$?; [ "$status" != 124 ] || fail "waits: $*"; return "$status"; }
for action in show check prune; do
  if FFTGEN_WISDOM=fifo soon "$fftgen" wisdom $action; then fail "wisdom $action of a FIFO"; fi
done
if FFTGEN_WISDOM=fifo soon "$fftgen" wisdom explain 'c2c f32 n=8'; then fail 'wisdom explain of a FIFO'; fi
for action in show check merge prune; do
  if soon "$fftgen" wisdom $action fifo; then fail "wisdom $action of a FIFO"; fi
  grep -q 'fifo: not a regular file' out || fail "wisdom $action of a FIFO: $(cat out)"
done
FFTGEN_WISDOM=fifo soon ./safe/user 'c2c f32 n=64' 64 || fail "wisdom that is a FIFO: $(cat out)"
grep -q 'wisdom: fifo: not a regular file' out || fail "wisdom that is a FIFO: $(cat out)"
pack_of() { FFTGEN_CACHE=/proc/none FFTGEN_JIT='' FFTGEN_PACK=$1 soon ./safe/user 'c2c f32 n=64' 64; }
if pack_of fifo; then fail 'a pack that is a FIFO'; fi
grep -q 'pack: no pack.jsonl in it' out || fail "a pack that is a FIFO: $(cat out)"
pack_of pack.tar || fail "an archive: $(cat out)"
object=$(cd pack && ls -- *.so)
mv "pack/$object" object.so && mkfifo "pack/$object"
if pack_of pack; then fail 'an object that is a FIFO'; fi
grep -q "$object: not a regular file" out || fail "an object that is a FIFO: $(cat out)"
FFTGEN_WISDOM=/dev/zero soon ./safe/user 'c2c f32 n=64' 64 || fail "wisdom that is a device: $(cat out)"
grep -q 'wisdom: /dev/zero: not a regular file' out || fail "wisdom that is a device: $(cat out)"
rm pack/pack.jsonl && mkfifo pack/pack.jsonl
if pack_of pack; then fail 'an index that is a FIFO'; fi
grep -q 'pack.jsonl: not a regular file' out || fail "an index that is a FIFO: $(cat out)"

# --- set-user-id: no variable, no cache of the user's, no compiler, no plugin but the one beside the library
cat >secure.c <<'C'
#include <sys/auxv.h>
int main(void) { return getauxval(AT_SECURE) ? 0 : 77; }
C
cat >called.c <<'C'
#include <unistd.h>
int main(int argc, char **argv) { return argc < 3 ? 2 : execv(argv[1], argv + 2); }
C
cc secure.c -o safe/secure
cc called.c -o called
archive=$(dirname "$library")/libfftgen.a
if [ -e "$archive" ]; then cc -I "$include" "$here/runtime/user.c" "$archive" -lm -ldl -o safe/static; fi
"$fftgen" pack 'c2c f32 n=64' --isa scalar -o evil/pack >/dev/null
mkdir -m 777 evil/cache evil/house evil/tmp
cp evil/evil.so evil/libfftgen-jit.so
evil() {
  env PATH="$dir/evil:$PATH" HOME="$dir/evil/house" XDG_CACHE_HOME="$dir/evil/house" XDG_DATA_HOME="$dir/evil/house" \
    FFTGEN_CACHE="$dir/evil/cache" FFTGEN_WISDOM="$dir/theirs.jsonl" TMPDIR="$dir/evil/tmp" LD_LIBRARY_PATH="$dir/evil" \
    FFTGEN_JIT="$dir/evil/evil.so" FFTGEN_LLVM="$dir/evil/evil.so" \
    CC="$dir/evil/evil.sh" FFTGEN_CC="$dir/evil/evil.sh" "$@"
}
with_rights() { # the bit
  evil FFTGEN_PACK="$dir/evil/pack" ./safe/user 'c2c f32 n=64' 64 >out || fail "$1: $(cat out)"
  grep -q '^jit ' out || fail "$1: not made by the plugin beside the library: $(cat out)"
  grep -q 'pack: none given' out || fail "$1: a pack: $(cat out)"
  grep -q 'wisdom: no file' out || fail "$1: wisdom: $(cat out)"
  grep -q 'cache: ' out || fail "$1: a cache: $(cat out)"
  if evil ./alone/user 'c2c f32 n=64' 64 >out; then fail "$1: a plugin from elsewhere: $(cat out)"; fi
  grep -q 'none beside the library' out || fail "$1: a plugin from elsewhere: $(cat out)"
  evil ./bare/user 'c2c f32 n=64' 64 >out || fail "$1: no compiler, and no tcc: $(cat out)"
  grep -q '^jit ' out || fail "$1: not made by tcc: $(cat out)"
  if [ -e safe/static ]; then
    if evil ./called safe/static "$dir/evil/name" 'c2c f32 n=64' 64 >out; then fail "$1: linked in: $(cat out)"; fi
    grep -q 'none beside the library' out || fail "$1: linked in: $(cat out)"
  fi
  quiet "$1"
  [ -z "$(find evil/cache evil/house evil/tmp -mindepth 1)" ] || fail "$1: files of it: $(find evil)"
}
: >"$log"
evil ./safe/user 'c2c f32 n=64' 64 >out || true # without the bit the environment counts
heard 'FFTGEN_JIT' loaded
FFTGEN_CACHE=/proc/none PATH="$dir/evil:$PATH" ./bare/user 'c2c f32 n=64' 64 >out || fail "a compiler of PATH: $(cat out)"
heard 'a compiler of PATH' '^gcc .*-shared'
if [ -e safe/static ]; then
  FFTGEN_CACHE=/proc/none ./called safe/static "$dir/evil/name" 'c2c f32 n=64' 64 >out || true
  heard 'argv[0] of a program that libfftgen is linked into' loaded
fi
for bit in u+s g+s; do
  rm -rf evil/cache/* evil/house/* evil/tmp/*
  for program in secure user; do chown 65534:65534 safe/$program && chmod $bit safe/$program; done 2>/dev/null || true
  if [ "$(id -u)" != 0 ] || ! ./safe/secure; then
    echo "SKIP $bit: not root, or such programs gain nothing here"
    continue
  fi
  for program in safe/user alone/user bare/user safe/static; do
    if [ -e $program ]; then chown 65534:65534 $program && chmod $bit $program; fi
  done
  with_rights $bit
  chown 0:0 safe/* alone/* bare/* # which takes the bits away
done
echo 'what is not trusted is not believed'
