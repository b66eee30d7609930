/* fg_stage: one perfect loop nest.
 *
 *   for every value of its digits:
 *     load the codelet's inputs  (x[m] = load buffer[address(digits, m)], m in registers)
 *     load its twiddles
 *     run the codelet
 *     store its outputs
 *
 * EXCHANGES between stages use buffers; their scope is the space of the buffer plus the stage's sync edges. A
 * target without threads runs THREAD digits as loops and needs no barriers.
 *
 * CLUSTERS: blocks that run at once and store to each other's shared memory. The innermost BLOCK digit numbers the
 * blocks of a cluster. A stage that stores to a buffer distributed over the cluster has
 *
 *   sync_mid = CLUSTER   a split barrier of all blocks of the cluster: each block
 *                        ARRIVES, after which its memory may be stored to, at the
 *                        stage's point `arrive`, and waits for the others' arrival
 *                        before it stores
 *   sync_end = CLUSTER   wait until all stores of the blocks to this block's part
 *                        have completed
 *
 * and if its blocks have not used that part for some time, or never, the two halves of the barrier are separate:
 *
 *   arrives              of a stage, behind it, or of the kernel, before all of them
 *   sync_begin = CLUSTER in place of sync_mid: the wait, before the stage
 *
 * Waiting for stored data does not order a block's threads: sync_begin = BLOCK of the next stage does.
 *
 * Such stores are asynchronous: nothing but that wait orders them. */
#ifndef FG_IR_STAGE_H
#define FG_IR_STAGE_H
#include "generator/codelet/codelet.h"
#include "generator/ir/access.h"

typedef struct fg_kernel fg_kernel; /* kernel.h */

/* Scopes of synchronisation, from narrow to wide. */
typedef enum fg_scope {
  FG_SCOPE_NONE,
  FG_SCOPE_REGISTER,
  FG_SCOPE_LANE,
  FG_SCOPE_BLOCK,
  FG_SCOPE_CLUSTER,
  FG_SCOPE_GLOBAL
} fg_scope;

/* A twiddle factor that is computed: factor number `factor` (an earlier one; -1: 1)
 * times loaded element number `load`; where `factor` is -1, times element `also` - 1 where
 * that is not 0. */
typedef struct fg_product {
  int16_t factor, load, also;
  bool made;  /* `load` is an earlier factor, too */
  bool twice; /* such a product, and times 2: of halves a half */
} fg_product;

/* Where in a stage with sync_mid = CLUSTER a block arrives at the barrier. Arriving
 * orders nothing: a load that was issued before may still be on its way. */
typedef enum fg_arrival {
  FG_ARRIVE_USED,   /* all loaded values were operands: the loads are complete */
  FG_ARRIVE_LOADED, /* the loads are issued: a race where the memory is stored to */
} fg_arrival;

typedef struct fg_stage {
  const char *what;          /* for people: "radix 16, 64 columns" */
  const fg_codelet *codelet; /* NULL: a copy (loads are stored unchanged) */
  int nloop;
  int16_t loop[FG_MAX_LOOPS]; /* the stage's digits, outermost first; no slot digits, no kernel digits */
  int16_t shared;             /* so many of the first enclose the stage before, too */
  int16_t lane;               /* the one of role LANE among them; -1: scalar */
  fg_access load, store;
  fg_operations *loaded, *stored; /* what becomes of elements; this stage's own; NULL: nothing */
  bool has_twiddle;
  fg_access twiddle; /* reg numbers the twiddle factors; with products: the loaded elements */
  bool has_more;     /* further loaded elements, numbered after those */
  fg_access more;
  const fg_product *product; /* of each twiddle factor in turn; NULL: they are what is loaded */
  int npred;                 /* guard of the whole stage: threads beyond the work */
  fg_pred pred[FG_MAX_PREDS];
  fg_scope sync_begin; /* before the loads */
  fg_scope sync_mid;   /* between the loads and the stores (exchange in one buffer) */
  fg_scope sync_end;   /* after the stores */
  fg_arrival arrive;   /* sync_mid = CLUSTER */
  bool arrives;        /* at the cluster's barrier, as soon as it is over */
  int16_t part;        /* 0: none, else 1 + a LOOP digit at which threads may cut it: see fg_kernel */
  bool packed;         /* vectors hold both parts of their lanes' numbers, where the target can */
  bool few;            /* a handful of numbers: no vectors wanted */
  bool alone;          /* nothing in it repeats: scalars are all that it can have */
  int warp_role;       /* few threads' work beside that of others: of the block's last warps, which one; 0: no matter */
  bool fallback;       /* a scalar loop where vectors were asked for */
  bool bulk;           /* a copy by the block's engine */
} fg_stage;

/* Elements that a stage's twiddle factors are loaded from, and products among them. */
int fg_stage_roots(const fg_kernel *k, const fg_stage *s);
int fg_stage_products(const fg_stage *s);
/* Whether it may be factor number f, where so many elements are loaded. */
bool fg_product_possible(const fg_product *x, int f, int loaded);
int fg_stage_lanes(const fg_kernel *k, const fg_stage *s); /* 1: scalar */
/* Loops that s, one of k's, shares with the stage before or behind. */
int fg_stage_shared(const fg_kernel *k, const fg_stage *s);
/* The next one that loads what s, one of k's, stores; NULL: none does. */
const fg_stage *fg_stage_after(const fg_kernel *k, const fg_stage *s);
/* Whether the last iteration of some loop repeats elements of the one before it: its
 * vectors begin anywhere. */
bool fg_stage_is_clipped(const fg_kernel *k, const fg_stage *s);
/* Iterations of a stage's loops, its vectors taken as one; -1: too many to unroll, or not known. */
int64_t fg_stage_iterations(const fg_kernel *k, const fg_stage *s);
/* An access that a stage makes: loads and stores, twiddles, operands. A pass that changes digits visits all of them;
 * NULL after the last. */
fg_access *fg_stage_access(fg_stage *s, int number);
#endif
