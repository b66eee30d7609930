#!/bin/sh
# A program that was linked to FFTW and its threads runs on our libraries, by their folder and by a preload, with the same
# numbers. usage: preload.sh CC FOLDER FFTGEN
set -eu
cc=$1 folder=$2 fftgen=$3
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
cat >"$probe/user.c" <<'END'
#include <fftw3.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  enum { N = 360 };
  fftw_complex *x = fftw_alloc_complex(N), *y = fftw_alloc_complex(N);
  float z[N];
  fftw_init_threads();
  fftw_plan_with_nthreads(2);
  for (int i = 0; i < N; i++) x[i][0] = i % 7, x[i][1] = -(i % 5), z[i] = (float)(i % 3);
  fftw_plan p = fftw_plan_dft_1d(N, x, y, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_plan q = fftwf_plan_r2r_1d(N, z, z, FFTW_REDFT10, FFTW_MEASURE);
  for (int i = 0; i < N; i++) x[i][0] = i % 7, x[i][1] = -(i % 5), z[i] = (float)(i % 3);
  fftw_execute(p), fftwf_execute(q);
  printf("%.9f %.9f %.9f %.4f %.4f\n", y[3][0], y[180][1], y[359][0], z[5], z[7]);
  fftw_destroy_plan(p), fftwf_destroy_plan(q);
  fprintf(stderr, "%s %s\n", strstr(fftw_version, "fftgen") ? "ours" : "FFTW's", strstr(fftwf_version, "fftgen") ? "ours" : "FFTW's");
  return 0;
}
END
"$cc" "$probe/user.c" -o "$probe/user" -lfftw3_threads -lfftw3 -lfftw3f -lm 2>"$probe/log" ||
  { echo "SKIP: no FFTW to link to"; exit 77; }
LD_LIBRARY_PATH='' "$probe/user" >"$probe/theirs" 2>"$probe/who"
grep -qx "FFTW's FFTW's" "$probe/who" || { echo "SKIP: FFTW itself is not what programs get here"; exit 77; }
same() { # how
  grep -qx "ours ours" "$probe/who" || { echo "$1: $(cat "$probe/who")"; exit 1; }
  cmp "$probe/theirs" "$probe/ours" || { echo "$1: other numbers"; exit 1; }
}
LD_LIBRARY_PATH=$folder "$probe/user" >"$probe/ours" 2>"$probe/who"
same LD_LIBRARY_PATH
LD_PRELOAD="$folder/libfftw3_threads.so.3 $folder/libfftw3.so.3 $folder/libfftw3f.so.3" "$probe/user" >"$probe/ours" 2>"$probe/who"
same LD_PRELOAD
"$fftgen" run-with "$probe/user" >"$probe/ours" 2>"$probe/who"
same 'fftgen run-with'
# Plans of FFTW's own are FFTW's affair, where it is in the program behind ours; long double is always.
theirs=$(LD_LIBRARY_PATH='' ldd "$probe/user" | sed -n 's/.*libfftw3[.]so[.]3 => \([^ ]*\).*/\1/p')
if "$cc" -std=gnu11 foreign.c -o "$probe/foreign" -lfftw3 -lfftw3l -ldl 2>"$probe/log"; then
  seen=$(LD_PRELOAD="$folder/libfftw3.so.3 $theirs" "$probe/foreign" "$theirs") || { echo "plans of FFTW's own: $seen"; exit 1; }
  [ "$seen" = 'plans of both' ] || { echo "plans of FFTW's own: $seen"; exit 1; }
  [ "$("$fftgen" run-with "$probe/foreign" "$theirs")" = 'plans of both' ] || { echo 'plans of FFTW by fftgen run-with'; exit 1; }
else
  echo "plans of FFTW's own: not tried, no libfftw3l to link to"
fi
# Whoever compares with FFTW knows that these are not FFTW's.
LD_LIBRARY_PATH=$folder "$fftgen" bench 'c2c f64 n=8' | awk 'NR == 3 { seen = $7 } END { exit seen != "-" }' ||
  { echo 'fftgen bench takes our libraries for FFTW'; exit 1; }
echo "a program of FFTW's runs on our libraries"
