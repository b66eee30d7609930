/* Places of a module on a device, over memory that counts what is taken and can run out. */
#include "targets/argument_slots.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct card {
  int held, left; /* pieces; left < 0: no end */
  int fills;
} card;

static int take(void *on, uintptr_t *out, size_t bytes, char why[FG_WHY_SIZE]) {
  card *c = on;
  if (c->left == 0) return snprintf(why, FG_WHY_SIZE, "the card is full"), 1;
  c->left--, c->held++;
  *out = (uintptr_t)calloc(1, bytes);
  return 0;
}

static int fill(void *on, uintptr_t to, size_t at, const void *from, size_t bytes, char why[FG_WHY_SIZE]) {
  (void)why;
  ((card *)on)->fills++;
  memcpy((char *)to + at, from, bytes);
  return 0;
}

static int fetch(void *on, void *to, uintptr_t from, size_t bytes, char why[FG_WHY_SIZE]) {
  (void)on, (void)why;
  memcpy(to, (const void *)from, bytes);
  return 0;
}

static void release(void *on, uintptr_t memory) {
  ((card *)on)->held--;
  free((void *)memory);
}

static const fg_device_memory memory = {take, fill, fetch, release};
static const float half[4] = {1, 2, 3, 4};

/* in, out (two places), a table, workspace. */
static fg_artifact four_buffers(void) {
  return (fg_artifact){.dialect = "test",
                       .nlaunch = 1,
                       .nparam = 1,
                       .nbuffer = 4,
                       .buffer = {{"in", FG_ARG_IN, 32, false, NULL, 0},
                                  {"out", FG_ARG_OUT, 32, true, NULL, 0},
                                  {"table", FG_ARG_TABLE, sizeof half, false, half, 0},
                                  {"work", FG_ARG_WORK, 0, false, NULL, 0}}};
}

static void in_and_out_again(void **state) {
  (void)state;
  card c = {.left = -1};
  fg_argument_slots p;
  char why[FG_WHY_SIZE], in[32] = "from the caller", re[16] = "what", im[16] = "was there";
  fg_artifact a = four_buffers();
  assert_int_equal(fg_argument_slots_create(&p, &a, &memory, &c, why), 0);
  assert_int_equal(fg_argument_slots_make(&p, &a, why), 0);
  assert_int_equal(c.held, 2);
  assert_memory_equal((void *)p.used[3], half, sizeof half);
  void *slot[5] = {in, re, im};
  fg_call call = {.slot = slot, .params = (int64_t[]){1}};
  for (int again = 0; again < 2; again++) assert_int_equal(fg_argument_slots_upload(&p, &call, why), 0);
  assert_int_equal(c.held, 5);
  assert_string_equal((char *)p.used[0], in);
  assert_string_equal((char *)p.used[2], "was there");
  strcpy((char *)p.used[2], "is new");
  assert_int_equal(fg_argument_slots_download(&p, &call, why), 0);
  assert_string_equal(im, "is new");
  assert_string_equal(re, "what");
  fg_argument_slots_free(&p);
  assert_int_equal(c.held, 0);
}

static void in_place_is_one_array(void **state) {
  (void)state;
  card c = {.left = -1};
  fg_argument_slots p;
  char why[FG_WHY_SIZE], both[32] = "both";
  fg_artifact a = four_buffers();
  a.nbuffer = 2, a.buffer[1].split = false;
  assert_int_equal(fg_argument_slots_create(&p, &a, &memory, &c, why), 0);
  assert_int_equal(fg_argument_slots_make(&p, &a, why), 0);
  void *slot[2] = {both, both};
  fg_call call = {.slot = slot, .params = (int64_t[]){1}};
  assert_int_equal(fg_argument_slots_upload(&p, &call, why), 0);
  assert_int_equal(c.held, 1);
  assert_int_equal(c.fills, 1);
  assert_true(p.used[0] == p.used[1]);
  fg_argument_slots_free(&p);
}

/* Operands of the artifact's, of which there is a part, or of the caller's on the device. */
static void operands_repeat_or_are_given(void **state) {
  (void)state;
  card c = {.left = -1};
  fg_argument_slots p;
  char why[FG_WHY_SIZE], in[32] = "in", out[32] = "out";
  float all[10], other[10] = {9};
  fg_artifact a = four_buffers();
  a.nbuffer = 3, a.buffer[1].split = false;
  a.buffer[2] = (fg_arg_buffer){"factors", FG_ARG_GIVEN, sizeof all, false, half, sizeof half};
  for (int i = 0; i < 10; i++) all[i] = half[i % 4];
  assert_int_equal(fg_argument_slots_create(&p, &a, &memory, &c, why), 0);
  assert_int_equal(fg_argument_slots_make(&p, &a, why), 0);
  assert_memory_equal((void *)p.used[2], all, sizeof all);
  fg_call call = {.slot = (void *[]){in, out}, .params = (int64_t[]){1}, .given = (void *[]){other}};
  assert_int_equal(fg_argument_slots_upload(&p, &call, why), 0);
  assert_true(p.used[2] == (uintptr_t)other);
  call.given = NULL;
  assert_int_equal(fg_argument_slots_upload(&p, &call, why), 0);
  assert_memory_equal((void *)p.used[2], all, sizeof all);
  fg_argument_slots_free(&p);
  assert_int_equal(c.held, 0);
}

static void expect_refusal(const fg_call *call, const char *wanted) {
  card c = {.left = -1};
  fg_argument_slots p;
  char why[FG_WHY_SIZE] = "";
  fg_artifact a = four_buffers();
  assert_int_equal(fg_argument_slots_create(&p, &a, &memory, &c, why), 0);
  assert_int_equal(fg_argument_slots_make(&p, &a, why), 0);
  assert_int_equal(fg_argument_slots_upload(&p, call, why), 1);
  assert_non_null(strstr(why, wanted));
  fg_argument_slots_free(&p);
  assert_int_equal(c.held, 0);
}

static void calls_are_checked(void **state) {
  (void)state;
  char in[32], re[16], im[16];
  const int64_t one[] = {1};
  expect_refusal(&(fg_call){.slot = (void *[5]){in, re, im}}, "no values for the run-time parameters");
  expect_refusal(&(fg_call){.slot = (void *[5]){in, NULL, im}, .params = one}, "no memory given for argument slot 1");
  expect_refusal(&(fg_call){.slot = (void *[5]){in, re, im}, .params = one, .bytes = (size_t[5]){33, 16, 16}},
                 "argument slot 0: 33 bytes, the kernel was made for 32");
}

static void a_full_card_is_given_back(void **state) {
  (void)state;
  for (int room = 0; room < 2; room++) {
    card c = {.left = room};
    fg_argument_slots p;
    char why[FG_WHY_SIZE] = "";
    fg_artifact a = four_buffers();
    assert_int_equal(fg_argument_slots_create(&p, &a, &memory, &c, why), 0);
    assert_int_equal(fg_argument_slots_make(&p, &a, why), 1);
    assert_string_equal(why, "the card is full");
    fg_argument_slots_free(&p);
    assert_int_equal(c.held, 0);
  }
}

static void artifacts_are_checked(void **state) {
  (void)state;
  fg_argument_slots p;
  char why[FG_WHY_SIZE];
  fg_artifact a = four_buffers();
  fg_launch l = {.entry = "run", .narg = 1, .arg = {{false, 5}}};
  assert_int_equal(fg_argument_slots_create(&p, &a, &memory, NULL, why), 0);
  assert_int_equal(fg_argument_slots_check(&p, &l, why), 1);
  assert_string_equal(why, "run: argument 0 names buffer or parameter 5 of 5");
  l.arg[0].index = 4;
  assert_int_equal(fg_argument_slots_check(&p, &l, why), 0);
  l.arg[0].is_param = true;
  assert_int_equal(fg_argument_slots_check(&p, &l, why), 1);
  a.nlaunch = 0;
  assert_int_equal(fg_argument_slots_create(&p, &a, &memory, NULL, why), 1);
  a.nlaunch = 1, a.needs_init = true;
  assert_int_equal(fg_argument_slots_create(&p, &a, &memory, NULL, why), 1);
  assert_string_equal(why, "test: tables come with their content, not by init");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_and_out_again),          cmocka_unit_test(operands_repeat_or_are_given),
      cmocka_unit_test(in_place_is_one_array),     cmocka_unit_test(calls_are_checked),
      cmocka_unit_test(a_full_card_is_given_back), cmocka_unit_test(artifacts_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
