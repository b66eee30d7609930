/* Inside the proof: large programs whose values are walked for a sample of their blocks.
 *
 * The loads and stores of all blocks to shared arrays are known: a block's addresses are those of block 0, shifted
 * by a sum of its digits (footprints.c; a program with other addresses is walked in full). From that follow the
 * blocks that carry the nonzero inputs to the outputs that are compared (block_sample.c). These are walked, and the
 * outputs compared with a transform in closed form (tensor.c). */
#ifndef FG_PROVE_SAMPLE_H
#define FG_PROVE_SAMPLE_H
#include "generator/prove/bits.h"
#include "generator/prove/footprints.h"
#include "generator/prove/stages_apart.h"
#include "generator/prove/tensor.h"
#include "generator/prove/vm.h"

struct fg_block_sample {
  const fg_program *p;
  const int64_t *params;
  fg_footprints *parts;     /* by kernel */
  int unit[FG_MAX_BUFFERS]; /* of arrays that blocks share, at their roots: fg_footprints_unit */
  fg_tensor_form form;      /* of the inputs */
  fg_tensor_form spectrum;  /* of a convolution */
  bool *overlaps;           /* by kernel: some blocks store once more what one before them has */
  fg_bits *kept;            /* by kernel: blocks whose values are walked */
  fg_bits wanted;           /* outputs that are compared */
  int64_t blocks, walked;   /* of all kernels; of them kept */
  int64_t classes;          /* of these blocks */
  int64_t addresses;        /* of those kept */
  int64_t dense;            /* of those, in blocks that are walked whole, one behind the other */
  int64_t inputs, outputs;  /* that are not zero; that are compared */
  int64_t factors;          /* of a spectrum: that are not zero */
  int races, out_of_bounds, uninitialised;
  char failure[200]; /* what is wrong with the addresses; "": nothing */
};

/* NULL: nothing would be gained, or the program is none that can be proved so. apart: whose program it is; NULL: it is
 * as it was. */
fg_block_sample *fg_block_sample_create(fg_context *cx, const fg_program *p, const int64_t *params, uint64_t seed,
                                        const fg_stages_apart *apart);
bool fg_block_sample_keeps(const void *sample, int kernel, int64_t block);
/* After a kernel: what blocks that were left out have stored is zero. */
void fg_block_sample_forget(fg_vm *m, int kernel);
/* The outputs that are wanted against those of the definition. */
void fg_block_sample_compare(fg_vm *m);
double fg_block_sample_room(const fg_block_sample *s); /* bytes that its walk takes */
#endif
