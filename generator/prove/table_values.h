/* What a program's tables hold, in numbers of 113 bits: for comparisons. */
#ifndef FG_QUAD_TABLE_H
#define FG_QUAD_TABLE_H
#include "generator/ir/program.h"
#include "generator/math/quad.h"

/* Natural order; t is no table of indices. */
fg_quadc *fg_quad_table(fg_context *cx, const fg_table *t);
#endif
