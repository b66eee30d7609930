/* See definition.h. Each output is a sum of inputs times a coefficient, and that is a cosine or a sine. */
#include "definition.h"

/* cos or sin of 2 pi a / b */
static fg_real cosine(int64_t a, int64_t b) { return fg_field_root(a, b).re; }
static fg_real sine(int64_t a, int64_t b) { return fg_field_root(a, b).im; }

/* Of a kind of reals: output k by input j. */
static fg_real coefficient(fg_line_type type, int64_t n, int64_t k, int64_t j) {
  fg_real two = j == 0 ? 1 : 2, sign = k % 2 ? -1 : 1, j_sign = j % 2 ? -1 : 1;
  switch (type) {
  case FG_LINE_R2HC: return 2 * k <= n ? cosine(j * k, n) : -sine(j * (n - k), n);
  case FG_LINE_HC2R:
    return j == 0 || 2 * j == n ? cosine(j * k, n) : 2 * j < n ? cosine(j * k, n) * 2 : -sine((n - j) * k, n) * 2;
  case FG_LINE_DHT: return cosine(j * k, n) + sine(j * k, n);
  case FG_LINE_REDFT00: return j == 0 ? fg_real(1) : j == n - 1 ? sign : cosine(j * k, 2 * (n - 1)) * 2;
  case FG_LINE_REDFT10: return cosine((2 * j + 1) * k, 4 * n) * 2;
  case FG_LINE_REDFT01: return cosine(j * (2 * k + 1), 4 * n) * two;
  case FG_LINE_REDFT11: return cosine((2 * j + 1) * (2 * k + 1), 8 * n) * 2;
  case FG_LINE_RODFT00: return sine((j + 1) * (k + 1), 2 * (n + 1)) * 2;
  case FG_LINE_RODFT10: return sine((2 * j + 1) * (k + 1), 4 * n) * 2;
  case FG_LINE_RODFT01: return j == n - 1 ? sign : sine((j + 1) * (2 * k + 1), 4 * n) * 2;
  case FG_LINE_RODFT11: return sine((2 * j + 1) * (2 * k + 1), 8 * n) * 2;
  default: return j_sign * 0;
  }
}

static fg_complex complex_output(fg_line_type type, int64_t n, const fg_complex *x, int64_t k) {
  fg_complex sum = {0, 0};
  for (int64_t j = 0; j < n; j++) {
    fg_complex a = x[j], w = fg_field_root(type == FG_LINE_BACKWARD ? j * k : -j * k, n);
    if (type == FG_LINE_R2C || type == FG_LINE_WHOLE) a.im = 0;
    a = definition_times(a, w);
    sum = fg_complex{sum.re + a.re, sum.im + a.im};
  }
  return sum;
}

static fg_real c2r_output(int64_t n, const fg_complex *x, int64_t k) {
  fg_real sum = 0;
  for (int64_t j = 0; 2 * j <= n; j++) {
    fg_complex w = fg_field_root(j * k, n);
    sum += j == 0 || 2 * j == n ? x[j].re * w.re : (x[j].re * w.re - x[j].im * w.im) * 2;
  }
  return sum;
}

void definition_apply(fg_line_type type, int64_t n, const fg_complex *x, fg_complex *y) {
  bool complex = type == FG_LINE_FORWARD || type == FG_LINE_BACKWARD || type == FG_LINE_R2C || type == FG_LINE_WHOLE;
  for (int64_t k = 0; k < fg_line_elements(type, n, true); k++) {
    if (complex) {
      y[k] = complex_output(type, n, x, k);
      if (type == FG_LINE_R2C && (k == 0 || 2 * k == n)) y[k].im = 0;
      continue;
    }
    y[k] = fg_complex{type == FG_LINE_C2R ? c2r_output(n, x, k) : fg_real(0), 0};
    for (int64_t j = 0; j < n && type != FG_LINE_C2R; j++) y[k].re += coefficient(type, n, k, j) * x[j].re;
  }
}

static fg_complex over(fg_complex a, fg_complex b) {
  fg_real norm = b.re * b.re + b.im * b.im;
  fg_complex c = definition_times(a, fg_complex{b.re, -b.im});
  return fg_complex{c.re / norm, c.im / norm};
}

fg_complex definition_sum(fg_line_type type, int64_t n, const fg_complex *x, fg_complex c) {
  fg_complex all = {1, 0}, sum = {0, 0}, base = c;
  for (int64_t e = n; e; e >>= 1, base = definition_times(base, base))
    if (e & 1) all = definition_times(all, base);
  fg_complex above = {all.re - 1, all.im};
  for (int64_t j = 0; j < n; j++) { /* (c w^j)^n = c^n */
    fg_complex w = definition_times(c, fg_field_root(type == FG_LINE_BACKWARD ? j : -j, n));
    fg_complex a = definition_times(x[j], over(above, fg_complex{w.re - 1, w.im}));
    sum = fg_complex{sum.re + a.re, sum.im + a.im};
  }
  return sum;
}
