/* Packages just in time whose candidates are wrong: they give way, as everywhere. The plugin is in this program, and
 * the step that decides between candidates is this test's, which spoils some of them. */
#include "generator/pipeline/pipeline.h"
#include "runtime/load/jit.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

const fg_jit *fftgen_jit(void);
fg_status __real_fg_pipeline_decide(fg_compilation *c);
fg_status __wrap_fg_pipeline_decide(fg_compilation *c);
fg_status __real_fg_pipeline_prove_emitted(fg_compilation *c);
fg_status __wrap_fg_pipeline_prove_emitted(fg_compilation *c);

static int spoiled, wrong_texts; /* how many candidates are wrong, and how many texts alone */
static bool unproved;            /* assembly, which the text takes the place of */
static char first[256];          /* the plan that was chosen first */

/* The codelet's first two outputs change places: whatever the plan, a wrong transform. */
static void spoil(fg_context *cx, const fg_program *p) {
  fg_kernel *k = p->kernel[p->nkernel - 1];
  fg_stage *s = &k->stage[k->nstage - 1];
  while (!s->codelet && s > k->stage) s--; /* copies are last */
  assert_non_null(s->codelet);
  fg_codelet *c = fg_arena_copy(cx->arena, s->codelet, sizeof *c);
  c->out = fg_arena_copy(cx->arena, c->out, sizeof *c->out * (size_t)c->nout);
  fg_node other = c->out[0];
  c->out[0] = c->out[2];
  c->out[2] = other;
  s->codelet = c;
}

/* The chosen one is first, so that the spoiled ones are those that are tried. */
fg_status __wrap_fg_pipeline_decide(fg_compilation *c) {
  fg_status status = __real_fg_pipeline_decide(c);
  if (status != FG_OK) return status;
  snprintf(first, sizeof first, "%s", fg_plan_print(c->cx, c->chosen.plan));
  if (spoiled) spoil(c->cx, c->chosen.program);
  for (int i = 0, n = 1; i < c->ncandidate && n < spoiled; i++)
    if (c->candidate[i].program != c->chosen.program) spoil(c->cx, c->candidate[i].program), n++;
  return status;
}

fg_status __wrap_fg_pipeline_prove_emitted(fg_compilation *c) {
  if (wrong_texts-- > 0) return fg_diag_set(&c->cx->diag, FG_EWRONG, "a wrong text");
  fg_status status = __real_fg_pipeline_prove_emitted(c);
  if (unproved) c->assembled = false;
  return status;
}

static const fg_device_facts facts = {.lanes_f32 = 1,
                                      .lanes_f64 = 1,
                                      .registers = 255,
                                      .has_f64 = true,
                                      .has_fma = true,
                                      .is_gpu_like = true,
                                      .local_bytes = 48 << 10,
                                      .max_threads = 1024,
                                      .cluster = 1};

static fg_jit_status make_for(const char *target, const char *plan, bool sure, fg_jit_bytes *out,
                              fg_jit_result *result) {
  fg_jit_order order = {
      .problem = "c2c f32 n=60 batch=8", .target = target, .plan = plan, .facts = &facts, .sure = sure};
  *result = (fg_jit_result){.address = ""};
  fg_jit_status status = fftgen_jit()->package(&order, out, result);
  return status == FG_JIT_BUILT ? fftgen_jit()->proved(out, result) : status;
}

static fg_jit_status make(const char *plan, bool sure, fg_jit_bytes *out, fg_jit_result *result) {
  return make_for("opencl", plan, sure, out, result);
}

static void expect(const char *plan, bool sure, fg_jit_status want, bool same_plan) {
  fg_jit_bytes out = {0};
  fg_jit_result result;
  char named[300];
  fg_jit_status status = make(plan, sure, &out, &result);
  if (status != want) fail_msg("%d, not %d: %s", (int)status, (int)want, result.message);
  snprintf(named, sizeof named, "\"plan\":\"%s\"", first);
  if (status == FG_JIT_BUILT && (strstr(out.bytes, named) != NULL) != same_plan) fail_msg("not the plan: %s", first);
  if (status != FG_JIT_BUILT && !*result.message) fail_msg("it does not say why");
  fftgen_jit()->release(&out);
}

static void what_is_right_is_handed_out(void **state) {
  (void)state;
  spoiled = wrong_texts = 0;
  expect(NULL, false, FG_JIT_BUILT, true);
  expect(NULL, true, FG_JIT_BUILT, true);
  expect("direct(60)", true, FG_JIT_BUILT, true);
}

static void wrong_programs_give_way(void **state) {
  (void)state;
  for (spoiled = 1; spoiled < 3; spoiled++) {
    wrong_texts = 0;
    expect(NULL, true, FG_JIT_BUILT, false);
  }
  spoiled = 1;
  expect("direct(60)", true, FG_JIT_REFUSED, true);
  spoiled = 1 << 20;
  expect(NULL, true, FG_JIT_REFUSED, true);
}

/* Who is not sure yet hears of it when the package is made, and asks again. */
static void wrong_texts_give_way(void **state) {
  (void)state;
  spoiled = 0;
  wrong_texts = 1;
  expect(NULL, false, FG_JIT_REFUSED, true);
  wrong_texts = 1;
  expect("direct(60)", false, FG_JIT_REFUSED, true);
  wrong_texts = 1 << 20;
  expect(NULL, false, FG_JIT_REFUSED, true);
}

static void assembly_that_is_not_proved_is_refused(void **state) {
  (void)state;
  fg_jit_bytes out = {0};
  fg_jit_result result;
  spoiled = wrong_texts = 0;
  fg_jit_status status = make_for("cuda", NULL, false, &out, &result);
  if (status == FG_JIT_FAILED && strstr(result.message, "no CUDA compiler")) skip();
  if (status != FG_JIT_BUILT) fail_msg("%s", result.message);
  fftgen_jit()->release(&out);
  unproved = true;
  status = make_for("cuda", NULL, false, &out, &result);
  if (status != FG_JIT_REFUSED || !strstr(result.message, "assembly of")) fail_msg("%d %s", status, result.message);
  fftgen_jit()->release(&out);
  unproved = false;
}

static const char *package_of(fg_jit_bytes *out) {
  fg_jit_result result;
  if (make(NULL, false, out, &result) != FG_JIT_BUILT) fail_msg("%s", result.message);
  return out->bytes;
}

/* The second one has codelets of the first. */
static void the_same_is_made_again(void **state) {
  (void)state;
  fg_jit_bytes a = {0}, b = {0};
  spoiled = wrong_texts = 0;
  assert_string_equal(package_of(&a), package_of(&b));
  fftgen_jit()->release(&a);
  assert_string_equal(package_of(&a), b.bytes);
  fftgen_jit()->release(&a);
  fftgen_jit()->release(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_right_is_handed_out), cmocka_unit_test(wrong_programs_give_way),
      cmocka_unit_test(wrong_texts_give_way),        cmocka_unit_test(assembly_that_is_not_proved_is_refused),
      cmocka_unit_test(the_same_is_made_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
