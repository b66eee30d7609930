# What the scripts of this folder share: a folder of its own, commands that must
# fail in a decent way, and faults from shim.c. The caller has set fftgen and shim.
set -u
. "$(dirname "$0")/../counted.sh"
mkdir "$dir/tmp"
export TMPDIR="$dir/tmp" # of compilers: shall be empty after every command

# Nothing hidden in the output folder, nothing at all where compilers work.
leaves_nothing() { # what was done
  [ -z "$(find "$dir/out" -name '.*' -type f 2>/dev/null)" ] || fail "temporary files stay in the folder: $*"
  [ -z "$(ls -A "$dir/tmp")" ] || fail "files stay in TMPDIR: $*: $(ls -A "$dir/tmp")"
}

# complains CODES WORDS COMMAND...: exits with one of CODES and one line that has
# one of WORDS (separated by |, extended regular expression).
complains() {
  codes=$1 words=$2
  shift 2
  count=$((count + 1))
  timeout 60 "$@" >"$dir/stdout" 2>"$dir/stderr"
  code=$?
  case " $codes " in *" $code "*) ;; *) fail "exit code $code, not $codes: $*: $(head -c 300 "$dir/stderr")" ;; esac
  [ "$(wc -l <"$dir/stderr")" = 1 ] || fail "complaint is not one line: $*: $(head -c 300 "$dir/stderr")"
  grep -Eq -e "$words" "$dir/stderr" || fail "'$words' is not in the complaint of $*: $(head -c 300 "$dir/stderr")"
  [ ! -s "$dir/stdout" ] || fail "output beside the complaint: $*"
  leaves_nothing "$@"
}

works() { # command...
  count=$((count + 1))
  timeout 60 "$@" >"$dir/stdout" 2>"$dir/stderr" || fail "exit code $?: $*: $(head -c 300 "$dir/stderr")"
  leaves_nothing "$@"
}

# with_fault CALL:N COMMAND...: runs it with that call failing.
with_fault() {
  fault=$1
  shift
  timeout 60 env LD_PRELOAD="$shim" FAULT="$fault" FAULT_LOG="$dir/calls" "$@"
}

# Number of calls that a command makes: sets `calls`.
count_calls() { # call, command...
  call=$1
  shift
  rm -f "$dir/calls"
  with_fault "$call:0" "$@" >/dev/null 2>"$dir/stderr" || fail "exit code $?: $*: $(cat "$dir/stderr")"
  calls=$(cat "$dir/calls" 2>/dev/null || echo 0)
}

done_with() { # what
  echo "$count $1, $bad failures"
  [ $bad = 0 ]
}
