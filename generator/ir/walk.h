/* Walk: the one interpreter of digits. It runs through a program in an order of
 * execution that its kernels allow and reports every access with its addresses;
 * what the accesses mean (values, races, bounds) is for the callbacks.
 *
 * What runs at once is a SIMD GROUP: the lanes of one vector, or up to 32 threads of
 * a block at the same place of the text. All loads of a SIMD group precede its
 * stores: for lanes that is the definition, for threads an allowed order.
 *
 *   launch                      once per kernel and value of its HOST digits
 *     block                     in the order of the outer digits
 *       per stage, per value of its LOOP and REG digits, per SIMD group: load, store
 *
 * A stage with a barrier between loads and stores is walked, per value of its LOOP
 * digits, through all SIMD groups (and REG copies) loading, then sync, then through
 * all SIMD groups storing.
 *
 * Where a kernel copies in bulk, one block iterates over all numbers, which is the most that
 * they can have to do with each other: `block` is reported for each of them, and the copies'
 * stages are walked when they begin, by an engine instead of threads.
 *
 * Where a program has a queue, there is one launch for its first two kernels, and their
 * blocks come as its items.
 *
 * The blocks of a cluster run their kernel side by side: each of these
 * steps is done by one after the other before the next step begins. */
#ifndef FG_WALK_H
#define FG_WALK_H
#include "generator/ir/sample.h"
#include "targets/machine/simt.h"

enum { FG_WALK_WIDTH = 64 };

typedef struct fg_moves fg_moves;
struct fg_moves { /* one access of all instances of a SIMD group */
  const fg_access *access;
  int slots;                                 /* elements of one instance */
  const int64_t *at;                         /* at[slot * width + instance]: element of the buffer */
  const unsigned char *on;                   /* same shape: 0 where a predicate does not hold */
  int first;                                 /* number of the codelet's that its first slot begins with */
  const fg_moves *rest;                      /* the access that continues it; NULL: none */
  const fg_operations *operations;           /* what becomes of the elements; NULL: nothing */
  const int64_t *operand[FG_MAX_OPERATIONS]; /* same shape: element of each operation's operand; NULL: it has none */
  const unsigned char *operand_on[FG_MAX_OPERATIONS]; /* same shape: 0: not read, and zero */
};

typedef struct fg_simd_group {
  int kernel, stage; /* numbers in the program, in the kernel */
  const fg_stage *what;
  int width;                           /* instances */
  bool lanes;                          /* instances are lanes of one thread, else threads */
  int32_t thread[FG_WALK_WIDTH];       /* of each instance, in its block */
  unsigned char active[FG_WALK_WIDTH]; /* the stage's guard holds */
  int hold;                            /* number of this SIMD group between two barriers */
  const int64_t *value;                /* digit values of the first instance */
} fg_simd_group;

typedef enum fg_crossing {                     /* what the barrier of a cluster does, for all its blocks */
                           FG_CROSSING_ARRIVE, /* each says that its memory may be stored to */
                           FG_CROSSING_WAIT,   /* all have arrived */
                           FG_CROSSING_DATA,   /* what they stored to each other is there */
} fg_crossing;

typedef enum fg_bulk {
  FG_BULK_FETCH,   /* the first stage begins, for the block's next number */
  FG_BULK_FETCHED, /* it is on its way */
  FG_BULK_COME,    /* all threads wait until it is there */
  FG_BULK_LEAVE,   /* the last stage is on its way */
  FG_BULK_DRAINED, /* what it reads has been read: one thread knows */
} fg_bulk;

typedef struct fg_walker { /* what the walk reports; NULL: it does not; false ends it */
  void *self;
  bool (*launch)(void *self, int kernel, int64_t blocks);
  bool (*block)(void *self, int64_t block);
  /* twiddle: NULL, or two: of the stage's twiddle, and of `more`, without an access where there is none */
  bool (*load)(void *self, const fg_simd_group *b, const fg_moves *x, const fg_moves *twiddle);
  bool (*store)(void *self, const fg_simd_group *b, const fg_moves *y);
  void (*sync)(void *self, fg_scope scope); /* of the threads of a block */
  void (*rank)(void *self, int rank);       /* what follows is done by this block of the cluster */
  bool (*cross)(void *self, fg_crossing c);
  bool (*item)(void *self, int64_t number,
               const fg_item *item);                  /* in place of blocks, where they take them from a queue */
  bool (*end)(void *self);                            /* of a kernel, with all its launches */
  bool (*bulk)(void *self, fg_bulk b, int64_t block); /* for that number */
  bool (*stage)(void *self, int kernel, int stage);   /* it begins, of one block */
} fg_walker;

typedef struct fg_walk_options {
  const int64_t *params;
  int64_t ends;      /* 0: everything; else batch numbers only at their first and last `ends` values */
  int share, shares; /* of the values at which kernels may be cut only this share; shares 0, 1: all */
  bool (*keep)(const void *kept, int kernel, int64_t block); /* NULL: all blocks, or tiles; else those that it says */
  const void *kept;
  const fg_sample
      *sample; /* of loops' values these alone; kernels with bulk copies are walked like others. NULL: all */
  bool local;  /* of loads and stores, those of shared memory alone; others are reported without addresses */
} fg_walk_options;

/* True when program runs with threads: blocks are then unordered. */
bool fg_walk_has_threads(const fg_program *p);
/* The outer digit of one of p's kernels whose values walks may share out; -1: none. */
int16_t fg_walk_cut(const fg_program *p, const fg_kernel *k);
/* FG_OK when the walk was complete or a callback ended it; FG_EWRONG, with
 * the reason in why, when digits, blocks and threads contradict each other. */
fg_status fg_walk(fg_context *cx, const fg_program *p, const fg_walk_options *options, const fg_walker *walker,
                  char why[200]);
#endif
