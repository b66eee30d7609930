#!/bin/sh
# Emitted OpenCL under oclgrind, run by its own host program: kernels of every form
# have no races, stay in bounds and read nothing that was not written; and faults
# planted into the same sources are found. A quarter of the forms is drawn by the day; with `all`, every one.
# usage: oclgrind.sh FFTGEN [all]
set -u
fftgen=$1 all=${2:+1}
. ./drawn.sh
. "$(dirname "$0")/../counted.sh"
clean=0 found=0
skip() {
  echo "SKIP: $*"
  exit 77
}

command -v oclgrind >/dev/null 2>&1 || skip 'no oclgrind here'
compiler=$(command -v gcc || command -v clang) || skip 'no C compiler here'
printf '#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0) == CL_SUCCESS; }\n' >"$dir/probe.c"
"$compiler" -DCL_TARGET_OPENCL_VERSION=120 "$dir/probe.c" -o "$dir/probe" -l:libOpenCL.so.1 2>/dev/null ||
  skip 'no OpenCL headers or no libOpenCL.so.1 to link with'

# Without optimisation: the compiler takes no race away, and the check of what is
# uninitialized knows all instructions.
uninitialized=--uninitialized
watched() { # log, command...
  log=$1
  shift
  timeout 100 oclgrind --data-races $uninitialized --build-options -O0 --max-errors 100000 --log "$log" "$@" >"$dir/output" 2>&1
}

# runs_clean NAME PROBLEM [OPTION...]: emits NAME, builds its host program.
chosen='' always=' alone block blocks pass_batch workspace ' # faults are planted into these
runs_clean() {
  name=$1
  shift
  if drawn 4; then chosen="$chosen $name "; else case $always in *" $name "*) ;; *) return ;; esac; fi
  clean=$((clean + 1))
  "$fftgen" emit "$@" --target opencl --prefix "$name" -o "$dir" >/dev/null || { fail "emit $*"; return; }
  "$compiler" -std=c99 -O1 -Wall -Wextra -Wpedantic -Werror "$dir/${name}_cl_host.c" -o "$dir/$name" -l:libOpenCL.so.1 -lm ||
    { fail "the host program of $*"; return; }
  watched "$dir/log" "$dir/$name" "$dir/$name.cl" || fail "exit code $?: $*: $(cat "$dir/output")"
  [ ! -s "$dir/log" ] || fail "oclgrind on $*: $(head -n 6 "$dir/log")"
}

# finds NAME FILE CHANGE WORDS: with FILE changed by sed, the log has WORDS.
finds() {
  found=$((found + 1))
  cp "$dir/$1.cl" "$dir/planted.cl" && cp "$dir/${1}_cl_host.c" "$dir/planted_cl_host.c"
  sed "$3" "$dir/$1$2" >"$dir/planted$2"
  cmp -s "$dir/$1$2" "$dir/planted$2" && { fail "'$3' changes nothing in $1$2"; return; }
  "$compiler" -O1 "$dir/planted_cl_host.c" -o "$dir/planted" -l:libOpenCL.so.1 -lm || { fail "'$3' in $1$2 does not compile"; return; }
  watched "$dir/log" "$dir/planted" "$dir/planted.cl"
  grep -q "$4" "$dir/log" || fail "planted, not found: '$3' in $1$2: $(head -n 6 "$dir/log")"
}

runs_clean alone 'c2c f32 n=16 batch=150' --plan 'direct(16)'
runs_clean block 'c2c f32 n=64' --plan 'stockham(4,4,4)'
runs_clean block3 'c2c f32 n=1000 sign=+1' --plan 'stockham(10,10,10)'
runs_clean blocks 'c2c f64 n=360 batch=3' --plan 'stockham(9,8,5)'
runs_clean guards 'c2c f32 n=720' --plan 'stockham(5,9,16; threads=33)'
runs_clean within 'c2c f64 n=96 batch=2 place=in layout=split' --plan 'stockham(8,12)'
runs_clean strided 'c2c f32 n=60:s[1..4]:2 batch=rows[1..4]:300:160' --plan 'stockham(6,10)'
runs_clean loops 'c2c f32 n=32 batch=2:4000:4000xa[1..4]:640:640xc[1..9]:64:64' --plan 'stockham(8,4)'
runs_clean groups 'c2c f32 n=64 batch=c[1..40]' --plan 'stockham(8,8; group=5)'
runs_clean passes 'c2c f64 n=4096' --plan 'stockham(16,16,16)'
runs_clean tiles 'c2c f64 n=4096' --plan 'four-step(stockham(8,8), stockham(8,8))'
runs_clean pass_batch 'c2c f64 n=2187 batch=2 place=in' --plan 'stockham(27,9,9)'
runs_clean chirp 'c2c f32 n=131' --plan 'bluestein(270, stockham(15,18))'
runs_clean chirp_pass 'c2c f64 n=1031'
runs_clean ladder 'c2c f32 n=90' --plan 'cooley-tukey(9, stockham(2,5))'
runs_clean primes 'c2c f32 n=97' --plan 'rader(97, stockham(8,12))'
runs_clean coprime 'c2c f64 n=63' --plan 'prime-factor(direct(7), direct(9))'
runs_clean reals 'r2c f32 n=512 batch=2' --plan 'real(2, stockham(16,16))'
runs_clean back 'c2r f64 n=512' --plan 'real(2, stockham(16,16))'
runs_clean cosine 'dct2 f32 n=256'
runs_clean axes 'c2c f32 n=12x10'
# Of vectors, that check takes parts that nobody reads for parts that somebody does.
uninitialized=
runs_clean vectors 'c2c f32 n=64 batch=rows[1..300]' --isa avx2 --plan 'stockham(8,8)'
runs_clean codelets 'c2c f32 n=8 batch=count[1..3000]' --isa avx2 --plan 'direct(8)'
runs_clean workspace 'c2c f32 n=8192 batch=2' --isa avx2 --plan 'stockham(16,16,32)'
runs_clean columns 'c2c f32 n=16x24 batch=3' --isa avx2
uninitialized=--uninitialized

# The device itself, with its own way to launch.
clean=$((clean + 1))
watched "$dir/log" "$fftgen" verify 'c2c f32 n=256' --plan 'stockham(16,16)' --inputs 1 --device opencl ||
  fail "verify: $(cat "$dir/output")"
[ ! -s "$dir/log" ] || fail "oclgrind on verify: $(head -n 6 "$dir/log")"
grep -qi oclgrind "$dir/output" || fail "verify did not run on oclgrind's device: $(cat "$dir/output")"

# Barriers left out, one at a time. Not every one is needed: where a stage's threads
# write what they read themselves, or touch other memory than their neighbours. But
# so many are: block 3 of 3, and so on.
barriers() { # NAME, how many of its barriers are needed at least
  races=0 barriers=0
  case $chosen in *" $1 "*) ;; *) return 0 ;; esac
  for line in $(grep -n 'barrier(' "$dir/$1.cl" | cut -d: -f1); do
    barriers=$((barriers + 1))
    sed "${line}s/barrier(.*);/;/" "$dir/$1.cl" >"$dir/planted.cl"
    watched "$dir/log" "$dir/$1" "$dir/planted.cl"
    ! grep -q 'data race' "$dir/log" || races=$((races + 1))
  done
  found=$((found + races))
  [ $races -ge "$2" ] || fail "$1: oclgrind needs $races of $barriers barriers, where $2 are"
}
uninitialized= # races are what is looked for
barriers alone 2
barriers block 3
barriers blocks 3
barriers within 1
barriers strided 1
barriers loops 2
barriers groups 1
barriers chirp 2
barriers ladder 2
barriers primes 4
barriers coprime 1
barriers reals 2
barriers back 1
barriers cosine 2
barriers axes 1

# Passes that write what other blocks read.
launch=$(grep 'pass_batch_pass1"' "$dir/pass_batch_cl_host.c")
from=$(echo "$launch" | sed 's/.*{\([0-9]*\), \([0-9]*\).*/\1/')
to=$(echo "$launch" | sed 's/.*{\([0-9]*\), \([0-9]*\).*/\2/')
finds pass_batch _cl_host.c "/pass_batch_pass1\"/s/{$from, $to/{$from, $from/" 'data race'
# Blocks of vectors that share a workspace.
finds workspace .cl 's/ 8192 \* b/ 8192 * 0/' 'data race'
uninitialized=--uninitialized
# Out of bounds: local memory, input, results, tables.
size=$(sed -n 's/.*__local float work0\[\([0-9]*\)\].*/\1/p' "$dir/block.cl")
finds block .cl "s/work0\[$size\]/work0[$((size - 16))]/" 'Invalid write'
finds alone _cl_host.c 's/{IN, [0-9]*/{IN, 64/' 'Invalid read'
finds alone _cl_host.c 's/{OUT, [0-9]*/{OUT, 64/' 'Invalid write'
finds blocks _cl_host.c '/^  {TABLE,.*tw1/s/, [0-9]*,/, 64,/' 'Invalid read'
# A stage left out: somebody reads what nobody wrote.
finds block .cl '/^ *block_block_0(/d' 'Uninitialized'

echo "$clean programs clean, $found planted faults, $bad failures"
[ $bad = 0 ]
