/* What holds for all plans that are made: threads, and which problems wisdom knows. */
#ifndef FG_FFTW_API_SETTINGS_H
#define FG_FFTW_API_SETTINGS_H
#include "fftw/api/plan.h"

int fg_settings_threads(void);       /* of plans that are made now */
double fg_settings_time_limit(void); /* seconds; below 0: none */

uint64_t fg_wisdom_problem(const fg_call *c); /* a number for it, the same in every process */
int fg_wisdom_effort(unsigned flags);         /* 0: FFTW_ESTIMATE .. 3: FFTW_EXHAUSTIVE */
bool fg_wisdom_knows(uint64_t problem, unsigned flags);
/* What was found to be faster, by no less effort. */
fg_kernel_choice fg_wisdom_choice(uint64_t problem, unsigned flags);
/* Where there is no memory, it does not. */
void fg_wisdom_learn(uint64_t problem, unsigned flags, fg_kernel_choice choice);
#endif
