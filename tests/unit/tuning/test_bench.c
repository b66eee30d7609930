/* The bench on a hand-written program: a plain sum in C, run by libtcc, and in
 * OpenCL where there is a device. Proof and plan are not its business. */
#include "tuning/measure/copy.h"
#include "tuning/report/bench.h"
#include "tuning/report/report.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; } /* crashes after OpenCL drivers */

static const char c_text[] = "#include <math.h>\n"
                             "void sum_entry(void *const *places, const long long *params) {\n"
                             "  const double *in = places[0];\n"
                             "  double *out = places[1];\n"
                             "  for (int b = 0; b < params[0]; b++, in += 32, out += 32)\n"
                             "    for (int k = 0; k < 16; k++) {\n"
                             "      double re = 0, im = 0;\n"
                             "      for (int j = 0; j < 16; j++) {\n"
                             "        double angle = 6.283185307179586477 * (j * k %% 16) / 16;\n"
                             "        double c = cos(angle), s = %s sin(angle);\n"
                             "        re += c * in[2 * j] - s * in[2 * j + 1];\n"
                             "        im += c * in[2 * j + 1] + s * in[2 * j];\n"
                             "      }\n"
                             "      out[2 * k] = re, out[2 * k + 1] = im;\n"
                             "    }\n"
                             "}\n";
static const char cl_text[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "__kernel void sum(__global const double *in, __global double *out, long count) {\n"
    "  long b = get_group_id(0), k = get_local_id(0);\n"
    "  double re = 0, im = 0;\n"
    "  for (int j = 0; j < 16; j++) {\n"
    "    double angle = 6.283185307179586477 * (j * k %% 16) / 16;\n"
    "    double c = cos(angle), s = %s sin(angle), x = in[32 * b + 2 * j], y = in[32 * b + 2 * j + 1];\n"
    "    re += c * x - s * y, im += c * y + s * x;\n"
    "  }\n"
    "  out[32 * b + 2 * k] = re, out[32 * b + 2 * k + 1] = im;\n"
    "}\n";

typedef struct fixture {
  fg_context cx;
  fg_compilation c;
  fg_launch launch;
} fixture;

/* As the pipeline would leave it. sign: "-" is right. */
static void prepare(fixture *f, const fg_device *d, const char *sign) {
  *f = (fixture){.cx = {.arena = fg_arena_create()}};
  fg_compilation *c = &f->c;
  bool cl = !strcmp(d->dialect, "opencl");
  fg_plan *plan;
  c->cx = &f->cx;
  assert_int_equal(fg_problem_parse(&f->cx, "c2c f64 n=16 batch=count[4..100]", &c->problem), FG_OK);
  assert_int_equal(fg_plan_parse(&f->cx, "direct(16)", &plan), FG_OK);
  c->chosen.plan = plan;
  c->chosen.program = fg_arena_new(f->cx.arena, fg_program, 1);
  c->chosen.program->nfallback = 1;
  c->chosen.program->fallback[0] = "a plain sum";
  char *text = cl ? fg_arena_printf(f->cx.arena, cl_text, sign) : fg_arena_printf(f->cx.arena, c_text, sign);
  f->launch = (fg_launch){.entry = "sum",
                          .threads = 16,
                          .nblock_factor = 1,
                          .block_factor = {{1, 0, 1}},
                          .narg = 3,
                          .arg = {{false, 0}, {false, 1}, {true, 0}}};
  c->emitted.artifact = (fg_artifact){.dialect = d->dialect,
                                      .name = "sum",
                                      .source = text,
                                      .source_bytes = strlen(text),
                                      .flags = "",
                                      .nbuffer = 2,
                                      .buffer = {{.name = "in", .kind = FG_ARG_IN, .bytes = 100 * 16 * 16},
                                                 {.name = "out", .kind = FG_ARG_OUT, .bytes = 100 * 16 * 16}},
                                      .nparam = 1,
                                      .nlaunch = cl ? 1 : 0,
                                      .launch = &f->launch};
}

static void bench_on(const char *name) {
  const fg_device *d = fg_device_find(name);
  fixture f;
  fg_bench b;
  char why[FG_WHY_SIZE];
  fg_device_facts facts;
  if (d->probe(&facts, why) || !facts.has_f64) {
    print_message("  SKIP %s: %s\n", name, facts.has_f64 ? why : "no doubles");
    return;
  }
  prepare(&f, d, "-");
  int64_t count = 50;
  fg_bench_options o = {.params = &count, .seconds = 0.05, .rounds = 3, .effort = FG_EFFORT_ESTIMATE};
  if (fg_bench_run(&f.c, d, &o, &b)) fail_msg("%s: %s", name, f.cx.diag.message);
  assert_true(b.verified.ok && b.verified.l2 < 1e-15);
  assert_true(b.ns > 100 && b.ns < 1e9 && b.ns_spread >= 0);
  assert_true(fabs(b.gflops * b.ns - 5.0 * 16 * 4 * 50) < 1); /* 5 N log2 N, fifty times */
  assert_int_equal(b.bytes, 2 * 50 * 16 * 16);
  assert_true(b.copy_ns > 0 && fabs(b.copy_fraction * b.ns / b.copy_ns - 1) < 1e-9);
  assert_int_equal(b.has_peer, !facts.is_gpu_like);
  if (b.has_peer) {
    assert_true(b.peer_ns > 10 && b.ratio < 1); /* FFTW beats a plain sum */
    assert_true(b.peer_l2 > 1e-17 && b.peer_l2 < 1e-15);
  }
  cJSON *json = fg_report_bench(&b);
  assert_string_equal(cJSON_GetObjectItem(json, "problem")->valuestring, "c2c f64 n=16 batch=count[4..100]");
  assert_string_equal(cJSON_GetObjectItem(json, "plan")->valuestring, "direct(16)");
  assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "fallbacks")), 1);
  assert_int_equal(cJSON_HasObjectItem(json, "ratio"), b.has_peer);
  char *text = cJSON_PrintUnformatted(json); /* also valid as text */
  cJSON *again = cJSON_Parse(text);
  assert_non_null(again);
  assert_true(fabs(cJSON_GetObjectItem(again, "ns")->valuedouble / b.ns - 1) < 1e-3);
  cJSON_Delete(again);
  cJSON_free(text);
  cJSON_Delete(json);
  const char *row = fg_report_row(&f.cx, &b);
  assert_non_null(strstr(row, "falls back, 1: a plain sum\n"));
  for (const char *line = row; *line; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= FG_REPORT_WIDTH);
  assert_true(strlen(fg_report_head()) <= FG_REPORT_WIDTH);
  memset(b.facts.name, 'x', 60), strcpy(b.facts.name + 60, " of a long name");
  strcpy(b.facts.version, "OpenCL 3.0 of a platform with a long name, too, and its driver's version");
  for (const char *line = fg_report_title(&f.cx, &b); *line; line += strcspn(line, "\n") + 1)
    assert_true(strcspn(line, "\n") <= FG_REPORT_WIDTH);
  fg_arena_destroy(f.cx.arena);
}

static void test_tcc(void **state) {
  (void)state;
  bench_on("tcc");
}
static void test_opencl(void **state) {
  (void)state;
  bench_on("opencl");
}

/* Nothing is timed that is wrong; parameters default to their lower ends. */
static void test_wrong_is_not_timed(void **state) {
  (void)state;
  const fg_device *d = fg_device_find("tcc");
  fixture f;
  fg_bench b;
  prepare(&f, d, "+");
  assert_int_equal(fg_bench_run(&f.c, d, &(fg_bench_options){.seconds = 0.01, .no_peer = true}, &b), FG_EWRONG);
  assert_true(b.ns == 0 && !b.verified.ok);
  assert_int_equal(b.verified.transforms % 4, 0);
  assert_non_null(strstr(f.cx.diag.message, "random input"));
  cJSON *json = fg_report_verify(&b.verified, NULL, NULL);
  assert_true(cJSON_IsFalse(cJSON_GetObjectItem(json, "ok")));
  assert_true(cJSON_IsString(cJSON_GetObjectItem(json, "why")));
  assert_false(cJSON_HasObjectItem(json, "proved"));
  cJSON_Delete(json);
  fg_arena_destroy(f.cx.arena);
  prepare(&f, d, "this does not compile");
  assert_int_equal(fg_bench_run(&f.c, d, &(fg_bench_options){0}, &b), FG_ESYS);
  assert_non_null(strstr(f.cx.diag.message, "tcc"));
  fg_arena_destroy(f.cx.arena);
}

static void test_copy(void **state) {
  (void)state;
  double small = 0, large = 0;
  char why[FG_WHY_SIZE];
  const fg_device *d = fg_device_find("tcc");
  assert_int_equal(fg_copy_measure(d, 1 << 10, 0.02, &small, why), 0);
  assert_int_equal(fg_copy_measure(d, 1 << 24, 0.02, &large, why), 0);
  assert_true(small > 0 && large > 100 * small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tcc),
      cmocka_unit_test(test_opencl),
      cmocka_unit_test(test_wrong_is_not_timed),
      cmocka_unit_test(test_copy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
