/* Batches in batch-major order: one transform after the other through all passes, in memory of one. */
#include "tests/unit/isa_program.h"
#include "tests/unit/mutate.h"

typedef struct batch {
  const char *isa, *problem, *plan; /* the plan without its last bracket */
} batch;

static const batch batches[] = {
    {"avx2", "conv f64 n=64 batch=9", "convolve(four-step(stockham(4,2), stockham(4,2))"},
    {"znver4", "conv f32 n=4096 batch=9 spectrum=each", "convolve(four-step(stockham(16,16), direct(16))"},
    {"avx512", "rconv f64 n=4096 batch=9", "convolve(real(8, four-step(stockham(8,4), stockham(4,4)))"},
    {"avx2", "c2c f64 n=64 batch=count[1..9]", "four-step(stockham(4,2), stockham(4,2)"},
    {"avx512", "c2c f32 n=240x400 batch=9", "nd(stockham(16,15), stockham(16,25)"},
    {"znver4", "conv f64 n=64x256 batch=2x5 filter=each", "nd(convolve(stockham(8,8)), stockham(16,16)"},
    {"avx2", "r2c f64 n=8192 batch=9", "real(8, four-step(stockham(8,4), direct(32))"},
    {"znver4", "c2c f32 n=1024 batch=10 place=in", "four-step(stockham(8,4), stockham(8,4)"},
};
enum { BATCHES = sizeof batches / sizeof *batches };

static fg_program *ordered(const batch *b, const char *order) {
  return program_for(b->isa, b->problem, fg_arena_printf(context.arena, "%s; batch_major=%s)", b->plan, order));
}

static int64_t workspace_of(const fg_program *p, bool all) {
  int64_t bytes = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    if (b->alias < 0 && (b->space == FG_SPACE_WORK || (all && b->space == FG_SPACE_LOCAL))) bytes += fg_buffer_bytes(b);
  }
  return bytes;
}

static void one_kernel_has_all(void **state) {
  (void)state;
  for (int i = 0; i < BATCHES; i++) {
    const fg_program *apart = ordered(&batches[i], "off"), *p = ordered(&batches[i], "on");
    bool one = apart->nkernel > 1 && p->nkernel == 1 && fg_program_sections(p) == apart->nkernel;
    if (!one) fail_msg("%s: %d kernels", batches[i].problem, p->nkernel);
    assert_int_equal(workspace_of(p, false), 0);
    assert_true(workspace_of(p, true) <= workspace_of(apart, true));
    must_hold(p);
    text_must_hold(p, batches[i].isa);
  }
}

/* The loops are the same, one around all others. */
static void loops_are_around_all(void **state) {
  (void)state;
  const char *text = text_for("znver4", "conv f64 n=4096 batch=9",
                              "convolve(four-step(stockham(8,8), stockham(8,8)); batch_major=on)");
  const char *around = strstr(text, "\n  for (ptrdiff_t b = 0; b < 9; ++b) {\n    for (ptrdiff_t t = 0; t < ");
  assert_non_null(around);
  assert_int_equal(occurrences(around, "b < 9"), 1);
  assert_int_equal(occurrences(around, "\n    for (ptrdiff_t t = 0; t < "), 3);
}

/* Threads take a part of the transforms each, with scratch of their own. */
static void threads_share_transforms(void **state) {
  (void)state;
  const fg_program *p = program_for("znver4", "conv f64 n=4096 batch=64",
                                    "convolve(four-step(stockham(16,16), direct(16)); parallel_split=on)");
  assert_int_equal(p->nkernel, 1);
  assert_int_equal(p->kernel[0]->vectors.part, 1 + p->kernel[0]->outer[0]);
  text_must_hold(p, "znver4");
}

/* Where one has room and all have not; not a few, which threads could share out better. */
static void where_it_is_worth_it(void **state) {
  (void)state;
  static const struct {
    const char *isa, *problem, *plan;
    int kernels;
  } all[] = {
      {"znver4", "conv f64 n=4096 batch=100", "convolve(four-step(stockham(16,16), direct(16)))", 1},
      {"znver4", "conv f64 n=4096 batch=count[1..100]", "convolve(four-step(stockham(16,16), direct(16)))", 1},
      {"znver4", "conv f64 n=4096 batch=7", "convolve(four-step(stockham(16,16), direct(16)))", 3},
      {"znver4", "conv f32 n=4096 batch=10", "convolve(four-step(stockham(16,16), direct(16)))", 3},
      {"znver4", "conv f64 n=262144 batch=8", "convolve(four-step(stockham(32,16), stockham(16,32)))", 3},
      {"znver4", "c2c f64 n=65536 batch=16", "four-step(stockham(16,16), stockham(16,16))", 1},
      {"znver4", "rconv f64 n=32768 batch=56", "convolve(real(8, four-step(stockham(8,8), stockham(8,8))))", 1},
      {"znver4", "conv f64 n=64x64 batch=100", "nd(convolve(stockham(8,8)), stockham(8,8))", 3}, /* rows in values */
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const fg_program *p = program_for(all[i].isa, all[i].problem, all[i].plan);
    if (p->nkernel != all[i].kernels) fail_msg("%s: %d kernels", all[i].problem, p->nkernel);
  }
}

/* ---- what is wrong is found ------------------------------------------------------------ */

static void is_refused(const fg_program *p, const char *what) {
  if (proof_of(p).proved) fail_msg("%s is proved", what);
}

/* A transform less, one twice, tiles less, and stages in whose place is another section's memory. */
static void faults_are_found(void **state) {
  (void)state;
  for (int i = 0; i < BATCHES; i++) {
    if (strstr(batches[i].problem, "count")) continue;
    const fg_program *p = ordered(&batches[i], "on");
    for (int fault = 0; fault < 4; fault++) {
      fg_program *q = mutate_copy(&context, p);
      fg_kernel *k = q->kernel[0];
      fg_digit *batch = &k->digit[k->outer[k->nouter - 1]];
      fg_stage *last = &k->stage[k->nstage - 1];
      if (fault == 0) batch->extent = fg_num_const(batch->extent.n - 1);
      if (fault == 1) batch->last = batch->extent.n - 2; /* the last one is the one before it */
      if (fault == 2) k->digit[k->stage[0].loop[0]].extent.n--;
      if (fault == 3) last->load.index.at.offset.n++;
      is_refused(q, fg_arena_printf(context.arena, "%s with fault %d", batches[i].problem, fault));
    }
  }
}

/* Memory of one transform that holds what the one before left. */
static void late_sections_are_found(void **state) {
  (void)state;
  const fg_program *p = ordered(&batches[0], "on");
  fg_program *q = mutate_copy(&context, p);
  fg_kernel *k = q->kernel[0];
  fg_stage first = k->stage[0];
  for (int s = 0; s + 1 < k->nstage; s++) k->stage[s] = k->stage[s + 1];
  k->stage[k->nstage - 1] = first;
  for (int s = 0; s < k->nstage; s++) k->stage[s].vectors.shared = 0;
  is_refused(q, "the first stage behind all others");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(one_kernel_has_all, setup, teardown),
      cmocka_unit_test_setup_teardown(loops_are_around_all, setup, teardown),
      cmocka_unit_test_setup_teardown(threads_share_transforms, setup, teardown),
      cmocka_unit_test_setup_teardown(where_it_is_worth_it, setup, teardown),
      cmocka_unit_test_setup_teardown(faults_are_found, setup, teardown),
      cmocka_unit_test_setup_teardown(late_sections_are_found, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
