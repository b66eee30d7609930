/* r2c and c2r of odd n = p m by real lines of m, half as much work as a complex line of n (Bergland, "A fast Fourier
 * transform algorithm for real-valued series", 1968).
 *
 * Row j of p has reals j, j + p, j + 2p and so on. Of its transform elements k < h = (m + 1) / 2 are there. A codelet
 * of p points over the rows, with factors w^(jk), makes elements k + m q of the result, for all q: those beyond the
 * middle are conjugates of elements m (p - q) - k. c2r is the same backward: the codelet, factors, lines. */
#include "fftw/line/method.h"
#include "fftw/line/pointwise.h"
#include "fftw/line/transpose.h"
#include <string.h>

enum { LONGEST = 1 << 14 /* points: beyond, rows are far from each other */ };

/* The longest codelet's length that leaves more than one point. */
static const fg_codelets *rows_of(int64_t n) {
  const fg_codelets *found = NULL;
  for (const fg_codelets *c = fg_codelets_table(); c->n; c++)
    if (c->n < n && n % c->n == 0 && c->twiddle[0] && c->columns[0]) found = c;
  return found;
}

static int64_t least_factor(int64_t n) {
  for (int64_t p = 3; p * p <= n; p += 2)
    if (n % p == 0) return p;
  return n;
}

/* Rows: 1, n has none. */
static int64_t count_of(int64_t n) {
  const fg_codelets *c = rows_of(n);
  int64_t p = c ? c->n : least_factor(n);
  return p < n ? p : 1;
}

static bool applies(fg_line_type type, int64_t n) {
  bool has_prime = fg_radices_rest(n) > 1; /* else passes over complex numbers are as fast */
  return (type == FG_LINE_R2C || type == FG_LINE_C2R) && n % 2 && n <= LONGEST && has_prime && count_of(n) > 1;
}

/* table[0]: w^(jk), back their conjugates. */
static bool create(fg_line *l) {
  bool back = l->type == FG_LINE_C2R;
  l->codelets = rows_of(l->n);
  int64_t p = count_of(l->n), m = l->n / p, h = m / 2 + 1;
  if (!fg_line_stand_on(l, 0, l->type, m, (double)p) || !fg_line_add_table(l, 0, p * h)) return false;
  if (!l->codelets && !fg_line_stand_on(l, 1, back ? FG_LINE_BACKWARD : FG_LINE_FORWARD, p, (double)h)) return false;
  fg_roots *roots = fg_roots_create(l->n);
  for (int64_t j = 0; j < p && roots; j++)
    fg_roots_run(roots, 0, j, h, back ? FG_BACKWARD : FG_FORWARD, l->table[0] + j * h);
  fg_roots_destroy(roots);
  if (l->codelets) fg_flops_add(&l->flops, &(fg_flops){.add = l->codelets->add, .fma = l->codelets->fma}, (double)h);
  l->flops.add += 2.0 * (double)(p * h), l->flops.mul += 4.0 * (double)(p * h);
  size_t inside = l->part[1] && l->part[1]->work > l->part[0]->work ? l->part[1]->work : l->part[0]->work;
  l->work = (size_t)(p * m) + 4 * (size_t)(p * h) + inside;
  return roots != NULL;
}

/* Columns of z, which is memory for p rows, in place; `y` is as much. */
static void run_columns(const fg_line *l, fg_complex *z, fg_complex *y, fg_real *more) {
  int64_t p = l->n / l->part[0]->n, h = l->part[0]->n / 2 + 1;
  fg_transpose((fg_matrix){(fg_real *)y, 2 * p}, (fg_matrix){(fg_real *)z, 2 * h}, p, h, true);
  for (int64_t k = 0; k < h; k++) fg_line_run(l->part[1], (fg_real *)(y + k * p), (fg_real *)(z + k * p), more);
  fg_transpose((fg_matrix){(fg_real *)y, 2 * h}, (fg_matrix){(fg_real *)z, 2 * p}, h, p, true);
}

static void multiply(const fg_line *l, fg_complex *z, int64_t h, int64_t n) {
  for (int64_t i = h; i < n; i++) z[i] = fg_complex_times(z[i], l->table[0][i]);
}

static void r2c(const fg_line *l, const fg_real *in, fg_complex *out, fg_real *work) {
  int64_t m = l->part[0]->n, p = l->n / m, h = m / 2 + 1;
  fg_complex *z = (fg_complex *)work, *y = z + p * h;
  fg_real *rows = work + 4 * p * h, *more = rows + p * m;
  fg_transpose((fg_matrix){rows, m}, (fg_matrix){(fg_real *)in, p}, m, p, false);
  for (int64_t j = 0; j < p; j++) fg_line_run(l->part[0], rows + j * m, (fg_real *)(z + j * h), more);
  if (l->codelets) {
    l->codelets->twiddle[FG_FORWARD]((fg_real *)z, (const fg_real *)l->table[0], h, h);
    y = z;
  } else {
    multiply(l, z, h, p * h);
    run_columns(l, z, y, more);
  }
  for (int64_t q = 0; 2 * q < p; q++) memcpy(out + m * q, y + h * q, sizeof *y * (size_t)h);
  for (int64_t q = p / 2 + 1; q < p; q++) fg_pointwise_mirror(y + h * q, out + m * (p - q), h - 1);
  out[0].im = 0;
}

static void c2r(const fg_line *l, const fg_complex *in, fg_real *out, fg_real *work) {
  int64_t m = l->part[0]->n, p = l->n / m, h = m / 2 + 1;
  fg_complex *z = (fg_complex *)work, *y = z + p * h;
  fg_real *rows = work + 4 * p * h, *more = rows + p * m;
  for (int64_t q = 0; 2 * q < p; q++) memcpy(z + h * q, in + m * q, sizeof *z * (size_t)h);
  z[0].im = 0;
  for (int64_t q = p / 2 + 1; q < p; q++) {
    const fg_complex *from = in + m * (p - q);
    for (int64_t k = 0; k < h; k++) z[h * q + k] = (fg_complex){from[-k].re, -from[-k].im};
  }
  if (l->codelets)
    l->codelets->columns[FG_BACKWARD]((const fg_real *)z, (fg_real *)y, h, h, h);
  else
    run_columns(l, z, y, more);
  multiply(l, y, h, p * h);
  for (int64_t j = 0; j < p; j++) fg_line_run(l->part[0], (fg_real *)(y + j * h), rows + j * m, more);
  fg_transpose((fg_matrix){out, p}, (fg_matrix){rows, m}, p, m, false);
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  if (l->type == FG_LINE_R2C)
    r2c(l, in, (fg_complex *)out, work);
  else
    c2r(l, (const fg_complex *)in, out, work);
}

const fg_line_method fg_line_real_factors = {"real-factors", applies, create, NULL, run};
