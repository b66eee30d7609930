/* The testbed on a device of this file, whose modules are functions: right ones pass, in any layout, and each fault is
 * named. */
#include "generator/problem/problem.h"
#include "tuning/measure/drawn.h"
#include "tuning/measure/numbers.h"
#include "tuning/measure/reference.h"
#include "tuning/measure/testbed.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

enum fault { SOUND, NUMBER, BATCH, BEHIND, BETWEEN, CHANGES, SPECTRUM };

struct fg_module {
  const fg_drawn *drawn;
  enum fault fault;
};

/* Elements as pairs, of any layout. */
static double *take_in(const fg_drawn *d, const fg_call *call, int64_t t) {
  const fg_side *s = &d->in;
  double *x = calloc(2 * (size_t)s->count, sizeof *x);
  for (int64_t k = 0; k < s->count; k++) {
    int64_t at = fg_drawn_offset(s->dim + 2 * s->ndim, s->nbatch, t) + fg_drawn_offset(s->dim, s->ndim, k);
    bool real = s->per == 1 && s->nslot == 1;
    for (int part = 0; part < (real ? 1 : 2); part++)
      x[2 * k + part] =
          fg_numbers_get(s->type, call->slot[s->nslot == 2 ? part : 0], at * s->per + (s->per == 2 ? part : 0));
  }
  return x;
}

static void give_out(const fg_drawn *d, const fg_call *call, int64_t t, const long double *y) {
  const fg_side *s = &d->out;
  for (int64_t k = 0; k < s->count; k++) {
    int64_t at = fg_drawn_offset(s->dim + 2 * s->ndim, s->nbatch, t) + fg_drawn_offset(s->dim, s->ndim, k);
    bool real = s->per == 1 && s->nslot == 1;
    for (int part = 0; part < (real ? 1 : 2); part++)
      fg_numbers_put(s->type, call->slot[d->in.nslot + (s->nslot == 2 ? part : 0)],
                     at * s->per + (s->per == 2 ? part : 0), (double)y[2 * k + part]);
  }
}

/* The product with the spectrum of transform t, and back. */
static void convolve(const fg_drawn *d, const fg_call *call, int64_t t, fg_reference *back, long double *y) {
  int64_t n = d->spectrum.count, at = d->spectra > 1 ? t * n : 0;
  long double *z = calloc(2 * (size_t)n, sizeof *z);
  for (int64_t k = 0; k < n; k++) {
    long double re = fg_numbers_get(d->spectrum.type, call->given[0], 2 * (at + k));
    long double im = fg_numbers_get(d->spectrum.type, call->given[0], 2 * (at + k) + 1);
    z[2 * k] = y[2 * k] * re - y[2 * k + 1] * im;
    z[2 * k + 1] = y[2 * k] * im + y[2 * k + 1] * re;
  }
  fg_reference_run_wide(back, z, y);
  free(z);
}

static int run(fg_module *m, const fg_call *call, char why[FG_WHY_SIZE]) {
  const fg_drawn *d = m->drawn;
  const fg_problem *p = d->p;
  int64_t n[FG_MAX_RANK];
  bool conv = p->kind == FG_CONV;
  (void)why;
  for (int i = 0; i < p->rank; i++) n[i] = p->dim[i].n.n;
  fg_reference *r = fg_reference_create_real(conv ? FG_C2C : p->kind, p->rank, n, p->sign);
  fg_reference *back = conv ? fg_reference_create(p->rank, n, +1) : NULL;
  long double *y = calloc(2 * (size_t)d->out.count, sizeof *y);
  for (int64_t t = 0; t < d->transforms; t++) {
    /* Batch: all transforms are those of the first inputs, which are stored in another order. */
    double *x = take_in(d, call, m->fault == BATCH ? t / 2 : t);
    fg_reference_run(r, x, y);
    if (conv) convolve(d, call, m->fault == SPECTRUM ? 0 : t, back, y);
    if (m->fault == NUMBER && t == d->transforms - 1) y[2 * (d->out.count - 1)] += 1e-2L;
    give_out(d, call, t, y);
    free(x);
  }
  if (m->fault == CHANGES) fg_numbers_put(d->in.type, call->slot[0], 3, 0.25);
  if (m->fault == BEHIND) ((char *)call->slot[d->in.nslot])[call->bytes[d->in.nslot]] = 1;
  if (m->fault == BETWEEN) fg_numbers_put(d->out.type, call->slot[d->in.nslot], 3, 1); /* an odd element's */
  fg_reference_destroy(r), fg_reference_destroy(back);
  free(y);
  return 0;
}

static int time_module(fg_module *m, const fg_call *call, double seconds, double *ns, char why[FG_WHY_SIZE]) {
  (void)seconds;
  *ns = 100;
  return run(m, call, why);
}

static const fg_device device = {.name = "functions", .dialect = "c", .on_host = true, .run = run, .time = time_module};

static fg_verdict check(const char *problem, enum fault fault) {
  char why[FG_WHY_SIZE] = "";
  fg_context cx = {.arena = fg_arena_create()};
  fg_problem p;
  const fg_drawn *drawn;
  fg_testbed *bed;
  fg_verdict v;
  double ns;
  assert_int_equal(fg_problem_parse(&cx, problem, &p), FG_OK);
  if (fg_drawn_create(&cx, &p, NULL, 7, &drawn) != FG_OK) fail_msg("%s: %s", problem, cx.diag.message);
  assert_int_equal(fg_testbed_open(&device, drawn, &bed, why), 0);
  fg_module good = {drawn, SOUND}, m = {drawn, fault};
  assert_int_equal(fg_testbed_time(bed, &good, 0, 3, &ns, why), 0); /* leaves the arrays as it likes */
  assert_int_equal(fg_testbed_check(bed, &m, &v, why), 0);
  fg_verdict again; /* a fault is its module's, not the next one's */
  assert_int_equal(fg_testbed_check(bed, &good, &again, why), 0);
  if (!again.ok) fail_msg("%s: %s", problem, again.why);
  fg_testbed_close(bed);
  fg_arena_destroy(cx.arena);
  return v;
}

static void test_sound_modules_pass(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=12",
                                         "c2c f64 n=30 batch=19",
                                         "c2c f32 n=8:3:2 batch=5:40:20",
                                         "r2c f32 n=10 batch=9",
                                         "c2r f64 n=9 batch=3",
                                         "c2c f32 n=16 batch=40 place=in",
                                         "c2c f16 n=32 batch=3",
                                         "c2c f64 n=6x10 batch=4",
                                         "dct2 f64 n=20 batch=3",
                                         "r2c f32 n=6x8 batch=11",
                                         "c2c f32 n=20 batch=9 sign=+1",
                                         "conv f32 n=12 batch=40 spectrum=each",
                                         "conv f64 n=6x5 batch=9 spectrum=shared",
                                         "conv f16 n=8 batch=9 spectrum=each place=in"};
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
    fg_verdict v = check(problems[i], SOUND);
    if (!v.ok) fail_msg("%s: %s", problems[i], v.why);
    assert_true(v.l2 < 1e-2);
  }
}

static void expect(const char *problem, enum fault fault, const char *why) {
  fg_verdict v = check(problem, fault);
  if (v.ok || !strstr(v.why, why)) fail_msg("%s: '%s' is not in '%s'", problem, why, v.why);
}

static void test_faults_are_named(void **state) {
  (void)state;
  expect("c2c f32 n=12 batch=50", NUMBER, "1 of 1200 numbers are off");
  expect("c2c f32 n=12 batch=50", NUMBER, "the first in transform 49");
  expect("c2c f64 n=30 batch=19", BATCH, "numbers are off");
  expect("c2c f32 n=12 batch=50", BEHIND, "1 words that are no output");
  expect("c2c f32 n=8:1:2 batch=5:8:16", BETWEEN, "1 words that are no output");
  expect("c2c f32 n=12 batch=50", CHANGES, "it changed its input");
  expect("r2c f32 n=10 batch=9", NUMBER, "1 of 108 numbers are off");
  expect("conv f64 n=12 batch=40 spectrum=each", SPECTRUM, "numbers are off");
}

static void test_what_is_not_drawn(void **state) {
  (void)state;
  static const char *const problems[] = {"c2c f32 n=8 store=mag2",  "c2c f32 n=8 load=u8",
                                         "c2c f32 n=8 batch=4:2:8", "conv f32 n=8 batch=4x3 spectrum=channel",
                                         "stft f32 n=4:2:5x8",      "istft f32 n=4:5:2x8",
                                         "imdct f32 n=4x8",         "mdct f32 n=8 batch=4"};
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
    fg_context cx = {.arena = fg_arena_create()};
    fg_problem p;
    const fg_drawn *drawn;
    assert_int_equal(fg_problem_parse(&cx, problems[i], &p), FG_OK);
    assert_int_equal(fg_drawn_create(&cx, &p, NULL, 7, &drawn), FG_ENA);
    fg_arena_destroy(cx.arena);
  }
}

/* The second of two long inputs is the first one's, scaled. */
static void test_long_inputs_are_scaled(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  fg_problem p;
  const fg_drawn *d;
  assert_int_equal(fg_problem_parse(&cx, "r2c f32 n=6000000 batch=2", &p), FG_OK);
  assert_int_equal(fg_drawn_create(&cx, &p, NULL, 7, &d), FG_OK);
  assert_int_equal(d->distinct, 2);
  const float *in = d->input[0];
  for (int64_t i = 0; i < d->in.count; i++) assert_true(in[d->in.count + i] == -0.5F * in[i]);
  double sum = 0;
  for (int64_t i = 0; i < 2 * d->out.count; i++) {
    double y = d->truth[0][2 * d->out.count + i];
    assert_true(y == -0.5 * d->truth[0][i]);
    sum += y * y;
  }
  assert_float_equal(sum / d->norm[1], 1, 1e-9);
  fg_arena_destroy(cx.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sound_modules_pass), cmocka_unit_test(test_faults_are_named),
                                     cmocka_unit_test(test_what_is_not_drawn),
                                     cmocka_unit_test(test_long_inputs_are_scaled)};
  return cmocka_run_group_tests_name("testbed", tests, NULL, NULL);
}
