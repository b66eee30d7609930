/* Loops whose iterations store while the next one computes. */
#ifndef FG_LOWER_SOFTWARE_PIPELINE_H
#define FG_LOWER_SOFTWARE_PIPELINE_H
#include "generator/lower/loops.h"
#include "generator/lower/writer.h"

/* The iteration's lines from here on, and the loops around it, which are written anew where that is worth it. */
void fg_software_pipeline_loops(fg_writer *w, fg_nest *n, size_t from);
#endif
