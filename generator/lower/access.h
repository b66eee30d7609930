/* Accesses: how their numbers move. */
#ifndef FG_LOWER_ACCESS_H
#define FG_LOWER_ACCESS_H
#include "generator/lower/writer.h"

fg_status fg_place_init(fg_writer *w, fg_place *p, const fg_access *a, char tag);

/* Numbers of a place and of what is behind it. */
int fg_place_numbers(const fg_place *p);

/* The one among them that has number *number of the codelet, which becomes its own. */
fg_place *fg_place_of(fg_place *p, int *number);

/* Some of them has rows of slots: all move at once. */
bool fg_place_has_rows(const fg_place *p);

/* Element offset of (slot, lane) from the base, where it is constant. */
bool fg_place_offset(const fg_writer *w, const fg_place *p, int slot, int lane, int64_t *out);

bool fg_affine_mentions(const fg_affine *a, int digit);
int64_t fg_inner_value(const fg_writer *w, int digit, int counter);
bool fg_place_is_inner(const fg_place *p, const fg_writer *w, int digit); /* slot or lane */
#endif
