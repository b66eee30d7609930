/* Which line of wisdom serves a problem: what may differ, what may not, and which of several is nearest. */
#include "runtime/store/serve.h"
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

enum { CPU = 0, GPU = 1, NO = -1, TWICE = FG_SERVE_BATCH };

static void test_distances(void **state) {
  (void)state;
  static const struct {
    const char *known, *asked;
    int gpu, distance;
  } row[] = {
      {"c2c f32 n=8", "c2c f32 n=8", CPU, 0},
      {"c2c f32 n=8", "c2c f32 n=8 sign=+1", CPU, FG_SERVE_SIGN},
      {"c2c f32 n=8 sign=+1", "c2c f32 n=8", CPU, FG_SERVE_SIGN},
      {"c2c f32 n=8", "c2c f32 n=8 place=in", CPU, FG_SERVE_PLACE},
      {"c2c f32 n=8 place=in", "c2c f32 n=8 sign=+1", CPU, FG_SERVE_PLACE + FG_SERVE_SIGN},
      {"r2c f32 n=8", "c2r f32 n=8", CPU, FG_SERVE_MIRROR},
      {"r2c f32 n=8", "c2c f32 n=8", CPU, NO},
      {"c2c f32 n=8", "c2c f64 n=8", CPU, NO},
      {"c2c f32 n=8", "c2c f32 n=80", CPU, NO},
      {"c2c f32 n=80", "c2c f32 n=8", CPU, NO},
      {"c2c f32 n=8", "c2c f32 n=8 scale=0.5", CPU, FG_SERVE_SCALE},
      {"c2c f32 n=8 scale=1/n", "c2c f32 n=8 sign=+1", CPU, FG_SERVE_SCALE + FG_SERVE_SIGN},
      {"c2c f32 n=8 scale=1/n", "c2c f32 n=8 scale=1/n", GPU, 0},
      {"c2c f32 n=8 batch=16 scale=1/n", "c2c f32 n=8 batch=32", GPU, FG_SERVE_SCALE + TWICE},
      {"c2c f32 n=8 load=u8", "c2c f32 n=8 scale=0.5", CPU, NO},
      {"c2c f32 n=8 layout=split", "c2c f32 n=8", CPU, NO},
      {"c2c f32 n=8 batch=16", "c2c f32 n=8 batch=16", CPU, 0},
      {"c2c f32 n=8 batch=16", "c2c f32 n=8 batch=32", CPU, TWICE},
      {"c2c f32 n=8 batch=32", "c2c f32 n=8 batch=17", CPU, TWICE},
      {"c2c f32 n=8 batch=16", "c2c f32 n=8 batch=256", CPU, 4 * TWICE},
      {"c2c f32 n=8 batch=16", "c2c f32 n=8 batch=257", CPU, NO},
      {"c2c f32 n=8 batch=16", "c2c f32 n=8 batch=257", GPU, 5 * TWICE},
      {"c2c f32 n=8 batch=1024", "c2c f32 n=8 batch=4", GPU, 8 * TWICE},
      {"c2c f32 n=8 batch=1024", "c2c f32 n=8 batch=3", GPU, NO},
      {"c2c f32 n=8", "c2c f32 n=8 batch=2", GPU, NO},
      {"c2c f32 n=8 batch=2", "c2c f32 n=8", GPU, NO},
      {"c2c f32 n=8 batch=16", "c2c f32 n=8 batch=count[1..16]", CPU, 0},
      {"c2c f32 n=8 batch=16:9:9", "c2c f32 n=8 batch=16", GPU, NO},
      {"c2c f32 n=8 batch=16:9:9", "c2c f32 n=8 batch=16:9:9 sign=+1", GPU, FG_SERVE_SIGN},
      {"c2c f32 n=8 batch=4 batch=4", "c2c f32 n=8 batch=4", GPU, NO},
      {"c2c f32 n=8 batch=4 batch=4", "c2c f32 n=8 batch=8 batch=4", GPU, TWICE},
      {"c2c f32 n=8 load=u8", "c2c f32 n=8 load=u8 sign=+1", CPU, FG_SERVE_SIGN},
  };
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    int distance = fg_serve_problem(row[i].known, row[i].asked, row[i].gpu);
    if (distance != row[i].distance)
      fail_msg("%s -> %s: %d, not %d", row[i].known, row[i].asked, distance, row[i].distance);
  }
}

static void test_devices(void **state) {
  (void)state;
  static const char old[] = "NVIDIA H200, sm_90, driver for CUDA 12.4",
                    new[] = "NVIDIA H200, sm_90, driver for CUDA 13.0";
  assert_int_equal(fg_serve_device(old, old), 0);
  assert_int_equal(fg_serve_device(old, new), FG_SERVE_DRIVER);
  assert_int_equal(fg_serve_device("NVIDIA H200, sm_90", new), FG_SERVE_DRIVER);
  assert_int_equal(fg_serve_device("NVIDIA H200 NVL, sm_90", new), -1);
  assert_int_equal(fg_serve_device("NVIDIA H100, sm_90, driver for CUDA 13.0", new), -1);
  assert_int_equal(fg_serve_device("x86_64 A 1.1 sse2 32K", "x86_64 A 1.1 sse2 48K"), -1);
}

static fg_served find(fg_context *cx, const char *text, const char *device, const char *problem) {
  fg_wisdom w;
  fg_wisdom_parse(cx, "lines", text, strlen(text), (fg_wisdom_warn){0}, &w);
  return fg_serve_find(&w, &(fg_serve_key){.device = device, .problem = problem, .target = "cuda"});
}

#define LINE(device, problem, plan, ns)                                                                                \
  "{\"fftgen\":1,\"device\":\"" device "\",\"problem\":\"" problem "\",\"target\":\"cuda\",\"plan\":\"" plan           \
  "\",\"ns\":" ns "}\n"

/* The nearest line wins, however fast others are; of equally near ones the faster. */
static void test_nearest(void **state) {
  (void)state;
  fg_context cx = {.arena = fg_arena_create()};
  static const char text[] = LINE("G, driver 2", "c2c f32 n=8 batch=64", "a", "1")
      LINE("G, driver 1", "c2c f32 n=8 batch=16 sign=+1", "b", "2")
          LINE("G, driver 2", "c2c f32 n=8 batch=16 sign=+1", "c", "9")
              LINE("G, driver 2", "c2c f32 n=8 batch=16 sign=+1", "d", "8")
                  LINE("H, driver 2", "c2c f32 n=8 batch=16", "e", "1");
  fg_served s = find(&cx, text, "G, driver 2", "c2c f32 n=8 batch=16");
  assert_string_equal(s.entry->plan, "d");
  assert_int_equal(s.line, 4);
  assert_int_equal(s.distance, FG_SERVE_SIGN);
  assert_string_equal(fg_serve_note(cx.arena, &s), "line 4: measured for \"c2c f32 n=8 batch=16 sign=+1\"");
  s = find(&cx, text, "G, driver 3", "c2c f32 n=8 batch=64");
  assert_string_equal(fg_serve_note(cx.arena, &s), "line 1: measured under another driver or on another card");
  assert_null(find(&cx, text, "I", "c2c f32 n=8 batch=64").entry);
  assert_null(find(&cx, text, "G, driver 2", "c2c f32 n=16 batch=64").entry);
  fg_arena_destroy(cx.arena);
}

/* The model that a row's name or its short name says is nearer than others of its architecture. */
static void test_machines(void **state) {
  (void)state;
  static const char h100[] = "NVIDIA H100 80GB HBM3, sm_90, driver for CUDA 13.0",
                    h200[] = "NVIDIA H200, sm_90, driver for CUDA 13.0";
  assert_int_equal(fg_serve_machine(h100, fg_machine_find("sm_90")), 0);
  assert_int_equal(fg_serve_machine(h200, fg_machine_find("sm_90")), FG_SERVE_DRIVER);
  assert_int_equal(fg_serve_machine(h200, fg_machine_find("h200")), 0);
  assert_int_equal(fg_serve_machine(h100, fg_machine_find("h200")), FG_SERVE_DRIVER);
  assert_int_equal(fg_serve_machine(h100, fg_machine_find("a100")), -1);
  assert_int_equal(fg_serve_machine("Some GPU, OpenCL 3.0", fg_machine_find("opencl-gpu")), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_distances), cmocka_unit_test(test_devices),
                                     cmocka_unit_test(test_nearest), cmocka_unit_test(test_machines)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
