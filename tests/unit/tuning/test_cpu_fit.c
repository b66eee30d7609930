/* The figures of CPUs, fitted: to times that other figures made, which it finds again; and what it refuses. */
#include "generator/cost/cost.h"
#include "generator/ir/program_machine.h"
#include "generator/pipeline/pipeline.h"
#include "tuning/search/cpu_fit.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

#include "tests/unit/fixture.h"

enum { MOST = 400 };
static fg_figure_sample sample[MOST];
static int count;
static fg_device_facts facts;

/* Every candidate of a few problems, with the time that these costs say. */
static void measure(const fg_cpu_costs *planted) {
  static const char *const problems[] = {"c2c f32 n=64",  "c2c f32 n=360", "c2c f32 n=1000",  "c2c f32 n=1024",
                                         "c2c f64 n=100", "c2c f64 n=512", "c2c f32 n=48x48", "r2c f32 n=960",
                                         "c2c f64 n=729", "c2c f32 n=43"};
  count = 0;
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
    fg_compilation *c = fg_arena_new(context.arena, fg_compilation, 1);
    const fg_request r = {.problem = problems[i], .target = "c", .isa = "avx2"};
    assert_int_equal(fg_pipeline_parse(&context, &r, c), FG_OK);
    assert_int_equal(fg_pipeline_decide(c), FG_OK);
    for (int k = 0; k < c->ncandidate && count < MOST; k++) {
      fg_program p = *c->candidate[k].program;
      fg_machine m = *fg_program_machine(&p);
      fg_program_cost counts;
      m.costs = planted, p.machine = &m;
      fg_program_count(&p, &counts);
      sample[count++] = (fg_figure_sample){problems[i], fg_plan_print(&context, c->candidate[k].plan),
                                           1e-3 * (double)fg_cost_estimate(&p, &counts), "avx2"};
    }
  }
}

static fg_cpu_costs costs_of_avx2(void) {
  const fg_isa *isa = fg_isa_find("avx2");
  const fg_machine *m = fg_machine_find(isa->machine);
  return (fg_cpu_costs){.units = *fg_machine_unit_costs(m, isa->registers),
                        .caches = *fg_machine_cache_costs(m, fg_program_machine_l2(m)),
                        .moves = *fg_machine_move_costs(m)};
}

static fg_status fit(int samples, const volatile int *stop, fg_figure_fit *out) {
  const fg_cpu_fit_options o = {.facts = &facts, .sample = sample, .count = samples, .stop = stop};
  if (fg_arena_guard(context.arena)) fail();
  return fg_cpu_fit_run(&context, &o, out);
}

static int figure(const char *group, const char *name) {
  const fg_cpu_cost *table = fg_cpu_fit_table();
  for (int i = 0; table[i].name; i++)
    if (!strcmp(table[i].group, group) && !strcmp(table[i].name, name)) return i;
  fail_msg("no figure %s.%s", group, name);
  return 0;
}

static void finds_the_figures_again(void **state) {
  (void)state;
  fg_cpu_costs first = costs_of_avx2(), planted = first;
  fg_figure_fit f;
  planted.moves.shuffle *= 3, planted.units.kept *= 2;
  if (fg_arena_guard(context.arena)) fail();
  measure(&planted);
  assert_int_equal(fit(count, NULL, &f), FG_OK);
  assert_int_equal(f.plans, count);
  assert_true(f.after.all < 0.6 * f.before.all && f.apart.all < f.before.all);
  assert_true(f.after.choice <= f.before.choice && f.after.choice >= 1);
  assert_true(f.value[figure("moves", "shuffle")] > 2 * first.moves.shuffle);
  assert_int_equal(f.value[figure("caches", "associativity")], first.caches.associativity); /* not fitted */
}

static void stays_where_times_agree(void **state) {
  (void)state;
  fg_cpu_costs first = costs_of_avx2();
  fg_figure_fit f;
  if (fg_arena_guard(context.arena)) fail();
  measure(&first);
  sample[0].plan = "stockham(7)";
  assert_int_equal(fit(count, NULL, &f), FG_OK);
  assert_int_equal(f.left_out, 1);
  assert_true(f.before.all < 1e-9 && isnan(f.error[0]));
  assert_memory_equal(f.value, &first.units, sizeof(fg_cpu_costs) - offsetof(fg_cpu_costs, units));
}

static void refuses(void **state) {
  (void)state;
  fg_cpu_costs first = costs_of_avx2();
  const volatile int stop = 1;
  fg_figure_fit f;
  if (fg_arena_guard(context.arena)) fail();
  measure(&first);
  assert_int_equal(fit(5, NULL, &f), FG_EUSER);
  assert_non_null(strstr(context.diag.message, "allowed: from 8 on"));
  context.diag = (fg_diag){0};
  assert_int_equal(fit(count, &stop, &f), FG_ENA);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(finds_the_figures_again, setup, teardown),
      cmocka_unit_test_setup_teardown(stays_where_times_agree, setup, teardown),
      cmocka_unit_test_setup_teardown(refuses, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
