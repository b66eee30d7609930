/* Registers of a block's threads. In: an access of a stage to shared memory. Out: the elements that each thread has
 * there, and a buffer in which they are the thread's own. */
#include "generator/map/registers.h"
#include "generator/base/integer.h"
#include "targets/machine/simt.h"
#include <stdio.h>

enum { MOST_EACH = 32 };

static bool counts_iterations(const fg_digit *d) { return d->role == FG_ROLE_REG || d->role == FG_ROLE_LOOP; }

/* From zero, by its step, none twice. */
static bool is_plain(const fg_digit *d) {
  return d->extent.form == FG_NUM_CONST && fg_num_is(d->start, 0) && !fg_digit_is_clipped(d);
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

static int64_t element(const fg_registers *x, int64_t thread, int64_t number) {
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

static bool has_even_steps(const fg_registers *x) {
  int64_t weight = x->k->digit[x->a->reg].extent.n;
  for (int l = x->s->nloop - 1; l >= 0; l--) {
    const fg_digit *d = &x->k->digit[x->s->loop[l]];
    if (!counts_iterations(d)) continue;
    if (weight % d->step) return false;
    weight *= d->extent.n;
  }
  return x->k->digit[x->a->reg].step == 1 && x->s->nloop + 1 < FG_MAX_LOOPS;
}

bool fg_map_find_registers(const fg_builder *b, fg_registers *x) {
  int64_t iterations = iterations_of(x->k, x->s), room = b->program->buffer[x->a->buffer].size;
  x->threads = x->k->launch.threads;
  x->each = iterations * fg_access_slots(x->k, x->a);
  bool even = fg_is_power_of_two(x->each) && x->threads % FG_WARP == 0;
  if (!is_simple(x->k, x->a) || x->s->npred || !even || x->each > MOST_EACH || !has_even_steps(x)) return false;
  x->at = fg_arena_new(b->cx->arena, int64_t, x->threads * x->each);
  for (int64_t i = 0; i < x->threads * x->each; i++) {
    x->at[i] = element(x, i / x->each, i % x->each);
    if (x->at[i] < 0 || x->at[i] >= room) return false;
  }
  return true;
}

static int16_t add_registers(fg_builder *b, const fg_registers *x) {
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

int16_t fg_map_use_registers(fg_builder *b, fg_kernel *k, const fg_registers *x) {
  int16_t buffer = add_registers(b, x);
  fg_access *a = x->a;
  int64_t weight = k->digit[a->reg].extent.n;
  int16_t thread = fg_kernel_new_digit(k, FG_GUARD_DIGIT, FG_ROLE_THREAD, fg_num_const(x->threads));
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
  return buffer;
}
