/* Cosine and sine transforms of type IV. With w the root of order 8n:
 *
 * even n, by a complex line of h = n/2: t[m] = (x[2m] + i x[n-1-2m]) u[m], u[m] = exp(-2 pi i (8m+1) / 16n), T its
 *   transform, s[k] = T[k] u[k]: y[2k] = 2 Re s[k], y[n-1-2k] = -2 Im s[k].
 * odd n, by a real line of n (Chan and Ho, "Fast algorithms for computing the discrete W transform", 1992): with
 * f(2j+1) = x[j], f(-m) = f(m) and f(4n-m) = -f(m), g[i] = f(8i+1) and G its r2c, y[k] = 2 Re (w^(2k+1) G[2k+1]). The
 * sine transform is the cosine transform of the elements in reverse order, times (-1)^k. */
#include "fftw/base/memory.h"
#include "fftw/line/method.h"

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
  if (roots) fg_roots_run(roots, 1, 8, h, FG_FORWARD, l->table[0]);
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

/* Element i of g: a number of x, or of a negative one its complement. */
static int64_t place(const fg_line *l, int64_t i) {
  int64_t n = l->n, m = 8 * i + 1;
  if (m > 4 * n) m = 8 * n - m;
  bool negative = m > 2 * n;
  int64_t j = ((negative ? 4 * n - m : m) - 1) / 2;
  if (l->type == FG_LINE_RODFT11) j = n - 1 - j;
  return negative ? ~j : j;
}

/* index: places; table[0]: 2 w^(2k+1), as its parts are multiplied by those of G or, from n/2 on, its conjugate. */
static bool odd_create(fg_line *l) {
  int64_t n = l->n;
  if (!fg_line_stand_on(l, 0, FG_LINE_R2C, n, 1) || !fg_line_add_table(l, 0, n) ||
      !(l->index = fg_memory_get(sizeof *l->index * (size_t)n)))
    return false;
  fg_roots *roots = fg_roots_create(8 * n);
  for (int64_t k = 0; k < n && roots; k++) {
    fg_complex w = fg_roots_value(roots, 2 * k + 1, FG_BACKWARD);
    fg_real sign = l->type == FG_LINE_RODFT11 && k % 2 ? -2 : 2;
    l->index[k] = place(l, k);
    l->table[0][k] = (fg_complex){sign * w.re, 2 * ((2 * k + 1) % n) > n ? -sign * w.im : sign * w.im};
  }
  fg_roots_destroy(roots);
  l->work = 2 * (size_t)(n + 1) + l->part[0]->work;
  l->flops.add += (double)n, l->flops.mul += 2.0 * (double)n;
  return roots != NULL;
}

static void odd_run(const fg_line *l, const fg_real *in, fg_real *out, fg_real *work) {
  int64_t n = l->n;
  fg_real *g = work;
  fg_complex *spectrum = (fg_complex *)(work + n + 1);
  for (int64_t i = 0; i < n; i++) g[i] = l->index[i] < 0 ? -in[~l->index[i]] : in[l->index[i]];
  fg_line_run(l->part[0], g, (fg_real *)spectrum, (fg_real *)(spectrum + (n + 1) / 2));
  for (int64_t k = 0, q = 1; k < n; k++, q = q + 2 < n ? q + 2 : q + 2 - n) {
    fg_complex s = spectrum[2 * q > n ? n - q : q], t = l->table[0][k];
    out[k] = s.re * t.re + s.im * t.im;
  }
}

const fg_line_method fg_line_odd_dct4 = {"dct4-odd", odd_applies, odd_create, NULL, odd_run};
