/* Digits, addresses and predicates.
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
 * places from iteration to iteration of a ring. All addresses count elements of
 * the buffer (complex numbers where it is complex). */
#ifndef FG_IR_INDEX_H
#define FG_IR_INDEX_H
#include "generator/problem/number.h"
#include <stdbool.h>
#include <stdint.h>

enum { FG_MAX_DIGITS = 512, FG_MAX_LOOPS = 14, FG_MAX_TERMS = 16, FG_MAX_PREDS = 8 };

typedef enum fg_role {
  FG_ROLE_HOST,   /* host loop: the kernel is launched once per value */
  FG_ROLE_BLOCK,  /* counter = (block index / div) % extent */
  FG_ROLE_RING,   /* the same of a queue, of what BLOCK digits count already: no further blocks */
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
  int64_t div;   /* BLOCK, RING, THREAD: see fg_role */
  bool turns;    /* of a kernel: it takes the values one after the other, each through all of its stages */
  bool batch;    /* counts transforms, or some of them: a proof may walk their ends alone */
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

typedef struct fg_wrap { /* what an address gains by a position, two laws of it: shifted and reflected arrays */
  fg_affine position;
  int64_t split;            /* the second law holds from here on */
  int64_t add[2], times[2]; /* (add + times * position) * stride */
  fg_num stride;
} fg_wrap;

/* Two digits of an address, which change places in every other iteration of a ring. */
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
  fg_digit_swap swap; /* at last */
} fg_index;

typedef struct fg_pred { /* holds when value < bound */
  fg_affine value;
  fg_num bound;
  int64_t mod; /* 0: none; else the value, which is not negative, modulo mod */
} fg_pred;

/* Name of the THREAD digit that holds the whole thread index, for guards: it
 * repeats what the stage's other THREAD digits say together. */
#define FG_GUARD_DIGIT "t"
/* What a block's number says. */
static inline bool fg_digit_is_of_blocks(const fg_digit *d) {
  return d->role == FG_ROLE_BLOCK || d->role == FG_ROLE_RING;
}
/* Name of the RING digit that counts the places by which a tile begins earlier: see fg_queue. */
#define FG_SHIFT_DIGIT "shift"
int64_t fg_digit_value(const fg_digit *d, int64_t counter, const int64_t *params);
/* What an address gains at a position, in strides. */
static inline int64_t fg_wrap_gain(const fg_wrap *w, int64_t position) {
  int law = position >= w->split;
  return w->add[law] + w->times[law] * position;
}
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
fg_num fg_affine_coef(const fg_affine *a, int digit);         /* 0 where it does not occur */
void fg_affine_add(fg_affine *a, int16_t digit, fg_num coef); /* asserts room */
static inline bool fg_affine_mentions(const fg_affine *a, int digit) {
  bool any = false;
  for (int t = 0; t < a->nterm; t++) any |= a->term[t].digit == digit;
  return any;
}
static inline void fg_affine_drop(fg_affine *a, int16_t digit) {
  for (int t = 0; t < a->nterm; t++)
    if (a->term[t].digit == digit) a->term[t--] = a->term[--a->nterm];
}
static inline void fg_affine_rename(fg_affine *a, int16_t from, int16_t to) {
  for (int t = 0; t < a->nterm; t++)
    if (a->term[t].digit == from) a->term[t].digit = to;
}

/* What is compared with the bound, where the sum is v. */
static inline int64_t fg_pred_value(const fg_pred *p, int64_t v) { return p->mod ? (v % p->mod + p->mod) % p->mod : v; }

/* Reduced or looked up: not affine in the digits. */
static inline bool fg_index_is_bent(const fg_index *x) { return x->mod != 0 || x->lookup >= 0; }

/* The part of the address that counts elements in the order of memory. */
static inline fg_affine *fg_index_base(fg_index *x) { return fg_index_is_bent(x) ? &x->base : &x->at; }
#endif
