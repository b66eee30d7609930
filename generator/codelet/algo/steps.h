/* Transforms of powers of two with twiddle factors at each step by two; see steps.c. */
#ifndef FG_ALGO_STEPS_H
#define FG_ALGO_STEPS_H
#include "generator/codelet/algo/algo.h"

bool fg_steps_applies(int n);
/* Of x_j w^j; the factors are twiddles 0 .. n/2 - 1. */
void fg_steps_build(fg_dag *d, fg_dft dft, const fg_cedge *in, fg_cedge *out);
#endif
