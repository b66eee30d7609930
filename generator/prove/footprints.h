/* The footprint of each block of a kernel: the same for all of a class, but for a base. Elements are those of the array
 * that owns the memory; if it has different views, its reals. Tables are counted as their buffers are. */
#ifndef FG_PROVE_FOOTPRINTS_H
#define FG_PROVE_FOOTPRINTS_H
#include "generator/prove/block_classes.h"

typedef struct fg_span { /* elements that follow each other */
  int64_t first, count;
} fg_span;

typedef struct fg_footprint { /* what each block of a class loads from, or stores to, one array */
  int of;                     /* the class */
  int memory;                 /* the buffer that owns it; of a table: its buffer */
  bool store, table;
  bool spectrum;              /* a table: of a convolution, by which the block multiplies */
  int64_t coef[FG_MAX_LOOPS]; /* of the values of the kernel's block digits: a block's base */
  int64_t low, high;          /* the least and the greatest element, counted from the base */
  int64_t nspan;
  fg_span *span; /* counted from the base, in rising order, apart from each other; tables have none, but spectra do */
} fg_footprint;

typedef struct fg_footprints { /* of one kernel */
  fg_block_numbers number;
  fg_block_classes classes;
  int npart;
  fg_footprint *part;
  int64_t addresses[FG_MOST_CLASSES]; /* that one block moves */
} fg_footprints;

/* The spectrum of a chirp, of a program whose transform it makes a convolution, if it is the one that the DFT needs;
 * else NULL. */
const fg_table *fg_footprints_chirps(const fg_program *p, int buffer);
/* Whether a buffer is the caller's spectrum of a convolution, or that of a chirp. */
bool fg_footprints_is_spectrum(const fg_program *p, int buffer);
/* Reals of such an element of a root: 1 where its memory is seen in different ways, or real, else 2. */
int fg_footprints_unit(const fg_program *p, int root);
/* Of all kernels. NULL: blocks differ in more than their bases; or nothing of that kind is known. */
fg_footprints *fg_footprints_create(fg_context *cx, const fg_program *p, const int64_t *params);
/* Whether a block has that part. */
static inline bool fg_footprints_has(const fg_footprints *x, const fg_footprint *part, int64_t block) {
  return part->of == fg_block_classes_of(&x->classes, block);
}
int64_t fg_footprints_base(const fg_program *p, int kernel, const fg_footprints *parts, const fg_footprint *part,
                           int64_t block, const int64_t *params);
#endif
