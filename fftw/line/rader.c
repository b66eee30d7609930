/* A prime n whose n - 1 passes can do (Rader, "Discrete Fourier transforms when the number of data samples is prime",
 * 1968): in the order of powers of a generator, all elements but the first are a cyclic convolution of n - 1 points.
 *
 * X[0] is the sum of all. X[g^-q] = x[0] + (a * b)[q] with a[q] = x[g^q], b[q] = w^(g^-q); b's transform is a table,
 * divided by n - 1. x[0] joins all results by way of the convolution's element 0. */
#include "fftw/base/memory.h"
#include "fftw/line/method.h"
#include "fftw/line/pointwise.h"

static bool is_prime(int64_t n) {
  for (int64_t p = 2; p * p <= n; p++)
    if (n % p == 0) return false;
  return n > 1;
}

enum { LONGEST = 1 << 26 /* so that products of two indices fit, and n is soon known to be prime */ };

static bool applies(fg_line_type type, int64_t n) {
  return fg_line_type_is_complex(type) && n > 3 && n < LONGEST && fg_radices_rest(n - 1) == 1 && is_prime(n);
}

static int64_t power(int64_t base, int64_t exponent, int64_t n) {
  int64_t x = 1;
  for (; exponent; exponent >>= 1, base = base * base % n)
    if (exponent & 1) x = x * base % n;
  return x;
}

static int64_t generator(int64_t n) {
  for (int64_t g = 2;; g++) {
    bool all = true;
    int64_t rest = n - 1;
    for (int64_t p = 2; rest > 1 && all; p++) {
      if (rest % p) continue;
      while (rest % p == 0) rest /= p;
      all = power(g, (n - 1) / p, n) != 1;
    }
    if (all) return g;
  }
}

/* index[q] = g^q, index[n - 1 + q] = g^-q */
static bool create(fg_line *l) {
  int64_t n = l->n, m = n - 1, g = generator(n), inverse = power(g, n - 2, n);
  fg_direction direction = fg_line_direction(l->type);
  if (!(l->index = fg_memory_get(sizeof(int64_t) * 2 * (size_t)m)) || !fg_line_add_table(l, 0, m) ||
      !fg_line_stand_on(l, 0, FG_LINE_FORWARD, m, 1) || !fg_line_stand_on(l, 1, FG_LINE_BACKWARD, m, 1))
    return false;
  size_t inside = l->part[0]->work > l->part[1]->work ? l->part[0]->work : l->part[1]->work;
  l->work = 4 * (size_t)m + inside;
  l->flops.add += 4.0 * (double)m + 4, l->flops.mul += 4.0 * (double)m;
  for (int64_t q = 0, up = 1, down = 1; q < m; q++, up = up * g % n, down = down * inverse % n)
    l->index[q] = up, l->index[m + q] = down;
  fg_roots *roots = fg_roots_create(n);
  fg_complex *b = fg_memory_get(sizeof *b * (size_t)m);
  fg_real *work = fg_memory_get(sizeof *work * (inside + 1));
  bool all = roots && b && work;
  for (int64_t q = 0; q < m && all; q++) {
    b[q] = fg_roots_value(roots, l->index[m + q], direction);
    b[q].re /= (fg_real)m, b[q].im /= (fg_real)m;
  }
  if (all) fg_line_run(l->part[0], (fg_real *)b, (fg_real *)l->table[0], work);
  fg_roots_destroy(roots), fg_memory_free(b), fg_memory_free(work);
  return all;
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t m = l->n - 1;
  const fg_complex *x = (const fg_complex *)in, *table = l->table[0], first = x[0];
  fg_complex *a = (fg_complex *)work, *b = a + m, *y = (fg_complex *)out;
  for (int64_t q = 0; q < m; q++) a[q] = x[l->index[q]];
  fg_line_run(l->part[0], work, (fg_real *)b, work + 4 * m);
  y[0] = (fg_complex){first.re + b[0].re, first.im + b[0].im};
  fg_pointwise_products(b, table, b, m);
  b[0].re += first.re, b[0].im += first.im;
  fg_line_run(l->part[1], (fg_real *)b, work, work + 4 * m);
  for (int64_t q = 0; q < m; q++) y[l->index[m + q]] = a[q];
}

const fg_line_method fg_line_rader = {"rader", applies, create, NULL, run};
