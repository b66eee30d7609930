/* Transforms of neighbouring columns, without copies. */
#ifndef FG_FFTW_LINE_ACROSS_H
#define FG_FFTW_LINE_ACROSS_H
#include "fftw/line/line.h"

typedef struct fg_columns { /* element j of column c is number j is + c of in, j os + c of out; in may be out */
  const fg_complex *in;
  fg_complex *out;
  int64_t is, os, count;
  fg_real scale; /* of the results */
} fg_columns;

/* Few columns: a pass does all of them with its own, by factors that are there once for each. */
enum { FG_FEW = 16 /* columns, more than there are; n of a line is FG_FEW * n + their number */ };
bool fg_across_has_few(int64_t n, int64_t count);
bool fg_across_has(int64_t n); /* whether there are lines of the types FG_LINE_ACROSS_... of n points */
/* Numbers of its memory. */
size_t fg_across_work(const fg_line *l, int64_t count);
void fg_across_run(const fg_line *l, const fg_columns *c, fg_real *work);
#endif
