/* Runs: numbers of several slots that are adjacent in memory, transposed between lanes and registers. */
#ifndef FG_LOWER_TRANSPOSE_H
#define FG_LOWER_TRANSPOSE_H
#include "generator/lower/writer.h"

/* A vector with the last lane first; called so if that is not "". */
const char *fg_run_reversed(fg_writer *w, const char *value, const char *called); /* transpose.c */

/* Interleaved complex vectors whose rows are parts in memory: vectors of real and of imaginary ones alternately. */
static inline bool fg_is_of_parts(const fg_writer *w, const fg_access_plan *p) {
  bool parts = p->b->layout == FG_LAYOUT_SPLIT || p->b->layout == FG_LAYOUT_BLOCKED;
  return w->pack && parts && p->move == FG_MOVE_TRANSPOSE;
}

/* Loads what is needed and not loaded; stores the writer's values. */
void fg_run_load(fg_writer *w, fg_access_plan *p, const fg_run *r);

void fg_run_store(fg_writer *w, fg_access_plan *p, const fg_run *r);

int fg_run_cost(const fg_writer *w, const fg_access_plan *p, const fg_run *r,
                bool to_memory); /* as far as the order of lanes decides it */

/* Groups of slots that cover all, for rows apart; at most `slots` of them.
 * Groups of one number (slots * parts = 1) are no runs: they move lane by lane. */
int fg_run_cover(const fg_writer *w, const fg_access_plan *p, int parts, fg_run *group);

#endif
