/* Numbers in memory of another type than the arithmetic. */
#ifndef FG_LOWER_STORAGE_H
#define FG_LOWER_STORAGE_H
#include "generator/lower/writer.h"
#include "generator/text/emitter.h"

/* Numbers as memory has them. NULL: as they are computed with. */
const fg_storage_row *fg_storage_of(const fg_emitter *e, const fg_buffer *b);

/* The same, whose functions for so many lanes are written. */
const fg_storage_row *fg_storage_row_for(const fg_writer *w, const fg_access_plan *p, int lanes);
const char *fg_storage_type(const fg_emitter *e, const fg_buffer *b);
int fg_storage_bytes(const fg_emitter *e, const fg_buffer *b);
bool fg_storage_moves_pairs(const fg_emitter *e, const fg_buffer *b); /* pairs move at once */
bool fg_storage_reads_ahead(const fg_emitter *e); /* pairs of the input bring their neighbours with them */
bool fg_storage_moves_vectors(const fg_emitter *e, const fg_buffer *b); /* they move as vectors */
#endif
