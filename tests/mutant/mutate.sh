#!/bin/sh
# Faults in the emitter, at the doors of the product: does `fftgen emit` hand out what they make of a source, or libfftgen a
# plan of such instructions? Problems are drawn, and so is a fault for each. What is written though is compiled and judged by the definition of
# tests/campaign: a mutant whose results are right is another way to do the same; one that is wrong is a failure.
#
# usage: mutate.sh BUILD [--seed S] [--count N] [--first K] [--jobs J] [--door D] [--isa I] [--log FILE]
#        mutate.sh BUILD --seed S --first K --problem TEXT [--door D] [--isa I] [--values V]
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
seed=${FFTGEN_SEED:-$(date +%Y%m%d)} count=40 first=0 jobs=2 door=- isa=- log= problem= values=-
while [ $# -gt 0 ]; do
  case $1 in
    --seed | --count | --first | --jobs | --door | --isa | --log | --problem | --values)
      [ $# -gt 1 ] || { echo "mutate: $1 wants a value" >&2; exit 2; } ;;
    *) echo "mutate: unknown option $1; allowed: --seed --count --first --jobs --door --isa --log --problem --values" >&2
      exit 2 ;;
  esac
  eval "${1#--}=\$2"
  shift 2
done
case $door in - | gcc | clang | bundle | embedded | cuda | hip | metal | sycl | cl | kernel | llvm) ;; *) echo "mutate: unknown door $door" >&2; exit 2 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=${log:-$work/log}
[ "$first" != 0 ] || : >"$log"
export CAMPAIGN_LEVEL="${CAMPAIGN_LEVEL:--O0}" # a faulty order of lanes can give a compiler minutes
export MUTANT_FFTGEN="$build/tests/campaign_mutant" MUTANT_SEED="$seed" MUTANT_FAULTS="$work/faults"

# A build whose `fftgen emit` is the mutant's; devices are looked for once.
mkdir -p "$work/build/tests" "$work/faults"
"$build/fftgen" devices --json >"$work/devices" || exit 1
printf '#!/bin/sh\ncase $1 in emit) exec sh "%s/emit.sh" "$@" ;; devices) exec cat "%s/devices" ;; esac\nexec "%s/fftgen" "$@"\n' \
  "$here" "$work" "$build" >"$work/build/fftgen"
chmod +x "$work/build/fftgen"
ln -s "$build/tests/campaign_oracle" "$build/tests/campaign_launched" "$work/build/tests/"
if [ -f "$build/libfftgen-llvm.so" ]; then
  ln -s "$build/libfftgen-llvm.so" "$work/build/"
  export MUTANT_LIBRARY="$build/tests/campaign_library" MUTANT_JIT="$build/tests/libcampaign_mutant_jit.so"
  export MUTANT_LLVM="$build/libfftgen-llvm.so"
  printf '#!/bin/sh\nexec sh "%s/plan.sh" "$@"\n' "$here" >"$work/build/tests/campaign_library"
  chmod +x "$work/build/tests/campaign_library"
fi
doors='gcc gcc cuda gcc llvm gcc hip clang metal cuda bundle cl llvm sycl embedded' # a round each

# One more column: the fault, and the mutant's result.
judge() { # the campaign's log
  while IFS='	' read -r case_of what of isa_of values_of problem_of remark; do
    fault=$(cat "$work/faults/$case_of" 2>/dev/null)
    case $what.$remark in
      refused.*'exit 2: caught'*) what=caught ;;
      refused.*'exit 2: stopped'*) what=stopped ;;
      refused.*'exit 2: unchanged'*) what=unchanged ;;
      passed.*) what=equivalent ;;
      skipped.*) ;;
      hung.*) case $remark in '') what=stopped ;; esac ;;
    esac
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$case_of" "$what" "$of" "$isa_of" "$values_of" "$problem_of" "$fault" "$remark"
    case $what in
      caught | stopped | unchanged | equivalent | skipped) ;;
      *) printf 'FAIL %s: written and %s: %s\n  fault: %s\n  %s\n' "$case_of" "$what" "$remark" "$fault" \
        "./dev campaign mutate --seed $seed --first $case_of --problem '$problem_of' --door $of --isa $isa_of --values $values_of" >&2 ;;
    esac
  done
}

made() { awk -F '\t' '$2 != "unchanged" && $2 != "skipped"' "$1" | wc -l; }

[ -n "$problem" ] && count=1
most=$count # of a round: where doors take turns, each has one, however few there are
[ "$door" != - ] || most=$((count / $(echo "$doors" | wc -w)))
[ $most -ge 1 ] || most=1
[ $most -le $((20 * jobs)) ] || most=$((20 * jobs))
echo "mutate: seed $seed, $count mutants from case $first on"
: >"$work/all"
k=$first round=$first
while [ "$(made "$work/all")" -lt "$count" ]; do
  size=$((count - $(made "$work/all")))
  [ $size -le $most ] || size=$most
  set -- --seed "$seed" --first "$k" --count "$size" --jobs "$jobs" --isa "$isa"
  if [ -n "$problem" ]; then
    set -- "$@" --problem "$problem" --values "$values" --door "$door"
  elif [ "$door" = - ]; then
    set -- "$@" --door "$(echo "$doors" | cut -d ' ' -f $((round % $(echo "$doors" | wc -w) + 1)))"
  else
    set -- "$@" --door "$door"
  fi
  sh "$here/../campaign/campaign.sh" "$work/build" "$@" --log "$work/round" >"$work/said" 2>&1
  [ -s "$work/round" ] || { cat "$work/said" >&2; exit 1; }
  judge <"$work/round" >"$work/judged"
  cat "$work/judged" >>"$work/all"
  cat "$work/judged" >>"$log"
  k=$((k + size)) round=$((round + 1))
  : >"$work/round"
  [ -z "$problem" ] || break
done
awk -F '\t' -v behind="$k" '
  { n[$2]++; split($7, seam, ":"); if ($2 != "unchanged" && $2 != "skipped") { made++; of[seam[1]]++; by[$3]++; if ($2 == "caught") { caught[seam[1]]++; kept[$3]++ } } }
  END {
    for (d in by) printf "  door %-10s %5d made %5d caught\n", d, by[d], kept[d] | "sort"
    for (s in of) printf "  %-10s %5d made %5d caught\n", s, of[s], caught[s] | "sort"
    close("sort")
    wrong = made - n["caught"] - n["stopped"] - n["equivalent"]
    printf "%d mutants: %d caught, %d stopped the emitter, %d compute the same, %d written and wrong", made, n["caught"], n["stopped"], n["equivalent"], wrong
    printf "; %d changed nothing; next case %d\n", n["unchanged"] + 0, behind
    exit wrong > 0
  }' "$work/all"
