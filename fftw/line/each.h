/* Short lines one at a time, between any strides: in and out may be one array. */
#ifndef FG_FFTW_LINE_EACH_H
#define FG_FFTW_LINE_EACH_H
#include "fftw/codelet/ones.h"
#include "fftw/line/line.h"

typedef struct fg_each {
  fg_one run;             /* NULL: there is no codelet of the line */
  fg_walk walk;           /* count, id and od are the caller's to set */
  bool exchanged;         /* real and imaginary parts, on both sides */
  bool half_in, half_out; /* halfcomplex order: imaginary parts are in the array of the real ones */
  ptrdiff_t in, out;      /* offsets of element 0 */
  ptrdiff_t in_im, out_im;
} fg_each;

/* Of elements is, os numbers apart. False: there is no codelet. */
bool fg_each_find(fg_each *e, fg_line_type type, int64_t n, ptrdiff_t is, ptrdiff_t os);

static inline bool fg_each_has_offsets(const fg_each *e) {
  return e->exchanged || e->half_in || e->half_out || e->in || e->out;
}

/* `walk`: e->walk with a count and distances. im, out_im: of complex numbers. */
static inline void fg_each_run(const fg_each *e, const fg_walk *walk, const fg_real *re, const fg_real *im,
                               fg_real *out_re, fg_real *out_im) {
  const fg_real *x_im = (e->half_in ? re : im) + e->in_im;
  fg_real *y_im = (e->half_out ? out_re : out_im) + e->out_im;
  if (e->exchanged)
    e->run(x_im, re, y_im, out_re, walk);
  else
    e->run(re + e->in, x_im, out_re + e->out, y_im, walk);
}
#endif
