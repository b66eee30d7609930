/* In: a program with clusters, with a queue, or with shuffles. Out: the same without.
 *
 * The idea: blocks of a cluster have a barrier at every stage that stores to distributed memory, so a barrier at
 * every stage does no harm: all blocks run each stage, one after the other. The block's number becomes a digit of
 * every stage, outside of all others. A buffer of each block becomes one with a part for each; a distributed buffer
 * already is. */
#include "generator/ir/serialize.h"
#include <string.h>

/* Elements of a buffer for one of its root's. */
static int64_t elements_per(const fg_program *p, int buffer) {
  return fg_buffer_parts(&p->buffer[fg_buffer_root(p, buffer)]) / fg_buffer_parts(&p->buffer[buffer]);
}

static void join_parts(const fg_program *p, fg_access *a, int16_t rank) {
  const fg_buffer *b = &p->buffer[a->buffer];
  if (b->space != FG_SPACE_LOCAL || fg_buffer_is_distributed(b)) return;
  int64_t part = p->buffer[fg_buffer_root(p, a->buffer)].size * elements_per(p, a->buffer);
  fg_affine_add(&a->index.at, rank, fg_num_const(part));
  if (a->rest) join_parts(p, a->rest, rank);
}

static void join_stage(const fg_program *p, fg_stage *s, int16_t rank) {
  join_parts(p, &s->load, rank);
  join_parts(p, &s->store, rank);
  memmove(&s->loop[1], &s->loop[0], sizeof s->loop[0] * (size_t)s->nloop);
  s->loop[0] = rank;
  s->nloop++;
  fg_exchanges *x = &s->exchange;
  if (fg_exchange_crosses(&x->before)) x->before = fg_exchange_none();
  if (fg_exchange_crosses(&x->between)) x->between = fg_exchange_barrier();
  if (fg_exchange_crosses(&x->after)) x->after = fg_exchange_barrier();
  x->offer = fg_exchange_none();
}

/* With stages and accesses of its own. */
static fg_kernel *twin_of(fg_context *cx, const fg_kernel *from) {
  fg_kernel *k = fg_arena_copy(cx->arena, from, sizeof *k);
  k->stage = fg_arena_new(cx->arena, fg_stage, k->nstage);
  for (int i = 0; i < k->nstage; i++) k->stage[i] = fg_stage_twin(cx->arena, &from->stage[i]);
  return k;
}

static fg_kernel *join_kernel(fg_context *cx, const fg_program *p, const fg_kernel *from) {
  fg_kernel *k = twin_of(cx, from);
  int16_t rank = fg_kernel_rank(k);
  for (int i = 0; i < k->nstage; i++) join_stage(p, &k->stage[i], rank);
  for (int i = 0; i < k->nouter; i++) k->digit[k->outer[i]].div /= k->launch.cluster;
  k->digit[rank].role = FG_ROLE_REG;
  k->digit[rank].div = 1;
  k->nouter--;
  k->launch.nblocks--; /* the innermost digit's factor is the first */
  memmove(&k->launch.blocks[0], &k->launch.blocks[1], sizeof k->launch.blocks[0] * (size_t)k->launch.nblocks);
  k->launch.cluster = 1, k->launch.offer = fg_exchange_none();
  return k;
}

/* Blocks of the cluster that a LOCAL buffer belongs to. */
static int cluster_of(const fg_program *p, int buffer) {
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++)
      if (fg_stage_uses(p, &p->kernel[i]->stage[s], buffer)) return p->kernel[i]->launch.cluster;
  return 1;
}

/* Elements that rows of so many become where an access pads them. */
static int64_t padded(const fg_program *p, const fg_access *a, int root, int64_t elements) {
  if (fg_buffer_root(p, a->buffer) != root || !a->index.pad_every) return elements;
  return elements + elements / a->index.pad_every * a->index.pad_by;
}

/* Blocks' parts follow each other before padding, which widens the last one's offset, too. */
static int64_t joined_size(const fg_program *p, int root, int64_t elements) {
  int64_t most = elements;
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) {
      const fg_stage *stage = &p->kernel[i]->stage[s];
      const fg_access *const access[] = {&stage->load, stage->load.rest, &stage->store, stage->store.rest};
      for (int a = 0; a < 4; a++) {
        int64_t size = access[a] ? padded(p, access[a], root, elements) : 0;
        if (size > most) most = size;
      }
    }
  return most;
}

/* Where transforms use a ring buffer, all have a place: counted by the kernel's first `outer` digits. */
static void go_straight(const fg_kernel *k, int outer, fg_access *a) {
  fg_affine *at = fg_index_base(&a->index);
  a->index.swap = (fg_digit_swap){0};
  for (int t = 0; t < at->nterm; t++) {
    if (k->digit[at->term[t].digit].role != FG_ROLE_RING) continue;
    fg_num coef = at->term[t].coef;
    at->term[t].digit = k->outer[outer - 1];
    for (int i = outer - 1; i > 0; i--) { /* the outermost alone may be counted at run time */
      coef = fg_num_scaled(coef, k->digit[k->outer[i]].extent.n);
      fg_affine_add(at, k->outer[i - 1], coef);
    }
  }
  if (a->rest) go_straight(k, outer, a->rest);
}

/* Tiles begin alike: what says by how much they begin earlier is the first digit of the ring. */
static void drop_begin(const fg_kernel *k, int outer, fg_affine *at) {
  int kept = 0;
  while (k->digit[k->outer[outer]].role != FG_ROLE_RING) outer++;
  for (int t = 0; t < at->nterm; t++)
    if (at->term[t].digit != k->outer[outer]) at->term[kept++] = at->term[t];
  at->nterm = kept;
}

static void begin_alike(const fg_kernel *k, int outer, fg_access *a) {
  drop_begin(k, outer, &a->index.at);
  for (int i = 0; i < a->npred; i++) drop_begin(k, outer, &a->pred[i].value);
  if (a->rest) begin_alike(k, outer, a->rest);
}

/* Digits of the ring buffer are the last ones outside. */
static fg_kernel *straight_kernel(fg_context *cx, const fg_kernel *from, const fg_queue *q) {
  fg_kernel *k = twin_of(cx, from);
  for (int i = 0; i < k->nstage; i++) {
    fg_access *const access[] = {&k->stage[i].load, &k->stage[i].store, &k->stage[i].factors.twiddle,
                                 &k->stage[i].factors.more};
    for (int a = 0; a < 4 && q->begins; a++) begin_alike(k, q->outer, access[a]);
    go_straight(k, q->outer, &k->stage[i].load);
    go_straight(k, q->outer, &k->stage[i].store);
  }
  while (k->digit[k->outer[k->nouter - 1]].role == FG_ROLE_RING) k->nouter--;
  return k;
}

/* One kernel after the other, with room for all transforms between them. */
static const fg_program *without_queue(fg_context *cx, const fg_program *p) {
  fg_program *q = fg_arena_copy(cx->arena, p, sizeof *q);
  fg_num all = p->queue.transforms;
  int64_t most = all.form == FG_NUM_CONST ? all.n : all.n * p->problem.param[all.param].hi;
  q->kernel = fg_arena_new(cx->arena, fg_kernel *, p->nkernel);
  for (int i = 0; i < p->nkernel; i++)
    q->kernel[i] = i < fg_queue_joined(&p->queue) ? straight_kernel(cx, p->kernel[i], &p->queue) : p->kernel[i];
  for (int i = 0; i < p->nbuffer; i++) {
    if (!fg_buffer_is_ring(&p->buffer[i])) continue;
    q->buffer[i].size = p->buffer[i].size / p->queue.ring * most;
    q->buffer[i].exchange = fg_exchange_none();
  }
  q->queue = (fg_queue){0};
  return q;
}

/* ---- registers of lanes ------------------------------------------------------------------ */

static bool has_shuffles(const fg_program *p) {
  for (int b = 0; b < p->nbuffer; b++)
    if (fg_buffer_is_of_lanes(&p->buffer[b])) return true;
  return false;
}

/* Where threads do not run at once, they are memory. */
static fg_program *without_shuffles(fg_context *cx, const fg_program *p) {
  fg_program *q = fg_arena_copy(cx->arena, p, sizeof *q);
  q->kernel = fg_arena_new(cx->arena, fg_kernel *, p->nkernel);
  for (int i = 0; i < p->nkernel; i++) {
    fg_kernel *k = q->kernel[i] = twin_of(cx, p->kernel[i]);
    for (int s = 0; s < k->nstage; s++)
      if (fg_exchange_is_shuffle(&k->stage[s].exchange.before))
        k->stage[s].exchange.before = k->stage[s].exchange.after = fg_exchange_barrier();
  }
  for (int b = 0; b < p->nbuffer; b++)
    if (fg_buffer_is_of_lanes(&p->buffer[b])) q->buffer[b].exchange = fg_exchange_none();
  return q;
}

const fg_program *fg_serialize_blocks(fg_context *cx, const fg_program *of) {
  const fg_program *p = has_shuffles(of) ? without_shuffles(cx, of) : of;
  bool any = false;
  if (p->queue.ring) return without_queue(cx, p);
  for (int i = 0; i < p->nkernel; i++) any = any || fg_kernel_rank(p->kernel[i]) >= 0;
  if (!any) return p;
  fg_program *q = fg_arena_copy(cx->arena, p, sizeof *q);
  q->kernel = fg_arena_new(cx->arena, fg_kernel *, p->nkernel);
  for (int i = 0; i < p->nkernel; i++)
    q->kernel[i] = fg_kernel_rank(p->kernel[i]) < 0 ? p->kernel[i] : join_kernel(cx, p, p->kernel[i]);
  for (int i = 0; i < p->nbuffer; i++) {
    int root = fg_buffer_root(p, i), blocks = cluster_of(p, root);
    if (p->buffer[i].space != FG_SPACE_LOCAL || blocks < 2) continue;
    q->buffer[i].size = joined_size(p, root, p->buffer[root].size * elements_per(p, i) * blocks);
    q->buffer[i].exchange = fg_exchange_none();
  }
  return q;
}
