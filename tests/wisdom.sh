#!/bin/sh
# Files of wisdom through the program: what each action prints, its exit codes, and that a file is replaced as a whole or
# not at all. usage: wisdom.sh FFTGEN
set -u
fftgen=$(realpath "$1")
shipped=$(realpath "$(dirname "$0")/../runtime/wisdom")
. "$(dirname "$0")/counted.sh"
cd "$dir" || exit 2
export FFTGEN_WISDOM="$dir/own.jsonl"

# line DEVICE PROBLEM TARGET PLAN NS [FURTHER MEMBERS]
line() { printf '{"fftgen":1,"device":"%s","problem":"%s","target":"%s","plan":"%s","isa":"scalar","ns":%s%s}\n' "$1" "$2" "$3" "$4" "$5" "${6:-}"; }
works() { # ARGUMENTS: exits with 0
  count=$((count + 1))
  "$fftgen" wisdom "$@" >stdout 2>stderr || fail "exit code $?: wisdom $*: $(cat stderr)"
}
says() { grep -qF -e "$1" "${2:-stdout}" || fail "'$1' is not in ${2:-the output}: $(head -c 600 "${2:-stdout}")"; }
lines() { [ "$(wc -l <"${2:-stdout}")" = "$1" ] || fail "not $1 lines: $(cat "${2:-stdout}")"; }

# --- this machine's name, from a line of its own
"$fftgen" tune 'c2c f32 n=8' --device tcc --budget 1s --candidates 1 >stdout 2>stderr || fail "tune: $(cat stderr)"
here=$(sed -n 's/.*"device":"\([^"]*\)".*/\1/p' own.jsonl)
[ -n "$here" ] || fail "no device in: $(cat own.jsonl)"
{
  line "$here" 'c2c f32 n=64' c 'stockham(8,8)' 90
  line "$here" 'c2c f32 n=64' c 'stockham(4,16)' 80 ',"final":false'
  line Elsewhere 'c2c f32 n=64' c 'stockham(16,4)' 70 ',"spread":0.125,"l2":1e-7'
  line "$here" 'c2c f32 n=64 sign=+1' c 'stockham(2,32)' 60
  line "$here" 'c2c f32 n=25' c 'stockham(5' 50
  line "$here" 'c2c f64 n=9' c 'direct(9)' 40 ',"command":"gcc -O2"'
  line "$here" 'c2c f32 n=64' c 'direct(64)' 100
  echo '{"fftgen":2,"what":"a later schema"}'
  echo '{"fftgen":1,"device":"x"}'
  echo
} >some.jsonl

# --- show: rows of what can be read, warnings about the rest
works show some.jsonl
lines 8
says 'scalar   70     12.5 %  1.0e-07  Elsewhere'
says 'this one'
says 'some.jsonl, line 8: of a newer fftgen; skipped' stderr
says 'some.jsonl, line 9: no device, problem, target or plan; skipped' stderr
works show some.jsonl --json
says '"plan":"stockham(8,8)","isa":"scalar","ns":90,'
says '"here":true'
says '"device":"Elsewhere"'
says '"final":false'
rm -f none
FFTGEN_WISDOM=$dir/none works show # the user's own file need not be there
lines 1

# --- check: every line that is of no use, and exit code 3 for damage
count=$((count + 1))
"$fftgen" wisdom check some.jsonl >stdout 2>stderr
[ $? = 3 ] || fail 'check of a damaged file: exit code is not 3'
says 'fftgen: 1 damaged lines' stderr
says "some.jsonl, line 5: plan, column 11: the end where ')' belongs; allowed: stockham(R1,R2,...)"
says 'some.jsonl, line 6: its command is ignored: compilers come from PATH, FFTGEN_CC or CC'
says 'some.jsonl, line 8: of a newer fftgen'
says 'some.jsonl, line 9: no device, problem, target or plan'
says 'some.jsonl: 7 lines good (1 of other machines, 7 of other versions), 1 damaged, 1 of a newer fftgen'
works check own.jsonl
says 'own.jsonl: 1 lines good (0 of other machines, 0 of other versions), 0 damaged, 0 of a newer fftgen'

# --- explain: each line about a problem, and why it is taken or not
works explain 'c2c f32 n=64' some.jsonl
lines 5
says 'line 1: c, 90 ns by stockham(8,8) scalar: taken (measured with another version)'
says 'line 2: c, 80 ns by stockham(4,16) scalar: the search was cut short'
says 'line 7: c, 100 ns by direct(64) scalar: slower'
says 'line 3: c, 70 ns by stockham(16,4) scalar: another machine'
says 'line 4: c, 60 ns by stockham(2,32) scalar: measured for "c2c f32 n=64 sign=+1"'
works explain 'c2c f32 n=25' some.jsonl
says 'line 5: c, 50 ns by stockham(5 scalar: plan, column 11: '
works explain 'c2c f32 n=7' some.jsonl
says 'nothing about "c2c f32 n=7"'
works explain 'c2c f32 n=8' # the user's own file
says 'taken'
complains 2 "problem, column 11|n: 0" "$fftgen" wisdom explain 'c2c f32 n=0' some.jsonl

{ # for a machine that is not here, the named one first
  line 'NVIDIA H200, sm_90, driver for CUDA 13.0' 'c2c f32 n=4096 batch=100' cuda 'stockham(16,16,16)' 900
  line 'NVIDIA H100 80GB HBM3, sm_90, driver for CUDA 13.0' 'c2c f32 n=4096 batch=100' cuda 'stockham(8,8,64)' 1000
  line 'NVIDIA A100, sm_80, driver for CUDA 13.0' 'c2c f32 n=4096 batch=100' cuda 'stockham(4,32,32)' 2000
} | sed 's/"isa":"scalar",//' >gpus.jsonl
works explain 'c2c f32 n=4096 batch=100' gpus.jsonl --arch sm_90
says 'line 2: cuda, 1000 ns by stockham(8,8,64) : taken'
says 'line 3: cuda, 2000 ns by stockham(4,32,32) : another machine'
works explain 'c2c f32 n=4096 batch=100' gpus.jsonl --arch h200
says 'line 1: cuda, 900 ns by stockham(16,16,16) : taken'
complains 2 '--arch|explain alone' "$fftgen" wisdom show gpus.jsonl --arch h200

# --- diff
{
  line "$here" 'c2c f32 n=64' c 'stockham(8,8)' 85
  line "$here" 'c2c f64 n=16' c 'direct(16)' 30
} >other.jsonl
works diff some.jsonl other.jsonl
says '! c2c f32 n=64, c: 90 ns by stockham(8,8) scalar; 85 ns by stockham(8,8) scalar'
says '+ c2c f64 n=16, c: 30 ns by direct(16)'
says '- c2c f64 n=9, c: 40 ns by direct(9)'
works diff other.jsonl other.jsonl
lines 0
complains 2 'needs two files' "$fftgen" wisdom diff some.jsonl

# --- merge: the best of each kind; to a file as a whole
works merge some.jsonl other.jsonl
says '"plan":"stockham(8,8)","isa":"scalar","ns":85}'
says '"plan":"direct(16)"'
grep -q '"ns":90\|"ns":100\|"final":false' stdout && fail 'merge keeps a slower line, or one of a search that was cut short'
grep -q '"command"' stdout && fail 'merge keeps a command'
says '{"fftgen":2,"what":"a later schema"}'
says '1 lines of an older fftgen name a command, which is ignored' stderr
says 'some.jsonl, line 9: no device, problem, target or plan; skipped' stderr
cp stdout merged
works merge some.jsonl other.jsonl -o both.jsonl
cmp -s both.jsonl merged || fail 'merge -o writes other lines than it prints'
complains 1 'none/both.jsonl|No such file' "$fftgen" wisdom merge other.jsonl -o "$dir/none/both.jsonl"
complains 2 'wisdom merge: |nowhere.jsonl|No such file' "$fftgen" wisdom merge other.jsonl nowhere.jsonl

grep -q '"device":"x"}' merged && fail 'merge passes a damaged line on'
printf '#include <stdio.h>\nint main(void) { return 0; }\n' >none.c
complains 2 'none.c: |no line of wisdom in it' "$fftgen" wisdom merge other.jsonl none.c -o none.jsonl
[ ! -e none.jsonl ] || fail 'merge writes what it refuses'

# --- a spread that is not known
line "$here" 'c2c f32 n=64' c 'stockham(8,8)' 90 >unknown.jsonl
works show unknown.jsonl
says ' not known '
works show unknown.jsonl --json
grep -q spread stdout && fail 'show --json has a spread that is not known'
works merge unknown.jsonl
grep -q spread stdout && fail 'merge makes up a spread'
for file in "$shipped"/*.jsonl; do
  works check "$file"
  grep -q '"spread":0.2,' "$file" && fail "$file has spreads of one sample"
done

# --- a plan that is none of its problem: said once, and the next line is used
{
  line "$here" 'c2c f32 n=500' c 'stockham(25,25)' 10
  line "$here" 'c2c f32 n=500' c 'stockham(4,5,25)' 20
} >misfit.jsonl
count=$((count + 1))
"$fftgen" plan 'c2c f32 n=500' --wisdom misfit.jsonl >stdout 2>stderr || fail "exit code $?: $(cat stderr)"
says 'misfit.jsonl, line 1: plan stockham(25,25): not a plan of 500 points' stderr
says 'plan stockham(4,5,25): wisdom, misfit.jsonl, line 2' stderr
lines 2 stderr
sed -i 2d misfit.jsonl
"$fftgen" emit 'c2c f32 n=500' --wisdom misfit.jsonl -o out >stdout 2>stderr || fail "exit code $?: $(cat stderr)"
lines 1 stderr
grep -q 'wisdom, misfit' stderr && fail "a line is announced that is not used: $(cat stderr)"

# --- prune: in place
cp some.jsonl pruned.jsonl
works prune pruned.jsonl
says 'pruned.jsonl: 5 of 9 lines kept'
lines 5 pruned.jsonl
says 'a later schema' pruned.jsonl
cp pruned.jsonl before
works prune pruned.jsonl
says 'pruned.jsonl: 5 of 5 lines kept'
cmp -s pruned.jsonl before || fail 'prune changes a file that has nothing to prune'
[ -z "$(find . -name '*.tmp*' -o -name '.*.jsonl*')" ] || fail "temporary files stay: $(ls -A)"

echo "$count commands, $bad failures"
[ $bad = 0 ]
