/* Stages of a small kernel as one function, with scratch in variables. */
#ifndef FG_LOWER_SCALAR_REPLACEMENT_H
#define FG_LOWER_SCALAR_REPLACEMENT_H
#include "generator/lower/address.h"
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"

/* Vectors to and from memory, or the values that stand for it. The name of a join;
 * an expression for a part. */
const char *fg_forward_load(fg_writer *w, fg_access_plan *p, const fg_component *spot, int lanes);

void fg_forward_store(fg_writer *w, fg_access_plan *p, const fg_component *spot, int lanes, const char *value);
const char *fg_forward_join(fg_writer *w, int lanes, const char *low, const char *high, const char *called);
const char *fg_forward_part(fg_writer *w, int lanes, const char *wide, int first);
bool fg_forward_is_tracked(const fg_writer *w, const fg_access_plan *p); /* may be held */
bool fg_forward_is_held(const fg_writer *w, const fg_access_plan *p);
void fg_forward_spoil(const fg_writer *w, const fg_access_plan *p); /* this buffer must be memory */

/* Decides what is held; after fg_memory_plan, whose places it may change. */
fg_status fg_forward_plan(fg_emitter *e);

fg_status fg_lower_joined(fg_emitter *e, int kernel, const char *function, fg_strbuf *out, fg_uses *uses);
#endif
