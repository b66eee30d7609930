/* Exchanges in registers of a warp's lanes. In: blocks whose stages store to shared memory, and load what the stage
 * before stored. Out: where each number stays in its warp, a stage of shuffles in place of memory and barrier.
 *
 * A number has a place in registers, thread * each + number: where the one stage leaves it, and where the other wants
 * it. Where all are powers of two, and each binary digit of the one place is a digit of the other, the stage between
 * is a copy whose digits are these bits: a digit of the lane that becomes one of the number is a shuffle of half of
 * the numbers (lower/shuffle.c), a digit of numbers that becomes another one is a name. */
#include "generator/base/log2.h"
#include "generator/map/digits.h"
#include "generator/map/map.h"
#include "targets/machine/simt.h"
#include <stdio.h>
#include <string.h>

enum { BITS = 16, MOST_EACH = 32 };

typedef struct side { /* a stage's registers: one of its accesses */
  const fg_kernel *k;
  fg_stage *s;
  fg_access *a;
  int64_t threads, each; /* each: slots of all iterations of a thread */
  int64_t *at;           /* [threads * each]: elements of the buffer */
} side;

typedef struct permutation {
  int bits, numbers; /* of a warp's places; the lowest ones count a thread's numbers */
  int64_t warps;
  int from[BITS]; /* by bit of the place that is wanted: the bit of the place that there is */
} permutation;

static bool is_power(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/* ---- places ------------------------------------------------------------------------------ */

static bool counts_iterations(const fg_digit *d) { return d->role == FG_ROLE_REG || d->role == FG_ROLE_LOOP; }

/* From zero, by its step, none twice. */
static bool is_plain(const fg_digit *d) {
  return d->extent.form == FG_NUM_CONST && fg_num_is(d->start, 0) && d->step > 0 && !fg_digit_is_clipped(d);
}

/* Iterations of a thread; 0: its registers have no such places. */
static int64_t iterations_of(const fg_kernel *k, const fg_stage *s) {
  int64_t n = 1;
  for (int l = 0; l < s->nloop; l++) {
    const fg_digit *d = &k->digit[s->loop[l]];
    if (!is_plain(d) || (d->role != FG_ROLE_THREAD && !counts_iterations(d))) return 0;
    if (counts_iterations(d)) n *= d->extent.n;
  }
  return n;
}

/* Elements, by numbers of this kernel's own digits inside of stages. */
static bool is_simple(const fg_kernel *k, const fg_access *a) {
  const fg_affine *at = &a->index.at;
  if (a->rest || a->npred || a->index.nwrap || a->index.lookup >= 0 || a->index.swap.count) return false;
  for (int t = 0; t < at->nterm; t++)
    if (at->term[t].coef.form != FG_NUM_CONST || fg_kernel_is_outer(k, at->term[t].digit)) return false;
  for (int t = 0; t < a->index.base.nterm; t++)
    if (a->index.base.term[t].coef.form != FG_NUM_CONST) return false;
  return at->offset.form == FG_NUM_CONST && is_plain(&k->digit[a->reg]);
}

static int64_t element(const side *x, int64_t thread, int64_t number) {
  int64_t value[FG_MAX_DIGITS] = {0}, slots = x->k->digit[x->a->reg].extent.n, iteration = number / slots;
  value[x->a->reg] = fg_digit_value(&x->k->digit[x->a->reg], number % slots, NULL);
  for (int l = x->s->nloop - 1; l >= 0; l--) {
    const fg_digit *d = &x->k->digit[x->s->loop[l]];
    int64_t counter = thread / (d->div > 0 ? d->div : 1) % d->extent.n;
    if (counts_iterations(d)) counter = iteration % d->extent.n, iteration /= d->extent.n;
    value[x->s->loop[l]] = fg_digit_value(d, counter, NULL);
  }
  return fg_index_value(&x->a->index, value, NULL, NULL);
}

static bool find_elements(const fg_builder *b, side *x) {
  int64_t iterations = iterations_of(x->k, x->s), room = b->program->buffer[x->a->buffer].size;
  x->threads = x->k->launch.threads;
  x->each = iterations * fg_access_slots(x->k, x->a);
  bool even = is_power(x->each) && x->threads % FG_WARP == 0;
  if (!is_simple(x->k, x->a) || x->s->npred || !even || x->each > MOST_EACH) return false;
  x->at = fg_arena_new(b->cx->arena, int64_t, x->threads * x->each);
  for (int64_t i = 0; i < x->threads * x->each; i++) {
    x->at[i] = element(x, i / x->each, i % x->each);
    if (x->at[i] < 0 || x->at[i] >= room) return false;
  }
  return true;
}

/* Where each place that is wanted is: -1: nothing is stored there, or twice. */
static int64_t *find_places(const fg_builder *b, const side *stored, const side *loaded) {
  int64_t n = stored->threads * stored->each, room = b->program->buffer[stored->a->buffer].size;
  int64_t *place = fg_arena_new(b->cx->arena, int64_t, room + 1), *from = fg_arena_new(b->cx->arena, int64_t, n);
  for (int64_t i = 0; i < n; i++) place[stored->at[i]] = place[stored->at[i]] ? -1 : i + 1;
  for (int64_t i = 0; i < n; i++)
    from[i] = loaded->at[i] < room && place[loaded->at[i]] > 0 ? place[loaded->at[i]] - 1 : -1;
  return from;
}

/* ---- bits -------------------------------------------------------------------------------- */

/* All warps do the same, each with its own numbers. */
static bool find_bits(const int64_t *from, const side *x, permutation *p) {
  int64_t warp = FG_WARP * x->each;
  p->bits = fg_log2(warp), p->numbers = fg_log2(x->each), p->warps = x->threads / FG_WARP;
  if (p->bits > BITS || from[0] != 0) return false;
  for (int b = 0; b < p->bits; b++) {
    int64_t bit = from[INT64_C(1) << b];
    if (!is_power(bit) || bit >= warp) return false;
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

static int16_t add_registers(fg_builder *b, const side *x) {
  fg_program *p = b->program;
  fg_buffer *buffer = &p->buffer[p->nbuffer];
  *buffer = p->buffer[x->a->buffer];
  buffer->layout = FG_LAYOUT_INTERLEAVED, buffer->block = 0, buffer->permuted = 0, buffer->alias = -1;
  buffer->precision = p->problem.compute;
  buffer->size = x->threads * x->each;
  buffer->exchange = fg_exchange_shuffle();
  buffer->local = (fg_buffer_local){.each = (int)x->each};
  snprintf(buffer->name, sizeof buffer->name, "lane%d", p->nbuffer);
  return (int16_t)p->nbuffer++;
}

/* The access's own registers, in the order of iterations and slots. */
static void use_registers(fg_kernel *k, const side *x, int16_t buffer) {
  fg_access *a = x->a;
  int64_t weight = k->digit[a->reg].extent.n;
  int16_t thread = fg_map_new_digit(k, FG_GUARD_DIGIT, FG_ROLE_THREAD, x->threads);
  a->buffer = buffer, a->move = FG_MOVE_NONE, a->stream = false;
  a->index = (fg_index){.lookup = -1};
  a->index.at.offset = fg_num_const(0);
  fg_affine_add(&a->index.at, a->reg, fg_num_const(1));
  for (int l = x->s->nloop - 1; l >= 0; l--) {
    const fg_digit *d = &k->digit[x->s->loop[l]];
    if (!counts_iterations(d)) continue;
    fg_affine_add(&a->index.at, x->s->loop[l], fg_num_const(weight / d->step));
    weight *= d->extent.n;
  }
  fg_affine_add(&a->index.at, thread, fg_num_const(x->each));
  x->s->loop[x->s->nloop++] = thread;
}

static bool has_even_steps(const side *x) {
  int64_t weight = x->k->digit[x->a->reg].extent.n;
  for (int l = x->s->nloop - 1; l >= 0; l--) {
    const fg_digit *d = &x->k->digit[x->s->loop[l]];
    if (!counts_iterations(d)) continue;
    if (weight % d->step) return false;
    weight *= d->extent.n;
  }
  return x->k->digit[x->a->reg].step == 1 && x->s->nloop + 1 < FG_MAX_LOOPS;
}

/* A bit of places; behind the last one, the number of the warp. */
static void add_bits(fg_kernel *k, fg_stage *s, const permutation *p, int bit, int64_t extent) {
  bool lane = bit >= p->numbers;
  int from = bit < p->bits ? p->from[bit] : bit;
  fg_digit d = {.role = lane ? FG_ROLE_THREAD : FG_ROLE_REG,
                .extent = fg_num_const(extent),
                .start = fg_num_const(0),
                .step = 1,
                .last = INT64_MAX,
                .div = lane ? INT64_C(1) << (bit - p->numbers) : 1};
  snprintf(d.name, sizeof d.name, "%c%d", lane ? 'l' : 'r', lane ? bit - p->numbers : bit);
  int16_t digit = fg_map_add_digit(k, &d);
  s->loop[s->nloop++] = digit;
  fg_affine_add(&s->store.index.at, digit, fg_num_const(INT64_C(1) << bit));
  fg_affine_add(&s->load.index.at, digit, fg_num_const(INT64_C(1) << from));
}

static void make_shuffles(fg_builder *b, fg_kernel *k, fg_stage *s, const permutation *p, const int16_t buffer[2]) {
  int swaps = 0;
  *s = (fg_stage){.vectors.lane = -1, .exchange.before = fg_exchange_shuffle()};
  for (int side = 0; side < 2; side++) {
    fg_access *a = side ? &s->store : &s->load;
    *a = (fg_access){.buffer = buffer[side], .reg = fg_map_new_digit(k, "m", FG_ROLE_REG, 1), .index.lookup = -1};
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
  const side stored = {k, from, &from->store, k->launch.threads, INT64_C(1) << p->numbers, NULL};
  const side loaded = {k, to, &to->load, k->launch.threads, INT64_C(1) << p->numbers, NULL};
  const int16_t buffer[] = {add_registers(b, &stored), add_registers(b, &loaded)};
  use_registers(k, &stored, buffer[0]), use_registers(k, &loaded, buffer[1]);
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
  side stored = {k, &k->stage[stage], &k->stage[stage].store, 0, 0, NULL};
  side loaded = {k, &k->stage[stage + 1], &k->stage[stage + 1].load, 0, 0, NULL};
  const fg_buffer *to = &b->program->buffer[stored.a->buffer], *from = &b->program->buffer[loaded.a->buffer];
  int16_t root = fg_buffer_root(b->program, stored.a->buffer);
  bool complex = to->elem == FG_ELEM_COMPLEX && from->elem == FG_ELEM_COMPLEX && to->layout == from->layout;
  if (!fg_buffer_is_shared(to) || !complex || root != fg_buffer_root(b->program, loaded.a->buffer)) return false;
  if (!is_read_once(b, k, stage, root) || !find_elements(b, &stored) || !find_elements(b, &loaded)) return false;
  if (stored.each != loaded.each || !has_even_steps(&stored) || !has_even_steps(&loaded)) return false;
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
