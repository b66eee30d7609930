/* The footprint of each block of a kernel: the same for all, but for a base. Elements are those of the array that
 * owns the memory; if it has different views, its reals. Tables are counted as their buffers are. */
#ifndef FG_PROVE_FOOTPRINTS_H
#define FG_PROVE_FOOTPRINTS_H
#include "generator/ir/program.h"

typedef struct fg_span { /* elements that follow each other */
  int64_t first, count;
} fg_span;

typedef struct fg_footprint { /* what each block of a kernel loads from, or stores to, one array */
  int memory;                 /* the buffer that owns it; of a table: its buffer */
  bool store, table;
  int64_t coef[FG_MAX_LOOPS]; /* of the values of the kernel's block digits: a block's base */
  int64_t low, high;          /* the least and the greatest element, counted from the base */
  int64_t nspan;
  fg_span *span; /* counted from the base, in rising order, apart from each other; tables have none */
} fg_footprint;

typedef struct fg_footprints { /* of one kernel */
  int64_t blocks;              /* clusters, or tiles of a queue */
  int ndigit;                  /* outer digits that number them, outermost first */
  int16_t digit[FG_MAX_LOOPS];
  int64_t div[FG_MAX_LOOPS], extent[FG_MAX_LOOPS]; /* counter = block / div % extent */
  int npart;
  fg_footprint *part;
  int64_t addresses; /* that one block moves */
} fg_footprints;

/* Reals of such an element of a root: 1 where its memory is seen in different ways, or real, else 2. */
int fg_footprints_unit(const fg_program *p, int root);
/* Of all kernels. NULL: blocks differ in more than their bases; or nothing of that kind is known. */
fg_footprints *fg_footprints_create(fg_context *cx, const fg_program *p, const int64_t *params);
int64_t fg_footprints_base(const fg_program *p, int kernel, const fg_footprints *parts, const fg_footprint *part,
                           int64_t block, const int64_t *params);
#endif
