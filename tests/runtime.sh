#!/bin/sh
# libfftgen from outside: what it weighs, needs and exports; a program in C and one
# in C++ against it; a pack on a machine without compiler and plugin; the numbers
# of docs/runtime.md. usage: runtime.sh FFTGEN LIBRARY JIT INCLUDE
set -eu
fftgen=$1 library=$2 jit=$3 include=$4
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
export FFTGEN_WISDOM="$dir/wisdom.jsonl" FFTGEN_CACHE="$dir/cache" FFTGEN_JIT="$jit"
fail() { echo "FAIL: $*"; exit 1; }

# --- weight, needs, exports; an instrumented build weighs more and needs more
cp "$library" stripped.so
if ! nm "$library" | grep -q __asan_; then
  strip stripped.so
  bytes=$(wc -c <stripped.so)
  [ "$bytes" -lt 344064 ] || fail "libfftgen weighs $bytes bytes; allowed: 336 KiB"
  needs=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -Ev '^(libc|libm|libdl|ld-linux.*)\.so' || true)
  [ -z "$needs" ] || fail "libfftgen needs $needs"
  echo "libfftgen: $bytes bytes stripped"
else
  echo "SKIP: size and needs: this build is instrumented"
fi
foreign=$(nm -D --defined-only "$library" | awk '$3 !~ /^fftgen_/ { print $3 }' | grep -v '^__' || true)
[ -z "$foreign" ] || fail "libfftgen exports $foreign"
foreign=$(nm -D --defined-only "$jit" | awk '$3 !~ /^fftgen_jit$/ { print $3 }' | grep -v '^__' || true)
[ -z "$foreign" ] || fail "libfftgen-jit exports $foreign"

# --- a user's program
cp "$here/runtime/user.c" user.c
cp user.c user.cc
sanitize=
if nm "$library" | grep -q __asan_; then sanitize='-fsanitize=address,undefined'; fi
# shellcheck disable=SC2086
cc -std=c99 -Wall -Wextra -Wpedantic -Werror $sanitize -I "$include" user.c "$library" -lm -Wl,-rpath,"$(dirname "$library")" -o user_c
# shellcheck disable=SC2086
c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror $sanitize -I "$include" user.cc "$library" -lm -Wl,-rpath,"$(dirname "$library")" -o user_cc
./user_c 'c2c f32 n=64' 64 >first || fail "the program in C: $(cat first)"
grep -q '^jit ' first || fail "first run: $(cat first)"
./user_cc 'c2c f32 n=64' 64 >second || fail "the program in C++: $(cat second)"
grep -q '^cache ' second || fail "second run: $(cat second)"
cat second

# --- tuned once, then found
"$fftgen" tune 'c2c f32 n=128' --budget 60s --candidates 2 >tuned
"$fftgen" wisdom show >shown
grep -q 'c2c f32 n=128' shown || fail "wisdom does not know what was tuned: $(cat shown)"
plan=$(sed -n 's/.*"plan":"\([^"]*\)".*/\1/p' wisdom.jsonl)
grep -q "\"date\":\"$(date -u +%Y)-.*\"made_by\":\"[^\"]*fftgen tune 'c2c f32 n=128' --budget 60s" wisdom.jsonl || fail "the line does not say who made it: $(cat wisdom.jsonl)"
./user_c 'c2c f32 n=128' 128 >third || fail "after tuning: $(cat third)"
grep -qF "$plan" third || fail "wisdom says $plan, but: $(cat third)"

# --- a plan that wisdom has is a candidate, whatever the recipes propose
sed 's/"plan":"[^"]*"/"plan":"stockham(2,2,2,2,2,2,2)"/; s/,"check":"[^"]*"//' wisdom.jsonl >old.jsonl
"$fftgen" tune 'c2c f32 n=128' --budget 60s --candidates 3 --again --wisdom old.jsonl --json >candidates 2>/dev/null
grep -q '"plan":"stockham(2,2,2,2,2,2,2)"[^}]*"state":"timed"' candidates || fail "the known plan was not timed: $(cat candidates)"
"$fftgen" tune 'c2c f32 n=128' --budget 60s --candidates 3 --again --wisdom old.jsonl --no-wisdom --json >candidates 2>/dev/null
grep -q '"plan":"stockham(2,2,2,2,2,2,2)"' candidates && fail "--no-wisdom tries the known plan: $(cat candidates)"

# --- one line serves its neighbours, through every door; a plan that no recipe proposes shows where it is from
device=$(sed -n 's/.*"device":"\([^"]*\)".*/\1/p' wisdom.jsonl)
near() { # problem, what emit says (''; anything); further options
  problem=$1 note=$2
  shift 2
  "$fftgen" emit "$problem" -o near "$@" >emitted 2>note || fail "emit \"$problem\" $*: $(cat note)"
  [ -z "$note" ] || grep -q "$note" note || fail "emit \"$problem\" $*: $(cat note)"
}
odd='stockham(2,4,2,4,2)'
echo "{\"fftgen\":1,\"device\":\"$device\",\"problem\":\"c2c f64 n=128\",\"target\":\"c\",\"plan\":\"$odd\",\"isa\":\"scalar\",\"ns\":9}" >near.jsonl
near 'c2c f64 n=128' "plan $odd: wisdom, near.jsonl, line 1\$" --wisdom near.jsonl
near 'c2c f64 n=128 sign=+1' 'line 1: measured for "c2c f64 n=128"' --wisdom near.jsonl --isa scalar
near 'c2c f64 n=128 place=in' 'line 1: measured for "c2c f64 n=128"' --wisdom near.jsonl
if "$fftgen" emit 'c2c f64 n=128' --wisdom near.jsonl --no-wisdom -o near >emitted 2>&1; then fail 'both options at once'; fi
near 'c2c f64 n=128' '' --no-wisdom
[ ! -s note ] || fail "--no-wisdom: $(cat note)"
near 'c2c f64 n=128 batch=2' '' --wisdom near.jsonl
[ ! -s note ] || fail "a batch is served by a line about one transform: $(cat note)"
FFTGEN_WISDOM=near.jsonl "$fftgen" bench 'c2c f64 n=128 sign=+1' --seconds 0.01 --no-peer --json >benched 2>note || fail "bench: $(cat note)"
grep -qF "\"$odd\"" benched || fail "bench ignores wisdom: $(cat benched)"
FFTGEN_WISDOM=near.jsonl "$fftgen" pack 'c2c f64 n=128 sign=+1' --isa scalar -o nearpack >packed 2>&1 || fail "pack: $(cat packed)"
grep -qF "$odd" packed || fail "pack ignores wisdom: $(cat packed)"
FFTGEN_WISDOM=near.jsonl "$fftgen" emit --bundle both 'c2c f64 n=128' --isa scalar -o near >emitted 2>note || fail "bundle: $(cat note)"
grep -qF "$odd" note || fail "a bundle ignores wisdom: $(cat note)"
if "$fftgen" emit 'c2c f64 n=128' --wisdom nowhere.jsonl -o near >emitted 2>note; then fail 'a file that is not there is taken'; fi
grep -q 'nowhere.jsonl: ' note || fail "a file that is not there: $(cat note)"

# --- a pack, where there is nothing else
isas=scalar
case $(uname -m) in x86_64) isas=avx512,scalar,avx2 ;; esac
"$fftgen" pack 'c2c f32 n=64 batch=1' 'c2c f32 n=100' --isa $isas -o kernels >packed || fail "pack: $(cat packed)"
mv kernels elsewhere
FFTGEN_CACHE=/proc/none FFTGEN_JIT='' FFTGEN_PACK=elsewhere PATH=/nonexistent ./user_c 'c2c f32 n=100' 100 >fourth ||
  fail "with a pack alone: $(cat fourth)"
read -r origin _ <fourth
[ "$origin" = pack ] || fail "with a pack alone: $(cat fourth)"
# --- the same in one file
"$fftgen" pack 'c2c f32 n=64 batch=1' 'c2c f32 n=100' --isa $isas -o kernels.tar >packed || fail "pack: $(cat packed)"
ls -d kernels.tar.* 2>/dev/null && fail 'pack leaves its folder'
tar tf kernels.tar | grep -q '^pack.jsonl$' || fail "the archive holds $(tar tf kernels.tar)"
tar cf other.tar -C elsewhere .
head -c 3000 kernels.tar >cut.tar
# --- a pack that was stopped leaves nothing beside it
printf '#!/bin/sh\ncase $* in *--version* | *-dumpversion*) exec gcc "$@" ;; esac\nkill -9 $PPID\n' >stopper
chmod +x stopper
mkdir stopped
for at in stopped stopped/kernels.tar; do
  (TMPDIR=$dir "$fftgen" pack 'c2c f32 n=100' --isa scalar --compiler ./stopper -o $at) >killed 2>&1 && fail "not stopped: $(cat killed)"
  [ -z "$(ls -A stopped)" ] || fail "a stopped pack leaves $(ls -A stopped)"
done
alone() { FFTGEN_CACHE=/proc/none FFTGEN_JIT='' FFTGEN_PACK=$1 PATH=/nonexistent ./user_c 'c2c f32 n=100' 100 >"$2"; }
mkdir empty
for pack in kernels.tar other.tar; do
  TMPDIR=$dir/empty alone $pack archived || fail "with $pack alone: $(cat archived)"
  grep -q '^pack ' archived || fail "with $pack alone: $(cat archived)"
  [ -z "$(ls empty)" ] || fail "files stay in the temporary folder: $(ls empty)"
done
if alone cut.tar archived; then fail 'half a pack was loaded'; fi
grep -q 'cut.tar' archived || fail "half a pack: $(cat archived)"
printf 'nonsense' >nonsense.tar
if alone nonsense.tar archived; then fail 'nonsense was loaded'; fi
grep -q 'neither a folder nor an archive' archived || fail "nonsense: $(cat archived)"
for object in elsewhere/*.so; do printf x >>"$object"; done
if FFTGEN_CACHE=/proc/none FFTGEN_JIT='' FFTGEN_PACK=elsewhere ./user_c 'c2c f32 n=100' 100 >fifth; then
  fail "a damaged pack was loaded"
fi
grep -q 'damaged' fifth || fail "a damaged pack: $(cat fifth)"

# --- kernels that take arrays of the caller's: packed, linked in, compiled now
# shellcheck disable=SC2086
given() { cc -std=c11 -Wall -Wextra -Werror $sanitize -I "$include" "$@" "$library" -lm -Wl,-rpath,"$(dirname "$library")"; }
set -- 'c2c f32 n=64 load=mul' 'c2c f32 n=60 store=mul' 'c2c f32 n=64 load=window,mul store=mul'
"$fftgen" pack "$@" --isa $isas -o taking >packed || fail "pack of what takes arrays: $(cat packed)"
"$fftgen" pack "$@" --isa scalar --sources mine -o mine >packed || fail "pack --sources of what takes arrays: $(cat packed)"
given "$here/runtime/given.c" -o given
given -DLINKED "$here/runtime/given.c" mine/*.c -o given_linked
FFTGEN_CACHE=/proc/none FFTGEN_JIT='' FFTGEN_PACK=taking ./given pack >taken || fail "arrays, packed: $(cat taken)"
FFTGEN_CACHE=/proc/none FFTGEN_JIT='' ./given_linked linked >taken || fail "arrays, linked in: $(cat taken)"
FFTGEN_CACHE="$dir/given" ./given jit >taken || fail "arrays: $(cat taken)"
CC=gcc FFTGEN_CACHE="$dir/given" ./given jit >taken || fail "arrays, by gcc: $(cat taken)"

# --- a program that is linked statically: packs and what is cached work; what makes kernels is not loaded, with a status
archive=$(dirname "$library")/libfftgen.a
if [ -e "$archive" ] && [ -z "$sanitize" ] && cc -std=c99 -static -I "$include" user.c "$archive" -lm -o user_static 2>linked; then
  for compiler in '' gcc; do
    status=0
    CC=$compiler FFTGEN_CACHE="$dir/static_cache" ./user_static 'c2c f32 n=100' 100 >static 2>&1 || status=$?
    [ $status = 1 ] || fail "a static program, CC=$compiler: exit code $status: $(cat static)"
    grep -q 'jit: this program is linked statically' static || fail "a static program: $(cat static)"
  done
  FFTGEN_CACHE=/proc/none FFTGEN_PACK=kernels.tar ./user_static 'c2c f32 n=100' 100 >static 2>&1 ||
    fail "a static program with a pack: $(cat static)"
  FFTGEN_CACHE="$dir/static_cache" ./user_c 'c2c f32 n=101' 101 >static && FFTGEN_CACHE="$dir/static_cache" ./user_static 'c2c f32 n=101' 101 >static ||
    fail "a static program with a cache: $(cat static)"
  grep -q '^cache ' static || fail "a static program with a cache: $(cat static)"
else
  echo "SKIP: no static program can be linked here"
fi

# --- neither LLVM nor a compiler: tcc, which says so and is not kept
FFTGEN_LLVM='' CC='' PATH=/nonexistent FFTGEN_CACHE="$dir/poor" FFTGEN_WISDOM=/nonexistent ./user_c 'c2c f32 n=60' 60 >sixth ||
  fail "with tcc: $(cat sixth)"
grep -q '^jit .* scalar: ' sixth && grep -q 'jit: scalar code by tcc' sixth || fail "with tcc: $(cat sixth)"
FFTGEN_CACHE="$dir/poor" FFTGEN_WISDOM=/nonexistent ./user_c 'c2c f32 n=60' 60 >seventh || fail "after tcc: $(cat seventh)"
grep -q '^jit ' seventh || fail "what tcc made was kept: $(cat seventh)"

# --- wisdom's subcommand
"$fftgen" wisdom explain 'c2c f32 n=128 batch=1' >explained
grep -q 'taken' explained || fail "explain: $(cat explained)"
"$fftgen" wisdom explain 'c2c f32 n=127' wisdom.jsonl | grep -q 'nothing about' || fail 'explain invents something'
[ -z "$("$fftgen" wisdom diff wisdom.jsonl wisdom.jsonl)" ] || fail 'a file differs from itself'
: >nothing.jsonl
"$fftgen" wisdom diff wisdom.jsonl nothing.jsonl | grep -q '^- c2c f32 n=128' || fail 'diff overlooks what is missing'
cp wisdom.jsonl other.jsonl
printf '{"fftgen":1,"dev' >>other.jsonl
if "$fftgen" wisdom check other.jsonl >checked 2>&1; then fail 'check finds no damage'; fi
grep -q 'line 2' checked || fail "check: $(cat checked)"
"$fftgen" wisdom merge other.jsonl wisdom.jsonl -o both.jsonl 2>/dev/null
"$fftgen" wisdom prune both.jsonl >/dev/null
"$fftgen" wisdom check both.jsonl >/dev/null || fail 'a pruned file is damaged'
cmp both.jsonl wisdom.jsonl || fail 'merging a file with itself gives another one'
echo 'the runtime works from outside'
