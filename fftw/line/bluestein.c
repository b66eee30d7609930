/* Any n as a convolution with a chirp (Bluestein, "A linear filtering approach to the computation of the discrete
 * Fourier transform", 1970), of a length m >= 2 n - 1 that passes can do.
 *
 * j k = (j^2 + k^2 - (k - j)^2) / 2: X[k] = c[k] sum over j of (x[j] c[j]) conj c[k - j], c[j] = w^(j^2 / 2). */
#include "fftw/base/memory.h"
#include "fftw/line/method.h"
#include "fftw/line/pointwise.h"
#include <string.h>

static bool applies(fg_line_type type, int64_t n) { return fg_line_type_is_complex(type) && n > 1; }

/* The cheapest of the lengths with few small factors that are not much longer than they must be. */
static int64_t length_for(int64_t n) {
  int64_t least = 2 * n - 1, found = 0;
  double cost = 0;
  static const int odd[] = {1, 3, 5, 9, 15, 25, 27, 45, 75};
  for (int i = 0; i < (int)(sizeof odd / sizeof *odd); i++) {
    int64_t m = odd[i];
    while (m < least) m *= 2;
    double now = fg_radices_choose(m).cost * (double)m;
    if (!found || now < cost) found = m, cost = now;
  }
  return found;
}

/* table[0]: the chirp; table[1]: the transform of its conjugate, wrapped, divided by m. */
static bool create(fg_line *l) {
  int64_t n = l->n, m = length_for(n);
  fg_direction direction = fg_line_direction(l->type);
  if (!fg_line_stand_on(l, 0, FG_LINE_FORWARD, m, 1) || !fg_line_stand_on(l, 1, FG_LINE_BACKWARD, m, 1) ||
      !fg_line_add_table(l, 0, n) || !fg_line_add_table(l, 1, m))
    return false;
  size_t inside = l->part[0]->work > l->part[1]->work ? l->part[0]->work : l->part[1]->work;
  l->work = 4 * (size_t)m + inside;
  l->flops.add += 4.0 * (double)n + 2.0 * (double)m, l->flops.mul += 8.0 * (double)n + 4.0 * (double)m;
  fg_roots *roots = fg_roots_create(2 * n);
  fg_complex *wrapped = fg_memory_get(sizeof *wrapped * (size_t)m);
  fg_real *work = fg_memory_get(sizeof *work * (inside + 1));
  bool all = roots && wrapped && work;
  if (all) memset(wrapped, 0, sizeof *wrapped * (size_t)m);
  for (int64_t j = 0, square = 0; j < n && all; square = (square + 2 * j + 1) % (2 * n), j++) {
    fg_complex c = l->table[0][j] = fg_roots_value(roots, square, direction);
    wrapped[j] = (fg_complex){c.re / (fg_real)m, -c.im / (fg_real)m};
    if (j) wrapped[m - j] = wrapped[j];
  }
  if (all) fg_line_run(l->part[0], (fg_real *)wrapped, (fg_real *)l->table[1], work);
  fg_roots_destroy(roots), fg_memory_free(wrapped), fg_memory_free(work);
  return all;
}

static void run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t m = l->part[0]->n;
  const fg_complex *x = (const fg_complex *)in, *chirp = l->table[0], *table = l->table[1];
  fg_complex *a = (fg_complex *)work, *b = a + m, *y = (fg_complex *)out;
  fg_pointwise_products(x, chirp, a, l->n);
  memset(a + l->n, 0, sizeof *a * (size_t)(m - l->n));
  fg_line_run(l->part[0], work, (fg_real *)b, work + 4 * m);
  fg_pointwise_products(b, table, b, m);
  fg_line_run(l->part[1], (fg_real *)b, work, work + 4 * m);
  fg_pointwise_products(a, chirp, y, l->n);
}

const fg_line_method fg_line_bluestein = {"bluestein", applies, create, NULL, run};
