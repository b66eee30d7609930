/* Single elements, pairs and vectors from and to memory, in the type that it holds. */
#ifndef FG_LOWER_ELEMENT_MOVES_H
#define FG_LOWER_ELEMENT_MOVES_H
#include "generator/lower/writer.h"

const char *fg_place_read(fg_writer *w, fg_place *p, const char *element, const char *condition); /* NULL: always */
void fg_place_write(fg_writer *w, fg_place *p, const char *element, const char *value);
const char *fg_pair_read(fg_writer *w, fg_place *p, const char *pointer);
void fg_pair_write(fg_writer *w, fg_place *p, const char *pointer, const char *value);
const char *fg_vector_read(fg_writer *w, fg_place *p, const char *pointer, int lanes);
void fg_vector_write(fg_writer *w, fg_place *p, const char *pointer, int lanes, const char *value);
#endif
