/* Constant tables of a program. In: the definition of one (fg_table). Out: its
 * entries, in the proof's field or as rounded numbers in the buffer's layout.
 *
 * The idea: exponents of roots of unity are computed exactly, as integers modulo
 * the order, by one function that both number systems share; the rest is a root
 * per entry. Only the spectra of convolutions need a transform: the field's
 * reference transform there, a fixed-point one here. */
#include "generator/base/invariant.h"
#include "generator/ir/table_values.h"
#include "generator/math/fixed.h"
#include "generator/reference/window_values.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

int64_t fg_table_column(const fg_table *t, int64_t c) {
  if (t->fold && c > t->fold) return 3 * t->fold - c;
  return t->col_step ? t->col0 + c * t->col_step : t->col0 + c;
}

int64_t fg_table_element(const fg_table *t, int64_t r, int64_t c) {
  return t->panel ? (c / t->panel * t->rows + r) * t->panel + c % t->panel : r * t->cols + c;
}

int64_t fg_table_entry(const fg_table *t, int64_t element) {
  if (!t->panel) return element;
  int64_t row = element / t->panel;
  return row % t->rows * t->cols + row / t->rows * t->panel + element % t->panel;
}

/* Exponent of entry (r, c) of factors for each step by two. */
static uint64_t step_exponent(const fg_table *t, uint64_t r, uint64_t x) {
  uint64_t rows = (uint64_t)t->rows, order = (uint64_t)t->order, top = 1;
  if (r == 0) return x * rows % order;
  while (2 * top <= r) top *= 2;
  return (x + (r - top) * (order / (2 * rows))) * (rows / (2 * top)) % order;
}

/* Entry (r, c) is exp(sign 2 pi i exponent / order). */
static uint64_t exponent(const fg_table *t, int64_t r, int64_t c) {
  uint64_t order = (uint64_t)fg_table_root_order(t), x = (uint64_t)fg_table_column(t, c) % order;
  if (t->fill == FG_FILL_STEPS) return step_exponent(t, (uint64_t)r, x);
  uint64_t y = t->fill == FG_FILL_TWIDDLE    ? (uint64_t)(r + t->row0) % order
               : t->fill == FG_FILL_DOUBLING ? (UINT64_C(1) << r) % order
                                             : x;
  return order <= UINT32_MAX ? x * y % order : (uint64_t)((fg_wide)x * y % order); /* a long division takes longer */
}

/* ---- images in a field -------------------------------------------------- */

/* Those of a table: from a list of all, where they are few beside the entries. */
typedef struct gf_roots {
  const fg_field *f;
  int64_t order;
  const fg_gf *power; /* of one of that order; NULL: each by itself */
} gf_roots;

static gf_roots gf_roots_create(fg_arena *a, const fg_table *t, const fg_field *f, int64_t entries) {
  gf_roots r = {f, fg_table_root_order(t), NULL};
  if (r.order / 2 > entries) return r;
  fg_gf *power = fg_arena_raw(a, sizeof *power * (size_t)r.order), x = f->one;
  fg_gf z = fg_gf_pow(f, f->root, f->order / (uint64_t)r.order);
  for (int64_t k = 0; k < r.order; k++, x = fg_gf_mul(f, x, z)) power[k] = x;
  r.power = power;
  return r;
}

static fg_gfc gf_root(const gf_roots *r, uint64_t e, int sign) {
  const fg_field *f = r->f;
  if (!r->power) return fg_gf_root(f, sign * (int64_t)e, r->order);
  fg_gf z = r->power[e], conj = r->power[e ? r->order - (int64_t)e : 0];
  fg_gf sine = sign > 0 ? fg_gf_sub(f, z, conj) : fg_gf_sub(f, conj, z);
  return (fg_gfc){fg_gf_mul(f, fg_gf_add(f, z, conj), f->half), fg_gf_mul(f, sine, f->half_i)};
}

/* What a convolution of cols points is with, wrapped: a list of exponents, each at
 * one or two places; -1: none. */
typedef struct pulse {
  uint64_t exponent;
  int sign;
  int64_t at, also;
} pulse;

static pulse chirp_pulse(const fg_table *t, int64_t j) {
  return (pulse){exponent(t, 0, j), -t->sign, j, j ? t->cols - j : -1};
}

/* `power` is g^c modulo n. */
static pulse power_pulse(const fg_table *t, int64_t c, uint64_t power) {
  int64_t m = t->n - 1, j = (m - c) % m;
  return (pulse){power, t->sign, j, j && t->cols > m ? t->cols - m + j : -1};
}

/* Calls put for every pulse; more than one for the same place are equal. */
static void all_pulses(const fg_table *t, void (*put)(void *self, const pulse *p), void *self) {
  bool chirp = t->fill == FG_FILL_BLUESTEIN;
  int64_t count = chirp ? t->n : t->n - 1;
  uint64_t g = chirp ? 0 : (uint64_t)fg_table_least_generator(t->n), power = 1;
  for (int64_t i = 0; i < count; i++, power = power * g % (uint64_t)t->n) {
    pulse p = chirp ? chirp_pulse(t, i) : power_pulse(t, i, power);
    put(self, &p);
  }
}

typedef struct gf_pulses {
  gf_roots roots;
  fg_gfc *b;
} gf_pulses;

static void put_gf(void *self, const pulse *p) {
  const gf_pulses *s = self;
  s->b[p->at] = gf_root(&s->roots, p->exponent, p->sign);
  if (p->also >= 0) s->b[p->also] = s->b[p->at];
}

static fg_status make_spectrum(fg_context *cx, fg_arena *scratch, const fg_table *t, const fg_field *f, fg_gfc *out) {
  gf_pulses s = {gf_roots_create(scratch, t, f, t->n), fg_arena_new(scratch, fg_gfc, t->cols)};
  fg_gfc *spectrum = t->across || t->coprime[0] ? fg_arena_new(scratch, fg_gfc, t->cols) : out;
  all_pulses(t, put_gf, &s);
  fg_status status = fg_field_dft(cx, f, t->cols, -1, s.b, spectrum);
  if (status != FG_OK) return status;
  fg_gf scale = fg_gf_inv(f, fg_gf_from(f, t->cols));
  for (int64_t k = 0; k < t->cols; k++)
    out[fg_table_position(t, k)] = (fg_gfc){fg_gf_mul(f, spectrum[k].re, scale), fg_gf_mul(f, spectrum[k].im, scale)};
  if (t->fill == FG_FILL_RADER) out[0] = (fg_gfc){fg_gf_from(f, 1), 0};
  return FG_OK;
}

static fg_status gf_spectrum(fg_context *cx, const fg_table *t, const fg_field *f, fg_gfc *out) {
  fg_arena *scratch = fg_arena_create();
  if (!scratch || fg_arena_guard(scratch)) {
    fg_arena_destroy(scratch);
    return FG_ENOMEM;
  }
  fg_status status = make_spectrum(cx, scratch, t, f, out);
  fg_arena_destroy(scratch);
  return status;
}

static void gf_sum(const fg_table *t, const fg_field *f, fg_gfc *out) {
  fg_gf scale = fg_gf_inv(f, fg_gf_from(f, -t->order));
  fg_gfc root = fg_gf_root(f, t->sign, fg_table_root_order(t));
  out[0] = (fg_gfc){fg_gf_from(f, 1), 0};
  out[1] = (fg_gfc){scale, 0};
  if (t->order == t->n - 1) return;
  out[1].re = fg_gf_mul(f, scale, fg_gf_add(f, fg_gf_from(f, 2), root.re));
  out[1].im = fg_gf_mul(f, scale, root.im);
}

static fg_gf gf_scale(const fg_table *t, const fg_field *f) {
  fg_gf scale = fg_gf_from(f, t->shift < 0 ? 1 << -t->shift : 1 << t->shift);
  return t->shift < 0 ? fg_gf_inv(f, scale) : scale;
}

static fg_gfc gf_entry(const fg_table *t, const gf_roots *roots, fg_gf scale, int64_t r, int64_t c) {
  fg_gfc z = gf_root(roots, exponent(t, r, c), t->sign);
  return t->shift ? (fg_gfc){fg_gf_mul(roots->f, z.re, scale), fg_gf_mul(roots->f, z.im, scale)} : z;
}

bool fg_table_has_roots(const fg_table *t) {
  return t->fill == FG_FILL_TWIDDLE || t->fill == FG_FILL_DOUBLING || t->fill == FG_FILL_STEPS ||
         t->fill == FG_FILL_CHIRP;
}

fg_gfc fg_table_element_gf(const fg_table *t, const fg_field *f, int64_t element) {
  int64_t entry = fg_table_entry(t, element);
  gf_roots alone = {f, fg_table_root_order(t), NULL};
  return gf_entry(t, &alone, gf_scale(t, f), entry / t->cols, entry % t->cols);
}

fg_status fg_table_fill_gf(fg_context *cx, const fg_program *p, int table, const fg_field *f, fg_gfc *out) {
  const fg_table *t = &p->table[table];
  if (f->order % (uint64_t)fg_table_root_order(t))
    return fg_refuse(cx, "table %d needs roots of unity of order %" PRIu64 "; the field has those of %" PRIu64, table,
                     (uint64_t)fg_table_root_order(t), f->order);
  fg_invariant(!fg_table_is_index(t));
  if (fg_table_is_sum(t)) return gf_spectrum(cx, t, f, out);
  if (t->fill == FG_FILL_RADER_SUM) {
    gf_sum(t, f, out);
    return FG_OK;
  }
  for (int64_t c = 0; c < t->cols && t->fill == FG_FILL_WINDOW; c++)
    out[c] = (fg_gfc){fg_operation_values_weight_gf(f, t->window, t->n, c), 0};
  if (t->fill == FG_FILL_WINDOW) return FG_OK;
  gf_roots roots = gf_roots_create(cx->arena, t, f, t->rows * t->cols);
  fg_gf scale = gf_scale(t, f);
  for (int64_t r = 0; r < t->rows; r++)
    for (int64_t c = 0; c < t->cols; c++) out[fg_table_element(t, r, c)] = gf_entry(t, &roots, scale, r, c);
  return FG_OK;
}

/* ---- numbers ------------------------------------------------------------ */

typedef struct sink { /* takes numbers */
  void *out;
  fg_buffer to;
  double scale; /* a power of two */
} sink;

static void put_real(const sink *s, int64_t place, fg_fixed x) {
  if (s->to.precision == FG_F32)
    ((float *)s->out)[place] = fg_fixed_float(x) * (float)s->scale;
  else
    ((double *)s->out)[place] = fg_fixed_double(x) * s->scale;
}

static void put(const sink *s, int64_t i, fg_fixedc z) {
  int64_t re, im;
  fg_buffer_position(&s->to, i, &re, &im);
  if (s->to.layout == FG_LAYOUT_DOUBLED) {
    put_real(s, re + 1, z.re);
    put_real(s, im + 1, -z.im);
  }
  put_real(s, re, z.re);
  if (s->to.elem != FG_ELEM_REAL) put_real(s, im, z.im);
}

static fg_fixedc real_root(fg_fixed_roots *roots, uint64_t e, int sign) {
  fg_fixedc z = fg_fixed_root(roots, e);
  if (sign < 0) z.im = -z.im;
  return z;
}

/* Some spectra have exact zeros, which come out as rounding noise. */
static fg_fixed without_noise(fg_fixed x) {
  const fg_fixed noise = 1 << 6; /* 2^-118: the transform's errors are below 2^-120 */
  return x > -noise && x < noise ? 0 : x;
}

typedef struct real_pulses {
  fg_fixed_roots *roots;
  fg_fixedc *b;
} real_pulses;

static void put_pulse(void *self, const pulse *p) {
  const real_pulses *s = self;
  s->b[p->at] = real_root(s->roots, p->exponent, p->sign);
  if (p->also >= 0) s->b[p->also] = s->b[p->at];
}

static void real_spectrum(fg_arena *a, const fg_table *t, const sink *s) {
  real_pulses p = {fg_fixed_roots_create(a, (uint64_t)fg_table_root_order(t), (uint64_t)t->n),
                   fg_arena_new(a, fg_fixedc, t->cols)};
  fg_fixedc *spectrum = fg_arena_new(a, fg_fixedc, t->cols);
  all_pulses(t, put_pulse, &p);
  fg_fixed_dft(a, t->cols, -1, p.b, spectrum); /* divides by cols */
  if (t->fill == FG_FILL_RADER) spectrum[0] = (fg_fixedc){FG_FIXED_ONE, 0};
  for (int64_t k = 0; k < t->cols; k++)
    put(s, fg_table_position(t, k), (fg_fixedc){without_noise(spectrum[k].re), without_noise(spectrum[k].im)});
}

static void real_sum(fg_arena *a, const fg_table *t, const sink *s) {
  fg_fixedc sum = {-FG_FIXED_ONE, 0};
  if (t->order != t->n - 1) {
    fg_fixedc root = real_root(fg_fixed_roots_create(a, (uint64_t)t->n, 1), 1, t->sign);
    sum = (fg_fixedc){-2 * FG_FIXED_ONE - root.re, -root.im};
  }
  put(s, 0, (fg_fixedc){FG_FIXED_ONE, 0});
  put(s, 1, (fg_fixedc){sum.re / t->order, sum.im / t->order});
}

/* c / 10^9 of x, to 2^-120. */
static fg_fixed share(fg_fixed x, int64_t c) {
  const int64_t unit = 1000000000;
  return x / unit * c + x % unit * c / unit;
}

/* Formulas are evaluated in 113 bits. */
static const fg_quad *weights_of(fg_arena *a, const fg_table *t) {
  fg_context own = {.arena = a};
  return fg_operation_values_weights(&own, t->window, t->n);
}

static void put_number(const sink *s, int64_t place, fg_quad x) {
  if (s->to.precision == FG_F32)
    ((float *)s->out)[place] = (float)x;
  else
    ((double *)s->out)[place] = (double)x;
}

static void real_window(fg_arena *a, const fg_table *t, const sink *s) {
  const fg_window_row *row = t->window.row;
  const fg_quad *weight = fg_window_has_terms(t->window) ? NULL : weights_of(a, t);
  for (int64_t j = 0; weight && j < t->cols; j++) {
    int64_t re, im;
    fg_buffer_position(&s->to, j, &re, &im);
    put_number(s, re, weight[j]);
  }
  if (weight) return;
  fg_fixed_roots *roots = fg_fixed_roots_create(a, (uint64_t)fg_window_order(row, t->n), (uint64_t)t->cols);
  for (int64_t j = 0; j < t->cols; j++) {
    fg_fixedc w = {0, 0};
    for (int m = 0; m < FG_WINDOW_TERMS; m++) {
      if (!row->c[m]) continue;
      fg_fixedc of = fg_fixed_root(roots, (uint64_t)fg_window_exponent(row, m, j, t->n));
      w.re += share(row->form == FG_WINDOW_SINES ? of.im : of.re, row->c[m]) * fg_window_sign(row, m);
    }
    w.re = without_noise(w.re);
    put(s, j, w);
  }
}

static fg_status fill_numbers(const fg_table *t, const sink *s) {
  fg_arena *scratch = fg_arena_create();
  if (!scratch) return FG_ENOMEM;
  if (fg_arena_guard(scratch)) {
    fg_arena_destroy(scratch);
    return FG_ENOMEM;
  }
  if (t->fill == FG_FILL_WINDOW) {
    real_window(scratch, t, s);
  } else if (fg_table_is_sum(t)) {
    real_spectrum(scratch, t, s);
  } else if (t->fill == FG_FILL_RADER_SUM) {
    real_sum(scratch, t, s);
  } else {
    fg_fixed_roots *roots =
        fg_fixed_roots_create(scratch, (uint64_t)fg_table_root_order(t), (uint64_t)(t->rows * t->cols));
    for (int64_t r = 0; r < t->rows; r++)
      for (int64_t c = 0; c < t->cols; c++)
        put(s, fg_table_element(t, r, c), real_root(roots, exponent(t, r, c), t->sign));
  }
  fg_arena_destroy(scratch);
  return FG_OK;
}

fg_status fg_table_fill_real(fg_context *cx, const fg_program *p, int table, void *out) {
  const fg_table *t = &p->table[table];
  const fg_buffer *b = &p->buffer[t->buffer];
  if (fg_table_is_index(t)) {
    const int32_t *index = fg_table_indices(cx, t);
    fg_invariant(index && b->size == t->cols);
    memcpy(out, index, sizeof *index * (size_t)t->cols);
    return FG_OK;
  }
  if (b->precision != FG_F32 && b->precision != FG_F64)
    return fg_refuse(cx, "table %s: precision %s; tables hold f32 or f64", b->name, fg_precision_name(b->precision));
  fg_invariant(b->elem == (t->fill == FG_FILL_WINDOW ? FG_ELEM_REAL : FG_ELEM_COMPLEX) && b->size == t->rows * t->cols);
  fg_invariant(b->layout != FG_LAYOUT_BLOCKED || (b->block > 0 && b->size % b->block == 0));
  sink s = {out, *b, ldexp(1, t->shift)};
  return fill_numbers(t, &s);
}
