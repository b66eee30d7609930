/* See invariant.h. The runs of a thread are a list on its stack, the innermost first. */
#include "generator/base/invariant.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct run {
  jmp_buf recovery;
  struct run *outer;
  const char *condition, *file;
  int line;
} run;

static _Thread_local run *innermost;

void fg_invariant_fail(const char *condition, const char *file, int line) {
  if (!innermost) {
    fprintf(stderr, "fftgen: internal error: %s (%s:%d)\n", condition, file, line);
    abort();
  }
  innermost->condition = condition;
  innermost->file = file;
  innermost->line = line;
  longjmp(innermost->recovery, 1);
}

fg_status fg_invariant_run(fg_context *cx, fg_status (*step)(fg_context *cx, void *data), void *data) {
  run r = {.outer = innermost};
  innermost = &r;
  if (!setjmp(r.recovery)) {
    fg_status status = step(cx, data);
    innermost = r.outer;
    return status;
  }
  innermost = r.outer;
  const char *name = strrchr(r.file, '/');
  fg_diag_clear(&cx->diag);
  return fg_diag_set(&cx->diag, FG_EINTERNAL, "internal error: %s (%s:%d)", r.condition, name ? name + 1 : r.file,
                     r.line);
}

void *fg_invariant_innermost(void) { return innermost; }
void fg_invariant_return_to(void *run) { innermost = run; }
