#!/bin/sh
# libfftw3 with libfftgen and without: what is loaded when, kernels from the background, ends of programs, forks and
# dlclose meanwhile, programs with more rights than their caller. usage: lives.sh CC ROOT BUILD
set -eu
cc=$1 root=$2 build=$3
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
chmod 755 "$probe"
fail() { echo "FAIL: $*"; exit 1; }
if nm "$build/fftw/libfftw3.so.3" | grep -q __asan_; then echo 'SKIP: this build is instrumented'; exit 77; fi
unset CC FFTGEN_CC FFTGEN_FFTW_UPGRADE || true
export FFTGEN_CACHE="$probe/cache" FFTGEN_WISDOM="$probe/wisdom.jsonl" TMPDIR="$probe"
"$cc" -std=c11 -D_GNU_SOURCE -I "$root" lives.c -o "$probe/lives" -L"$build/fftw" -lfftw3 -ldl

# Beside the library: nothing, or libfftgen and its plugins.
mkdir "$probe/alone" "$probe/whole"
cp -L "$build/fftw/libfftw3.so.3" "$probe/alone"
cp -L "$build/fftw/libfftw3.so.3" "$build"/libfftgen.so.?.? "$build/libfftgen-jit.so" "$probe/whole"
[ ! -e "$build/libfftgen-llvm.so" ] || cp "$build/libfftgen-llvm.so" "$probe/whole"
run() { # folder, expected, command
  folder=$1 expected=$2
  shift 2
  rm -rf "$probe/cache"
  seen=$(LD_LIBRARY_PATH=$probe/$folder timeout 120 "$@") || fail "$*, $folder: exit code $?"
  [ "$seen" = "$expected" ] || fail "$*, $folder: $seen, not $expected"
}
run alone '00 00 0' "$probe/lives" parts
run whole '00 11 0' "$probe/lives" parts
run alone '' env FFTGEN_FFTW_UPGRADE=1 "$probe/lives" leave
run alone '' "$probe/lives" unload "$probe/alone/libfftw3.so.3"
run whole '' "$probe/lives" unload "$probe/whole/libfftw3.so.3"
export FFTGEN_FFTW_UPGRADE=1
run whole '' "$probe/lives" upgrade
for i in 1 2 3 4 5; do run whole '' "$probe/lives" leave; done
run whole '' "$probe/lives" fork
run whole '' "$probe/lives" unload "$probe/whole/libfftw3.so.3"
echo 'libfftw3 comes and goes, with libfftgen and without'

# With more rights: libfftgen from beside the library, no variable, no cache of the caller's.
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || { echo 'not as a set-user-id program: only root can make one'; exit 0; }
unset FFTGEN_FFTW_UPGRADE
"$cc" -std=c11 -D_GNU_SOURCE -I "$root" lives.c -o "$probe/whole/secure" -L"$probe/whole" -l:libfftw3.so.3 -ldl -Wl,-rpath,"$probe/whole"
chmod 4755 "$probe/whole/secure"
rm -rf "$probe/cache" && mkdir -m 777 "$probe/cache"
seen=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$probe/whole/secure" parts) || fail "set-user-id: exit code $?"
case $seen in
*' 0') echo 'no set-user-id programs on this file system' ;;
'00 11 1') [ -z "$(ls -A "$probe/cache")" ] || fail "set-user-id: the caller's cache was used" ;;
*) fail "set-user-id: $seen" ;;
esac
mkdir "$probe/whole/above"
mv "$probe/whole/libfftw3.so.3" "$probe/whole/above"
"$cc" -std=c11 -D_GNU_SOURCE -I "$root" lives.c -o "$probe/whole/secure" -L"$probe/whole/above" -l:libfftw3.so.3 -ldl -Wl,-rpath,"$probe/whole/above"
[ "$("$probe/whole/secure" parts)" = '00 11 0' ] || fail 'libfftgen in the folder above is not found'
chmod 4755 "$probe/whole/secure"
seen=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$probe/whole/secure" parts) || fail "set-user-id: exit code $?"
[ "$seen" = '00 00 1' ] || [ "${seen##* }" = 0 ] || fail "set-user-id, libfftgen in another folder: $seen"
echo 'and in programs with more rights than their caller'
