/* Transposes and stores rows among the operations before them. */
#ifndef FG_LOWER_INTERLEAVE_STORES_H
#define FG_LOWER_INTERLEAVE_STORES_H
#include "generator/lower/writer.h"

bool fg_interleave_stores_is_wanted(const fg_writer *w); /* after the places */

/* Offsets in the text: where operations begin, where the last load has been, where stores begin. */
void fg_interleave_stores_merge(fg_writer *w, size_t operations, size_t loaded, size_t stores);
#endif
