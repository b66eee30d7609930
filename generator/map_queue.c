/* Map, queue=RING: two kernels become one whose blocks stay.
 *
 * In: two kernels of blocks, with a workspace for all transforms between them. Out: the
 * same with a queue; a further digit counts the transforms modulo the ring, and
 * the workspace has room for no more of them. */
#include "generator/map.h"

enum { LEAST_RING = 2 };

static fg_status refuse(fg_builder *b, fg_status status, const char *why) {
  return fg_diag_set(&b->cx->diag, status, "plan: queue=%lld: %s",
                     (long long)fg_plan_param_value(b->program->plan, FG_PARAM_QUEUE), why);
}

/* The digit of the batch, if it and what lies below it are all that blocks count; -1. */
static int16_t batch_of(const fg_kernel *k, int64_t *tiles) {
  *tiles = 1;
  if (!k->nouter || !k->digit[k->outer[0]].batch) return -1;
  for (int i = 0; i < k->nouter; i++) {
    const fg_digit *d = &k->digit[k->outer[i]];
    if (d->role != FG_ROLE_BLOCK || (i && (d->batch || d->extent.form != FG_NUM_CONST))) return -1;
    if (i) *tiles *= d->extent.n;
  }
  return k->outer[0];
}

/* In the workspace, `slot` stands where `batch` stood. */
static void go_round(fg_builder *b, fg_access *a, int16_t batch, int16_t slot) {
  for (; a && b->program->buffer[a->buffer].space == FG_SPACE_WORK; a = a->rest) {
    fg_affine *at = fg_index_base(&a->index);
    fg_num coef = {0};
    for (int t = 0; t < at->nterm; t++)
      if (at->term[t].digit == batch) coef = at->term[t].coef;
    fg_map_drop_terms(at, batch);
    fg_affine_add(at, slot, coef);
  }
}

static void add_slot(fg_builder *b, fg_kernel *k, int16_t batch, int ring) {
  int16_t slot = fg_map_new_digit(k, "s", FG_ROLE_BLOCK, ring);
  k->digit[slot].div = k->digit[batch].div;
  k->digit[slot].again = true;
  k->outer[k->nouter++] = slot;
  for (int i = 0; i < k->nstage; i++) {
    go_round(b, &k->stage[i].load, batch, slot);
    go_round(b, &k->stage[i].store, batch, slot);
  }
}

/* The last stage that uses the workspace, if all threads meet behind it; else the last one. */
static int frees(const fg_program *p, const fg_kernel *k) {
  int last = k->nstage - 1, used = last;
  while (used > 0 && p->buffer[k->stage[used].load.buffer].space != FG_SPACE_WORK &&
         p->buffer[k->stage[used].store.buffer].space != FG_SPACE_WORK)
    used--;
  return k->stage[used].sync_end == FG_SCOPE_BLOCK ? used : last;
}

/* Blocks alone, as many threads in both. */
static bool may_join(const fg_program *p) {
  if (fg_kernel_fetches(p->kernel[0]) || p->nkernel < 2 || fg_kernel_fetches(p->kernel[1])) return false;
  return p->nkernel == 2 && p->kernel[0]->cluster == 1 && p->kernel[1]->cluster == 1 && !p->kernel[0]->npred &&
         !p->kernel[1]->npred && p->kernel[0]->threads == p->kernel[1]->threads;
}

fg_status fg_map_queue(fg_builder *b) {
  fg_program *p = b->program;
  fg_queue q = {.ring = (int)fg_plan_param_value(p->plan, FG_PARAM_QUEUE)};
  if (!q.ring) return FG_OK;
  if (!b->map->queue) return refuse(b, FG_EUSER, "this target has none");
  if (q.ring < LEAST_RING) return refuse(b, FG_EUSER, "a ring has room for 2 transforms or more");
  if (!may_join(p)) return refuse(b, FG_ENA, "wants two kernels, of blocks alone with as many threads each");
  int16_t batch[2];
  for (int k = 0; k < 2; k++) batch[k] = batch_of(p->kernel[k], &q.tiles[k]);
  if (batch[0] < 0 || batch[1] < 0) return refuse(b, FG_ENA, "wants one batch, around all else");
  q.transforms = p->kernel[0]->digit[batch[0]].extent;
  q.lag = fg_plan_param_value(p->plan, FG_PARAM_LAG);
  if (!q.lag) q.lag = q.tiles[0] * q.ring / 2;
  if (q.lag < q.tiles[0] || q.lag > q.tiles[0] * (q.ring - 1))
    return fg_diag_set(&b->cx->diag, FG_EUSER, "plan: lag=%lld: a ring of %d with %lld tiles each allows %lld..%lld",
                       (long long)q.lag, q.ring, (long long)q.tiles[0], (long long)q.tiles[0],
                       (long long)(q.tiles[0] * (q.ring - 1)));
  q.waits[0] = q.tiles[1], q.waits[1] = q.tiles[0];
  q.frees = frees(p, p->kernel[1]);
  int64_t most = q.transforms.form == FG_NUM_CONST ? q.transforms.n : p->problem.param[q.transforms.param].hi;
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].space == FG_SPACE_WORK) p->buffer[i].size = p->buffer[i].size / most * q.ring;
  for (int k = 0; k < 2; k++) add_slot(b, p->kernel[k], batch[k], q.ring);
  p->queue = q;
  return FG_OK;
}
