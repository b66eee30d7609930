/* Tables against MPFR entry by entry, in every layout; Bluestein's spectra also
 * by what they are for: the transform that they serve. */
#include "generator/ir/table_values.h"
#include "generator/math/fixed.h"
#include "generator/prove/table_values.h"
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

enum { BITS = 256 };

static fg_context context;
static fg_program program;
static mpfr_t angle, re, im, part;

static int setup(void **state) {
  (void)state;
  context = (fg_context){.arena = fg_arena_create()};
  mpfr_inits2(BITS, angle, re, im, part, (mpfr_ptr)NULL);
  return context.arena ? 0 : -1;
}

static int teardown(void **state) {
  (void)state;
  fg_arena_destroy(context.arena);
  mpfr_clears(angle, re, im, part, (mpfr_ptr)NULL);
  mpfr_free_cache();
  return 0;
}

static const fg_table samples[] = {
    {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = 1, .cols = 1, .order = 1},
    {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = 3, .cols = 8, .row0 = 1, .order = 32},
    {.fill = FG_FILL_TWIDDLE, .sign = 1, .rows = 6, .cols = 5, .row0 = 1, .order = 35},
    {.fill = FG_FILL_TWIDDLE, .sign = 1, .rows = 40, .cols = 30, .row0 = 7, .order = 100},
    {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = 16, .cols = 1024, .row0 = 0, .order = 16384},
    {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = 2, .cols = 9, .row0 = 1, .order = 1000000007},
    {.fill = FG_FILL_TWIDDLE,
     .sign = 1,
     .rows = 8,
     .cols = 6,
     .row0 = ((int64_t)1 << 40) - 3,
     .order = (int64_t)1 << 44},
    {.fill = FG_FILL_STEPS, .sign = -1, .rows = 2, .cols = 3, .order = 12},
    {.fill = FG_FILL_STEPS, .sign = 1, .rows = 16, .cols = 5, .order = 160},
    {.fill = FG_FILL_CHIRP, .sign = -1, .rows = 1, .cols = 17, .order = 34, .n = 17},
    {.fill = FG_FILL_CHIRP, .sign = 1, .rows = 1, .cols = 1009, .order = 2018, .n = 1009},
    {.fill = FG_FILL_CHIRP, .sign = -1, .rows = 1, .cols = 6, .order = 12, .n = 6},
    {.fill = FG_FILL_BLUESTEIN, .sign = -1, .rows = 1, .cols = 1, .order = 2, .n = 1},
    {.fill = FG_FILL_BLUESTEIN, .sign = -1, .rows = 1, .cols = 16, .order = 14, .n = 7},
    {.fill = FG_FILL_BLUESTEIN, .sign = 1, .rows = 1, .cols = 36, .order = 34, .n = 17},
    {.fill = FG_FILL_BLUESTEIN, .sign = -1, .rows = 1, .cols = 66, .order = 66, .n = 33},
    {.fill = FG_FILL_BLUESTEIN, .sign = -1, .rows = 1, .cols = 256, .order = 202, .n = 101},
    {.fill = FG_FILL_BLUESTEIN, .sign = 1, .rows = 1, .cols = 210, .order = 202, .n = 101},
    {.fill = FG_FILL_RADER, .sign = -1, .rows = 1, .cols = 2, .order = 3, .n = 3},
    {.fill = FG_FILL_RADER, .sign = 1, .rows = 1, .cols = 40, .order = 41, .n = 41},
    {.fill = FG_FILL_RADER, .sign = -1, .rows = 1, .cols = 80, .order = 41, .n = 41},
    {.fill = FG_FILL_RADER, .sign = 1, .rows = 1, .cols = 11, .order = 7, .n = 7},
    {.fill = FG_FILL_POWERS, .sign = -1, .rows = 1, .cols = 40, .order = 41, .n = 41},
    {.fill = FG_FILL_POWERS, .sign = 1, .rows = 1, .cols = 81, .order = 41, .n = 41},
    {.fill = FG_FILL_POWERS, .sign = -1, .rows = 1, .cols = 40, .order = 41, .n = 41, .across = 8},
    {.fill = FG_FILL_POWERS, .sign = -1, .rows = 1, .cols = 30, .order = 31, .n = 31, .coprime = {3, 2, 5}},
    {.fill = FG_FILL_RADER_SUM, .sign = 1, .rows = 1, .cols = 2, .order = 40, .n = 41},
    {.fill = FG_FILL_RADER_SUM, .sign = -1, .rows = 1, .cols = 2, .order = 80, .n = 41},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* (re, im) = exp(sign pi i numerator / denominator) */
static void root(int sign, uint64_t numerator, uint64_t denominator) {
  mpfr_const_pi(angle, MPFR_RNDN);
  mpfr_mul_ui(angle, angle, numerator, MPFR_RNDN);
  mpfr_div_ui(angle, angle, denominator, MPFR_RNDN);
  mpfr_sin_cos(im, re, angle, MPFR_RNDN);
  if (sign < 0) mpfr_neg(im, im, MPFR_RNDN);
}

/* g^-j modulo n for the least g whose powers are all of 1 .. n-1: by counting. */
static uint64_t inverse_power(int64_t n, int64_t j) {
  for (int64_t g = 2;; g++) {
    int64_t x = g, period = 1;
    for (; x != 1; x = x * g % n) period++;
    if (period < n - 1) continue;
    for (int64_t e = ((-j) % (n - 1) + n - 1) % (n - 1); e > 0; e--) x = x * g % n;
    return (uint64_t)x;
  }
}

/* Entry k of a spectrum by its defining sum; x and y: scratch. */
static void spectrum_entry(const fg_table *t, int64_t k) {
  mpfr_t x, y, c, s;
  mpfr_inits2(BITS, x, y, c, s, (mpfr_ptr)NULL);
  mpfr_set_zero(x, 1);
  mpfr_set_zero(y, 1);
  bool chirp = t->fill == FG_FILL_BLUESTEIN;
  int64_t least = chirp ? 1 - t->n : t->cols > t->n - 1 ? 2 - t->n : 0, most = chirp ? t->n - 1 : t->n - 2;
  for (int64_t j = least; j <= most; j++) { /* b[j] for j < 0 is b[cols + j] */
    if (chirp)
      root(-t->sign, (uint64_t)(j * j), (uint64_t)t->n);
    else
      root(t->sign, 2 * inverse_power(t->n, j), (uint64_t)t->n);
    mpfr_set(c, re, MPFR_RNDN);
    mpfr_set(s, im, MPFR_RNDN);
    root(-1, (uint64_t)(2 * (j + t->cols) * k), (uint64_t)t->cols);
    mpfr_fmms(part, c, re, s, im, MPFR_RNDN);
    mpfr_add(x, x, part, MPFR_RNDN);
    mpfr_fmma(part, c, im, s, re, MPFR_RNDN);
    mpfr_add(y, y, part, MPFR_RNDN);
  }
  mpfr_div_si(re, x, t->cols, MPFR_RNDN);
  mpfr_div_si(im, y, t->cols, MPFR_RNDN);
  mpfr_clears(x, y, c, s, (mpfr_ptr)NULL);
}

/* The number with these remainders: tried one by one. */
static int64_t result_at(const fg_table *t, int64_t entry) {
  for (int64_t k = 0; k < t->cols; k++) {
    int64_t place = 0;
    for (int i = 0; i < FG_MAX_COPRIME && t->coprime[i]; i++) place = place * t->coprime[i] + k % t->coprime[i];
    if (place == entry) return k;
  }
  return -1;
}

/* What entry i of t must be, in (re, im). */
static void reference(const fg_table *t, int64_t i) {
  uint64_t r = (uint64_t)(i / t->cols + t->row0), c = (uint64_t)(i % t->cols);
  fg_table whole = *t;
  whole.fill = FG_FILL_RADER;
  whole.cols = t->order;
  bool one = i == 0 && (t->fill == FG_FILL_RADER || t->fill == FG_FILL_RADER_SUM);
  if (one)
    root(1, 0, 1);
  else if (t->fill == FG_FILL_RADER_SUM)
    spectrum_entry(&whole, 0);
  else if (fg_table_is_sum(t))
    spectrum_entry(t, t->coprime[0] ? result_at(t, i)
                      : t->across   ? i % (t->cols / t->across) * t->across + i / (t->cols / t->across)
                                    : i);
  else if (t->fill == FG_FILL_STEPS && r) { /* the power of w that joins so many points, and their root */
    uint64_t join = 2, points = 2 * (uint64_t)t->rows;
    while (join / 2 <= r) join *= 2;
    root(t->sign, 2 * points / join * (c + (r - join / 4) * ((uint64_t)t->order / points)), (uint64_t)t->order);
  } else if (t->fill == FG_FILL_STEPS)
    root(t->sign, 2 * c * (uint64_t)t->rows, (uint64_t)t->order);
  else if (t->fill == FG_FILL_CHIRP)
    root(t->sign, c * c, (uint64_t)t->order / 2);
  else
    root(t->sign, 2 * r * c, (uint64_t)t->order);
}

/* MPFR's sin and cos give noise for exact zeros. */
static void assert_close(double got, mpfr_ptr want, fg_precision precision) {
  if (mpfr_zero_p(want) || mpfr_get_exp(want) < -200)
    assert_true(got == 0);
  else
    assert_true(got == (precision == FG_F32 ? (double)mpfr_get_flt(want, MPFR_RNDN) : mpfr_get_d(want, MPFR_RNDN)));
}

static double number_at(const void *data, fg_precision precision, int64_t i) {
  return precision == FG_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static int permuted; /* of all tables */

static void set_table(const fg_table *t, fg_layout layout, fg_precision precision, int block) {
  program.ntable = 1;
  program.table[0] = *t;
  program.table[0].buffer = 2;
  program.buffer[2] = (fg_buffer){.name = "tw0",
                                  .space = FG_SPACE_TABLE,
                                  .elem = FG_ELEM_COMPLEX,
                                  .layout = layout,
                                  .block = block,
                                  .permuted = permuted,
                                  .precision = precision,
                                  .size = t->rows * t->cols,
                                  .alias = -1};
}

/* The place of entry i: in the order of vectors whose 16 bytes each have as many of one half as of the other. */
static int64_t place_of(int64_t i, fg_precision precision) {
  if (!permuted) return i;
  int together = 8 / fg_precision_bytes(precision), half = permuted / 2, of_half = (int)(i % half);
  int64_t part = of_half / together, upper = i % permuted >= half;
  return i / permuted * permuted + (2 * part + upper) * together + of_half % together;
}

static void check_real(const fg_table *t, fg_layout layout, fg_precision precision, int block) {
  int64_t size = t->rows * t->cols, step = 1 + size / 200;
  set_table(t, layout, precision, block);
  void *data = malloc((size_t)size * 4 * (precision == FG_F32 ? sizeof(float) : sizeof(double)));
  assert_non_null(data);
  assert_int_equal(fg_table_fill_real(&context, &program, 0, data), FG_OK);
  for (int64_t i = 0; i < size; i += step) {
    int64_t at = place_of(i, precision);
    int64_t at_re = 2 * at, at_im = 2 * at + 1;
    if (layout == FG_LAYOUT_SPLIT) at_re = at, at_im = size + at;
    if (layout == FG_LAYOUT_BLOCKED) at_re = at / block * 2 * block + at % block, at_im = at_re + block;
    if (layout == FG_LAYOUT_DOUBLED) at_im = 2 * (size + at);
    reference(t, i);
    assert_close(number_at(data, precision, at_re), re, precision);
    assert_close(number_at(data, precision, at_im), im, precision);
    if (layout != FG_LAYOUT_DOUBLED) continue;
    assert_true(number_at(data, precision, at_re + 1) == number_at(data, precision, at_re));
    assert_true(number_at(data, precision, at_im + 1) == -number_at(data, precision, at_im));
  }
  free(data);
}

static void test_real(void **state) {
  (void)state;
  for (int s = 0; s < SAMPLES; s++)
    for (int f64 = 0; f64 < 2; f64++) {
      fg_precision precision = f64 ? FG_F64 : FG_F32;
      check_real(&samples[s], FG_LAYOUT_INTERLEAVED, precision, 0);
      check_real(&samples[s], FG_LAYOUT_SPLIT, precision, 0);
      check_real(&samples[s], FG_LAYOUT_DOUBLED, precision, 0);
      if (samples[s].rows * samples[s].cols % 8 == 0) check_real(&samples[s], FG_LAYOUT_BLOCKED, precision, 8);
    }
}

/* Quarters of neighbours in the order 0, 2, 1, 3. */
static void test_permuted(void **state) {
  (void)state;
  fg_table t = {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = 7, .cols = 64, .row0 = 1, .order = 512};
  for (int bytes = 32; bytes <= 64; bytes *= 2) { /* of vectors */
    permuted = bytes / 8;
    check_real(&t, FG_LAYOUT_SPLIT, FG_F64, 0);
    permuted = bytes / 4;
    check_real(&t, FG_LAYOUT_BLOCKED, FG_F32, permuted);
  }
  permuted = 0;
}

/* Some columns at a time: the same entries, in another order. */
static void test_panels(void **state) {
  (void)state;
  fg_table rows = {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = 3, .cols = 24, .row0 = 1, .order = 96}, panels = rows;
  enum { COUNT = 3 * 24 };
  fg_field f;
  fg_gfc gf[2][COUNT];
  double number[2][2 * COUNT];
  panels.panel = 8;
  assert_int_equal(fg_field_create(&context, 96, 12, &f), FG_OK);
  for (int k = 0; k < 2; k++) {
    set_table(k ? &panels : &rows, FG_LAYOUT_SPLIT, FG_F64, 0);
    assert_int_equal(fg_table_fill_gf(&context, &program, 0, &f, gf[k]), FG_OK);
    assert_int_equal(fg_table_fill_real(&context, &program, 0, number[k]), FG_OK);
  }
  const fg_quadc *exact[2] = {fg_table_values_quad(&context, &rows), fg_table_values_quad(&context, &panels)};
  int at = 0;
  for (int first = 0; first < 24; first += 8)
    for (int r = 0; r < 3; r++)
      for (int c = first; c < first + 8; c++, at++) {
        int from = r * 24 + c;
        assert_int_equal(fg_table_element(&panels, r, c), at);
        assert_int_equal(fg_table_entry(&panels, at), from);
        assert_memory_equal(&gf[1][at], &gf[0][from], sizeof gf[0][0]);
        assert_true(exact[1][at].re == exact[0][from].re && exact[1][at].im == exact[0][from].im);
        for (int part = 0; part < 2; part++)
          assert_true(number[1][part * COUNT + at] == number[0][part * COUNT + from]);
      }
  panels.panel = 9;
  assert_false(fg_table_possible(&panels));
}

static void test_large(void **state) {
  (void)state;
  fg_table t = {.fill = FG_FILL_TWIDDLE, .sign = -1, .rows = 15, .cols = 1 << 16, .row0 = 1, .order = 1 << 20};
  check_real(&t, FG_LAYOUT_BLOCKED, FG_F64, 16);
  check_real(&t, FG_LAYOUT_SPLIT, FG_F32, 0);
  t = (fg_table){.fill = FG_FILL_CHIRP, .sign = 1, .rows = 1, .cols = 1000003, .order = 2000006, .n = 1000003};
  check_real(&t, FG_LAYOUT_INTERLEAVED, FG_F64, 0);
}

/* Equal parts and exact values must be computed as such. */
static void test_exact(void **state) {
  (void)state;
  fg_table t = {.fill = FG_FILL_TWIDDLE, .sign = 1, .rows = 2, .cols = 1 << 12, .order = 1 << 12};
  set_table(&t, FG_LAYOUT_INTERLEAVED, FG_F64, 0);
  double *data = malloc((size_t)4 * sizeof *data << 12), *row = data + (2 << 12);
  assert_non_null(data);
  assert_int_equal(fg_table_fill_real(&context, &program, 0, data), FG_OK);
  for (int i = 0; i < 1 << 12; i++) assert_true(data[2 * i] == 1 && data[2 * i + 1] == 0);
  assert_true(row[2 << 10] == 0 && row[(2 << 10) + 1] == 1);
  assert_true(row[2 << 9] == row[(2 << 9) + 1]);
  for (int i = 1; i < 1 << 12; i++) { /* symmetric */
    int j = (1 << 12) - i;
    assert_true(row[2 * i] == row[2 * j] && row[2 * i + 1] == -row[2 * j + 1]);
  }
  free(data);
}

/* ---- images ------------------------------------------------------------- */

static fg_gfc *gf_table(const fg_table *t, const fg_field *f) {
  set_table(t, FG_LAYOUT_INTERLEAVED, FG_F64, 0);
  fg_gfc *out = calloc((size_t)(t->rows * t->cols), sizeof *out);
  assert_non_null(out);
  assert_int_equal(fg_table_fill_gf(&context, &program, 0, f, out), FG_OK);
  return out;
}

static fg_field field_of(uint64_t order) {
  fg_field f;
  assert_int_equal(fg_field_create(&context, order, 12, &f), FG_OK);
  return f;
}

static bool same(fg_gfc a, fg_gfc b) { return a.re == b.re && a.im == b.im; }

/* By the powers that the definition says, taken one by one. */
static void test_gf(void **state) {
  (void)state;
  for (int s = 0; s < SAMPLES; s++) {
    const fg_table *t = &samples[s];
    if (t->fill != FG_FILL_TWIDDLE && t->fill != FG_FILL_CHIRP) continue;
    fg_field f = field_of(fg_integer_lcm(4, (uint64_t)t->order));
    fg_gfc *table = gf_table(t, &f);
    fg_gf w = fg_gf_pow(&f, f.root, f.order / (uint64_t)t->order), inverse = fg_gf_inv(&f, w);
    for (int64_t i = 0; i < t->rows * t->cols; i++) {
      uint64_t r = (uint64_t)(i / t->cols + t->row0), c = (uint64_t)(i % t->cols);
      uint64_t e = t->fill == FG_FILL_CHIRP ? c * c : r * c;
      fg_gf z = fg_gf_pow(&f, w, e), zi = fg_gf_pow(&f, inverse, e), iz = fg_gf_mul(&f, f.i, table[i].im);
      if (t->sign < 0) iz = fg_gf_neg(&f, iz);
      assert_true(fg_gf_add(&f, table[i].re, iz) == z);
      assert_true(fg_gf_sub(&f, table[i].re, iz) == zi);
    }
    free(table);
  }
}

/* Chirp, transform, spectrum, transform back, chirp: must be the DFT of n points. */
static void check_bluestein_gf(const fg_table *spectrum) {
  int64_t n = spectrum->n, length = spectrum->cols;
  fg_table wave = {.fill = FG_FILL_CHIRP, .sign = spectrum->sign, .rows = 1, .cols = n, .order = 2 * n, .n = n};
  uint64_t order = fg_integer_lcm(fg_integer_lcm(2 * (uint64_t)n, fg_field_dft_order(length)), fg_field_dft_order(n));
  fg_field f = field_of(order);
  fg_gfc *b = gf_table(spectrum, &f), *chirp = gf_table(&wave, &f);
  fg_gfc *x = calloc((size_t)length, sizeof *x), *y = calloc((size_t)length, sizeof *y);
  fg_gfc *in = calloc((size_t)n, sizeof *in), *want = calloc((size_t)n, sizeof *want);
  assert_true(x && y && in && want);
  uint64_t random = 1;
  for (int64_t j = 0; j < n; j++) {
    in[j] = (fg_gfc){fg_gf_random(&random), fg_gf_random(&random)};
    x[j] = fg_gfc_mul(&f, in[j], chirp[j]);
  }
  assert_int_equal(fg_field_dft(&context, &f, length, -1, x, y), FG_OK);
  for (int64_t k = 0; k < length; k++) y[k] = fg_gfc_mul(&f, y[k], b[k]);
  assert_int_equal(fg_field_dft(&context, &f, length, 1, y, x), FG_OK);
  assert_int_equal(fg_field_dft(&context, &f, n, spectrum->sign, in, want), FG_OK);
  for (int64_t k = 0; k < n; k++) assert_true(same(fg_gfc_mul(&f, x[k], chirp[k]), want[k]));
  free(b), free(chirp), free(x), free(y), free(in), free(want);
}

/* x at powers of g, transform, spectrum, transform back, by logarithms: X - x0 but
 * for what is said of entry 0. */
static void check_rader_gf(const fg_table *spectrum) {
  int64_t n = spectrum->n, length = spectrum->cols;
  fg_table sum = {.fill = FG_FILL_RADER_SUM, .sign = spectrum->sign, .rows = 1, .cols = 2, .order = length, .n = n};
  fg_table power = {.fill = FG_FILL_POWER, .rows = 1, .cols = n - 1, .order = 1, .n = n};
  fg_table logarithm = {.fill = FG_FILL_LOGARITHM, .rows = 1, .cols = n, .order = length, .n = n};
  fg_field f =
      field_of(fg_integer_lcm(4 * (uint64_t)n, fg_integer_lcm(fg_field_dft_order(length), fg_field_dft_order(n))));
  fg_gfc *b = gf_table(spectrum, &f), *pair = gf_table(&sum, &f);
  const int32_t *at = fg_table_indices(&context, &power), *from = fg_table_indices(&context, &logarithm);
  fg_gfc *x = calloc((size_t)length + 1, sizeof *x), *y = calloc((size_t)length + 1, sizeof *y);
  fg_gfc *in = calloc((size_t)n, sizeof *in), *want = calloc((size_t)n, sizeof *want);
  assert_true(x && y && in && want && at && from);
  uint64_t random = 1;
  for (int64_t j = 0; j < n; j++) in[j] = (fg_gfc){fg_gf_random(&random), fg_gf_random(&random)};
  for (int64_t q = 0; q < n - 1; q++) x[q] = in[at[q]];
  assert_int_equal(fg_field_dft(&context, &f, length, -1, x, y), FG_OK);
  fg_gfc all = fg_gfc_add(&f, in[0], y[0]), second = fg_gfc_mul(&f, pair[1], y[0]);
  y[0] = fg_gfc_add(&f, fg_gfc_mul(&f, pair[0], in[0]), second);
  for (int64_t k = 0; k < length; k++) y[k] = fg_gfc_mul(&f, y[k], b[k]);
  assert_int_equal(fg_field_dft(&context, &f, length, 1, y, x), FG_OK);
  x[length] = all;
  assert_int_equal(fg_field_dft(&context, &f, n, spectrum->sign, in, want), FG_OK);
  for (int64_t k = 0; k < n; k++) assert_true(same(x[from[k]], want[k]));
  free(b), free(pair), free(x), free(y), free(in), free(want);
}

static void test_rader_gf(void **state) {
  (void)state;
  for (int s = 0; s < SAMPLES; s++)
    if (samples[s].fill == FG_FILL_RADER) check_rader_gf(&samples[s]);
  fg_table large = {.fill = FG_FILL_RADER, .sign = 1, .rows = 1, .cols = 65536, .order = 65537, .n = 65537};
  check_rader_gf(&large);
}

static void test_generators(void **state) {
  (void)state;
  assert_int_equal(fg_table_least_generator(3), 2);
  assert_int_equal(fg_table_least_generator(41), 6);
  assert_int_equal(fg_table_least_generator(1000003), 2);
  assert_int_equal(fg_table_least_generator(2147483647), 7);
  const int64_t none[] = {-7, 0, 1, 2, 4, 9, 1001, 2147483659};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_int_equal(fg_table_least_generator(none[i]), 0);
  fg_table t = {.fill = FG_FILL_POWER, .rows = 1, .cols = 8, .order = 1, .n = 9};
  assert_false(fg_table_possible(&t));
  assert_null(fg_table_indices(&context, &t));
}

/* Logarithms as places in an array: axis by axis they add up to what the plain ones are. */
static void test_coprime_logarithms(void **state) {
  (void)state;
  fg_table plain = {.fill = FG_FILL_LOGARITHM, .sign = 1, .rows = 1, .cols = 31, .order = 30, .n = 31}, array = plain;
  array.coprime[0] = 2, array.coprime[1] = 5, array.coprime[2] = 3;
  const int32_t *e = fg_table_indices(&context, &plain), *at = fg_table_indices(&context, &array);
  assert_true(e && at);
  assert_int_equal(at[0], 30);
  for (int64_t c = 1, x = 1; c <= 30; c++, x = x * 3 % 31) assert_int_equal(e[x], c - 1); /* 3 is the least generator */
  for (int c = 1; c < 31; c++) assert_int_equal((at[c] / 15 * 15 + at[c] / 3 % 5 * 6 + at[c] % 3 * 10) % 30, e[c]);
  array.coprime[2] = 6;
  assert_false(fg_table_possible(&array));
  array.coprime[1] = 15, array.coprime[2] = 0;
  assert_true(fg_table_possible(&array));
  array.fill = FG_FILL_POWER, array.cols = 30;
  assert_false(fg_table_possible(&array));
}

static void test_bluestein_gf(void **state) {
  (void)state;
  for (int s = 0; s < SAMPLES; s++)
    if (samples[s].fill == FG_FILL_BLUESTEIN) check_bluestein_gf(&samples[s]);
  fg_table large = {.fill = FG_FILL_BLUESTEIN, .sign = 1, .rows = 1, .cols = 32768, .order = 2 * 10007, .n = 10007};
  check_bluestein_gf(&large);
}

static void test_refusals(void **state) {
  (void)state;
  fg_gfc out[64];
  double numbers[128];
  fg_field f = field_of(8);
  set_table(&samples[1], FG_LAYOUT_INTERLEAVED, FG_F64, 0);
  assert_int_equal(fg_table_fill_gf(&context, &program, 0, &f, out), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "32"));
  fg_diag_clear(&context.diag);
  set_table(&samples[1], FG_LAYOUT_INTERLEAVED, FG_F16, 0);
  assert_int_equal(fg_table_fill_real(&context, &program, 0, numbers), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "tw0"));
  assert_non_null(strstr(context.diag.message, "f16"));
}

/* ---- fixed point -------------------------------------------------------- */

static void fixed_to_mpfr(fg_fixed x, mpfr_ptr out) {
  mpfr_set_sj(out, (int64_t)(x >> 64), MPFR_RNDN);
  mpfr_mul_2si(out, out, 64, MPFR_RNDN);
  mpfr_add_ui(out, out, (uint64_t)x, MPFR_RNDN);
  mpfr_mul_2si(out, out, -124, MPFR_RNDN);
}

static void assert_within(fg_fixed got, mpfr_ptr want, int bits) {
  fixed_to_mpfr(got, part);
  mpfr_sub(part, part, want, MPFR_RNDN);
  assert_true(mpfr_zero_p(part) || mpfr_get_exp(part) <= -bits);
}

/* The guarantee of more than 100 bits, with and without tables. */
static void test_fixed_roots(void **state) {
  (void)state;
  static const uint64_t orders[] = {1, 2, 3, 4, 8, 60, 1001, 4096, 1 << 20, 999983, ((uint64_t)1 << 40) + 15};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    for (int many = 0; many < 2; many++) {
      uint64_t n = orders[i], random = 4;
      if (many && n >> 32) continue; /* tables of its square root are large */
      fg_fixed_roots *roots = fg_fixed_roots_create(context.arena, n, many ? n : 1);
      for (int j = 0; j < 300; j++) {
        uint64_t k = fg_random(&random) % n;
        fg_fixedc z = fg_fixed_root(roots, k);
        root(1, 2 * k, n);
        assert_within(z.re, re, 122);
        assert_within(z.im, im, 122);
      }
    }
}

/* Two tones of known places and sizes: |x| <= 1, spectrum known exactly. */
static void test_fixed_dft(void **state) {
  (void)state;
  static const int64_t lengths[] = {1, 2, 3, 5, 8, 30, 77, 243, 1024, 2310, 16384};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (int sign = -1; sign <= 1; sign += 2) {
      int64_t n = lengths[i], a = n / 3, b = n - 1;
      fg_fixedc *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
      assert_true(x && y);
      fg_fixed_roots *roots = fg_fixed_roots_create(context.arena, (uint64_t)n, (uint64_t)n);
      for (int64_t j = 0; j < n; j++) {
        fg_fixedc u = fg_fixed_root(roots, (uint64_t)(j * a % n)), v = fg_fixed_root(roots, (uint64_t)(j * b % n));
        x[j] = (fg_fixedc){u.re / 2 + v.re / 4, -sign * (u.im / 2 + v.im / 4)};
      }
      fg_fixed_dft(context.arena, n, sign, x, y);
      for (int64_t k = 0; k < n; k++) {
        mpfr_set_d(re, (k == a ? 0.5 : 0) + (k == b ? 0.25 : 0), MPFR_RNDN);
        mpfr_set_zero(im, 1);
        assert_within(y[k].re, re, 120);
        assert_within(y[k].im, im, 120);
      }
      free(x);
      free(y);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fixed_roots),
      cmocka_unit_test(test_fixed_dft),
      cmocka_unit_test(test_real),
      cmocka_unit_test(test_large),
      cmocka_unit_test(test_exact),
      cmocka_unit_test(test_gf),
      cmocka_unit_test(test_bluestein_gf),
      cmocka_unit_test(test_rader_gf),
      cmocka_unit_test(test_generators),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_coprime_logarithms),
      cmocka_unit_test(test_permuted),
      cmocka_unit_test(test_panels),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
