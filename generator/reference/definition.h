/* What a problem's transform is, by its definition: for proofs. Computed by
 * fg_field_dft and fg_quad_dft, which share nothing with codelets. */
#ifndef FG_DEFINITION_H
#define FG_DEFINITION_H
#include "generator/math/field.h"
#include "generator/math/quad.h"
#include "generator/problem/problem.h"
#include "generator/reference/operation_values.h"

/* One transform, its elements dense, last dimension fastest; a real side's have
 * no imaginary parts. which: of the batch, whose spectrum and operands it has. Of results that are sums x has the
 * elements of all summands, the first of which it is, one transform's behind another's. */
fg_status fg_definition_gf(fg_context *cx, const fg_problem *p, const fg_field *f, fg_which which, const fg_gfc *x,
                           fg_gfc *y);
void fg_definition_quad(fg_context *cx, const fg_problem *p, fg_which which, const fg_quadc *x, fg_quadc *y);
/* Lowest common multiple of the orders of the roots of unity that these need. 0: too large. */
uint64_t fg_definition_order(const fg_problem *p);
#endif
