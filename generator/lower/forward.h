/* Vectors between the stages of a small kernel, as values. */
#ifndef FG_LOWER_FORWARD_H
#define FG_LOWER_FORWARD_H
#include "generator/lower/address.h"
#include "generator/lower/forward_state.h"

/* Vectors to and from memory, or the values that stand for it. The name of a join;
 * an expression for a part. */
const char *fg_forward_load(fg_writer *w, fg_access_plan *p, const fg_component *spot, int lanes);

void fg_forward_store(fg_writer *w, fg_access_plan *p, const fg_component *spot, int lanes, const char *value);
const char *fg_forward_join(fg_writer *w, int lanes, const char *low, const char *high, const char *called);
#endif
