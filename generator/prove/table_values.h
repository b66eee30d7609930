/* Entries of a program's tables in numbers of 113 bits, for comparisons. */
#ifndef FG_QUAD_TABLE_H
#define FG_QUAD_TABLE_H
#include "generator/ir/program.h"
#include "generator/math/quad.h"

/* Natural order; t is no table of indices. */
fg_quadc *fg_table_values_quad(fg_context *cx, const fg_table *t);
/* Of a table of roots of unity: the exponent, 0 .. order - 1, of what element i is, but for its sign; element i. */
int64_t fg_table_values_exponent(const fg_table *t, int64_t i);
fg_quadc fg_table_values_element(const fg_table *t, int64_t i);
#endif
