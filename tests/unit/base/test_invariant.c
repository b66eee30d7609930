/* Invariants of the generator, on in every build: a broken one ends its step with a status; and candidates
 * that turn out wrong, which give way to the next. */
#include "generator/base/invariant.h"
#include "generator/pipeline/pipeline.h"
#include "tests/unit/fixture.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static fg_status breaks(fg_context *cx, void *data) {
  (void)cx;
  int two = 2;
  fg_invariant(two == *(int *)data);
  return FG_ENA;
}

static void a_broken_one_is_a_status(void **state) {
  (void)state;
  int two = 2, three = 3;
  assert_int_equal(fg_invariant_run(&context, breaks, &two), FG_ENA);
  assert_string_equal(context.diag.message, "");
  assert_int_equal(fg_invariant_run(&context, breaks, &three), FG_EINTERNAL);
  assert_non_null(strstr(context.diag.message, "two == *(int *)data (test_invariant.c:"));
  assert_int_equal(fg_diag_exit_code(FG_EINTERNAL), 4);
  assert_null(fg_invariant_innermost());
}

static fg_status runs_another(fg_context *cx, void *data) {
  assert_int_equal(fg_invariant_run(cx, breaks, data), FG_EINTERNAL);
  fg_diag_clear(&cx->diag);
  fg_invariant(!"the outer one");
  return FG_OK;
}

static void runs_nest(void **state) {
  (void)state;
  int three = 3;
  assert_int_equal(fg_invariant_run(&context, runs_another, &three), FG_EINTERNAL);
  assert_non_null(strstr(context.diag.message, "the outer one"));
}

static fg_status runs_out_of_memory(fg_context *cx, void *data) {
  (void)data;
  fg_arena_fail_at(cx->arena, 1);
  fg_arena_alloc(cx->arena, 8);
  return FG_OK;
}

/* Memory that runs out leaves steps in the middle: they are no longer where broken invariants end. */
static void memory_ends_runs(void **state) {
  (void)state;
  fg_context own = {.arena = fg_arena_create()};
  if (!fg_arena_guard(own.arena)) {
    fg_invariant_run(&own, runs_out_of_memory, NULL);
    fail();
  }
  assert_null(fg_invariant_innermost());
  fg_arena_destroy(own.arena);
}

/* ---- candidates that are wrong -------------------------------------------------------- */

static int told;
static char last[256];

static void hear(void *self, const char *what) {
  (void)self;
  told++;
  strncpy(last, what, sizeof last - 1);
}

static void decided(const char *problem, const char *plan, fg_compilation *c) {
  fg_request request = {.problem = problem, .isa = "avx2", .plan = plan};
  told = 0;
  context.note = (fg_listener){hear, NULL};
  assert_int_equal(fg_pipeline_parse(&context, &request, c), FG_OK);
  assert_int_equal(fg_pipeline_decide(c), FG_OK);
}

/* The codelet's first two outputs change places: whatever the plan, a wrong transform. */
static void spoil(const fg_program *p) {
  fg_kernel *k = p->kernel[p->nkernel - 1];
  fg_stage *s = &k->stage[k->nstage - 1];
  fg_codelet *c = fg_arena_copy(context.arena, s->codelet, sizeof *c);
  c->out = fg_arena_copy(context.arena, c->out, sizeof *c->out * (size_t)c->nout);
  fg_node first = c->out[0];
  c->out[0] = c->out[2];
  c->out[2] = first;
  s->codelet = c;
}

static void wrong_candidates_give_way(void **state) {
  (void)state;
  fg_compilation c;
  decided("c2c f32 n=60", NULL, &c);
  int before = c.ncandidate;
  assert_true(before > 2);
  spoil(c.candidate[0].program);
  spoil(c.candidate[1].program);
  const fg_plan *third = c.candidate[2].plan;
  assert_int_equal(fg_pipeline_produce(&c), FG_OK);
  assert_true(c.proof.proved && c.text.proved);
  assert_ptr_equal(c.chosen.plan, third);
  assert_int_equal(c.ncandidate, before - 2);
  assert_int_equal(told, 2);
  assert_non_null(strstr(last, "is not that of the DFT"));
}

static void a_plan_that_was_asked_for_does_not(void **state) {
  (void)state;
  fg_compilation c;
  decided("c2c f32 n=60", "stockham(10,6)", &c);
  spoil(c.chosen.program);
  assert_int_equal(fg_pipeline_produce(&c), FG_EWRONG);
  assert_int_equal(told, 0);
  assert_non_null(strstr(context.diag.message, "stockham(10,6)"));
}

/* A stage whose lanes would be in two orders at once, which the emitter finds. */
static void broken_invariants_give_way(void **state) {
  (void)state;
  fg_compilation c;
  decided("c2c f32 n=64 store=window(hann)", NULL, &c);
  fg_program *p = c.candidate[0].program;
  bool permuted = false;
  for (int i = 0; i < p->nbuffer; i++) permuted = permuted || p->buffer[i].permuted;
  fg_kernel *k = p->kernel[p->nkernel - 1];
  fg_stage *s = &k->stage[k->nstage - 1];
  if (permuted) fail_msg("lane orders differ already");
  p->buffer[s->factors.twiddle.buffer].permuted = 8;
  assert_int_equal(fg_pipeline_produce(&c), FG_OK);
  assert_true(c.proof.proved && c.text.proved);
  assert_int_equal(told, 1);
  assert_non_null(strstr(last, "internal error: order != "));
  assert_non_null(strstr(last, "problem \"c2c f32 n=64 store=window(hann)\", plan "));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_broken_one_is_a_status, setup, teardown),
      cmocka_unit_test_setup_teardown(runs_nest, setup, teardown),
      cmocka_unit_test_setup_teardown(memory_ends_runs, setup, teardown),
      cmocka_unit_test_setup_teardown(wrong_candidates_give_way, setup, teardown),
      cmocka_unit_test_setup_teardown(a_plan_that_was_asked_for_does_not, setup, teardown),
      cmocka_unit_test_setup_teardown(broken_invariants_give_way, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
