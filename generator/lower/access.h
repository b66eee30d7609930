/* Accesses: how their numbers move. */
#ifndef FG_LOWER_ACCESS_H
#define FG_LOWER_ACCESS_H
#include "generator/lower/writer.h"

enum { FG_MOST_OPERANDS = 13 }; /* of a stage */

fg_status fg_access_plan_init(fg_writer *w, fg_access_plan *p, const fg_access *a, char tag);

/* Numbers of a place and of what is behind it. */
int fg_access_plan_numbers(const fg_access_plan *p);

/* The one among them that has number *number of the codelet, which becomes its own. */
fg_access_plan *fg_access_plan_of(fg_access_plan *p, int *number);

/* Some of them has rows of slots: all move at once. */
bool fg_access_plan_has_rows(const fg_access_plan *p);

/* Element offset of (slot, lane) from the base, where it is constant. */
bool fg_access_plan_offset(const fg_writer *w, const fg_access_plan *p, int slot, int lane, int64_t *out);

/* It stores to blocks of the cluster. */
static inline bool fg_access_plan_sends(const fg_writer *w, const fg_access_plan *p) {
  return p->is_store && fg_buffer_is_distributed(p->b) && w->lanes == 1;
}
/* Each access checks this predicate of the stage itself: none is around the iteration. */
bool fg_access_plan_takes(const fg_writer *w, const fg_pred *pred);
/* A thread of a launched kernel loads the stage's numbers from the device's memory. */
bool fg_access_plan_is_global(const fg_writer *w);
/* How many of them it then loads before it uses the first. */
int fg_access_plan_together(const fg_writer *w);
int64_t fg_access_plan_inner_value(const fg_writer *w, int digit, int counter);
bool fg_access_plan_is_inner(const fg_access_plan *p, const fg_writer *w, int digit); /* slot or lane */
/* What the stage loads and stores of one transform. */
int64_t fg_lower_stage_bytes(const fg_writer *w);
#endif
