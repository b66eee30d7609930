/* Cosine and sine transforms of type IV. With w the root of order 8n:
 *
 * even n, by a complex line of h = n/2: t[m] = (x[2m] + i x[n-1-2m]) u[m], u[m] = exp(-2 pi i (8m+1) / 16n), T its
 *   transform, s[k] = T[k] u[k]: y[2k] = 2 Re s[k], y[n-1-2k] = -2 Im s[k].
 * odd n, by a complex line of 2n: y[k] = 2 Re (w^(2k+1) sum of x[j] w^(2j) exp(-2 pi i j k / 2n)).
 * The sine transform is the cosine transform of the elements in reverse order, times (-1)^k. */
#include "fftw/line/method.h"
#include <string.h>

static bool is_four(fg_line_type type) { return type == FG_LINE_REDFT11 || type == FG_LINE_RODFT11; }

static fg_real element(const fg_line *l, const fg_real *in, int64_t j) {
  return in[l->type == FG_LINE_RODFT11 ? l->n - 1 - j : j];
}

static void put(const fg_line *l, fg_real *out, int64_t k, fg_real x) {
  out[k] = l->type == FG_LINE_RODFT11 && k % 2 ? -x : x;
}

/* ---- even n ------------------------------------------------------------------- */

static bool even_applies(fg_line_type type, int64_t n) { return is_four(type) && n % 2 == 0; }

static bool even_create(fg_line *l) {
  int64_t n = l->n, h = n / 2;
  if (!fg_line_stand_on(l, 0, FG_LINE_FORWARD, h, 1) || !fg_line_add_table(l, 0, h)) return false;
  fg_roots *roots = fg_roots_create(16 * n);
  for (int64_t m = 0; m < h && roots; m++) l->table[0][m] = fg_roots_value(roots, 8 * m + 1, FG_FORWARD);
  fg_roots_destroy(roots);
  l->work = 4 * (size_t)h + l->part[0]->work;
  l->flops.add += 4.0 * (double)h, l->flops.mul += 10.0 * (double)h;
  return roots != NULL;
}

static void even_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n, h = n / 2;
  fg_complex *t = (fg_complex *)work, *s = t + h;
  for (int64_t m = 0; m < h; m++) {
    fg_complex x = {element(l, in, 2 * m), element(l, in, n - 1 - 2 * m)};
    t[m] = fg_complex_times(x, l->table[0][m]);
  }
  fg_line_run(l->part[0], work, (fg_real *)s, work + 2 * n);
  for (int64_t k = 0; k < h; k++) {
    fg_complex y = fg_complex_times(s[k], l->table[0][k]);
    put(l, out, 2 * k, 2 * y.re);
    put(l, out, n - 1 - 2 * k, -2 * y.im);
  }
}

const fg_line_method fg_line_even_dct4 = {"dct4-even", even_applies, even_create, NULL, even_run};

/* ---- odd n -------------------------------------------------------------------- */

static bool odd_applies(fg_line_type type, int64_t n) { return is_four(type) && n % 2; }

/* table[0]: w^(2j); table[1]: 2 w^(2k+1). */
static bool odd_create(fg_line *l) {
  int64_t n = l->n;
  if (!fg_line_stand_on(l, 0, FG_LINE_FORWARD, 2 * n, 1) || !fg_line_add_table(l, 0, n) || !fg_line_add_table(l, 1, n))
    return false;
  fg_roots *roots = fg_roots_create(8 * n);
  for (int64_t j = 0; j < n && roots; j++) {
    fg_complex w = fg_roots_value(roots, 2 * j + 1, FG_FORWARD);
    l->table[0][j] = fg_roots_value(roots, 2 * j, FG_FORWARD);
    l->table[1][j] = (fg_complex){2 * w.re, 2 * w.im};
  }
  fg_roots_destroy(roots);
  l->work = 8 * (size_t)n + l->part[0]->work;
  l->flops.add += (double)n, l->flops.mul += 4.0 * (double)n;
  return roots != NULL;
}

static void odd_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n;
  fg_complex *t = (fg_complex *)work, *s = t + 2 * n;
  for (int64_t j = 0; j < n; j++) {
    fg_real x = element(l, in, j);
    t[j] = (fg_complex){x * l->table[0][j].re, x * l->table[0][j].im};
  }
  memset(t + n, 0, sizeof *t * (size_t)n);
  fg_line_run(l->part[0], work, (fg_real *)s, work + 8 * n);
  for (int64_t k = 0; k < n; k++) put(l, out, k, s[k].re * l->table[1][k].re - s[k].im * l->table[1][k].im);
}

const fg_line_method fg_line_odd_dct4 = {"dct4-odd", odd_applies, odd_create, NULL, odd_run};
