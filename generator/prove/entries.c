/* Entries of large tables. In: a table's definition, the numbers of some text for it. Out: whether they are that
 * table: a sample exactly, all of them nearly.
 *
 * The idea: an entry in 113 bits costs as much as hundreds of additions. Doubles suffice to see that roots of unity
 * are at their positions; a sample shows that they are rounded well. A spectrum is the transform of a list of roots
 * of unity. A few of its entries are computed by their sums, and all of them together are weighted by the powers of
 * a number rho with rho^cols = -1: the transform's sum becomes the list's, with the factor (1 - rho^cols) / (1 - x)
 * = 1 + i cot(phi / 2), where x = exp(i phi) is the ratio of the series. */
#include "generator/prove/entries.h"
#include "generator/ir/table_values.h"
#include "generator/math/field.h"
#include "generator/prove/table_values.h"
#include <math.h>

enum {
  FEW_ENTRIES = 128, /* of them all are compared exactly */
  EXACT = 24,        /* else so many */
  SUMS = 4,          /* entries of a spectrum that are summed up */
  AGAIN = 64         /* rotations before one is computed anew */
};
#define NEAR_F64 0x1p-44 /* in doubles, off the entry that should be there */
#define NEAR_F32 0x1p-22

typedef long double wide;
typedef struct widec {
  wide re, im;
} widec;

static const wide iteration = 6.283185307179586476925286766559005768L;

/* exp(2 pi i k / n), |k| < n */
static widec unit(wide k, int64_t n) { return (widec){cosl(iteration * k / (wide)n), sinl(iteration * k / (wide)n)}; }

static widec times(widec a, widec b) { return (widec){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

bool fg_entries_are_few(const fg_table *t) {
  return t->rows * t->cols <= FEW_ENTRIES || t->fill == FG_FILL_RADER_SUM || t->fill == FG_FILL_WINDOW;
}

/* ---- roots of unity ------------------------------------------------------------------------ */

/* All of one order, each the product of a root from either of two short lists. */
typedef struct root_lists {
  int64_t order;
  int bits;          /* of k that choose the near one */
  widec *near, *far; /* exp(2 pi i k / order), k < 2^bits; k a multiple of that */
} root_lists;

static root_lists make_roots(fg_context *cx, int64_t order) {
  root_lists r = {.order = order};
  while (INT64_C(1) << 2 * r.bits < order) r.bits++;
  int64_t near = INT64_C(1) << r.bits, far = order / near + 1;
  r.near = fg_arena_new(cx->arena, widec, near);
  r.far = fg_arena_new(cx->arena, widec, far);
  for (int64_t k = 0; k < near; k++) r.near[k] = unit((wide)k, order);
  for (int64_t k = 0; k < far; k++) r.far[k] = unit((wide)(k * near), order);
  return r;
}

/* 0 <= k < order */
static widec root_of(const root_lists *r, int64_t k) {
  return times(r->far[k >> r->bits], r->near[k & ((INT64_C(1) << r->bits) - 1)]);
}

static widec root_near(const root_lists *r, int64_t k) {
  double at = (double)iteration / (double)r->order * (double)k;
  return r->near ? root_of(r, k) : (widec){cos(at), sin(at)};
}

bool fg_entries_near(fg_context *cx, const fg_table *t, fg_precision precision, const fg_entry_reader *number) {
  double scale = ldexp(1, t->shift), near = (precision == FG_F64 ? NEAR_F64 : NEAR_F32) * scale;
  int64_t count = t->rows * t->cols;
  root_lists lists = {.order = t->order};
  if (t->order / count < count / 4) lists = make_roots(cx, t->order); /* shorter than the table */
  for (int64_t i = 0; i < count; i++) {
    widec z = root_near(&lists, fg_table_values_exponent(t, i));
    double x[2], im = t->sign < 0 ? -(double)z.im : (double)z.im;
    number->read(number->self, i, x);
    if (!(fabs(x[0] - scale * (double)z.re) <= near && fabs(x[1] - scale * im) <= near)) return false;
  }
  return true;
}

int64_t fg_entries_next(const fg_table *t, int64_t i, uint64_t *random) {
  int64_t count = t->rows * t->cols, gap = count / EXACT;
  if (fg_entries_are_few(t) || gap < 2) return i + 1;
  int64_t next = i + 1 + (int64_t)fg_random_below((uint64_t)(2 * gap - 1), random);
  return i < count - 1 && next >= count ? count - 1 : next;
}

/* ---- spectra ------------------------------------------------------------------------------- */

typedef struct spectrum {
  const fg_table *t;
  const fg_entry_reader *number;
  widec *list;     /* what it is the transform of */
  root_lists root; /* of order 4 cols */
} spectrum;

static void make_chirp(fg_context *cx, spectrum *s) {
  const fg_table *t = s->t;
  int64_t n = t->n, square = 0; /* j^2 modulo 2 n */
  root_lists chirp = make_roots(cx, 2 * n);
  for (int64_t j = 0; j < n && j < t->cols; j++) {
    widec z = root_of(&chirp, square);
    s->list[j] = s->list[(t->cols - j) % t->cols] = (widec){z.re, t->sign < 0 ? z.im : -z.im};
    square = (square + 2 * j + 1) % (2 * n);
  }
}

static void make_powers(fg_context *cx, spectrum *s) {
  const fg_table *t = s->t;
  root_lists root = make_roots(cx, t->n);
  int64_t m = t->n - 1;
  uint64_t g = (uint64_t)fg_table_least_generator(t->n), power = 1; /* g^c, j = -c modulo m */
  for (int64_t c = 0; c < m; c++, power = power * g % (uint64_t)t->n) {
    int64_t j = (m - c) % m;
    widec z = root_of(&root, (int64_t)power);
    if (t->sign < 0) z.im = -z.im;
    s->list[j] = z;
    if (j) s->list[(t->cols - m + j) % t->cols] = z;
  }
}

/* Entry k by its sum, in powers of exp(-2 pi i k / cols). */
static widec summed(const spectrum *s, int64_t k) {
  int64_t n = s->t->cols, at = 0;
  widec step = root_of(&s->root, 4 * ((n - k) % n)), w = {1, 0}, sum = {0, 0};
  for (int64_t j = 0; j < n; j++) {
    if (j % AGAIN == 0) at = (int64_t)((fg_wide)j * (uint64_t)(n - k) % (uint64_t)n), w = root_of(&s->root, 4 * at);
    widec x = times(s->list[j], w);
    sum.re += x.re, sum.im += x.im;
    w = times(w, step);
  }
  return (widec){sum.re / (wide)n, sum.im / (wide)n};
}

static widec entry(const spectrum *s, int64_t k) {
  double x[2];
  s->number->read(s->number->self, fg_table_position(s->t, k), x);
  return (widec){x[0], x[1]};
}

static bool is_replaced(const fg_table *t, int64_t k) {
  return t->fill == FG_FILL_RADER && fg_table_position(t, k) == 0;
}

static bool near(widec a, widec b, double slack) {
  return fabsl(a.re - b.re) <= (wide)slack && fabsl(a.im - b.im) <= (wide)slack;
}

/* Of all entries, weighted by powers of rho = exp(2 pi i (m + 1/2) / cols). */
static widec weighted(const spectrum *s, int64_t m) {
  int64_t n = s->t->cols, at = 0;
  widec step = root_of(&s->root, 4 * m + 2), w = {1, 0}, sum = {0, 0};
  for (int64_t k = 0; k < n; k++) {
    if (k % AGAIN == 0)
      at = (int64_t)((fg_wide)k * (uint64_t)(4 * m + 2) % (uint64_t)(4 * n)), w = root_of(&s->root, at);
    widec x = times(is_replaced(s->t, k) ? summed(s, k) : entry(s, k), w);
    sum.re += x.re, sum.im += x.im;
    w = times(w, step);
  }
  return sum;
}

static widec expected(const spectrum *s, int64_t m) {
  int64_t n = s->t->cols;
  widec sum = {0, 0};
  for (int64_t j = 0; j < n; j++) {
    widec half = root_of(&s->root, (4 * n + 2 * (m - j) + 1) % (4 * n)); /* at phi / 2 */
    widec x = times(s->list[j], (widec){1, half.re / half.im});
    sum.re += x.re, sum.im += x.im;
  }
  return (widec){sum.re / (wide)n, sum.im / (wide)n};
}

bool fg_entries_spectrum(fg_context *cx, const fg_table *t, const fg_entry_reader *number, double slack,
                         uint64_t *random) {
  spectrum s = {t, number, fg_arena_new(cx->arena, widec, t->cols), make_roots(cx, 4 * t->cols)};
  double all = 8 * slack * sqrt((double)t->cols) + 0x1p-36; /* errors that are each other's equals are few */
  if (t->fill == FG_FILL_BLUESTEIN)
    make_chirp(cx, &s);
  else
    make_powers(cx, &s);
  for (int i = 0; i < SUMS; i++) {
    int64_t k = i == 0 ? 0 : i == 1 ? t->cols - 1 : (int64_t)fg_random_below((uint64_t)t->cols, random);
    widec exact = is_replaced(t, k) ? (widec){1, 0} : summed(&s, k);
    if (!near(entry(&s, k), exact, slack)) return false;
  }
  int64_t m = (int64_t)fg_random_below((uint64_t)t->cols, random);
  return near(weighted(&s, m), expected(&s, m), all);
}
