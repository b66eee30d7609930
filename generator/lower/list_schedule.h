/* List scheduling of an iteration's statements. */
#ifndef FG_LOWER_LIST_SCHEDULE_H
#define FG_LOWER_LIST_SCHEDULE_H
#include "generator/lower/writer.h"

/* Writes the lines from an offset of the text on, an iteration's, in another order, where that is wanted. */
void fg_list_schedule_iteration(fg_writer *w, size_t from);
#endif
