#!/bin/sh
# The demo: transforms of many kinds emitted, compiled, proven, verified and timed
# beside FFTW in one table; then a spectrogram of a recording, made with one of
# them. Called by ./dev demo after the build.
set -eu
build=${BUILD_DIR:-build}
recording=${1:-/usr/share/sounds/alsa/Front_Center.wav} # of the package alsa-utils
mkdir -p out

log=$build/demo.log
"$build/fftgen" bench --seconds 0.1 \
  'c2c f32 n=8 batch=64' 'c2c f64 n=16' 'c2c f32 n=64' 'c2c f64 n=64' \
  'c2c f32 n=256' 'c2c f32 n=1024' 'c2c f64 n=1024' 'c2c f32 n=1024 sign=+1' \
  'c2c f32 n=4096' 'c2c f64 n=4096' 'c2c f32 n=16384' 'c2c f64 n=65536' \
  'c2c f32 n=60' 'c2c f32 n=1000' 'c2c f64 n=1000' 'c2c f32 n=3125' 'c2c f64 n=2187' 'c2c f32 n=5040' \
  'c2c f32 n=17' 'c2c f64 n=101' 'c2c f32 n=1009' 'c2c f64 n=10007' \
  'c2c f32 n=32 batch=256' 'c2c f64 n=100 batch=100' 'c2c f32 n=64:64:64 batch=64:1:1' \
  'c2c f32 n=1048576' >"$log" || { cat "$log"; exit 1; }
cat "$log"

echo
"$build/examples/spectrogram" "$recording" out/spectrogram.png

# What was to be seen, and how it ended: from the last two lines of the table.
summary=$(tail -n 2 "$log" | tr '\n' ' ' | sed 's/ *$//')
ratio=$(printf '%s\n' "$summary" | sed -n "s/.* \([0-9.]* times FFTW's speed\).*/\1/p")
echo
echo 'Shown: each transform of the table was emitted as C, proven over prime fields, compiled, run and compared with'
echo "quadruple precision, then timed beside FFTW: $summary."
echo 'A picture, out/spectrogram.png: the spectrum of a recording over time, by one such transform.'
echo "fftgen here: ${ratio:-no ratio, as FFTW was not timed}."
