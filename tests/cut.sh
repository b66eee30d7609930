#!/bin/sh
# libfftgen-llvm with LLVM linked into it, as wheels have it: what is left out of LLVM is never called, and objects are those of
# the plugin with all of LLVM, byte for byte, at every level. Another build makes it. usage: cut.sh FFTGEN PLUGIN ROOT CMAKE CC
set -u
fftgen=$1 plugin=$2 root=$3 cmake=$4 cc=$5
most=23000000 # bytes of the plugin
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$cmake" -S "$root" -B "$dir/built" -DCMAKE_BUILD_TYPE=Release -DFFTGEN_LLVM_STATIC=ON >"$dir/said" 2>&1 ||
  { grep -q 'wants llvm-19-dev' "$dir/said" && echo 'SKIP: no archives of LLVM' && exit 77; cat "$dir/said"; exit 1; }
grep -q 'no lld' "$dir/said" && { echo 'SKIP: no lld'; exit 77; }
"$cmake" --build "$dir/built" --target fftgen_llvm >"$dir/said" 2>&1 || { cat "$dir/said"; exit 1; }
strip -o "$dir/cut.so" "$dir/built/libfftgen-llvm.so"
bytes=$(wc -c <"$dir/cut.so")
[ "$bytes" -le $most ] || { echo "FAIL: $bytes bytes, $most are allowed"; exit 1; }
"$cc" -D_GNU_SOURCE -I"$root" -shared -fPIC -O1 -o "$dir/both.so" "$root/tests/cut_check.c" -ldl || exit 1
export FFTGEN_LLVM="$dir/both.so" CUT_WHOLE="$plugin" CUT_CUT="$dir/cut.so" CUT_LOG="$dir/log"
bad=0
while read -r problem; do
  "$fftgen" verify "$problem" --device llvm >"$dir/said" 2>&1 || { echo "FAIL: $problem"; tail -3 "$dir/said"; bad=1; }
done <<'END'
c2c f32 n=16
c2c f64 n=64
c2c f32 n=1000 batch=16
c2c f64 n=1009
r2c f32 n=1024
r2c f64 n=480 batch=3
c2r f32 n=1001
dct2 f32 n=256
dst4 f64 n=100
c2c f32 n=64x64
c2c f32 n=256 batch=count[1..65536]
c2c f64 n=512 place=in layout=split
c2c f32 n=1024 load=u8,window(hann) store=mag2
c2c f16 n=4096 scale=1/n
conv f32 n=512 batch=8x16 spectrum=channel
stft f32 n=21x1024 load=reflect,window(hann)
imdct f32 n=14x960 store=window(sine)
c2c bf16 n=1024 batch=4
c2c f32 n=16384
r2c f32 n=1024 load=i16 store=logmag
c2c f32 n=12x10x14 batch=3
rconv f64 n=1000 batch=4 spectrum=each
END
equal=$(grep -c = "$CUT_LOG") other=$(grep -c x "$CUT_LOG")
echo "$equal objects are equal, $other are not; $bytes bytes"
[ "$bad" = 0 ] && [ "$other" = 0 ] && [ "$equal" -ge 88 ]
