/* r2c and c2r. Of even n by a complex line of n/2: neighbouring reals are one complex number (Sorensen and others,
 * "Real-valued fast Fourier transform algorithms", 1987). Of odd n by a complex line of n.
 *
 * With Z the transform of z[j] = x[2j] + i x[2j+1], h = n/2, w = exp(-2 pi i / n):
 *   X[k] = (Z[k] + conj Z[h-k]) / 2 - i w^k (Z[k] - conj Z[h-k]) / 2. */
#include "fftw/base/memory.h"
#include "fftw/line/method.h"
#include "fftw/line/pointwise.h"
#include <string.h>

enum {
  TOGETHER = 1 << 13,                /* bytes of lines of n/2 that are done together */
  MANY = (1 << 19) / sizeof(fg_real) /* points of lines that are beyond L2, which are done one after the other */
};

static bool is_real(fg_line_type type) { return type == FG_LINE_R2C || type == FG_LINE_C2R; }

static fg_line_type inside(fg_line_type type) { return type == FG_LINE_R2C ? FG_LINE_FORWARD : FG_LINE_BACKWARD; }

/* ---- even n ------------------------------------------------------------------- */

static bool even_applies(fg_line_type type, int64_t n) { return is_real(type) && n % 2 == 0; }

static int64_t together(const fg_line *l) { return TOGETHER / (l->n / 2 * (int64_t)sizeof(fg_complex)); }

static void from_pairs(const fg_line *l, const fg_complex *z, fg_complex *x) {
  int64_t h = l->n / 2;
  x[0] = (fg_complex){z[0].re + z[0].im, 0};
  x[h] = (fg_complex){z[0].re - z[0].im, 0};
  fg_pointwise_unfold(z, l->table[0], (fg_real)0.5, x, h);
}

static void to_whole(const fg_line *l, const fg_complex *z, fg_complex *x) {
  int64_t h = l->n / 2;
  x[0] = (fg_complex){z[0].re + z[0].im, 0};
  x[h] = (fg_complex){z[0].re - z[0].im, 0};
  fg_pointwise_unfold_whole(z, l->table[0], x, h);
}

void fg_line_even_real_whole(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t lines,
                             ptrdiff_t id, ptrdiff_t od) {
  const fg_real *z = work;
  fg_line_run_rows(l->part[0], in, work, work + lines * l->n, lines, id, l->n);
  for (int64_t i = 0; i < lines; i++, z += l->n, out += od) to_whole(l, (const fg_complex *)z, (fg_complex *)out);
}

static void to_pairs(const fg_line *l, const fg_complex *x, fg_complex *z) {
  int64_t h = l->n / 2;
  z[0] = (fg_complex){x[0].re + x[h].re, x[0].re - x[h].re};
  fg_pointwise_unfold(x, l->table[0], 1, z, h);
}

static void even_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  fg_real *more = work + l->n;
  if (l->type == FG_LINE_R2C) {
    fg_line_run(l->part[0], in, work, more);
    from_pairs(l, (const fg_complex *)work, (fg_complex *)out);
  } else {
    to_pairs(l, (const fg_complex *)in, (fg_complex *)work);
    fg_line_run(l->part[0], work, out, more);
  }
}

/* Of several lines so many that L1 holds them: a load of what was just stored would wait until it is in the cache. */
static void even_run_several(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work, int64_t count,
                             ptrdiff_t id, ptrdiff_t od) {
  int64_t most = count * l->n >= MANY ? 1 : together(l), lines;
  for (; count > 0; count -= lines, in += lines * id, out += lines * od) {
    fg_real *more = work + (lines = count < most ? count : most) * l->n;
    if (l->type == FG_LINE_R2C) fg_line_run_rows(l->part[0], in, work, more, lines, id, l->n);
    for (int64_t i = 0; i < lines; i++)
      if (l->type == FG_LINE_R2C)
        from_pairs(l, (const fg_complex *)work + i * l->n / 2, (fg_complex *)(out + i * od));
      else
        to_pairs(l, (const fg_complex *)(in + i * id), (fg_complex *)work + i * l->n / 2);
    if (l->type == FG_LINE_C2R) fg_line_run_rows(l->part[0], work, out, more, lines, l->n, od);
  }
}

/* table[0]: i w^k / 2 for r2c, conj i w^k for c2r, k <= h / 2. */
static bool even_create(fg_line *l) {
  int64_t h = l->n / 2;
  bool back = l->type == FG_LINE_C2R;
  if (!fg_line_stand_on(l, 0, inside(l->type), h, 1) || !fg_line_add_table(l, 0, h / 2 + 1)) return false;
  fg_roots *roots = fg_roots_create(l->n);
  if (roots) fg_roots_run(roots, 0, 1, h / 2 + 1, FG_FORWARD, l->table[0]);
  for (int64_t k = 0; k <= h / 2 && roots; k++) {
    fg_complex w = l->table[0][k];
    l->table[0][k] = back ? (fg_complex){-w.im, -w.re} : (fg_complex){-w.im / 2, w.re / 2};
  }
  fg_roots_destroy(roots);
  l->work = 2 * (size_t)h + l->part[0]->work;
  if (h * (int64_t)sizeof(fg_complex) <= TOGETHER / 4) {
    const fg_line *half = l->part[0];
    l->several = even_run_several;
    l->several_work =
        (size_t)(together(l) * l->n) + (half->work > half->several_work ? half->work : half->several_work);
  }
  l->flops.add += 5.0 * (double)h, l->flops.mul += 3.0 * (double)h;
  return roots != NULL;
}

const fg_line_method fg_line_even_real = {"real-even", even_applies, even_create, NULL, even_run};

/* ---- odd n -------------------------------------------------------------------- */

static bool odd_applies(fg_line_type type, int64_t n) { return is_real(type) && n % 2; }

static bool odd_create(fg_line *l) {
  if (!fg_line_stand_on(l, 0, inside(l->type), l->n, 1)) return false;
  l->work = 4 * (size_t)l->n + l->part[0]->work;
  return true;
}

static void odd_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n;
  fg_complex *a = (fg_complex *)work, *b = a + n;
  const fg_complex *x = (const fg_complex *)in;
  if (l->type == FG_LINE_R2C) {
    fg_pointwise_from_reals(in, a, n);
  } else {
    memcpy(a, x, sizeof *a * (size_t)(n / 2 + 1));
    a[0].im = 0;
    fg_pointwise_mirror(x, a + n, n / 2);
  }
  fg_line_run(l->part[0], (fg_real *)a, (fg_real *)b, work + 4 * n);
  if (l->type == FG_LINE_R2C) {
    memcpy(out, b, sizeof *b * (size_t)(n / 2 + 1));
    out[1] = 0;
  } else {
    fg_pointwise_reals(b, out, n);
  }
}

const fg_line_method fg_line_odd_real = {"real-odd", odd_applies, odd_create, NULL, odd_run};
