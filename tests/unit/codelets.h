/* What tests of codelets share: contexts of their own, codelets of a key, and keys that are refused. */
#ifndef FG_CODELETS_H
#define FG_CODELETS_H
#include "generator/codelet/codelet.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after the standard headers that it needs */
#include <cmocka.h>

static inline fg_context begin(void) {
  fg_context cx = {.arena = fg_arena_create()};
  assert_non_null(cx.arena);
  return cx;
}

static inline const fg_codelet *create(fg_context *cx, fg_codelet_key key) {
  const fg_codelet *c = NULL;
  if (fg_arena_guard(cx->arena)) fail_msg("out of memory");
  if (fg_codelet_create(cx, &key, &c) != FG_OK)
    fail_msg("%s n=%d %s: %s", fg_codelet_kind_name(key.kind), key.n, key.algo ? key.algo : "best", cx->diag.message);
  return c;
}

static inline void refuse(fg_codelet_key key, const char *word) {
  fg_context cx = begin();
  const fg_codelet *c = NULL;
  assert_int_equal(fg_codelet_create(&cx, &key, &c), FG_EUSER);
  assert_null(c);
  assert_non_null(strstr(cx.diag.message, word));
  fg_arena_destroy(cx.arena);
}
#endif
