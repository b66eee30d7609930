/* Fences behind the base pointers of long code. */
#ifndef FG_LOWER_FENCE_H
#define FG_LOWER_FENCE_H
#include "generator/lower/writer.h"

void fg_fence_note(fg_writer *w);  /* an iteration's base pointers end here */
void fg_fence_write(fg_writer *w); /* fences them off in what was written of the iteration */
#endif
