/* See counted.h: codelets of c2r and of complex numbers backward. */
#define FG_FFTW_CODELETS_TEXT FG_FFTW_CODELETS_BACKWARD_TEXT
#define FG_FFTW_CODELETS_NAME FG_FFTW_CODELETS_BACKWARD_NAME
#define FG_FFTW_CODELETS_MACRO FG_FFTW_CODELETS_BACKWARD_MACRO
#define NAMED(form, n) form##n##_backward
#define UNIT_IN 2
#define UNIT_OUT 1
#define PARTS(...)
#include "fftw/codelet/counted.h"
