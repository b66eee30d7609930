#!/bin/sh
# The release as its users get it: the Debian package, unpacked elsewhere, runs and serves a
# project's build; the tarball of the source has all files, configures and builds.
# usage: package.sh SOURCE BUILD
set -eu
source=$(realpath "$1") build=$(realpath "$2")
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
for tool in cpack dpkg-deb dpkg-shlibdeps file; do
  command -v $tool >/dev/null 2>&1 || { echo "SKIP: no $tool here"; exit 77; }
done
if nm "$build/libfftgen.so" | grep -q __asan_; then echo 'SKIP: an instrumented build is not what gets packed'; exit 77; fi
version=$("$build/fftgen" version | cut -d' ' -f2)

# --- the Debian package
(cd "$build" && cpack -B "$dir/out") >"$dir/log" 2>&1 || fail "cpack: $(tail -5 "$dir/log")"
rm -rf "$dir/out/_CPack_Packages"
deb=$(ls "$dir"/out/fftgen_"$version"_*.deb) || fail "no package of $version: $(ls "$dir/out")"
dpkg-deb -f "$deb" Depends | grep -q libfftw3-double3 || fail "the package does not say what it needs: $(dpkg-deb -f "$deb" Depends)"
! dpkg-deb -f "$deb" Depends | grep -q llvm || fail 'the package wants LLVM, which is for fftgen-llvm'
mkdir "$dir/packages"
for one in "$dir"/out/*.deb; do # each with its own first line and the licence
  package=$(dpkg-deb -f "$one" Package)
  dpkg-deb -x "$one" "$dir/packages/$package"
  grep -q 'MIT' "$dir/packages/$package/usr/share/doc/$package/copyright" || fail "$package has no licence"
  dpkg-deb -f "$one" Description | head -n 1 >>"$dir/lines"
  [ "$(dpkg-deb -f "$one" Description | wc -l)" -ge 2 ] || fail "$package: $(dpkg-deb -f "$one" Description)"
done
[ -z "$(sort "$dir/lines" | uniq -d)" ] || fail "packages that say the same: $(cat "$dir/lines")"
dpkg-deb -x "$deb" "$dir/unpacked"
[ -x "$dir/unpacked/usr/bin/fftgen" ] || fail 'no /usr/bin/fftgen in the package'
[ -s "$dir/unpacked/usr/share/man/man1/fftgen.1" ] || fail 'no manual in the package'
[ -s "$dir/unpacked/usr/share/zsh/vendor-completions/_fftgen" ] || [ ! -e /etc/debian_version ] || fail 'no completion for zsh in the package'
"$dir/unpacked/usr/bin/fftgen" emit 'c2c f64 n=8' -o "$dir/emitted" >/dev/null || fail "the package's program"
cmake -S "$here/install" -B "$dir/user" -DCMAKE_PREFIX_PATH="$dir/unpacked/usr" -DISAS=scalar >"$dir/log" 2>&1 &&
  cmake --build "$dir/user" >"$dir/log" 2>&1 || fail "a project against the package: $(tail -15 "$dir/log")"
"$dir/user/alone" && LD_LIBRARY_PATH=$dir/unpacked/usr/lib "$dir/user/linked" || fail "a project's programs"

# --- the tarball of the source
(cd "$build" && cpack --config CPackSourceConfig.cmake -B "$dir/out") >"$dir/log" 2>&1 || fail "cpack: $(tail -5 "$dir/log")"
tar -C "$dir" -xzf "$dir/out/fftgen-$version.tar.gz" || fail 'the tarball'
if [ -e "$source/.git" ] && git -C "$source" ls-files >"$dir/known" 2>/dev/null; then
  while IFS= read -r name; do
    [ ! -e "$source/$name" ] || [ "$name" = .gitignore ] || [ -e "$dir/fftgen-$version/$name" ] || fail "the tarball lacks $name"
  done <"$dir/known"
fi
[ ! -e "$dir/fftgen-$version/build" ] || fail 'the tarball has what was built'
cmake -S "$dir/fftgen-$version" -B "$dir/all" >"$dir/log" 2>&1 || fail "configuring the tarball: $(tail -5 "$dir/log")"
cmake -S "$dir/fftgen-$version" -B "$dir/runtime" -DFFTGEN_RUNTIME_ONLY=ON -DCMAKE_BUILD_TYPE=None >"$dir/log" 2>&1 &&
  cmake --build "$dir/runtime" --parallel 2 >"$dir/log" 2>&1 || fail "building the tarball's libfftgen: $(tail -15 "$dir/log")"
[ -e "$dir/runtime/libfftgen.so.$version" ] || fail "no libfftgen.so.$version from the tarball"
echo "a package and a tarball of $version"
