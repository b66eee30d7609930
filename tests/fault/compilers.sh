#!/bin/sh
# Compilers that are missing, too old, broken, slow or killed; folders that they
# cannot work in. A command says so in one line; libtcc, which is no process and
# needs no folder, continues to work. usage: compilers.sh FFTGEN SHIM
fftgen=$1 shim=$2
. "$(dirname "$0")/faults.sh"

# A compiler named gcc that answers what it is asked, then does as told.
mkdir "$dir/bin"
ln -s "$(command -v sleep)" "$(command -v cp)" "$(command -v head)" "$(command -v tr)" "$dir/bin"
shell=$(command -v sh)
pretend() { # version, name of the maker, what it does instead of compiling
  cat >"$dir/bin/gcc" <<END
#!$shell
case \$1 in
--version) echo 'gcc (pretended) $1'; echo '$2'; exit 0 ;;
-dumpversion) echo $1; exit 0 ;;
esac
for last; do [ "\$before" = -o ] && object=\$last; before=\$last; done
$3
END
  chmod +x "$dir/bin/gcc"
}
maker='Free Software Foundation'
with_cc() { # exit codes, words
  complains "$1" "$2" env PATH="$dir/bin" CC= "$fftgen" verify 'c2c f64 n=8' --device cc
}

# --- none
mkdir "$dir/empty"
complains 2 'no C compiler in PATH' env PATH="$dir/empty" CC= "$fftgen" verify 'c2c f64 n=8' --device cc
complains 2 'nowhere/gcc: not found' env CC=nowhere/gcc "$fftgen" verify 'c2c f64 n=8' --device cc
complains 2 'nowhere/gcc: not found' "$fftgen" verify 'c2c f64 n=8' --device cc --compiler nowhere/gcc
works env PATH="$dir/empty" CC= "$fftgen" verify 'c2c f64 n=8' --device tcc
works env PATH="$dir/empty" CC= "$fftgen" verify 'c2c f64 n=8'
grep -q '^device  *tcc' "$dir/stdout" || fail "without a compiler, verify does not say that tcc runs: $(cat "$dir/stdout")"
works env PATH="$dir/empty" CC= "$fftgen" devices
grep -Eq '^cc .*(no C compiler|not found)' "$dir/stdout" || fail "devices does not say why cc is absent: $(cat "$dir/stdout")"
works env PATH="$dir/empty" CC= "$fftgen" emit 'c2c f64 n=8' -o "$dir/out"

# --- not the right one
pretend 11 "$maker" 'exit 0'
with_cc 2 'no C compiler|too old'
complains 2 'too old' env PATH="$dir/bin" "$fftgen" verify 'c2c f64 n=8' --device cc --compiler gcc
pretend 12 'Somebody Else' 'exit 0'
complains 2 'neither gcc nor clang' env PATH="$dir/bin" "$fftgen" verify 'c2c f64 n=8' --device cc --compiler gcc

# --- that fails
pretend 12.2 "$maker" 'echo "kernel.c:7:3: error: no more luck" >&2; exit 1'
with_cc 1 'error: no more luck'
complains 1 'error: no more luck' env PATH="$dir/bin" CC= "$fftgen" verify 'c2c f64 n=8' # no silent way around it
pretend 12.2 "$maker" 'exit 3'
with_cc 1 'gcc'
pretend 12.2 "$maker" 'head -c 1000000 /dev/zero | tr "\000" x; echo; echo "error: at last"; exit 1'
with_cc 1 'gcc'
pretend 12.2 "$maker" 'echo "cannot write: No space left on device"; exit 1'
with_cc 1 'No space left on device'
pretend 12.2 "$maker" 'kill -9 $$'
with_cc 1 'gcc was killed'
# --- that says all is well
pretend 12.2 "$maker" 'exit 0'
with_cc 1 'loading'
pretend 12.2 "$maker" 'echo "not an object" >"$object"'
with_cc 1 'loading'
if command -v gcc >/dev/null 2>&1; then
  echo 'int other;' | gcc -shared -x c - -o "$dir/other.so"
  pretend 12.2 "$maker" "cp '$dir/other.so' \"\$object\""
  with_cc 1 'does not define .*_entry'
fi
# --- that hangs: whoever is interrupted takes it along, and its folder
for signal in TERM HUP; do # and INT, which background jobs of a shell ignore
  count=$((count + 1))
  pretend 12.2 "$maker" "echo \$\$ >'$dir/hanging'; sleep 300 & wait"
  rm -f "$dir/hanging"
  env PATH="$dir/bin" CC= "$shell" -c 'exec "$@"' sh "$fftgen" verify 'c2c f64 n=8' --device cc >/dev/null 2>&1 &
  child=$!
  waited=0
  while [ ! -s "$dir/hanging" ] && [ $waited -lt 100 ]; do sleep 0.1; waited=$((waited + 1)); done
  kill -$signal $child
  wait $child 2>/dev/null
  code=$?
  [ $code -gt 128 ] || fail "SIG$signal while a compiler hangs: exit code $code"
  if kill -0 "$(cat "$dir/hanging")" 2>/dev/null; then
    fail "SIG$signal: the compiler goes on"
    kill -9 -"$(cat "$dir/hanging")"
  fi
  leaves_nothing "SIG$signal while a compiler hangs"
done

# --- folders
complains 1 'cannot make a directory in' env TMPDIR="$dir/none" "$fftgen" verify 'c2c f64 n=8' --device cc
: >"$dir/file"
complains 1 'cannot make a directory in' env TMPDIR="$dir/file" "$fftgen" verify 'c2c f64 n=8' --device cc
works env TMPDIR="$dir/none" "$fftgen" verify 'c2c f64 n=8' --device tcc
works env TMPDIR="$dir/none" "$fftgen" emit 'c2c f64 n=8' -o "$dir/out"
for call in mkdir write; do
  count_calls $call "$fftgen" verify 'c2c f64 n=8' --device cc
  [ "$calls" -gt 0 ] || fail "verify makes no call of $call"
  complains 1 'cannot (make a directory|write)' env LD_PRELOAD="$shim" FAULT=$call:1 "$fftgen" verify 'c2c f64 n=8' --device cc
done

done_with 'commands with broken compilers'
