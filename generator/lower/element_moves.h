/* Loads and stores of single elements, pairs and vectors, in the type that memory has. */
#ifndef FG_LOWER_ELEMENT_MOVES_H
#define FG_LOWER_ELEMENT_MOVES_H
#include "generator/lower/writer.h"

const char *fg_storage_read(fg_writer *w, fg_access_plan *p, const char *element,
                            const char *condition); /* NULL: always */
void fg_storage_write(fg_writer *w, fg_access_plan *p, const char *element, const char *value);
const char *fg_storage_read_pair(fg_writer *w, fg_access_plan *p, const char *pointer, const char *condition);
/* A pair as memory has it, and the pair that it is. */
const char *fg_storage_read_word(fg_writer *w, fg_access_plan *p, const char *pointer, const char *condition);
const char *fg_storage_unpack(fg_writer *w, fg_access_plan *p, const char *word);
void fg_storage_write_pair(fg_writer *w, fg_access_plan *p, const char *pointer, const char *value);
const char *fg_storage_read_vector(fg_writer *w, fg_access_plan *p, const char *pointer, int lanes);
void fg_storage_write_vector(fg_writer *w, fg_access_plan *p, const char *pointer, int lanes, const char *value);
const fg_storage_row *fg_storage_hold_row(const fg_writer *w); /* what values may be held as; NULL: as they are */
const fg_storage_row *fg_storage_word_row(const fg_writer *w); /* what a copy's may pass as; NULL: as they are */
const fg_storage_row *
fg_storage_come_row(const fg_writer *w); /* what all iterations' loads may wait as; NULL: each loads its own */
#endif
