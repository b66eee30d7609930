/* CUDA without a GPU: what is emitted is the same every time, and NVRTC makes
 * machine code of it that keeps its numbers in registers. */
#include "generator/pipeline/pipeline.h"
#include "targets/cuda/nvrtc_api.h"
#include "tests/unit/pace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One problem for each form of kernel. */
static const struct form {
  const char *what, *problem, *plan;
  int most_spilled; /* bytes of a thread */
  bool newer;       /* not for sm_80 */
} forms[] = {
    {"one codelet through the block's memory", "c2c f32 n=8 batch=count[1..100000]", "direct(8)", 0, false},
    {"one codelet, strided", "c2c f64 n=8:5:3 batch=100:1:24", "direct(8)", 0, false},
    {"groups of transforms", "c2c f32 n=64 batch=count[1..100000]", "stockham(8,8)", 0, false},
    {"a block each, one memory", "c2c f32 n=4096 batch=7", "stockham(16,16,16)", 0, false},
    {"turns across a barrier", "c2c f32 n=1024 batch=5", "stockham(16,16,4)", 0, false},
    {"much shared memory", "c2c f64 n=4096 batch=3 place=in", "stockham(16,16,16)", 0, false},
    {"a convolution in a block", "c2c f32 n=1009 batch=3", "bluestein(2048, stockham(16,16,8))", 0, false},
    {"a convolution along dimensions", "c2c f64 n=1009 batch=3",
     "rader(1009, prime-factor(direct(16), prime-factor(direct(9), direct(7))))", 0, false},
    {"passes", "c2c f32 n=65536 batch=2", "stockham(16,16,16,16)", 0, false},
    {"halves between passes", "c2c f16 n=1024 batch=count[1..1000]", "stockham(16,8,8; group=2, narrow=on)", 0, false},
    {"halves held over turns", "c2c f16 n=4096 batch=3",
     "stockham(16,16,16; threads=128, resident=8, narrow=on, products=on)", 0, true},
    {"halves held in clusters, late", "c2c f16 n=1024 batch=3",
     "four-step(stockham(8,4), stockham(8,4); cluster=4, narrow=on, deferred_store=on)", 0, true},
    {"blocks that stay, with a queue", "c2c f64 n=4096 batch=count[1..1000]",
     "four-step(stockham(8,8), stockham(8,8); tile=8, rows=8, queue=4)", 0, false},
    {"bulk copies", "c2c f32 n=343 batch=count[1..1000]", "stockham(7,7,7; group=2, bulk=both)", 0, true},
    {"bulk copies of halves, in turns", "c2c f16 n=512 batch=count[1..1000]",
     "stockham(8,8,8; group=2, narrow=on, bulk=separate, persistent=0)", 0, true},
    {"split arrays", "c2c f64 n=100 batch=9 layout=split", "stockham(10,10)", 0, false},
};
enum { FORMS = sizeof forms / sizeof *forms };

static fg_emitted emit(fg_context *cx, const struct form *f) {
  fg_request request = {.problem = f->problem, .target = "cuda", .plan = f->plan};
  fg_compilation c;
  fg_status status = fg_pipeline_compile(cx, &request, &c);
  if (status != FG_OK) fail_msg("%s: %s", f->problem, cx->diag.message);
  return c.emitted;
}

static int count(const char *text, const char *word) {
  int n = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) n++;
  return n;
}

/* What the proof trusts is written: the text has the program's barriers, none less.
 * Clusters, queues and bulk copies have others of their own. */
static void barriers_are_written(void **state) {
  (void)state;
  for (int i = 0; i < FORMS; i++) {
    const struct form *f = &forms[i];
    if (f->newer || strstr(f->plan, "queue") || is_left_out(i, 3)) continue;
    fg_context cx = {.arena = fg_arena_create()};
    fg_request request = {.problem = f->problem, .target = "cuda", .plan = f->plan};
    fg_compilation c;
    assert_int_equal(fg_pipeline_compile(&cx, &request, &c), FG_OK);
    int barriers = 0;
    for (int k = 0; k < c.chosen.program->nkernel; k++) {
      const fg_kernel *kernel = c.chosen.program->kernel[k];
      for (int s = 0; s < kernel->nstage && kernel->launch.threads > 1; s++) {
        barriers += fg_exchange_is_barrier(&kernel->stage[s].exchange.between);
        barriers += fg_exchange_is_barrier(&kernel->stage[s].exchange.after) && s + 1 < kernel->nstage;
      }
    }
    int written = count(c.emitted.artifact.source, "__syncthreads();");
    if (written < barriers) fail_msg("%s: %d of %d barriers are written", f->what, written, barriers);
    if (!strcmp(f->plan, "stockham(16,16,16)")) assert_true(barriers >= 2);
    fg_arena_destroy(cx.arena);
  }
}

static char *copy_of_source(const struct form *f) {
  fg_context cx = {.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  assert_int_equal(fg_arena_guard(cx.arena), 0);
  fg_emitted e = emit(&cx, f);
  char *source = malloc(e.artifact.source_bytes + 1);
  assert_non_null(source);
  memcpy(source, e.artifact.source, e.artifact.source_bytes + 1);
  fg_arena_destroy(cx.arena);
  return source;
}

/* Of a form, emitted once for all tests. */
static const char *source_of(int form) {
  static char *made[FORMS];
  if (!made[form]) made[form] = copy_of_source(&forms[form]);
  return made[form];
}

static void same_text_twice(void **state) {
  (void)state;
  for (int i = 0; i < FORMS; i++) {
    if (is_left_out(i, 3)) continue;
    char *again = copy_of_source(&forms[i]);
    assert_string_equal(source_of(i), again);
    free(again);
  }
}

/* Numbers of blocks take 64 bits where arrays have 2^30 numbers, whatever their bytes. */
static void numbers_are_no_wider_than_arrays(void **state) {
  (void)state;
  static const struct form wide[] = {
      {"2^30 - 128 halves", "c2c f16 n=64 batch=8388607", "stockham(8,8)", 0, false},
      {"2^30 floats", "c2c f32 n=64 batch=8388608", "stockham(8,8)", 0, false},
  };
  for (int i = 0; i < 2; i++) {
    char *source = copy_of_source(&wide[i]);
    if (!strstr(source, i ? "const long long b)" : "const int b)")) fail_msg("%s", wide[i].what);
    free(source);
  }
}

/* What a plan says of the memory that blocks share with L1 is given to the launcher and the manifest. */
static void plans_share_memory(void **state) {
  (void)state;
  const struct form shared = {"", "c2c f32 n=64 batch=9", "stockham(8,8; shared_memory_carveout=43)", 0, false};
  fg_context cx = {.arena = fg_arena_create()};
  fg_emitted e = emit(&cx, &shared);
  assert_int_equal(e.artifact.launch[0].carveout, 43);
  bool told = false, set = false;
  for (int i = 0; i < e.nfile; i++) {
    told = told || strstr(e.file[i].text, "\"carveout_percent\": 43,");
    set = set || strstr(e.file[i].text, "}, 43},");
  }
  assert_true(told && set);
  fg_arena_destroy(cx.arena);
}

/* So is where blocks of a cluster may be scheduled; others say nothing of it. */
static void plans_balance_clusters(void **state) {
  (void)state;
  static const char *const plans[] = {
      "four-step(stockham(8,4), stockham(8,4); cluster=4)",
      "four-step(stockham(8,4), stockham(8,4); cluster=4, cluster_scheduling=load_balancing)"};
  for (int balanced = 0; balanced < 2; balanced++) {
    const struct form clusters = {"", "c2c f32 n=1024 batch=9", plans[balanced], 0, false};
    fg_context cx = {.arena = fg_arena_create()};
    fg_emitted e = emit(&cx, &clusters);
    bool told = false, set = false;
    for (int i = 0; i < e.nfile; i++) {
      told = told || strstr(e.file[i].text, "\"balanced\": true,");
      set = set || strstr(e.file[i].text, "CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING");
    }
    assert_true(told == balanced && set == balanced && e.artifact.launch[0].balanced == balanced);
    fg_arena_destroy(cx.arena);
  }
}

/* 1009 numbers of elements are not whole doubles. */
static void tables_do_not_overlap(void **state) {
  (void)state;
  static const struct form odd = {.problem = "c2c f64 n=1009 batch=3",
                                  .plan = "rader(1009, prime-factor(direct(16), prime-factor(direct(9), direct(7))))"};
  fg_context cx = {.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  assert_int_equal(fg_arena_guard(cx.arena), 0);
  fg_emitted e = emit(&cx, &odd);
  const char *host = e.file[e.nfile - 1].text;
  assert_non_null(strstr(host, "(int *)((double *)tables + 2016)"));
  assert_non_null(strstr(host, "(int *)((double *)tables + 2528)"));
  fg_arena_destroy(cx.arena);
}

static void compile_for(const char *arch) {
  for (int i = 0; i < FORMS; i++) {
    if (is_left_out(i, 3) || (forms[i].newer && !strcmp(arch, "sm_80"))) continue;
    char why[FG_WHY_SIZE] = "";
    fg_cuda_image image;
    if (fg_cuda_compile(source_of(i), arch, &image, why)) fail_msg("%s for %s: %s", forms[i].what, arch, why);
    assert_true(image.size > 0);
    if (!image.nusage) fail_msg("%s for %s: the assembler does not say what kernels take", forms[i].what, arch);
    for (int k = 0; k < image.nusage; k++) {
      const fg_cuda_usage *u = &image.usage[k];
      int spilled = u->spill_stores > u->stack_bytes ? u->spill_stores : u->stack_bytes;
      if (u->registers < 8 || spilled > forms[i].most_spilled)
        fail_msg("%s for %s: %s: %d registers, %d bytes spilled", forms[i].what, arch, u->kernel, u->registers,
                 spilled);
    }
    fg_cuda_image_free(&image);
  }
}

static void compiles_for_80(void **state) {
  (void)state;
  compile_for("sm_80");
}

static void compiles_for_90(void **state) {
  (void)state;
  compile_for("sm_90");
}

/* The account of spills is no constant: a kernel that must spill says so. */
static void spills_are_seen(void **state) {
  (void)state;
  static const char source[] = "extern \"C\" __global__ void __launch_bounds__(1024) crowded(double *x) {\n"
                               "  double v[64];\n"
                               "  for (int i = 0; i < 64; ++i) v[i] = x[threadIdx.x + 1024 * i];\n"
                               "  for (int k = 0; k < 64; ++k)\n"
                               "    for (int i = 0; i < 64; ++i) v[i] = v[i] * v[(i * 7 + 3) % 64] + v[63 - i];\n"
                               "  for (int i = 0; i < 64; ++i) x[threadIdx.x + 1024 * i] = v[i];\n"
                               "}\n";
  char why[FG_WHY_SIZE] = "";
  fg_cuda_image image;
  if (fg_cuda_compile(source, "sm_90", &image, why)) fail_msg("%s", why);
  assert_int_equal(image.nusage, 1);
  assert_string_equal(image.usage[0].kernel, "crowded");
  assert_true(image.usage[0].stack_bytes > 0);
  fg_cuda_image_free(&image);
}

static void errors_are_one_line(void **state) {
  (void)state;
  char why[FG_WHY_SIZE] = "";
  fg_cuda_image image;
  assert_int_not_equal(fg_cuda_compile("__global__ void f() { nonsense; }", "sm_90", &image, why), 0);
  assert_non_null(strstr(why, "nonsense"));
  assert_null(strchr(why, '\n'));
}

int main(void) {
  const struct CMUnitTest text[] = {
      cmocka_unit_test(barriers_are_written),  cmocka_unit_test(same_text_twice),
      cmocka_unit_test(tables_do_not_overlap), cmocka_unit_test(numbers_are_no_wider_than_arrays),
      cmocka_unit_test(plans_share_memory),    cmocka_unit_test(plans_balance_clusters)};
  const struct CMUnitTest compiled[] = {cmocka_unit_test(compiles_for_80), cmocka_unit_test(compiles_for_90),
                                        cmocka_unit_test(spills_are_seen), cmocka_unit_test(errors_are_one_line)};
  char version[64], why[FG_WHY_SIZE];
  int failed = cmocka_run_group_tests_name("text", text, NULL, NULL);
  if (failed) return failed;
  if (fg_cuda_compiler(version, sizeof version, why)) {
    printf("SKIP: %s\n", why);
    return 77;
  }
  return cmocka_run_group_tests_name("compiled", compiled, NULL, NULL);
}
