/* Operations of codelets, for recipes (fft.ops). */
#ifndef FG_RECIPE_OPS_H
#define FG_RECIPE_OPS_H
#include <stdint.h>

/* Additions and multiplications of the codelet of n points, nothing fused; -1: there is none, or no memory. */
int64_t fg_recipe_ops(int n);
#endif
