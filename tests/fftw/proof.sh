#!/bin/sh
# Composed plans are proved: the text of fftw/line and fftw/sweep, compiled as C++ over prime fields (field/), does
# transforms; and faults that are planted in it are found: a third of them, drawn by the day; with DRAWN, all of them.
# usage: proof.sh ROOT f64|f32 [DRAWN [SEED]]
#
# C that is no C++ (conversions of void *) is allowed by -fpermissive.
set -eu
root=$1 single=0 drawn=${3:-300} seed=${4:-1} all=${3:+1}
[ "$2" = f64 ] || single=1
command -v g++ >/dev/null || { echo "SKIP: no g++"; exit 77; }
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
compile() { # object, source, folder of headers that are not the repository's
  g++ -std=c++20 -O1 -w -fpermissive -fno-strict-aliasing -DFG_FFTW_SINGLE=$single ${3:+-I"$3"} -I"$root" -I"$root/tests/fftw/field" \
    -include "$root/tests/fftw/field/number.h" -x c++ -c "$2" -o "$1"
}
link() { g++ "$1"/*.o -o "$1/proof" -lpthread; }
mkdir "$probe/whole"
for source in "$root"/fftw/line/*.c "$root"/fftw/sweep/*.c "$root"/fftw/base/*.c "$root"/tests/fftw/field/*.cc; do
  name=$(basename "$source")
  [ "$name" = roots.c ] || echo "$name $source" # the field has its own
done >"$probe/sources"
while read -r name source; do
  compile "$probe/whole/$name.o" "$source" &
  [ "$(jobs -p | wc -l)" -lt 2 ] || wait
done <"$probe/sources"
wait
link "$probe/whole"
"$probe/whole/proof" "$seed" "$drawn" 200

# A fault: a file, and what is exchanged in it. Each is found among a few plans.
fault=$(($(date +%s) / 86400 + single)) planted=0
plant() { # file, from, to, the source that includes the file
  fault=$((fault + 1))
  [ -n "$all" ] || [ $((fault % 3)) = 0 ] || return 0
  folder=$probe/planted$planted
  planted=$((planted + 1))
  mkdir "$folder"
  cp "$probe"/whole/*.o "$folder"
  changed=$folder/fftw/$1
  mkdir -p "$(dirname "$changed")"
  sed "s#$2#$3#" "$root/fftw/$1" >"$changed"
  ! cmp -s "$root/fftw/$1" "$changed" || { echo "$1 has no $2"; exit 1; }
  source=${4:+$root/fftw/$4}
  compile "$folder/$(basename "${4:-$1}").o" "${source:-$changed}" "$folder"
  link "$folder"
  status=0
  "$folder/proof" 1 300 60 >"$folder/said" 2>&1 || status=$?
  [ $status != 0 ] || { echo "not found: $1: $3"; exit 1; }
}
plant line/twiddles.c 'some\[i\])' 'some[i - (j == 3 \&\& b + i == 2)])'
plant line/cooley_tukey.c 'in + i \* step, out + i \* of->columns' 'in + i * step, out + (i ^ (i == 2)) * of->columns'
plant line/across.c 'number + 2 \* b \* radix' 'number + 2 * (b > 4 ? b - 1 : b) * radix'
plant line/bluestein.c 'if (j) wrapped' 'if (j > 1) wrapped'
plant line/unfold_vectors.h 'BEHIND(y.back, back)' 'BEHIND(y.back, front)' line/unfold.c
plant line/real.c 'z += l->n, out' 'z += l->n - 2, out'
plant line/pairs.c 'half \* (u.im - v.im)' 'half * (u.im + v.im)'
plant line/real_factors.c '-from\[-k\].im' 'from[-k].im'
plant line/dct4.c '-2 \* y.im' '2 * y.im'
plant sweep/step.c 'out += digit \* s->vector\[i\].os' 'out += digit * s->vector[i].is'
plant sweep/transform.c '!equal || (!still' '(!still'
echo "$planted planted faults found"
