/* What every stage of one compilation gets: where to allocate, where to complain. */
#ifndef FG_CONTEXT_H
#define FG_CONTEXT_H
#include "generator/arena.h"
#include "generator/diag.h"

struct fg_library;

typedef struct fg_context {
  fg_arena *arena;            /* everything made lives here */
  fg_diag diag;               /* the first failure */
  struct fg_library *library; /* codelets made so far; NULL: none yet */
} fg_context;
#endif
