/* Lines that are brought near before they are needed. */
#ifndef FG_LOWER_PREFETCH_H
#define FG_LOWER_PREFETCH_H
#include "generator/lower/address.h"
#include "generator/lower/writer.h"

void fg_fetch_prepare(fg_writer *w); /* after the places */
fg_place *fg_fetch_place(fg_writer *w, const fg_place *p, int64_t step, char tag);
int64_t fg_fetch_step(const fg_writer *w, const fg_access *a, int digit);
bool fg_fetch_is_last(const fg_writer *w);
bool fg_fetch_tile(fg_writer *w); /* prefetch_tile.c; false: it fetches none */
void fg_fetch_open(fg_writer *w); /* base pointers; a turn's statements follow */

/* Brings near what lies at this spot of the other array, where that is wanted. */
void fg_fetch(fg_writer *w, const fg_place *p, const fg_spot *spot, int lanes);

void fg_fetch_spread(fg_writer *w); /* the turn's statements are written */
#endif
