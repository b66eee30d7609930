#!/bin/sh
# What the model takes for an H100 where measurements said which kind of plan is the faster one (docs/lab/cost-model.md): a
# pattern of a part of the first plan's text, or a part of the kernel's. usage: choices.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/counted.sh"

while IFS='|' read -r problem part; do
  count=$((count + 1))
  chosen=$("$fftgen" plan "$problem" --target cuda --arch sm_90 --no-wisdom --json | sed 's/.*"plans":\[{"plan":"\([^"]*\)".*/\1/')
  case $chosen in *$part*) ;; *) fail "$problem: $chosen, without $part" ;; esac
done <<'LIST'
c2c f32 n=16384|cluster=16
c2c f32 n=2097152 batch=64|queue=2
c2c f64 n=16384 batch=4096|cluster=8, resident=4
c2c f64 n=10007 batch=6706|cluster_scheduling=load_balancing
c2c f64 n=1674 batch=40088|stockham(
c2c f32 n=74077 batch=1811|stockham(16,8,8)))
c2c f32 n=63353 batch=2118|queue=12
c2c f64 n=49 batch=1369568|group=16
c2c f64 n=55 batch=1220161|stockham(11,5; group=4)
c2c f32 n=2500 batch=53687|products=on
c2c f64 n=24x25 batch=111848|nd(stockham(6,4), stockham(5,5)
c2c f32 n=1715x882 batch=88|stockham(14,9,7))
c2c f32 n=35x120 batch=31956|inside=2)
c2r f32 n=72000 batch=3728|cluster=5
r2c f32 n=100000 batch=2684|cluster=10, resident=4
r2c f64 n=65536 batch=2048|cluster=16
r2c f32 n=1051 batch=255000|paired(rader(
r2c f32 n=3000x1500 batch=59|tile=8, uneven=on
rconv f32 n=1024x1024|tile=[48], uneven=on
rconv f32 n=8192 batch=16x768 spectrum=channel|convolve(paired(
rconv f32 n=8192 batch=16x768 spectrum=each|convolve(real(
rconv f32 n=8192 batch=2x8 spectrum=channel|convolve(real(
LIST

# A text that no cache of instructions holds: 4256 us on an H200, by Bluestein's 2829.
count=$((count + 1))
"$fftgen" plan "c2c f32 n=20681 batch=6490" --target cuda --arch h200 --no-wisdom | sed -n 2p | grep -q 'bluestein(41472' || fail "c2c f32 n=20681: a text that is fetched again"

# Padded addresses that are computed one by one take time: 1006 us of an H200 for 851.
count=$((count + 1))
cost_of() { "$fftgen" plan "c2c f32 n=35x120 batch=31956" --target cuda --arch h200 --plan "$1" --json | sed 's/.*"cost":\([0-9]*\).*/\1/'; }
copied=$(cost_of 'nd(stockham(7,5), stockham(12,10); copies=on, resident=2, inside=2)')
plain=$(cost_of 'nd(stockham(7,5), stockham(12,10); inside=2)')
[ "$((copied * 100))" -gt "$((plain * 112))" ] || fail "c2c f32 n=35x120: copies cost $copied, $plain without"

# Sums of many numbers are no halves between the passes of a convolution.
for n in 4096 65536; do
  count=$((count + 1))
  "$fftgen" plan "conv f16 n=$n batch=64" --target cuda --arch sm_90 --no-wisdom | grep -q narrow= && fail "conv f16 n=$n: halves between passes"
done

# On CPUs the first pass of a convolution and the last one back, and those of reals, are on interleaved complex vectors.
while IFS='|' read -r problem plan; do
  count=$((count + 1))
  ends=$("$fftgen" plan "$problem" --isa avx512 --plan "$plan" --no-wisdom --dump=kernel | grep -c 'step 4 l:lane<4')
  [ "$ends" -eq 2 ] || fail "$problem by $plan: $ends passes on pairs"
done <<'LIST'
conv f64 n=1024|convolve(stockham(8,8,16))
rconv f64 n=1024|convolve(real(16, stockham(8,8)))
conv f64 n=2048|convolve(four-step(stockham(8,16), direct(16)))
LIST

# Short convolutions on CPUs: vectors of one width where they stay in registers, parts where each transform's spectrum
# comes from memory, pairs where caches hold it.
while IFS='|' read -r problem plan; do
  count=$((count + 1))
  chosen=$("$fftgen" plan "$problem" --arch zen4 --no-wisdom --json | sed 's/.*"plans":\[{"plan":"\([^"]*\)".*/\1/')
  [ "$chosen" = "$plan" ] || fail "$problem: $chosen, not $plan"
done <<'LIST'
conv f32 n=128|convolve(stockham(16,8); complex_vectors=interleaved)
conv f64 n=64 batch=9177 spectrum=each|convolve(stockham(16,4))
conv f64 n=64 batch=20 spectrum=each|convolve(stockham(16,4); complex_vectors=interleaved)
LIST

# What is no more than half of a vector of two halves is one of half of its width.
for plan in 'stockham(10,10)' 'stockham(2,50)'; do
  count=$((count + 1))
  rests=$("$fftgen" plan "c2c f64 n=100" --arch zen4 --plan "$plan" --no-wisdom --dump=kernel | grep -c ', rest$')
  [ "$rests" -ge 1 ] || fail "c2c f64 n=100 by $plan: no narrow vector"
done

# A short transform in place waits for what was stored before: of vectors that are loaded otherwise, of two halves, and
# of more passes for longer. Out of place calls overlap.
while IFS='|' read -r problem plan; do
  count=$((count + 1))
  chosen=$("$fftgen" plan "$problem" --arch zen4 --no-wisdom --json | sed 's/.*"plans":\[{"plan":"\([^"]*\)".*/\1/')
  [ "$chosen" = "$plan" ] || fail "$problem: $chosen, not $plan"
done <<'LIST'
c2c f64 n=18|stockham(6,3; lanes=4)
c2c f64 n=18 place=in|direct(18)
c2c f32 n=20 place=in|stockham(10,2; lanes=8)
c2c f64 n=16 place=in|direct(16)
r2c f32 n=44|direct(44)
r2c f64 n=28|direct(28)
c2c f32 n=28 batch=5000|stockham(4,7)
c2c f64 n=16 batch=9375|stockham(8,2; lanes=4)
LIST

# Of a long batch nothing is left to one, so that its one stage stores past the caches.
count=$((count + 1))
"$fftgen" plan "rconv f64 n=64 batch=15498" --arch zen4 --plan "convolve(direct(64))" --no-wisdom --dump=kernel | grep -q ', rest$' && fail "rconv f64 n=64 batch=15498: a narrow vector"

# Rows of both ends of a convolution bring the next ones near, once: not again in what fills no vector.
count=$((count + 1))
"$fftgen" emit "conv f64 n=448x630" --arch zen4 --plan "nd(convolve(stockham(16,28)), stockham(30,21))" --no-wisdom --prefix k -o "$dir" >/dev/null
fetching=$(awk '/^static .*k_run[0-9]_[0-9]\(/ { split($0, part, "("); name = part[1] } /prefetch/ { print name }' "$dir/k.c" | sort -u | grep -o '[0-9]_[0-9]$' | tr '\n' ' ')
[ "$fetching" = "0_0 0_1 1_0 1_1 1_2 2_1 3_1 " ] || fail "conv f64 n=448x630 prefetches in $fetching"

# Doubles: a second block on a multiprocessor, or the registers that its radix wants.
bounds() { # PROBLEM PLAN BLOCKS
  count=$((count + 1))
  "$fftgen" emit "$1" --target cuda --arch sm_90 --plan "$2" --prefix k -o "$dir" >/dev/null || { fail "emit $1"; return; }
  grep -Eq "__launch_bounds__\([0-9]+, $3\)" "$dir/k.cu" || fail "$1 by $2: $(grep -m1 -o '__launch_bounds__([^)]*)' "$dir/k.cu")"
}
bounds 'c2c f64 n=6561 batch=9' 'stockham(9,9,9,9)' 1
bounds 'c2c f64 n=6144 batch=9' 'stockham(16,16,24)' 1
bounds 'c2c f64 n=4913 batch=9' 'stockham(17,17,17)' 2
bounds 'c2c f64 n=5000 batch=9' 'stockham(5,10,10,10)' 2
# Convolutions that no block holds, with paddings or without, have plans, too.
while IFS='|' read -r target arch problem; do
  count=$((count + 1))
  "$fftgen" plan "$problem" --target "$target" ${arch:+--arch "$arch"} --no-wisdom >"$dir/said" 2>&1 || fail "$problem for $target $arch: $(cat "$dir/said")"
done <<'LIST'
cuda|sm_90|rconv f32 n=32768x12
cuda|sm_90|rconv f64 n=20000x12
cuda|sm_86|rconv f64 n=8192x8192
cuda|sm_70|rconv f32 n=16384x12
cuda|sm_70|rconv f64 n=5005x7
cuda|h200|rconv f32 n=1200x2
cuda|sm_90|rconv f16 n=18144x168 scale=1/n
opencl|opencl-gpu|rconv f64 n=5000x12
hip|gfx942|rconv f64 n=5000x12
metal||rconv f32 n=8192x10
sycl||rconv f64 n=4096x12
metal||rconv f32 n=4096 batch=1000
metal||rconv bf16 n=4096 batch=1536
hip|gfx1030|rconv f32 n=8192 batch=1000
hip|gfx1030|rconv f64 n=4096 batch=1000
cuda|sm_90|rconv f16 n=65536 batch=16x768 filter=channel(32768) linear=full(32768) scale=1/n
hip|gfx90a|rconv f16 n=30030 batch=16 store=crop(30001) scale=1/n
LIST

# A last dimension shorter than a vector of a CPU, its numbers in planes; every form proved, tiles that overlap among them.
short() { # PROBLEM PART [PLAN]
  count=$((count + 1))
  chosen=$("$fftgen" plan "$1" --isa avx512 --no-wisdom --json | sed 's/.*"plans":\[{"plan":"\([^"]*\)".*/\1/')
  case $chosen in *$2*) ;; *) fail "$1: $chosen, without $2" ;; esac
  "$fftgen" emit "$1" --isa avx512 ${3:+--plan "$3"} --prefix k -o "$dir" >/dev/null || fail "emit $1${3:+ by $3}"
}
short 'c2c f32 n=65536x3' planes=together
short 'c2c f64 n=2000x3' planes=
short 'r2c f32 n=4096x3' planes= 'nd(stockham(16,16,16), direct(3); planes=together)'
short 'c2r f64 n=7x500x5 place=in' planes= 'nd(direct(7), stockham(20,25), direct(5); planes=apart)'
short 'c2c f32 n=3x625x2 load=shift store=shift' planes= 'nd(direct(3), four-step(direct(25), stockham(5,5)), direct(2); planes=together)'
short 'c2r f32 n=1920x4 batch=2' planes= 'nd(four-step(stockham(8,6), stockham(8,5)), direct(4); planes=together)'

echo "$count choices, $bad failures"
[ $bad = 0 ]
