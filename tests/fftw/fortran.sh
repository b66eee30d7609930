#!/bin/sh
# Fortran programs on libfftw3: the legacy interface, with the names of both of the compiler's spellings, and the one of
# Fortran 2003, by the include file.
# usage: fortran.sh FOLDER-OF-LIBFFTW3
set -eu
[ "$(grep -c '^  end ' "$1/fftw3.f03")" = 144 ] || { echo "fftw3.f03: $(grep -c '^  end ' "$1/fftw3.f03") functions, not 144"; exit 1; }
command -v gfortran >/dev/null || { echo "SKIP: no gfortran here"; exit 77; }
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
for spelling in -fno-second-underscore -fsecond-underscore; do
  # One subroutine takes arrays of several shapes: FFTW's interface is older than what forbids it.
  gfortran -std=legacy -w "$spelling" fortran.f90 -o "$probe/program" -L"$1" -lfftw3 -Wl,-rpath,"$1"
  "$probe/program"
done
gfortran -std=f2008 -Wall -Wno-unused -Werror -fall-intrinsics -ffree-line-length-200 -I"$1" modern.f90 -o "$probe/program" -L"$1" -lfftw3 -lfftw3f \
  -Wl,-rpath,"$1"
"$probe/program"
# The legacy include file has the same numbers.
printf "      include 'fftw3.f'\n      print *, FFTW_FORWARD + FFTW_WISDOM_ONLY + FFTW_RODFT11\n      end\n" >"$probe/old.f"
gfortran -I"$1" "$probe/old.f" -o "$probe/old"
[ $("$probe/old") = 2097161 ] || { echo "fftw3.f: $("$probe/old")"; exit 1; }
