/* Map, queue=RING: the first two kernels become one with persistent blocks; the first three where they have one
 * workspace, in which the second one stores where it has loaded.
 *
 * In: kernels of blocks, with a workspace for all transforms between them. Out: the same with a queue. A
 * further digit is the number of the transform modulo the ring buffer's length, and the workspace is only that long.
 * A transform is defined by the first outer digits of the kernels, as long as these move all kernels alike in the
 * workspace. With swap=on another digit is the round of the ring buffer modulo two, and in every other round a tile's
 * digit in the workspace has another position in the address. */
#include "generator/base/integer.h"
#include "generator/map/block.h"
#include "generator/map/digits.h"
#include "generator/map/map.h"
#include "targets/machine/simt.h"

enum { LEAST_RING = 2 }; /* with swap=on one transform less */

static fg_status refuse(fg_builder *b, fg_status status, const char *why) {
  return fg_diag_set(&b->cx->diag, status, "plan: queue=%lld: %s",
                     (long long)fg_plan_param_value(b->program->plan, FG_PARAM_QUEUE), why);
}

/* ---- digits that the kernels share ------------------------------------------------------ */

static bool uses(const fg_program *p, const fg_kernel *k, int root) {
  for (int i = 0; i < k->nstage; i++)
    if (fg_stage_uses(p, &k->stage[i], root)) return true;
  return false;
}

/* A workspace of the first so many kernels. */
static bool is_shared(const fg_program *p, fg_kernel *const *kernel, int count, int16_t buffer) {
  int root = fg_buffer_root(p, buffer);
  bool all = p->buffer[root].space == FG_SPACE_WORK;
  for (int k = 0; k < count && all; k++) all = uses(p, kernel[k], root);
  return all;
}

static bool is_between(const fg_program *p, int16_t buffer) { return is_shared(p, p->kernel, 2, buffer); }

static int count_joined(const fg_program *p, fg_kernel *const *kernel, int count) {
  bool three = false;
  for (int16_t i = 0; i < p->nbuffer && count > 2; i++) three = three || is_shared(p, kernel, 3, i);
  return three ? 3 : 2;
}

int fg_map_joined(const fg_builder *b) {
  bool none = b->nkernel < 2 || !fg_plan_param_value(b->program->plan, FG_PARAM_QUEUE);
  return none ? 0 : count_joined(b->program, b->kernels, b->nkernel);
}

/* By how many numbers a digit moves what is between them; -1: not known. */
static int64_t step_between(const fg_program *p, const fg_kernel *k, int16_t digit) {
  for (int i = 0; i < 2 * k->nstage; i++) {
    const fg_stage *s = &k->stage[i / 2];
    const fg_access *a = i % 2 ? &s->store : &s->load;
    if (!is_between(p, a->buffer)) continue;
    fg_num coef = fg_affine_coef(fg_index_is_bent(&a->index) ? &a->index.base : &a->index.at, digit);
    return coef.form == FG_NUM_CONST ? coef.n * fg_buffer_parts(&p->buffer[a->buffer]) : -1;
  }
  return -1;
}

static bool same_extent(fg_num a, fg_num b) {
  return a.form == b.form && a.n == b.n && (a.form == FG_NUM_CONST || (a.form == FG_NUM_PARAM && a.param == b.param));
}

/* Outer digit number i counts the same in both. */
static bool is_alike_in(const fg_program *p, const fg_kernel *x, const fg_kernel *y, int i) {
  if (i >= x->nouter || i >= y->nouter) return false;
  const fg_digit *first = &x->digit[x->outer[i]], *second = &y->digit[y->outer[i]];
  int64_t step = step_between(p, x, x->outer[i]);
  return first->role == FG_ROLE_BLOCK && second->role == FG_ROLE_BLOCK && same_extent(first->extent, second->extent) &&
         step > 0 && step == step_between(p, y, y->outer[i]);
}

static bool is_alike(const fg_program *p, const fg_queue *q, int i) {
  bool alike = true;
  for (int k = 1; k < q->kernels && alike; k++) alike = is_alike_in(p, p->kernel[0], p->kernel[k], i);
  return alike;
}

/* The digits alike count transforms, those below them tiles. False: others than these. */
static bool count_tiles(const fg_program *p, fg_queue *q) {
  q->transforms = fg_num_const(1);
  while (is_alike(p, q, q->outer)) {
    fg_num extent = p->kernel[0]->digit[p->kernel[0]->outer[q->outer++]].extent;
    if (extent.form == FG_NUM_CONST)
      q->transforms = fg_num_scaled(q->transforms, extent.n);
    else
      q->transforms = fg_num_scaled(extent, q->transforms.n);
  }
  for (int i = 0; i < q->kernels; i++) {
    const fg_kernel *k = p->kernel[i];
    q->tiles[i] = 1;
    for (int o = q->outer; o < k->nouter; o++) {
      const fg_digit *d = &k->digit[k->outer[o]];
      if (d->role != FG_ROLE_BLOCK || d->batch || d->extent.form != FG_NUM_CONST) return false;
      q->tiles[i] *= d->extent.n;
    }
  }
  return q->outer > 0;
}

/* ---- round ---------------------------------------------------------------------------- */

/* Between the kernels, `slot` replaces all digits alike. */
static void go_round(const fg_program *p, const fg_kernel *k, fg_access *a, int16_t slot) {
  for (; a && fg_buffer_is_ring(&p->buffer[a->buffer]); a = a->rest) {
    fg_affine *at = fg_index_base(&a->index);
    fg_num coef = fg_affine_coef(at, k->outer[p->queue.outer - 1]);
    for (int i = 0; i < p->queue.outer; i++) fg_affine_drop(at, k->outer[i]);
    fg_affine_add(at, slot, coef);
  }
}

/* Counts what the digits alike count: every `each`-th of them, modulo extent. */
static int16_t place_digit(const fg_program *p, fg_kernel *k, int16_t digit, int64_t each) {
  k->digit[digit].div = k->digit[k->outer[p->queue.outer - 1]].div * each;
  k->outer[k->nouter++] = digit;
  return digit;
}

static int16_t add_digit(const fg_program *p, fg_kernel *k, const char *name, int64_t each, int64_t extent) {
  return place_digit(p, k, fg_kernel_new_digit(k, name, FG_ROLE_RING, fg_num_const(extent)), each);
}

static void exchange(const fg_program *p, fg_access *a, int16_t phase) {
  const int64_t *part = p->queue.part;
  for (; a && fg_buffer_is_ring(&p->buffer[a->buffer]); a = a->rest)
    a->index.swap = (fg_digit_swap){part[part[0] > part[1]], part[part[0] < part[1]], p->queue.tiles[0], phase};
}

static void add_phase(const fg_program *p, fg_kernel *k) {
  int16_t phase = add_digit(p, k, "phase", p->queue.ring, 2);
  for (int i = 0; i < k->nstage; i++) {
    exchange(p, &k->stage[i].load, phase);
    exchange(p, &k->stage[i].store, phase);
  }
}

static void add_slot(const fg_program *p, fg_kernel *k) {
  int16_t slot = add_digit(p, k, "s", 1, p->queue.ring);
  for (int i = 0; i < k->nstage; i++) {
    go_round(p, k, &k->stage[i].load, slot);
    go_round(p, k, &k->stage[i].store, slot);
  }
  if (p->queue.swap) add_phase(p, k);
}

/* Terms are written in their order: first those that the rest of an address has, too. */
static void move_last(fg_affine *a, int16_t digit) {
  fg_num coef = fg_affine_coef(a, digit);
  if (fg_num_is(coef, 0)) return;
  fg_affine_drop(a, digit);
  fg_affine_add(a, digit, coef);
}

/* By how many places tiles begin earlier: a digit that addresses have from the start (fg_build_shift_digit), before
 * those of the ring buffer. */
static void place_shift(const fg_program *p, fg_kernel *k) {
  if (!p->queue.begins) return;
  int16_t shift = 0;
  while (shift < k->ndigit && k->digit[shift].role != FG_ROLE_RING) shift++;
  if (shift == k->ndigit) shift = fg_kernel_new_digit(k, FG_SHIFT_DIGIT, FG_ROLE_RING, fg_num_const(1));
  k->digit[shift].extent = fg_num_const(p->queue.begins);
  for (int i = 0; i < k->nstage; i++)
    for (int n = 0; fg_stage_access(&k->stage[i], n); n++)
      move_last(&fg_stage_access(&k->stage[i], n)->index.at, shift);
  place_digit(p, k, shift, 1);
}

static void make_ring(fg_program *p) {
  fg_num all = p->queue.transforms;
  int64_t most = all.form == FG_NUM_CONST ? all.n : all.n * p->problem.param[all.param].hi;
  for (int16_t i = 0; i < p->nbuffer; i++) {
    if (!is_between(p, i)) continue;
    p->buffer[i].exchange = (fg_exchange){FG_SCOPE_DEVICE, FG_TRANSPORT_RING, FG_SIGNAL_COUNT};
    p->buffer[i].size = p->buffer[i].size / most * p->queue.ring;
  }
  for (int k = 0; k < p->queue.kernels; k++) place_shift(p, p->kernel[k]), add_slot(p, p->kernel[k]);
}

static bool goes_round(const fg_program *p, const fg_stage *s) {
  return is_between(p, s->load.buffer) || is_between(p, s->store.buffer);
}

/* The last stage that uses the workspace, if a barrier of all threads follows it; else the last one. */
static int frees(const fg_program *p, const fg_kernel *k) {
  int last = k->nstage - 1, used = last;
  while (used > 0 && !goes_round(p, &k->stage[used])) used--;
  return fg_exchange_is_barrier(&k->stage[used].exchange.after) ? used : last;
}

/* The last stage but one that a barrier of all threads follows; -1. */
static int meets(const fg_kernel *k) {
  int s = k->nstage - 2;
  while (s >= 0 && !fg_exchange_is_barrier(&k->stage[s].exchange.after)) s--;
  return s;
}

/* Whether tiles may begin before there is room for what they store, and the next one be taken before their end. */
static bool may_defer_waits(const fg_program *p, fg_queue *q) {
  for (int k = 0; k < q->kernels; k++)
    if ((q->last[k] = meets(p->kernel[k])) < 0) return false;
  for (int s = 0; s <= q->last[0]; s++)
    if (goes_round(p, &p->kernel[0]->stage[s])) return false;
  return true;
}

/* What a tile is in the workspace: a digit of the address, in every access the same. */
static int64_t part_of(const fg_program *p, const fg_queue *q, const fg_kernel *k) {
  int64_t part = 0;
  for (int i = 0; i < 2 * k->nstage; i++)
    for (const fg_access *a = i % 2 ? &k->stage[i / 2].store : &k->stage[i / 2].load; a; a = a->rest) {
      if (!is_between(p, a->buffer)) continue;
      fg_num coef = fg_affine_coef(fg_index_is_bent(&a->index) ? &a->index.base : &a->index.at, k->outer[q->outer]);
      bool plain = coef.form == FG_NUM_CONST && fg_buffer_parts(&p->buffer[a->buffer]) == 2 && !a->index.pad_every &&
                   !a->index.xor_mask;
      if (!plain || (part && part != coef.n)) return 0;
      part = coef.n;
    }
  return part;
}

/* Whether tiles can take each other's places: digits of the address that do not overlap. */
static bool may_swap(const fg_program *p, fg_queue *q) {
  int64_t tiles = q->tiles[0];
  if (!fg_is_power_of_two(tiles) || q->tiles[1] != tiles) return false;
  for (int i = 0; i < 2; i++) {
    if (p->kernel[i]->nouter != q->outer + 1) return false;
    q->part[i] = part_of(p, q, p->kernel[i]);
    if (!fg_is_power_of_two(q->part[i])) return false;
  }
  int64_t low = q->part[q->part[0] > q->part[1]], high = q->part[q->part[0] < q->part[1]],
          step = step_between(p, p->kernel[0], p->kernel[0]->outer[q->outer - 1]) / 2;
  return high >= tiles * low && step % (tiles * high) == 0;
}

/* Whether tiles' parts of the ring are whole lines, and others of the tile's stages have no use for them. */
static bool may_discard(const fg_program *p, const fg_queue *q) {
  int64_t low = q->part[q->part[0] > q->part[1]];
  bool whole = q->swap && q->frees + 1 < p->kernel[1]->nstage;
  for (int i = 0; i < p->nbuffer && whole; i++) {
    const fg_buffer *b = &p->buffer[i];
    if (!is_between(p, (int16_t)i)) continue;
    whole =
        b->layout == FG_LAYOUT_INTERLEAVED && low * 2 * (int64_t)fg_precision_bytes(b->precision) % FG_DROP_BYTES == 0;
  }
  return whole;
}

static bool joins(const fg_kernel *k) { return !fg_kernel_fetches(k) && k->launch.cluster == 1 && !k->npred; }

/* No later kernel reads what is between them. */
static bool ends_there(const fg_program *p, const fg_queue *q) {
  for (int16_t i = 0; i < p->nbuffer; i++)
    for (int k = q->kernels; k < p->nkernel; k++)
      if (is_between(p, i) && uses(p, p->kernel[k], i)) return false;
  return true;
}

/* Of three kernels, whole transforms; the third one's end of a transform is waited for when its room is wanted. */
static fg_status check_lag(fg_builder *b, fg_queue *q) {
  int64_t lag = fg_plan_param_value(b->program->plan, FG_PARAM_PREFETCH_DISTANCE), most = (q->ring - 1) / 2;
  if (!lag) lag = (most + 1) / 2 * q->tiles[0];
  q->distance = lag / q->tiles[0] * q->tiles[0];
  if (q->distance > 0 && fg_queue_lag(q) <= most) return FG_OK;
  return fg_refuse(
      b->cx, "plan: prefetch_distance=%lld: a ring of %d for three kernels with %lld tiles each allows %lld..%lld",
      (long long)lag, q->ring, (long long)q->tiles[0], (long long)q->tiles[0],
      (long long)((most + 1) * q->tiles[0] - 1));
}

static fg_status check_distance(fg_builder *b, fg_queue *q) {
  if (q->kernels > 2) return check_lag(b, q);
  int64_t tiles = q->tiles[0], least = q->swap ? tiles - 1 : tiles, most = tiles * (q->ring - 1);
  if (q->swap) most += tiles - 1; /* each waits for one tile, not for a transform */
  q->distance = fg_plan_param_value(b->program->plan, FG_PARAM_PREFETCH_DISTANCE);
  if (!q->distance) q->distance = (least + most) / 2;
  if (q->distance >= least && q->distance <= most) return FG_OK;
  return fg_refuse(b->cx, "plan: prefetch_distance=%lld: a ring of %d with %lld tiles each allows %lld..%lld",
                   (long long)q->distance, q->ring, (long long)tiles, (long long)least, (long long)most);
}

static bool may_join(const fg_program *p, const fg_queue *q) {
  bool may = p->nkernel >= q->kernels;
  for (int k = 0; k < q->kernels && may; k++)
    may = joins(p->kernel[k]) && p->kernel[k]->launch.threads == p->kernel[0]->launch.threads;
  return may;
}

static fg_status check_kernels(fg_builder *b, fg_queue *q) {
  fg_program *p = b->program;
  if (!b->map->queue) return refuse(b, FG_EUSER, "this target has none");
  if (q->ring + q->swap < LEAST_RING) return refuse(b, FG_EUSER, "a ring has room for 2 transforms or more");
  q->kernels = count_joined(p, p->kernel, p->nkernel);
  if (!may_join(p, q)) return refuse(b, FG_ENA, "wants two kernels, of blocks alone");
  if (!count_tiles(p, q)) return refuse(b, FG_ENA, "wants a batch, or planes, around all else of both kernels");
  if (!ends_there(p, q)) return refuse(b, FG_ENA, "what is between the first two kernels is wanted later");
  if (q->kernels > 2 && q->swap) return refuse(b, FG_EUSER, "three kernels have no swap=");
  if (q->swap && !may_swap(p, q))
    return refuse(b, FG_ENA, "swap=on wants as many tiles of both kernels, a power of two");
  return check_distance(b, q);
}

fg_status fg_map_queue(fg_builder *b) {
  fg_program *p = b->program;
  fg_queue q = {.ring = (int)fg_plan_param_value(p->plan, FG_PARAM_QUEUE),
                .swap = fg_plan_param_value(p->plan, FG_PARAM_SWAP) > 0};
  if (!q.ring) return FG_OK;
  fg_status status = check_kernels(b, &q);
  if (status != FG_OK) return status;
  for (int k = 0; k < q.kernels; k++) q.waits[k] = q.tiles[k ? k - 1 : q.kernels - 1];
  if (q.swap) q.waits[0] = 1;
  q.frees = frees(p, p->kernel[q.kernels - 1]);
  q.deferred_wait = (int)fg_plan_param_value(p->plan, FG_PARAM_DEFERRED_WAIT);
  q.discard = fg_plan_param_value(p->plan, FG_PARAM_SWAP) > 1;
  if (q.discard && !may_discard(p, &q))
    return refuse(b, FG_ENA, "swap=discard wants whole lines, and stages behind the loads");
  q.evict_last = fg_plan_param_value(p->plan, FG_PARAM_EVICT_LAST);
  q.begins = (int)b->sector;
  if (q.deferred_wait && !may_defer_waits(p, &q))
    return refuse(b, FG_ENA,
                  "deferred_wait wants stages before those that use the ring, and threads that meet between them");
  p->queue = q;
  make_ring(p);
  return FG_OK;
}
