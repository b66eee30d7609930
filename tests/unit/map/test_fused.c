/* Fused convolutions: codelets against transforms one
 * after the other, and programs of blocks proved. */
#include "generator/codelet/algo/algo.h"
#include "generator/math/field.h"
#include "tests/unit/proving.h"

enum { MOST = 24, SLOTS = 8 * MOST };

typedef struct numbers {
  fg_field field;
  fg_gf in[SLOTS], tw[SLOTS], got[SLOTS], want[SLOTS];
} numbers;

static const fg_codelet *codelet(fg_codelet_kind kind, int n, int sign, fg_twiddle twiddle, int form) {
  const fg_codelet *c;
  fg_codelet_key key = {.kind = kind, .n = n, .sign = sign, .twiddle = twiddle, .form = (fg_fma_form)form};
  const char *why = "";
  if (fg_codelet_create(&context, &key, &c) != FG_OK) fail_msg("%s", context.diag.message);
  if (!fg_codelet_valid(c, &why)) fail_msg("%s", why);
  return c;
}

static void evaluate(const numbers *x, const fg_codelet *c, const fg_gf *in, fg_gf *out) {
  fg_codelet_eval_gf(c, &x->field, in, x->tw, out, fg_arena_new(context.arena, fg_gf, c->nnode));
}

static void multiply(const numbers *x, fg_gf *z, const fg_gf *tw, bool conjugate) {
  fg_gfc w = {tw[0], conjugate ? fg_gf_neg(&x->field, tw[1]) : tw[1]};
  fg_gfc y = fg_gfc_mul(&x->field, (fg_gfc){z[0], z[1]}, w);
  z[0] = y.re, z[1] = y.im;
}

static void by_parts(numbers *x, int n, int sign, fg_twiddle twiddle, bool alone) {
  fg_gf y[SLOTS];
  int inside = twiddle ? 2 * (n - 1) : 0;
  evaluate(x, codelet(FG_CODELET_C2C, n, sign, twiddle, 0), x->in, y);
  const fg_gf *first = x->in + (ptrdiff_t)2 * n;
  fg_gf *last = x->want + (ptrdiff_t)2 * n;
  for (int i = 0; i < 2; i++) last[i] = fg_gf_add(&x->field, y[i], first[i]);
  for (int k = 0; k < n; k++) multiply(x, y + (ptrdiff_t)2 * k, x->tw + inside + (ptrdiff_t)2 * k, false);
  for (int i = 0; alone && i < 2; i++) y[i] = fg_gf_add(&x->field, y[i], first[i]);
  evaluate(x, codelet(FG_CODELET_C2C, n, -sign, FG_TW_NONE, 0), y, x->want);
  for (int k = 1; twiddle && k < n; k++) multiply(x, x->want + (ptrdiff_t)2 * k, x->tw + (ptrdiff_t)2 * (k - 1), true);
}

static void one_codelet_does_both(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (int n = 1; n <= MOST; n++)
    for (int i = 0; i < 4; i++) {
      bool alone = i & 1;
      fg_twiddle twiddle = i & 2 ? FG_TW_IN : FG_TW_NONE;
      numbers *x = fg_arena_new(context.arena, numbers, 1);
      assert_int_equal(fg_field_create(&context, fg_algo_order(n), fg_random(&seed), &x->field), FG_OK);
      for (int s = 0; s < SLOTS; s++) x->in[s] = fg_gf_random(&seed);
      for (int s = 0; s < SLOTS; s++) x->tw[s] = fg_gf_random(&seed);
      int sign = n % 2 ? 1 : -1;
      const fg_codelet *c = codelet(alone ? FG_CODELET_RADER : FG_CODELET_CONVOLVE, n, sign, twiddle, n / 2 % 2);
      assert_int_equal(c->nin, 2 * (n + alone));
      assert_int_equal(c->ntw, 2 * (twiddle ? 2 * n - 1 : n));
      evaluate(x, c, x->in, x->got);
      by_parts(x, n, sign, twiddle, alone);
      if (memcmp(x->got, x->want, sizeof(fg_gf) * (size_t)c->nout)) fail_msg("%d points, case %d", n, i);
    }
}

/* Half a spectrum has the factors of the conjugates, and those that are their own are real. */
static void half_a_spectrum_has_all_factors(void **state) {
  (void)state;
  uint64_t seed = 7;
  for (int n = 2; n <= MOST; n += 2)
    for (int first = 0; first < 2; first++) {
      numbers *x = fg_arena_new(context.arena, numbers, 1);
      fg_codelet_kind kind = first ? FG_CODELET_CONVOLVE_FIRST : FG_CODELET_CONVOLVE_TWO;
      const fg_codelet *half = codelet(kind, n, -1, FG_TW_NONE, 0);
      assert_int_equal(fg_field_create(&context, fg_algo_order(n), fg_random(&seed), &x->field), FG_OK);
      for (int s = 0; s < SLOTS; s++) x->in[s] = fg_gf_random(&seed);
      for (int s = 0; s < SLOTS; s++) x->tw[s] = fg_gf_random(&seed);
      assert_int_equal(half->ntw, first ? n + 2 : 2 * n);
      evaluate(x, half, x->in, x->got);
      if (first) x->tw[1] = x->tw[n + 1] = 0;
      for (int k = n / 2 + first; k < n; k++) {
        int from = first ? n - k : k;
        fg_gf re = x->tw[2 * from], im = fg_gf_sub(&x->field, 0, x->tw[2 * from + 1]);
        x->tw[2 * k] = re, x->tw[2 * k + 1] = im;
      }
      evaluate(x, codelet(FG_CODELET_CONVOLVE, n, -1, FG_TW_NONE, 0), x->in, x->want);
      if (memcmp(x->got, x->want, sizeof(fg_gf) * (size_t)half->nout)) fail_msg("%d points, kind %d", n, (int)kind);
    }
}

/* Zeros behind the inputs are no operations: the same results from fewer. */
static void missing_inputs_are_zeros(void **state) {
  (void)state;
  uint64_t seed = 11;
  for (int n = 2; n <= MOST; n++)
    for (int inputs = 1; inputs < n; inputs += 3) {
      numbers *x = fg_arena_new(context.arena, numbers, 1);
      assert_int_equal(fg_field_create(&context, fg_algo_order(n), fg_random(&seed), &x->field), FG_OK);
      for (int s = 0; s < SLOTS; s++) x->in[s] = fg_gf_random(&seed);
      for (int s = 0; s < SLOTS; s++) x->tw[s] = fg_gf_random(&seed);
      fg_codelet_key key = {.n = n, .sign = -1, .twiddle = FG_TW_IN_ALL, .form = FG_FORM_FMA, .inputs = inputs};
      const fg_codelet *few, *all = codelet(FG_CODELET_C2C, n, -1, FG_TW_IN_ALL, FG_FORM_FMA);
      assert_int_equal(fg_codelet_create(&context, &key, &few), FG_OK);
      evaluate(x, few, x->in, x->got);
      memset(x->in + (ptrdiff_t)2 * inputs, 0, sizeof(fg_gf) * (size_t)(2 * (n - inputs)));
      evaluate(x, all, x->in, x->want);
      if (memcmp(x->got, x->want, sizeof(fg_gf) * (size_t)few->nout)) fail_msg("%d of %d points", inputs, n);
      assert_true(few->count.add + few->count.fma < all->count.add + all->count.fma);
    }
}

/* What is not wanted is not computed: the first results, from fewer operations. */
static void missing_outputs_are_not_computed(void **state) {
  (void)state;
  uint64_t seed = 13;
  for (int n = 2; n <= MOST; n++)
    for (int outputs = 1; outputs < n; outputs += 3) {
      numbers *x = fg_arena_new(context.arena, numbers, 1);
      assert_int_equal(fg_field_create(&context, fg_algo_order(n), fg_random(&seed), &x->field), FG_OK);
      for (int s = 0; s < SLOTS; s++) x->in[s] = fg_gf_random(&seed);
      fg_codelet_key key = {.n = n, .sign = 1, .form = FG_FORM_FMA, .outputs = outputs};
      const fg_codelet *few, *all = codelet(FG_CODELET_C2C, n, 1, FG_TW_NONE, FG_FORM_FMA);
      assert_int_equal(fg_codelet_create(&context, &key, &few), FG_OK);
      assert_int_equal(few->nout, 2 * outputs);
      evaluate(x, few, x->in, x->got);
      evaluate(x, all, x->in, x->want);
      if (memcmp(x->got, x->want, sizeof(fg_gf) * (size_t)few->nout)) fail_msg("%d of %d points", outputs, n);
      assert_true(few->count.add + few->count.fma < all->count.add + all->count.fma);
    }
}

static const fg_mapping blocks = OF_THREADS(.local_bytes = 48 << 10, .cluster = 1);

static fg_program *assembled(const char *problem, const char *plan) { return assembled_for(problem, plan, &blocks); }

/* On CPUs: the chirp, zeros if there are any, passes but the last there and back, one for both, the chirp. */
static void lanes_meet(void **state) {
  (void)state;
  static const fg_mapping lanes = {.lanes = 8, .registers = 32, .fma = true};
  static const struct {
    const char *problem, *plan;
    int stages, first;
  } programs[] = {
      {"c2c f32 n=37 sign=+1", "bluestein(128,stockham(8,4,4))", 8, 3}, /* rows of 16 columns: 3, with 11 zeros */
      {"c2c f32 n=48", "bluestein(128,stockham(8,16))", 5, 3},          /* no zeros */
      {"c2c f64 n=29 batch=3", "bluestein(60,stockham(6,10))", 6, 3},
      {"c2c f64 n=13 place=in", "bluestein(25,stockham(5,5))", 6, 3},
      {"r2c f32 n=37", "bluestein(80,stockham(8,10))", 7, 4},
      {"c2r f32 n=37", "bluestein(80,stockham(8,10))", 8, 4},
  };
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    for (int scalars = 0; scalars < 2; scalars++) {
      const fg_program *p = assembled_for(programs[i].problem, programs[i].plan, scalars ? &scalar : &lanes);
      must_hold(p);
      const fg_kernel *k = p->kernel[0];
      if (scalars && k->nstage != programs[i].stages) fail_msg("%s: %d stages", programs[i].plan, k->nstage);
      int ends = 0;
      for (int s = 0; s < k->nstage; s++) {
        const fg_codelet *c = k->stage[s].codelet;
        ends += c && (c->key.inputs == programs[i].first || c->key.outputs == programs[i].first);
      }
      if (scalars && ends != 2) fail_msg("%s: %d ends", programs[i].plan, ends);
    }
}

static void programs_are_proved(void **state) {
  (void)state;
  static const struct {
    const char *problem, *plan;
    int stages;
  } programs[] = {
      {"c2c f32 n=11 batch=count[1..100]", "rader(11,stockham(5,2))", 5},
      {"c2c f64 n=37 sign=+1 batch=9", "rader(37,stockham(4,3,3))", 7},
      {"c2c f32 n=23 place=in batch=5", "rader(23,stockham(6,8))", 5}, /* padded */
      {"c2c f32 n=17:3:2 batch=count[1..7]:60:40", "rader(17,stockham(4,4))", 5},
      {"c2c f32 n=61 layout=split batch=4", "rader(61,stockham(15,4))", 5},
      {"c2c f32 n=31 batch=count[1..100]", "rader(31,prime-factor(direct(6),direct(5)))", 5},
      {"c2c f64 n=61:3:2 sign=+1 batch=7", "rader(61,prime-factor(direct(4),prime-factor(direct(5),direct(3))))", 7},
      {"c2c f32 n=421 layout=split batch=3",
       "rader(421,prime-factor(prime-factor(direct(4),direct(3)),prime-factor(direct(7),direct(5))))", 9},
      {"c2c f32 n=31 place=in batch=5", "rader(31,prime-factor(direct(10),direct(3)))", 5},
      {"c2c f32 n=17 batch=count[1..9]", "bluestein(32,stockham(8,4))", 3}, /* 2 n - 2 points */
      {"c2c f32 n=23 batch=count[1..50]", "bluestein(45,stockham(9,5))", 3},
      {"c2c f32 n=23 batch=count[1..50]", "bluestein(64,stockham(8,8); products=on)", 3},
      {"c2c f64 n=30:1:2 sign=+1 batch=3", "bluestein(60,stockham(5,4,3))", 5},
      {"c2c f16 n=13 batch=100", "rader(13,stockham(4,3))", 5},
      {"c2c f32 n=11 batch=count[1..9]", "dense(11)", 4},
      {"c2c f64 n=29 sign=+1 place=in batch=70", "dense(29; threads=4, group=32)", 4},
      {"c2c f32 n=9:2:3 layout=split batch=3", "dense(9)", 4},
      {"c2c f32 n=257 batch=count[1..3]", "rader(257,four-step(stockham(4,4),stockham(4,4)))", 9},
      {"c2c f64 n=17 place=in batch=2", "rader(17,four-step(direct(4),stockham(2,2)))", 7},
      {"c2c f32 n=101:3:2 sign=+1 batch=count[1..3]:400:300", "bluestein(216,four-step(direct(12),stockham(6,3)))", 5},
      {"c2c f32 n=50 batch=2", "bluestein(128,four-step(stockham(4,4),stockham(4,2)))", 7},
      {"c2c f32 n=6x13", "nd(direct(6), rader(13,stockham(4,3)))", 6},
      {"c2c f32 n=352", "four-step(direct(16), cooley-tukey(2, rader(11,stockham(5,2))))", 8}, /* between columns */
      {"c2c f64 n=16x22 batch=2", "nd(direct(16), cooley-tukey(2, rader(11,stockham(5,2))))", 7},
  };
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    const fg_program *p = assembled(programs[i].problem, programs[i].plan);
    int stages = 0;
    for (int k = 0; k < p->nkernel; k++) stages += p->kernel[k]->nstage;
    if (stages != programs[i].stages) fail_msg("%s: %d stages", programs[i].plan, stages);
    must_hold(p);
  }
}

/* The convolution alone would fit, what is around it does not: kernels of single passes,
 * whose blocks wait for nobody, so that none works in place. */
static void what_does_not_fit_is_apart(void **state) {
  (void)state;
  static const char *const programs[][2] = {{"dct2 f64 n=46", "trig(real(2, bluestein(48, stockham(8,6))))"},
                                            {"dst3 f64 n=46 batch=3", "trig(real(2, rader(23, stockham(11,2))))"},
                                            {"dct2 f64 n=62", "trig(real(2, rader(31, stockham(6,5))))"}};
  fg_mapping little = blocks;
  little.local_bytes = 800;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    const fg_program *p = assembled_for(programs[i][0], programs[i][1], &little);
    assert_true(p->nkernel > 4);
    must_hold(p);
  }
}

/* The middle takes and leaves its columns alone: no barrier inside. */
static void columns_wait_for_nobody(void **state) {
  (void)state;
  const fg_program *p = assembled("c2c f32 n=61 batch=count[1..100]", "rader(61,stockham(15,4))");
  const fg_stage *s = p->kernel[0]->stage;
  assert_int_equal(s[1].exchange.between.scope, FG_SCOPE_BLOCK);
  assert_int_equal(s[2].exchange.between.scope, FG_SCOPE_NONE);
  assert_int_equal(s[3].exchange.between.scope, FG_SCOPE_BLOCK);
}

/* Without twiddle factors all passes do; rows are permuted as they are loaded and stored. */
static void arrays_wait_for_nobody(void **state) {
  (void)state;
  const fg_program *p = assembled("c2c f32 n=61 batch=9", "rader(61,prime-factor(direct(4),direct(15)))");
  const fg_kernel *k = p->kernel[0];
  for (int i = 0; i < k->nstage; i++) assert_int_equal(k->stage[i].exchange.between.scope, FG_SCOPE_NONE);
  assert_true(k->stage[0].store.index.lookup >= 0 && k->stage[k->nstage - 1].load.index.lookup >= 0);
  assert_false(k->stage[1].factors.has_twiddle || k->stage[3].factors.has_twiddle);
}

/* Tables too large to stay in a cache are read by blocks of one row after the other. */
static void large_rows_share_tables(void **state) {
  (void)state;
  fg_mapping large = blocks;
  large.local_bytes = 227 << 10;
  const fg_program *p =
      assembled_for("c2c f32 n=262147 batch=3", "bluestein(524800,four-step(stockham(16,16),stockham(41,50)))", &large);
  assert_int_equal(p->nkernel, 3);
  for (int i = 0; i < 3; i++) {
    const fg_kernel *k = p->kernel[i];
    assert_int_equal(k->digit[k->outer[k->nouter - 1]].batch, i == 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(one_codelet_does_both, setup, teardown),
      cmocka_unit_test_setup_teardown(half_a_spectrum_has_all_factors, setup, teardown),
      cmocka_unit_test_setup_teardown(missing_inputs_are_zeros, setup, teardown),
      cmocka_unit_test_setup_teardown(missing_outputs_are_not_computed, setup, teardown),
      cmocka_unit_test_setup_teardown(lanes_meet, setup, teardown),
      cmocka_unit_test_setup_teardown(programs_are_proved, setup, teardown),
      cmocka_unit_test_setup_teardown(what_does_not_fit_is_apart, setup, teardown),
      cmocka_unit_test_setup_teardown(large_rows_share_tables, setup, teardown),
      cmocka_unit_test_setup_teardown(columns_wait_for_nobody, setup, teardown),
      cmocka_unit_test_setup_teardown(arrays_wait_for_nobody, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
