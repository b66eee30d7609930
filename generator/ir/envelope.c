/* See envelope.h. In: a problem with norm, the table of its envelope. Out: whether all samples can be divided.
 *
 * The idea: the table has the envelope of a signal that is as short as has all of its values; block B of the
 * problem's signal has those of block B there, of the last one that all frames reach, or of one as far from the end. */
#include "generator/ir/envelope.h"
#include "generator/problem/frames.h"
#include "generator/problem/operations.h"
#include "generator/reference/window_values.h"

static int64_t entry_of(const fg_problem *p, const fg_table *t, int64_t sample) {
  int64_t hop = t->window.hop, block = sample / hop, head = t->window.frames - 1, count = p->dim[0].n.n;
  if (block > head) block = block < count ? head : block - count + head + 1;
  return block * hop + sample % hop;
}

fg_status fg_table_covers(fg_context *cx, const fg_problem *p, const fg_table *t) {
  int64_t first = fg_problem_signal_first(p), length = fg_problem_signal_length(p);
  const fg_quad *over = fg_operation_values_weights(cx, t->window, t->n);
  for (int64_t i = 0; i < length; i++) {
    int64_t entry = entry_of(p, t, first + i), end = length - 2 * t->n;
    if (!(over[entry] > 0))
      return fg_diag_set(
          &cx->diag, FG_EUSER,
          "problem: norm: the squares of the windows sum to nothing at sample %lld; allowed: windows and "
          "hops that reach all samples, as of store=window(hann),norm,centre",
          (long long)i);
    if (i > 2 * t->n && i < end) i = end; /* between, all blocks are equal */
  }
  return FG_OK;
}
