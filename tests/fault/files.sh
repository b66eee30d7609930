#!/bin/sh
# Every call of the system that writes sources fails once: an exit code, one line,
# and only whole files, the old ones where new ones could not be made. Then real
# limits: size of files, number of files, closed streams.
# usage: files.sh FFTGEN SHIM
fftgen=$1 shim=$2
. "$(dirname "$0")/faults.sh"

emit() { "$@" "$fftgen" emit 'c2c f64 n=8' --isa scalar --prefix k -o "$dir/out/deep"; }
emit env >/dev/null || fail 'emit fails'
mv "$dir/out/deep" "$dir/new"

# The files that are there are either what they were or what they shall be, and
# what is not renamed yet when a write fails is all old.
whole_files() { # state before: none, old; what failed
  for file in k.c k.h; do
    at=$dir/out/deep/$file
    if [ -e "$at" ]; then
      cmp -s "$at" "$dir/new/$file" || { [ "$1" = old ] && [ "$(cat "$at")" = old ]; } || fail "half of $file: $2"
    else
      [ "$1" = none ] || fail "$file has gone: $2"
    fi
  done
}

for call in open mkdir write fsync close rename; do
  rm -rf "$dir/out"
  count_calls $call "$fftgen" emit 'c2c f64 n=8' --isa scalar --prefix k -o "$dir/out/deep"
  total=$calls failures=0
  [ "$total" -gt 0 ] || fail "emit makes no call of $call"
  for before in none old; do
    n=1
    while [ $n -le "$total" ]; do
      rm -rf "$dir/out"
      [ $before = none ] || { mkdir -p "$dir/out/deep" && echo old >"$dir/out/deep/k.c" && echo old >"$dir/out/deep/k.h"; }
      count=$((count + 1))
      emit with_fault $call:$n >"$dir/stdout" 2>"$dir/stderr"
      code=$?
      case $code in
        0) # nobody depends on it: flushing the folder, and what reads
          diff -r "$dir/new" "$dir/out/deep" >/dev/null || fail "files are not whole after failure $n of $call" ;;
        1 | 2)
          failures=$((failures + 1))
          [ "$(wc -l <"$dir/stderr")" = 1 ] || fail "not one line after failure $n of $call: $(cat "$dir/stderr")"
          grep -qF "$dir/out" "$dir/stderr" || fail "failure $n of $call: the path is not named: $(cat "$dir/stderr")"
          [ ! -s "$dir/stdout" ] || fail "failure $n of $call: output beside the complaint" ;;
        *) fail "exit code $code after failure $n of $call" ;;
      esac
      whole_files $before "failure $n of $call"
      leaves_nothing "failure $n of $call"
      n=$((n + 1))
    done
  done
  [ $failures -gt 0 ] || fail "no failure of $call was noticed"
done

# A quota: files of at most four blocks.
rm -rf "$dir/out"
complains 1 'out/k.c: cannot write: File too large' \
  sh -c 'ulimit -f 4; "$0" emit "c2c f64 n=64" --isa scalar --prefix k -o "$1"' "$fftgen" "$dir/out"
[ -z "$(ls -A "$dir/out")" ] || fail 'files beyond the quota'
# A folder that is a file; a link that leads nowhere; a name that is too long.
: >"$dir/file"
ln -s "$dir/nowhere/at/all" "$dir/link"
complains 2 'file/sub: cannot make this folder' "$fftgen" emit 'c2c f64 n=8' -o "$dir/file/sub"
complains 2 'file: cannot (make|write into) this folder' "$fftgen" emit 'c2c f64 n=8' -o "$dir/file"
complains 2 'link: cannot (make|write into) this folder' "$fftgen" emit 'c2c f64 n=8' -o "$dir/link"
long=$(printf '%0300d' 0)
complains 2 'cannot make this folder: File name too long' "$fftgen" emit 'c2c f64 n=8' -o "$dir/$long"
# A recipe that cannot be read.
complains 2 'cannot read' "$fftgen" plan 'c2c f64 n=8' --recipe "$dir"
complains 2 'cannot read' env LD_PRELOAD="$shim" FAULT=open:1 "$fftgen" plan 'c2c f64 n=8' --recipe "$dir/file"
# A target that is a folder cannot be replaced by a file.
rm -rf "$dir/out"
mkdir -p "$dir/out/k.c/full"
complains 1 'out/k.c: cannot make this file' "$fftgen" emit 'c2c f64 n=8' --isa scalar --prefix k -o "$dir/out"
# A home on another machine that has no locks: wisdom is written all the same, and it is said.
# A line on the way is written in silence; the last one complains.
: >"$dir/said"
for nth in 1 2 3; do
  works env LD_PRELOAD="$shim" FAULT=flock:$nth "$fftgen" tune 'c2c f32 n=4' --device tcc --candidates 1 --again --wisdom "$dir/wisdom.jsonl"
  cat "$dir/stderr" >>"$dir/said"
done
grep -q 'cannot be locked' "$dir/said" || fail "no lock, and nothing is said: $(cat "$dir/said")"
"$fftgen" wisdom check "$dir/wisdom.jsonl" >/dev/null || fail 'wisdom without a lock is damaged'
# Streams that are closed: no source gets what was meant for one of them.
rm -rf "$dir/out"
count=$((count + 2))
emit env >&- 2>"$dir/stderr"
code=$?
{ [ $code = 1 ] && grep -q 'standard output' "$dir/stderr"; } || fail "closed output: exit code $code: $(cat "$dir/stderr")"
diff -r "$dir/new" "$dir/out/deep" >/dev/null || fail 'closed output: other files'
"$fftgen" emit 'c2c f64 n=0' -o "$dir/out" >"$dir/stdout" 2>&-
code=$?
[ $code = 2 ] || fail "closed error stream: exit code $code"

done_with 'commands that could not write'
