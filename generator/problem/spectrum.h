/* The spectra of a convolution's transforms, one behind the other in an array of the caller's. */
#ifndef FG_PROBLEM_SPECTRUM_H
#define FG_PROBLEM_SPECTRUM_H
#include "generator/problem/problem.h"

/* Numbers of one along a dimension, and all: of reals half of them, n/2 + 1 along the last dimension. */
int64_t fg_problem_spectrum_length(const fg_problem *p, int dimension);
/* The dimension that is transformed forward and back at once, with the product between: the last one, but of reals,
 * whose last one is first and last, the first one longer than 1. */
int fg_problem_spectrum_dimension(const fg_problem *p);
/* The kind of a plan for lines along a dimension. */
fg_kind fg_problem_line_kind(const fg_problem *p, int dimension);
int64_t fg_problem_spectrum_points(const fg_problem *p);
/* Whether there are numbers of the caller's, a spectrum or operands, of this kind. */
bool fg_problem_has_own(const fg_problem *p, fg_spectra whose);
/* Of numbers that transforms of a batch have in common or of their own: how many times there are any (params NULL: with
 * every parameter at its upper end), and which of those are transform `number`'s. */
int64_t fg_problem_own_count(const fg_problem *p, fg_spectra whose, const int64_t *params);
int64_t fg_problem_own(const fg_problem *p, fg_spectra whose, int64_t number, const int64_t *params);
/* Transforms of the batch that have results of their own (params NULL: at their upper ends): of those that are added
 * the first one has; and how many each result is the sum of, 1: none are added. */
int64_t fg_problem_result_count(const fg_problem *p, const int64_t *params);
int64_t fg_problem_summands(const fg_problem *p, const int64_t *params); /* NULL: upper ends */
/* Where the spectrum of transform `number` of the batch begins. */
int64_t fg_problem_spectrum_at(const fg_problem *p, int64_t number, const int64_t *params);
/* Numbers of all of them; params NULL: with every parameter at its upper end. */
int64_t fg_problem_spectra_extent(const fg_problem *p, const int64_t *params);
#endif
