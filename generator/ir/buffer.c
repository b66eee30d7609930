/* Buffers: how large they are, and where in them the parts of an element are stored. */
#include "generator/ir/buffer.h"

int64_t fg_buffer_bytes(const fg_buffer *b) {
  if (b->elem == FG_ELEM_INDEX) return 4 * b->size;
  int64_t reals = b->elem == FG_ELEM_COMPLEX ? 2 * b->size : b->size;
  if (b->layout == FG_LAYOUT_DOUBLED) reals *= 2;
  return reals * fg_precision_bytes(b->precision);
}

int fg_buffer_lane_half(const fg_buffer *b) { return 8 / fg_precision_bytes(b->precision); }

/* The bit that says which half of the vector comes down to where halves of 16 bytes are told apart, the others between
 * go up. */
int64_t fg_buffer_lane_position(const fg_buffer *b, int64_t e) {
  if (!b->permuted) return e;
  int64_t half = fg_buffer_lane_half(b), top = b->permuted / 2;
  return (e & ~(int64_t)(b->permuted - half)) | (e & (top - half)) << 1 | (e / (top / half) & half);
}

void fg_buffer_position(const fg_buffer *b, int64_t e, int64_t *re, int64_t *im) {
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

int fg_buffer_parts(const fg_buffer *b) { return b->elem == FG_ELEM_COMPLEX ? 2 : 1; }
