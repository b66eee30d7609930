#!/bin/sh
# A part of a campaign: draws COUNT problems, takes each through its door, judges. One line a case in LOG:
# K, what became of it (passed, wrong, crashed, hung, refused, uncompiled, skipped), the door, the instruction
# set, values of parameters, the problem, a remark; separated by tabs.
# usage: chunk.sh SEED FIRST COUNT DOOR ISA LOG, with the environment that campaign.sh sets
set -u
seed=$1 first=$2 count=$3 door=$4 isa=$5 log=$6
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/f"
export POCL_CACHE_DIR="$dir/pocl" TMPDIR="$dir" FFTGEN_WISDOM="$dir/none" FFTGEN_CACHE="$dir/cache"
unset CC FFTGEN_PACK FFTGEN_LLVM FFTGEN_CC
"$CAMPAIGN_ORACLE" draw "$seed" "$first" "$count" "$door" "$isa" >"$dir/list" || exit 1
[ -z "${CAMPAIGN_LIST:-}" ] || awk -v a="$first" -v b="$((first + count))" '$1 >= a && $1 < b' "$CAMPAIGN_LIST" >"$dir/list"
"$CAMPAIGN_ORACLE" fill "$seed" "$dir/list" "$dir/f" || exit 1

# became K WHAT REMARK: the first word is kept.
became() { [ -f "$dir/f/$1.became" ] || printf '%s\t%s\n' "$2" "$3" >"$dir/f/$1.became"; }

# What a program of ours said, by its exit code.
complained() { # K, exit code, file
  case $2 in
    124 | 137) became "$1" hung "$(head -n 1 "$3")" ;;
    2 | 3 | 4) became "$1" refused "exit $2: $(head -n 1 "$3")" ;;
    *) became "$1" crashed "exit $2: $(head -n 1 "$3")" ;;
  esac
}

emit() { # K, door, isa, problem; files in the folder of its group
  number=$1 folder=$dir/$2.$3 plan=
  mkdir -p "$folder"
  case $4 in *' | '*) plan=${4#* | } ;; esac
  case $2 in
    bundle) set -- "${4%% | *}" --bundle "c$1" ;;
    embedded) set -- "${4%% | *}" --bundle "c$1" --embedded ;;
    cuda | hip | metal | sycl) set -- "${4%% | *}" --target "$2" --prefix "c$1" ;;
    cl) set -- "${4%% | *}" --target opencl --prefix "c$1" ;;
    *) set -- "${4%% | *}" --isa "$3" --prefix "c$1" ;;
  esac
  [ -z "$plan" ] || set -- "$@" --plan "$plan"
  timeout 60 "$CAMPAIGN_FFTGEN" emit "$@" -o "$folder" >"$dir/said" 2>&1
  status=$?
  [ $status = 0 ] || complained "$number" $status "$dir/said"
}

# Functions that call what the headers declare, arrays and parameters by their names: that of a filter first, if there is
# one, then the convolution.
adapter() { # folder, K
  prepare=
  : >"$1/a$2.c"
  [ -f "$1/c$2_prepare.h" ] && prepare=yes && adapt "$1" "$2" _prepare "" >>"$1/a$2.c"
  adapt "$1" "$2" "" "$prepare" >>"$1/a$2.c"
}

adapt() { # folder, K, "" or _prepare, whether to prepare
  awk -v k="$2" -v part="$3" -v prepare="$4" '
    /^#define .*_SCRATCH_BYTES / { scratch = $2 }
    /^#define .*_TABLE_BYTES / && !/STATIC/ { tables = $2 }
    /^void / { text = ""; open = 1 }
    open { text = text " " $0 }
    open && /;/ {
      open = 0
      name = text; sub(/^ *void */, "", name); sub(/\(.*/, "", name)
      if (name ~ /_init$/) { init = name; next }
      call = name
      list = text; sub(/^[^(]*\(/, "", list); sub(/\).*/, "", list)
    }
    END {
      printf "#include \"c%s%s.h\"\n#include \"run_emitted.h\"\nvoid call_%s%s(void);\n", k, part, k, part
      printf "void call_%s%s(void) {\n", k, part
      if (prepare) printf "  call_%s_prepare();\n", k
      if (init) printf "  void *tables = emitted_memory(%s);\n  %s(tables);\n", tables, init
      printf "  %s(", call
      count = split(list, argument, ",")
      for (i = 1; i <= count; i++) {
        n = argument[i]; sub(/ *$/, "", n); sub(/.*[ *]/, "", n)
        if (i > 1) printf ", "
        if (n == "scratch") printf "emitted_memory(%s)", scratch
        else if (n == "tables") printf "tables"
        else if (n ~ /^p_/) printf "emitted_parameter(\"%s\")", substr(n, 3)
        else if (part && n == "in") printf "emitted_array(\"filter\")"
        else if (part && n == "out") printf "emitted_array(\"spectrum\")"
        else printf "emitted_array(\"%s\")", n
      }
      print ");\n}"
    }' "$1/c$2$3.h"
}

compiler_of() { # door, isa
  case $1.$2 in
    *.neon) echo "$CAMPAIGN_CROSS -static" ;;
    clang.*) echo clang ;;
    *) echo gcc ;;
  esac
}

# What a language's words are here.
words_of() { # door
  case $1 in
    cuda) echo "-DBLOCKS_CUDA -include blocks_cuda.h" ;;
    hip) echo "-include blocks_cuda.h" ;;
    sycl) [ -n "${CAMPAIGN_ACPP:-}" ] && echo "-include blocks_sycl.h" || echo "-I $CAMPAIGN_SOURCE/words" ;;
    *) echo "-I $CAMPAIGN_SOURCE/words" ;;
  esac
}

# All sources of a group in one program; each alone where one does not compile.
build_group() { # folder, door, isa
  flags=$(sed -n "s/^$3 //p" "$CAMPAIGN_FLAGS")
  compiler=$(compiler_of "$2" "$3")
  good=
  for header in "$1"/c*.h; do
    k=${header##*/c} k=${k%.h}
    case $k in *_prepare) continue ;; esac
    adapter "$1" "$k"
    good="$good $k"
  done
  { # the table of adapters
    echo '#include "run_emitted.h"'
    for k in $good; do echo "void call_$k(void);"; done
    echo 'const emitted_case emitted_cases[] = {'
    for k in $good; do echo "  {$k, call_$k},"; done
    echo '  {0, 0}};'
  } >"$1/cases.c"
  # shellcheck disable=SC2086
  timeout 240 $compiler $CAMPAIGN_LEVEL -w $flags -I "$CAMPAIGN_SOURCE" -I "$1" "$CAMPAIGN_SOURCE/run_emitted.c" \
    "$CAMPAIGN_SOURCE/case_file.c" "$1"/*.c -o "$1/run" -lm >"$dir/said" 2>&1 && return 0
  [ "${4:-}" = again ] && return 1
  for k in $good; do
    # shellcheck disable=SC2086
    timeout 60 $compiler $CAMPAIGN_LEVEL -w $flags -I "$CAMPAIGN_SOURCE" -I "$1" -c "$1/c$k.c" -o "$dir/object" \
      >"$dir/said" 2>&1
    status=$?
    [ $status = 0 ] && continue
    became "$k" uncompiled "exit $status of $compiler: $(grep -m 1 error "$dir/said")"
    rm -f "$1/c$k".* "$1/c$k"_prepare.* "$1/a$k.c"
  done
  ls "$1"/c*.h >/dev/null 2>&1 && build_group "$1" "$2" "$3" again
}

run_group() { # folder, isa
  emulator=
  [ "$2" = neon ] && emulator=$CAMPAIGN_EMULATOR
  # shellcheck disable=SC2086
  $emulator "$1/run" "$dir/f" >"$dir/said" 2>&1 || echo "the caller of $1 fails: $(head -n 3 "$dir/said")" >&2
}

# Emitted text for this CPU: what a block's threads share is where blocks.h has it, and functions that say something in PTX
# have others of the same names.
here() { # door, source
  case $1 in
    metal) sed 's/alignas(16) threadgroup \([a-z]*\) \([a-z0-9_]*\)\[\([0-9]*\)\];/\1 *const \2 = blocks_array<\1>(\3);/' "$2" ;;
    sycl) cat "$2" ;;
    *) here_cuda "$2" ;;
  esac
}

here_cuda() { # source
  sed -e 's/asm volatile("" : "+l"(zero));//' -e 's/asm volatile("discard[^(]*(\([^"]*\)) : "memory");/blocks_discard(\1);/' \
    -e 's/extern __shared__ double2 fftgen_local\[\];/double2 *const fftgen_local = (double2 *)blocks_shared();/' \
    -e 's/__shared__ unsigned \([a-z]*\);/unsigned \&\1 = *blocks_next();/' "$1" | awk '
    /^(static|template)/ && !open { open = 1; text = ""; asm = 0 }
    open { text = text $0 "\n"; if (/asm/) asm = 1 }
    open && !/^template/ && /}$/ && (/^}/ || /^static/) { if (!asm) printf "%s", text; open = 0; next }
    open && /;$/ && /^(static|template)/ { printf "%s", text; open = 0; next }
    !open'
}

# Kernels as objects for this CPU, behind them a table of those that the manifest names.
build_launched() { # folder, door
  for manifest in "$1"/c*.json; do
    k=${manifest##*/c} k=${k%%_*} source=$(sed -n 's/^  "source": "\(.*\)",$/\1/p' "$manifest")
    here "$2" "$1/$source" >"$1/k$k.cc"
    sed -n 's/.*"kernel": "\(.*\)",/KERNEL(\1)/p' "$manifest" | sort -u >"$1/k$k.def"
    printf '#define BLOCKS_KERNELS "%s"\n#include "blocks_launch.h"\n' "$1/k$k.def" >>"$1/k$k.cc"
    compiler=g++
    [ "$2" = sycl ] && [ -n "${CAMPAIGN_ACPP:-}" ] && compiler="$CAMPAIGN_ACPP --acpp-targets=omp.library-only"
    timeout 120 $compiler -std=c++17 $CAMPAIGN_LEVEL -w -ffp-contract=off -fsanitize=alignment -fsanitize-undefined-trap-on-error \
      $(words_of "$2") -I "$CAMPAIGN_SOURCE" -shared -fPIC "$1/k$k.cc" \
      -o "$1/c$k.so" >"$dir/said" 2>&1
    status=$?
    [ $status = 0 ] || became "$k" uncompiled "exit $status of g++: $(grep -m 1 error "$dir/said")"
  done
}

run_launched() { # folder, door
  "$CAMPAIGN_LAUNCHED" "$2" "$dir/f" "$1" >"$dir/said" 2>&1 || echo "the caller of $1 fails: $(head -n 3 "$dir/said")" >&2
}

library_door() { # door
  grep "^[0-9]* $1 " "$dir/list" >"$dir/$1.list" || return
  while read -r k of isa values problem; do
    [ "$of" = pack ] || continue
    timeout 60 "$CAMPAIGN_FFTGEN" pack "$problem" -o "$dir/f/$k.pack" --device cc >"$dir/said" 2>&1
    status=$?
    [ $status = 0 ] || complained "$k" $status "$dir/said"
  done <"$dir/$1.list"
  case $1 in
    cc) CC=gcc "$CAMPAIGN_LIBRARY" "$1" "$dir/$1.list" "$dir/f" ;;
    tcc) PATH=/none FFTGEN_LLVM=/none "$CAMPAIGN_LIBRARY" "$1" "$dir/$1.list" "$dir/f" ;;
    *) "$CAMPAIGN_LIBRARY" "$1" "$dir/$1.list" "$dir/f" ;;
  esac >"$dir/said" 2>&1 || echo "the caller of $1 fails: $(head -n 3 "$dir/said")" >&2
}

while read -r k of isa values problem; do
  case " $CAMPAIGN_SKIPPED " in
    *" $of "* | *" $isa "*) became "$k" skipped 'not here'; continue ;;
  esac
  case $of in
    gcc | clang | bundle | embedded | cuda | hip | metal | sycl | cl) emit "$k" "$of" "$isa" "$problem" ;;
  esac
done <"$dir/list"
for folder in "$dir"/*.*/; do
  folder=${folder%/} group=${folder##*/} of=${group%%.*}
  case $of in
    cuda | hip | metal | sycl) build_launched "$folder" "$of" ;;
  esac
  case $of in
    cuda | hip | metal | sycl | cl) run_launched "$folder" "$of"; continue ;;
  esac
  ls "$folder"/c*.h >/dev/null 2>&1 || continue
  build_group "$folder" "${group%%.*}" "${group#*.}" && run_group "$folder" "${group#*.}"
done
for of in llvm cc tcc pack opencl; do
  case " $CAMPAIGN_SKIPPED " in *" $of "*) ;; *) library_door $of ;; esac
done

"$CAMPAIGN_ORACLE" check "$dir/list" "$dir/f" >"$dir/judged"
while read -r k what remark; do became "$k" "$what" "$remark"; done <"$dir/judged"
while read -r k of isa values problem; do
  [ -f "$dir/f/$k.refused" ] && became "$k" refused "$(cat "$dir/f/$k.refused")"
  [ -f "$dir/f/$k.died" ] && read -r what remark <"$dir/f/$k.died" && became "$k" "$what" "$remark"
  became "$k" crashed 'nothing came of it'
  IFS='	' read -r what remark <"$dir/f/$k.became"
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$k" "$what" "$of" "$isa" "$values" "$problem" "$remark"
done <"$dir/list" >"$log"
# What failed, and the command that repeats it.
while IFS='	' read -r k what of isa values problem remark; do
  case $what in passed | skipped) continue ;; esac
  printf 'FAIL %s: %s: %s\n  %s\n' "$k" "$what" "$remark" \
    "./dev campaign draw --problem '$problem' --door $of --isa $isa --values $values --seed $seed --first $k"
done <"$log"
