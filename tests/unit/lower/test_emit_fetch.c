/* Lines that are fetched before they are asked for: of batches, rows, turns. Of tiles: test_tiles.c. */
#include "tests/unit/isa_program.h"
#include <stdio.h>

static bool fetches(const char *text, const char *plan_text) {
  const char *source = avx512_text(text, plan_text);
  bool read = strstr(source, ", 0, 3);"), written = strstr(source, ", 1, 3);");
  assert_int_equal(read, written);
  return read;
}

/* Lines of the next transform, where a batch is larger than the caches and a transform is not. */
static void fetch(void **state) {
  (void)state;
  assert_true(fetches("c2c f32 n=256 batch=1000", "stockham(16,16)"));
  assert_true(fetches("c2c f32 n=512 batch=1000", "stockham(32,16)"));
  assert_true(fetches("r2c f32 n=512 batch=1000", "real(8, stockham(8,8))"));
  assert_true(fetches("c2c f64 n=512 batch=80", "stockham(8,8,8)"));
  assert_false(fetches("c2c f64 n=1024 batch=64", "stockham(8,8,16)")); /* two of them leave no room */
  assert_true(fetches("c2c f64 n=1024 batch=100", "stockham(8,8,16)"));
  assert_false(fetches("c2c f32 n=256 batch=100", "stockham(16,16)"));
  assert_false(fetches("c2c f32 n=256 batch=1000 place=in", "stockham(16,16)"));
  assert_false(fetches("c2c f32 n=8192 batch=1000", "stockham(32,16,16)"));
  assert_false(fetches("c2c f32 n=16 batch=100000", "direct(16)"));
}

/* Of the input alone, two transforms of 1 KiB, or eight of 256 bytes, ahead. */
static void fetch_ahead(void **state) {
  (void)state;
  const char *doubles = avx512_text("c2c f64 n=64 batch=1000", "stockham(8,8)");
  assert_non_null(strstr(doubles, "in + 128 * b + 256;"));
  assert_null(strstr(doubles, ", 1, 3);"));
  const char *floats = avx512_text("c2c f32 n=32 batch=8000", "stockham(8,4; lanes=4)");
  assert_non_null(strstr(floats, "in + 64 * b + 512;"));
  assert_null(strstr(avx512_text("c2c f64 n=64 batch=500", "stockham(8,8)"), "__builtin_prefetch("));
}

/* Where L2 is small: lines that follow each other, whatever the loop accesses. */
static void expect_sweep(const char *source, const char *pointer, const char *const *lines, int count, int written) {
  const char *at = strstr(source, pointer);
  assert_non_null(at);
  for (int i = 0; i < count; i++) {
    char fetch[64];
    snprintf(fetch, sizeof fetch, "__builtin_prefetch(%s, %d, 3);", lines[i], written);
    const char *next = strstr(at, "__builtin_prefetch(");
    assert_non_null(next);
    assert_memory_equal(next, fetch, strlen(fetch));
    at = next + 1;
  }
}

static const char *text_near_third(const char *text, const char *plan_text) {
  fg_mapping map = {.lanes = 4, .registers = 16, .fma = true, .machine = fg_machine_find("zen3")};
  return text_of_program(assembled_for(text, plan_text, &map), "avx2");
}

static void fetch_sweeps(void **state) {
  (void)state;
  static const char *const out[] = {"po", "po + 8", "po + 16", "po + 24", "po + 32"};
  static const char *const in[] = {"pn", "pn + 8", "pn + 16"};
  const char *loops = text_near_third("c2c f64 n=128 batch=1000", "stockham(16,8)");
  expect_sweep(loops, "po = out + 256 * b + 32 * q;", out, 5, 1);
  expect_sweep(loops, "pn = in + 256 * b + 16 * k + 256;", in, 3, 0);
  const char *rows = text_near_third("c2c f64 n=512x512", "nd(stockham(8,8,8), stockham(8,8,8))");
  expect_sweep(rows, "po = out + 1024 * t + 16 * q;", out, 4, 1); /* half of them; pairs have two forms of a turn */
  expect_sweep(rows, "pn = in + 1024 * t + 16 * k + 1024;", in, 3, 0);
  const char *one = text_near_third("c2c f64 n=64 batch=1000", "stockham(8,8)");
  expect_sweep(one, "pn = in + 128 * b + 160;", in, 3, 0);
  assert_null(strstr(one, ", 1, 3);"));
  assert_null(strstr(text_near_third("c2c f64 n=16 batch=100000", "stockham(8,2)"), "__builtin_prefetch("));
  assert_null(strstr(text_near_third("c2c f64 n=128 batch=100", "stockham(16,8)"), "__builtin_prefetch("));
}

static bool fetches_stores(const char *text, const char *plan_text) {
  return strstr(avx512_text(text, plan_text), ", 1, 3);");
}

/* Lines that turns behind the first one fetch of what is loaded. */
static int fetched_loads(const char *text, const char *plan_text) {
  int count = 0;
  const char *at = avx512_text(text, plan_text), *loop = strstr(at, "  for (ptrdiff_t");
  for (at = loop; (at = strstr(at, "__builtin_prefetch(pl")); at++) count++;
  return count;
}

/* Half of what the next turn loads, where a set of L1 has no room for all of it. */
static void fetch_loads(void **state) {
  (void)state;
  assert_int_equal(fetched_loads("c2c f64 n=8192", "stockham(16,8,8,8)"), 8);
  assert_int_equal(fetched_loads("c2c f32 n=16384", "stockham(16,16,8,8)"), 8);
  assert_int_equal(fetched_loads("c2c f64 n=8192", "stockham(8,8,16,8)"), 0);  /* there is room */
  assert_int_equal(fetched_loads("c2c f64 n=2048", "stockham(16,16,8)"), 0);   /* almost all in L1 */
  assert_int_equal(fetched_loads("c2c f64 n=10000", "stockham(16,25,25)"), 0); /* no whole pages */
}

/* What the next turn stores, where its lines are whole pages apart and beyond L1. */
static void fetch_stores(void **state) {
  (void)state;
  assert_true(fetches_stores("c2c f64 n=8192", "stockham(32,32,8)"));
  assert_true(fetches_stores("c2c f32 n=8192 place=in", "stockham(32,32,8)")); /* else in place: they are there */
  assert_false(fetches_stores("c2c f32 n=8192", "stockham(32,32,8)"));
  assert_false(fetches_stores("c2c f64 n=5120", "stockham(32,20,8)"));   /* no whole pages */
  assert_false(fetches_stores("c2c f64 n=8192", "stockham(16,16,4,8)")); /* the next turn's lines are among them */
  assert_false(fetches_stores("c2c f64 n=2048", "stockham(16,16,8)"));   /* almost all in L1 */
  assert_false(fetches_stores("c2c f64 n=4096", "stockham(8,8,8,8)"));   /* short turns */
  assert_false(fetches_stores("c2c f32 n=16384", "stockham(32,32,16)")); /* 16 lines of a set */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(fetch, setup, teardown),
      cmocka_unit_test_setup_teardown(fetch_ahead, setup, teardown),
      cmocka_unit_test_setup_teardown(fetch_sweeps, setup, teardown),
      cmocka_unit_test_setup_teardown(fetch_loads, setup, teardown),
      cmocka_unit_test_setup_teardown(fetch_stores, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
