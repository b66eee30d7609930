/* fg_kernel: stages over a digit index space. One representation for SIMD lanes,
 * GPU threads and plain loops.
 *
 * A stage is one perfect nest:
 *
 *   for every value of its digits:
 *     load the codelet's inputs  (x[m] = load buffer[address(digits, m)], m in registers)
 *     load its twiddles
 *     run the codelet
 *     store its outputs
 *
 * A DIGIT is one index. Its role says who runs through its values: the host, a
 * block, a thread, a SIMD lane, a loop, or the register file (unrolled). Value
 * of a digit whose counter is i:   start + min(i * step, last).
 * `last` makes the final vector of a loop overlap its neighbour instead of
 * needing a scalar tail.
 *
 * An ADDRESS is affine in digit values, with run-time coefficients allowed, then
 * optionally reduced modulo n and looked up in an index table, scaled and added to
 * another affine value, padded and XOR-swizzled, and two of its own digits may change
 * places from turn to turn of a ring. All addresses count elements of
 * the buffer (complex numbers where it is complex).
 *
 * EXCHANGES between stages go through buffers; their scope is the space of the
 * buffer plus the stage's sync edges. A target without threads runs THREAD
 * digits as loops and needs no barriers.
 *
 * CLUSTERS: blocks that run at once and store into each other's memory. The
 * innermost BLOCK digit numbers the blocks of a cluster. A stage that stores to a
 * buffer spread over the cluster has
 *
 *   sync_mid = CLUSTER   a barrier of all blocks of the cluster in two halves: each
 *                        block ARRIVES, which says that its memory may be stored to,
 *                        at the stage's point `arrive`, and waits for the others'
 *                        arrival before it stores
 *   sync_end = CLUSTER   wait until all that the blocks store to this block's part
 *                        is there
 *
 * and where its blocks have not used that part for some time, or never, the two halves stand apart:
 *
 *   arrives              of a stage, behind it, or of the kernel, before all of them
 *   sync_begin = CLUSTER in place of sync_mid: the wait, before the stage
 *
 * Waiting for what is stored there does not order a block's threads: sync_begin = BLOCK of the stage behind does.
 *
 * Such stores travel on their own: nothing but that wait orders them.
 *
 * SHARED LOOPS: a stage's first `shared` loops go around it and the stage before it, whose first loops are the same
 * digits: for each of their values one stage follows the other (map/fuse_loops.c). Such stages are a group.
 *
 * BULK COPIES: an engine copies a block's whole part between an array and memory of the block's, while
 * threads do other things. Such a copy is a kernel's first stage, and another may be its last one. Blocks go
 * through several numbers, some that follow each other or, persistent, the numbers of all: for each, in turn,
 *
 *   all wait until what the first stage copies is there; the stages between follow; after the one
 *   before `fetch` ends with a barrier, the first stage begins for the block's next number. The last
 *   stage begins after a barrier; before the next number's stages begin, what it reads has been read.
 *
 * Targets without such engines run these stages in their places, as copies like others. */
#ifndef FG_KERNEL_H
#define FG_KERNEL_H
#include "generator/codelet/codelet.h"
#include "generator/problem/operations.h"
#include "generator/problem/problem.h"
#include <stdbool.h>
#include <stdint.h>

enum { FG_MAX_DIGITS = 512, FG_MAX_LOOPS = 14, FG_MAX_TERMS = 16, FG_MAX_PREDS = 8 };

typedef enum fg_role {
  FG_ROLE_HOST,   /* host loop: the kernel is launched once per value */
  FG_ROLE_BLOCK,  /* counter = (block index / div) % extent */
  FG_ROLE_THREAD, /* counter = (thread index in block / div) % extent */
  FG_ROLE_LANE,   /* SIMD lane: counter = 0 .. extent-1, all at once */
  FG_ROLE_LOOP,   /* sequential loop of one thread */
  FG_ROLE_REG,    /* unrolled: slot of the codelet, or a copy of it */
} fg_role;

typedef struct fg_digit {
  char name[8]; /* as it appears in emitted text: "b", "q", "k", "l", "m" */
  fg_role role;
  fg_num extent; /* number of counter values */
  fg_num start;  /* value at counter 0 */
  int64_t step;  /* value per counter step */
  int64_t last;  /* clip of i * step; INT64_MAX: none */
  int64_t div;   /* BLOCK, THREAD: see fg_role */
  bool batch;    /* counts transforms, or some of them: a proof may walk their ends alone */
  bool again;    /* BLOCK: counts what another digit counts, modulo its extent: no further blocks */
} fg_digit;

typedef struct fg_term {
  int16_t digit; /* index into the kernel's digits */
  fg_num coef;
} fg_term;

typedef struct fg_affine { /* offset + sum coef * digit value */
  fg_num offset;
  int nterm;
  fg_term term[FG_MAX_TERMS];
} fg_affine;

typedef struct fg_wrap { /* elements numbered from `by` on, n of them: a shifted array */
  fg_affine position;    /* 0 .. n-1 */
  int64_t n, by;
  fg_num stride; /* the address gains by * stride, from position n - by on (by - n) * stride */
} fg_wrap;

/* Two digits of an address, each of which stands in the other's place in every other iteration of a ring. */
typedef struct fg_digit_swap {
  int64_t low, high; /* what one and the other count: powers of two, high at least count * low */
  int64_t count;     /* values of either, a power of two; 0: there is no such thing */
  int16_t phase;     /* the kernel's digit, 0 or 1, that says so: 1 exchanges */
} fg_digit_swap;

typedef struct fg_index { /* an address, in elements */
  fg_affine at;
  int nwrap;         /* added to it before everything else */
  fg_wrap *wrap;     /* this address's own */
  int64_t mod;       /* 0: none; else the value modulo mod (result in 0 .. mod-1) */
  int16_t lookup;    /* -1: none; else buffer (elem INDEX): value = table[value] */
  fg_num scale;      /* with mod or lookup: value = base + scale * value; n = 0: 1 */
  fg_affine base;    /* the part of the address that is neither reduced nor looked up */
  int64_t pad_every; /* 0: none; else value += value / pad_every * pad_by */
  int64_t pad_by;
  int64_t xor_shift; /* with xor_mask != 0: value ^= (value >> xor_shift) & xor_mask */
  int64_t xor_mask;
  fg_digit_swap exchange; /* at last */
  int64_t begin;          /* `at` gains so much for each place by which a tile begins earlier: see fg_queue */
} fg_index;

typedef struct fg_pred { /* holds when value < bound */
  fg_affine value;
  fg_num bound;
  int64_t mod;   /* 0: none; else the value, which is not negative, modulo mod */
  int64_t begin; /* the value gains so much, as an index does */
} fg_pred;

/* How an access moves vectors (targets with lanes; NONE: one element). It never
 * changes WHICH elements move: that is the address's business alone. */
typedef enum fg_move {
  FG_MOVE_NONE,      /* scalar */
  FG_MOVE_CONTIG,    /* lanes are neighbours in memory */
  FG_MOVE_REVERSE,   /* the same, the last lane first */
  FG_MOVE_SAME,      /* all lanes the same element: broadcast (loads) */
  FG_MOVE_TRANSPOSE, /* slots are neighbours, lanes any distance apart: exchange of scope LANE between
                      * rows of slots in memory and vectors of lanes; one line where the distance is the
                      * number of slots */
  FG_MOVE_GATHER,    /* lane by lane */
} fg_move;

/* Moves the elements of one access: address digits plus slot digit `reg`. Where the
 * codelet's slots follow two laws (the partners n - k of real transforms), those of
 * the second are `rest`: the slots behind, in the same buffer. */
typedef struct fg_access fg_access;
struct fg_access {
  int16_t buffer;
  int16_t reg; /* digit of role REG that numbers the codelet's slots (complex elements) */
  fg_index index;
  int npred; /* loads: 0 where a predicate fails; stores: skipped */
  fg_pred pred[FG_MAX_PREDS];
  fg_move move;
  bool stream; /* stores: full vectors past the caches, where the target has such stores and the address is
                * aligned for them, which is seen when it runs: callers need not align anything */
  fg_access *rest;
};

/* An operation on elements between memory and codelet. */
typedef struct fg_operation {
  const fg_operation_row *row;
  bool has_operand;
  fg_access operand; /* a table or an array of the caller's; its slots, and its rest's, are those of the access it
                      * belongs to */
} fg_operation;

enum { FG_MAX_OPERATIONS = 12 };
typedef struct fg_operations { /* in the order in which they happen */
  int parts;                   /* of an element before them: 2 complex, 1 real */
  bool two_by_two;             /* both parts are real elements, neighbours; a complex operand has one for each */
  int count;
  fg_operation operation[FG_MAX_OPERATIONS];
} fg_operations;

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
  FG_ARRIVE_USED,   /* all loaded values have gone into operations: the loads are over */
  FG_ARRIVE_LOADED, /* the loads are issued: a race where the memory is stored to */
} fg_arrival;

typedef struct fg_stage {
  const char *what;          /* for people: "radix 16, 64 columns" */
  const fg_codelet *codelet; /* NULL: a copy (loads go straight to stores) */
  int nloop;
  int16_t loop[FG_MAX_LOOPS]; /* the stage's digits, outermost first; no slot digits, no kernel digits */
  int16_t shared;             /* so many of the first go around the stage before, too */
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

/* Which frame of templates/ holds it. */
typedef enum fg_shape {
  FG_SHAPE_PASS,  /* one stage, global memory to global memory */
  FG_SHAPE_BLOCK, /* several stages of one block, exchanging through its own memory */
} fg_shape;

typedef struct fg_kernel {
  const char *name; /* suffix of the symbol: "pass0" */
  fg_shape shape;
  int ndigit;
  fg_digit digit[FG_MAX_DIGITS];
  int nouter; /* kernel-wide digits (HOST, BLOCK, LOOP of a block), visible to all stages, outermost first */
  int16_t outer[FG_MAX_LOOPS];
  int npred;
  fg_pred pred[2]; /* of the outer digits: beyond them nothing is done */
  /* Targets whose blocks are loops: 1 + an outer digit whose values may be shared out among threads, each with LOCAL
   * memory of its own; 0: none, then stages may be cut one by one, with a wait after each. */
  int16_t part;
  bool packed; /* CPU: vectors of its stages hold both parts of their numbers */
  int nstage;
  fg_stage *stage;
  fg_num blocks[FG_MAX_LOOPS]; /* number of blocks = product of nblocks factors (the extents of BLOCK digits) */
  int nblocks;
  int threads;     /* per block; 1 on targets without threads */
  int cluster;     /* blocks per cluster; 1: none. Else the innermost outer digit is the block's number in it */
  bool arrives;    /* at the cluster's barrier, before all stages */
  bool by_place;   /* blocks of one place in all transforms come one after the other: they read the same tables */
  int resident;    /* blocks at once on a multiprocessor that registers are to be left for; 0: not said */
  bool persistent; /* launched with as many blocks as the device holds at once, which go through the numbers of all */
  int fetch;       /* with bulk copies: the stage behind the last that reads what the first one copied */
  int iterations;  /* with bulk copies: numbers that a block goes through; persistent: 0 */
  int64_t lost;    /* cycles that a block loses to conflicts of banks of its memory, as far as they were counted */
} fg_kernel;

/* Name of the THREAD digit that holds the whole thread index, for guards: it
 * repeats what the stage's other THREAD digits say together. */
#define FG_GUARD_DIGIT "t"

int64_t fg_digit_value(const fg_digit *d, int64_t counter, const int64_t *params);
int64_t fg_digit_extent(const fg_digit *d, const int64_t *params);
/* coef * value divides by `by`, whatever the value is. */
bool fg_digit_steps_by(const fg_digit *d, fg_num coef, int64_t by);
bool fg_digit_is_clipped(const fg_digit *d); /* its last value is less than a step behind the one before */
/* Threads may share its values: so many parts at most, and a value in the part that `value` is in. What
 * is clipped does elements of the one before once more: the two go together. */
int64_t fg_digit_parts(const fg_digit *d, int64_t extent);
int64_t fg_digit_part(const fg_digit *d, int64_t value);
/* value[digit] are digit VALUES (not counters). Lookup tables are read from
 * tables[buffer] (NULL allowed where there is none). */
int64_t fg_affine_value(const fg_affine *a, const int64_t *value, const int64_t *params);
/* v with both digits exchanged; below zero nothing is. */
int64_t fg_digit_swap_value(const fg_digit_swap *x, int64_t v);
int64_t fg_index_value(const fg_index *x, const int64_t *value, const int64_t *params, const int32_t *const *tables);
bool fg_preds_hold(const fg_pred *pred, int npred, const int64_t *value, const int64_t *params);
/* The digit that numbers the blocks of a cluster; -1: there are no clusters. */
int16_t fg_kernel_rank(const fg_kernel *k);
/* Elements that a stage's twiddle factors are loaded from, and products among them. */
int fg_stage_roots(const fg_kernel *k, const fg_stage *s);
int fg_stage_products(const fg_stage *s);
/* Whether it may be factor number f, where so many elements are loaded. */
bool fg_product_possible(const fg_product *x, int f, int loaded);
int fg_stage_lanes(const fg_kernel *k, const fg_stage *s); /* 1: scalar */
/* Loops that s, one of k's, shares with the stage before or behind. */
int fg_stage_shared(const fg_kernel *k, const fg_stage *s);
/* One behind the last stage of the group that begins with stage number s: s + 1 where nothing is shared. */
int fg_kernel_group_end(const fg_kernel *k, int s);
/* Whether stages that share loops have the same ones first, in all of a group as many. */
bool fg_kernel_groups_fit(const fg_kernel *k);
/* The next one that loads what s, one of k's, stores; NULL: none does. */
const fg_stage *fg_stage_after(const fg_kernel *k, const fg_stage *s);
/* Whether the last iteration of some loop goes back over what the one before it did: its
 * vectors begin anywhere. */
bool fg_stage_is_clipped(const fg_kernel *k, const fg_stage *s);
/* Whether its first stage is a bulk copy, for which it waits in turns. */
bool fg_kernel_fetches(const fg_kernel *k);
/* Turns of a stage's loops, its vectors taken as one; -1: too many to unroll, or not known. */
int64_t fg_stage_iterations(const fg_kernel *k, const fg_stage *s);
/* Stages so short that CPU targets write them as one function and keep scratch in values,
 * but for exchanges that turn out not to fit together (lower/scalar_replacement.c). */
bool fg_kernel_is_joined(const fg_kernel *k);
/* An access that a stage makes: loads and stores, twiddles, operands. Whoever
 * changes digits goes through all of them; NULL after the last. */
fg_access *fg_stage_access(fg_stage *s, int number);
fg_num fg_affine_coef(const fg_affine *a, int digit);         /* 0 where it does not occur */
void fg_affine_add(fg_affine *a, int16_t digit, fg_num coef); /* asserts room */
/* What is compared with the bound, where the sum is v. */
static inline int64_t fg_pred_value(const fg_pred *p, int64_t v) { return p->mod ? (v % p->mod + p->mod) % p->mod : v; }
/* Reduced or looked up: not affine in the digits. */
static inline bool fg_index_is_bent(const fg_index *x) { return x->mod != 0 || x->lookup >= 0; }
/* The part of the address that counts elements as they lie in memory. */
static inline fg_affine *fg_index_base(fg_index *x) { return fg_index_is_bent(x) ? &x->base : &x->at; }
/* Whether the stage's vectors are of so many lanes, and all that moves here are vectors that begin at multiples of it.
 */
bool fg_access_is_whole(const fg_kernel *k, const fg_stage *s, const fg_access *a, int lanes);
/* Slots of an access and of what follows it. */
int64_t fg_access_slots(const fg_kernel *k, const fg_access *a);
#endif
