/* Languages whose kernels are launched, for tests that loop over them: all that the table of dialects offers. */
#ifndef FG_LAUNCHED_H
#define FG_LAUNCHED_H
#include "generator/base/arena.h"
#include "targets/dialect.h"
#include <string.h>

/* The i-th; NULL: there are no more. */
static inline const fg_dialect *launched_dialect(int i) {
  for (const fg_dialect *const *d = fg_dialect_table(); *d; d++)
    if (fg_dialect_is_offered(*d) && (*d)->block_id && i-- == 0) return *d;
  return NULL;
}

/* Whether it computes in the type of numbers that a problem asks for. */
static inline bool launched_takes(const fg_dialect *d, const char *problem) {
  enum { DOUBLE = 3 };
  return d->real[DOUBLE] || !strstr(problem, "f64");
}

static inline bool launched_is(const fg_dialect *d, const char *name) { return !strcmp(d->name, name); }

/* How it says the number of a block. */
static inline const char *launched_block(const fg_dialect *d) {
  return d->function_form ? d->function_form->given_block : d->block_id;
}

/* The begin of a barrier, with its bracket. */
static inline const char *launched_barrier(fg_arena *a, const fg_dialect *d) {
  return fg_arena_printf(a, "  %.*s(", (int)strcspn(d->barrier_block, "("), d->barrier_block);
}
#endif
