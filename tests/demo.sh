#!/bin/sh
# ./dev demo: what it installs on a bare system, and how it ends. usage: demo.sh SOURCE FFTGEN SPECTROGRAM
set -eu
source=$(realpath "$1") fftgen=$(realpath "$2") spectrogram=$(realpath "$3")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
most=500 # MB

# --- the last lines: what was shown, and the ratio; by two problems of the list
mkdir -p "$dir/build/examples"
ln -s "$spectrogram" "$dir/build/examples/spectrogram"
printf '#!/bin/sh\nexec "%s" bench --seconds 0.01 "c2c f32 n=8 batch=64" "c2c f32 n=64"\n' "$fftgen" >"$dir/build/fftgen"
chmod 755 "$dir/build/fftgen"
if [ -f /usr/share/sounds/alsa/Front_Center.wav ]; then
  (cd "$dir" && BUILD_DIR=build sh "$source/examples/demo.sh") >"$dir/log" 2>&1 || fail "$(tail -5 "$dir/log")"
  tail -n 4 "$dir/log" >"$dir/last"
  grep -q '2 problems, all proven and verified' "$dir/last" || fail "the last lines do not say what was shown: $(cat "$dir/last")"
  tail -n 1 "$dir/log" | grep -Eq "^fftgen here: [0-9.]+ times FFTW's speed" || fail "no ratio at the end: $(tail -n 1 "$dir/log")"
  grep -q 'out/spectrogram.png' "$dir/last" || fail "the last lines do not say where the picture is"
else
  echo 'SKIP: the end of the demo: no recording (package alsa-utils)'
fi
"$source/dev" packages >"$dir/all"
"$source/dev" packages demo | while read -r name; do grep -qx "$name" "$dir/all" || fail "$name is not among ./dev packages"; done

# --- what apt would install on a system that has what is required and nothing else, by its own solver
: >"$dir/status"
command -v apt-get >/dev/null 2>&1 || { echo 'SKIP: what the demo installs: no apt-get here'; exit 77; }
added() { # packages: names that a bare system gets with them
  apt-get -s -q --no-install-recommends -o Dir::State::status="$dir/status" -o Dir::State::extended_states=/dev/null \
    install "$@" 2>"$dir/why" | awk '/^Inst/ { print $2 }' | sort -u
}
required=$(apt-cache dumpavail 2>/dev/null | awk '/^Package:/ { p = $2 } /^Priority: required/ { print p }' | sort -u)
added $required apt >"$dir/bare"
added $(cat "$dir/bare") $("$source/dev" packages demo) >"$dir/full"
if [ "$(wc -l <"$dir/bare")" -lt 50 ] || [ "$(wc -l <"$dir/full")" -le "$(wc -l <"$dir/bare")" ]; then
  echo "SKIP: what the demo installs: apt knows no packages of Debian here (apt-get update): $(head -n 1 "$dir/why")"
  exit 77
fi
comm -13 "$dir/bare" "$dir/full" >"$dir/new"
size=$(apt-cache show --no-all-versions $(cat "$dir/new") |
  awk '/^Package:/ { p = $2 } /^Installed-Size:/ { size[p] = $2 } END { for (p in size) sum += size[p]; printf "%d", sum * 1024 / 1e6 }')
echo "the demo installs $(wc -l <"$dir/new") packages, $size MB, on a bare Debian"
{ [ "$size" -gt 100 ] && [ "$size" -lt $most ]; } || fail "$size MB, $most allowed"
