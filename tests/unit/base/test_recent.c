/* A table by key and by last use: what is found, what is dropped, and who frees it. */
#include "generator/base/recent.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void entries(void **state) {
  (void)state;
  static const char *const keys[] = {"a", "b", "longer than a word", "longer than a worm"};
  static fg_recent_entry *bucket[FG_RECENT_BUCKETS];
  static fg_recent t = {.bucket = bucket, .counts = {.limit = 2, .most_bytes = 10}};
  fg_recent_entry e[4], *gone = NULL;
  for (int i = 0; i < 4; i++)
    e[i] = (fg_recent_entry){.key = keys[i], .size = strlen(keys[i]), .hash = fg_recent_hash(keys[i], strlen(keys[i]))};
  e[2].hash = e[3].hash; /* of one bucket, and only the key tells them apart */
  fg_recent_add(&t, &e[0], &gone), fg_recent_add(&t, &e[1], &gone);
  assert_null(gone);
  assert_ptr_equal(fg_recent_find(&t, &e[0]), &e[0]);
  fg_recent_add(&t, &e[2], &gone); /* the longest unused is e[1] */
  assert_ptr_equal(gone, &e[1]);
  assert_null(gone->next);
  assert_null(fg_recent_peek(&t, &e[1]));
  assert_null(fg_recent_peek(&t, &e[3]));
  gone = NULL, e[3].bytes = 9;
  fg_recent_add(&t, &e[3], &gone); /* e[0] is dropped, and has a user left */
  assert_null(gone);
  assert_int_equal(e[0].users, 1);
  assert_true(fg_recent_leave(&e[0]));
  e[1].bytes = 2; /* more bytes than there may be */
  fg_recent_add(&t, &e[1], &gone);
  assert_ptr_equal(gone, &e[3]);
  assert_ptr_equal(gone->next, &e[2]);
  assert_int_equal(t.counts.kept, 1);
  assert_int_equal(t.counts.bytes, 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(entries)};
  return cmocka_run_group_tests_name("recent", tests, NULL, NULL);
}
