/* The sums of docs/problem.md, one dimension after the other. */
#ifndef CAMPAIGN_SUMS_H
#define CAMPAIGN_SUMS_H
#include "problem.h"

/* x: elements of the input, last dimension fastest, becomes those of the output. 0 or -1 (memory). */
int sums(const problem *p, long double _Complex *x);
#endif
