/* Codelets of every kind, r2c to DST-IV, against the definitions over a prime field
 * and in long double; how they make up a longer real transform; operation counts. */
#include "generator/codelet/algo/kind.h"
#include "generator/codelet/noise.h"
#include "generator/codelet/schedule.h"
#include "tests/unit/codelets.h"
#include "tests/unit/pace.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGEST = 128, SLOTS = 2 * LARGEST + 2 };
static uint64_t seed;

/* 1 to 32, and samples to the end. */
static int next_size(int n) { return n < 32 ? n + 1 : n < 64 ? n + 8 : n + 32; }

/* ---- the definitions ---------------------------------------------------- */

typedef struct entry { /* of the matrix from input slots to output slots: factor * cos or sin(2 pi at / period) */
  int factor;
  bool sine;
  int64_t at, period;
} entry;

/* exp(2 pi i at / period) times a number, part of the number -> part of the product. */
static entry complex_entry(int factor, int out_part, int in_part, int64_t at, int64_t period) {
  bool negative = in_part == 1 && out_part == 0; /* i times i */
  return (entry){negative ? -factor : factor, in_part != out_part, at, period};
}

static entry real_to_complex(bool odd, const fg_codelet_key *key, int out, int in) {
  int64_t k = out / 2;
  return complex_entry(1, out % 2, 0, key->sign * in * (odd ? 2 * k + 1 : k), odd ? 2 * key->n : key->n);
}

/* A number and its conjugate partner make twice the real part. */
static entry complex_to_real(bool odd, const fg_codelet_key *key, int out, int in) {
  int64_t j = in / 2, partner = odd ? key->n - 1 - j : (key->n - j) % key->n;
  int factor = j != partner ? 2 : in % 2 ? 0 : 1;
  return complex_entry(factor, 0, in % 2, key->sign * out * (odd ? 2 * j + 1 : j), odd ? 2 * key->n : key->n);
}

static entry complex_to_complex(const fg_codelet_key *key, int out, int in) {
  int64_t k = out / 2, j = in / 2;
  int factor = 1, upper = (key->n + 1) / 2;
  bool middle = key->kind == FG_CODELET_R2C_MIDDLE;
  if ((middle || key->kind == FG_CODELET_R2C_COLUMN) && k >= upper && out % 2) factor = -1;
  if (middle && k >= upper) k--;
  if (key->kind == FG_CODELET_C2R_COLUMN && j >= upper && in % 2) factor = -1;
  return complex_entry(factor, out % 2, in % 2, key->sign * j * k, key->n);
}

static entry cosine(int factor, int64_t at, int64_t period) { return (entry){factor, false, at, period}; }
static entry sine(int factor, int64_t at, int64_t period) { return (entry){factor, true, at, period}; }

/* Output k of n from input j of 2 n; see kind.h. */
static entry folded(int64_t n, int64_t k, int64_t j) {
  bool upper = k >= n / 2;
  int64_t first = upper ? k - n / 2 : n / 2 + k, second = first + n;
  return cosine(j == second ? -1 : j != first ? 0 : upper ? 1 : -1, 0, 1);
}

static entry matrix_entry(const fg_codelet_key *key, int out, int in) {
  int64_t n = key->n, k = out, j = in;
  switch (key->kind) {
  case FG_CODELET_R2C: return real_to_complex(false, key, out, in);
  case FG_CODELET_C2R: return complex_to_real(false, key, out, in);
  case FG_CODELET_R2C_TWO: return complex_to_complex(key, out, (int)(j < n ? 2 * j : 2 * (j - n) + 1));
  case FG_CODELET_C2R_TWO: return complex_to_complex(key, (int)(k < n ? 2 * k : 2 * (k - n) + 1), in);
  case FG_CODELET_R2C_ODD: return real_to_complex(true, key, out, in);
  case FG_CODELET_C2R_ODD: return complex_to_real(true, key, out, in);
  case FG_CODELET_EVEN: return cosine(1, j * k, n);
  case FG_CODELET_ODD: return sine(1, (j + 1) * (k + 1), n);
  case FG_CODELET_NEGATE: return cosine(j == k ? -1 : 0, 0, 1);
  case FG_CODELET_FOLD: return folded(n, k, j);
  case FG_CODELET_UNFOLD: return folded(n, j, k);
  case FG_CODELET_SUM: return cosine(1, 0, 1);
  case FG_CODELET_COPY:
  case FG_CODELET_JOIN: return cosine(j == k, 0, 1);
  case FG_CODELET_DCT1: return cosine(j == 0 || j == n - 1 ? 1 : 2, j * k, 2 * (n - 1));
  case FG_CODELET_DCT2: return cosine(2, (2 * j + 1) * k, 4 * n);
  case FG_CODELET_DCT3: return cosine(j ? 2 : 1, j * (2 * k + 1), 4 * n);
  case FG_CODELET_DCT4: return cosine(2, (2 * j + 1) * (2 * k + 1), 8 * n);
  case FG_CODELET_DST1: return sine(2, (j + 1) * (k + 1), 2 * (n + 1));
  case FG_CODELET_DST2: return sine(2, (2 * j + 1) * (k + 1), 4 * n);
  case FG_CODELET_DST3: return sine(j < n - 1 ? 2 : 1, (j + 1) * (2 * k + 1), 4 * n);
  case FG_CODELET_DST4: return sine(2, (2 * j + 1) * (2 * k + 1), 8 * n);
  default: return complex_to_complex(key, out, in);
  }
}

/* ---- over a prime field ------------------------------------------------- */

typedef struct exact { /* a field, numbers in it */
  fg_field field;
  fg_gf in[SLOTS], tw[SLOTS], got[SLOTS], want[SLOTS];
} exact;

static void multiply(const exact *x, fg_twiddle t, int elements, fg_gf *v) {
  int first = t == FG_TW_IN_ALL || t == FG_TW_OUT_ALL ? 0 : 1;
  for (int k = first; k < elements; k++) {
    const fg_gf *tw = x->tw + (size_t)2 * (size_t)(k - first);
    fg_gfc y = fg_gfc_mul(&x->field, (fg_gfc){v[2 * k], v[2 * k + 1]}, (fg_gfc){tw[0], tw[1]});
    v[2 * k] = y.re;
    v[2 * k + 1] = y.im;
  }
}

static fg_gf image(const fg_field *f, entry e) {
  fg_gfc root = fg_gf_root(f, e.at % e.period, (uint64_t)e.period);
  fg_gf part = e.sine ? root.im : root.re, sum = 0;
  for (int i = 0; i < abs(e.factor); i++) sum = e.factor > 0 ? fg_gf_add(f, sum, part) : fg_gf_sub(f, sum, part);
  return sum;
}

static void apply_definition(exact *x, const fg_codelet_key *key) {
  const fg_field *f = &x->field;
  fg_codelet_side from = fg_codelet_input(key->kind, key->n), to = fg_codelet_output(key->kind, key->n);
  fg_gf v[SLOTS];
  memcpy(v, x->in, sizeof v);
  bool before = key->twiddle == FG_TW_IN || key->twiddle == FG_TW_IN_ALL;
  if (key->twiddle && before) multiply(x, key->twiddle, from.elements, v);
  for (int k = 0; k < fg_codelet_slots(to); k++) {
    x->want[k] = 0;
    for (int j = 0; j < fg_codelet_slots(from); j++)
      x->want[k] = fg_gf_add(f, x->want[k], fg_gf_mul(f, v[j], image(f, matrix_entry(key, k, j))));
  }
  if (key->twiddle && !before) multiply(x, key->twiddle, to.elements, x->want);
}

static void evaluate(fg_context *cx, exact *x, const fg_codelet *c) {
  fg_codelet_eval_gf(c, &x->field, x->in, x->tw, x->got, fg_arena_new(cx->arena, fg_gf, c->nnode));
}

static void check(exact *x, fg_codelet_key key) {
  fg_context cx = begin();
  const fg_codelet *c = create(&cx, key);
  const char *why = "", *name = fg_codelet_kind_name(key.kind);
  if (!fg_codelet_valid(c, &why)) fail_msg("%s n=%d: %s", name, key.n, why);
  if (x->field.order % fg_codelet_order(c)) fail_msg("%s n=%d: order", name, key.n);
  assert_int_equal(c->nin, fg_codelet_slots(fg_codelet_input(key.kind, key.n)));
  assert_int_equal(c->nout, fg_codelet_slots(fg_codelet_output(key.kind, key.n)));
  evaluate(&cx, x, c);
  apply_definition(x, &key);
  for (int i = 0; i < c->nout; i++)
    if (x->got[i] != x->want[i])
      fail_msg("%s n=%d %s sign=%d twiddle=%d form=%d: output slot %d is wrong", name, key.n, c->algo, key.sign,
               (int)key.twiddle, (int)key.form, i);
  fg_arena_destroy(cx.arena);
}

static exact *draw(fg_context *cx, uint64_t order) {
  exact *x = fg_arena_new(cx->arena, exact, 1);
  uint64_t state = seed ^ order;
  assert_int_equal(fg_field_create(cx, order, fg_random(&state), &x->field), FG_OK);
  for (int i = 0; i < SLOTS; i++) {
    x->in[i] = fg_gf_random(&state);
    x->tw[i] = fg_gf_random(&state);
  }
  return x;
}

static bool takes(fg_codelet_kind kind, fg_twiddle t) {
  if (t == FG_TW_NONE) return true;
  bool inputs = t == FG_TW_IN || t == FG_TW_IN_ALL;
  return inputs ? fg_codelet_input(kind, 1).twiddles : fg_codelet_output(kind, 1).twiddles;
}

static const fg_twiddle TWIDDLES[] = {FG_TW_NONE, FG_TW_IN, FG_TW_OUT, FG_TW_IN_ALL, FG_TW_OUT_ALL};

static void check_size(fg_codelet_kind kind, int n) {
  fg_context cx = begin();
  exact *x = draw(&cx, fg_algo_order(fg_codelet_kind_period(kind, n)));
  for (int i = 0; i < 5; i++)
    for (int form = 0; takes(kind, TWIDDLES[i]) && form < 2; form++) {
      if (n > 32 && form != n / 4 % 2) continue;
      fg_codelet_key key = {.n = n, .sign = (n + form) & 1 ? 1 : -1, .twiddle = TWIDDLES[i]};
      key.form = (fg_fma_form)form;
      key.accurate = n & 2;
      key.kind = kind;
      check(x, key);
    }
  fg_arena_destroy(cx.arena);
}

enum { CONSTANT_KINDS = FG_CODELET_CONVOLVE }; /* without factors inside */

/* Of lengths above 12 a half is drawn by the day. */
static void every_kind_is_exact(void **unused) {
  (void)unused;
  int number = 0;
  for (int kind = 0; kind < CONSTANT_KINDS; kind++)
    for (int n = fg_codelet_least(kind); !fg_codelet_even(kind) && n <= LARGEST; n = next_size(n))
      if (!is_left_out(number++, 5) && (n <= 12 || is_drawn(number, 2))) check_size((fg_codelet_kind)kind, n);
}

/* Forced at the top, every row computes the same. */
static void every_row_computes_every_kind(void **unused) {
  (void)unused;
  static const int sizes[] = {4, 5, 9, 12};
  int done = 0;
  for (int i = 0; i < CONSTANT_KINDS * 4; i++) {
    fg_context cx = begin();
    fg_codelet_key key = {.n = sizes[i & 3], .sign = -1, .form = (fg_fma_form)(i >> 2 & 1)};
    key.kind = (fg_codelet_kind)(i >> 2);
    exact *x = draw(&cx, fg_algo_order(fg_codelet_kind_period(key.kind, key.n)));
    for (const fg_algo *row = fg_algo_table; row->name && !fg_codelet_even(key.kind); row++) {
      if (!row->applies(fg_codelet_kind_period(key.kind, key.n))) continue;
      key.algo = row->name;
      check(x, key);
      done++;
    }
    fg_arena_destroy(cx.arena);
  }
  assert_true(done > 100);
}

/* ---- pairs of columns ---------------------------------------------------- */

static fg_gf half_of(const fg_field *f, fg_gf x) { return fg_gf_mul(f, x, fg_gf_inv(f, fg_gf_from(f, 2))); }

/* What r2c-column gets of r2c-pair's inputs. */
static void separated(const fg_field *f, int n, const fg_gf *in, fg_gf *y) {
  for (int j = 0; j < n / 2; j++) {
    const fg_gf *a = in + (ptrdiff_t)2 * j, *b = in + (ptrdiff_t)n + 2 * j;
    fg_gf *even = y + (ptrdiff_t)4 * j, *odd = even + 2; /* a + conj b, (a - conj b) / i */
    even[0] = fg_gf_add(f, a[0], b[0]), even[1] = fg_gf_sub(f, a[1], b[1]);
    odd[0] = fg_gf_add(f, a[1], b[1]), odd[1] = fg_gf_sub(f, b[0], a[0]);
  }
  y[0] = half_of(f, y[0]), y[1] = half_of(f, y[1]);
}

/* What c2r-pair makes of c2r-column's outputs. */
static void merged(const fg_field *f, int n, const fg_gf *y, fg_gf *out) {
  for (int j = 0; j < n / 2; j++) {
    const fg_gf *even = y + (ptrdiff_t)4 * j, *odd = even + 2;
    fg_gf *a = out + (ptrdiff_t)2 * j, *b = out + (ptrdiff_t)n + 2 * j; /* even + i odd, of both or of conjugates */
    a[0] = fg_gf_sub(f, even[0], odd[1]), a[1] = fg_gf_add(f, even[1], odd[0]);
    b[0] = fg_gf_add(f, even[0], odd[1]), b[1] = fg_gf_sub(f, odd[0], even[1]);
  }
}

static void check_pair(fg_codelet_key key, bool forward) {
  fg_context cx = begin();
  exact *x = draw(&cx, fg_algo_order(key.n));
  fg_gf want[SLOTS], in[SLOTS];
  fg_codelet_key column = key;
  column.kind = forward ? FG_CODELET_R2C_COLUMN : FG_CODELET_C2R_COLUMN;
  memcpy(in, x->in, sizeof in);
  if (forward) separated(&x->field, key.n, in, x->in);
  evaluate(&cx, x, create(&cx, column));
  memcpy(want, x->got, sizeof want);
  if (!forward) merged(&x->field, key.n, x->got, want);
  memcpy(x->in, in, sizeof in);
  const fg_codelet *c = create(&cx, key);
  assert_true(fg_codelet_valid(c, NULL));
  evaluate(&cx, x, c);
  if (memcmp(x->got, want, sizeof *want * (size_t)c->nout))
    fail_msg("%s n=%d twiddle=%d is not the column of its pairs", fg_codelet_kind_name(key.kind), key.n, key.twiddle);
  fg_arena_destroy(cx.arena);
}

static void pairs_are_columns(void **unused) {
  (void)unused;
  for (int n = 2; n <= LARGEST; n = n < 32 ? n + 2 : 2 * n)
    for (int i = 0; i < 8; i++) {
      bool forward = i & 1;
      fg_codelet_key key = {.n = n, .sign = i & 2 ? 1 : -1, .form = (fg_fma_form)(n / 2 % 2)};
      key.kind = forward ? FG_CODELET_R2C_PAIR : FG_CODELET_C2R_PAIR;
      if (i & 4) key.twiddle = forward ? FG_TW_IN : FG_TW_OUT;
      check_pair(key, forward);
    }
  fg_context cx = begin();
  const fg_codelet *c;
  fg_codelet_key odd = {.n = 9, .sign = 1, .kind = FG_CODELET_R2C_PAIR};
  assert_int_equal(fg_codelet_create(&cx, &odd, &c), FG_EUSER);
  assert_non_null(strstr(cx.diag.message, "even"));
  fg_arena_destroy(cx.arena);
}

/* ---- two transforms as one ------------------------------------------------ */

/* Two transforms of reals, and theirs joined: part finds each of both again. */
static void parts_are_transforms(void **unused) {
  enum { N = 7 };
  (void)unused;
  fg_context cx = begin();
  exact *x = draw(&cx, fg_algo_order(N));
  fg_gf in[SLOTS], want[2][SLOTS], z[SLOTS];
  memcpy(in, x->in, sizeof in);
  const fg_codelet *real = create(&cx, (fg_codelet_key){.n = N, .sign = -1, .kind = FG_CODELET_R2C});
  const fg_codelet *one = create(&cx, (fg_codelet_key){.n = N, .sign = -1}),
                   *join = create(&cx, (fg_codelet_key){.n = 2 * N, .sign = -1, .kind = FG_CODELET_JOIN}),
                   *part = create(&cx, (fg_codelet_key){.n = 2, .sign = -1, .kind = FG_CODELET_PART});
  for (int t = 0; t < 2; t++) { /* the even inputs, the odd ones */
    for (int j = 0; j < N; j++) x->in[j] = in[2 * j + t];
    evaluate(&cx, x, real);
    memcpy(want[t], x->got, sizeof want[t]);
  }
  memcpy(x->in, in, sizeof in);
  evaluate(&cx, x, join);
  memcpy(x->in, x->got, 2 * N * sizeof *in);
  evaluate(&cx, x, one);
  memcpy(z, x->got, sizeof z);
  for (int k = 0; k <= N / 2; k++) {
    memcpy(x->in, z + (ptrdiff_t)2 * k, 2 * sizeof *z);
    memcpy(x->in + 2, z + (ptrdiff_t)2 * ((N - k) % N), 2 * sizeof *z);
    evaluate(&cx, x, part);
    for (int t = 0; t < 2; t++)
      for (int i = 0; i < 2; i++) assert_memory_equal(&x->got[2 * t + i], &want[t][2 * k + i], sizeof *z);
  }
  fg_arena_destroy(cx.arena);
}

/* ---- in floating point -------------------------------------------------- */

static long double value(entry e) {
  long double angle = 2 * acosl(-1) * (long double)(e.at % e.period) / (long double)e.period;
  return e.factor * (e.sine ? sinl(angle) : cosl(angle));
}

/* Relative errors in the root mean square over a few random inputs. */
static void errors(const fg_codelet *c, double *in_double, double *in_long) {
  long double x[SLOTS], y[SLOTS], norm = 0, bad = 0, worse = 0;
  double xd[SLOTS], yd[SLOTS];
  uint64_t state = 17;
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < c->nin; i++) x[i] = xd[i] = (double)(int64_t)fg_random(&state) * 0x1p-63;
    evaluate_double(c, xd, yd);
    evaluate_long(c, x, y);
    for (int i = 0; i < c->nout; i++) {
      long double want = 0;
      for (int j = 0; j < c->nin; j++) want += x[j] * value(matrix_entry(&c->key, i, j));
      norm += want * want;
      worse += (yd[i] - want) * (yd[i] - want);
      bad += (y[i] - want) * (y[i] - want);
    }
  }
  *in_double = (double)sqrtl(worse / norm);
  *in_long = (double)sqrtl(bad / norm);
}

static void every_kind_is_accurate(void **unused) {
  (void)unused;
  for (int kind = 0; kind < CONSTANT_KINDS; kind++) {
    double worst = 0;
    int at = 1, number = 0;
    for (int n = fg_codelet_least(kind); !fg_codelet_even(kind) && n <= 64; n = next_size(n))
      for (int form = 0; form < 2; form++) {
        if (is_left_out(number++, 5)) continue;
        fg_context cx = begin();
        fg_codelet_key key = {.n = n, .sign = -1, .form = (fg_fma_form)form};
        key.kind = (fg_codelet_kind)kind;
        double in_double, in_long;
        errors(create(&cx, key), &in_double, &in_long);
        if (in_double > worst) worst = in_double, at = n;
        if (in_double > 8e-16 || in_long > 2e-18)
          fail_msg("%s n=%d form %d: errors %g and %g", fg_codelet_kind_name(key.kind), n, form, in_double, in_long);
        fg_arena_destroy(cx.arena);
      }
    print_message("%-10s largest error in double %.2e at n=%d\n", fg_codelet_kind_name(kind), worst, at);
  }
}

/* Errors are as predicted: one rounding is 0.42 of 2^-53 in the root mean square, its
 * mantissas being spread evenly over the logarithms. And it decides. */
static void noise_is_foretold(void **unused) {
  (void)unused;
  static const int sizes[] = {16, 37};
  int number = 0;
  for (int kind = 0; kind < CONSTANT_KINDS; kind++)
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
      for (int form = 0; form < 2 && !fg_codelet_even(kind); form++) {
        if (is_left_out(number++, 3)) continue;
        fg_context cx = begin();
        fg_codelet_key key = {.n = sizes[i], .sign = -1, .form = (fg_fma_form)form};
        key.kind = (fg_codelet_kind)kind;
        const fg_codelet *fewest = create(&cx, key);
        double measured, in_long, foretold = 0.42 * 0x1p-53 * sqrt(fg_codelet_noise(&cx, fewest));
        errors(fewest, &measured, &in_long);
        if (measured > 1.5 * foretold || measured < 0.65 * foretold)
          fail_msg("%s n=%d form %d: error %g, foretold %g", fg_codelet_kind_name(key.kind), key.n, form, measured,
                   foretold);
        key.accurate = true;
        double most = fg_codelet_noise(&cx, fewest);
        if (fg_codelet_noise(&cx, create(&cx, key)) > 1.21 * most)
          fail_msg("%s n=%d form %d: rounds more when asked to be accurate", fg_codelet_kind_name(key.kind), key.n,
                   form);
        fg_arena_destroy(cx.arena);
      }
}

/* Primes 2 q + 1, q a prime: their convolutions are not by transforms of q points. */
static void primes_of_primes_round_little(void **unused) {
  (void)unused;
  static const int sizes[] = {59, 83, 107};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (int form = 0; form < 2; form++) {
      fg_context cx = begin();
      fg_codelet_key key = {.n = sizes[i], .sign = -1, .form = (fg_fma_form)form, .kind = FG_CODELET_C2C};
      double noise = sqrt(fg_codelet_noise(&cx, create(&cx, key)));
      if (noise > 4.8) fail_msg("n=%d form %d: %g roundings", key.n, form, noise);
      fg_arena_destroy(cx.arena);
    }
}

/* ---- a longer real transform -------------------------------------------- */

typedef struct split { /* n m numbers, radix n */
  fg_context *cx;
  exact *x; /* its in, tw and got serve the codelets */
  int n, m, sign;
} split;

static void run(const split *s, fg_codelet_kind kind, int n, fg_twiddle twiddle) {
  fg_codelet_key key = {.n = n, .sign = s->sign, .twiddle = twiddle, .form = FG_FORM_FMA};
  key.kind = kind;
  evaluate(s->cx, s->x, create(s->cx, key));
}

static void set_twiddles(const split *s, int column) {
  for (int j = 1; j < s->n; j++) {
    fg_gfc w = fg_gf_root(&s->x->field, (int64_t)s->sign * j * column, (uint64_t)(s->n * s->m));
    s->x->tw[2 * j - 2] = w.re;
    s->x->tw[2 * j - 1] = w.im;
  }
}

/* The index of output q of a column among the frequencies of the whole. */
static int frequency(const split *s, int column, int q) {
  int f = column + s->m * q;
  return 2 * f <= s->n * s->m ? f : s->n * s->m - f;
}

static fg_codelet_kind column_kind(const split *s, int column, bool forward) {
  if (column == 0) return forward ? FG_CODELET_R2C : FG_CODELET_C2R;
  if (2 * column == s->m) return forward ? FG_CODELET_R2C_ODD : FG_CODELET_C2R_ODD;
  return forward ? FG_CODELET_R2C_COLUMN : FG_CODELET_C2R_COLUMN;
}

static fg_twiddle column_twiddle(const split *s, int column, fg_twiddle t) {
  return column == 0 || 2 * column == s->m ? FG_TW_NONE : t;
}

static void forward(const split *s, const fg_gf *real, fg_gf *complex) {
  fg_gf inner[SLOTS][2], *slot = s->x->in;
  for (int j = 0; j < s->n; j++) {
    for (int i = 0; i < s->m; i++) slot[i] = real[j + s->n * i];
    run(s, FG_CODELET_R2C, s->m, FG_TW_NONE);
    for (int k = 0; 2 * k <= s->m; k++) memcpy(inner[j * (s->m / 2 + 1) + k], s->x->got + 2 * k, sizeof *inner);
  }
  for (int k = 0; 2 * k <= s->m; k++) {
    fg_codelet_kind kind = column_kind(s, k, true);
    bool real_input = fg_codelet_input(kind, s->n).real;
    for (int j = 0; j < s->n; j++)
      memcpy(real_input ? slot + j : slot + 2 * j, inner[j * (s->m / 2 + 1) + k],
             real_input ? sizeof *slot : sizeof *inner);
    set_twiddles(s, k);
    run(s, kind, s->n, column_twiddle(s, k, FG_TW_IN));
    for (int q = 0; q < fg_codelet_output(kind, s->n).elements; q++)
      memcpy(complex + 2 * frequency(s, k, q), s->x->got + 2 * q, 2 * sizeof *complex);
  }
}

static void backward(const split *s, const fg_gf *complex, fg_gf *real) {
  fg_gf inner[SLOTS][2], *slot = s->x->in;
  memset(inner, 0, sizeof inner);
  for (int k = 0; 2 * k <= s->m; k++) {
    fg_codelet_kind kind = column_kind(s, k, false);
    bool real_output = fg_codelet_output(kind, s->n).real;
    for (int q = 0; q < fg_codelet_input(kind, s->n).elements; q++)
      memcpy(slot + 2 * q, complex + 2 * frequency(s, k, q), 2 * sizeof *slot);
    set_twiddles(s, k);
    run(s, kind, s->n, column_twiddle(s, k, FG_TW_OUT));
    for (int j = 0; j < s->n; j++)
      memcpy(inner[j * (s->m / 2 + 1) + k], real_output ? s->x->got + j : s->x->got + 2 * j,
             real_output ? sizeof *slot : sizeof *inner);
  }
  for (int j = 0; j < s->n; j++) {
    for (int k = 0; 2 * k <= s->m; k++) memcpy(slot + 2 * k, inner[j * (s->m / 2 + 1) + k], sizeof *inner);
    run(s, FG_CODELET_C2R, s->m, FG_TW_NONE);
    for (int i = 0; i < s->m; i++) real[j + s->n * i] = s->x->got[i];
  }
}

/* Forward against the definition, then backward: n m times the input. */
static void columns_make_a_real_transform(void **unused) {
  (void)unused;
  static const int sizes[][2] = {{2, 2}, {2, 7}, {3, 4}, {4, 5}, {4, 6}, {5, 8}, {7, 3}, {8, 8}, {6, 10}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fg_context cx = begin();
    int n = sizes[i][0], m = sizes[i][1], whole = n * m;
    uint64_t order = fg_integer_lcm(fg_algo_order(2 * n), fg_integer_lcm(fg_algo_order(m), fg_algo_order(whole)));
    exact *x = draw(&cx, order), *reference = draw(&cx, order);
    fg_gf complex[SLOTS] = {0}, real[SLOTS] = {0};
    for (int sign = -1; sign < 2; sign += 2) {
      fg_codelet_key key = {.n = whole, .sign = sign};
      key.kind = FG_CODELET_R2C;
      apply_definition(reference, &key);
      forward(&(split){&cx, x, n, m, sign}, reference->in, complex);
      assert_memory_equal(complex, reference->want, sizeof *complex * 2 * (size_t)(whole / 2 + 1));
      backward(&(split){&cx, x, n, m, -sign}, complex, real);
      for (int j = 0; j < whole; j++)
        assert_true(real[j] == fg_gf_mul(&x->field, fg_gf_from(&x->field, whole), reference->in[j]));
    }
    fg_arena_destroy(cx.arena);
  }
}

/* ---- operation counts --------------------------------------------------- */

typedef struct bar { /* what was reached, and what the reference generator needs (0/0: not known) */
  fg_codelet_kind kind;
  int n, add, mul, fused_total, ref_add, ref_mul;
} bar;

static const bar BARS[] = {
    {FG_CODELET_R2C, 8, 20, 2, 20, 20, 2},         {FG_CODELET_R2C, 16, 58, 12, 58, 58, 12},
    {FG_CODELET_R2C, 17, 116, 54, 124, 0, 0},      {FG_CODELET_R2C, 32, 156, 42, 156, 156, 42},
    {FG_CODELET_R2C, 64, 394, 120, 394, 394, 124}, {FG_CODELET_R2C, 128, 956, 314, 956, 956, 330},
    {FG_CODELET_C2R, 8, 20, 6, 20, 0, 0},          {FG_CODELET_C2R, 16, 58, 18, 58, 0, 0},
    {FG_CODELET_C2R, 32, 156, 50, 156, 0, 0},      {FG_CODELET_C2R, 64, 394, 130, 394, 0, 0},
    {FG_CODELET_R2C_ODD, 8, 22, 10, 22, 0, 0},     {FG_CODELET_R2C_ODD, 16, 66, 30, 66, 0, 0},
    {FG_CODELET_C2R_ODD, 8, 22, 12, 30, 0, 0},     {FG_CODELET_C2R_ODD, 16, 66, 32, 82, 0, 0},
    {FG_CODELET_DCT1, 9, 26, 9, 26, 0, 0},         {FG_CODELET_DCT1, 17, 68, 25, 68, 0, 0},
    {FG_CODELET_DCT2, 8, 26, 16, 34, 26, 16},      {FG_CODELET_DCT2, 16, 72, 40, 88, 72, 42},
    {FG_CODELET_DCT2, 32, 186, 98, 218, 186, 104}, {FG_CODELET_DCT3, 8, 26, 15, 26, 26, 15},
    {FG_CODELET_DCT3, 16, 72, 39, 72, 0, 0},       {FG_CODELET_DCT3, 32, 186, 97, 186, 0, 0},
    {FG_CODELET_DCT4, 8, 30, 24, 38, 30, 26},      {FG_CODELET_DCT4, 16, 82, 58, 98, 0, 0},
    {FG_CODELET_DST1, 7, 18, 9, 25, 0, 0},         {FG_CODELET_DST1, 15, 58, 25, 73, 0, 0},
    {FG_CODELET_DST2, 16, 72, 40, 88, 0, 0},       {FG_CODELET_DST3, 32, 186, 97, 186, 0, 0},
    {FG_CODELET_DST4, 8, 30, 24, 38, 0, 0},
};

static fg_op_count count_of(const bar *b, fg_fma_form form) {
  fg_context cx = begin();
  fg_codelet_key key = {.n = b->n, .sign = -1, .form = form};
  key.kind = b->kind;
  fg_op_count count = create(&cx, key)->count;
  assert_int_equal(count.neg, 0);
  fg_arena_destroy(cx.arena);
  return count;
}

static void counts_do_not_grow(void **unused) {
  (void)unused;
  print_message("kind         n | add/mul reached (reference) | fused form reached\n");
  for (size_t i = 0; i < sizeof BARS / sizeof *BARS; i++) {
    const bar *b = &BARS[i];
    fg_op_count plain = count_of(b, FG_FORM_ADD_MUL), fused = count_of(b, FG_FORM_FMA);
    int total = fused.add + fused.mul + fused.fma;
    print_message("%-10s %3d | %d/%d (%d/%d) | %d+%d+%d = %d\n", fg_codelet_kind_name(b->kind), b->n, plain.add,
                  plain.mul, b->ref_add, b->ref_mul, fused.add, fused.mul, fused.fma, total);
    assert_int_equal(plain.fma, 0);
    assert_true(plain.add <= b->add && plain.mul <= b->mul && total <= b->fused_total);
  }
}

/* Conjugating costs nothing: a column counts what the complex transform does. Nor
 * do signs, but for what is nothing else, and where a result is wanted in both. */
static void signs_are_free(void **unused) {
  (void)unused;
  int number = 0;
  for (int n = 3; n <= 32; n++)
    for (int kind = 0; kind < FG_CODELET_KINDS; kind++) {
      if (is_left_out(number++, 5)) continue;
      bool folds = kind == FG_CODELET_FOLD || kind == FG_CODELET_UNFOLD;
      if (kind == FG_CODELET_NEGATE || folds || (fg_codelet_even((fg_codelet_kind)kind) && n % 2)) continue;
      fg_context cx = begin();
      fg_codelet_key key = {.n = n, .sign = -1, .form = (fg_fma_form)(n & 1)}, plain = key;
      key.kind = (fg_codelet_kind)kind;
      fg_op_count count = create(&cx, key)->count;
      if (count.neg > (kind == FG_CODELET_R2C_MIDDLE))
        fail_msg("%s n=%d: %d sign changes", fg_codelet_kind_name(key.kind), n, count.neg);
      if (kind == FG_CODELET_R2C_COLUMN || kind == FG_CODELET_C2R_COLUMN) {
        fg_op_count like = create(&cx, plain)->count;
        assert_memory_equal(&count, &like, sizeof count);
      }
      fg_arena_destroy(cx.arena);
    }
}

/* ---- the rest ----------------------------------------------------------- */

static void schedules_are_complete(void **unused) {
  (void)unused;
  for (int kind = 0; kind < FG_CODELET_KINDS; kind++) {
    fg_context cx = begin();
    fg_codelet_key key = {.n = 12, .sign = 1};
    key.kind = (fg_codelet_kind)kind;
    const fg_codelet *c = create(&cx, key);
    const fg_schedule *s = fg_schedule_create(&cx, c);
    bool *done = fg_arena_new(cx.arena, bool, c->nnode);
    int expect = 0;
    for (int i = 0; i < c->nnode; i++) expect += !(done[i] = c->node[i].op == FG_OP_CONST);
    assert_int_equal(s->count, expect);
    for (int i = 0; i < s->count; i++) {
      const fg_dnode *x = &c->node[s->order[i]];
      fg_node operand[] = {x->a, x->b, x->c};
      assert_false(done[s->order[i]]);
      for (int k = 0; k < fg_op_operands(x->op); k++) assert_true(done[operand[k]]);
      done[s->order[i]] = true;
    }
    fg_arena_destroy(cx.arena);
  }
}

static void equal_keys_give_equal_nodes(void **unused) {
  (void)unused;
  for (int kind = 0; kind < FG_CODELET_KINDS; kind++) {
    fg_context a = begin(), b = begin();
    fg_codelet_key key = {.n = 14, .sign = 1, .form = (fg_fma_form)(kind & 1)};
    key.kind = (fg_codelet_kind)kind;
    fg_arena_alloc(b.arena, 12345); /* other addresses */
    assert_string_equal(fg_codelet_print(&a, create(&a, key)), fg_codelet_print(&b, create(&b, key)));
    fg_arena_destroy(a.arena);
    fg_arena_destroy(b.arena);
  }
}

static void kinds_have_names(void **unused) {
  (void)unused;
  for (int kind = 0; kind < FG_CODELET_KINDS; kind++) {
    fg_codelet_kind found;
    assert_true(fg_codelet_kind_find(fg_codelet_kind_name(kind), &found));
    assert_int_equal(found, kind);
  }
  fg_codelet_kind found = FG_CODELET_DCT3;
  assert_false(fg_codelet_kind_find("dct5", &found));
  assert_int_equal(found, FG_CODELET_DCT3);
}

static void bad_keys_are_refused(void **unused) {
  (void)unused;
  refuse((fg_codelet_key){.n = 1, .sign = 1, .kind = FG_CODELET_DCT1}, "2 to 128");
  refuse((fg_codelet_key){.n = 129, .sign = 1, .kind = FG_CODELET_DST4}, "1 to 128");
  refuse((fg_codelet_key){.n = 8, .sign = 1, .kind = FG_CODELET_R2C, .twiddle = FG_TW_IN}, "twiddle");
  refuse((fg_codelet_key){.n = 8, .sign = 1, .kind = FG_CODELET_C2R, .twiddle = FG_TW_OUT}, "twiddle");
  refuse((fg_codelet_key){.n = 8, .sign = 1, .kind = FG_CODELET_DCT2, .twiddle = FG_TW_OUT}, "twiddle");
  refuse((fg_codelet_key){.n = 8, .sign = 1, .kind = FG_CODELET_R2C_COLUMN, .twiddle = FG_TW_OUT_ALL}, "twiddle");
  refuse((fg_codelet_key){.n = 7, .sign = 1, .kind = FG_CODELET_DCT2, .algo = "rader"}, "does not apply");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_exact),
      cmocka_unit_test(every_row_computes_every_kind),
      cmocka_unit_test(pairs_are_columns),
      cmocka_unit_test(parts_are_transforms),
      cmocka_unit_test(every_kind_is_accurate),
      cmocka_unit_test(noise_is_foretold),
      cmocka_unit_test(primes_of_primes_round_little),
      cmocka_unit_test(columns_make_a_real_transform),
      cmocka_unit_test(counts_do_not_grow),
      cmocka_unit_test(signs_are_free),
      cmocka_unit_test(schedules_are_complete),
      cmocka_unit_test(equal_keys_give_equal_nodes),
      cmocka_unit_test(kinds_have_names),
      cmocka_unit_test(bad_keys_are_refused),
  };
  seed = (uint64_t)time(NULL);
  print_message("seed %llu\n", (unsigned long long)seed);
  if (!getenv("FFTGEN_ALL")) print_message("drawn by FFTGEN_SEED=%ld\n", drawn_day());
  return cmocka_run_group_tests(tests, NULL, NULL);
}
