/* See gpu_parts.h. In: a stage that warps compute by products of matrices (lower/products.c). Out: what a block takes
 * of it. The idea: as counted in its text, by blocks of 16 rows and columns, and by columns of transforms at once. */
#include "generator/base/integer.h"
#include "generator/cost/gpu_parts.h"
#include "targets/machine/simt.h"

enum {
  SIDE = 16,
  COLUMNS = 8,
  ROOTS = 124,     /* issue slots for the cosines and sines of a block, whose loads are waited for */
  ROOT_LINES = 16, /* that these loads touch */
  PRODUCT = 6,     /* issue slots of a product, of which four serve the columns of eight transforms */
  NUMBERS = 39,    /* for sums and differences of sixteen inputs, or as many results, of eight transforms */
  OWN = 50,        /* registers, whatever there is to multiply, */
  FACTORS = 8,     /* for factors of sixteen inputs of eight transforms, */
  SUMS = 16,       /* and for the sums of sixteen results */
};

fg_gpu_matrix fg_cost_gpu_matrix(const fg_gpu_view *x, const fg_stage *s) {
  const fg_buffer *memory = &x->p->buffer[s->load.buffer], *roots = &x->p->buffer[s->factors.matrix];
  int64_t group = memory->size / fg_access_slots(x->k, &s->load), each = group * FG_WARP / x->k->launch.threads;
  int64_t side = x->p->table[roots->table].rows / SIDE, halves = each > COLUMNS ? 2 : 1;
  int64_t turns = group / (COLUMNS * halves);
  return (fg_gpu_matrix){
      .instructions = turns * side * (side * (ROOTS + 4 * PRODUCT * halves) + 2 * NUMBERS * halves),
      .lines = turns * side * side * ROOT_LINES,
      .registers = OWN + FACTORS * side * halves + SUMS * halves,
  };
}
