/* The spectra of a convolution's transforms, one behind the other in an array of the caller's. */
#ifndef FG_PROBLEM_SPECTRUM_H
#define FG_PROBLEM_SPECTRUM_H
#include "generator/problem/problem.h"

/* Where the spectrum of transform `number` of the batch begins. */
int64_t fg_problem_spectrum_at(const fg_problem *p, int64_t number, const int64_t *params);
/* Numbers of all of them; params NULL: with every parameter at its upper end. */
int64_t fg_problem_spectra_extent(const fg_problem *p, const int64_t *params);
#endif
