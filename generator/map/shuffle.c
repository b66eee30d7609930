/* Exchanges in registers of a warp's lanes. In: blocks whose stages store to shared memory, and load what the stage
 * before stored. Out: where each number stays in its warp, a stage of shuffles in place of memory and barrier.
 *
 * A number has a place in registers, thread * each + number: where the one stage leaves it, and where the other wants
 * it. Where all are powers of two, and each binary digit of the one place is a digit of the other, the stage between
 * is a copy whose digits are these bits: a digit of the lane that becomes one of the number is a shuffle of half of
 * the numbers (lower/shuffle.c), a digit of numbers that becomes another one is a name. */
#include "generator/base/integer.h"
#include "generator/map/map.h"
#include "generator/map/registers.h"
#include "targets/machine/simt.h"
#include <stdio.h>
#include <string.h>

enum { BITS = 16 };

typedef struct permutation {
  int bits, numbers; /* of a warp's places; the lowest ones count a thread's numbers */
  int64_t warps;
  int from[BITS]; /* by bit of the place that is wanted: the bit of the place that there is */
} permutation;

/* ---- places ------------------------------------------------------------------------------ */

/* Where each place that is wanted is: -1: nothing is stored there, or twice. */
static int64_t *find_places(const fg_builder *b, const fg_registers *stored, const fg_registers *loaded) {
  int64_t n = stored->threads * stored->each, room = b->program->buffer[stored->a->buffer].size;
  int64_t *place = fg_arena_new(b->cx->arena, int64_t, room + 1), *from = fg_arena_new(b->cx->arena, int64_t, n);
  for (int64_t i = 0; i < n; i++) place[stored->at[i]] = place[stored->at[i]] ? -1 : i + 1;
  for (int64_t i = 0; i < n; i++)
    from[i] = loaded->at[i] < room && place[loaded->at[i]] > 0 ? place[loaded->at[i]] - 1 : -1;
  return from;
}

/* ---- bits -------------------------------------------------------------------------------- */

/* All warps do the same, each with its own numbers. */
static bool find_bits(const int64_t *from, const fg_registers *x, permutation *p) {
  int64_t warp = FG_WARP * x->each;
  p->bits = fg_log2(warp), p->numbers = fg_log2(x->each), p->warps = x->threads / FG_WARP;
  if (p->bits > BITS || from[0] != 0) return false;
  for (int b = 0; b < p->bits; b++) {
    int64_t bit = from[INT64_C(1) << b];
    if (!fg_is_power_of_two(bit) || bit >= warp) return false;
    p->from[b] = fg_log2(bit);
  }
  for (int64_t i = 0; i < x->threads * x->each; i++) {
    int64_t sum = i / warp * warp;
    for (int b = 0; b < p->bits; b++) sum += (i >> b & 1) << p->from[b];
    if (from[i] != sum) return false;
  }
  return true;
}

/* ---- stages ------------------------------------------------------------------------------- */

/* A bit of places; behind the last one, the number of the warp. */
static void add_bits(fg_kernel *k, fg_stage *s, const permutation *p, int bit, int64_t extent) {
  bool lane = bit >= p->numbers;
  int from = bit < p->bits ? p->from[bit] : bit;
  char name[16];
  snprintf(name, sizeof name, "%c%d", lane ? 'l' : 'r', lane ? bit - p->numbers : bit);
  int16_t digit = fg_kernel_new_digit(k, name, lane ? FG_ROLE_THREAD : FG_ROLE_REG, fg_num_const(extent));
  if (lane) k->digit[digit].div = INT64_C(1) << (bit - p->numbers);
  s->loop[s->nloop++] = digit;
  fg_affine_add(&s->store.index.at, digit, fg_num_const(INT64_C(1) << bit));
  fg_affine_add(&s->load.index.at, digit, fg_num_const(INT64_C(1) << from));
}

static void make_shuffles(fg_builder *b, fg_kernel *k, fg_stage *s, const permutation *p, const int16_t buffer[2]) {
  int swaps = 0;
  *s = (fg_stage){.vectors.lane = -1, .exchange.before = fg_exchange_shuffle()};
  for (int side = 0; side < 2; side++) {
    fg_access *a = side ? &s->store : &s->load;
    *a = (fg_access){
        .buffer = buffer[side], .reg = fg_kernel_new_digit(k, "m", FG_ROLE_REG, fg_num_const(1)), .index.lookup = -1};
    a->index.at.offset = fg_num_const(0);
  }
  if (p->warps > 1) add_bits(k, s, p, p->bits, p->warps);
  for (int bit = p->bits - 1; bit >= 0; bit--) {
    add_bits(k, s, p, bit, 2);
    swaps += bit >= p->numbers && p->from[bit] != bit;
  }
  s->what = fg_arena_printf(b->cx->arena, "%d bits of lanes and numbers exchanged", swaps);
}

static bool has_root(const fg_builder *b, int16_t buffer, int root) {
  return fg_program_root(b->program, buffer) == root;
}

/* Whether stages up to `last` store to memory, or with `loads`, use it; what the last one stores goes by shuffles. */
static bool was_used(const fg_builder *b, const fg_kernel *k, int last, int16_t buffer, bool loads) {
  int root = fg_program_root(b->program, buffer);
  for (int i = 0; i <= last; i++)
    if ((i < last && has_root(b, k->stage[i].store.buffer, root)) ||
        (loads && has_root(b, k->stage[i].load.buffer, root)))
      return true;
  return false;
}

/* Whether the barrier behind a stage orders more than its numbers, which shuffles take. */
static bool orders_others(const fg_builder *b, const fg_kernel *k, int stage) {
  for (int i = stage + 1; i < k->nstage; i++) {
    const fg_stage *s = &k->stage[i];
    bool next = i == stage + 1, stored = !next && fg_exchange_is_barrier(&s->exchange.between);
    if (fg_exchange_is_barrier(&s->exchange.before)) return false;
    if (!next && was_used(b, k, stage, s->load.buffer, false)) return true;
    if (!stored && was_used(b, k, stage, s->store.buffer, true)) return true;
    if (stored || fg_exchange_is_barrier(&s->exchange.after)) return false;
  }
  return false;
}

static void exchange_by_shuffles(fg_builder *b, fg_kernel *k, int stage, const permutation *p) {
  bool ordered = orders_others(b, k, stage);
  fg_stage *all = fg_arena_new(b->cx->arena, fg_stage, k->nstage + 1);
  memcpy(all, k->stage, sizeof *all * (size_t)(stage + 1));
  memcpy(&all[stage + 2], &k->stage[stage + 1], sizeof *all * (size_t)(k->nstage - stage - 1));
  k->stage = all, k->nstage++;
  fg_stage *from = &all[stage], *to = &all[stage + 2];
  const fg_registers stored = {k, from, &from->store, k->launch.threads, INT64_C(1) << p->numbers, NULL};
  const fg_registers loaded = {k, to, &to->load, k->launch.threads, INT64_C(1) << p->numbers, NULL};
  const int16_t buffer[] = {fg_map_use_registers(b, k, &stored), fg_map_use_registers(b, k, &loaded)};
  make_shuffles(b, k, &all[stage + 1], p, buffer);
  from->exchange.after = to->exchange.between = fg_exchange_none();
  if (ordered) to->exchange.before = fg_exchange_barrier();
}

/* Each stage behind it loads what the one before it stored, or other memory. */
static bool is_read_once(const fg_builder *b, const fg_kernel *k, int stage, int16_t root) {
  for (int i = stage + 2; i < k->nstage; i++)
    if (fg_buffer_root(b->program, k->stage[i].load.buffer) == root &&
        fg_buffer_root(b->program, k->stage[i - 1].store.buffer) != root)
      return false;
  return true;
}

static bool find(const fg_builder *b, fg_kernel *k, int stage, permutation *p) {
  fg_registers stored = {k, &k->stage[stage], &k->stage[stage].store, 0, 0, NULL};
  fg_registers loaded = {k, &k->stage[stage + 1], &k->stage[stage + 1].load, 0, 0, NULL};
  const fg_buffer *to = &b->program->buffer[stored.a->buffer], *from = &b->program->buffer[loaded.a->buffer];
  int16_t root = fg_buffer_root(b->program, stored.a->buffer);
  bool complex = to->elem == FG_ELEM_COMPLEX && from->elem == FG_ELEM_COMPLEX && to->layout == from->layout;
  if (!fg_buffer_is_shared(to) || !complex || root != fg_buffer_root(b->program, loaded.a->buffer)) return false;
  if (!is_read_once(b, k, stage, root) || !fg_map_find_registers(b, &stored)) return false;
  if (!fg_map_find_registers(b, &loaded) || stored.each != loaded.each) return false;
  return find_bits(find_places(b, &stored, &loaded), &stored, p);
}

fg_status fg_map_shuffle(fg_builder *b) {
  for (int i = 0; i < b->program->nkernel; i++) {
    fg_kernel *k = b->program->kernel[i];
    permutation p;
    if (k->launch.cluster > 1 || fg_kernel_fetches(k)) continue;
    for (int s = 0; s + 1 < k->nstage && b->program->nbuffer + 2 <= FG_MAX_BUFFERS; s++)
      if (!fg_exchange_crosses(&k->stage[s].exchange.after) && find(b, k, s, &p)) exchange_by_shuffles(b, k, s++, &p);
  }
  return FG_OK;
}
