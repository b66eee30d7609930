/* Numbers as text: the bytes that the C library gives in the "C" locale, whatever
 * locale this process is in. tests/locale/ runs this with a decimal comma, too. */
#include "targets/ascii.h"
#include "targets/number.h"
#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static const char *const formats[] = {"%.9f", "%.17g", "%.9g", "%g", "%a", "%.3e", "%12.4f|", "%-9.2g|", "%+G", "%.0f"};
static const double values[] = {0, -0.0, 1, -1.5, 0.70710678118654757, 1e-300, 123456789.125, 1e22, DBL_MAX, DBL_MIN};
enum { FORMATS = sizeof formats / sizeof *formats, VALUES = sizeof values / sizeof *values };

static char wanted[FORMATS][VALUES][400];

/* In the "C" locale, by the C library. */
static int note_wanted(void **state) {
  (void)state;
  char *before = strdup(setlocale(LC_ALL, NULL));
  setlocale(LC_ALL, "C");
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  for (int f = 0; f < FORMATS; f++)
    for (int v = 0; v < VALUES; v++) snprintf(wanted[f][v], sizeof wanted[f][v], formats[f], values[v]);
  const char *again = setlocale(LC_ALL, before);
  free(before);
  return again ? 0 : -1;
}

static void test_the_locale(void **state) {
  (void)state;
  if (!getenv("FFTGEN_TEST_LOCALE")) skip();
  char text[32];
  snprintf(text, sizeof text, "%.1f", 0.5);
  assert_string_not_equal(text, "0.5"); /* else the tests below show nothing */
}

static void test_print(void **state) {
  (void)state;
  char text[400];
  for (int f = 0; f < FORMATS; f++)
    for (int v = 0; v < VALUES; v++) {
      assert_int_equal(fg_number_print(text, sizeof text, formats[f], values[v]), strlen(wanted[f][v]));
      assert_string_equal(text, wanted[f][v]);
    }
}

/* With widths and precisions, and in rooms that are too small. */
static void is_same(size_t size, const char *format, ...) {
  char own[64], theirs[64];
  va_list args;
  memset(own, 'x', sizeof own), memset(theirs, 'x', sizeof theirs);
  va_start(args, format);
  int length = fg_number_vprint(own, size, format, args);
  va_end(args);
  va_start(args, format);
  assert_int_equal(length, vsnprintf(theirs, size, format, args));
  va_end(args);
  assert_memory_equal(own, theirs, sizeof own);
}

static void test_texts_and_whole_numbers(void **state) {
  (void)state;
  const size_t sizes[] = {0, 1, 5, 60};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t n = sizes[i];
    is_same(n, "%s", "");
    is_same(n, "plain");
    is_same(n, "%s and %s%%", "one", "another");
    is_same(n, "%d %d %d", 0, INT_MAX, INT_MIN);
    is_same(n, "%lld %ld", LLONG_MIN, LONG_MAX);
    is_same(n, "%llu %lu %u %zu", ULLONG_MAX, ULONG_MAX, UINT_MAX, SIZE_MAX);
    is_same(n, "%*s|%*d|%8d|%-8d|%08d", 7, "ab", -7, 12, 34, 56, 78);
    is_same(n, "%.*s %.2s %.s %.*s", 2, "abcdef", "xyz", "none", -1, "all");
    is_same(n, "%c%5c", 'a', 'b');
    is_same(n, "0x%llx %#x %5.3d %+d", 0xabcdefULL, 17U, 4, 5);
    is_same(n, "%hd %zd", (int)(short)7, (ptrdiff_t)-9);
  }
}

static void test_print_amid_text(void **state) {
  (void)state;
  char text[64];
  fg_number_print(text, sizeof text, "%s %.2f, %d; %g", "0,5", 0.25, 1000000, 1e6);
  assert_string_equal(text, "0,5 0.25, 1000000; 1e+06");
  fg_number_print(text, sizeof text, "%d %.17g %s", 3, 0.1, "mixed");
  assert_string_equal(text, "3 0.10000000000000001 mixed");
  assert_int_equal(fg_number_print(text, 4, "%.3f", 2.125), 5); /* cut */
  assert_string_equal(text, "2.1");
  assert_int_equal(fg_number_print(NULL, 0, "%.3f", 2.125), 5);
}

static void test_write(void **state) {
  (void)state;
  char text[64] = "";
  FILE *to = fmemopen(text, sizeof text, "w");
  assert_non_null(to);
  assert_int_equal(fg_number_write(to, "%.3f %a", 2.5, 0.5), 12);
  fclose(to);
  assert_string_equal(text, "2.500 0x1p-1");
}

static void test_read(void **state) {
  (void)state;
  static const char *const text[] = {"0.5", "-1.25e3 ", "0x1.8p1", ".25,5", "0,5", "x", "1e999"};
  static const double read[] = {0.5, -1250, 3, 0.25, 0, 0, HUGE_VAL};
  static const int length[] = {3, 7, 7, 3, 1, 0, 5};
  char *end;
  for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
    assert_true(fg_number_read(text[i], &end) == read[i]);
    assert_int_equal(end - text[i], length[i]);
    assert_true(fg_number_read_float(text[i], &end) == (float)read[i]);
    assert_int_equal(end - text[i], length[i]);
    assert_true(fg_number_read(text[i], NULL) == read[i]);
  }
  assert_true(fg_number_read_float("0.7071067811865476", NULL) == 0.70710678f);
}

static void test_every_double_comes_back(void **state) {
  (void)state;
  uint64_t random = 1;
  for (int i = 0; i < 20000; i++) {
    char text[64];
    double value, back;
    random = random * 6364136223846793005u + 1442695040888963407u;
    memcpy(&value, &random, sizeof value);
    if (!isfinite(value)) continue;
    fg_number_print(text, sizeof text, i % 2 ? "%.17g" : "%a", value);
    assert_null(strchr(text, ','));
    back = fg_number_read(text, NULL);
    assert_memory_equal(&back, &value, sizeof value);
  }
}

/* ---- other threads ---------------------------------------------------------- */

static atomic_bool stop, seen_wrong;

static void *print_all_the_time(void *data) {
  (void)data;
  char text[32];
  while (!atomic_load(&stop)) {
    fg_number_print(text, sizeof text, "%.3f", 0.125);
    if (strcmp(text, "0.125") != 0 || fg_number_read("0.125", NULL) != 0.125) atomic_store(&seen_wrong, true);
  }
  return NULL;
}

/* The thread's own locale stays what it was, also one that is no process's. */
static void test_the_locale_stays(void **state) {
  (void)state;
  char before[32], after[32];
  pthread_t thread;
  snprintf(before, sizeof before, "%.1f", 0.5);
  assert_int_equal(pthread_create(&thread, NULL, print_all_the_time, NULL), 0);
  for (int i = 0; i < 20000; i++) {
    fg_number_print(after, sizeof after, "%.1f", 0.25);
    snprintf(after, sizeof after, "%.1f", 0.5);
    assert_string_equal(after, before);
  }
  atomic_store(&stop, true);
  pthread_join(thread, NULL);
  assert_false(atomic_load(&seen_wrong));
  assert_true(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  locale_t own = duplocale(LC_GLOBAL_LOCALE);
  assert_true(own != (locale_t)0);
  uselocale(own);
  fg_number_print(after, sizeof after, "%g", 0.5);
  assert_true(uselocale(LC_GLOBAL_LOCALE) == own);
  freelocale(own);
}

/* ---- characters --------------------------------------------------------------- */

static void test_characters(void **state) {
  (void)state;
  locale_t before = fg_number_enter();
  for (int i = 0; i < 256; i++) {
    unsigned char u = (unsigned char)i;
    char c = (char)u;
    assert_int_equal(fg_is_digit(c), isdigit(u) != 0);
    assert_int_equal(fg_is_letter(c), isalpha(u) != 0);
    assert_int_equal(fg_is_alnum(c), isalnum(u) != 0);
    assert_int_equal(fg_is_space(c), isspace(u) != 0);
    assert_int_equal((unsigned char)fg_to_upper(c), toupper(u));
  }
  fg_number_leave(before);
}

int main(void) {
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_locale),
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_texts_and_whole_numbers),
      cmocka_unit_test(test_print_amid_text),
      cmocka_unit_test(test_write),
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_every_double_comes_back),
      cmocka_unit_test(test_the_locale_stays),
      cmocka_unit_test(test_characters),
  };
  return cmocka_run_group_tests(tests, note_wanted, NULL);
}
