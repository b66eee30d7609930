/* Classes of a kernel's blocks: those of one class do the same at other bases. */
#ifndef FG_PROVE_BLOCK_CLASSES_H
#define FG_PROVE_BLOCK_CLASSES_H
#include "generator/ir/program.h"

enum { FG_MOST_CLASSES = 32 };

typedef struct fg_block_numbers { /* what a block's number says */
  int64_t blocks;                 /* clusters, or tiles of a queue */
  int ndigit;                     /* outer digits that number them, innermost first */
  int16_t digit[FG_MAX_LOOPS];
  int64_t div[FG_MAX_LOOPS], extent[FG_MAX_LOOPS]; /* counter = block / div % extent */
} fg_block_numbers;

typedef struct fg_block_classes {
  int count;
  uint8_t *of; /* by block; NULL: there is one class */
  int64_t first[FG_MOST_CLASSES], last[FG_MOST_CLASSES], blocks[FG_MOST_CLASSES];
} fg_block_classes;

fg_block_numbers fg_block_numbers_create(const fg_program *p, int kernel, const int64_t *params);
/* Value of digit number i of these. */
int64_t fg_block_numbers_value(const fg_block_numbers *x, const fg_kernel *k, int i, int64_t block,
                               const int64_t *params);
/* False: blocks differ in more than conditions and bases, or in too many ways. */
bool fg_block_classes_create(fg_context *cx, const fg_program *p, int kernel, const int64_t *params,
                             fg_block_classes *out);
/* The next block of that class, of so many blocks; from the last one on: their number. */
int64_t fg_block_classes_next(const fg_block_classes *c, int64_t blocks, int class, int64_t block);
static inline int fg_block_classes_of(const fg_block_classes *c, int64_t block) { return c->of ? c->of[block] : 0; }
#endif
