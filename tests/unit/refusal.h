/* What tests of readers (problems, plans, recipes) share, beside the fixture: refusals that say what they must, and
 * texts by chance. */
#ifndef FG_REFUSAL_H
#define FG_REFUSAL_H
#include "tests/unit/fixture.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

/* A user's mistake, told in one printable line that has both words. */
static inline void expect_refusal(const char *text, fg_status st, const char *first, const char *second) {
  const char *message = context.diag.message;
  if (st != FG_EUSER) fail_msg("'%s' was taken (%d)", text, st);
  if (!strstr(message, first) || !strstr(message, second))
    fail_msg("'%s': \"%s\" lacks \"%s\" or \"%s\"", text, message, first, second);
  for (const char *c = message; *c; c++)
    if (*c < ' ' || *c > '~') fail_msg("'%s': \"%s\" is no printable line", text, message);
}

static uint64_t seed;

static inline unsigned draw(unsigned below) { /* splitmix64 */
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (unsigned)((z ^ z >> 31) % below);
}
#endif
