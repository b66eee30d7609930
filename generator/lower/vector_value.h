/* Vectors by handles: made, taken apart, permuted, moved. */
#ifndef FG_LOWER_VECTOR_VALUE_H
#define FG_LOWER_VECTOR_VALUE_H
#include "generator/lower/writer.h"

const char *fg_value_splat(fg_writer *w, int lanes, const char *real);
const char *fg_value_make(fg_writer *w, int lanes, const char *const *item);
const char *fg_value_lane(fg_writer *w, int lanes, const char *vector, int lane);
const char *fg_value_shuffle(fg_writer *w, int lanes, const char *a, const char *b, const int *index);
const char *fg_value_swap(fg_writer *w, int lanes, const char *a); /* neighbours of the variable a exchanged */
const char *fg_value_alternate(fg_writer *w, int lanes, const char *a, const char *b); /* a - b, a + b, ... */
const char *fg_value_join(fg_writer *w, int lanes, const char *low, const char *high);
const char *fg_value_part(fg_writer *w, int lanes, const char *wide, int first);
const char *fg_value_piece(fg_writer *w, int lanes, const char *wide, int first); /* to be stored */
const char *fg_value_load(fg_writer *w, int lanes, const char *pointer);
void fg_value_store(fg_writer *w, int lanes, bool stream, const char *pointer, const char *value);
void fg_value_fetch(fg_writer *w, const char *pointer, fg_prefetch_how how); /* dialects with `fetch` */
#endif
