/* fg_buffer: memory that kernels access: its owner, its contents, and the location of an element's parts in it. */
#ifndef FG_IR_BUFFER_H
#define FG_IR_BUFFER_H
#include "generator/ir/exchange.h"
#include "generator/problem/problem.h"

typedef enum fg_space {
  FG_SPACE_INPUT,
  FG_SPACE_OUTPUT,
  FG_SPACE_WORK,  /* workspace in global memory, all blocks share it */
  FG_SPACE_LOCAL, /* shared memory (CPU: scratch that stays in cache) */
  FG_SPACE_TABLE, /* constant */
  FG_SPACE_GIVEN, /* constant, brought by the caller: operands of load and store operations */
} fg_space;

typedef enum fg_elem { FG_ELEM_COMPLEX, FG_ELEM_REAL, FG_ELEM_INDEX /* int32 */ } fg_elem;

typedef enum fg_layout {
  FG_LAYOUT_INTERLEAVED, /* re im re im ... */
  FG_LAYOUT_SPLIT,       /* all re, then all im at +size (input, output: two pointers) */
  FG_LAYOUT_BLOCKED,     /* `block` re, then `block` im, ... */
  FG_LAYOUT_DOUBLED,     /* factors of pairs: re re of each, then im -im of each */
} fg_layout;

/* LOCAL: of GPUs, where blocks share it. */
typedef struct fg_buffer_local {
  int blocks; /* distributed: of the cluster, each of which holds `size` elements: element e is in block e / size */
  bool plain; /* elements without padding, as in an array */
  bool own;   /* shares its memory with no exchange */
  int each;   /* of lanes: elements of each of the block's threads, one thread's after the other's */
  int kernel; /* 1 + the kernel that map made it for; 0: the one among whose buffers it is */
} fg_buffer_local;

typedef struct fg_buffer {
  char name[24]; /* "in", "out", "work0", "tw1": as in emitted text */
  fg_space space;
  fg_elem elem;
  fg_layout layout;
  int block;    /* BLOCKED */
  int permuted; /* 0, or so many neighbours at a time are stored in an order that vectors want: each 16 bytes have as
                 * many of the first half of them as of the second */
  fg_precision precision;
  int64_t size;         /* elements (with run-time parameters at their upper ends) */
  fg_exchange exchange; /* of more than its block, or of less: see exchange.h */
  fg_buffer_local local;
  int16_t alias; /* -1, or the buffer whose memory this one uses */
  struct {
    int16_t first, last; /* kernels that touch it */
  } used;
  int16_t table; /* TABLE: index into fg_program.table, else -1 */
  int16_t given; /* GIVEN: fg_given_number of the operation */
} fg_buffer;

/* LOCAL: each block of the cluster holds a part of it. */
static inline bool fg_buffer_is_distributed(const fg_buffer *b) { return b->exchange.scope == FG_SCOPE_CLUSTER; }
/* WORK: a queue's ring buffer, see persistent_queue.h. */
static inline bool fg_buffer_is_ring(const fg_buffer *b) { return b->exchange.transport == FG_TRANSPORT_RING; }
/* LOCAL: registers of the block's threads. */
static inline bool fg_buffer_is_of_lanes(const fg_buffer *b) { return fg_exchange_is_shuffle(&b->exchange); }
/* Memory that a block's threads share. */
static inline bool fg_buffer_is_shared(const fg_buffer *b) {
  return b->space == FG_SPACE_LOCAL && !fg_buffer_is_of_lanes(b);
}
/* Elements of both are at the same places. */
static inline bool fg_buffer_is_like(const fg_buffer *a, const fg_buffer *b) {
  return a->elem == b->elem && a->layout == b->layout && a->block == b->block && a->permuted == b->permuted;
}
static inline int64_t fg_buffer_bytes(const fg_buffer *b) {
  if (b->elem == FG_ELEM_INDEX) return 4 * b->size;
  int64_t reals = b->elem == FG_ELEM_COMPLEX ? 2 * b->size : b->size;
  if (b->layout == FG_LAYOUT_DOUBLED) reals *= 2;
  return reals * fg_precision_bytes(b->precision);
}
/* Neighbours that stay together. */
static inline int fg_buffer_lane_half(const fg_buffer *b) { return 8 / fg_precision_bytes(b->precision); }
/* Of element e among the others: the bit that says which half of the vector comes down to where halves of 16 bytes are
 * told apart, the others between go up. */
static inline int64_t fg_buffer_lane_position(const fg_buffer *b, int64_t e) {
  if (!b->permuted) return e;
  int64_t half = fg_buffer_lane_half(b), top = b->permuted / 2;
  return (e & ~(int64_t)(b->permuted - half)) | (e & (top - half)) << 1 | (e / (top / half) & half);
}
/* Where in a buffer the parts of its element e are, in reals; a real element has one. */
static inline void fg_buffer_position(const fg_buffer *b, int64_t e, int64_t *re, int64_t *im) {
  int64_t i = fg_buffer_lane_position(b, e);
  *re = 2 * i, *im = 2 * i + 1;
  if (b->elem == FG_ELEM_REAL)
    *re = *im = i;
  else if (b->layout == FG_LAYOUT_SPLIT)
    *re = i, *im = b->size + i;
  else if (b->layout == FG_LAYOUT_BLOCKED)
    *re = i / b->block * 2 * b->block + i % b->block, *im = *re + b->block;
  else if (b->layout == FG_LAYOUT_DOUBLED)
    *im = 2 * (b->size + i);
}
/* Numbers of an element. */
static inline int fg_buffer_parts(const fg_buffer *b) { return b->elem == FG_ELEM_COMPLEX ? 2 : 1; }
#endif
