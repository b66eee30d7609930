/* See planned.h: without FFTW, in long doubles. */
#include "tuning/measure/plain.h"
#include "tuning/measure/planned.h"
#include <stdlib.h>

bool fg_planned_make(fg_planned *p, fg_kind kind, int rank, const int *length, int sign, int64_t complexes) {
  *p = (fg_planned){.digits = FG_DIGITS_WIDE, .wide = calloc(2 * (size_t)complexes, sizeof *p->wide)};
  if (p->wide) p->plan = fg_plain_create(kind, rank, length, sign);
  return p->plan;
}

void fg_planned_run(fg_planned *p) { fg_plain_run(p->plan, p->wide); }

void fg_planned_end(fg_planned *p) {
  fg_plain_destroy(p->plan);
  free(p->wide);
}
