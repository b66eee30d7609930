/* Map, clusters: the barriers around stores to the shared memory of other blocks.
 *
 * In: stages whose buffers have their memory. Out: their barriers. An exchange is a stage that stores to a buffer
 * distributed over the cluster, or several consecutive ones. If it stores to the memory that it loads from, all
 * blocks wait between the two. With a buffer of its own (separate_buffers=on) a block arrives as soon as it no longer
 * needs that buffer. */
#include "generator/map/cluster.h"
#include "generator/map/digits.h"

bool fg_map_has_separate_buffers(const fg_builder *b) {
  return b->kernel->launch.cluster && fg_plan_param_value(b->program->plan, FG_PARAM_SEPARATE_BUFFERS);
}

/* Stage `first` sends to memory that blocks no longer use since some stage before, or never used. */
static void arrive_early(fg_builder *b, int first) {
  fg_kernel *k = b->kernel;
  int16_t memory = fg_buffer_root(b->program, k->stage[first].store.buffer);
  int last = first - 1;
  while (last >= 0 && !fg_stage_uses(b->program, &k->stage[last], memory)) last--;
  if (last < 0)
    k->launch.offer = fg_exchange_cluster(FG_SIGNAL_ARRIVE);
  else
    k->stage[last].exchange.offer = fg_exchange_cluster(FG_SIGNAL_ARRIVE);
  k->stage[first].exchange.before = fg_exchange_cluster(FG_SIGNAL_WAIT);
}

/* Behind stage `last` of such an exchange no thread stores to memory that another thread may still be loading from. */
static void meet_after(fg_builder *b, int last) {
  fg_kernel *k = b->kernel;
  if (last + 1 == k->nstage || k->stage[last + 1].exchange.before.scope ||
      !fg_map_is_local(b, k->stage[last + 1].store.buffer))
    return;
  if (!fg_stage_sends(b->program, &k->stage[last + 1])) k->stage[last + 1].exchange.before = fg_exchange_barrier();
}

/* Before the first store of an exchange the cluster's blocks wait for each other, after the last for what they store.
 */
void fg_map_cross_cluster(fg_builder *b) {
  fg_kernel *k = b->kernel;
  for (int i = 0; i < k->nstage; i++) {
    fg_stage *s = &k->stage[i];
    if (!fg_stage_sends(b->program, s)) continue;
    bool first = !i || s[-1].store.buffer != s->store.buffer;
    bool apart = fg_map_has_separate_buffers(b) &&
                 fg_buffer_root(b->program, s->load.buffer) != fg_buffer_root(b->program, s->store.buffer);
    if (first && apart)
      arrive_early(b, i);
    else if (first)
      s->exchange.between = fg_exchange_cluster(FG_SIGNAL_BARRIER);
    if (i + 1 < k->nstage && s[1].store.buffer == s->store.buffer) continue;
    s->exchange.after = fg_exchange_cluster(FG_SIGNAL_COUNT);
    if (fg_map_has_separate_buffers(b)) meet_after(b, i);
  }
}
