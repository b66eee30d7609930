/* A text with one place changed, for tests of what must notice it. */
#ifndef FG_CHANGED_TEXT_H
#define FG_CHANGED_TEXT_H
#include "generator/base/arena.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

/* `to` in place of the n-th `from`; the test fails where there are fewer. */
static inline char *text_with(fg_arena *a, const char *text, const char *from, int n, const char *to) {
  const char *at = strstr(text, from);
  while (at && --n > 0) at = strstr(at + 1, from);
  if (!at) fail_msg("no '%s' in the text: %.4000s", from, text);
  return fg_arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}
#endif
