#!/bin/sh
# The campaign judged: it draws the same by the same seed, knows none of the product's code, and finds what is wrong.
# usage: self.sh CAMPAIGN_ORACLE
set -u
oracle=$1
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
bad=0
fail() { bad=1 && echo "FAIL: $*"; }

"$oracle" draw 1 0 300 - - >"$dir/one" && "$oracle" draw 1 0 300 - - >"$dir/again" && "$oracle" draw 2 0 300 - - >"$dir/two" ||
  fail 'drawing'
cmp -s "$dir/one" "$dir/again" || fail 'not the same for a seed'
cmp -s "$dir/one" "$dir/two" && fail 'the same for two seeds'
"$oracle" draw 1 100 1 - - | cmp -s - "$(sed -n 101p "$dir/one" >"$dir/line" && echo "$dir/line")" || fail 'a case depends on those before'
for word in c2c r2c c2r conv rconv dct1 dct2 dct3 dct4 dst1 dst2 dst3 dst4 f16 bf16 f32 f64 place=in layout=split sign=+1 sign=-1 u8 i16 \
  window mul add crop shift conj mag2 logmag zeropad count si pi gcc clang bundle embedded llvm cc tcc pack opencl scalar sse2 avx2 \
  avx512 znver4 neon compute=f64; do
  cat "$dir/one" "$dir/two" | grep -q -e "[ ,>=*:]$word" || fail "$word is never drawn"
done
ls "$here"/*.[ch] | grep -v /run_emit.c | xargs grep -h '#include "' | sed 's/.*"\(.*\)".*/\1/' | sort -u | while read -r header; do
  [ -f "$here/$header" ] || echo "$header"
done >"$dir/foreign"
[ -s "$dir/foreign" ] && fail "the definition reads headers of others: $(cat "$dir/foreign")"

# The sweep: 130 lengths, less one of dct1, by 13 kinds, and 65 even ones of two, as often, 4 precisions, 5 targets, one and several; each without and with
# operations; in another order by another seed. Metal's doubles are floats, so those come twice.
"$oracle" sweep 1 0 0 >"$dir/sweep" && "$oracle" sweep 2 0 50 >"$dir/other" || fail 'sweeping'
awk '{ b = $0 ~ "batch="; n[$2 $5 $6 $7 b]++; operated += $0 ~ "load=|store=" }
  END { for (k in n) m[n[k]]++; exit !(m[2] == 60768 && m[4] == 8092 && m[8] == 262 && operated == 78000) }' "$dir/sweep" ||
  fail 'the sweep leaves cases out'
"$oracle" sweep 1 70 50 | cmp -s - "$(sed -n 71,120p "$dir/sweep" >"$dir/line" && echo "$dir/line")" || fail 'a part of the sweep is another'
[ "$(cut -d ' ' -f 2- "$dir/other" | sort | comm -12 - "$(head -n 50 "$dir/sweep" | cut -d ' ' -f 2- | sort >"$dir/line" && echo "$dir/line")" | wc -l)" -lt 5 ] ||
  fail 'the order of the sweep is the same for two seeds'

# A call that does nothing: almost all are wrong (one point in place may be right).
mkdir "$dir/f"
"$oracle" fill 1 "$dir/one" "$dir/f" || fail 'filling'
for file in "$dir"/f/*.in; do cp "$file" "${file%.in}.after"; done
"$oracle" check "$dir/one" "$dir/f" >"$dir/judged"
[ "$(wc -l <"$dir/judged")" = 300 ] || fail 'not every case is judged'
wrong=$(grep -c ' wrong ' "$dir/judged")
[ "$wrong" -ge 285 ] || fail "only $wrong of 300 calls that did nothing are wrong"

# Known values: an impulse, a constant, by hand.
judge() { # problem, bytes of the array before and after as octal text for printf: passed or wrong
  echo "0 gcc scalar - $1" >"$dir/list"
  "$oracle" fill 1 "$dir/list" "$dir/f" || fail "$1"
  size=$(wc -c <"$dir/f/0.in")
  head -c $((size - $4)) "$dir/f/0.in" >"$dir/head"
  { cat "$dir/head" && printf "$2"; } >"$dir/f/0.in"
  { cat "$dir/head" && printf "$3"; } >"$dir/f/0.after"
  "$oracle" check "$dir/list" "$dir/f" | cut -d ' ' -f 2
}
one='\0\0\200\077' two='\0\0\0\100' zero='\0\0\0\0' four='\0\0\200\100'
expect() { [ "$1" = "$2" ] || fail "$3: $1, not $2"; }
expect "$(judge 'dct2 f32 n=2 place=in' "$one$one" "$four$zero" 8)" passed 'dct2 of a constant'
expect "$(judge 'dct2 f32 n=2 place=in' "$one$one" "$two$zero" 8)" wrong 'half of it'
expect "$(judge 'dct2 f32 n=2 place=in scale=0.5' "$one$one" "$two$zero" 8)" passed 'dct2, scaled'
expect "$(judge 'dct2 f32 n=2 place=in store=shift' "$one$one" "$zero$four" 8)" passed 'dct2, shifted'
expect "$(judge 'c2c f32 n=2 place=in' "$one$zero$one$zero" "$two$zero$zero$zero" 16)" passed 'c2c of a constant'
# output k meets number k, and is stored in the middle: hann of 2 is 0, 1
expect "$(judge 'c2c f32 n=2 place=in store=shift,window(hann)' "$one$zero$zero$zero" "$one$zero$zero$zero" 16)" passed \
  'a window of what is shifted'
expect "$(judge 'c2c f32 n=2 place=in store=shift,window(hann)' "$one$zero$zero$zero" "$zero$zero$one$zero" 16)" wrong \
  'a window by places of the array'
# The table of what a log covers.
printf '%s\n' '0	passed	gcc	avx2	-	conv f32 n=8x8 layout=split load=mul	' '1	wrong	cuda	-	-	r2c f64 n=8:1:2 place=in	off' \
  '2	skipped	hip	-	-	c2c f64 n=8	' | awk -f "$here/covered.awk" >"$dir/covered"
for row in 'conv | 1 | 0 | 0 | 0 | 0' 'r2c | 0 | 0 | 0 | 0 | 1' 'gcc | 1 | 0' 'cuda | 1 | 1' 'split | 1 | 0' 'in | 1 | 1' 'several | 1 | 0' 'one | 1 | 1' \
  'load | 1 | 0' 'none | 1 | 1' 'avx2 | 1 | 0'; do
  grep -q "^| $row |" "$dir/covered" || fail "no row '$row' among what is covered"
done
grep -q c2c "$dir/covered" && fail 'a case that was skipped is covered'
[ $bad = 0 ] && echo "the campaign finds $wrong of 300 calls that did nothing"
exit $bad
