/* The methods of lines, a file each, and the table of them (table.c). */
#ifndef FG_FFTW_LINE_METHOD_H
#define FG_FFTW_LINE_METHOD_H
#include "fftw/codelet/codelet.h"
#include "fftw/line/line.h"
#include "fftw/line/roots.h"
#include "fftw/line/twiddles.h"

extern const fg_line_method fg_line_single, fg_line_dense, fg_line_cooley_tukey, fg_line_rader, fg_line_bluestein,
    fg_line_across, fg_line_few, fg_line_parts;
extern const fg_line_method fg_line_two_factors, fg_line_even_real, fg_line_real_factors, fg_line_whole,
    fg_line_odd_real, fg_line_halfcomplex;
extern const fg_line_method fg_line_dct2, fg_line_dct1, fg_line_even_dct4, fg_line_odd_dct4;

static inline fg_direction fg_line_direction(fg_line_type type) {
  bool back = type == FG_LINE_BACKWARD || type == FG_LINE_ACROSS_BACKWARD || type == FG_LINE_FEW_BACKWARD;
  return back ? FG_BACKWARD : FG_FORWARD;
}

enum { FG_LINE_ALIGN = 64 };

static inline fg_real *fg_line_aligned(fg_real *work) {
  return (fg_real *)(((uintptr_t)work + FG_LINE_ALIGN - 1) / FG_LINE_ALIGN * FG_LINE_ALIGN);
}

static inline fg_complex fg_complex_times(fg_complex a, fg_complex b) {
  return (fg_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* A line that l uses, as number `part`; its operations are counted. False: there is no memory. */
bool fg_line_stand_on(fg_line *l, int part, fg_line_type type, int64_t n, double times);
/* Memory of l->table[table] for so many numbers. False: there is none. */
bool fg_line_add_table(fg_line *l, int table, int64_t count);

/* ---- real.c: r2c of even n, and the conjugates that it leaves out; `l` is a line of fg_line_even_real ---- */

/* As fg_line_run_rows. Work has lines * n numbers, and what the line of n/2 takes. */
void fg_line_even_real_whole(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t lines,
                             ptrdiff_t id, ptrdiff_t od);

/* ---- radices.c: n as a product of codelets' lengths ---- */

typedef struct fg_radices {
  int64_t leaf;              /* the first pass: a codelet's length, or what has none as a factor */
  int count;                 /* of passes behind it */
  int radix[FG_LINE_PASSES]; /* in the order in which they run */
  double cost;               /* of all passes, leaf with a codelet or not counted; infinite: n is no such product */
} fg_radices;

fg_radices fg_radices_choose(int64_t n);
fg_radices fg_radices_choose_across(int64_t n); /* the same of passes over columns side by side */
/* Whether so many rows, so many complex numbers apart, cause conflict misses. */
bool fg_radices_meet(int64_t rows, int64_t apart);
int64_t fg_radices_rest(int64_t n); /* n without the factors that codelets have: 1 where passes do all of it */
#endif
