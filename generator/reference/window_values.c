/* Weights of windows. In: a row of windows.def, its parameter, n. Out: n numbers of 113 bits.
 *
 * All but those of sines have a period of n, as scipy.signal.get_window's have: they are the first n of n + 1 symmetric
 * weights, the middle of which is the largest, 1. */
#include "generator/reference/window_values.h"
#include "generator/base/invariant.h"
#include "generator/reference/bank_values.h"
#include <math.h>
#include <string.h>

/* ---- functions --------------------------------------------------------------- */

/* cos(pi x) */
static fg_quad cosine_of_pi(fg_quad x) {
  mpfr_t y, pi;
  mpfr_inits2(200, y, pi, (mpfr_ptr)0);
  fg_quad_to(y, x);
  mpfr_const_pi(pi, MPFR_RNDN);
  mpfr_mul(y, y, pi, MPFR_RNDN);
  mpfr_cos(y, y, MPFR_RNDN);
  fg_quad result = fg_quad_from(y);
  mpfr_clears(y, pi, (mpfr_ptr)0);
  return result;
}

/* The modified Bessel function of order 0, of 2 sqrt(x): the sum of x^k / k!^2. */
static fg_quad bessel(fg_quad x) {
  fg_quad sum = 1, term = 1;
  for (int64_t k = 1; term > sum * 0x1p-118; k++) sum += term *= x / ((fg_quad)k * k);
  return sum;
}

/* ---- Dolph-Chebyshev ----------------------------------------------------------- */

/* The polynomial of degree n at x, |x| >= 1 as well. */
static fg_quad polynomial(int64_t n, fg_quad x) {
  fg_quad size = x < 0 ? -x : x, sign = x < 0 && n % 2 ? -1 : 1;
  if (size > 1) return sign * fg_quad_by(n * fg_quad_by(size, mpfr_acosh), mpfr_cosh);
  return sign * fg_quad_by(n * fg_quad_by(size, mpfr_acos), mpfr_cos);
}

/* The transform of the polynomial's values at x_0 cos(pi k / (n + 1)); those of odd degree alternate. */
static void chebyshev(fg_context *cx, fg_quad attenuation, int64_t n, fg_quad *w) {
  int64_t m = n + 1;
  fg_quad ripple = fg_quad_by(attenuation / 20, mpfr_exp10);
  fg_quad beyond = fg_quad_by(fg_quad_by(ripple, mpfr_acosh) / n, mpfr_cosh);
  const fg_quadc *root = fg_quad_roots(cx, 2 * m);
  fg_quadc *x = fg_arena_new(cx->arena, fg_quadc, 2 * m), *y = x + m;
  for (int64_t k = 0; k < m; k++) {
    fg_quad value = polynomial(n, beyond * root[k].re);
    x[k] = m % 2 ? (fg_quadc){value, 0} : (fg_quadc){value * root[k].re, value * root[k].im};
  }
  fg_quad_dft(cx, m, -1, x, y);
  for (int64_t j = 0; j < n; j++) {
    int64_t far = 2 * j > n ? 2 * j - n : n - 2 * j; /* twice the distance from the middle */
    w[j] = y[m % 2 ? far / 2 : (far + 1) / 2].re / y[m % 2 ? 0 : 1].re;
  }
}

/* ---- Slepian's sequence ----------------------------------------------------------- */

/* Of the symmetric tridiagonal matrix: d on the diagonal, e beside it. */
typedef struct tridiagonal {
  int64_t m;
  fg_quad *d, *e; /* e[j]: between j - 1 and j */
} tridiagonal;

/* How many eigenvalues are above x. */
static int64_t above(const tridiagonal *t, double x) {
  int64_t count = 0;
  double q = 1;
  for (int64_t j = 0; j < t->m; j++) {
    double e = (double)t->e[j];
    q = (double)t->d[j] - x - (j ? e * e / q : 0);
    if (q == 0) q = 1e-300;
    count += q > 0;
  }
  return count;
}

/* x = (T - shift)^-1 x, by elimination with exchanges of rows. */
static void solve(fg_arena *a, const tridiagonal *t, fg_quad shift, fg_quad *x) {
  int64_t m = t->m;
  fg_quad *p = fg_arena_new(a, fg_quad, 3 * m + 3), *q = p + m + 1,
          *r = q + m + 1; /* rows: p, q, r from the diagonal on */
  fg_quad d = t->d[0] - shift, e = m > 1 ? t->e[1] : 0, b = x[0];
  for (int64_t j = 0; j + 1 < m; j++) {
    fg_quad below = t->e[j + 1], next = t->d[j + 1] - shift, after = j + 2 < m ? t->e[j + 2] : 0, value = x[j + 1];
    fg_quad size = d < 0 ? -d : d, other = below < 0 ? -below : below;
    if (size >= other) {
      fg_quad factor = below / d;
      p[j] = d, q[j] = e, r[j] = 0, x[j] = b;
      d = next - factor * e, e = after, b = value - factor * b;
    } else {
      fg_quad factor = d / below;
      p[j] = below, q[j] = next, r[j] = after, x[j] = value;
      d = e - factor * next, e = -factor * after, b = b - factor * value;
    }
  }
  p[m - 1] = d == 0 ? (fg_quad)0x1p-100 : d, x[m - 1] = b;
  for (int64_t j = m - 1; j >= 0; j--)
    x[j] = (x[j] - (j + 1 < m ? q[j] * x[j + 1] : 0) - (j + 2 < m ? r[j] * x[j + 2] : 0)) / p[j];
}

/* x becomes of length 1; the value of the quadratic form. */
static fg_quad normalize(const tridiagonal *t, fg_quad *x) {
  fg_quad largest = 0, squares = 0, form = 0;
  for (int64_t j = 0; j < t->m; j++)
    if (x[j] > largest || -x[j] > largest) largest = x[j] < 0 ? -x[j] : x[j];
  for (int64_t j = 0; j < t->m; j++) x[j] /= largest, squares += x[j] * x[j];
  for (int64_t j = 0; j < t->m; j++) form += x[j] * (t->d[j] * x[j] + (j ? 2 * t->e[j] * x[j - 1] : 0));
  return form / squares;
}

/* The eigenvector of the largest eigenvalue: bisection in double, then Rayleigh quotients. */
static void slepian(fg_context *cx, fg_quad nw, int64_t n, fg_quad *w) {
  int64_t m = n + 1;
  fg_quad *room = fg_arena_new(cx->arena, fg_quad, 3 * m), *x = room + 2 * m, width = cosine_of_pi(2 * nw / m);
  tridiagonal t = {m, room, room + m};
  double low = 0, high = 0;
  for (int64_t j = 0; j < m; j++) {
    fg_quad off = (fg_quad)(m - 1 - 2 * j) / 2;
    t.d[j] = off * off * width;
    t.e[j] = (fg_quad)j * (m - j) / 2;
    x[j] = 1 - 4 * off * off / ((fg_quad)m * m);
    high = fmax(high, fabs((double)t.d[j]) + (double)m * (double)m);
  }
  low = -high;
  for (int i = 0; i < 80; i++) {
    double middle = (low + high) / 2;
    *(above(&t, middle) ? &low : &high) = middle;
  }
  fg_quad shift = high + ldexp(high - low + fabs(high), -40);
  for (int i = 0; i < 6; i++) {
    solve(cx->arena, &t, shift, x);
    fg_quad quotient = normalize(&t, x);
    if (i) shift = quotient;
  }
  fg_quad largest = x[n / 2], even = m % 2 ? 1 : (fg_quad)m * m / ((fg_quad)m * m + nw); /* as scipy has it */
  for (int64_t j = 0; j < n; j++) w[j] = x[j] / largest * even;
}

/* ---- all ------------------------------------------------------------------------- */

static fg_quad *sums(fg_context *cx, const fg_window_row *row, int64_t n) {
  const fg_quadc *root = fg_quad_roots(cx, fg_window_order(row, n));
  fg_quad *w = fg_arena_new(cx->arena, fg_quad, n);
  for (int64_t j = 0; j < n; j++) {
    for (int m = 0; m < FG_WINDOW_TERMS; m++) {
      fg_quad c = (fg_quad)row->c[m] / 1000000000 * fg_window_sign(row, m);
      fg_quadc of = root[fg_window_exponent(row, m, j, n)];
      w[j] += c * (row->form == FG_WINDOW_SINES ? of.im : of.re);
    }
    if (w[j] < 0x1p-105 && w[j] > -0x1p-105) w[j] = 0; /* an exact zero, but for rounding */
  }
  return w;
}

/* t: from -1 to 1; of Kaiser's not yet over the largest */
static fg_quad shaped(fg_window w, int64_t n, int64_t j) {
  fg_quad t = (fg_quad)(2 * j - n) / n, p = w.parameter, edge = (fg_quad)(j < n - j ? j : n - j);
  switch (w.row->form) {
  case FG_WINDOW_NUMBERS: return j;
  case FG_WINDOW_KAISER: return bessel(p * p * (1 - t * t) / 4);
  case FG_WINDOW_GAUSSIAN: return fg_quad_by(-(t / p) * (t / p) / 2, mpfr_exp);
  case FG_WINDOW_TUKEY: return 2 * edge < p * n ? (1 - cosine_of_pi(2 * edge / (p * n))) / 2 : 1;
  case FG_WINDOW_VORBIS: {
    fg_quad square = (1 - cosine_of_pi((fg_quad)(2 * j + 1) / n)) / 2;
    return cosine_of_pi((1 - square) / 2);
  }
  default: break;
  }
  fg_invariant(!"a window without a formula");
  return 0;
}

static fg_window of_frame(fg_window w) { return (fg_window){.row = w.row, .parameter = w.parameter}; }

#define NOTHING 1e-11 /* as torch.istft has it */

/* 1 over the sum of the squares of frames' windows, n numbers from the first frame's beginning on; 0 where it is
 * nothing. */
static fg_quad *envelope(fg_context *cx, fg_window w, int64_t n) {
  int64_t frame = n - (w.frames - 1) * w.hop;
  const fg_quad *weight = fg_operation_values_weights(cx, of_frame(w), frame);
  fg_quad *sum = fg_arena_new(cx->arena, fg_quad, n);
  for (int64_t i = 0; i < w.frames * frame; i++)
    sum[i / frame * w.hop + i % frame] += frame == 1 ? 1 : weight[i % frame] * weight[i % frame];
  for (int64_t i = 0; i < n; i++) sum[i] = sum[i] > NOTHING ? 1 / sum[i] : 0;
  return sum;
}

static fg_gf envelope_gf(const fg_field *f, fg_window w, int64_t n, int64_t number) {
  int64_t frame = n - (w.frames - 1) * w.hop;
  fg_gf sum = 0;
  for (int64_t i = 0; i < w.frames; i++) {
    int64_t j = number - i * w.hop;
    fg_gf x = j < 0 || j >= frame ? 0 : frame == 1 ? f->one : fg_operation_values_weight_gf(f, of_frame(w), frame, j);
    sum = fg_gf_add(f, sum, fg_gf_mul(f, x, x));
  }
  return fg_gf_inv(f, sum);
}

/* The first bin that a band's slots are for: its own first one, or as late as all of them are there. */
int64_t fg_operation_values_band_start(fg_window w, int64_t band) {
  int64_t first, end, last = w.points / 2 + 1 - w.slots;
  fg_operation_values_band(&w.bank, w.points, band, &first, &end);
  return first < last ? first : last > 0 ? last : 0;
}

static fg_quad *bank(fg_context *cx, fg_window w, int64_t n) {
  const fg_quad *corner = fg_operation_values_corners(cx, &w.bank);
  fg_quad *weight = fg_arena_new(cx->arena, fg_quad, n);
  for (int64_t c = 0, start = 0; c < n; c++) {
    if (c % w.slots == 0) start = fg_operation_values_band_start(w, c / w.slots);
    weight[c] = fg_operation_values_band_weight(&w.bank, w.points, corner, c / w.slots, start + c % w.slots);
  }
  return weight;
}

fg_quad *fg_operation_values_weights(fg_context *cx, fg_window w, int64_t n) {
  if (w.row->form == FG_WINDOW_BANK) return bank(cx, w, n);
  if (w.hop) return envelope(cx, w, n);
  if (w.row->form == FG_WINDOW_COSINES || w.row->form == FG_WINDOW_SINES) return sums(cx, w.row, n);
  fg_quad *weight = fg_arena_new(cx->arena, fg_quad, n);
  bool whole = w.row->form == FG_WINDOW_CHEBYSHEV || w.row->form == FG_WINDOW_DPSS;
  if (n == 1) {
    weight[0] = w.row->form == FG_WINDOW_NUMBERS ? 0 : 1;
  } else if (!whole) {
    fg_quad largest = w.row->form == FG_WINDOW_KAISER ? bessel((fg_quad)w.parameter * w.parameter / 4) : 1;
    for (int64_t j = 0; j < n; j++) weight[j] = shaped(w, n, j) / largest;
  } else if (w.row->form == FG_WINDOW_CHEBYSHEV) {
    chebyshev(cx, w.parameter, n, weight);
  } else {
    slepian(cx, w.parameter, n, weight);
  }
  return weight;
}

fg_gf fg_operation_values_weight_gf(const fg_field *f, fg_window w, int64_t n, int64_t number) {
  if (w.hop) return envelope_gf(f, w, n, number);
  if (w.row->form == FG_WINDOW_BANK)
    return fg_operation_values_band_weight_gf(f, &w.bank, w.points, number / w.slots,
                                              fg_operation_values_band_start(w, number / w.slots) + number % w.slots);
  if (w.row->form == FG_WINDOW_NUMBERS) return fg_gf_from(f, number);
  uint64_t what = 2 + 8 * (uint64_t)(w.row - fg_window_table()), bits, state;
  memcpy(&bits, &w.parameter, sizeof bits);
  state = (what + (uint64_t)n * 0x100000001b3u + bits * 0xbf58476d1ce4e5b9u) * 0xd1342543de82ef95u ^
          (uint64_t)number * 0x9e3779b97f4a7c15u;
  fg_random(&state);
  state ^= f->p;
  fg_random(&state);
  return fg_gf_random(&state);
}
