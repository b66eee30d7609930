/* Lines of numbers whose parts are in two arrays, without copies. */
#ifndef FG_FFTW_LINE_PARTS_H
#define FG_FFTW_LINE_PARTS_H
#include "fftw/line/line.h"

typedef struct fg_parts {
  const fg_real *in_re, *in_im;
  fg_real *out_re, *out_im; /* may be those of the input */
} fg_parts;

bool fg_parts_has(int64_t n); /* whether there are lines of the type FG_LINE_PARTS of n points */
/* Forward; with exchanged parts on both sides backward. work: l->work numbers, and l->over where results overwrite
 * inputs. */
void fg_parts_run(const fg_line *l, const fg_parts *p, fg_real *work);
#endif
