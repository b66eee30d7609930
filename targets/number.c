/* Numbers as text in every locale: see number.h. The thread that prints or reads
 * is in the "C" locale while it does; no other thread notices. */
#include "targets/number.h"
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- texts and whole numbers ------------------------------------------------------------
 *
 * Most of what a compiler prints. libquadmath, which comes with FFTW's library of that precision, has glibc's printf go
 * the way of programs with conversions of their own, several times slower. */

typedef struct printing {
  char *text;
  size_t size, length; /* length: of all, what does not fit too */
  va_list args;
} printing;

/* Most are of a few bytes: from both ends, without a call. */
static void copy(char *to, const char *from, size_t n) {
  if (n > 16) {
    memcpy(to, from, n);
  } else if (n >= 8) {
    memcpy(to, from, 8);
    memcpy(to + n - 8, from + n - 8, 8);
  } else if (n >= 4) {
    memcpy(to, from, 4);
    memcpy(to + n - 4, from + n - 4, 4);
  } else {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
  }
}

static void put(printing *p, const char *from, size_t n) {
  size_t room = p->length < p->size ? p->size - p->length : 0;
  copy(p->text + p->length, from, n < room ? n : room);
  p->length += n;
}

static void put_wide(printing *p, const char *from, size_t n, int width) {
  size_t wanted = width < 0 ? (size_t) - (long)width : (size_t)width;
  if (!width) {
    put(p, from, n);
    return;
  }
  for (size_t i = n; width > 0 && i < wanted; i++) put(p, " ", 1);
  put(p, from, n);
  for (size_t i = n; width < 0 && i < wanted; i++) put(p, " ", 1);
}

static void put_number(printing *p, unsigned long long x, bool negative, int width) {
  char digit[24], *at = digit + sizeof digit;
  do *--at = (char)('0' + x % 10);
  while (x /= 10);
  if (negative) *--at = '-';
  put_wide(p, at, (size_t)(digit + sizeof digit - at), width);
}

/* A width or a precision, in the format or beside it; `none` where there is none. */
static int read_amount(printing *p, const char **format, int none) {
  if (**format == '*') return ++*format, va_arg(p->args, int);
  if (**format < '0' || **format > '9') return none;
  int n = 0;
  while (**format >= '0' && **format <= '9' && n < 100000) n = 10 * n + (*(*format)++ - '0');
  return n;
}

static bool put_signed(printing *p, const char *size, int width) {
  long long x = size[1] == 'l' ? va_arg(p->args, long long)
                : *size == 'l' ? va_arg(p->args, long)
                               : va_arg(p->args, int);
  put_number(p, x < 0 ? -(unsigned long long)x : (unsigned long long)x, x < 0, width);
  return true;
}

static bool put_unsigned(printing *p, const char *size, int width) {
  unsigned long long x = size[1] == 'l' ? va_arg(p->args, unsigned long long)
                         : *size == 'l' ? va_arg(p->args, unsigned long)
                         : *size == 'z' ? va_arg(p->args, size_t)
                                        : va_arg(p->args, unsigned);
  put_number(p, x, false, width);
  return true;
}

static bool put_text(printing *p, int width, int most) {
  const char *s = va_arg(p->args, const char *);
  if (!s) return false;
  put_wide(p, s, most < 0 ? strlen(s) : strnlen(s, (size_t)most), width);
  return true;
}

/* The conversion behind '%'. False: something else than %s, %c, %d, %u of any size, with a width. */
static bool put_one(printing *p, const char **format) {
  const char *at = *format;
  if (*at == '0') return false; /* a flag */
  int width = read_amount(p, &at, 0), most = -1;
  if (*at == '.') at++, most = read_amount(p, &at, 0);
  const char *size = at;
  while (*at == 'l' || *at == 'z') at++;
  *format = at + 1;
  if (*at == 's' && at == size) return put_text(p, width, most);
  if (most >= 0 || at - size > 2) return false;
  if (*at == 'd' && *size != 'z') return put_signed(p, size, width);
  if (*at == 'u') return put_unsigned(p, size, width);
  char c = *at == 'c' ? (char)va_arg(p->args, int) : '%';
  if (*at != 'c' && *at != '%') return false;
  return put_wide(p, &c, 1, width), true;
}

/* As vsnprintf; -1: the format has more in it. */
static int print_plain(char *text, size_t size, const char *format, va_list args) {
  printing p = {.text = text, .size = size};
  bool good = true;
  va_copy(p.args, args);
  while (*format && good) {
    size_t n = 0;
    while (format[n] && format[n] != '%') n++;
    put(&p, format, n);
    format += n;
    if (*format) format++, good = put_one(&p, &format);
  }
  va_end(p.args);
  if (!good || p.length > INT_MAX) return -1;
  if (size) text[p.length < size ? p.length : size - 1] = 0;
  return (int)p.length;
}

/* ---- all ----------------------------------------------------------------------------------- */

int fg_number_vprint(char *text, size_t size, const char *format, va_list args) {
  int plain = print_plain(text, size, format, args);
  if (plain >= 0) return plain;
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
