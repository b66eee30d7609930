/* Numbers as text, the same in every locale: what a program chose by setlocale
 * (a decimal comma, other digits) changes nothing that is printed or read here.
 *
 * All floating-point numbers are printed and read by these functions; the test
 * habits.numbers finds those that are not. They may be called by any thread, at
 * any time, also while another one calls setlocale. */
#ifndef FG_NUMBER_H
#define FG_NUMBER_H
#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* False: there is no memory for the "C" locale. Once true, always true. The
 * functions below rely on it: no arena is created before, and every caller that prints has one. In glibc and musl that
 * locale is static: there it is true. */
bool fg_number_ready(void);

/* snprintf, vsnprintf and fprintf. */
int fg_number_print(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int fg_number_vprint(char *text, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));
int fg_number_write(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* strtod and strtof; `end` may be NULL. */
double fg_number_read(const char *text, char **end);
float fg_number_read_float(const char *text, char **end);

/* For libraries that print and read numbers themselves (Lua, cJSON, tcc): this
 * thread is in the "C" locale from enter to leave, which takes what enter gave. */
locale_t fg_number_enter(void);
void fg_number_leave(locale_t before);
#endif
