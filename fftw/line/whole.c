/* The whole spectrum of reals: n complex numbers, of which r2c makes n/2 + 1.
 *
 * Of several lines two are one complex line (Cooley, Lewis and Welch, 1970), whatever n is: with z = a + i b,
 * A[k] = (Z[k] + conj Z[n-k]) / 2, B[k] = (Z[k] - conj Z[n-k]) / 2i, and elements n - k are their conjugates, which are
 * stored at once. As many are done together as L1 holds. Lines of even n, and a line alone, are r2c, whose last loop
 * stores conjugates, too; of short ones several together: what was just stored is not in the cache yet. Shorter lines
 * are over before they are taken apart: they are complex ones without imaginary parts. */
#include "fftw/line/method.h"
#include "fftw/line/pointwise.h"
#include <string.h>

enum {
  SHORTEST = 7,                              /* points */
  SHORT = 64,                                /* or so many, where there is a codelet of rows */
  HALVED = 2048,                             /* bytes of a line of n/2, of which several are done together */
  TOGETHER = (1 << 13) / sizeof(fg_complex), /* points of pairs in each of two arrays */
  LINE = 64 / sizeof(fg_real),
  MANY = (1 << 19) / sizeof(fg_real) /* points of lines that are beyond L2 */
};

static bool applies(fg_line_type type, int64_t n) {
  (void)n;
  return type == FG_LINE_WHOLE;
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t together(const fg_line *l) { return larger(1, TOGETHER / l->n); }

/* One after the other. */
static bool is_halved(const fg_line *l) { return l->part[0]->method == &fg_line_even_real; }

static bool is_short(const fg_line *l) {
  return l->n <= SHORTEST || (l->n <= SHORT && l->part[1]->rows && !l->part[1]->rows_least);
}

static void run_one(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  fg_complex *x = (fg_complex *)out;
  int64_t n = l->n;
  if (is_halved(l)) {
    fg_line_even_real_whole(l->part[0], in, out, work, 1, n, 2 * n);
    return;
  }
  fg_line_run(l->part[0], in, out, work);
  fg_pointwise_mirror(x, x + n, (n - 1) / 2);
}

/* In place: of a copy. */
static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  if (in == out) in = memcpy(work, in, sizeof *in * (size_t)l->n), work += l->n;
  run_one(l, in, out, work);
}

static void run_short(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t lines, ptrdiff_t id,
                      ptrdiff_t od) {
  fg_complex *z = (fg_complex *)work;
  int64_t n = l->n;
  if (id == n)
    fg_pointwise_from_reals(in, z, lines * n);
  else
    for (int64_t i = 0; i < lines; i++) fg_pointwise_from_reals(in + i * id, z + i * n, n);
  fg_line_run_rows(l->part[1], (fg_real *)z, out, work + 2 * lines * n, lines, 2 * n, od);
}

/* Of arrays beyond L2, whose parts are read and written by turns: lines of the cache that come meanwhile. */
static void prefetch(const fg_real *in, const fg_real *out, int64_t numbers) {
  for (int64_t i = 0; i < 2 * numbers; i += LINE) __builtin_prefetch(out + i, 1);
  for (int64_t i = 0; i < numbers; i += LINE) __builtin_prefetch(in + i);
}

/* Lines i and i + pairs. */
static void run_pairs(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t pairs, ptrdiff_t id,
                      ptrdiff_t od, bool many) {
  int64_t n = l->n;
  fg_real *z = work, *y = z + 2 * pairs * n, *more = y + 2 * pairs * n;
  if (id == n)
    fg_pointwise_interleave(in, in + pairs * n, z, pairs * n);
  else
    for (int64_t i = 0; i < pairs; i++) fg_pointwise_interleave(in + i * id, in + (i + pairs) * id, z + 2 * i * n, n);
  fg_line_run_rows(l->part[1], z, y, more, pairs, 2 * n, 2 * n);
  for (int64_t i = 0; i < pairs; i++) {
    if (many) prefetch(in + 2 * (i + pairs) * n, out + 2 * (i + pairs) * od, 2 * n);
    fg_pointwise_apart((fg_complex *)y + i * n, (fg_complex *)(out + i * od), (fg_complex *)(out + (i + pairs) * od),
                       n);
  }
}

/* All inputs of lines that are taken together are read before results are stored. */
static void run_several(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t count, ptrdiff_t id,
                        ptrdiff_t od) {
  int64_t most = together(l), lines;
  bool many = count * l->n >= MANY && l->n <= TOGETHER && od == 2 * l->n;
  for (; count > 0; count -= lines, in += lines * id, out += lines * od) {
    lines = many && is_halved(l) ? 1 : count < 2 * most ? count : 2 * most;
    if (is_halved(l))
      fg_line_even_real_whole(l->part[0], in, out, work, lines, id, od);
    else if (is_short(l))
      run_short(l, in, out, work, lines, id, od);
    else if (count > 1) {
      lines = count / 2 < most ? count / 2 * 2 : 2 * most;
      run_pairs(l, in, out, work, lines / 2, id, od, many);
    } else
      lines = 1, run(l, in, out, work);
  }
}

static bool create(fg_line *l) {
  int64_t n = l->n;
  if (!fg_line_stand_on(l, 0, FG_LINE_R2C, n, 1)) return false;
  l->over = (size_t)n;
  l->work = l->part[0]->work;
  if (is_halved(l)) {
    const fg_line *half = l->part[0]->part[0];
    if (n / 2 * (int64_t)sizeof(fg_complex) > HALVED) return true;
    l->several = run_several;
    l->several_work =
        (size_t)(2 * together(l) * n) + (half->work > half->several_work ? half->work : half->several_work);
    return true;
  }
  fg_flops as_one = l->flops;
  if (!fg_line_stand_on(l, 1, FG_LINE_FORWARD, n, 1)) return false;
  l->flops = as_one;
  size_t several = (size_t)(4 * together(l) * n) + l->part[1]->work;
  l->several = run_several;
  l->several_work = several > l->work + l->over ? several : l->work + l->over;
  return true;
}

const fg_line_method fg_line_whole = {"whole", applies, create, NULL, run};
