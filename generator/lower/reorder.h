/* Which stages' statements get another order (generator/opt). */
#ifndef FG_LOWER_REORDER_H
#define FG_LOWER_REORDER_H
#include "generator/lower/writer.h"

bool fg_reorder_list(fg_writer *w, int32_t from); /* an iteration's statements, where that is wanted */
bool fg_reorder_interleaves(const fg_writer *w,
                            int32_t operations); /* what is recorded from there on, with its stores */
bool fg_reorder_pipelines(const fg_writer *w);
#endif
