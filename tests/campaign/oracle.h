/* What docs/problem.md says that a problem computes, by direct sums in long double. */
#ifndef CAMPAIGN_ORACLE_H
#define CAMPAIGN_ORACLE_H
#include "case_file.h"
#include "problem.h"
#include <stdint.h>

/* Arrays and parameters of a call: the input and the caller's operands random by the seed, and so
 * is what the output holds before. 0 or -1. */
int oracle_fill(const problem *p, uint64_t seed, case_file *f);

/* Is after what a call leaves of before? 0, or -1 with a sentence (200 bytes). worst: the largest error as a
 * multiple of what is allowed. */
int oracle_check(const problem *p, const case_file *before, const case_file *after, long double *worst, char *error);
#endif
