/* Steps that one codelet does. In: a step that is prepared. Out: a function that does the whole step. */
#ifndef FG_FFTW_SWEEP_DIRECT_H
#define FG_FFTW_SWEEP_DIRECT_H
#include "fftw/sweep/step.h"

/* Sets `direct`, and `innermost` that it calls. */
void fg_direct_find(fg_step *s);
/* Contiguous lines in place. */
void fg_direct_rows_inside(const fg_step *s, fg_real *at, int64_t lines, ptrdiff_t next);
#endif
