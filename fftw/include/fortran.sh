#!/bin/sh
# fftw3.f03 and fftw3.f, FFTW's include files of Fortran, by the list of functions of fftw3.h: what becomes of a type of C
# is a line of a table here. usage: fortran.sh FFTW3.H f03|f
set -eu
header=$1 form=$2
constants() { # "NAME VALUE" a line
  sed -n -e 's/^  \(FFTW_[A-Z0-9]*\) = \([0-9]*\),*$/\1 \2/p' -e 's/^#define \(FFTW_[A-Z_]*\) (\([-+0-9]*\)U*)$/\1 \2/p' \
    -e 's/^#define \(FFTW_[A-Z_]*\) (1U << \([0-9]*\))$/\1 2^\2/p' "$header" |
    awk '{ if (sub(/^2\^/, "", $2)) $2 = 2 ^ $2; print $1, $2 + 0 }'
}
declarations() { # a line a function: TYPE X(NAME)(PARAMETERS)
  sed -n '/^#define FFTW_DEFINE_API/,/^FFTW_DEFINE_API/p' "$header" | sed 's/\\$//' | tr '\n' ' ' | tr ';' '\n' |
    sed 's/  */ /g; s/^ //' | grep 'X([a-z0-9_]*) *(' | grep -v typedef
}
case $form in
f)
  constants | awk '{ print "      INTEGER " $1 "\n      PARAMETER (" $1 "=" $2 ")" }'
  exit ;;
esac
echo "! FFTW's interface, version 3.3.10, for Fortran 2003, by fftgen. SPDX-License-Identifier: MIT
! Written by fortran.sh from fftw3.h's list of functions:   use, intrinsic :: iso_c_binding;   include 'fftw3.f03'

integer, parameter :: C_FFTW_R2R_KIND = C_INT"
constants | awk '{ print (/KIND|R2HC|HC2R|DHT|DFT/ ? "integer(C_FFTW_R2R_KIND)" : "integer(C_INT)") ", parameter :: " $1 " = " $2 }'
echo 'real(C_DOUBLE), parameter :: FFTW_NO_TIMELIMIT = -1'
for precision in 'fftw C_DOUBLE C_DOUBLE_COMPLEX' 'fftwf C_FLOAT C_FLOAT_COMPLEX'; do
  # shellcheck disable=SC2086
  set -- $precision
  echo "
type, bind(C) :: $1_iodim
  integer(C_INT) n, is, os
end type
type, bind(C) :: $1_iodim64
  integer(C_INTPTR_T) n, is, os
end type

interface"
  declarations | awk -v prefix="$1" -v real="$2" -v complex="$3" '
    BEGIN {
      value = ", value"; array = ", dimension(*), intent(in)"; changed = ", dimension(*), intent(inout)"
      of["int"] = of["unsigned"] = "integer(C_INT)" value
      of["size_t"] = "integer(C_SIZE_T)" value
      of["double"] = "real(C_DOUBLE)" value
      of["double *"] = "real(C_DOUBLE), intent(out)"
      of["const int *"] = "integer(C_INT)" array
      of["R *"] = "real(" real ")" changed
      of["C *"] = "complex(" complex ")" changed
      of["X(r2r_kind)"] = "integer(C_FFTW_R2R_KIND)" value
      of["const X(r2r_kind) *"] = "integer(C_FFTW_R2R_KIND)" array
      of["const X(iodim) *"] = "type(" prefix "_iodim)" array
      of["const X(iodim64) *"] = "type(" prefix "_iodim64)" array
      of["const char *"] = "character(C_CHAR)" array
      of["X(plan)"] = of["const X(plan)"] = of["FILE *"] = of["void *"] = "type(C_PTR)" value
      of["X(write_char_func)"] = of["X(read_char_func)"] = of["loop"] = "type(C_FUNPTR)" value
      result["int"] = "integer(C_INT)"; result["double"] = "real(C_DOUBLE)"
      result["X(plan)"] = result["char *"] = result["void *"] = result["R *"] = result["C *"] = "type(C_PTR)"
    }
    function wrong(what) { print "fortran.sh: what is \"" what "\" in Fortran?" > "/dev/stderr"; failed = 1; exit 1 }
    {
      sub(/void \(\*loop\)\([^)]*\([^)]*\)[^)]*\)\([^)]*\)[^,]*,[^,]*,[^,]*,[^)]*\)/, "loop loop") # a function as an argument
      sub(/void \(\*loop\).*data\),/, "loop loop,")
      match($0, /X\([a-z0-9_]*\) *\(/)
      # The name is the last X() before the parameters; a type may be one, too.
      type = substr($0, 1, RSTART - 1); rest = substr($0, RSTART)
      if (rest !~ /^X\([a-z0-9_]*\) *\(/) wrong($0)
      name = rest; sub(/^X\(/, "", name); sub(/\).*/, "", name)
      sub(/^X\([a-z0-9_]*\) *\(/, "", rest); sub(/\) *$/, "", rest)
      sub(/ *$/, "", type)
      count = rest == "void" ? 0 : split(rest, parameter, /, */)
      list = ""; lines = ""
      for (i = 1; i <= count; i++) {
        p = parameter[i]
        if (!match(p, /[a-z0-9_]+$/)) wrong(p)
        argument = substr(p, RSTART); t = substr(p, 1, RSTART - 1)
        sub(/ *$/, "", t); sub(/ *\*$/, " *", t)
        if (!(t in of)) wrong(t)
        list = list (i > 1 ? ", " : "") (i > 1 && (i - 1) % 6 == 0 ? "&\n    " : "") argument
        lines = lines "    " of[t] " :: " argument "\n"
      }
      sub(/ *\*$/, " *", type)
      if (type != "void" && !(type in result)) wrong(type)
      what = type == "void" ? "subroutine" : "function"
      full = prefix "_" name
      printf "  %s %s(%s) &\n    bind(C, name=\"%s\")\n    import\n", (what == "function" ? result[type] " function" : what), full, list, full
      printf "%s  end %s\n", lines, what
    }
    END { exit failed }'
  echo 'end interface'
done
