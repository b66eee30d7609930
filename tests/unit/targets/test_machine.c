/* The table of machines: rows that are plausible, each figure with its source; and plans for machines that are not
 * here (--arch), which differ where the machines do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// clang-format off
#include <cmocka.h>
// clang-format on
#include "generator/pipeline/pipeline.h"
#include "generator/plan/recipe_ops.h"
#include "tests/unit/fixture.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void test_sorted_names(void **state) {
  (void)state;
  const fg_machine *const *m = fg_machine_table();
  int count = 0;
  for (; m[count]; count++)
    if (count) assert_true(strcmp(m[count - 1]->name, m[count]->name) < 0);
  assert_true(count >= 20);
}

/* A name leads to its own row, and so do the others of it. */
static void test_find(void **state) {
  (void)state;
  for (const fg_machine *const *m = fg_machine_table(); *m; m++) {
    char also[128];
    assert_ptr_equal(fg_machine_find((*m)->name), *m);
    snprintf(also, sizeof also, "%s", (*m)->also);
    for (char *save, *name = strtok_r(also, " ", &save); name; name = strtok_r(NULL, " ", &save))
      assert_ptr_equal(fg_machine_find(name), *m);
  }
  assert_null(fg_machine_find("sm_9"));
  assert_null(fg_machine_find(""));
  assert_null(fg_machine_find("neoverse"));
  assert_string_equal(fg_machine_of_device("sm_90", "NVIDIA H100 80GB HBM3")->name, "sm_90");
  assert_string_equal(fg_machine_of_device("sm_90", "NVIDIA H200")->name, "h200");
  assert_null(fg_machine_of_device("sm_52", "an old one"));
}

/* What is needed is there, and has a source; what has none is 0. */
static void test_sources(void **state) {
  (void)state;
  for (const fg_machine *const *m = fg_machine_table(); *m; m++)
    for (const fg_figure *f = fg_machine_figures(); f->name; f++) {
      const char *source = fg_figure_source(*m, f);
      int64_t value = fg_figure_value(*m, f);
      if (value < 0 || (value > 0) != (source && strlen(source) > 8) || (!strcmp(f->unit, "yes") && value > 1))
        fail_msg("%s: %s is %lld, by %s", (*m)->name, f->name, (long long)value, source ? source : "nobody");
    }
}

#define EXPECT(m, condition)                                                                                           \
  if (!(condition)) fail_msg("%s: not %s", (m)->name, #condition)

static void expect_plausible_gpu(const fg_machine *m) {
  EXPECT(m, m->wave == 0 || m->wave == 32 || m->wave == 64);
  EXPECT(m, m->multiprocessors >= 8 && m->multiprocessors <= 512);
  EXPECT(m, m->registers >= 32 << 10 && m->registers <= 256 << 10);
  EXPECT(m, m->thread_registers >= 64 && m->thread_registers <= 512);
  EXPECT(m, m->register_step >= 1 && m->register_step <= 32);
  EXPECT(m, m->shared_block_bytes >= 32 << 10 && m->shared_block_bytes <= m->shared_bytes);
  EXPECT(m, m->shared_kept_bytes < m->shared_bytes - m->shared_block_bytes + 1 || !m->code);
  EXPECT(m, m->block_threads >= 256 && m->threads >= m->block_threads && m->blocks >= 8);
  EXPECT(m, m->cluster <= 16 && (m->cluster < 2 || m->persistent));
  EXPECT(m, m->segment_bytes >= m->sector_bytes && m->segment_bytes % m->sector_bytes == 0);
  EXPECT(m, !m->code || (m->l2_bytes >= 1 << 20 && m->clock_mhz > 1000 && m->memory_gbs > 200));
}

static void expect_plausible_cpu(const fg_machine *m) {
  const fg_isa *isa = fg_isa_find(m->isa);
  assert_non_null(isa);
  EXPECT(m, m->vector_bytes >= isa->vector_bytes && m->vector_registers >= isa->registers);
  EXPECT(m, m->l1_bytes <= m->l2_bytes && (!m->l3_bytes || m->l2_bytes <= m->l3_bytes));
  EXPECT(m, !m->l1_bytes || m->l1_bytes % (m->l1_associativity * m->line_bytes) == 0);
  EXPECT(m, !m->l1_bytes || (m->line_bytes >= 64 && m->page_bytes >= 4096));
}

static void test_plausible(void **state) {
  (void)state;
  for (const fg_machine *const *m = fg_machine_table(); *m; m++)
    if (fg_machine_is_gpu(*m))
      expect_plausible_gpu(*m);
    else
      expect_plausible_cpu(*m);
}

/* Instruction sets and targets that have none named lead to rows. */
static void test_usual_rows(void **state) {
  (void)state;
  for (const fg_isa *i = fg_isa_table(); i->name; i++) {
    const fg_machine *m = i->machine ? fg_machine_find(i->machine) : NULL;
    assert_non_null(m);
    assert_true(m->vector_bytes >= i->vector_bytes);
  }
  for (const fg_dialect *const *d = fg_dialect_table(); *d; d++)
    if ((*d)->block_id && !(*d)->field_literals) {
      assert_non_null((*d)->machine);
      assert_true(fg_dialect_takes(*d, fg_machine_find((*d)->machine)));
    }
}

/* ---- plans for machines that are not here ------------------------------------------ */

static void decide(fg_context *cx, const fg_request *request, fg_compilation *c) {
  fg_status status = fg_pipeline_parse(cx, request, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status != FG_OK) fail_msg("%s: %s", request->machine ? request->machine->name : "none", cx->diag.message);
}

static const char *plan_for(fg_context *cx, const char *problem, const char *target, const char *arch) {
  fg_compilation c;
  fg_request request = {.problem = problem, .target = target, .machine = arch ? fg_machine_find(arch) : NULL};
  decide(cx, &request, &c);
  return fg_plan_print(cx, c.chosen.plan);
}

static void test_clusters(void **state) {
  (void)state;
  fg_context *cx = &context;
  static const char problem[] = "c2c f32 n=32768 batch=1000";
  assert_null(strstr(plan_for(cx, problem, "cuda", NULL), "cluster="));
  assert_null(strstr(plan_for(cx, problem, "cuda", "sm_80"), "cluster="));
  assert_null(strstr(plan_for(cx, problem, "opencl", "sm_90"), "cluster="));
  assert_non_null(strstr(plan_for(cx, problem, "cuda", "sm_90"), "cluster="));
  assert_non_null(strstr(plan_for(cx, problem, NULL, "h200"), "cluster="));
}

/* A problem has a plan on every machine, in all of its languages; the first is the one that is meant where none is
 * said, and each that the row names is among them. */
static void test_every_row(void **state) {
  (void)state;
  fg_context *cx = &context;
  for (const fg_machine *const *m = fg_machine_table(); *m; m++) {
    char list[FG_DIALECT_LIST], *save;
    int named = 0;
    fg_dialect_list(*m, list);
    assert_ptr_equal(fg_dialect_find(fg_arena_printf(cx->arena, "%.*s", (int)strcspn(list, " "), list)),
                     fg_dialect_of_machine(*m));
    for (char *target = strtok_r(list, " ", &save); target; target = strtok_r(NULL, " ", &save)) {
      assert_true(fg_dialect_takes(fg_dialect_find(target), *m));
      named += fg_machine_takes(*m, target);
      plan_for(cx, "c2c f32 n=240 batch=16", target, (*m)->name);
    }
    for (const char *at = (*m)->target; at; at = strchr(at + 1, ' ')) named--;
    assert_int_equal(named, 0);
  }
}

static void expect_refused(fg_context *cx, const char *target, const char *isa, const char *arch, const char *word) {
  fg_compilation c;
  fg_request request = {.problem = "c2c f32 n=16", .target = target, .isa = isa, .machine = fg_machine_find(arch)};
  assert_int_equal(fg_pipeline_parse(cx, &request, &c), FG_EUSER);
  if (!strstr(cx->diag.message, word)) fail_msg("%s", cx->diag.message);
  fg_diag_clear(&cx->diag);
}

static void test_refused(void **state) {
  (void)state;
  fg_context *cx = &context;
  expect_refused(cx, "c", NULL, "sm_90", "not for target c");
  expect_refused(cx, "cuda", NULL, "zen4", "not for target cuda");
  expect_refused(cx, "hip", NULL, "sm_90", "not for target hip");
  expect_refused(cx, "c", "avx512", "zen3", "has no instructions avx512; it has avx2");
  expect_refused(cx, "c", "avx2", "m1", "has no instructions avx2; it has neon");
  expect_refused(cx, "cuda", "avx2", "sm_90", "has threads");
}

/* A GPU without double precision: other types of numbers in memory are computed with as floats. */
static void test_no_doubles(void **state) {
  (void)state;
  fg_context *cx = &context;
  fg_compilation c;
  fg_request request = {.problem = "c2c f64 n=16", .target = "opencl", .machine = fg_machine_find("apple7")};
  assert_int_equal(fg_pipeline_parse(cx, &request, &c), FG_EUSER);
  assert_non_null(strstr(cx->diag.message, "computes no f64"));
  fg_diag_clear(&cx->diag);
  request.problem = "c2c f16 n=16";
  decide(cx, &request, &c);
}

/* The instructions of the machine, where none are named; narrower ones of it, where they are. */
static void test_instructions(void **state) {
  (void)state;
  fg_context *cx = &context;
  fg_compilation c;
  fg_request request = {.problem = "c2c f32 n=64", .machine = fg_machine_find("zen4")};
  decide(cx, &request, &c);
  assert_string_equal(c.isa->name, "znver4");
  assert_int_equal(c.mapping.machine->l2_bytes, 1 << 20);
  request.isa = "avx2";
  decide(cx, &request, &c);
  assert_string_equal(c.isa->name, "avx2");
  assert_int_equal(c.mapping.machine->l2_bytes, 1 << 20);
  request.machine = NULL;
  decide(cx, &request, &c);
  assert_int_equal(c.mapping.machine->l2_bytes, 512 << 10);
}

/* OpenCL's threads on a CPU, which has no segments of memory. */
static void test_threads_of_a_cpu(void **state) {
  (void)state;
  fg_context *cx = &context;
  for (int i = 0; i < 2; i++) {
    fg_compilation c;
    fg_device_facts facts;
    fg_machine_facts(fg_machine_find("opencl-cpu"), &facts);
    fg_request request = {.problem = "c2c f32 n=65536 batch=3", .target = "opencl", .isa = "scalar"};
    if (i)
      request.machine = fg_machine_find("zen4");
    else
      request.facts = &facts;
    decide(cx, &request, &c);
    assert_int_equal(c.mapping.machine->segment_bytes, 128);
  }
}

/* What is emitted says what it was planned for, and how it is built for that. */
static void test_emitted(void **state) {
  (void)state;
  fg_context *cx = &context;
  fg_compilation c;
  fg_request request = {.problem = "c2c f32 n=32768 batch=64", .machine = fg_machine_find("sm_90")};
  decide(cx, &request, &c);
  assert_int_equal(fg_pipeline_emit(&c), FG_OK);
  const char *text = c.emitted.artifact.source;
  assert_non_null(strstr(text, "Planned for: sm_90, NVIDIA H100"));
  assert_non_null(strstr(text, "compute capability 9.0")); /* what it wants of a device is said, as ever */
  assert_non_null(strstr(text, "Build: nvcc -arch=sm_90 "));
  request.machine = fg_machine_find("sm_80");
  decide(cx, &request, &c);
  assert_int_equal(fg_pipeline_emit(&c), FG_OK);
  assert_non_null(strstr(c.emitted.artifact.source, "Build: nvcc -arch=sm_80 -cubin, or NVRTC with -arch=sm_80."));
  request.machine = NULL;
  request.target = "cuda";
  decide(cx, &request, &c);
  assert_int_equal(fg_pipeline_emit(&c), FG_OK);
  assert_null(strstr(c.emitted.artifact.source, "Planned for"));
}

/* Recipes see the same figures. */
static void test_recipes(void **state) {
  (void)state;
  fg_context *cx = &context;
  char path[] = "/tmp/fftgen-machine-XXXXXX";
  int fd = mkstemp(path);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  assert_non_null(f);
  fputs("local m = fft.machine\n"
        "function applies(problem, device)\n"
        "  return m.name == 'sm_90' and m.multiprocessors == 132 and m.segment_bytes == 128 and m.page_bytes == 0\n"
        "end\n"
        "function plans(problem, device) return { { 'stockham', 2, 3, 5 } } end\n",
        f);
  assert_int_equal(fclose(f), 0);
  const char *recipe[] = {path};
  fg_compilation c;
  fg_request request = {.problem = "c2c f32 n=30 batch=99", .recipe = recipe, .nrecipe = 1};
  for (int i = 0; i < 2; i++) {
    request.machine = fg_machine_find(i ? "sm_80" : "sm_90");
    decide(cx, &request, &c);
    int found = 0;
    for (int k = 0; k < c.ncandidate; k++)
      found += c.candidate[k].plan->recipe && strstr(c.candidate[k].plan->recipe, "fftgen-machine");
    assert_int_equal(found, i ? 0 : 1);
  }
  remove(path);
}

/* fft.ops counts what the generator builds. */
static void test_ops(void **state) {
  (void)state;
  for (int n = 1; n <= fg_codelet_limit(); n += n < 20 ? 1 : 7) {
    fg_codelet_key key = {.n = n, .sign = -1};
    const fg_codelet *c;
    if (n > 1) assert_int_equal(fg_codelet_create(&context, &key, &c), FG_OK);
    assert_int_equal(fg_recipe_ops(n), n > 1 ? c->count.add + c->count.mul : 0);
    assert_int_equal(fg_recipe_ops(n), n > 1 ? c->count.add + c->count.mul : 0);
  }
  assert_int_equal(fg_recipe_ops(17), 372);
  assert_int_equal(fg_recipe_ops(19), 568);
  assert_int_equal(fg_recipe_ops(-1), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sorted_names),
      cmocka_unit_test(test_find),
      cmocka_unit_test(test_sources),
      cmocka_unit_test(test_plausible),
      cmocka_unit_test(test_usual_rows),
      cmocka_unit_test_setup_teardown(test_clusters, setup, teardown),
      cmocka_unit_test_setup_teardown(test_every_row, setup, teardown),
      cmocka_unit_test_setup_teardown(test_refused, setup, teardown),
      cmocka_unit_test_setup_teardown(test_instructions, setup, teardown),
      cmocka_unit_test_setup_teardown(test_no_doubles, setup, teardown),
      cmocka_unit_test_setup_teardown(test_emitted, setup, teardown),
      cmocka_unit_test_setup_teardown(test_recipes, setup, teardown),
      cmocka_unit_test_setup_teardown(test_ops, setup, teardown),
      cmocka_unit_test_setup_teardown(test_threads_of_a_cpu, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
