#!/bin/sh
# A Fortran program on libfftw3, with the names of both of the compiler's spellings.
# usage: fortran.sh FOLDER-OF-LIBFFTW3
set -eu
command -v gfortran >/dev/null || { echo "no gfortran here"; exit 77; }
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
for spelling in -fno-second-underscore -fsecond-underscore; do
  # One subroutine takes arrays of several shapes: FFTW's interface is older than what forbids it.
  gfortran -std=legacy -w "$spelling" fortran.f90 -o "$probe/program" -L"$1" -lfftw3 -Wl,-rpath,"$1"
  "$probe/program"
done
