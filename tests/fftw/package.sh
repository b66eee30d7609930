#!/bin/sh
# The Debian package fftgen-fftw3 in a root of its own: dpkg installs it, programs of FFTW's find it, its alternative
# switches between it and FFTW's own, and its removal leaves FFTW's. And the size of the libraries.
# usage: package.sh CC BUILD
set -eu
cc=$1 build=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
for tool in cpack dpkg update-alternatives ldconfig chroot strip; do
  command -v $tool >/dev/null 2>&1 || { echo "SKIP: no $tool here"; exit 77; }
done
if nm "$build/fftw/libfftw3.so.3" | grep -q __asan_; then echo 'SKIP: an instrumented build is not what gets packed'; exit 77; fi

# --- both precisions together, as they are packed
bytes=0
for library in libfftw3.so.3 libfftw3f.so.3; do
  strip -o "$dir/$library" "$build/fftw/$library"
  bytes=$((bytes + $(stat -c %s "$dir/$library")))
done
echo "both precisions: $bytes bytes"
grep -q 'FFTGEN_FFTW_ISAS.*sse2' "$build/CMakeCache.txt" || [ $bytes -le 6000000 ] || fail 'more than 6 MB'

[ "$(id -u)" = 0 ] || { echo 'the package itself: only root has a root of his own'; exit 0; }
theirs=$(ldconfig -p | sed -n 's/.*libfftw3[.]so[.]3 .* => //p' | head -n 1)
printf '#include <fftw3.h>\n#include <stdio.h>\nint main(void) { double x[32] = {1}; fftw_plan p = fftw_plan_dft_1d(16, (fftw_complex *)x, (fftw_complex *)x, -1, 64);\n fftw_execute(p); printf("%%s %%g\\n", fftw_version, x[30]); return 0; }\n' >"$dir/user.c"
{ [ "$theirs" ] && "$cc" "$dir/user.c" -o "$dir/user" -lfftw3; } 2>/dev/null || { echo "no FFTW to switch to: the package is not tried"; exit 0; }

# --- a root: the loader, libc, FFTW, a program, and dpkg's lists
root=$dir/root
mkdir -p "$root/etc/ld.so.conf.d" "$root/var/lib/dpkg/alternatives" "$root/var/log" "$root/etc/alternatives" "$root/usr/lib" "$root/lib64"
folder=$(dirname "$theirs")
mkdir -p "$root$folder"
echo 'include /etc/ld.so.conf.d/*.conf' >"$root/etc/ld.so.conf"
echo "$folder" >"$root/etc/ld.so.conf.d/system.conf"
printf 'Package: libc6\nStatus: install ok installed\nVersion: 99\nArchitecture: %s\nMaintainer: none\nDescription: none\n' "$(dpkg --print-architecture)" \
  >"$root/var/lib/dpkg/status"
for file in $(ldd "$dir/user" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p; s/^\t\(\/[^ ]*\) .*/\1/p'); do
  mkdir -p "$root$(dirname "$file")"
  cp -L "$file" "$root$file"
done
cp "$dir/user" "$root/user"
ldconfig -r "$root"
is() { # expected: "ours" or "FFTW's"
  seen=$(chroot "$root" /user) || fail "the program: $seen"
  case "$1 $seen" in
  'ours fftw-'*fftgen' 1' | "FFTW's fftw-3"*' 1') case "$1$seen" in "FFTW's"*fftgen*) fail "not $1: $seen" ;; esac ;;
  *) fail "not $1: $seen" ;;
  esac
}
is "FFTW's"
(cd "$build" && cpack -D CPACK_COMPONENTS_ALL=fftw3 -B "$dir/out") >"$dir/log" 2>&1 || fail "cpack: $(tail -5 "$dir/log")"
package=$(echo "$dir"/out/fftgen-fftw3_*.deb)
do_dpkg() { dpkg --root="$root" --force-script-chrootless --force-not-root "$@" >"$dir/log" 2>&1 || fail "dpkg $*: $(tail -5 "$dir/log")"; }
do_dpkg -i "$package"
is ours
alternatives() { update-alternatives --root "$root" "$@" >"$dir/log" 2>&1 || fail "update-alternatives $*: $(cat "$dir/log")"; ldconfig -r "$root"; }
alternatives --set libfftw3 /usr/share/fftgen/fftw3/fftw.conf
is "FFTW's"
alternatives --auto libfftw3
is ours
do_dpkg -r fftgen-fftw3
is "FFTW's"
[ -z "$(find "$root/etc/ld.so.conf.d" -name '*fftw*')" ] || fail 'the alternative is still there'
echo 'the package, its alternative, and its removal'
