/* Weighted sums of a transform's results: one number says whether all of them are right. */
#ifndef FG_DEFINITION_SUM_H
#define FG_DEFINITION_SUM_H
#include "generator/math/field.h"
#include "generator/math/quad.h"
#include "generator/problem/problem.h"

typedef struct fg_sums fg_sums;

bool fg_sums_possible(const fg_problem *p); /* a kind of transform, without operations, that has such sums */

/* Weights are the powers of random elements, one for each dimension. NULL: not possible.
 * The field has roots of unity of every length. */
fg_sums *fg_sums_create(fg_context *cx, const fg_problem *p, const fg_field *f, uint64_t *random);
/* Of one transform after the other: begin, all rows of its inputs and of its results,
 * in any order and in parts of elements that follow each other (a row: the last
 * dimension; a real side's elements have no imaginary parts), then whether they belong
 * together. */
enum { FG_SUMS_PART = 4096 /* elements, at most */ };
void fg_sums_begin(fg_sums *s);
void fg_sums_input(fg_sums *s, int64_t row, int64_t from, int64_t count, const fg_gfc *x);
void fg_sums_result(fg_sums *s, int64_t row, int64_t from, int64_t count, const fg_gfc *y);
bool fg_sums_agree(const fg_sums *s);

/* The same of reals, for one transform whose elements are dense: the distance of the two
 * sums, relative to the results' norm, of which it is that of the results in the mean over
 * the weights. Points: at most 2^22. */
double fg_sums_distance(fg_context *cx, const fg_problem *p, uint64_t seed, const fg_quadc *in, const fg_quadc *out);
#endif
