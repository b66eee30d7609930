/* Codelets over interleaved complex vectors. */
#ifndef FG_LOWER_COMPLEX_VECTORS_H
#define FG_LOWER_COMPLEX_VECTORS_H
#include "generator/lower/writer.h"

/* NULL: the stage does not ask for pairs, or cannot have them. After its places. */
fg_complex_vectors *fg_complex_vectors_create(fg_writer *w);

void fg_complex_vectors_write(fg_writer *w); /* the inside of the loops; w->value[slot] are pairs */
#endif
