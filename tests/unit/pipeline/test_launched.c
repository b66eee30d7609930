/* Valid problems on targets of launched kernels: each is assembled, proved and emitted. The lengths are those at which
 * shared memory holds an odd number of reals, a stage has no row to deal to threads, a copy's turns become slots
 * where elements change places, rows of an array in place would overlap others, a scale is of
 * reals that move in pairs, and a shorter array ends among a copy's turns. */
#include "generator/pipeline/pipeline.h"
#include "tests/unit/launched.h"
#include "tests/unit/pace.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void emits(const char *problem, const char *target) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_compilation c;
  fg_request request = {.problem = problem, .target = target};
  if (fg_arena_guard(cx.arena)) fail_msg("%s: no memory", problem);
  if (fg_pipeline_compile(&cx, &request, &c) != FG_OK) fail_msg("%s, %s: %s", problem, target, cx.diag.message);
  assert_true(c.proof.proved);
  fg_arena_destroy(cx.arena);
}

static void emits_everywhere(const char *const *problem) {
  int number = 0;
  for (const fg_dialect *d; *problem; problem++)
    for (int t = 0; (d = launched_dialect(t)); t++)
      if (!is_left_out(number++, 2) && launched_takes(d, *problem)) emits(*problem, d->name);
}

static void one_point(void **state) {
  (void)state;
  static const char *const problems[] = {"r2c f32 n=1", "c2r f64 n=1 batch=5", "c2c f32 n=1", "r2c f32 n=1 place=in",
                                         NULL};
  emits_everywhere(problems);
}

/* 33 complex numbers, of 66 reals, in the memory of 65. */
static void odd_lengths_share_memory(void **state) {
  (void)state;
  static const char *const problems[] = {"dct2 f32 n=65 batch=8",  "dst4 f32 n=91 batch=8", "dct4 f32 n=103",
                                         "dct3 f32 n=101 batch=8", "dst3 f64 n=67 batch=7", NULL};
  emits_everywhere(problems);
}

/* Single elements of several transforms of a block are no rows: nobody takes turns at them. */
static void single_elements_of_a_group(void **state) {
  (void)state;
  static const char *const problems[] = {"dst1 f32 n=65 batch=8", "dst1 f32 n=65 batch=7",
                                         "dst1 f32 n=65 batch=count[1..16]", NULL};
  emits_everywhere(problems);
}

/* The place where elements change counts a copy's turns as its address does. */
static void turns_of_copies_that_shift(void **state) {
  (void)state;
  static const char *const problems[] = {"dct1 f32 n=82 batch=count[1..16] store=shift",
                                         "dst3 f32 n=67 batch=count[1..16] place=in store=shift", NULL};
  emits_everywhere(problems);
}

/* The ends of an array that is padded with zeros, likewise. */
static void turns_of_copies_that_end(void **state) {
  (void)state;
  static const char *const problems[] = {"dst4 f64 n=129 batch=17 load=u8,zeropad(93) store=mul",
                                         "dct4 f32 n=129 load=zeropad(93)", "dct4 f32 n=127 batch=3 load=zeropad(50)",
                                         NULL};
  emits_everywhere(problems);
}

/* A block's rows are staged in its memory: copies move two reals at once, a scale is of each. */
static void scales_of_rows_through_memory(void **state) {
  (void)state;
  static const char *const problems[] = {
      "c2r f32 n=10 batch=27 scale=1/n",    "c2r f64 n=32 batch=count[1..40] scale=0.5",
      "c2r bf16 n=24 batch=18 scale=-2.25", "c2r f32 n=11 batch=27 scale=1/n",
      "r2c f32 n=10 batch=27 scale=1/n",    NULL};
  emits_everywhere(problems);
}

/* In place, rows that change places use a workspace: on CPUs, too. */
static void rows_that_change_places(void **state) {
  (void)state;
  static const char *const problems[] = {"c2r f32 n=6x6 place=in store=shift", "c2r f64 n=3x1 place=in store=shift",
                                         "c2r f32 n=2x3x4 batch=3 place=in store=shift", NULL};
  emits_everywhere(problems);
  for (const char *const *p = problems; *p; p++) emits(*p, "c");
}

/* A transform is read before it is written: its strides need not be equal, where others do not overlap it. */
static void unlike_strides_in_place(void **state) {
  (void)state;
  static const char *const problems[] = {
      "dct2 f32 n=16:2:1 place=in",
      "c2c f64 n=100:3:1 batch=count[1..7]:300:300 place=in",
      "c2c f32 n=64:1:2 batch=3:400:400x3:130:130 place=in layout=split",
      "dst1 f64 n=70:2:3 place=in load=mul",
      "c2c f32 n=4:4:1x4:1:4 place=in",
      "c2c f64 n=8:24:1x4:6:8x6:1:32 place=in sign=+1",
      "c2c f32 n=8:1:9x8:9:1 batch=count[1..7]:80:80 place=in layout=split",
      "dct2 f32 n=6:10:1x10:1:6 place=in store=window",
      "c2c f32 n=64:70:2x48:1:150 batch=2:10000:10000 place=in load=shift store=shift",
      NULL};
  emits_everywhere(problems);
  for (const char *const *p = problems; *p; p++) emits(*p, "c");
}

static void refuses(const char *problem) {
  fg_context cx = {.arena = fg_arena_create()};
  fg_problem p;
  if (fg_arena_guard(cx.arena)) fail_msg("%s: no memory", problem);
  assert_int_equal(fg_problem_parse(&cx, problem, &p), FG_OK);
  assert_int_equal(fg_problem_supported(&cx, &p), FG_EUSER);
  assert_non_null(strstr(cx.diag.message, "input strides unlike the output's"));
  fg_arena_destroy(cx.arena);
}

/* Where a transform's results overlap another's numbers, or among those of another row. */
static void unlike_strides_that_meet(void **state) {
  (void)state;
  refuses("c2c f32 n=16:1:16 batch=16:16:1 place=in");
  refuses("c2c f32 n=3:1:4 batch=2:2:2 place=in");
  refuses("c2c f32 n=16:1:2 batch=4:64:32 place=in");
  refuses("c2c f32 n=16:1:step[1..4] place=in");
  refuses("c2c f32 n=4:8:2x4:2:8 batch=2:3:3 place=in");
  refuses("c2c f32 n=4:step[4..9]:4x4 place=in");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_point),
      cmocka_unit_test(odd_lengths_share_memory),
      cmocka_unit_test(single_elements_of_a_group),
      cmocka_unit_test(turns_of_copies_that_shift),
      cmocka_unit_test(turns_of_copies_that_end),
      cmocka_unit_test(scales_of_rows_through_memory),
      cmocka_unit_test(rows_that_change_places),
      cmocka_unit_test(unlike_strides_in_place),
      cmocka_unit_test(unlike_strides_that_meet),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
