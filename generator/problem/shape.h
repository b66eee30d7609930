/* Lengths, elements and extents of a problem's arrays, and the address of an element in them. */
#ifndef FG_PROBLEM_SHAPE_H
#define FG_PROBLEM_SHAPE_H
#include "generator/problem/problem.h"

const fg_dim *fg_problem_axis(const fg_problem *p, int k); /* batch dimensions first, then n's */
int64_t fg_problem_points(const fg_problem *p);            /* product of the dimensions' lengths */
int64_t fg_problem_axis_length(const fg_problem *p, int k, bool output, const int64_t *params); /* elements of a side */
/* Elements of one transform on one side: along a dimension, and all of them. They
 * are reals on a real side; r2c and c2r keep n/2+1 complex numbers of the last
 * dimension. */
int64_t fg_problem_length(const fg_problem *p, int dimension, bool output);
/* The same as the transform sees it: zeropad does not shorten it. */
int64_t fg_problem_span(const fg_problem *p, int dimension, bool output);
int64_t fg_problem_elements(const fg_problem *p, bool output);
bool fg_problem_is_real(const fg_problem *p, bool output);
/* Where element `number` of a transform (last dimension fastest) and transform
 * `number` of the batch lie, in elements. */
int64_t fg_problem_element_at(const fg_problem *p, bool output, int64_t number, const int64_t *params);
int64_t fg_problem_batch_at(const fg_problem *p, bool output, int64_t number, const int64_t *params);
/* Elements that the array of one side spans, 1 + sum (n-1) * stride, with these
 * parameters (NULL: upper ends). */
int64_t fg_problem_extent(const fg_problem *p, bool output, const int64_t *params);
/* Number of transforms, given the run-time parameters (NULL: upper ends). */
int64_t fg_problem_batch_count(const fg_problem *p, const int64_t *params);
/* Leaves n of the transforms along a batch dimension; dimensions that were dense stay dense. */
void fg_problem_cut_batch(fg_problem *p, int dimension, int64_t n);
#endif
