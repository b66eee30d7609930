/* n = a b of large factors, as lines of both (Cooley and Tukey, 1965; Bailey, "FFTs in external or hierarchical
 * memory", 1990): b lines of a points, products, a lines of b points, and the matrix turned before, between and behind.
 * One convolution of 2 n points took 1.3 to 2.8 times as long from 150000 points on, where it is out of the caches. */
#include "fftw/line/method.h"
#include "fftw/line/pointwise.h"
#include "fftw/line/transpose.h"

/* The largest factor to the square root; 1: there is none. */
static int64_t factor(int64_t n) {
  int64_t best = 1;
  for (int64_t p = 17; p * p <= n; p += 2)
    if (n % p == 0) best = p;
  return best;
}

static bool applies(fg_line_type type, int64_t n) {
  return fg_line_type_is_complex(type) && fg_radices_rest(n) == n && factor(n) > 1;
}

/* table[0]: root r k of order n, in rows of k < a. */
static bool create(fg_line *l) {
  int64_t n = l->n, a = factor(n), b = n / a;
  if (!fg_line_stand_on(l, 0, l->type, a, (double)b) || !fg_line_stand_on(l, 1, l->type, b, (double)a) ||
      !fg_line_add_table(l, 0, n))
    return false;
  size_t inside = l->part[0]->work > l->part[1]->work ? l->part[0]->work : l->part[1]->work;
  l->work = 4 * (size_t)n + inside;
  l->flops.add += 2.0 * (double)n, l->flops.mul += 4.0 * (double)n;
  fg_roots *roots = fg_roots_create(n);
  for (int64_t r = 0; r < b && roots; r++)
    fg_roots_run(roots, 0, r, a, fg_line_direction(l->type), l->table[0] + r * a);
  fg_roots_destroy(roots);
  return roots != NULL;
}

static fg_matrix matrix(fg_real *at, int64_t row) { return (fg_matrix){at, 2 * row}; }

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n, a = l->part[0]->n, b = l->part[1]->n;
  fg_real *x = work, *y = work + 2 * n, *more = work + 4 * n;
  fg_transpose(matrix(x, a), matrix((fg_real *)(uintptr_t)in, b), a, b, true);
  for (int64_t r = 0; r < b; r++) fg_line_run(l->part[0], x + 2 * r * a, y + 2 * r * a, more);
  fg_pointwise_products((fg_complex *)y, l->table[0], (fg_complex *)y, n);
  fg_transpose(matrix(x, b), matrix(y, a), b, a, true);
  for (int64_t k = 0; k < a; k++) fg_line_run(l->part[1], x + 2 * k * b, y + 2 * k * b, more);
  fg_transpose(matrix(out, a), matrix(y, b), a, b, true);
}

const fg_line_method fg_line_two_factors = {"two-factors", applies, create, NULL, run};
