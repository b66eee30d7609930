/* Which ways short lines take where they are few. */
#ifndef FG_FFTW_SWEEP_FEW_H
#define FG_FFTW_SWEEP_FEW_H
#include "fftw/sweep/step.h"

/* Contiguous lines that are fewer than fill a vector, or of which no codelet does several: one after the other. */
bool fg_few_take_alone(const fg_step *s);
/* Whether lines are so short and so few that each has a codelet of its own, which s->each becomes: of those that
 * codelets do several of (`vectors`), fewer than fill a vector. */
bool fg_few_take_each(fg_step *s, bool vectors);
#endif
