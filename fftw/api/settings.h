/* What holds for all plans that are made: threads, and which problems wisdom knows. */
#ifndef FG_FFTW_API_SETTINGS_H
#define FG_FFTW_API_SETTINGS_H
#include "fftw/api/plan.h"

int fg_settings_threads(void); /* of plans that are made now */

uint64_t fg_wisdom_problem(const fg_call *c); /* a number for it, the same in every process */
bool fg_wisdom_knows(uint64_t problem, unsigned flags);
void fg_wisdom_learn(uint64_t problem, unsigned flags); /* where there is no memory, it does not */
#endif
