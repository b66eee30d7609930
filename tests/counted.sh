# For scripts of tests that continue after a failure, which read it: a folder of their own, and failures that are counted.
# The last line of such a script is [ $bad = 0 ].
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir" 2>/dev/null; rm -rf "$dir"' EXIT
bad=0 count=0
fail() {
  bad=$((bad + 1))
  printf 'FAIL: %s\n' "$*"
}

# complains CODE WORDS COMMAND...: exits with CODE and complains in one line that
# starts with "fftgen: " and holds every one of WORDS (separated by |).
complains() {
  code=$1 words=$2
  shift 2
  count=$((count + 1))
  timeout 60 "$@" >"$dir/stdout" 2>"$dir/stderr"
  got=$?
  [ $got = "$code" ] || fail "exit code $got, not $code: $*"
  [ "$(wc -l <"$dir/stderr")" = 1 ] || fail "complaint is not one line: $*: $(cat "$dir/stderr")"
  grep -q '^fftgen: ' "$dir/stderr" || fail "complaint does not start with the program's name: $*"
  [ ! -s "$dir/stdout" ] || fail "output beside the complaint: $*"
  old_ifs=$IFS IFS='|'
  for word in $words; do
    grep -qF -e "$word" "$dir/stderr" || fail "'$word' is not in the complaint of: $*: $(cat "$dir/stderr")"
  done
  IFS=$old_ifs
}
