/* Map to blocks and threads.
 *
 * Block form (block.c): one kernel, whole transforms in a block. If shared memory is too small for that: pass form, a
 * kernel for each stage, exchanging through the workspace.
 *
 * In both, a stage's loops are mapped to threads from the innermost outwards. The loop that no longer fits is split:
 * its low part is mapped to threads, its high part to a loop (block form) or to blocks (pass form). */
#include "generator/map/block.h"
#include "generator/map/deal.h"
#include "generator/map/digits.h"
#include "generator/map/map.h"
#include "targets/machine/limits.h"

/* ---- pass form ------------------------------------------------------------------ */

/* Of a batch axis around the stage; the builder's own list is that of the last kernel. */
static int64_t axis_hi(const fg_builder *b, const fg_kernel *k, const fg_stage *s, int axis) {
  for (int l = 0; l < s->nloop; l++) {
    if (!fg_map_is_batch(k, s->loop[l]) || fg_map_batch_axis(k, s->loop[l]) != axis) continue;
    fg_num e = k->digit[s->loop[l]].extent;
    return e.form == FG_NUM_CONST ? e.n : e.n * b->program->problem.param[e.param].hi;
  }
  return 1;
}

/* A workspace of the plan's own, between dimensions, has its places. */
static bool knows_batch(const fg_kernel *k, const fg_stage *s, const fg_access *a) {
  bool knows = false;
  for (int l = 0; l < s->nloop; l++)
    if (fg_map_is_batch(k, s->loop[l]))
      knows |= fg_affine_mentions(&a->index.at, s->loop[l]) || fg_affine_mentions(&a->index.base, s->loop[l]);
  return knows;
}

/* Scratch becomes a workspace, with room for each of the batch. */
static void add_batch_terms(fg_builder *b, fg_kernel *k, fg_stage *s, fg_access *a) {
  fg_buffer *buffer = &b->program->buffer[a->buffer];
  if ((buffer->space != FG_SPACE_LOCAL && buffer->space != FG_SPACE_WORK) || knows_batch(k, s, a)) return;
  int64_t batch = 1;
  for (int i = 0; i < FG_MAX_AXES; i++) batch *= axis_hi(b, k, s, i);
  int64_t one = buffer->space == FG_SPACE_WORK ? buffer->size / batch : buffer->size;
  buffer->space = FG_SPACE_WORK;
  buffer->size = one * batch;
  for (int l = 0; l < s->nloop; l++) {
    if (!fg_map_is_batch(k, s->loop[l])) continue;
    int64_t coef = one;
    for (int i = fg_map_batch_axis(k, s->loop[l]) + 1; i < FG_MAX_AXES; i++) coef *= axis_hi(b, k, s, i);
    for (fg_access *each = a; each; each = each->rest)
      fg_affine_add(fg_index_base(&each->index), s->loop[l], fg_num_const(coef));
  }
}

/* A kernel of its own for stage s; its BLOCK digits become outer digits. */
static fg_kernel *pass_kernel(fg_builder *b, const fg_stage *stage, int number) {
  fg_kernel *k = fg_arena_copy(b->cx->arena, b->kernel, sizeof *k);
  fg_stage *s = k->stage = fg_arena_copy(b->cx->arena, stage, sizeof *stage);
  k->nstage = 1;
  k->name = fg_arena_printf(b->cx->arena, "pass%d", number);
  k->launch.cluster = 1;
  add_batch_terms(b, k, s, &s->load);
  add_batch_terms(b, k, s, &s->store);
  int64_t wanted = fg_plan_param_value(b->program->plan, FG_PARAM_THREADS);
  if (!wanted) wanted = limit->pass_threads;
  int64_t used = fg_map_deal(k, s, wanted < b->map->max_threads ? wanted : b->map->max_threads, FG_ROLE_BLOCK);
  k->launch.threads = (int)used;
  for (int l = 0; l < s->nloop; l++) {
    if (k->digit[s->loop[l]].role != FG_ROLE_BLOCK) continue;
    k->outer[k->nouter++] = s->loop[l];
    fg_map_drop_loop(s, l--);
  }
  s->exchange.after = fg_exchange_none();
  return k;
}

/* A sum of frames, or of transforms, waits for nothing: a block for each of its loops' parts, not one for all of a
 * signal. */
static bool adds_frames(const fg_kernel *k) {
  if (k->nstage != 1 || !k->stage[0].codelet) return false;
  fg_codelet_kind kind = k->stage[0].codelet->key.kind;
  return kind == FG_CODELET_SUM || kind == FG_CODELET_PRODUCTS || kind == FG_CODELET_TOTAL;
}

/* FG_ENA: blocks of one kernel do not wait for each other, so none may work in place. */
static fg_status map_passes(fg_builder *b) {
  fg_program *p = b->program;
  if (b->fused && !adds_frames(b->kernel)) return FG_ENA;
  for (int i = 0; i < b->kernel->nstage; i++) {
    fg_kernel *k = pass_kernel(b, &b->kernel->stage[i], p->nkernel);
    p->kernel[p->nkernel++] = k;
  }
  return FG_OK;
}

fg_status fg_map_threads(fg_builder *b) {
  bool clusters = false;
  for (int i = 0; i < b->nkernel; i++) clusters = clusters || b->kernels[i]->launch.cluster;
  b->queue_threads = fg_map_queue_threads(b);
  bool may_pass = !clusters && (b->nkernel == 1 || b->program->problem.rank > 1 || b->program->problem.summed);
  for (int i = 0; i < b->nkernel; i++) {
    b->kernel = b->kernels[i];
    fg_status status = adds_frames(b->kernel) ? FG_ENA : fg_map_block(b);
    if (status == FG_ENA && (may_pass || adds_frames(b->kernel))) status = map_passes(b);
    if (status != FG_OK) return status;
  }
  return FG_OK;
}
