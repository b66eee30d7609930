/* Codelets that the build generates (cmake/fftw.cmake), as a table by their length.
 *
 * Complex numbers are interleaved; strides and distances count complex numbers and may be negative. */
#ifndef FG_FFTW_CODELET_H
#define FG_FFTW_CODELET_H
#include "fftw/base/real.h"

/* One transform of contiguous numbers, with vectors inside of it; scratch as below. */
typedef void (*fg_codelet_alone)(const fg_real *in, fg_real *out, fg_real *scratch);
/* The same in place. */
typedef void (*fg_codelet_alone_in)(fg_real *data, fg_real *scratch);
/* The same of numbers whose parts are in two arrays. Forward; with exchanged parts backward. */
typedef void (*fg_codelet_parts)(const fg_real *in_re, const fg_real *in_im, fg_real *out_re, fg_real *out_im,
                                 fg_real *scratch);
/* `count` transforms; the next one begins id, od further. */
typedef void (*fg_codelet_rows)(const fg_real *in, fg_real *out, ptrdiff_t count, ptrdiff_t id, ptrdiff_t od);
/* The next one begins 1 further; its elements are is, os apart. */
typedef void (*fg_codelet_columns)(const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t os, ptrdiff_t count);
/* Columns are read, rows are written. */
typedef void (*fg_codelet_leaf)(const fg_real *in, fg_real *out, ptrdiff_t is, ptrdiff_t count, ptrdiff_t od);
/* Columns in place, element j > 0 of column b times factor[j * is + b] first. */
typedef void (*fg_codelet_twiddle)(fg_real *data, const fg_real *factor, ptrdiff_t is, ptrdiff_t count);

/* Leaves and columns of numbers whose parts are in two arrays; factors are pairs. Forward. */
typedef void (*fg_codelet_parts_leaf)(const fg_real *in_re, const fg_real *in_im, fg_real *out_re, fg_real *out_im,
                                      ptrdiff_t is, ptrdiff_t count, ptrdiff_t od);
typedef void (*fg_codelet_parts_twiddle)(fg_real *re, fg_real *im, const fg_real *factor, ptrdiff_t is,
                                         ptrdiff_t count);
/* Columns in place. */
typedef void (*fg_codelet_columns_in)(fg_real *data, ptrdiff_t is, ptrdiff_t count);
/* Contiguous ones in place, id apart. */
typedef void (*fg_codelet_rows_in)(fg_real *data, ptrdiff_t count, ptrdiff_t id);
/* Columns, element j of each times factor[j] first. */
typedef void (*fg_codelet_across)(const fg_real *in, fg_real *out, const fg_real *factor, ptrdiff_t is, ptrdiff_t os,
                                  ptrdiff_t count);

typedef struct fg_codelets { /* of one length; NULL: there is none of the form */
  int n;
  int add, fma;              /* operations of one complex transform, without factors */
  fg_codelet_alone alone[2]; /* by fg_direction */
  fg_codelet_alone real[2];  /* r2c, c2r */
  fg_codelet_alone_in alone_in[2];
  fg_codelet_alone_in real_in[2];
  size_t scratch; /* bytes, aligned to 64, that these take, at most */
  fg_codelet_columns columns[2];
  fg_codelet_leaf leaf[2]; /* there where columns is */
  fg_codelet_twiddle twiddle[2];
  fg_codelet_across across[2];
  fg_codelet_rows rows[2];
  fg_codelet_rows real_rows[2]; /* r2c, c2r; id, od count elements of their side */
  fg_codelet_parts parts;
  size_t parts_scratch; /* bytes that it takes, aligned to 64 */
  fg_codelet_parts_leaf parts_leaf;
  fg_codelet_parts_twiddle parts_twiddle;
  fg_codelet_columns real_columns[2]; /* is, os as well */
  fg_codelet_columns_in columns_in[2];
  fg_codelet_rows_in rows_in[2];
} fg_codelets;

const fg_codelets *fg_codelets_table(void);     /* by length, ended by n = 0 */
const fg_codelets *fg_codelets_find(int64_t n); /* NULL: none of this length */
#endif
