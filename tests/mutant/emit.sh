#!/bin/sh
# What a campaign calls in place of fftgen: the same command twice, right and with a fault, which is chosen by the
# number in the prefix cK. What the mutant writes is left there; where it writes nothing, or the same, the exit code
# is 2 and the first word of the complaint says why: caught, stopped (a signal, or too long) or unchanged.
# usage: emit.sh emit ARGUMENTS... -o FOLDER, with MUTANT_FFTGEN, MUTANT_SEED and MUTANT_FAULTS (a folder)
set -u
for folder; do :; done # the last argument
k=$(printf '%s\n' "$*" | sed 's/.*\(--prefix\|--bundle\) c\([0-9]*\) .*/\2/')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/right" "$work/mutant"
run() { # folder, arguments
  to=$1
  shift
  count=$# i=1
  for argument; do # all but the last two
    [ $i -gt $((count - 2)) ] || set -- "$@" "$argument"
    i=$((i + 1))
  done
  shift "$count"
  timeout 60 "$MUTANT_FFTGEN" "$@" -o "$to" >"$work/said" 2>&1
}
FFTGEN_MUTANT_LIST=$work/list run "$work/right" "$@" || { status=$? && cat "$work/said" && exit $status; }
export FFTGEN_MUTANT_LIST="$work/list" FFTGEN_MUTANT_SAID="$work/fault"
attempt=0
while [ $attempt -lt 8 ]; do # until the result differs from that without a fault
  rm -f "$work"/mutant/* "$work/fault"
  FFTGEN_MUTANT=$((MUTANT_SEED * 8000008 + k * 8 + attempt)) run "$work/mutant" "$@"
  status=$?
  attempt=$((attempt + 1))
  head -n 1 "$work/fault" 2>/dev/null >"$MUTANT_FAULTS/$k"
  case $status in
    0) diff -r "$work/right" "$work/mutant" >/dev/null || { cp "$work"/mutant/* "$folder" && exit 0; } ;;
    2 | 3 | 4) echo "caught: $(head -n 1 "$work/said")" && exit 2 ;;
    70) cat "$work/said" && exit 70 ;;
    *) echo "stopped: exit $status" && exit 2 ;;
  esac
done
echo 'unchanged: eight faults changed nothing' && exit 2
