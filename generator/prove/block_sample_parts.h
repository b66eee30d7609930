/* Inside block samples: the addresses of all blocks (block_addresses.c), and the sample that follows from them. */
#ifndef FG_PROVE_BLOCK_SAMPLE_PARTS_H
#define FG_PROVE_BLOCK_SAMPLE_PARTS_H
#include "generator/prove/block_sample.h"

typedef struct fg_block_at {
  int kernel;
  int64_t block;
} fg_block_at;

enum { FG_BLOCK_SAMPLE_COLUMNS = 24, FG_BLOCK_SAMPLE_MIXED = 32 };

typedef struct fg_block_sample_maker {
  fg_context *cx;
  fg_block_sample *s;
  const fg_program *p;
  const int64_t *params;
  const fg_stages_apart *apart; /* NULL: the program is as it was */
  bool cut;                     /* blocks are parts of stages, and small */
  uint64_t random, seed;
  fg_tensor_form form;          /* how far elements are apart, without inputs */
  bool sparse;                  /* fewer inputs and outputs: more would lead to too many blocks */
  int inputs_per, outputs_per;  /* elements of the caller's memory that one of the problem's has */
  int spectrum;                 /* a convolution's buffer; -1: there is none */
  bool gaps;                    /* not all of the caller's memory is elements of his */
  int64_t size[FG_MAX_BUFFERS]; /* of arrays that blocks share, at their roots; else 0 */
  fg_bits stored[FG_MAX_BUFFERS], now[FG_MAX_BUFFERS] /* empty between uses */, carries[FG_MAX_BUFFERS];
  fg_bits fresh[FG_MAX_BUFFERS];   /* stored since some kernel has loaded any of that memory */
  bool was_loaded[FG_MAX_BUFFERS]; /* what was stored is no longer all fresh */
  int nmixed;                      /* blocks that load what is fresh, or not, where others of their class do not */
  fg_block_at mixed[FG_BLOCK_SAMPLE_MIXED];
  fg_bits written;          /* the caller's results that some block has stored */
  fg_bits results, callers; /* with gaps: outputs; these and, in place, inputs: what may be stored to */
  fg_bits *full;            /* by kernel: blocks that load anything but zeros */
} fg_block_sample_maker;

/* Of a transform of reals, indices of the half along its last dimension that stages of their own compute: of the first
 * and the middle column of a pass. Returns how many. */
int fg_block_sample_columns(const fg_block_sample_maker *k, int64_t to[FG_BLOCK_SAMPLE_COLUMNS]);
/* A set and what a block moves, shifted to its base. */
void fg_block_sample_put(fg_bits *b, const fg_footprint *x, int64_t base, bool value);
void fg_block_sample_put_all(const fg_block_sample_maker *k, fg_bits *b, int kernel, const fg_footprint *x,
                             int64_t first, int64_t count); /* of those blocks from the first on that have it */
bool fg_block_sample_any(const fg_bits *b, const fg_footprint *x, int64_t base);
int64_t fg_block_sample_base(const fg_block_sample_maker *k, int kernel, const fg_footprint *x, int64_t block);
bool fg_block_sample_is_given(const fg_block_sample_maker *k, int memory); /* nothing stores to it */
int64_t fg_block_sample_elements(const fg_footprint *x);
/* The kernel's blocks load from that memory, or store to it (store: the latter alone). */
bool fg_block_sample_touches(const fg_footprints *x, int memory, bool store);
/* Blocks of that class load nothing, and so store zeros. */
bool fg_block_sample_stores_zeros(const fg_footprints *x, int class);
bool fg_block_sample_is_exchange(const fg_footprints *x,
                                 const fg_footprint *store); /* they load just what they store there */
/* False: the program is none whose blocks' addresses can be told apart. */
bool fg_block_sample_kernels_fit(const fg_block_sample_maker *k);
/* Of all blocks. False: something is wrong, and the sample says what. */
bool fg_block_sample_addresses_hold(fg_block_sample_maker *k);
#endif
