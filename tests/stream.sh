#!/bin/sh
# Streams: for texts of every kind the source compiles without a warning as C99 and as C++17, needs nothing but memcpy
# and memset when it runs, and gives the filter's samples (stream_check.c), under sanitizers, too, at every level of
# instructions. Wrong texts are refused with a reason. Of texts some are drawn by the day; with `all`, every one.
# usage: stream.sh FFTGEN [all]
set -u
fftgen=$1 all=${2:+1}
seed=${FFTGEN_SEED:-$(($(date +%s) / 86400))}
. ./drawn.sh
here=$PWD
. "$(dirname "$0")/counted.sh"
command -v gcc >/dev/null 2>&1 || { echo 'SKIP: no gcc here'; exit 77; }
strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wno-psabi -Werror'
emit() { "$fftgen" emit --stream "$@" >"$dir/out" 2>&1; }

check() { # what it is called, compiler, its flags with the sources or the object
  what=$1
  shift
  # shellcheck disable=SC2086
  "$@" -I "$dir/s" $defines "$here/stream_check.c" -o "$dir/check" -lm 2>"$dir/log" ||
    { fail "$text: $what: $(head -3 "$dir/log")"; return; }
  "$dir/check" "$seed" >"$dir/said" || fail "$text: $what: $(cat "$dir/said")"
}

stream() { # text
  text=$1 defines='-DREAL=float -DTOLERANCE=2e-6'
  rm -rf "$dir/s"
  emit st="$text" -o "$dir/s" || { fail "$text: $(cat "$dir/out")"; return; }
  case $text in *f64*) defines='-DREAL=double -DTOLERANCE=4e-15' ;; esac
  case $text in conv*) defines="$defines -DCOMPLEX" ;; esac
  case $text in *planar*) defines="$defines -DPLANAR" ;; esac
  case $text in *filter=channel*) defines="$defines -DOWN" ;; esac
  # shellcheck disable=SC2086
  gcc -std=c99 $strict -O2 -c "$dir/s/st.c" -o "$dir/st.o" 2>"$dir/log" || fail "$text: C99: $(head -3 "$dir/log")"
  # shellcheck disable=SC2086
  g++ -std=c++17 -x c++ $strict -fsyntax-only "$dir/s/st.c" 2>"$dir/log" || fail "$text: C++: $(head -3 "$dir/log")"
  needed=$(nm -u "$dir/st.o" | sed 's/.* //' | grep -vE '^(memcpy|memset|memmove|__cpu_model|__cpu_indicator_init|_GLOBAL_OFFSET_TABLE_)$')
  [ -z "$needed" ] || fail "$text: needs $needed"
  others=$(nm -g --defined-only "$dir/st.o" | sed 's/.* //' | grep -v '^st_')
  [ -z "$others" ] || fail "$text: defines $others"
  check 'the widest' gcc "$dir/st.o"
  check sanitizers gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover -DST_WIDEST=1 "$dir/s/st.c"
  drawn 3 && check AVX2 gcc -O1 -DST_WIDEST=2 "$dir/s/st.c"
  drawn 5 && command -v clang >/dev/null 2>&1 && check clang clang -O1 "$dir/s/st.c"
}

set -- 'rconv f32 taps=96' 'rconv f32 taps=1' 'rconv f32 taps=4097 channels=2' 'rconv f32 taps=500 block=64' \
  'rconv f32 taps=500 block=100 method=overlap-add' 'rconv f64 taps=257 block=33' 'conv f32 taps=60 block=1 method=overlap-add' \
  'conv f32 taps=300 block=77 channels=3 filter=channel' 'rconv f32 taps=6000 latency=64' \
  'rconv f32 taps=6000 latency=64 method=overlap-add channels=2' 'rconv f64 taps=6000 latency=100 channels=2 frames=planar' \
  'conv f32 taps=5000 latency=63 filter=channel channels=2 frames=planar' 'rconv f32 taps=3000 latency=0' \
  'conv f64 taps=1500 latency=0 channels=2' 'rconv f32 taps=2000 latency=5 method=overlap-add filter=channel channels=2' \
  'rconv f32 taps=4097 partition=64x3,128x1,256x3,1024' 'rconv f32 taps=4097 partition=64x1,128' \
  'rconv f32 taps=5000 partition=64x4,256x1,512' 'rconv f64 taps=700 partition=100x7' \
  'conv f32 taps=9000 partition=128x30,1024 method=overlap-add' 'rconv f32 taps=20 latency=64' 'rconv f32 taps=64 latency=64' \
  'rconv f32 taps=17 latency=0' 'rconv f32 taps=900 latency=10 partition=32x5,64x1,128'
for one; do
  { [ -n "$all" ] || drawn 12; } && stream "$one"
done
# short filters: a ring no shorter than what moves in front of it
for one in 'rconv f32 taps=5 block=1' 'rconv f32 taps=17 block=1' 'rconv f32 taps=7 block=2' 'rconv f32 taps=1 latency=0' \
  'conv f64 taps=16 latency=3 channels=2'; do
  { [ -n "$all" ] || drawn 2; } && stream "$one"
done

# --- the same command, the same bytes; other instruction sets
emit st='rconv f32 taps=3000 latency=64' -o "$dir/a" && emit st='rconv f32 taps=3000 latency=64' -o "$dir/b"
diff -r "$dir/a" "$dir/b" >/dev/null || fail 'the same command gives other bytes'
text='rconv f32 taps=3000 latency=64' defines='-DREAL=float -DTOLERANCE=2e-6'
emit st='rconv f32 taps=3000 latency=64' --isa scalar -o "$dir/s" || fail "--isa scalar: $(cat "$dir/out")"
check 'scalar alone' gcc -O1 "$dir/s/st.c"
# what emit prints is a stream whose text chooses the same
printed=$(sed -n 's/^ \* st: //p' "$dir/a/st.h")
emit st="$printed" -o "$dir/c" || fail "$printed: $(cat "$dir/out")"
diff "$dir/a/st.c" "$dir/c/st.c" >/dev/null || fail "$printed: other bytes"

# --- tune prints what was timed, and a text that emit takes
"$fftgen" tune --stream 'rconv f32 taps=50 latency=16' --isa scalar >"$dir/tuned" 2>&1 || fail "tune: $(cat "$dir/tuned")"
best=$(sed -n 's/^ *[1-9][0-9]* *[1-9][0-9]* *\(rconv.*\)  <- the best$/\1/p' "$dir/tuned")
case $best in 'rconv f32 taps=50 latency=16 partition='*) emit st="$best" -o "$dir/t" || fail "tune: $best" ;; *) fail "tune says $(cat "$dir/tuned")" ;; esac
"$fftgen" tune --stream 'rconv f32 taps=50 latency=16' --file x >"$dir/out" 2>&1 && fail 'tune: takes a file and a stream'
"$fftgen" tune --stream 'rconv f32 taps=50' --target opencl >"$dir/out2" 2>&1 && fail 'tune: takes a target'
grep -q 'target: not with --stream' "$dir/out2" || fail "tune --target: $(cat "$dir/out2")"
grep -q 'file: not with --stream' "$dir/out" || fail "tune --file: $(cat "$dir/out")"

# --- what is wrong with a text, where, and what is allowed
refused() { # words of the complaint, then arguments
  words=$1
  shift
  emit "$@" -o "$dir/refused" && fail "not refused: $*"
  grep -qF -- "$words" "$dir/out" || fail "$*: says $(cat "$dir/out")"
  [ "$(wc -l <"$dir/out")" = 1 ] || fail "$*: more than one line"
  [ ! -e "$dir/refused" ] || fail "$*: left files"
}
refused "stream, column 1: 'c2c'; allowed: rconv (real samples), conv (complex)" 'c2c f32 taps=8'
refused "stream, column 7: 'f16'; allowed: f32, f64" 'rconv f16 taps=8'
refused "no taps=; allowed: taps=NUMBER" 'rconv f32'
refused "column 16: taps: '0'; allowed: 1 .. 4194304" 'rconv f32 taps=0'
refused "did you mean 'latency'" 'rconv f32 taps=8 latencie=9'
refused 'given twice' 'rconv f32 taps=8 taps=9'
refused "channels: '65'; allowed: 1 .. 64" 'rconv f32 taps=8 channels=65'
refused "method: 'fast'; allowed: overlap-save, overlap-add" 'rconv f32 taps=8 method=fast'
refused 'block= and latency= disagree' 'rconv f32 taps=8 block=64 latency=2'
refused 'block= and partition=; allowed: one of them' 'rconv f32 taps=8 block=64 partition=8x1'
refused "no ',' between blocks" 'rconv f32 taps=8 partition=8x1;9'
refused '512 from tap 64 on come too late; allowed: from tap 448 on' 'rconv f32 taps=4097 partition=64x1,512'
refused '96 behind 64; allowed: multiples of the block before' 'rconv f32 taps=4097 partition=64x8,96'
refused '64x80 at tap 0 of 4097; allowed there: x65' 'rconv f32 taps=4097 partition=64x80'
refused 'not with --stream' 'rconv f32 taps=8' --bundle x
refused 'streams are C' 'rconv f32 taps=8' --target opencl
refused 'only 1 stream' 'rconv f32 taps=8' 'rconv f32 taps=9'
[ $bad = 0 ]
