/* A program under test in a locale of the user's choice, as programs with a window
 * are: with FFTGEN_TEST_LOCALE=NAME setlocale(LC_ALL, NAME) is called before main.
 * Linked to the unit tests; into fftgen and users' programs it is loaded by LD_PRELOAD,
 * and leaves all other programs (compilers, shells) alone. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_ours(const char *name) {
  return !strcmp(name, "fftgen") || !strncmp(name, "test_", 5) || !strncmp(name, "user_", 5);
}

static void __attribute__((constructor)) choose(void) {
  const char *name = getenv("FFTGEN_TEST_LOCALE");
  if (!name || !is_ours(program_invocation_short_name)) return;
  if (setlocale(LC_ALL, name) && strcmp(localeconv()->decimal_point, ".") != 0) return;
  fprintf(stderr, "%s: no locale %s without a decimal point\n", program_invocation_short_name, name);
  _exit(1);
}
