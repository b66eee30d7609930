/* fg_stage: one perfect loop nest.
 *
 *   for every value of its digits:
 *     load the codelet's inputs  (x[m] = load buffer[address(digits, m)], m in registers)
 *     load its twiddles
 *     run the codelet
 *     store its outputs
 *
 * Stages exchange data through buffers: exchange.h. */
#ifndef FG_IR_STAGE_H
#define FG_IR_STAGE_H
#include "generator/codelet/codelet.h"
#include "generator/ir/access.h"
#include "generator/ir/exchange.h"

typedef struct fg_kernel fg_kernel; /* kernel.h */

/* A twiddle factor that is computed: factor number `factor` (an earlier one; -1: 1)
 * times loaded element number `load`; where `factor` is -1, times element `also` - 1 where
 * that is not 0. */
typedef struct fg_product {
  int16_t factor, load, also;
  bool made;  /* `load` is an earlier factor, too */
  bool twice; /* such a product, and times 2: of halves a half */
} fg_product;

/* The sources of a stage's twiddle factors. */
typedef struct fg_stage_factors {
  bool has_twiddle;
  fg_access twiddle; /* reg numbers the twiddle factors; with products: the loaded elements */
  bool has_more;     /* further loaded elements, numbered after those */
  fg_access more;
  const fg_product *product; /* of each twiddle factor in turn; NULL: they are what is loaded */
  int16_t matrix; /* 0, or the table of exp(2 pi i j k / n) by which warps compute the codelet (lower/products.c) */
} fg_stage_factors;

/* What becomes of elements; this stage's own; NULL: nothing. */
typedef struct fg_stage_operations {
  fg_operations *loaded, *stored;
} fg_stage_operations;

/* CPUs: how loops become loops of vectors. */
typedef struct fg_stage_vectors {
  int16_t lane;           /* the loop of role LANE; -1: scalar */
  int16_t shared;         /* so many of the first loops enclose the stage before, too */
  int16_t section, tiles; /* in batch-major order: which of the kernels it was in, so many of its first loops were
                           * around that kernel's stages */
  int16_t part;           /* 0: none, else 1 + a LOOP digit at which threads may cut it: see fg_kernel */
  bool packed;            /* vectors hold both parts of their lanes' numbers, where the target can */
  bool alone;             /* nothing in it repeats: scalars are all that it can have */
  bool fallback;          /* a scalar loop where vectors were asked for */
} fg_stage_vectors;

typedef struct fg_stage {
  const char *what;          /* for people: "radix 16, 64 columns" */
  const fg_codelet *codelet; /* NULL: a copy (loads are stored unchanged) */
  int nloop;
  int16_t loop[FG_MAX_LOOPS]; /* the stage's digits, outermost first; no slot digits, no kernel digits */
  fg_access load, store;
  fg_stage_operations operations;
  fg_stage_factors factors;
  int npred; /* guard of the whole stage: threads beyond the work */
  fg_pred pred[FG_MAX_PREDS];
  fg_exchanges exchange;
  fg_stage_vectors vectors;
  bool few;      /* a handful of numbers: no vectors wanted, no threads along a row */
  int warp_role; /* GPUs: few threads' work beside that of others: of the block's last warps, which one; 0: no matter */
} fg_stage;

/* Elements that a stage's twiddle factors are loaded from, and products among them. */
int fg_stage_roots(const fg_kernel *k, const fg_stage *s);
int fg_stage_products(const fg_stage *s);
/* Whether it may be factor number f, where so many elements are loaded. */
bool fg_product_possible(const fg_product *x, int f, int loaded);
int fg_stage_lanes(const fg_kernel *k, const fg_stage *s); /* 1: scalar */
bool fg_stage_has_threads(const fg_kernel *k, const fg_stage *s);
/* Whether it is a copy by the block's engine (kernel.h): loads that it brings, or stores that it takes. */
static inline bool fg_stage_is_bulk(const fg_stage *s) {
  const fg_exchange *before = &s->exchange.before;
  bool brings = before->transport == FG_TRANSPORT_ENGINE && !fg_exchange_is_engine_wait(before);
  return brings || s->exchange.after.transport == FG_TRANSPORT_ENGINE;
}
/* Loops that s, one of k's, shares with the stage before or behind. */
int fg_stage_shared(const fg_kernel *k, const fg_stage *s);
/* The next one that loads what s, one of k's, stores; NULL: none does. */
const fg_stage *fg_stage_after(const fg_kernel *k, const fg_stage *s);
/* Whether the last iteration of some loop repeats elements of the one before it: its
 * vectors begin anywhere. */
bool fg_stage_is_clipped(const fg_kernel *k, const fg_stage *s);
/* Whether it has what fills no vector of the stage before. */
bool fg_stage_is_rest(const fg_kernel *k, const fg_stage *s);
/* Iterations of a stage's loops, its vectors taken as one; -1: too many to unroll, or not known. */
int64_t fg_stage_iterations(const fg_kernel *k, const fg_stage *s);
/* An access that a stage makes: loads and stores, twiddles, operands. A pass that changes digits visits all of them;
 * NULL after the last. */
fg_access *fg_stage_access(fg_stage *s, int number);
/* The same stage, with accesses of its own to change. */
fg_stage fg_stage_twin(fg_arena *arena, const fg_stage *s);
#endif
