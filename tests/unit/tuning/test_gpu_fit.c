/* The figures of GPUs, fitted: to times that other figures made, which it finds again; and what it refuses. */
#include "generator/cost/cost.h"
#include "generator/pipeline/pipeline.h"
#include "tuning/search/gpu_fit.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

#include "tests/unit/fixture.h"
#include "tests/unit/pace.h"

enum { MOST = 800 };
static fg_figure_sample sample[MOST];
static int count;

/* Every candidate of a few lengths, with the time that these figures say. */
static void measure(const fg_machine *m, const fg_gpu_costs *planted) {
  static const char *const problems[] = {
      "c2c f32 n=1000 batch=100000", "c2c f32 n=4096 batch=30000",   "c2c f32 n=720 batch=100000",
      "c2c f64 n=1200 batch=50000",  "c2c f32 n=65536 batch=2000",   "c2c f32 n=151 batch=500000",
      "c2c f32 n=409 batch=300000",  "c2c f32 n=120x90 batch=9000",  "c2c f64 n=30000 batch=2000",
      "r2c f32 n=5040 batch=20000",  "c2c f32 n=24x24x24 batch=900", "c2c f32 n=1009 batch=100000"};
  count = 0;
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
    fg_compilation *c = fg_arena_new(context.arena, fg_compilation, 1);
    const fg_request r = {.problem = problems[i], .target = "cuda", .machine = m};
    assert_int_equal(fg_pipeline_parse(&context, &r, c), FG_OK);
    assert_int_equal(fg_pipeline_decide(c), FG_OK);
    for (int k = 0; k < c->ncandidate && count < MOST; k++)
      sample[count++] = (fg_figure_sample){problems[i], fg_plan_print(&context, c->candidate[k].plan),
                                           1e-6 * (double)fg_cost_threads_by(c->candidate[k].program, planted), NULL};
  }
}

static fg_gpu_costs costs;

static fg_status fit(int samples, const volatile int *stop, fg_figure_fit *out) {
  const fg_gpu_fit_options o = {
      .machine = fg_machine_find("sm_90"), .target = "cuda", .sample = sample, .count = samples, .stop = stop};
  if (fg_arena_guard(context.arena)) fail();
  return fg_gpu_fit_run(&context, &o, &costs, out);
}

static void finds_the_figures_again(void **state) {
  (void)state;
  const fg_machine *m = fg_machine_find("sm_90");
  fg_gpu_costs planted = *fg_machine_gpu_costs(m);
  fg_figure_fit f;
  planted.instruction = planted.instruction * 8 / 5, planted.local = planted.local * 2 / 3, planted.block *= 2;
  if (fg_arena_guard(context.arena)) fail();
  measure(m, &planted);
  assert_int_equal(fit(count, NULL, &f), FG_OK);
  assert_int_equal(f.plans, count);
  assert_true(f.before.all > 0.1);
  assert_true(f.after.all < 0.7 * f.before.all);
  assert_true(f.apart.all < 0.9 * f.before.all);
  assert_true(f.after.choice <= f.before.choice && f.after.choice >= 1);
  assert_true(labs((long)(costs.instruction - planted.instruction)) < planted.instruction / 8);
  assert_int_equal(costs.full_batch, planted.full_batch); /* none of those that are fitted */
}

static void leaves_unknown_plans_out(void **state) {
  (void)state;
  if (IS_WATCHED) skip(); /* one plan less than the fit above */
  const fg_machine *m = fg_machine_find("sm_90");
  fg_figure_fit f;
  if (fg_arena_guard(context.arena)) fail();
  measure(m, fg_machine_gpu_costs(m));
  sample[0].plan = "stockham(7)";
  assert_int_equal(fit(count, NULL, &f), FG_OK);
  assert_int_equal(f.left_out, 1);
  assert_int_equal(f.plans, count - 1);
  assert_true(isnan(f.error[0]) && !isnan(f.error[1]));
  assert_true(f.before.all < 1e-9 && f.before.choice < 1 + 1e-9);
}

static void refuses(void **state) {
  (void)state;
  const fg_machine *m = fg_machine_find("sm_90");
  const volatile int stop = 1;
  fg_figure_fit f;
  if (fg_arena_guard(context.arena)) fail();
  measure(m, fg_machine_gpu_costs(m));
  assert_int_equal(fit(5, NULL, &f), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "allowed: from "));
  context.diag = (fg_diag){0};
  assert_int_equal(fit(count, &stop, &f), FG_ENA);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(finds_the_figures_again, setup, teardown),
      cmocka_unit_test_setup_teardown(leaves_unknown_plans_out, setup, teardown),
      cmocka_unit_test_setup_teardown(refuses, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
