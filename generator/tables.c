/* Constant tables of a program. In: the definition of one (fg_table). Out: its
 * entries, in the proof's field or as rounded numbers in the buffer's layout.
 *
 * The idea: exponents of roots of unity are computed exactly, as integers modulo
 * the order, by one function that both number systems share; the rest is a root
 * per entry. Only Bluestein's spectrum needs a transform: the field's reference
 * transform there, a fixed-point one here. */
#include "generator/fixed.h"
#include "generator/program.h"
#include <assert.h>
#include <inttypes.h>

/* Order of the roots of unity that the entries (BLUESTEIN: their inverse DFT) are. */
static uint64_t root_order(const fg_table *t) {
  return t->fill == FG_FILL_BLUESTEIN ? 2 * (uint64_t)t->n : (uint64_t)t->order;
}

/* Entry (r, c) is exp(sign 2 pi i exponent / order). */
static uint64_t exponent(const fg_table *t, int64_t r, int64_t c) {
  uint64_t order = root_order(t), x = (uint64_t)c % order;
  uint64_t y = t->fill == FG_FILL_TWIDDLE ? (uint64_t)(r + t->row0) % order : x;
  return (uint64_t)((fg_wide)x * y % order);
}

/* ---- images in a field -------------------------------------------------- */

static fg_gfc gf_root(const fg_table *t, const fg_field *f, uint64_t e, int sign) {
  return fg_gf_root(f, sign * (int64_t)e, (int64_t)root_order(t));
}

static fg_status gf_bluestein(fg_context *cx, const fg_table *t, const fg_field *f, fg_gfc *out) {
  fg_gfc *b = fg_arena_new(cx->arena, fg_gfc, t->cols);
  for (int64_t j = 0; j < t->n; j++) {
    b[j] = gf_root(t, f, exponent(t, 0, j), -t->sign);
    if (j) b[t->cols - j] = b[j];
  }
  fg_status status = fg_field_dft(cx, f, t->cols, -1, b, out);
  if (status != FG_OK) return status;
  fg_gf scale = fg_gf_inv(f, fg_gf_from(f, t->cols));
  for (int64_t k = 0; k < t->cols; k++)
    out[k] = (fg_gfc){fg_gf_mul(f, out[k].re, scale), fg_gf_mul(f, out[k].im, scale)};
  return FG_OK;
}

fg_status fg_table_fill_gf(fg_context *cx, const fg_program *p, int table, const fg_field *f, fg_gfc *out) {
  const fg_table *t = &p->table[table];
  if (f->order % root_order(t))
    return fg_diag_set(&cx->diag, FG_EUSER,
                       "table %d needs roots of unity of order %" PRIu64 "; the field has those of %" PRIu64, table,
                       root_order(t), f->order);
  if (t->fill == FG_FILL_BLUESTEIN) return gf_bluestein(cx, t, f, out);
  for (int64_t r = 0; r < t->rows; r++)
    for (int64_t c = 0; c < t->cols; c++) out[r * t->cols + c] = gf_root(t, f, exponent(t, r, c), t->sign);
  return FG_OK;
}

/* ---- numbers ------------------------------------------------------------ */

typedef struct sink { /* where numbers go */
  void *out;
  fg_precision precision;
  fg_layout layout;
  int64_t size, block;
} sink;

static void put_real(const sink *s, int64_t place, fg_fixed x) {
  if (s->precision == FG_F32)
    ((float *)s->out)[place] = fg_fixed_float(x);
  else
    ((double *)s->out)[place] = fg_fixed_double(x);
}

static void put(const sink *s, int64_t i, fg_fixedc z) {
  int64_t re = 2 * i, im = 2 * i + 1;
  if (s->layout == FG_LAYOUT_SPLIT) {
    re = i;
    im = i + s->size;
  } else if (s->layout == FG_LAYOUT_BLOCKED) {
    re = i / s->block * 2 * s->block + i % s->block;
    im = re + s->block;
  }
  put_real(s, re, z.re);
  put_real(s, im, z.im);
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

static void real_bluestein(fg_arena *a, const fg_table *t, const sink *s) {
  fg_fixed_roots *roots = fg_fixed_roots_create(a, root_order(t), (uint64_t)t->n);
  fg_fixedc *b = fg_arena_new(a, fg_fixedc, t->cols), *spectrum = fg_arena_new(a, fg_fixedc, t->cols);
  for (int64_t j = 0; j < t->n; j++) {
    b[j] = real_root(roots, exponent(t, 0, j), -t->sign);
    if (j) b[t->cols - j] = b[j];
  }
  fg_fixed_dft(a, t->cols, -1, b, spectrum); /* divides by cols */
  for (int64_t k = 0; k < t->cols; k++)
    put(s, k, (fg_fixedc){without_noise(spectrum[k].re), without_noise(spectrum[k].im)});
}

static fg_status fill_numbers(const fg_table *t, const sink *s) {
  fg_arena *scratch = fg_arena_create();
  if (!scratch) return FG_ENOMEM;
  if (fg_arena_guard(scratch)) {
    fg_arena_destroy(scratch);
    return FG_ENOMEM;
  }
  if (t->fill == FG_FILL_BLUESTEIN) {
    real_bluestein(scratch, t, s);
  } else {
    fg_fixed_roots *roots = fg_fixed_roots_create(scratch, root_order(t), (uint64_t)(t->rows * t->cols));
    for (int64_t r = 0; r < t->rows; r++)
      for (int64_t c = 0; c < t->cols; c++) put(s, r * t->cols + c, real_root(roots, exponent(t, r, c), t->sign));
  }
  fg_arena_destroy(scratch);
  return FG_OK;
}

fg_status fg_table_fill_real(fg_context *cx, const fg_program *p, int table, void *out) {
  const fg_table *t = &p->table[table];
  const fg_buffer *b = &p->buffer[t->buffer];
  if (b->precision != FG_F32 && b->precision != FG_F64)
    return fg_diag_set(&cx->diag, FG_EUSER, "table %s: precision %s; tables hold f32 or f64", b->name,
                       fg_precision_name(b->precision));
  assert(b->elem == FG_ELEM_COMPLEX && b->size == t->rows * t->cols);
  assert(b->layout != FG_LAYOUT_BLOCKED || (b->block > 0 && b->size % b->block == 0));
  sink s = {out, b->precision, b->layout, b->size, b->block};
  return fill_numbers(t, &s);
}

fg_status fg_table_fill_double(fg_context *cx, const fg_program *p, int table, double *re_im) {
  (void)cx; /* the same shape as its siblings; memory comes and goes here */
  const fg_table *t = &p->table[table];
  sink s = {re_im, FG_F64, FG_LAYOUT_INTERLEAVED, t->rows * t->cols, 1};
  return fill_numbers(t, &s);
}
