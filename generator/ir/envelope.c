/* See envelope.h. In: a problem with norm. Out: the table of its envelope, and whether all samples can be divided.
 *
 * The idea: block B of the problem's signal has the values of the short signal's block B, of its last one that all
 * frames reach, or of one as far from the end. */
#include "generator/ir/envelope.h"
#include "generator/problem/frames.h"
#include "generator/problem/operations.h"
#include "generator/reference/window_values.h"

bool fg_table_of_norm(const fg_problem *p, fg_table *out) {
  const fg_pointwise *op = fg_problem_norm_window(p);
  if (!op) return false;
  int64_t frame = fg_problem_frame(p), hop = fg_problem_hop(p), reach = (frame + hop - 1) / hop;
  if (p->dim[0].n.n < reach) reach = p->dim[0].n.n;
  *out = (fg_table){.fill = FG_FILL_WINDOW, .rows = 1, .order = 1};
  out->window = (fg_window){.row = fg_window_find(op->window), .parameter = op->parameter, .hop = hop, .frames = reach};
  out->n = out->cols = frame + (reach - 1) * hop;
  return true;
}

static int64_t entry_of(const fg_problem *p, const fg_table *t, int64_t sample) {
  int64_t hop = t->window.hop, block = sample / hop, head = t->window.frames - 1, count = p->dim[0].n.n;
  if (block > head) block = block < count ? head : block - count + head + 1;
  return block * hop + sample % hop;
}

fg_status fg_table_covers(fg_context *cx, const fg_problem *p) {
  fg_table t;
  if (!fg_table_of_norm(p, &t)) return FG_OK;
  int64_t first = fg_problem_signal_first(p), length = fg_problem_signal_length(p), end = length - 2 * t.n;
  const fg_quad *over = fg_operation_values_weights(cx, t.window, t.n);
  for (int64_t i = 0; i < length; i++) {
    if (!(over[entry_of(p, &t, first + i)] > 0))
      return fg_refuse(cx,
                       "problem: norm: the squares of the windows sum to nothing at sample %lld; allowed: windows and "
                       "hops that reach all samples, as of store=window(hann),norm,centre",
                       (long long)i);
    if (i > 2 * t.n && i < end) i = end; /* between, all blocks are equal */
  }
  return FG_OK;
}
