#!/bin/sh
# The installed package as its users meet it: moved to another place, found by
# CMake and by pkg-config, generating kernels during a user's build and only when
# something changed. usage: install.sh BUILD
set -eu
build=$1
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
cmake --install "$build" --prefix "$dir/first" >"$dir/log" || fail "$(tail -5 "$dir/log")"
mv "$dir/first" "$dir/moved"
export FFTGEN_CACHE="$dir/cache" FFTGEN_WISDOM="$dir/wisdom.jsonl"
if nm "$dir"/moved/lib*/libfftgen.so "$dir"/moved/lib/*/libfftgen.so 2>/dev/null | grep -q __asan_; then
  echo 'SKIP: an instrumented build is not what gets installed'
  exit 77
fi

# --- one version, and what belongs to the program
version=$("$dir/moved/bin/fftgen" version)
pc=$(dirname "$(find "$dir/moved" -name fftgen.pc)")
lib=$(cd "$pc/.." && pwd)
export PKG_CONFIG_PATH="$pc"
[ "$version" = "fftgen $(pkg-config --modversion fftgen)" ] || fail "$version, but pkg-config: $(pkg-config --modversion fftgen)"
number=$(sed -n 's/^#define FFTGEN_VERSION \([0-9]*\).*/\1/p' "$dir/moved/include/fftgen/fftgen.h")
[ "$version" = "fftgen $((number / 10000)).$((number / 100 % 100)).$((number % 100))" ] || fail "$version, but fftgen.h: $number"
grep -q "^## ${version#fftgen }, " "$here/../CHANGELOG.md" || fail "CHANGELOG.md has no notes of $version"
[ -e "$lib/libfftgen.so.${version#fftgen }" ] || fail "no libfftgen.so of $version"
for file in share/man/man1/fftgen.1 share/man/man1/fftgen-emit.1 share/man/man7/fftgen-problem.7 \
  share/bash-completion/completions/fftgen share/zsh/site-functions/_fftgen share/fish/vendor_completions.d/fftgen.fish; do
  [ -s "$dir/moved/$file" ] || fail "$file is not installed"
done

# --- CMake; wisdom about this machine, whose plan no recipe proposes
"$dir/moved/bin/fftgen" tune "c2c f64 n=4" --budget 30s --candidates 1 --wisdom "$dir/here.jsonl" >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
machine=$(sed -n 's/.*"device":"\([^"]*\)".*/\1/p' "$dir/here.jsonl")
odd='stockham(2,4,2,4,2)'
echo "{\"fftgen\":1,\"device\":\"$machine\",\"problem\":\"c2c f64 n=128\",\"target\":\"c\",\"plan\":\"$odd\",\"isa\":\"scalar\",\"ns\":9}" >"$dir/known.jsonl"
FFTGEN_WISDOM="$dir/known.jsonl"
isas=scalar
case $(uname -m) in x86_64) isas='scalar;avx2' ;; esac
cmake -S "$here/install" -B "$dir/user" -DCMAKE_PREFIX_PATH="$dir/moved" "-DISAS=$isas" "-DALONE=$isas" "-DKNOWN=$dir/known.jsonl" \
  >"$dir/log" 2>&1 ||
  fail "configuring: $(tail -5 "$dir/log")"
cmake --build "$dir/user" >"$dir/log" 2>&1 || fail "building: $(tail -15 "$dir/log")"
"$dir/user/alone"
grep -q 'Planned for: cpu' "$dir/user/planned/planned_fft.c"
grep -qF "$odd" "$dir/user/advised/advised_fft.c" || fail 'WISDOM: its plan is not taken'
if grep -qF "$odd" "$dir/user/unadvised/unadvised_fft.c"; then fail 'NO_WISDOM: wisdom is taken'; fi
"$dir/user/linked"
touch "$dir/stamp"
cmake --build "$dir/user" >"$dir/log" 2>&1
changed=$(find "$dir/user" -name '*.[co]' -newer "$dir/stamp")
[ -z "$changed" ] || fail "built again, though nothing changed: $changed"

case $isas in *avx2*) nm "$dir/user/alone" | grep -q ' T filter_isa' || fail 'several instruction sets, and nothing chooses' ;; esac

# --- what a project is told: C that is not enabled, functions without names
refused() { # words that the complaint has, the project's text
  mkdir -p "$dir/refused" && rm -rf "$dir/refused/build"
  printf 'int main() { return 0; }\n' >"$dir/refused/main.cc"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.19)' 'project(user CXX)' "$2" >"$dir/refused/CMakeLists.txt"
  if cmake -S "$dir/refused" -B "$dir/refused/build" -DCMAKE_PREFIX_PATH="$dir/moved" >"$dir/log" 2>&1; then
    fail "nothing complains about: $2"
  fi
  grep -q "$1" "$dir/log" || fail "'$1' is not in: $(cat "$dir/log")"
}
target='find_package(fftgen 0.2 REQUIRED)
add_executable(app main.cc)'
refused 'LANGUAGES C CXX' "$target
fftgen_add_kernels(app NAME filter FUNCTIONS forward \"c2c f32 n=8\")"
refused 'LANGUAGES C CXX' "$target
fftgen_add_bundle(app NAME filter FUNCTIONS forward \"c2c f32 n=8\")"
refused 'a name and a problem' "enable_language(C)
$target
fftgen_add_kernels(app NAME filter FUNCTIONS \"c2c f32 n=8\" forward)"
refused 'name the functions' "enable_language(C)
$target
fftgen_add_kernels(app NAME filter PROBLEMS \"c2c f32 n=8\")"
refused 'not with REGISTER' "enable_language(C)
$target
fftgen_add_kernels(app NAME filter PROBLEMS \"c2c f32 n=8\" WORK REGISTER)"
refused 'no such target' "enable_language(C)
find_package(fftgen 0.2 REQUIRED)
fftgen_add_kernels(app NAME filter FUNCTIONS forward \"c2c f32 n=8\")"

# --- docs/runtime.md as it is printed: its first program by pkg-config and by CMake, its projects
printed() { # first line, without the indentation
  awk -v first="    $1" '$0 == first { on = 1; next } on && !/^    / && !/^$/ { exit } on { sub(/^    /, ""); print }' \
    "$here/../docs/runtime.md"
}
mkdir "$dir/doc" && cp "$here/install/alone.c" "$dir/doc/"
printed '/* first.c */' >"$dir/doc/first.c"
command=$(sed -n 's/^    \$ \(cc first\.c .*\)/\1/p' "$here/../docs/runtime.md")
(cd "$dir/doc" && eval "$command") || fail "docs/runtime.md: $command"
[ "$(LD_LIBRARY_PATH=$lib "$dir/doc/first")" = '1 1' ] || fail 'the first program of docs/runtime.md'
printed '/* shared.c */' >"$dir/doc/shared.c"
(cd "$dir/doc" && eval "$(printf '%s' "$command" | sed 's/first/shared/g')") || fail 'shared.c of docs/runtime.md'
[ "$(LD_LIBRARY_PATH=$lib "$dir/doc/shared")" = '0.25, 2 plans made, 1 found' ] || fail 'what shared.c of docs/runtime.md prints'
for project in first linked alone; do
  case $project$isas in linkedscalar | alonescalar) continue ;; esac # no AVX2 here
  printed "# $project" >"$dir/doc/CMakeLists.txt"
  cmake -S "$dir/doc" -B "$dir/doc/$project.build" -DCMAKE_PREFIX_PATH="$dir/moved" >"$dir/log" 2>&1 &&
    cmake --build "$dir/doc/$project.build" >"$dir/log" 2>&1 || fail "docs/runtime.md, $project: $(tail -15 "$dir/log")"
done
[ "$("$dir/doc/first.build/first")" = '1 1' ] || fail 'the first project of docs/runtime.md'
if [ -x "$dir/doc/alone.build/app" ]; then "$dir/doc/alone.build/app" || fail 'functions of docs/runtime.md'; fi

# --- docs/shipping.md as it is printed: a project whose own source is C++
if command -v g++ >/dev/null 2>&1; then
  mkdir "$dir/cxx"
  for file in CMakeLists.txt spectrum.cpp; do
    case $file in CMakeLists.txt) first='# spectrum' ;; *) first='// spectrum.cpp' ;; esac
    awk -v first="    $first" '$0 == first { on = 1; next } on && (/^    (\/\/|#) [a-z]+(\.cpp)?$/ || (!/^    / && !/^$/)) { exit }
      on { sub(/^    /, ""); print }' "$here/../docs/shipping.md" >"$dir/cxx/$file"
  done
  case $isas in scalar) sed -i 's/ISA scalar avx2/ISA scalar/' "$dir/cxx/CMakeLists.txt" ;; esac # no AVX2 here
  cmake -S "$dir/cxx" -B "$dir/cxx/build" -DCMAKE_PREFIX_PATH="$dir/moved" >"$dir/log" 2>&1 &&
    cmake --build "$dir/cxx/build" >"$dir/log" 2>&1 || fail "docs/shipping.md: $(tail -15 "$dir/log")"
  "$dir/cxx/build/spectrum" || fail 'the project of docs/shipping.md'
fi

# --- OpenMP by pkg-config
if [ -e "$pc/fftgen-openmp.pc" ]; then
  printf '#include <fftgen/openmp.h>\nint main(void) { return !fftgen_openmp_for; }\n' >"$dir/openmp.c"
  # shellcheck disable=SC2046
  cc "$dir/openmp.c" $(pkg-config --cflags --libs fftgen-openmp) -Wl,-rpath,"$lib" -o "$dir/openmp" && "$dir/openmp" ||
    fail 'fftgen-openmp.pc'
fi

# --- FFTW's interface by pkg-config: the program finds this library, not another one of that name
if [ -e "$pc/fftgen-fftw3.pc" ]; then
  printf '#include <fftw3.h>\n#include <stdio.h>\nint main(void) { puts(fftw_version); return 0; }\n' >"$dir/fftw.c"
  # shellcheck disable=SC2046
  cc "$dir/fftw.c" $(pkg-config --cflags --libs fftgen-fftw3) -o "$dir/fftw" || fail 'fftgen-fftw3.pc'
  "$dir/fftw" | grep -q 'fftgen$' || fail "fftgen-fftw3.pc: the program has $("$dir/fftw")"
fi

# --- pkg-config, and just in time with the plugin beside the library
flags=$(pkg-config --cflags --libs fftgen)
# shellcheck disable=SC2086
cc "$here/runtime/user.c" $flags -lm -Wl,-rpath,"$(cd "$lib" && pwd)" -o "$dir/user_pc"
"$dir/user_pc" 'c2c f32 n=32' 32 >"$dir/out" || fail "$(cat "$dir/out")"
grep -q '^jit ' "$dir/out" || fail "the plugin is not found beside the library: $(cat "$dir/out")"
cat "$dir/out"
echo 'the installed package works'
