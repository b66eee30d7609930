/* Prefetches of cache lines. */
#ifndef FG_LOWER_PREFETCH_H
#define FG_LOWER_PREFETCH_H
#include "generator/lower/address.h"
#include "generator/lower/writer.h"

void fg_prefetch_prepare(fg_writer *w); /* after the places */
fg_access_plan *fg_prefetch_plan(fg_writer *w, const fg_access_plan *p, int64_t step, char tag);
int64_t fg_prefetch_step(const fg_writer *w, const fg_access *a, int digit);
bool fg_prefetch_is_last(const fg_writer *w);
bool fg_prefetch_tile(fg_writer *w); /* prefetch_tile.c; false: it fetches none */
void fg_prefetch_open(fg_writer *w); /* base pointers; an iteration's statements follow */

/* Prefetches this component of the other array, where that is wanted. */
void fg_prefetch(fg_writer *w, const fg_access_plan *p, const fg_component *spot, int lanes);

void fg_prefetch_spread(fg_writer *w); /* the iteration's statements are written */
#endif
