/* Tables of a program in numbers of 113 bits. In: the definition of one (fg_table). Out: its entries, in natural
 * order, by the definition in program.h, computed without code of tables.c. */
#include "generator/ir/table_values.h"
#include "generator/base/invariant.h"
#include "generator/prove/table_values.h"
#include "generator/reference/window_values.h"

typedef struct signed_roots {
  int sign;
  int64_t order; /* of the roots */
  const fg_quadc *root;
} signed_roots;

static fg_quadc signed_root(const signed_roots *d, int64_t k, int64_t n) {
  fg_quadc z = d->root[k % n * (d->order / n)];
  return (fg_quadc){z.re, d->sign < 0 ? -z.im : z.im};
}

static fg_quadc root(int64_t k, int64_t n) {
  fg_blockc z = fg_block_root(k, n);
  return (fg_quadc){fg_block_quad(z.re, 0), fg_block_quad(z.im, 0)};
}

__extension__ typedef __int128 wide;

/* a b modulo m; a division of 128 bits takes longer. */
static int64_t product(int64_t a, int64_t b, int64_t m) {
  bool is_short = a == (int32_t)a && b == (int32_t)b;
  return is_short ? a * b % m : (int64_t)((wide)a * b % m);
}

/* exp(sign 2 pi i e / order) for the exponents that `exponent` names for each entry: by a list of
 * roots where there are not many more of them than entries. */
static fg_quadc *powers(fg_context *cx, const fg_table *t, int64_t count,
                        int64_t (*exponent)(const fg_table *, int64_t)) {
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, count);
  signed_roots d = {.sign = t->sign, .order = t->order};
  if (t->order <= 4 * count + 1024) d.root = fg_quad_roots(cx, t->order);
  for (int64_t i = 0; i < count; i++) {
    int64_t e = exponent(t, fg_table_entry(t, i));
    if (e < 0) e += t->order;
    fg_quadc z = d.root ? d.root[e] : root(e, t->order);
    out[i] = (fg_quadc){z.re, t->sign < 0 ? -z.im : z.im};
  }
  fg_quad scale = t->shift < 0 ? (fg_quad)1 / (1 << -t->shift) : (fg_quad)(1 << t->shift);
  for (int64_t i = 0; t->shift && i < count; i++) out[i] = (fg_quadc){scale * out[i].re, scale * out[i].im};
  return out;
}

static int64_t twiddle_exponent(const fg_table *t, int64_t i) {
  return product(i / t->cols + t->row0, fg_table_column(t, i % t->cols), t->order);
}

static int64_t power_exponent(const fg_table *t, int64_t i) {
  return (int64_t)(((wide)1 << i / t->cols) * fg_table_column(t, i % t->cols) % t->order);
}

/* Row r is the factor of a step that joins halves of `join` points: the first has one, the one with join / 2 of them
 * for k = 0 .. join / 2 - 1 starts at row join / 2. */
static int64_t step_exponent(const fg_table *t, int64_t i) {
  int64_t r = i / t->cols, points = 2 * t->rows, each = t->order / points, k = 0, join = 2;
  for (int64_t first = 1; first <= r; first *= 2) join *= 2, k = r - first;
  return product(points / join, i % t->cols + k * each, t->order);
}

static int64_t chirp_exponent(const fg_table *t, int64_t i) { return product(i, i, t->order); }

/* Results to their places. */
static fg_quadc *placed(fg_context *cx, const fg_table *t, fg_quadc *in) {
  if (!t->across && !t->coprime[0]) return in;
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, t->cols);
  for (int64_t k = 0; k < t->cols; k++) out[fg_table_position(t, k)] = in[k];
  return out;
}

static fg_quadc *spectrum(fg_context *cx, const fg_table *t) {
  fg_table half = *t;
  half.order = 2 * t->n;
  fg_quadc *chirp = powers(cx, &half, t->n, chirp_exponent), *wrapped = fg_arena_new(cx->arena, fg_quadc, t->cols);
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, t->cols);
  for (int64_t j = 0; j < t->n && j < t->cols; j++) {
    fg_quadc z = {chirp[j].re / t->cols, -chirp[j].im / t->cols};
    wrapped[j] = wrapped[(t->cols - j) % t->cols] = z;
  }
  fg_quad_dft(cx, t->cols, -1, wrapped, out);
  return placed(cx, t, out);
}

int64_t fg_table_values_exponent(const fg_table *t, int64_t i) {
  int64_t entry = fg_table_entry(t, i), e = t->fill == FG_FILL_TWIDDLE    ? twiddle_exponent(t, entry)
                                            : t->fill == FG_FILL_DOUBLING ? power_exponent(t, entry)
                                            : t->fill == FG_FILL_STEPS    ? step_exponent(t, entry)
                                                                          : chirp_exponent(t, entry);
  return e < 0 ? e + t->order : e;
}

fg_quadc fg_table_values_element(const fg_table *t, int64_t i) {
  fg_quadc z = root(fg_table_values_exponent(t, i), t->order);
  fg_quad scale = t->shift < 0 ? (fg_quad)1 / (1 << -t->shift) : (fg_quad)(1 << t->shift);
  return (fg_quadc){scale * z.re, t->sign < 0 ? -scale * z.im : scale * z.im};
}

static int64_t inverse_power(int64_t n, int64_t g, int64_t e) {
  wide x = 1, base = g;
  for (e = (n - 1 - e) % (n - 1); e > 0; e /= 2, base = base * base % n)
    if (e % 2) x = x * base % n;
  return (int64_t)x;
}

/* Of g^-j, j from -(n-2) to n-2, at j modulo cols. */
static fg_quadc *power_spectrum(fg_context *cx, const fg_table *t) {
  signed_roots d = {.sign = t->sign, .order = t->n, .root = fg_quad_roots(cx, t->n)};
  int64_t m = t->n - 1, g = fg_table_least_generator(t->n);
  fg_quadc *wrapped = fg_arena_new(cx->arena, fg_quadc, t->cols), *out = fg_arena_new(cx->arena, fg_quadc, t->cols);
  for (int64_t j = 0; j < m; j++) {
    fg_quadc z = signed_root(&d, inverse_power(t->n, g, j), t->n);
    z = (fg_quadc){z.re / t->cols, z.im / t->cols};
    wrapped[j] = z;
    if (j) wrapped[(t->cols - m + j) % t->cols] = z;
  }
  fg_quad_dft(cx, t->cols, -1, wrapped, out);
  if (t->fill == FG_FILL_RADER) out[0] = (fg_quadc){1, 0};
  return placed(cx, t, out);
}

static fg_quadc *power_sum(fg_context *cx, const fg_table *t) {
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, 2), w = root(1, t->n);
  if (t->sign < 0) w.im = -w.im;
  out[0] = (fg_quadc){1, 0};
  out[1] = (fg_quadc){(fg_quad)-1 / t->order, 0};
  if (t->order != t->n - 1) out[1] = (fg_quadc){-(2 + w.re) / t->order, -w.im / t->order};
  return out;
}

static fg_quadc *weights(fg_context *cx, const fg_table *t) {
  const fg_quad *w = fg_operation_values_weights(cx, t->window, t->n);
  fg_quadc *out = fg_arena_new(cx->arena, fg_quadc, t->cols);
  for (int64_t i = 0; i < t->cols; i++) out[i].re = w[i];
  return out;
}

fg_quadc *fg_table_values_quad(fg_context *cx, const fg_table *t) {
  switch (t->fill) {
  case FG_FILL_TWIDDLE: return powers(cx, t, t->rows * t->cols, twiddle_exponent);
  case FG_FILL_DOUBLING: return powers(cx, t, t->rows * t->cols, power_exponent);
  case FG_FILL_STEPS: return powers(cx, t, t->rows * t->cols, step_exponent);
  case FG_FILL_CHIRP: return powers(cx, t, t->rows * t->cols, chirp_exponent);
  case FG_FILL_BLUESTEIN: return spectrum(cx, t);
  case FG_FILL_POWERS:
  case FG_FILL_RADER: return power_spectrum(cx, t);
  case FG_FILL_RADER_SUM: return power_sum(cx, t);
  case FG_FILL_WINDOW: return weights(cx, t);
  case FG_FILL_BAND:
  case FG_FILL_POWER:
  case FG_FILL_LOGARITHM: break;
  }
  fg_invariant(!"a table of numbers");
  return NULL;
}
