/* Numbers as text in every locale: see number.h. The thread that prints or reads
 * is in the "C" locale while it does; no other thread notices. */
#include "targets/number.h"
#include <stdatomic.h>
#include <stdlib.h>

/* Made once, never freed. NULL: no memory, which the next call tries again. */
static locale_t plain_locale(void) {
  static _Atomic(locale_t) kept;
  locale_t plain = atomic_load(&kept), other = (locale_t)0;
  if (plain) return plain;
  plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!plain || atomic_compare_exchange_strong(&kept, &other, plain)) return plain;
  freelocale(plain);
  return other;
}

bool fg_number_ready(void) { return plain_locale() != (locale_t)0; }

locale_t fg_number_enter(void) { return uselocale(plain_locale()); }

void fg_number_leave(locale_t before) { uselocale(before); }

int fg_number_vprint(char *text, size_t size, const char *format, va_list args) {
  locale_t before = fg_number_enter();
  int length = vsnprintf(text, size, format, args);
  fg_number_leave(before);
  return length;
}

int fg_number_print(char *text, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = fg_number_vprint(text, size, format, args);
  va_end(args);
  return length;
}

int fg_number_write(FILE *to, const char *format, ...) {
  va_list args;
  va_start(args, format);
  locale_t before = fg_number_enter();
  int length = vfprintf(to, format, args);
  fg_number_leave(before);
  va_end(args);
  return length;
}

double fg_number_read(const char *text, char **end) {
  locale_t before = fg_number_enter();
  double value = strtod(text, end);
  fg_number_leave(before);
  return value;
}

float fg_number_read_float(const char *text, char **end) {
  locale_t before = fg_number_enter();
  float value = strtof(text, end);
  fg_number_leave(before);
  return value;
}
