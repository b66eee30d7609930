/* See counted.h: codelets of r2c and of complex numbers forward. */
#define FG_FFTW_CODELETS_TEXT FG_FFTW_CODELETS_FORWARD_TEXT
#define FG_FFTW_CODELETS_NAME FG_FFTW_CODELETS_FORWARD_NAME
#define FG_FFTW_CODELETS_MACRO FG_FFTW_CODELETS_FORWARD_MACRO
#define NAMED(form, n) form##n##_forward
#define UNIT_IN 1
#define UNIT_OUT 2
#define PARTS(n, has_leaf, has_twiddle)                                                                                \
  IF_##has_leaf(COUNTED(PARTS_LEAF, parts_leaf##n, REALS, APART))                                                      \
      IF_##has_twiddle(COUNTED(PARTS_TWIDDLE, parts_twiddle##n, REALS, INSIDE))
#include "fftw/codelet/counted.h"
