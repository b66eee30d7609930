/* Fences behind base pointers in long code. In: the statements of an iteration, pointers first. Out: the dialect's
 * fence behind them.
 *
 * gcc's combiner folds a pointer that is a sum of loop counters into each address behind it, and begins again at the
 * pointer each time: c2c f32 n=127 batch=64 takes gcc 12 39 s for AVX-512, and 3 s with a fence.
 *
 * Single elements that are extracted from vectors are adjacent in memory to those of other vectors. From -O2 on gcc
 * combines them to vectors (superword-level parallelism), whose values are live for long: c2r f32 n=127 batch=32
 * takes 16 s for AVX-512 and runs 5.4 us; with that optimisation off, 5 s and 4.4 us. */
#include "generator/lower/fence.h"
#include "generator/lower/writer.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_statements.h"

static bool is_long(const fg_writer *w) {
  return w->codelet && w->codelet->count.add + w->codelet->count.mul + w->codelet->count.fma >= FG_LONG_CODE;
}

static bool varies(const fg_writer *w) {
  for (int i = 0; i < FG_MAX_DIGITS; i++)
    if (w->uses.digit[i]) return true;
  return false;
}

void fg_fence_note(fg_writer *w) {
  if (!w->e->d->fence || !is_long(w)) return;
  w->e->apart = w->e->apart || (w->width > 1 && w->e->d->apart_preamble);
  int32_t end = fg_coder_position(w->e->coder);
  if (varies(w) && end) w->pointers_end = fg_coder_order(w->e->coder)[end - 1];
}

/* Other orders of the lines leave the pointers where they are. */
void fg_fence_write(fg_writer *w) {
  if (w->pointers_end < 0) return;
  fg_coder *c = w->e->coder;
  int32_t end = fg_coder_position(c), at = end;
  while (fg_coder_order(c)[at - 1] != w->pointers_end) at--;
  fg_coder_act(c, FG_CODE_KEEP, FG_KEEP_POINTERS);
  fg_coder_move_end(c, end, at);
  w->e->fences = true;
}
