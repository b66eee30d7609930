#!/bin/sh
# The demo: transforms of many kinds emitted, compiled, proven, verified and timed
# beside FFTW in one table; then a spectrogram of a recording, made with one of
# them. Called by ./dev demo after the build.
set -eu
build=${BUILD_DIR:-build}
recording=${1:-/usr/share/sounds/alsa/Front_Center.wav} # of the package alsa-utils
mkdir -p out

"$build/fftgen" bench --seconds 0.1 \
  'c2c f32 n=8 batch=64' 'c2c f64 n=16' 'c2c f32 n=64' 'c2c f64 n=64' \
  'c2c f32 n=256' 'c2c f32 n=1024' 'c2c f64 n=1024' 'c2c f32 n=1024 sign=+1' \
  'c2c f32 n=4096' 'c2c f64 n=4096' 'c2c f32 n=16384' 'c2c f64 n=65536' \
  'c2c f32 n=60' 'c2c f32 n=1000' 'c2c f64 n=1000' 'c2c f32 n=3125' 'c2c f64 n=2187' 'c2c f32 n=5040' \
  'c2c f32 n=17' 'c2c f64 n=101' 'c2c f32 n=1009' 'c2c f64 n=10007' \
  'c2c f32 n=32 batch=256' 'c2c f64 n=100 batch=100' 'c2c f32 n=64:64:64 batch=64:1:1' \
  'c2c f32 n=1048576'

echo
"$build/examples/spectrogram" "$recording" out/spectrogram.png
