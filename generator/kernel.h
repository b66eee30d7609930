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
 * optionally modulo n, padded, XOR-swizzled or looked up in an index table. All
 * addresses count elements of the buffer (complex numbers where it is complex).
 *
 * EXCHANGES between stages go through buffers; their scope is the space of the
 * buffer plus the stage's sync edges. A target without threads runs THREAD
 * digits as loops and needs no barriers. */
#ifndef FG_KERNEL_H
#define FG_KERNEL_H
#include "generator/codelet.h"
#include "generator/problem.h"
#include <stdbool.h>
#include <stdint.h>

enum { FG_MAX_DIGITS = 256, FG_MAX_LOOPS = 14, FG_MAX_TERMS = 16, FG_MAX_PREDS = 4 };

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

typedef struct fg_index { /* an address, in elements */
  fg_affine at;
  int64_t mod;       /* 0: none; else the value modulo mod (result in 0 .. mod-1) */
  int16_t lookup;    /* -1: none; else buffer (elem INDEX): value = table[value] */
  int64_t pad_every; /* 0: none; else value += value / pad_every * pad_by */
  int64_t pad_by;
  int64_t xor_shift; /* with xor_mask != 0: value ^= (value >> xor_shift) & xor_mask */
  int64_t xor_mask;
} fg_index;

typedef struct fg_pred { /* holds when value < bound */
  fg_affine value;
  fg_num bound;
} fg_pred;

/* How an access moves vectors (targets with lanes; NONE: one element). It never
 * changes WHICH elements move: that is the address's business alone. */
typedef enum fg_move {
  FG_MOVE_NONE,      /* scalar */
  FG_MOVE_CONTIG,    /* lanes are neighbours in memory */
  FG_MOVE_SAME,      /* all lanes the same element: broadcast (loads) */
  FG_MOVE_TRANSPOSE, /* slots are neighbours, lanes any distance apart: exchange of scope LANE between
                      * rows of slots in memory and vectors of lanes; one line where the distance is the
                      * number of slots */
  FG_MOVE_GATHER,    /* lane by lane */
} fg_move;

/* Moves the elements of one access: address digits plus slot digit `reg`. */
typedef struct fg_access {
  int16_t buffer;
  int16_t reg; /* digit of role REG that numbers the codelet's slots (complex elements) */
  fg_index index;
  int npred; /* loads: 0 where a predicate fails; stores: skipped */
  fg_pred pred[FG_MAX_PREDS];
  fg_move move;
  bool stream; /* stores: full vectors past the caches, where the target has such stores and the address is
                * aligned for them, which is seen when it runs: callers need not align anything */
} fg_access;

/* Scopes of synchronisation, from narrow to wide. */
typedef enum fg_scope {
  FG_SCOPE_NONE,
  FG_SCOPE_REGISTER,
  FG_SCOPE_LANE,
  FG_SCOPE_BLOCK,
  FG_SCOPE_CLUSTER,
  FG_SCOPE_GLOBAL
} fg_scope;

typedef struct fg_stage {
  const char *what;          /* for people: "radix 16, 64 columns" */
  const fg_codelet *codelet; /* NULL: a copy (loads go straight to stores) */
  int nloop;
  int16_t loop[FG_MAX_LOOPS]; /* the stage's digits, outermost first; no slot digits, no kernel digits */
  int16_t lane;               /* the one of role LANE among them; -1: scalar */
  fg_access load, store;
  bool has_twiddle;
  fg_access twiddle; /* reg numbers the twiddle factors */
  int npred;         /* guard of the whole stage: threads beyond the work */
  fg_pred pred[FG_MAX_PREDS];
  fg_scope sync_mid; /* between the loads and the stores (exchange in one buffer) */
  fg_scope sync_end; /* after the stores */
  bool packed;       /* vectors hold both parts of their lanes' numbers, where the target can */
  bool fallback;     /* a scalar loop where vectors were asked for */
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
  int nouter; /* kernel-wide digits (HOST, BLOCK), visible to all stages, outermost first */
  int16_t outer[FG_MAX_LOOPS];
  int nstage;
  fg_stage *stage;
  fg_num blocks[FG_MAX_LOOPS]; /* number of blocks = product of nblocks factors (the extents of BLOCK digits) */
  int nblocks;
  int threads; /* per block; 1 on targets without threads */
  int cluster; /* blocks per cluster; 1: none */
} fg_kernel;

/* Name of the THREAD digit that holds the whole thread index, for guards: it
 * repeats what the stage's other THREAD digits say together. */
#define FG_GUARD_DIGIT "t"

int64_t fg_digit_value(const fg_digit *d, int64_t counter, const int64_t *params);
int64_t fg_digit_extent(const fg_digit *d, const int64_t *params);
/* value[digit] are digit VALUES (not counters). Lookup tables are read from
 * tables[buffer] (NULL allowed where there is none). */
int64_t fg_affine_value(const fg_affine *a, const int64_t *value, const int64_t *params);
int64_t fg_index_value(const fg_index *x, const int64_t *value, const int64_t *params, const int32_t *const *tables);
bool fg_preds_hold(const fg_pred *pred, int npred, const int64_t *value, const int64_t *params);
int fg_stage_lanes(const fg_kernel *k, const fg_stage *s);    /* 1: scalar */
void fg_affine_add(fg_affine *a, int16_t digit, fg_num coef); /* asserts room */
#endif
