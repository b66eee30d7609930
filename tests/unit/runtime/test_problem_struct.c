/* Problems as structs: each says what a text says, to the letter, and what makes no
 * sense is refused with the words that the text would get. */
#include "generator/problem/problem.h"
#include "runtime/include/fftgen/fftgen.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define P(...)                                                                                                         \
  { .size = sizeof(fftgen_problem), __VA_ARGS__ }
#define DIMS(...)                                                                                                      \
  (const fftgen_dim[]) { __VA_ARGS__ }

static const fftgen_param count[] = {{"count", 1, 65536}, {"pitch", 64, 4096}};

static const struct row {
  const char *text;
  fftgen_problem p;
} rows[] = {
    {"c2c f32 n=1024", P(.kind = FFTGEN_C2C, .precision = FFTGEN_F32, .rank = 1, .dim = DIMS({1024, 1, 1}))},
    {"c2c f32 n=1024",
     P(.kind = FFTGEN_C2C, .precision = FFTGEN_F32, .rank = 1, .dim = DIMS({1024, 0, 0}), .sign = -1)},
    {"c2c f64 n=1000 batch=16 sign=+1", P(.precision = FFTGEN_F64, .rank = 1, .dim = DIMS({1000, 1, 1}),
                                          .batch_rank = 1, .batch = DIMS({16, 1000, 1000}), .sign = 1)},
    {"c2c f32 n=64:64:64 batch=64:1:1",
     P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({64, 64, 64}), .batch_rank = 1, .batch = DIMS({64, 1, 1}))},
    {"r2c f64 n=30x20 place=in", P(.kind = FFTGEN_R2C, .precision = FFTGEN_F64, .rank = 2,
                                   .dim = DIMS({30, 0, 0}, {20, 0, 0}), .flags = FFTGEN_IN_PLACE)},
    {"c2c f64 n=512 layout=split place=in", P(.precision = FFTGEN_F64, .rank = 1, .dim = DIMS({512, 0, 0}),
                                              .flags = FFTGEN_IN_PLACE | FFTGEN_SPLIT_IN | FFTGEN_SPLIT_OUT)},
    {"c2c f64 n=12 layout=split>interleaved",
     P(.precision = FFTGEN_F64, .rank = 1, .dim = DIMS({12, 0, 0}), .flags = FFTGEN_SPLIT_IN)},
    {"c2c f64 n=12 layout=interleaved>split",
     P(.precision = FFTGEN_F64, .rank = 1, .dim = DIMS({12, 0, 0}), .flags = FFTGEN_SPLIT_OUT)},
    {"c2c f32 n=256 batch=count[1..65536]",
     P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({256, 0, 0}), .batch_rank = 1,
       .batch = DIMS({FFTGEN_PARAM(0), 0, 0}), .nparam = 1, .param = count)},
    {"c2c f32 n=60 batch=count[1..65536]:4*pitch[64..4096]:60",
     P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({60, 0, 0}), .batch_rank = 1,
       .batch = DIMS({FFTGEN_PARAM(0), FFTGEN_TIMES_PARAM(4, 1), 60}), .nparam = 2, .param = count)},
    {"dct3 f32 n=16 batch=3", P(.kind = FFTGEN_DCT3, .precision = FFTGEN_F32, .rank = 1, .dim = DIMS({16, 0, 0}),
                                .batch_rank = 1, .batch = DIMS({3, 0, 0}))},
    {"dst4 f64 n=7 scale=1/n",
     P(.kind = FFTGEN_DST4, .precision = FFTGEN_F64, .rank = 1, .dim = DIMS({7, 0, 0}), .more = "scale=1/n")},
    {"conv f32 n=64 batch=5 spectrum=each",
     P(.kind = FFTGEN_CONV, .precision = FFTGEN_F32, .rank = 1, .dim = DIMS({64, 0, 0}), .batch_rank = 1,
       .batch = DIMS({5, 0, 0}), .more = "spectrum=each")},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void same_as_text(void **state) {
  (void)state;
  for (int i = 0; i < ROWS; i++) {
    char text[FFTGEN_TEXT_SIZE];
    fftgen_error error;
    fg_problem p;
    fg_context cx = {.arena = fg_arena_create()};
    if (fftgen_problem_text(&rows[i].p, text, sizeof text, &error)) fail_msg("%s: %s", rows[i].text, error.message);
    assert_int_equal(fg_problem_parse(&cx, rows[i].text, &p), FG_OK);
    assert_string_equal(text, fg_problem_print(&cx, &p));
    fg_arena_destroy(cx.arena);
  }
}

static const struct wrong {
  const char *says;
  fftgen_problem p;
} wrongs[] = {
    {"rank", P(.precision = FFTGEN_F32)},
    {"no dimensions", P(.precision = FFTGEN_F32, .rank = 1)},
    {"0 where a positive number", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({0, 0, 0}))},
    {"one stride of two", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, 1, 0}))},
    {"negative number", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, -1, 1}))},
    {"kind", P(.kind = (fftgen_kind)99, .precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, 0, 0}))},
    {"precision", P(.precision = (fftgen_precision)-1, .rank = 1, .dim = DIMS({8, 0, 0}))},
    {"sign", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, 0, 0}), .sign = 2)},
    {"flags", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, 0, 0}), .flags = 1 << 20)},
    {"parameter's number", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({FFTGEN_PARAM(0), 0, 0}))},
    {"run-time parameters in",
     P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({FFTGEN_PARAM(0), 0, 0}), .nparam = 1, .param = count)},
    {"parameter's name", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, 0, 0}), .batch_rank = 1,
                           .batch = DIMS({FFTGEN_PARAM(0), 0, 0}), .nparam = 1, .param = &(fftgen_param){"a b", 1, 2})},
    {"given twice", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, 0, 0}), .sign = 1, .more = "sign=-1")},
    {"unknown key", P(.precision = FFTGEN_F32, .rank = 1, .dim = DIMS({8, 0, 0}), .more = "nonsense=1")},
};

static void refused(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
    char text[FFTGEN_TEXT_SIZE] = "untouched";
    fftgen_error error;
    assert_int_equal(fftgen_problem_text(&wrongs[i].p, text, sizeof text, &error), FFTGEN_EPROBLEM);
    if (!strstr(error.message, wrongs[i].says)) fail_msg("'%s' is not in: %s", wrongs[i].says, error.message);
    assert_null(strchr(error.message, '\n'));
    assert_string_equal(text, "untouched");
  }
}

/* What makes the spectra of filters. */
static void prepared(void **state) {
  (void)state;
  char text[FFTGEN_TEXT_SIZE] = "untouched";
  fftgen_error error;
  assert_int_equal(fftgen_prepare_text("conv f32 n=64 spectrum=each", text, sizeof text, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "nothing to prepare"));
  assert_int_equal(fftgen_prepare_text("conv f32 n=64 filter=each(65)", text, sizeof text, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "65 of 64 samples"));
  assert_int_equal(fftgen_prepare_text(NULL, text, sizeof text, &error), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_prepare_text("rconv f16 n=64 batch=2x3 filter=channel(9)", text, 10, &error),
                   FFTGEN_EPROBLEM);
  assert_string_equal(text, "untouched");
  assert_int_equal(fftgen_prepare_text("rconv f16 n=64 batch=2x3 filter=channel(9)", text, sizeof text, &error),
                   FFTGEN_OK);
  assert_string_equal(text, "r2c f32 n=64 batch=3 load=zeropad(9)");
}

static void odd_calls(void **state) {
  (void)state;
  char text[FFTGEN_TEXT_SIZE] = "";
  fftgen_error error;
  fftgen_problem p = rows[0].p;
  fftgen_plan *plan = (fftgen_plan *)&p;
  assert_int_equal(fftgen_problem_text(NULL, text, sizeof text, &error), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_problem_text(&p, text, 5, &error), FFTGEN_EPROBLEM);
  assert_non_null(strstr(error.message, "bytes"));
  assert_int_equal(fftgen_problem_text(&p, text, strlen(rows[0].text) + 1, NULL), FFTGEN_OK);
  /* An older caller's struct ends before `more`. */
  p.more = "nonsense=1";
  p.size = offsetof(fftgen_problem, more);
  assert_int_equal(fftgen_problem_text(&p, text, sizeof text, NULL), FFTGEN_OK);
  p.size = 0;
  assert_int_equal(fftgen_problem_text(&p, text, sizeof text, NULL), FFTGEN_EPROBLEM);
  assert_int_equal(fftgen_plan_create_from(&p, NULL, &plan, &error), FFTGEN_EPROBLEM);
  assert_null(plan);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_text), cmocka_unit_test(refused),
                                     cmocka_unit_test(prepared), cmocka_unit_test(odd_calls)};
  return cmocka_run_group_tests_name("problem_struct", tests, NULL, NULL);
}
