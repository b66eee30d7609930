#!/bin/sh
# What codelets are proved for: the text of a form is the same whatever range its strides have, so that what holds at some
# holds at all; and the table counts operations as `fftgen ops` does. usage: codelets.sh ROOT FFTGEN
set -eu
root=$1 fftgen=$2
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
text() { # range, distances, out
  for form in "n=6 batch=count[1..$1]:id[6..$2]:od[6..$2]" "n=6:is[1..$1]:os[1..$1] batch=count[1..$1]:1:1" \
    "n=6:is[1..$1]:1 batch=count[1..$1]:1:od[6..$2]" "n=6:is[1..$1]:is batch=count[1..$1]:1:1 place=in load=twiddle" \
    "n=6:is[1..$1]:is batch=count[1..$1]:1:1 place=in" "n=6 batch=count[1..$1]:id[6..$2]:id place=in"; do
    for isa in scalar avx2 avx512; do
      "$fftgen" emit "c2c f64 $form" --isa $isa --plan 'direct(6)' --prefix t -o "$probe" >/dev/null
      sed '/^ \*/d; /^\/\* SPDX/d' "$probe/t.c"
    done
  done >"$probe/$3"
}
text 64 128 near
text 200 300 far
cmp "$probe/near" "$probe/far"
[ "$(wc -l <"$probe/near")" -gt 500 ] || { echo "too little text"; exit 1; }
sed -n 's/^CODELETS( *\([0-9]*\), *\([0-9]*\), *\([0-9]*\),.*/\1 \2 \3/p' "$root/fftw/codelet/radices.def" >"$probe/table"
[ "$(wc -l <"$probe/table")" -ge 40 ]
while read -r n add fma; do
  "$fftgen" ops "$n" | awk -v n="$n" -v add="$add" -v fma="$fma" \
    '$1 == n { seen = 1; if ($5 + $6 != add || $7 != fma) { print "radices.def: " n ": " add ", " fma; exit 1 } }
     END { exit !seen }'
done <"$probe/table"
echo "text of strides is one; $(wc -l <"$probe/table") lengths counted"
