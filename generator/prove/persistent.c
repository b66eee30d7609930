/* Persistent queues in the proof. In: the items of a queue, in order. Out: whether there is no deadlock, and whether
 * two items that access a cell are ordered.
 *
 * Blocks take items in the order of their numbers and process them one after the other. If every item waits only for
 * earlier ones, the earliest unfinished item waits for nothing: it ends, and so do all. The items that are finished
 * when one begins follow from what is waited for, and from nothing else. Two items without an order must not access
 * the same cell. Those of the same kernel and transform never are ordered.
 *
 * If only the ends of the batch are walked, the others behave alike: a transform stays within its slot of the ring
 * buffer (checked for each element that is walked), so that only transforms a ring's length apart can conflict, and
 * that these are ordered is checked for all.
 *
 * With swap a tile stays in its part of the ring buffer, too: that digit of the address is the tile's number, in odd
 * rounds the other digit. The part that tile i of one kernel uses was used in the round before by tile i of the
 * other kernel only, so these two alone need an order. */
#include "generator/prove/races.h"

#define SHARED (UINT32_C(1) << 31) /* bit of a reader: others of its group have read, too */
#define LATE (UINT32_C(1) << 30)   /* after a tile is marked as done: its end is unknown */

/* Whether all threads of a tile meet where it waits for room, or takes the next item. */
static bool is_early_rightly(const fg_vm *m) {
  const fg_queue *q = &m->p->queue;
  for (int k = 0; k < q->kernels; k++) {
    const fg_kernel *x = m->p->kernel[k];
    if (q->last[k] < 0 || q->last[k] >= x->nstage) return false;
    if (x->launch.threads > 1 && !fg_exchange_waits(&x->stage[q->last[k]].exchange.after)) return false;
  }
  return true;
}

/* Whether nothing is loaded from the ring buffer after a tile discards its part, which no other tile uses. */
static bool is_dropped_rightly(const fg_vm *m) {
  const fg_kernel *x = m->p->kernel[1];
  bool used = !m->p->queue.swap || m->p->queue.frees + 1 >= x->nstage;
  for (int s = m->p->queue.frees + 1; s < x->nstage; s++)
    used = used || fg_buffer_is_ring(&m->p->buffer[x->stage[s].load.buffer]) ||
           fg_buffer_is_ring(&m->p->buffer[x->stage[s].store.buffer]);
  return !used;
}

bool fg_prove_queue_begin(fg_vm *m) {
  const fg_queue *q = &m->p->queue;
  if (q->kernels < 2 || m->p->nkernel < q->kernels) return fg_prove_stop(m, "a queue of kernels that are not there");
  m->transforms = fg_num_value(q->transforms, m->params);
  const char *wrong = fg_queue_wrong(q, m->transforms);
  const fg_kernel *last = m->p->kernel[q->kernels - 1];
  if (q->frees < 0 || q->frees >= last->nstage ||
      (q->frees + 1 < last->nstage && last->launch.threads > 1 &&
       !fg_exchange_waits(&last->stage[q->frees].exchange.after)))
    wrong = "a tile says that it is done while threads of its block are not";
  for (int k = 0; k < q->kernels; k++)
    if ((m->partial || m->sample) && !q->waits[k])
      wrong = "a tile waits for no other, and not all are walked"; /* those that would meet may not be */
  if (q->deferred_wait && !is_early_rightly(m))
    wrong = "a tile waits or takes the next one while threads of its block are elsewhere";
  if (!wrong && q->discard && !is_dropped_rightly(m)) wrong = "a tile drops what it may want, or what is not its own";
  if (wrong) m->proof->races++;
  return !wrong || fg_prove_stop(m, "queue: %s", wrong);
}

static fg_group group_of(const fg_vm *m, uint32_t number) {
  fg_item item = fg_queue_item(&m->p->queue, m->transforms, number);
  return fg_queue_group(&m->p->queue, &item);
}

static bool is_group(fg_group a, fg_group b) {
  return a.kernel == b.kernel && a.transform == b.transform && a.tile == b.tile;
}

/* The present item, as it is remembered. */
static uint32_t present(const fg_vm *m) {
  return m->block | (m->group.kernel == m->p->queue.kernels - 1 && m->stage > m->p->queue.frees ? LATE : 0);
}

/* Whether what `other` did is over: the present item itself, or in a group that is. */
static bool is_over(const fg_vm *m, uint32_t other) {
  if (other == FG_NOBODY || (other & ~LATE) == m->block) return true;
  if (other == FG_MANY || other & LATE) return false;
  if (m->group.kernel == 0 && m->p->queue.deferred_wait && m->stage <= m->p->queue.last[0])
    return false; /* it has not waited */
  fg_group g = group_of(m, other & ~SHARED);
  return !is_group(g, m->group) && fg_queue_before(&m->p->queue, g, m->group);
}

/* The one reader to be remembered: what is after it must be after all. */
static uint32_t reader_of(const fg_vm *m, uint32_t before) {
  uint32_t here = present(m);
  if (before == FG_NOBODY) return here;
  if (before == FG_MANY) return FG_MANY;
  if ((before & ~LATE) == m->block) return before | here;
  if ((before | here) & LATE) return FG_MANY;
  fg_group g = group_of(m, before & ~SHARED);
  if (is_group(g, m->group)) return before | SHARED;
  return fg_queue_before(&m->p->queue, g, m->group) ? here : FG_MANY;
}

bool fg_prove_queue_meets(const fg_vm *m, fg_touch *t, bool store) {
  bool good = is_over(m, t->writer) && (!store || is_over(m, t->reader));
  if (!store) {
    t->reader = reader_of(m, t->reader);
  } else {
    t->writer = good ? present(m) : FG_MANY;
    t->reader = FG_NOBODY;
  }
  return !good;
}

/* Of the place of its transform, which begins at `first`. */
static bool is_own_part(const fg_vm *m, int64_t at, int64_t first) {
  const fg_queue *q = &m->p->queue;
  int64_t odd = m->group.transform / q->ring % 2, tiles = q->tiles[0];
  return !q->swap || (at - first) / q->part[m->group.kernel ^ odd] % tiles == m->group.tile;
}

bool fg_prove_queue_round(fg_vm *m, const fg_simd_group *b, const fg_moves *x) {
  const fg_queue *q = &m->p->queue;
  for (; x && m->transforms && fg_buffer_is_ring(&m->p->buffer[x->access->buffer]); x = x->rest) {
    int64_t room = m->p->buffer[x->access->buffer].size / q->ring, first = m->group.transform % q->ring * room;
    for (int i = 0; i < x->slots * b->width; i++) {
      bool within = x->at[i] >= first && x->at[i] - first < room;
      if (!x->on[i] || (within && is_own_part(m, x->at[i], first))) continue;
      char where[128];
      fg_prove_where(m, where);
      m->proof->races++;
      return fg_prove_stop(m, "%selement %lld of %s is none of its %s place in the ring", where, (long long)x->at[i],
                           m->p->buffer[x->access->buffer].name, within ? "tile's" : "transform's");
    }
  }
  return true;
}
