/* What tests of the generator share: a context of their own, made before each
 * test and freed after it. Tests that use it are listed with setup and teardown. */
#ifndef FG_FIXTURE_H
#define FG_FIXTURE_H
#include "generator/base/context.h"
#include "generator/math/constant.h"
#include <mpfr.h>

static fg_context context;

static inline int setup(void **state) {
  (void)state;
  context = (fg_context){.arena = fg_arena_create()};
  return context.arena ? 0 : -1;
}

static inline int teardown(void **state) {
  (void)state;
  fg_arena_destroy(context.arena);
  context.arena = NULL;
  mpfr_free_cache();
  return 0;
}

/* Within a test: a new context in place of the old one, whose memory is freed. */
static inline void fresh(void) { teardown(NULL), setup(NULL); }
#endif
