/* Several dimensions in one block of a GPU (nd_block.c). */
#ifndef FG_ASSEMBLE_STEPS_ND_BLOCK_H
#define FG_ASSEMBLE_STEPS_ND_BLOCK_H
#include "generator/assemble/view.h"

typedef struct fg_lattice { /* where numbers of several dimensions are, and their strides */
  fg_view view;
  fg_num stride[FG_MAX_RANK];
} fg_lattice;

typedef struct fg_leg { /* lines along a dimension, one after the other */
  int dimension;
  fg_kind kind;
  int sign;
} fg_leg;

/* Of a convolution, up to 2 FG_MAX_RANK (nd_legs.c); how many. */
int fg_build_legs_of_convolution(const fg_problem *q, const fg_plan *plan, int sign, fg_leg *leg);

/* The last dimensions, as many as the plan says, from one place to another. */
fg_status fg_build_dimensions_in_block(fg_builder *b, const fg_plan *plan, int sign, const fg_lattice *from,
                                       const fg_lattice *to);
/* All dimensions, parts of lines of one of them in blocks: nd_parted.c. */
fg_status fg_build_parted_dimensions(fg_builder *b, const fg_plan *plan, const fg_lattice *from, const fg_lattice *to);
/* The last two, on CPUs, of which the last one is short: nd_planes.c. */
fg_status fg_build_planes(fg_builder *b, const fg_plan *plan, int sign, const fg_lattice *from, const fg_lattice *to);
#endif
