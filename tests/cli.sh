#!/bin/sh
# The program from outside: exit codes, one-line complaints, whole files, same
# bytes twice. usage: cli.sh FFTGEN
set -u
fftgen=$1
. "$(dirname "$0")/counted.sh"

# fails CODE WORDS ARGUMENTS...: the program complains so.
fails() {
  code=$1 words=$2
  shift 2
  complains "$code" "$words" "$fftgen" "$@"
}

# works ARGUMENTS...: exits with 0 and no complaint; the output is in $dir/stdout.
works() {
  count=$((count + 1))
  timeout 60 "$fftgen" "$@" >"$dir/stdout" 2>"$dir/stderr" || fail "exit code $?: fftgen $*: $(cat "$dir/stderr")"
  [ ! -s "$dir/stderr" ] || fail "unexpected complaint: fftgen $*: $(cat "$dir/stderr")"
}

# says WORDS: the output of the last `works` holds them.
says() { grep -qF -e "$1" "$dir/stdout" || fail "'$1' is not in the output: $(head -c 300 "$dir/stdout")"; }

# --- the program and its subcommands
works
says 'Usage: fftgen'
works help
works --help
works version
says 'fftgen 0.'
works version --help
works help version
fails 2 "'plan'|one subcommand" help emit plan
fails 2 "'plam'|did you mean 'plan'" help plam
fails 2 "'que'|did you mean 'queue'" help parameters que
for subcommand in emit plan ops verify bench devices tune wisdom model pack run-with; do
  works $subcommand --help
  says "Usage: fftgen $subcommand"
  works help $subcommand
done
fails 2 "'frob'|emit" frob
fails 2 "'emti'|did you mean 'emit'" emti 'c2c f32 n=8'
fails 2 '--frob|unknown' emit --frob
fails 2 "--tagret|did you mean '--target'" emit 'c2c f32 n=8' --tagret c
fails 2 '--isa|value is missing|NAME' emit 'c2c f32 n=8' --isa
fails 2 '--json|takes no value' plan 'c2c f32 n=8' --json=1
for subcommand in emit plan verify bench tune pack; do
  fails 2 "quote it: 'c2c f32 n=1024'" $subcommand c2c f32 n=1024
done
fails 2 "quote it: 'dct2 double n=8 batch=3'" bench dct2 double n=8 batch=3 --json
fails 2 "quote it: 'c2c f32 n=8'" wisdom explain c2c f32 n=8
fails 2 'no PROBLEM given|--help' emit
fails 2 "'--verison'|did you mean 'version'" --verison
fails 2 "'avx'|did you mean 'avx2'|native" emit 'c2c f32 n=8' --isa avx
fails 2 "'AVX2'|did you mean 'avx2'" emit 'c2c f32 n=8' --isa AVX2
fails 2 "'gpu'|did you mean one of opencl, cuda, hip" emit 'c2c f32 n=8' --target gpu
fails 2 "'gpu'|did you mean one of opencl, cuda, hip" bench 'c2c f32 n=8' --device gpu
fails 2 "'cudda'|did you mean 'cuda'" bench 'c2c f32 n=8' --device cudda
fails 2 "'sm90'|did you mean 'sm_90'" emit 'c2c f32 n=8' --arch sm90
fails 2 "'frob'|fit" model frob
fails 2 'no problems' model fit 'c2c f32 n=8'
fails 2 "'8'|no arguments" devices 8
fails 2 "'a?b'" plan 'c2c f32 n=8' 'a
b'
fails 2 '1 argument' emit 'c2c f32 n=8' 'c2c f32 n=9'

# --- problems
fails 2 'n: 0|allowed: 1' plan 'c2c f32 n=0'
fails 2 'GiB of memory, there are|allowed: what can be proved' emit 'c2c f32 n=68719476736' -o "$dir/out"
fails 2 'length 1073741827 cannot be proved|prime factors in the length,' plan 'c2c f32 n=1073741827'
fails 2 'length 4000000008 cannot be proved|in the length less 1' plan 'dct1 f64 n=4000000008'
fails 2 "'-4'" plan 'c2c f32 n=-4'
fails 2 'too large|2^62' plan 'c2c f32 n=99999999999999999999'
fails 2 '2^62' plan 'c2c f32 n=4611686018427387904'
fails 2 'too large' plan 'c2c f32 n=4294967296 batch=4294967296'
fails 2 '2^48 points' plan 'c2c f32 n=2147483648 batch=268435456'
fails 2 'allowed: smaller prime factors in the length' plan 'c2c f32 n=2147483647' --isa scalar
fails 2 'allowed: smaller prime factors in the length' plan 'c2c f32 n=1073741789' --isa scalar
"$fftgen" plan 'c2c f64 n=2147483648 batch=131072' --isa scalar >"$dir/costs" || fail 'costs of 2^48 points'
[ "$(awk 'NR > 1 && ($1 <= 0 || $2 <= 0 || $3 <= 0)' "$dir/costs" | wc -l)" = 0 ] || fail "costs that wrapped: $(cat "$dir/costs")"
fails 2 'colour' plan 'c2c f32 n=8 colour=red'
fails 2 'c2x' plan 'c2x f32 n=8'
fails 2 'f31' plan 'c2c f31 n=8'
fails 2 'sign' plan 'c2c f32 n=8 sign=2'
# Transforms that would overlap if there were two: of a loop over them gcc 12 dropped stores.
works verify 'c2c f64 n=24:1:1 batch=count[1..1]:1:1 store=conj' --device cc
works plan 'r2c f32 n=8x8'
works plan 'c2c f32 n=8x9x10' --target opencl
says 'nd('
fails 2 'f16' plan 'c2c f16 n=8 compute=f16'
fails 2 '' plan ''
fails 2 '' plan "c2c f32 n=8
n=9"

# --- plans, targets, instruction sets
fails 2 'fft' plan 'c2c f32 n=8' --plan 'fft(8)'
fails 2 '' plan 'c2c f32 n=8' --plan 'direct(9)'
fails 2 '' plan 'c2c f32 n=8' --plan 'direct(8'
fails 2 '' plan 'c2c f32 n=64' --plan 'stockham(8,4)'
fails 2 'lamps' plan 'c2c f32 n=64' --plan 'stockham(8,8; lamps=8)'
fails 2 'cobol|opencl' emit 'c2c f32 n=8' --target cobol
fails 2 "device 'tcc': takes target c, not 'opencl'" bench 'c2c f32 n=8' --device tcc --target opencl
fails 2 "--compiler 'gcc'|only device cc has a choice, not tcc" bench 'c2c f32 n=8' --device tcc --compiler gcc
fails 2 "--arch 'sm_90'|with --target only|cuda" pack 'c2c f32 n=8' --arch sm_90 -o "$dir/pack"
fails 2 "--no-code|--target cuda|--arch" pack 'c2c f32 n=8' --no-code -o "$dir/pack"
fails 2 "--arch 'sm_1'|native|fftgen help machines" pack 'c2c f32 n=8' --target cuda --arch sm_1 --no-code -o "$dir/pack"
fails 2 "--device 'tcc': packs are made by cc" pack 'c2c f32 n=8' --device tcc -o "$dir/pack"
fails 2 "--max-code 'much': a number of bytes" emit --bundle two 'c2c f32 n=8' --max-code much
fails 2 "none.jsonl|No such file" emit 'c2c f32 n=8' --wisdom "$dir/none.jsonl" -o "$dir/out"
works emit 'c2c f32 n=8' --isa scalar --no-wisdom -o "$dir/out"
fails 2 'gf|unknown' plan 'c2c f32 n=8' --target gf
fails 2 "'shedule'|did you mean 'schedule'" emit 'c2c f32 n=8' --dump=shedule
fails 2 "'pateint'|did you mean 'patient'" bench 'c2c f32 n=8' --effort pateint
fails 2 'mmx|avx512' emit 'c2c f32 n=8' --isa mmx
fails 2 'frob|schedule' emit 'c2c f32 n=8' --dump=frob
fails 2 'no clock is known|arch=NAME' plan 'c2c f32 n=64' --target opencl --dump=cost
fails 2 'GPU kernels alone|target cuda' plan 'c2c f32 n=64' --dump=cost
fails 2 'dump|estimate' plan 'c2c f32 n=8' --dump=dag --estimate
fails 2 '1st' emit 'c2c f32 n=8' --prefix 1st
fails 2 'a;b' emit 'c2c f32 n=8' --prefix 'a;b'
fails 2 '../x' emit 'c2c f32 n=8' --prefix ../x
fails 2 "'double'|keeps this name" emit 'c2c f32 n=8' --prefix double
fails 2 "'main'|keeps this name" emit 'c2c f32 n=8' --prefix main
fails 2 "'kernel'|target opencl|keeps this name" emit 'c2c f32 n=8' --target opencl --prefix kernel
fails 2 "'dim3'|target cuda|keeps this name" emit 'c2c f32 n=8' --target cuda --prefix dim3
fails 2 "'local'|target opencl|keeps this name" emit 'c2c f32 n=8 batch=local[1..4]' --target opencl
fails 2 "prefix 'vec8'|emitted text|allowed: other names, such as my_vec8" emit 'c2c f32 n=8' --prefix vec8 -o "$dir/words"
fails 2 "bundle 'stddef'|a header" emit 'c2c f32 n=8' --bundle stddef -o "$dir/words"
fails 2 "sources 'linux'|headers define" pack 'c2c f32 n=8' --sources linux -o "$dir/words"
[ ! -e "$dir/words" ] || fail 'names that are refused leave files'
fails 2 "function 'double'|keeps this name" emit --bundle dsp double='c2c f32 n=8' -o "$dir/words"
fails 2 'dsp_isa|other names' emit --bundle dsp dsp_isa='c2c f32 n=8' -o "$dir/words"
fails 2 'dsp_static|other names' emit --bundle dsp dsp_static='c2c f32 n=8' -o "$dir/words"
fails 2 "functions 'a' and 'a_init'|by the other" emit --bundle dsp --work a='c2c f32 n=8' a_init='c2c f32 n=9' -o "$dir/words"
fails 2 "functions 'a_avx2' and 'a'|by the other" emit --bundle dsp a_avx2='c2c f32 n=8' a='c2c f32 n=9' -o "$dir/words"
fails 2 "functions 'a_b' and 'a_B'|macros" emit --bundle dsp a_b='c2c f32 n=8' a_B='c2c f32 n=9' -o "$dir/words"
fails 2 "'7a'|no digit first" emit 7a='c2c f32 n=8' -o "$dir/words"
fails 2 "'my-fft'|no digit first" emit --bundle dsp my-fft='c2c f32 n=8' -o "$dir/words"
fails 2 'emit: --isa|several with --bundle' emit 'c2c f32 n=8' --isa scalar,avx2 -o "$dir/words"
works emit --bundle dsp a='c2c f32 n=8' a_back='c2c f32 n=9' a_scalars='c2c f32 n=7' -o "$dir/parts"
fails 2 'would both be here|name them' emit --bundle dsp here='c2c f32 n=8' here='c2c f32 n=9' -o "$dir/words"
fails 2 'would both be here|name them' pack --sources dsp here='c2c f32 n=8' here='c2c f32 n=9' -o "$dir/words"
fails 2 'here=|--sources' pack here='c2c f32 n=8' -o "$dir/words"
[ ! -e "$dir/words" ] || fail 'names that are refused leave files'
works emit here='c2c f32 n=8' -o "$dir/given"
works emit 'r2c f32 n=8 load=i16,mul store=logmag' --prefix said -o "$dir/given"
for line in 'loaded: i16$' 'loaded: mul, x\*a, a of' 'stored: logmag, log10('; do
  grep -q "$line" "$dir/given/said.h" || fail "'$line' is not in said.h: $(grep ed: "$dir/given/said.h")"
done
grep -q 'void here(const float \*in, float \*out)' "$dir/given/here.h" || fail 'the function has not the name that was given'
works emit --bundle dsp to='c2c f32 n=8' back='c2c f32 n=8 sign=+1' --isa scalar -o "$dir/given"
grep -q '^void back(' "$dir/given/dsp.h" || fail 'a function of a bundle has not the name that was given'
grep -q 'to="c2c f32 n=8" back="c2c f32 n=8 sign=+1"' "$dir/given/dsp.h" || fail 'the command of a bundle does not say its names'
works emit --bundle dsp 'c2c f32 n=64' --arch zen4 -o "$dir/arch"
grep -q -e '--isa scalar,znver4 --arch zen4 ' "$dir/arch/dsp.h" || fail 'a bundle for a machine has not its instructions'
works emit --bundle mcu --embedded 'c2c f32 n=64' --arch cortex-m4 -o "$dir/arch"
grep -q -e '--embedded --arch cortex-m4 ' "$dir/arch/mcu.h" || fail 'the command of a bundle does not say its machine'
works emit --bundle dsp 'c2c f32 n=64' --arch apple-m1 -o "$dir/arm"
fails 2 "arch 'sm_90'|bundles are C" emit --bundle dsp 'c2c f32 n=64' --arch h100 -o "$dir/words"
fails 2 'zen3|no instructions avx512|it has avx2' emit --bundle dsp 'c2c f32 n=64' --isa avx512 --arch zen3 -o "$dir/words"
fails 2 "arch 'zen4'|measured on this machine|plan and emit" tune 'c2c f32 n=64' --arch zen4
works pack --sources dsp to='c2c f32 n=8' 'c2c f32 n=9' --isa scalar -o "$dir/given"
[ -f "$dir/given/dsp_to_scalar.c" ] && [ -f "$dir/given/dsp_c2c_f32_n9_fwd_scalar.c" ] || fail "pack --sources: $(ls "$dir/given")"
works emit 'c2c f32 n=8 batch=local[1..4]' --prefix kernel -o "$dir/words"
fails 2 '--output' emit 'c2c f32 n=8' -o ''
fails 2 'dump=source' emit 'c2c f32 n=8' -o -

# --- programs of FFTW's
fails 2 'no PROGRAM|--help' run-with
fails 2 '--frob|unknown' run-with --frob ls
fails 2 'none/such|No such file' run-with none/such
works run-with sh -c 'echo "$1 <$LD_PRELOAD>"' sh --help
says '--help </'

# --- what the proofs walked, and proofs for a machine that is not here
count=$((count + 1))
"$fftgen" emit 'c2c f32 n=16' --target cuda --verbose --json -o "$dir/walked" >"$dir/stdout" 2>"$dir/stderr" ||
  fail "emit --verbose: $(cat "$dir/stderr")"
says '"proved":true,"walked":"n=16, '
grep -q '^fftgen: proved: n=16, .* primes, .*; text: text of ' "$dir/stderr" || fail "emit --verbose: $(cat "$dir/stderr")"
grep -q '"proved": "n=16, .* addresses' "$dir"/walked/*.json || fail 'the manifest does not say what was walked'
works verify 'c2c f32 n=64' --arch m1
says 'device    nothing was run: '
works verify 'c2c f32 n=64' --arch m1 --json
says '"not_run":"'

# --- packs and wisdom
fails 2 'no PROBLEM' pack
fails 2 '-o FOLDER' pack 'c2c f32 n=8'
fails 2 '--output' pack 'c2c f32 n=8' -o ''
fails 2 'no PROBLEM' pack -o "$dir/pack"
fails 2 'n: 0' pack 'c2c f32 n=0' -o "$dir/pack"
fails 2 "cobol" pack 'c2c f32 n=8' --target cobol -o "$dir/pack"
fails 2 'none.jsonl|No such file' pack 'c2c f32 n=8' --wisdom "$dir/none.jsonl" -o "$dir/pack"
for action in show check diff merge prune; do
  fails 2 'none.jsonl|No such file' wisdom $action "$dir/none.jsonl" "$dir/none.jsonl"
done
fails 2 'none.jsonl|No such file' wisdom explain 'c2c f32 n=8' "$dir/none.jsonl"
fails 2 'which problem' wisdom explain
fails 2 'frob|show' wisdom frob "$dir/none.jsonl"

works devices --json
says '"isas":['
for isa in $(tr '{' '\n' <"$dir/stdout" | sed -n 's/.*"isa":"\([^"]*\)","here":false.*/\1/p'); do
  lacking=$isa
  fails 2 "$isa|this CPU lacks" verify 'c2c f32 n=64' --isa "$isa"
  works emit 'c2c f32 n=64' --isa "$isa" -o "$dir/foreign"
done
[ -n "${lacking:-}" ] || echo 'SKIP: an instruction set that this CPU lacks: it has them all'
fails 2 'avx2|scalar' verify 'c2c f32 n=64' --device tcc --isa avx2
fails 2 "'abacus'|tcc" verify 'c2c f32 n=64' --device abacus
fails 2 'no-such-compiler' verify 'c2c f32 n=64' --compiler no-such-compiler
fails 2 'frob|run-time' verify 'c2c f32 n=8 batch=b[1..4]' --device tcc --set frob=1
fails 2 'b=1 .. 4' verify 'c2c f32 n=8 batch=b[1..4]' --device tcc --set b=5
fails 2 '--seconds' bench 'c2c f32 n=8' --seconds soon

# --- operation counts
works ops 8 --json
says '"n":8'
says '"add":52'
says '"mul":4'
works ops 2..16
works ops 8 --kind dct2 --json
says '"kind":"dct2"'
says '"add":26'
says '"mul":16'
works ops 2..9 --kind r2c-column
fails 2 'from 2 to' ops 1 --kind dct1
fails 2 '0' ops 0
fails 2 '9..8' ops 9..8
fails 2 'many' ops many
fails 2 '999999' ops 999999
fails 2 'dct9' ops 8 --kind dct9
fails 2 'frob|split_radix' ops 8 --algo frob

# --- recipes
recipe() { # text
  printf '%s\n' "$1" >"$dir/r.lua"
}
plan_of='function plans(p, d) return {"direct(8)"} end'
recipe "function applies(p, d) while true do end end $plan_of"
fails 2 'r.lua' plan 'c2c f32 n=8' --recipe "$dir/r.lua"
recipe "function applies(p, d) error('no luck today') end $plan_of"
fails 2 'r.lua|no luck today' plan 'c2c f32 n=8' --recipe "$dir/r.lua"
recipe "function applies(p, d) return os.execute('true') end $plan_of"
fails 2 'r.lua|os' plan 'c2c f32 n=8' --recipe "$dir/r.lua"
recipe "function applies(p, d) return io.open('/etc/passwd') end $plan_of"
fails 2 'r.lua|io' plan 'c2c f32 n=8' --recipe "$dir/r.lua"
recipe "function applies(p, d) local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end end $plan_of"
fails 2 'r.lua' plan 'c2c f32 n=8' --recipe "$dir/r.lua"
recipe 'this is not Lua'
fails 2 'r.lua' plan 'c2c f32 n=8' --recipe "$dir/r.lua"
fails 2 'none.lua' plan 'c2c f32 n=8' --recipe "$dir/none.lua"

# --- files
works emit 'c2c f64 n=8' --isa scalar -o "$dir/deep/er"
[ "$(find "$dir/deep/er" -name '*.c' | wc -l)" = 1 ] || fail 'emit wrote no .c file'
[ "$(find "$dir/deep/er" -name '*.h' | wc -l)" = 1 ] || fail 'emit wrote no .h file'
[ "$(find "$dir/deep/er" -name '.*' -type f | wc -l)" = 0 ] || fail 'emit left temporary files'
fails 2 "$dir/stderr/sub" emit 'c2c f64 n=8' --isa scalar -o "$dir/stderr/sub"
fails 2 '/proc/none' emit 'c2c f64 n=8' --isa scalar -o /proc/none
mkdir "$dir/locked" && chmod 555 "$dir/locked"
if [ "$(id -u)" = 0 ]; then # root may write everywhere: become nobody
  chmod 755 "$dir" && cp "$fftgen" "$dir/fftgen" && chmod 755 "$dir/fftgen"
  printf '#!/bin/sh\nexec setpriv --reuid=65534 --regid=65534 --clear-groups "%s" "$@"\n' "$dir/fftgen" >"$dir/as-nobody"
  chmod 755 "$dir/as-nobody"
  usual=$fftgen fftgen=$dir/as-nobody
fi
if [ "$(id -u)" = 0 ] && ! "$fftgen" version >/dev/null 2>&1; then
  echo 'SKIP: a folder without write permission: root may write everywhere, and setpriv does not work here'
else
  fails 2 "$dir/locked" emit 'c2c f64 n=8' --isa scalar -o "$dir/locked"
  fails 2 "$dir/locked" emit 'c2c f64 n=8' --isa scalar -o "$dir/locked/deeper"
  [ -z "$(ls -A "$dir/locked")" ] || fail 'something was written into a locked folder'
fi
fftgen=${usual:-$fftgen}

# --- the same command gives the same bytes
for problem in 'c2c f64 n=8' 'c2c f32 n=60 sign=+1' 'c2c f32 n=1024' 'c2c f64 n=17 batch=3'; do
  for side in one two; do works emit "$problem" --isa avx2 -o "$dir/$side"; done
done
works emit 'c2c f32 n=256' --target opencl -o "$dir/one"
works emit 'c2c f32 n=256' --target opencl -o "$dir/two"
diff -r "$dir/one" "$dir/two" >/dev/null || fail 'two runs of the same command differ'
works emit 'c2c f64 n=8' --isa scalar --prefix two_a -o "$dir/names"
works emit 'c2c f64 n=8' --isa scalar --prefix two_b -o "$dir/names"
[ -f "$dir/names/two_a.c" ] && [ -f "$dir/names/two_b.h" ] || fail '--prefix does not name the files'

# --- every stage can be seen
for stage in plan dag schedule kernel lir source; do
  works emit 'c2c f64 n=8' --isa scalar --dump=$stage
  [ -s "$dir/stdout" ] || fail "--dump=$stage prints nothing"
  cp "$dir/stdout" "$dir/of_emit"
  works plan 'c2c f64 n=8' --isa scalar --dump=$stage
  cmp -s "$dir/stdout" "$dir/of_emit" || fail "--dump=$stage of plan and of emit differ"
done
works plan 'c2c f32 n=1000'
says 'stockham'
works plan 'c2c f32 n=1000' --json
says '"plans":['
works devices
says 'tcc'

works emit 'c2c f64 n=8 batch=3' --isa scalar --plan 'direct(8)' -o "$dir/json" --json
says '"problem":"c2c f64 n=8 batch=3","plan":"direct(8)","name":"'
says "$dir/json/"
works emit --bundle two 'c2c f32 n=8' 'c2c f32 n=16' --isa scalar -o "$dir/json" --json
says '{"name":"two","isas":1,"flash_bytes":'
says "\"measured\":false,\"files\":[\"$dir/json/two.c\",\"$dir/json/two.h\"]}"

# --- machines, here or not
works devices --arch
says 'sm_90 '
works devices --arch --json
[ "$(tr '{' '\n' <"$dir/stdout" | grep -c '"arch":"')" = "$("$fftgen" devices --arch | sed 1d | wc -l)" ] || fail 'devices --arch: JSON has other rows'
works devices --arch=h100
says 'sm_90: NVIDIA H100'
says 'GB/s'
works devices --arch=h100 --json
says '"memory_gbs":{"value":3352,"unit":"GB/s","source":"'
fails 2 "'sm90'|did you mean 'sm_90'" devices --arch=sm90

# --- times
works bench 'c2c f32 n=8' 'c2c f32 n=16' --device tcc --seconds 0.001 --rounds 1
awk 'length > 100 { exit 1 }' "$dir/stdout" || fail "wider than 100 columns: $(cat "$dir/stdout")"
says 'problem '
says ' direct(8) scalar'
says '2 problems, all proven and verified; 0 fall back to something slow'
works bench 'c2c f32 n=8' --device tcc --seconds 0.001 --no-peer --json
says '"proved":true,"walked":"'
fails 2 "'c2c f32 n=0'|column 11" bench 'c2c f32 n=8' 'c2c f32 n=0' 'c2c f32 n=16' --json
[ ! -s "$dir/stdout" ] || fail "bench measures before it has read all problems: $(cat "$dir/stdout")"
count=$((count + 1))
"$fftgen" bench 'c2c f32 n=8' 'dst2 f16 n=614 load=u8' 'c2c f32 n=16' --device tcc --seconds 0.001 --rounds 1 --no-peer --json \
  >"$dir/stdout" 2>"$dir/stderr"
[ $? = 3 ] || fail "bench of one bad problem among good ones: $(cat "$dir/stderr")"
says '"problem":"c2c f32 n=8"'
says '"problem":"dst2 f16 n=614 load=u8","why":"'
says '"problem":"c2c f32 n=16"'
grep -q '1 of 3 problems failed' "$dir/stderr" || fail "bench does not count what failed: $(cat "$dir/stderr")"
fails 2 '--rounds|1 .. 1000' bench 'c2c f32 n=8' --rounds 0
fails 2 '--arch|not with --portability' bench --portability 'c2c f32 n=8' --arch zen4

# --- results
works verify 'dct2 f64 n=8 batch=3' --isa scalar --device tcc
says 'linearity'
works verify 'c2c f64 n=64' --plan 'direct(64)' --isa scalar --device cc
grep -q 'vectors spilled: [1-9]' "$dir/stdout" || fail 'a codelet of 64 points is said to need no stack'
works verify 'c2c f64 n=2' --isa scalar --device cc
says 'vectors spilled: 0 '
works verify 'r2c f32 n=9 batch=3 place=in' --isa scalar --device tcc
works verify 'c2c f32 n=6x10' --isa scalar --device tcc
# A result's rounding grows with it, that of whole decibels is half a unit, and halves end at 65504.
works verify 'dst3 f16 n=15x48 place=in store=mul,window(flattop) batch=31' --device tcc --seed 636494852 --inputs 5
works verify 'r2c f64 n=238 store=window(blackmanharris),logmag,u8 batch=40 layout=split' --device tcc --seed 269583435
works verify 'dst4 f64 n=1:1:3 batch=9:1:6' --device tcc --seed 215664274 --inputs 5 # terms that nearly cancel
fails 3 'f16|scale=' bench 'dst2 f16 n=614 load=u8' --device tcc --no-peer
works verify 'c2c f64 n=12' --device tcc --json
says '"proved":true'
says '"l2":'
says '"max":'
says '"walked":"'

# --- every launched target of one problem in one folder: no file is written twice
all=0
for target in opencl cuda; do
  works emit 'c2c f32 n=16' --target $target --prefix one -o "$dir/both"
  all=$((all + $(wc -l <"$dir/stdout")))
done
[ "$(ls "$dir/both" | wc -l)" = $all ] || fail "targets overwrite one another: $(ls "$dir/both")"

# --- output that cannot be written
if [ -e /dev/full ]; then
  count=$((count + 1))
  "$fftgen" help >/dev/full 2>"$dir/stderr"
  got=$?
  { [ $got = 1 ] && [ "$(wc -l <"$dir/stderr")" = 1 ]; } || fail "a full disk gives exit code $got and: $(cat "$dir/stderr")"
fi
count=$((count + 1))
{ sleep 0.5; "$fftgen" help 2>"$dir/stderr"; echo $? >"$dir/code"; } | true # nobody reads any more
{ [ "$(cat "$dir/code")" = 1 ] && [ "$(wc -l <"$dir/stderr")" = 1 ]; } ||
  fail "a closed pipe gives exit code $(cat "$dir/code") and: $(cat "$dir/stderr")"

# --- a fault of the processor: an error of ours, with the command that led to it
count=$((count + 1))
"$fftgen" emit 'c2c f32 n=10000019' -o "$dir/faulted" >"$dir/stdout" 2>"$dir/stderr" &
sleep 0.3
kill -SEGV $!
wait $!
got=$?
{ [ $got = 4 ] && [ "$(wc -l <"$dir/stderr")" = 1 ] && grep -q 'please report this: fftgen "emit" "c2c' "$dir/stderr"; } ||
  fail "a fault gives exit code $got and: $(cat "$dir/stderr")"
[ -z "$(ls "$dir/faulted" 2>/dev/null)" ] || fail "a fault left files: $(ls "$dir/faulted")"

echo "$count commands, $bad failures"
[ $bad = 0 ]
