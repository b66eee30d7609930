#!/bin/sh
# The example projects as their readers meet them: copied elsewhere, built against
# the installed package, run. Each checks its own numbers; the spectrogram's build
# must not need fftgen at all. Of their kernels the CPU's widest instructions are compiled in a third of the projects,
# drawn by the day; with `all`, in every one. usage: examples.sh BUILD [all [PICTURES]]
set -eu
build=$1 all=${2:+1} pictures=${3:-}
. ./drawn.sh
here=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
fail() { echo "FAIL: $*"; exit 1; }
skip() { echo "SKIP: $*"; exit 77; }
pkg-config --exists cairo sndfile || skip 'no cairo or no sndfile (packages libcairo2-dev, libsndfile1-dev)'
recording=/usr/share/sounds/alsa/Front_Center.wav
[ -f $recording ] || skip "no $recording (package alsa-utils)"
nm "$build/fftgen" 2>/dev/null | grep -q __asan_ && skip 'an instrumented build is not what gets installed'
cmake --install "$build" --prefix "$dir/fftgen" >"$dir/log" || fail "$(tail -5 "$dir/log")"
cp -R "$here/../examples" "$dir/examples"
compile() { # name, cmake arguments
  name=$1
  shift
  widest=
  drawn 3 || widest='-DFIR_FFT_WIDEST=1 -DREVERB_WIDEST=1 -DPLAIN_WIDEST=1 -DCODEC_FFT_WIDEST=1 -DBLUR_FFT_WIDEST=1 -DPHOTO_FFT_WIDEST=1'
  CFLAGS=$widest cmake -S "$dir/examples/$name" -B "$dir/$name" "$@" >"$dir/log" 2>&1 || fail "$name, configuring: $(tail -5 "$dir/log")"
  cmake --build "$dir/$name" >"$dir/log" 2>&1 || fail "$name, building: $(tail -15 "$dir/log")"
}
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] && [ "$(wc -c <"$1")" -gt "$2" ]; }

compile spectrogram -DCMAKE_DISABLE_FIND_PACKAGE_fftgen=ON
"$dir/spectrogram/spectrogram" $recording "$dir/spectrogram.png"
is_png "$dir/spectrogram.png" 100000 || fail 'spectrogram: no picture, or an empty one'

compile fir "-DCMAKE_PREFIX_PATH=$dir/fftgen"
"$dir/fir/fir" $recording "$dir/low.wav" || fail 'fir: it failed'
[ "$(wc -c <"$dir/low.wav")" -gt 100000 ] || fail 'fir: no recording'
# What is left above the cut-off: nearly nothing, when the result is filtered again.
"$dir/fir/fir" "$dir/low.wav" "$dir/again.wav" 1600 | tee "$dir/out"
grep -Eq '(99\.9|100)[0-9.]* % of the power' "$dir/out" || fail 'fir: what it left lies above the cut-off'
"$dir/fir/fir" "$dir/spectrogram.png" "$dir/x.wav" 2>/dev/null && fail 'fir: took a picture for a recording'

compile room "-DCMAKE_PREFIX_PATH=$dir/fftgen"
"$dir/room/room" $recording "$dir/room.wav" || fail 'room: it failed'
[ "$(wc -c <"$dir/room.wav")" -gt 400000 ] || fail 'room: no recording'
"$dir/room/room" $recording "$dir/again.wav" $recording >"$dir/out" || fail 'room: a recording as the response'

compile codec "-DCMAKE_PREFIX_PATH=$dir/fftgen"
"$dir/codec/codec" $recording "$dir/codec.wav" "$dir/codec.png" || fail 'codec: it failed'
[ "$(wc -c <"$dir/codec.wav")" -gt 100000 ] || fail 'codec: no recording'
is_png "$dir/codec.png" 50000 || fail 'codec: no picture, or an empty one'
# With more coefficients the result is nearer.
for percent in 2 5 20; do "$dir/codec/codec" $recording "$dir/x.wav" "$dir/x.png" $percent | sed 's/.*coefficients: \([0-9]*\).*/\1/'; done >"$dir/out"
sort -n -u "$dir/out" | cmp -s - "$dir/out" || fail "codec: $(tr '\n' ' ' <"$dir/out")"
"$dir/codec/codec" "$dir/spectrogram.png" "$dir/x.wav" "$dir/x.png" 2>/dev/null && fail 'codec: took a picture for a recording'

compile blur "-DCMAKE_PREFIX_PATH=$dir/fftgen"
for sigma in 2 6 40; do "$dir/blur/blur" -s $sigma -o "$dir/blur.png" || fail "blur: sigma $sigma"; done
"$dir/blur/blur" -o "$dir/blur.png"
is_png "$dir/blur.png" 20000 || fail 'blur: no picture, or an empty one'
# A photograph of another size is read, and stays as it is.
cp "$dir/blur.png" "$dir/photograph.png"
"$dir/blur/blur" -o "$dir/blurred.png" "$dir/photograph.png" >"$dir/said" || fail 'blur: a photograph'
grep -q "^$dir/blurred.png: $dir/photograph.png, blurred" "$dir/said" || fail "blur: says $(cat "$dir/said")"
is_png "$dir/blurred.png" 20000 && ! cmp -s "$dir/blurred.png" "$dir/blur.png" || fail 'blur: not the photograph'
cmp -s "$dir/blur.png" "$dir/photograph.png" || fail 'blur: the photograph is changed'
"$dir/blur/blur" -o "$dir/none.png" "$dir/said" 2>"$dir/complaint" && fail 'blur: takes what is no picture'
grep -q 'no PNG file' "$dir/complaint" || fail "blur: $(cat "$dir/complaint")"
"$dir/blur/blur" "$dir/photograph.png" 2>/dev/null && fail 'blur: runs without an output'

compile photo "-DCMAKE_PREFIX_PATH=$dir/fftgen"
"$dir/photo/photo" -o "$dir/chart" >"$dir/said" || fail 'photo: it failed'
for what in grey spectrum filtered; do is_png "$dir/chart-$what.png" 20000 || fail "photo: no $what picture, or an empty one"; done
# The filter leaves the mean, and frequency 0 in the middle of the spectrum.
grep -Eq 'mean level ([0-9.]+) before and \1 after' "$dir/said" || fail "photo: says $(cat "$dir/said")"
"$dir/photo/photo" -c 20 -o "$dir/again" "$dir/chart-grey.png" >"$dir/said" || fail 'photo: a photograph'
cmp -s "$dir/again-grey.png" "$dir/chart-grey.png" || fail 'photo: a picture of its own size is changed'
cmp -s "$dir/again-filtered.png" "$dir/chart-filtered.png" && fail 'photo: another filter, the same picture'
"$dir/photo/photo" -o "$dir/none" "$dir/said" 2>"$dir/complaint" && fail 'photo: takes what is no picture'
grep -q 'no PNG file' "$dir/complaint" || fail "photo: $(cat "$dir/complaint")"
[ -z "$pictures" ] || cp "$dir"/*.png "$pictures" # for people

# Built again, nothing is generated.
touch "$dir/stamp"
cmake --build "$dir/fir" >/dev/null 2>&1
[ -z "$(find "$dir/fir" -name '*.[co]' -newer "$dir/stamp")" ] || fail 'fir: built again, though nothing changed'
echo 'five examples work'
