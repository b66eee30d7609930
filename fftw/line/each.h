/* Short lines one at a time, between any strides: in and out may be one array. */
#ifndef FG_FFTW_LINE_EACH_H
#define FG_FFTW_LINE_EACH_H
#include "fftw/codelet/ones.h"
#include "fftw/line/line.h"

typedef enum fg_each_way { /* what a codelet has for the arrays */
                           FG_EACH_AS_THEY_ARE,
                           FG_EACH_EXCHANGED, /* real and imaginary parts, on both sides */
                           FG_EACH_HALF_IN,   /* halfcomplex order: imaginary parts are in the array of the real ones */
                           FG_EACH_HALF_OUT,
                           FG_EACH_MOVED, /* element 0 is elsewhere */
                           FG_EACH_WAYS
} fg_each_way;

typedef struct fg_each {
  fg_one run;   /* NULL: there is no codelet of the line */
  fg_walk walk; /* count, id and od are the caller's to set */
  fg_each_way way;
  ptrdiff_t in, out; /* to where it begins: imaginary parts, or element 0 */
} fg_each;

/* Of elements is, os numbers apart. False: there is no codelet. */
bool fg_each_find(fg_each *e, fg_line_type type, int64_t n, ptrdiff_t is, ptrdiff_t os);

/* way: e->way, a constant of functions that do not pay for the others. walk: e->walk with a count and distances. im,
 * out_im: of complex numbers. */
static inline __attribute__((always_inline)) void fg_each_run(const fg_each *e, fg_each_way way, const fg_walk *walk,
                                                              const fg_real *re, const fg_real *im, fg_real *out_re,
                                                              fg_real *out_im) {
  switch (way) {
  case FG_EACH_EXCHANGED: e->run(im, re, out_im, out_re, walk); break;
  case FG_EACH_HALF_IN: e->run(re, re + e->in, out_re, out_im, walk); break;
  case FG_EACH_HALF_OUT: e->run(re, im, out_re, out_re + e->out, walk); break;
  case FG_EACH_MOVED: e->run(re + e->in, im, out_re + e->out, out_im, walk); break;
  default: e->run(re, im, out_re, out_im, walk); break;
  }
}
#endif
