/* Codelets: every row of the algorithm table at every n where it applies, both
 * signs, all twiddle kinds, both forms, against the definition of the DFT over a
 * prime field; the same graphs in floating point; operation counts; schedules. */
#include "generator/codelet/algo/algo.h"
#include "generator/codelet/schedule.h"
#include "generator/codelet/simplify.h"
#include "tests/unit/codelets.h"
#include "tests/unit/pace.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LARGEST = 64 };
static const fg_twiddle TWIDDLES[] = {FG_TW_NONE, FG_TW_IN, FG_TW_OUT, FG_TW_IN_ALL, FG_TW_OUT_ALL};
enum { TWIDDLE_COUNT = sizeof TWIDDLES / sizeof *TWIDDLES };
static uint64_t seed;

static fg_codelet_key key_of(int n, int sign, fg_twiddle twiddle, fg_fma_form form, const char *algo) {
  return (fg_codelet_key){.n = n, .sign = sign, .twiddle = twiddle, .form = form, .algo = algo};
}

/* The factor of element k that a twiddle kind asks for. */
static int twiddle_slot(fg_twiddle t, int k) {
  if (t == FG_TW_IN_ALL || t == FG_TW_OUT_ALL) return 2 * k;
  return t == FG_TW_NONE || k == 0 ? -1 : 2 * (k - 1);
}
static bool before(fg_twiddle t) { return t == FG_TW_IN || t == FG_TW_IN_ALL; }

/* ---- over a prime field ------------------------------------------------- */

typedef struct exact { /* a field and numbers in it */
  fg_field field;
  fg_gf in[2 * LARGEST], tw[2 * LARGEST], want[2 * LARGEST];
} exact;

static void expected(exact *x, const fg_codelet_key *key) {
  const fg_field *f = &x->field;
  int n = key->n;
  fg_gfc v[LARGEST], root[LARGEST];
  for (int k = 0; k < n; k++) {
    v[k] = (fg_gfc){x->in[2 * k], x->in[2 * k + 1]};
    root[k] = fg_gf_root(f, (int64_t)key->sign * k, n);
    int slot = twiddle_slot(key->twiddle, k);
    if (slot >= 0 && before(key->twiddle)) v[k] = fg_gfc_mul(f, v[k], (fg_gfc){x->tw[slot], x->tw[slot + 1]});
  }
  for (int k = 0; k < n; k++) {
    fg_gfc sum = {0, 0};
    for (int j = 0; j < n; j++) sum = fg_gfc_add(f, sum, fg_gfc_mul(f, v[j], root[j * k % n]));
    int slot = twiddle_slot(key->twiddle, k);
    if (slot >= 0 && !before(key->twiddle)) sum = fg_gfc_mul(f, sum, (fg_gfc){x->tw[slot], x->tw[slot + 1]});
    x->want[2 * k] = sum.re;
    x->want[2 * k + 1] = sum.im;
  }
}

static void check_exact(fg_context *cx, exact *x, const fg_codelet *c) {
  const char *why = "";
  if (!fg_codelet_valid(c, &why)) fail_msg("n=%d %s: %s", c->key.n, c->algo, why);
  if (x->field.order % fg_codelet_order(c)) fail_msg("n=%d %s: order", c->key.n, c->algo);
  if (c->count.neg) fail_msg("n=%d %s: a sign change that found no home", c->key.n, c->algo);
  fg_gf *work = fg_arena_new(cx->arena, fg_gf, c->nnode), got[2 * LARGEST];
  fg_codelet_eval_gf(c, &x->field, x->in, x->tw, got, work);
  expected(x, &c->key);
  if (memcmp(got, x->want, sizeof *got * (size_t)c->nout))
    fail_msg("n=%d %s sign=%d twiddle=%d form=%d is wrong", c->key.n, c->algo, c->key.sign, (int)c->key.twiddle,
             (int)c->key.form);
}

static void check_row_at(const fg_algo *row, int n) {
  fg_context base = begin();
  exact x;
  uint64_t state = seed ^ (uint64_t)n;
  assert_int_equal(fg_field_create(&base, fg_algo_order(n), fg_random(&state), &x.field), FG_OK);
  for (int i = 0; i < 2 * LARGEST; i++) {
    x.in[i] = fg_gf_random(&state);
    x.tw[i] = fg_gf_random(&state);
  }
  for (int i = 0; i < 4 * TWIDDLE_COUNT; i++) {
    fg_context cx = begin();
    fg_codelet_key key = key_of(n, i & 1 ? 1 : -1, TWIDDLES[i >> 2], i & 2 ? FG_FORM_FMA : FG_FORM_ADD_MUL, row->name);
    check_exact(&cx, &x, create(&cx, key));
    fg_arena_destroy(cx.arena);
  }
  fg_arena_destroy(base.arena);
}

/* Factors at each step by two, of any w. */
static void check_steps_of(exact *x, fg_context *cx, int n, int sign) {
  const fg_field *f = &x->field;
  fg_gfc power[LARGEST] = {{fg_gf_from(f, 1), 0}}, w = {x->tw[0], x->tw[1]}, factor[LARGEST];
  for (int k = 1; k < n; k++) power[k] = fg_gfc_mul(f, power[k - 1], w);
  factor[0] = power[n / 2];
  for (int p = 1; 4 * p <= n; p *= 2)
    for (int j = 0; j < p; j++) factor[p + j] = fg_gfc_mul(f, power[n / (4 * p)], fg_gf_root(f, sign * j, 4 * p));
  for (int form = 0; form < 2; form++) {
    const fg_codelet *c = create(cx, key_of(n, sign, FG_TW_STEPS, form, NULL));
    assert_int_equal(c->ntw, n);
    for (int k = 0; k < n / 2; k++) x->tw[2 * k] = factor[k].re, x->tw[2 * k + 1] = factor[k].im;
    fg_gf *work = fg_arena_new(cx->arena, fg_gf, c->nnode), got[2 * LARGEST];
    fg_codelet_eval_gf(c, f, x->in, x->tw, got, work);
    for (int k = 1; k < n; k++) x->tw[2 * k - 2] = power[k].re, x->tw[2 * k - 1] = power[k].im;
    expected(x, &(fg_codelet_key){.n = n, .sign = sign, .twiddle = FG_TW_IN});
    assert_memory_equal(got, x->want, sizeof *got * (size_t)c->nout);
    if (form == FG_FORM_FMA) assert_int_equal(c->count.fma, n * 3 * __builtin_ctz((unsigned)n)); /* and nothing else */
    if (form == FG_FORM_FMA) assert_int_equal(c->count.add + c->count.mul + c->count.neg, 0);
  }
}

static void steps_are_exact(void **unused) {
  (void)unused;
  for (int n = 4; n <= LARGEST; n *= 2)
    for (int sign = -1; sign <= 1; sign += 2) {
      fg_context cx = begin();
      exact x;
      uint64_t state = seed ^ (uint64_t)n;
      assert_int_equal(fg_field_create(&cx, fg_algo_order(n), fg_random(&state), &x.field), FG_OK);
      for (int i = 0; i < 2 * LARGEST; i++) {
        x.in[i] = fg_gf_random(&state);
        x.tw[i] = fg_gf_random(&state);
      }
      check_steps_of(&x, &cx, n, sign);
      fg_arena_destroy(cx.arena);
    }
}

static void every_row_is_exact(void **unused) {
  (void)unused;
  for (const fg_algo *row = fg_algo_table; row->name; row++) {
    int sizes = 0;
    for (int n = 1; n <= LARGEST; n++)
      if (row->applies(n) && !is_left_out(sizes++, 3)) check_row_at(row, n);
    assert_true(sizes > 0);
  }
  for (int n = 1; n <= fg_codelet_limit(); n++) {
    assert_true(fg_algo_order(n) > 0 && fg_algo_order(n) < (uint64_t)1 << 40);
    for (int form = 0; form < 2; form++) assert_non_null(fg_algo_best(n, form, false));
  }
}

/* The sizes above are checked in the best row only, against the recursive transform. */
static void large_sizes_are_exact(void **unused) {
  (void)unused;
  for (int n = LARGEST + 1; n <= fg_codelet_limit(); n += n < 120 ? 7 : 1) {
    fg_context cx = begin();
    const fg_codelet *c = create(&cx, (fg_codelet_key){.n = n, .sign = n & 1 ? 1 : -1, .form = n & 2});
    fg_field f;
    uint64_t state = seed, order = fg_integer_lcm(fg_codelet_order(c), fg_field_dft_order(n));
    assert_int_equal(fg_field_create(&cx, order, fg_random(&state), &f), FG_OK);
    fg_gfc *in = fg_arena_new(cx.arena, fg_gfc, n), *want = fg_arena_new(cx.arena, fg_gfc, n);
    fg_gfc *got = fg_arena_new(cx.arena, fg_gfc, n);
    for (int k = 0; k < n; k++) in[k] = (fg_gfc){fg_gf_random(&state), fg_gf_random(&state)};
    assert_int_equal(fg_field_dft(&cx, &f, n, c->key.sign, in, want), FG_OK);
    fg_codelet_eval_gf(c, &f, &in->re, NULL, &got->re, fg_arena_new(cx.arena, fg_gf, c->nnode));
    if (memcmp(got, want, sizeof *got * (size_t)n)) fail_msg("n=%d is wrong", n);
    fg_arena_destroy(cx.arena);
  }
}

/* ---- in floating point -------------------------------------------------- */

static void definition(int n, int sign, const long double *x, long double *y) {
  const long double turn = 2 * acosl(-1);
  for (int k = 0; k < n; k++) {
    y[2 * k] = y[2 * k + 1] = 0;
    for (int j = 0; j < n; j++) {
      long double c = cosl(turn * (j * k % n) / n), s = sign * sinl(turn * (j * k % n) / n);
      y[2 * k] += x[2 * j] * c - x[2 * j + 1] * s;
      y[2 * k + 1] += x[2 * j] * s + x[2 * j + 1] * c;
    }
  }
}

/* Relative errors in the root mean square over a few random inputs. */
static void errors(const fg_codelet *c, double *in_double, double *in_long) {
  long double x[2 * LARGEST], y[2 * LARGEST], want[2 * LARGEST], norm = 0, bad = 0, worse = 0;
  double xd[2 * LARGEST], yd[2 * LARGEST];
  uint64_t state = 17;
  for (int round = 0; round < 4; round++) {
    for (int i = 0; i < 2 * c->key.n; i++) x[i] = xd[i] = (double)(int64_t)fg_random(&state) * 0x1p-63;
    definition(c->key.n, c->key.sign, x, want);
    evaluate_double(c, xd, yd);
    evaluate_long(c, x, y);
    for (int i = 0; i < 2 * c->key.n; i++) {
      norm += want[i] * want[i];
      worse += (yd[i] - want[i]) * (yd[i] - want[i]);
      bad += (y[i] - want[i]) * (y[i] - want[i]);
    }
  }
  *in_double = (double)sqrtl(worse / norm);
  *in_long = (double)sqrtl(bad / norm);
}

static void every_row_is_accurate(void **unused) {
  (void)unused;
  for (const fg_algo *row = fg_algo_table; row->name; row++) {
    double worst = 0;
    int at = 1, number = 0;
    for (int n = 1; n <= LARGEST; n++)
      for (int form = 0; row->applies(n) && form < 2; form++) {
        if (is_left_out(number++, 5)) continue;
        fg_context cx = begin();
        double in_double, in_long;
        const fg_codelet *c = create(&cx, key_of(n, form ? 1 : -1, FG_TW_NONE, form, row->name));
        errors(c, &in_double, &in_long);
        if (in_double > worst) worst = in_double, at = n;
        if (in_double > 8e-16) fail_msg("n=%d %s form %d: error %g in double", n, row->name, form, in_double);
        if (in_long > 2e-18) fail_msg("n=%d %s form %d: error %g in long double", n, row->name, form, in_long);
        fg_arena_destroy(cx.arena);
      }
    print_message("%-13s largest error in double %.2e at n=%d\n", row->name, worst, at);
  }
}

/* What is asked to be accurate is never worse, and better where Rader's algorithm
 * rounds more than sums do; so are codelets with such a factor. */
static void accurate_is_accurate(void **unused) {
  (void)unused;
  for (int n = 3; n <= LARGEST; n++) {
    fg_context cx = begin();
    fg_codelet_key key = key_of(n, -1, FG_TW_NONE, FG_FORM_ADD_MUL, NULL);
    double fewest, least, unused_long;
    errors(create(&cx, key), &fewest, &unused_long);
    key.accurate = true;
    const fg_codelet *c = create(&cx, key);
    errors(c, &least, &unused_long);
    bool better = n % 17 == 0 || n % 19 == 0 || n % 29 == 0 || n % 31 == 0;
    if (better ? least > 0.95 * fewest : least > fewest) fail_msg("n=%d: %g, not %g", n, least, fewest);
    if (n == 17) assert_string_equal(c->algo, "symmetric");
    fg_arena_destroy(cx.arena);
  }
}

/* ---- operation counts --------------------------------------------------- */

typedef struct bar { /* what was reached, and what the reference generator needs; fma 0: not known */
  int n;
  fg_twiddle twiddle;
  int add, mul, fma_total;
  int ref_add, ref_mul, ref_fma_total;
} bar;

static const bar BARS[] = {
    {2, FG_TW_NONE, 4, 0, 4, 4, 0, 4},
    {3, FG_TW_NONE, 12, 4, 12, 12, 4, 12},
    {4, FG_TW_NONE, 16, 0, 16, 16, 0, 16},
    {5, FG_TW_NONE, 32, 12, 32, 32, 12, 32},
    {6, FG_TW_NONE, 36, 8, 36, 36, 8, 36},
    {7, FG_TW_NONE, 60, 36, 60, 60, 36, 60},
    {8, FG_TW_NONE, 52, 4, 52, 52, 4, 52},
    {9, FG_TW_NONE, 80, 40, 80, 80, 40, 80},
    {10, FG_TW_NONE, 84, 24, 84, 84, 24, 84},
    {11, FG_TW_NONE, 140, 100, 140, 140, 100, 140},
    {12, FG_TW_NONE, 96, 16, 96, 96, 16, 96},
    {13, FG_TW_NONE, 176, 68, 176, 176, 68, 176},
    {14, FG_TW_NONE, 148, 72, 148, 148, 72, 148},
    {15, FG_TW_NONE, 156, 56, 156, 156, 56, 156},
    {16, FG_TW_NONE, 144, 24, 144, 144, 24, 144},
    {17, FG_TW_NONE, 264, 108, 264, 296, 116, 296},
    {18, FG_TW_NONE, 196, 80, 196, 0, 0, 0},
    {19, FG_TW_NONE, 364, 204, 364, 428, 228, 428},
    {20, FG_TW_NONE, 208, 48, 208, 208, 48, 208},
    {24, FG_TW_NONE, 252, 44, 252, 252, 44, 0},
    {25, FG_TW_NONE, 352, 184, 352, 352, 184, 352},
    {27, FG_TW_NONE, 380, 220, 380, 380, 220, 0},
    {29, FG_TW_NONE, 656, 396, 656, 760, 396, 0},
    {31, FG_TW_NONE, 692, 316, 692, 804, 340, 0},
    {32, FG_TW_NONE, 372, 84, 372, 372, 84, 372},
    {36, FG_TW_NONE, 464, 160, 464, 464, 160, 0},
    {48, FG_TW_NONE, 624, 136, 624, 624, 136, 0},
    {60, FG_TW_NONE, 864, 224, 864, 864, 224, 0},
    {64, FG_TW_NONE, 912, 240, 912, 912, 240, 912},
    {4, FG_TW_IN, 22, 12, 28, 22, 12, 0},
    {8, FG_TW_IN, 66, 32, 80, 66, 32, 0},
    {16, FG_TW_IN, 174, 84, 204, 174, 84, 0},
    {32, FG_TW_IN, 434, 208, 496, 434, 208, 0},
    {32, FG_TW_OUT, 434, 208, 496, 434, 208, 0},
};

static fg_op_count count_of(int n, fg_twiddle twiddle, fg_fma_form form) {
  fg_context cx = begin();
  fg_op_count count = create(&cx, key_of(n, -1, twiddle, form, NULL))->count;
  assert_int_equal(count.neg, 0);
  fg_arena_destroy(cx.arena);
  return count;
}

static void counts_do_not_grow(void **unused) {
  (void)unused;
  print_message("  n tw | add/mul reached (reference) | fused form reached (reference)\n");
  for (size_t i = 0; i < sizeof BARS / sizeof *BARS; i++) {
    const bar *b = &BARS[i];
    fg_op_count plain = count_of(b->n, b->twiddle, FG_FORM_ADD_MUL), fused = count_of(b->n, b->twiddle, FG_FORM_FMA);
    int total = fused.add + fused.mul + fused.fma;
    print_message("%3d %2d | %d/%d (%d/%d) | %d+%d+%d = %d (%d)\n", b->n, (int)b->twiddle, plain.add, plain.mul,
                  b->ref_add, b->ref_mul, fused.add, fused.mul, fused.fma, total, b->ref_fma_total);
    assert_int_equal(plain.fma, 0);
    assert_true(plain.add <= b->add && plain.mul <= b->mul && total <= b->fma_total);
  }
}

/* ---- schedules ---------------------------------------------------------- */

static void check_schedule(fg_context *cx, const fg_codelet *c) {
  const fg_schedule *s = fg_schedule_create(cx, c);
  int *place = fg_arena_new(cx->arena, int, c->nnode), *last = fg_arena_new(cx->arena, int, c->nnode), expect = 0;
  for (int i = 0; i < c->nnode; i++) place[i] = last[i] = -1;
  for (int i = 0; i < c->nnode; i++) expect += c->node[i].op != FG_OP_CONST; /* all nodes are needed */
  assert_int_equal(s->count, expect);
  for (int i = 0; i < s->count; i++) {
    const fg_dnode *x = &c->node[s->order[i]];
    assert_int_equal(place[s->order[i]], -1);
    place[s->order[i]] = i;
    fg_node operand[] = {x->a, x->b, x->c};
    for (int k = 0; k < fg_op_operands(x->op); k++) {
      assert_true(c->node[operand[k]].op == FG_OP_CONST || place[operand[k]] >= 0);
      last[operand[k]] = i;
    }
    if (!fg_op_operands(x->op) && i + 1 < s->count) { /* a load precedes its first user or another load */
      const fg_dnode *user = &c->node[s->order[i + 1]];
      assert_true(!fg_op_operands(user->op) || user->a == s->order[i] || user->b == s->order[i] ||
                  user->c == s->order[i] || c->nnode == c->nin);
    }
  }
  for (int i = 0; i < c->nnode; i++) assert_int_equal(s->last_use[i], last[i]);
  assert_true(s->peak >= 1 && s->peak <= s->count);
  assert_true(s->spills32 <= s->spills16);
  if (s->peak <= 16) assert_int_equal(s->spills16, 0);
  if (s->peak <= 32) assert_int_equal(s->spills32, 0);
}

static void schedules_are_complete(void **unused) {
  (void)unused;
  for (int n = 1; n <= LARGEST; n += n < 20 ? 1 : 4)
    for (int i = 0; i < 6; i++) {
      fg_context cx = begin();
      check_schedule(&cx, create(&cx, key_of(n, -1, TWIDDLES[i >> 1], i & 1, NULL)));
      fg_arena_destroy(cx.arena);
    }
}

/* What the scheduler reached; 2 n + 1 values alive is the least for powers of two. */
static void registers_do_not_grow(void **unused) {
  (void)unused;
  static const struct {
    int n;
    fg_twiddle twiddle;
    int peak, spills16, spills32;
  } bars[] = {{4, FG_TW_IN, 9, 0, 0},      {8, FG_TW_NONE, 15, 0, 0},      {8, FG_TW_IN, 17, 1, 0},
              {16, FG_TW_NONE, 33, 17, 1}, {16, FG_TW_IN, 33, 22, 1},      {25, FG_TW_NONE, 51, 42, 19},
              {32, FG_TW_IN, 65, 71, 33},  {64, FG_TW_NONE, 129, 160, 100}};
  for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
    fg_context cx = begin();
    const fg_codelet *c = create(&cx, key_of(bars[i].n, -1, bars[i].twiddle, FG_FORM_FMA, NULL));
    const fg_schedule *s = fg_schedule_create(&cx, c);
    print_message("%3d %2d | at most %d alive, %d and %d spills\n", c->key.n, (int)c->key.twiddle, s->peak, s->spills16,
                  s->spills32);
    assert_true(s->peak <= bars[i].peak && s->spills16 <= bars[i].spills16 && s->spills32 <= bars[i].spills32);
    fg_arena_destroy(cx.arena);
  }
}

/* ---- the rest ----------------------------------------------------------- */

static void equal_keys_give_equal_nodes(void **unused) {
  (void)unused;
  static const int sizes[] = {8, 13, 25, 31, 60};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    fg_codelet_key key = key_of(sizes[i], 1, FG_TW_IN, FG_FORM_FMA, NULL);
    fg_context a = begin(), b = begin();
    fg_arena_alloc(b.arena, 12345); /* other addresses */
    const fg_codelet *x = create(&a, key), *y = create(&b, key);
    assert_int_equal(x->nnode, y->nnode);
    assert_memory_equal(x->node, y->node, sizeof *x->node * (size_t)x->nnode);
    assert_memory_equal(x->out, y->out, sizeof *x->out * (size_t)x->nout);
    assert_string_equal(fg_codelet_print(&a, x), fg_codelet_print(&b, y));
    assert_string_equal(fg_schedule_print(&a, x, fg_schedule_create(&a, x)),
                        fg_schedule_print(&b, y, fg_schedule_create(&b, y)));
    fg_arena_destroy(a.arena);
    fg_arena_destroy(b.arena);
  }
}

/* Whichever allocation fails, the recovery point is reached and nothing leaks. */
static void out_of_memory_comes_back(void **unused) {
  (void)unused;
  volatile long failures = 0, step = 1;
  volatile bool done = false;
  fg_codelet_key key = key_of(13, 1, FG_TW_IN, FG_FORM_FMA, NULL);
  for (volatile long n = 1; !done; n += step, step += n / 16) {
    fg_context cx = begin();
    if (fg_arena_guard(cx.arena)) {
      failures++;
    } else {
      const fg_codelet *c;
      fg_arena_fail_at(cx.arena, n);
      assert_int_equal(fg_codelet_create(&cx, &key, &c), FG_OK);
      fg_schedule_create(&cx, c);
      fg_codelet_print(&cx, c);
      done = true;
    }
    fg_arena_destroy(cx.arena);
  }
  assert_true(failures > 10);
}

static void bad_keys_are_refused(void **unused) {
  (void)unused;
  refuse((fg_codelet_key){.n = 0, .sign = 1}, "1 to 128");
  refuse((fg_codelet_key){.n = 129, .sign = 1}, "1 to 128");
  refuse((fg_codelet_key){.n = 8, .sign = 1, .algo = "nonsense"}, "does not exist");
  refuse((fg_codelet_key){.n = 8, .sign = 1, .algo = "rader"}, "does not apply");
}

static void broken_codelets_are_found(void **unused) {
  (void)unused;
  fg_context cx = begin();
  const fg_codelet *good = create(&cx, key_of(8, -1, FG_TW_IN, FG_FORM_ADD_MUL, NULL));
  for (int i = 0; i < good->nnode; i++) {
    fg_codelet bad = *good;
    const char *why = NULL;
    bad.node = fg_arena_copy(cx.arena, good->node, sizeof *good->node * (size_t)good->nnode);
    if (fg_op_operands(bad.node[i].op))
      bad.node[i].a = (fg_node)i; /* itself */
    else
      bad.node[i].slot = 1000000;
    assert_false(fg_codelet_valid(&bad, &why));
    assert_non_null(why);
    bad.node[i] = bad.node[i ? i - 1 : 1]; /* a twin */
    assert_false(fg_codelet_valid(&bad, &why));
  }
  fg_arena_destroy(cx.arena);
}

/* x = k a + k b, y = k a - k b, z = p (q a + r b) + x: the factors are taken out or multiplied in. */
static void factors_are_shared(void **unused) {
  (void)unused;
  fg_context cx = begin();
  fg_const_pool *pool = fg_const_pool_create(&cx);
  fg_dag *d = fg_dag_create(&cx, pool, 840, FG_FORM_ADD_MUL);
  fg_edge a = fg_dag_input(d, 0), b = fg_dag_input(d, 1);
  fg_const k = fg_const_cos(pool, 1, 5), q = fg_const_cos(pool, 1, 7), r = fg_const_sin(pool, 1, 7);
  assert_int_equal(fg_dag_add(d, a, fg_dag_neg(a)), FG_ZERO);
  assert_int_equal(fg_dag_sub(d, a, b), fg_dag_neg(fg_dag_sub(d, b, a)));
  assert_int_equal(fg_dag_scale(d, fg_const_neg(pool, k), a), fg_dag_neg(fg_dag_scale(d, k, a)));
  /* Equal by value, not by structure. */
  assert_int_equal(fg_dag_add(d, fg_dag_scale(d, k, a), fg_dag_scale(d, k, b)),
                   fg_dag_scale(d, k, fg_dag_add(d, a, b)));
  fg_edge out[2] = {fg_dag_add(d, fg_dag_scale(d, k, a), fg_dag_scale(d, k, b)),
                    fg_dag_scale(d, k, fg_dag_add(d, fg_dag_scale(d, q, a), fg_dag_scale(d, r, b)))};
  fg_network net = {d, 2, 1, out}, small = fg_simplify(&net);
  assert_int_equal(fg_network_count(&small).sums, 1);
  assert_int_equal(fg_network_count(&small).products, 1);
  /* Not where the products are needed anyway. */
  fg_edge both[3] = {out[0], fg_dag_scale(d, k, a), fg_dag_scale(d, k, b)};
  net = (fg_network){d, 2, 3, both};
  small = fg_simplify(&net);
  assert_int_equal(fg_network_count(&small).sums, 1);
  assert_int_equal(fg_network_count(&small).products, 2);
  net = (fg_network){d, 2, 1, out + 1};
  small = fg_simplify(&net);
  assert_int_equal(fg_network_count(&small).sums, 1);
  assert_int_equal(fg_network_count(&small).products, 2);
  fg_arena_destroy(cx.arena);
}

/* A transposed network computes the transposed matrix: e_i A e_j = e_j A^t e_i. */
static void transposing_transposes(void **unused) {
  (void)unused;
  fg_context cx = begin();
  enum { N = 7 };
  fg_dag *d = fg_dag_create(&cx, fg_const_pool_create(&cx), fg_algo_order(N), FG_FORM_ADD_MUL);
  fg_cedge x[N], y[N];
  fg_edge out[N + 2];
  for (int j = 0; j < N; j++) x[j] = (fg_cedge){fg_dag_input(d, (uint32_t)j), FG_ZERO};
  fg_algo_build(d, (fg_dft){N, -1}, x, y);
  for (int k = 0; k < N + 2; k++) out[k] = k & 1 ? y[k / 2].im : y[k / 2].re;
  fg_network net = {d, N, N + 2, out};
  for (int k = 0; k < N + 2; k++)
    for (int j = 0; j < N; j++) { /* the entry as coefficient of one input: equal edges or not */
      fg_dag *e = fg_dag_sibling(d);
      fg_edge one = fg_dag_input(e, 0), in[N] = {0}, there[N + 2], adjoint[N + 2] = {0}, back[N];
      in[j] = adjoint[k] = one;
      fg_network_apply(&net, e, in, there);
      fg_network_transpose(&net, e, adjoint, back);
      assert_int_equal(there[k], back[j]);
    }
  fg_arena_destroy(cx.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_exact),          cmocka_unit_test(every_row_is_exact),
      cmocka_unit_test(large_sizes_are_exact),    cmocka_unit_test(every_row_is_accurate),
      cmocka_unit_test(accurate_is_accurate),     cmocka_unit_test(counts_do_not_grow),
      cmocka_unit_test(schedules_are_complete),   cmocka_unit_test(registers_do_not_grow),
      cmocka_unit_test(out_of_memory_comes_back), cmocka_unit_test(equal_keys_give_equal_nodes),
      cmocka_unit_test(bad_keys_are_refused),     cmocka_unit_test(broken_codelets_are_found),
      cmocka_unit_test(factors_are_shared),       cmocka_unit_test(transposing_transposes),
  };
  seed = (uint64_t)time(NULL);
  print_message("seed %llu\n", (unsigned long long)seed);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
