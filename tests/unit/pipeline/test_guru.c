/* Layouts of the guru form, all through decision, proof and the proof of the text:
 * batches inside of transforms, axes of length 1, split storage, in place with
 * strides. What is no layout is refused with its column. */
#include "generator/pipeline/pipeline.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static fg_status compile(const char *problem, const char *isa, fg_compilation *c) {
  static fg_context cx;
  fg_arena_destroy(cx.arena);
  cx = (fg_context){.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  fg_request request = {.problem = problem, .isa = isa, .entry = true};
  fg_status status = fg_pipeline_compile(&cx, &request, c);
  return status == FG_OK ? fg_pipeline_prove_text(c) : status;
}

static const char *const layouts[] = {
    /* the batch innermost, on both sides or on one */
    "c2c f32 n=8:4:4 batch=4:1:1",
    "c2c f64 n=64:5:5 batch=5:1:1 place=in",
    "c2c f32 n=60:7:1 batch=7:1:60",
    "c2c f32 n=16:1:9 batch=9:16:1",
    "c2c f32 n=24:11:11 batch=11:1:1 layout=split place=in",
    "c2c f32 n=8:12:12 batch=4:3:3x3:1:1",
    "c2c f32 n=16:count[1..20]:count batch=count:1:1",
    "r2c f32 n=8:3:3 batch=3:1:1",
    "r2c f32 n=8:6:3 batch=3:2:1 place=in",
    "dct2 f32 n=8:2:3 batch=2:1:1",
    /* axes of length 1 */
    "c2c f32 n=1",
    "c2c f32 n=1x1",
    "c2c f32 n=1x8x1",
    "c2c f64 n=1 batch=7",
    "c2c f64 n=1:3:5 batch=7:9:11",
    "c2c f32 n=16 batch=1x4x1",
    "c2c f32 n=1x16x1 batch=1x3 place=in",
    "c2c f32 n=16 batch=1:12345:67890",
    "r2c f32 n=1",
    "c2r f64 n=1 batch=3",
    /* two arrays for two parts */
    "c2c f32 n=64 batch=3 layout=split",
    "c2c f32 n=64:3:3 batch=3:1:1 layout=split place=in",
    "c2c f64 n=23:2:3 layout=split>interleaved",
    "c2c f64 n=37 batch=2 layout=interleaved>split",
    "c2c f64 n=12x10 batch=2 layout=split place=in",
    "c2c f64 n=12:20:30x10:2:3 layout=interleaved>split",
    "c2c f32 n=1024 layout=split",
    /* in place with strides, padding and several batch dimensions */
    "c2c f32 n=16:20:20 batch=19:1:1 place=in",
    "c2c f32 n=100:3:3 batch=2:1000:1000x3:1:1 place=in",
    "c2c f64 n=6x8:17:17 place=in",
    "c2c f32 n=31:2:2 batch=2:70:70x2:1:1 place=in sign=+1",
    "c2c f32 n=8 batch=2:100:100x3:8:8",
    "c2c f32 n=8:2:3 place=in",
    "dct2 f64 n=16:2:1 batch=5:40:40 place=in",
};

static void layouts_are_built(void **state) {
  (void)state;
  static const char *const isas[] = {"scalar", "avx2"};
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    for (int k = 0; k < 2; k++) {
      fg_compilation c;
      if (compile(layouts[i], isas[k], &c) != FG_OK) fail_msg("%s, %s: %s", layouts[i], isas[k], c.cx->diag.message);
      assert_true(c.proof.proved && c.text.proved && c.text.runs >= 2);
    }
}

static void others_are_refused(void **state) {
  (void)state;
  static const char *const bad[][3] = {
      {"c2c f32 n=8:-1:1", "column 13", "'-1:1' is negative"},
      {"c2c f32 n=8:1:-1", "column 15", "'-1' is negative"},
      {"c2c f32 n=8 batch=4:-8:8", "column 21", "'-8:8' is negative"},
      {"c2c f32 n=8:s[-3..3]:1", "column 15", "'-3..3]:1' is negative"},
      {"c2c f32 n=8:0:1", "column 13", "0 where a positive number belongs"},
      {"c2c f32 n=8 batch=4:0:8", "column 21", "0 where a positive number belongs"},
      {"c2c f32 n=8 batch=4:8:4", "output strides", "write some elements twice"},
      {"c2c f32 n=8:2:3 batch=2:16:16 place=in", "place", "stride"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    fg_compilation c;
    assert_int_equal(compile(bad[i][0], "scalar", &c), FG_EUSER);
    const char *got = c.cx->diag.message;
    if (!strstr(got, bad[i][1]) || !strstr(got, bad[i][2])) fail_msg("%s: %s", bad[i][0], got);
  }
}

/* ---- beyond 2^31 elements -------------------------------------------------------------- */

/* The proof walks them by their ends; addresses of the text have 64 bits. */
static void far_elements_are_proved(void **state) {
  (void)state;
  static const char *const problems[] = {
      "c2c f32 n=64 batch=3:3000000000:3000000000",
      "c2c f64 n=16:1500000000:1 batch=2:7:16",
      "c2c f32 n=2 batch=3000000000",
      "c2c f32 n=2:3000000000:3000000000 batch=3000000000:1:1",
      "c2c f32 n=8 batch=count[1..5000000000]",
      "c2c f64 n=16 batch=3:pitch[16..4000000000]:pitch",
      "c2c f32 n=37 batch=2:3000000000:3000000000",
  };
  for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
    fg_compilation c;
    fg_status status = compile(problems[i], "avx2", &c);
    if (status != FG_OK) fail_msg("%s: %s", problems[i], c.cx->diag.message);
    assert_true(c.proof.proved);
    assert_null(strstr(c.emitted.artifact.source, "for (int "));
  }
}

/* GPUs take 32-bit addresses only where everything is near. */
static void far_elements_have_wide_addresses(void **state) {
  (void)state;
  static const char *const targets[][3] = {{"opencl", "const int", "const long"},
                                           {"cuda", "const int", "const long long"}};
  for (int t = 0; t < 2; t++)
    for (int far = 0; far < 2; far++) {
      fg_context cx = {.arena = fg_arena_create()};
      fg_compilation c;
      fg_request request = {.problem = far ? "c2c f32 n=64 batch=3:3000000000:3000000000" : "c2c f32 n=64 batch=3",
                            .target = targets[t][0],
                            .plan = "stockham(8,8)"};
      if (fg_pipeline_compile(&cx, &request, &c) != FG_OK) fail_msg("%s", cx.diag.message);
      const char *source = c.emitted.artifact.source;
      bool wide = strstr(source, targets[t][2]) != NULL;
      if (wide != (far == 1)) fail_msg("%s: %s addresses\n%s", request.problem, wide ? "wide" : "narrow", source);
      fg_arena_destroy(cx.arena);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layouts_are_built),
      cmocka_unit_test(others_are_refused),
      cmocka_unit_test(far_elements_are_proved),
      cmocka_unit_test(far_elements_have_wide_addresses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
