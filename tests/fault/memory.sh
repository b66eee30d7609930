#!/bin/sh
# Memory runs out at some allocation of a command: exit code 1 and one line, or the
# same result as with all memory (Lua tries again); no half of a file, no crash.
# With FG_ARENA_MALLOC every allocation in an arena is one that can fail.
# usage: memory.sh FFTGEN SHIM
fftgen=$1 shim=$2
. "$(dirname "$0")/faults.sh"
tries=${3:-16} # allocations that are tried for each command

# libtcc is part of the program, and does not survive all of its own that fail: from tcc_malloc to tcc_strdup.
FAULT_NOT=$(nm -n "$fftgen" | awk '
  $3 == "tcc_malloc" { from = $1 }
  from != "" && last { print from "-" $1; exit }
  from != "" && $3 == "tcc_strdup" { last = 1 }')
[ -n "$FAULT_NOT" ] || fail "no tcc_malloc in $fftgen"
export FAULT_NOT

# survives COMMAND...: what it prints and writes into out/ is compared. A device
# that could not be asked for want of memory is "not here": exit code 2.
survives() {
  rm -rf "$dir/out" "$dir/whole"
  works "$@"
  cp "$dir/stdout" "$dir/said"
  [ ! -d "$dir/out" ] || mv "$dir/out" "$dir/whole"
  count_calls malloc "$@"
  [ "$calls" -gt 50 ] || fail "only $calls allocations: $*"
  failed=0 n=1
  while [ $n -le "$calls" ]; do
    rm -rf "$dir/out"
    count=$((count + 1))
    with_fault malloc:$n "$@" >"$dir/stdout" 2>"$dir/stderr"
    code=$?
    if [ $code = 0 ]; then
      [ "$compare" = no ] || cmp -s "$dir/stdout" "$dir/said" || fail "other output without allocation $n: $*"
      [ ! -d "$dir/whole" ] || diff -r "$dir/whole" "$dir/out" >/dev/null || fail "other files without allocation $n: $*"
    else
      failed=$((failed + 1))
      { [ $code = 1 ] || [ $code = 2 ]; } || fail "exit code $code without allocation $n: $*"
      [ "$(wc -l <"$dir/stderr")" = 1 ] || fail "not one line without allocation $n: $*: $(head -c 300 "$dir/stderr")"
      grep -q 'memory' "$dir/stderr" || fail "no word of memory without allocation $n: $*: $(cat "$dir/stderr")"
      [ -z "$(find "$dir/out" -type f 2>/dev/null)" ] || fail "files without allocation $n: $*"
    fi
    leaves_nothing "$@"
    n=$((n + calls / tries + 1))
  done
  [ $failed -gt 0 ] || fail "none of the failed allocations was noticed: $*"
}

compare=yes
survives "$fftgen" emit 'c2c f32 n=64' --isa avx2 -o "$dir/out"
survives "$fftgen" plan 'c2c f64 n=100'
export FG_ARENA_MALLOC=1
survives "$fftgen" emit 'c2c f32 n=64' --isa avx2 -o "$dir/out"
survives "$fftgen" emit 'c2c f64 n=67 batch=b[1..9] layout=split' --target opencl -o "$dir/out"
survives "$fftgen" plan 'c2c f64 n=100' --json
survives "$fftgen" ops 2..16 --json
survives "$fftgen" emit 'c2c f64 n=8' --dump=dag
unset FG_ARENA_MALLOC
compare=no # times and errors of random inputs may differ
survives "$fftgen" verify 'c2c f64 n=48' --device tcc --json
survives "$fftgen" bench 'c2c f32 n=8' --device tcc --json

done_with 'commands without an allocation'
