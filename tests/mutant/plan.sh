#!/bin/sh
# What a campaign calls in place of campaign_library for the door llvm: each plan is made by a plugin with a fault, which
# is chosen by the case's number. Where no plan is made, K.refused says so as emit.sh does: "exit 2: caught: ...", or
# "exit 2: unchanged".
# usage: plan.sh DOOR LIST FOLDER, with MUTANT_LIBRARY, MUTANT_JIT, MUTANT_LLVM, MUTANT_SEED and MUTANT_FAULTS (a folder)
set -u
door=$1 list=$2 folder=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export FFTGEN_JIT="$MUTANT_JIT" FFTGEN_LLVM="$MUTANT_LLVM"
while read -r line; do
  k=${line%% *}
  echo "$line" >"$work/line"
  FFTGEN_MUTANT_LIST="$work/passed" "$MUTANT_LIBRARY" "$door" "$work/line" "$folder"
  [ ! -f "$folder/$k.refused" ] || continue # without a fault
  attempt=0
  while [ $attempt -lt 8 ]; do
    rm -f "$folder/$k.after" "$folder/$k.died" "$folder/$k.refused" "$work/fault"
    FFTGEN_MUTANT_LIST="$work/passed" FFTGEN_MUTANT=$((MUTANT_SEED * 8000008 + k * 8 + attempt)) \
      FFTGEN_MUTANT_SAID="$work/fault" "$MUTANT_LIBRARY" "$door" "$work/line" "$folder"
    [ ! -s "$work/fault" ] || break
    attempt=$((attempt + 1))
  done
  head -n 1 "$work/fault" 2>/dev/null >"$MUTANT_FAULTS/$k"
  if [ ! -s "$work/fault" ]; then
    rm -f "$folder/$k.after"
    echo 'exit 2: unchanged: eight faults changed nothing' >"$folder/$k.refused"
  elif [ -f "$folder/$k.refused" ]; then
    echo "exit 2: caught: $(head -n 1 "$folder/$k.refused")" >"$work/said"
    cp "$work/said" "$folder/$k.refused"
  fi
done <"$list"
