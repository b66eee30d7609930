/* Tables of factors near the threads of a block that stays, where little memory is left to L1.
 *
 * In: stages whose factors are from tables. Out: copies, which such a block makes once: of the largest table into
 * registers, where threads have some to spare; of small ones into shared memory. The stages load from there. */
#include "generator/map/near_tables.h"
#include "generator/assemble/memory.h"
#include "generator/cost/cost.h"
#include "generator/map/digits.h"
#include "generator/map/staging.h"
#include "targets/machine/limits.h"
#include <stdio.h>
#include <string.h>

/* ---- registers ------------------------------------------------------------------------ */

static bool counts_iterations(const fg_digit *d) { return d->role == FG_ROLE_REG || d->role == FG_ROLE_LOOP; }

/* Elements that a thread loads from a stage's table in all its iterations; 0: not known. */
static int64_t elements_of_thread(const fg_builder *b, const fg_stage *s) {
  const fg_kernel *k = b->kernel;
  const fg_access *a = &s->factors.twiddle;
  const fg_buffer *table = &b->program->buffer[a->buffer];
  bool plain = s->factors.has_twiddle && !a->rest && !a->npred && s->nloop < FG_MAX_LOOPS &&
               table->space == FG_SPACE_TABLE && table->elem == FG_ELEM_COMPLEX &&
               table->layout == FG_LAYOUT_INTERLEAVED && table->precision == b->program->problem.compute;
  int64_t each = plain ? k->digit[a->reg].extent.n : 0;
  for (int l = 0; l < s->nloop; l++) {
    const fg_digit *d = &k->digit[s->loop[l]];
    if (d->extent.form != FG_NUM_CONST || !fg_num_is(d->start, 0) || fg_digit_is_clipped(d)) return 0;
    if (counts_iterations(d)) each *= d->extent.n;
  }
  return each;
}

static int16_t registers(fg_builder *b, int16_t table, int64_t each) {
  fg_buffer like = b->program->buffer[table];
  snprintf(like.name, sizeof like.name, "kept%d", b->program->nbuffer);
  like.space = FG_SPACE_LOCAL, like.table = -1;
  like.size = each * b->kernel->launch.threads;
  like.exchange = fg_exchange_shuffle();
  like.local = (fg_buffer_local){.each = (int)each};
  return fg_build_buffer(b->program, &like);
}

/* Where a thread has them, by iterations and slots. */
static fg_access own_access(fg_builder *b, fg_stage *s, int64_t each) {
  fg_kernel *k = b->kernel;
  const fg_access *a = &s->factors.twiddle;
  fg_access own = {.buffer = registers(b, a->buffer, each), .index = {.lookup = -1}, .reg = a->reg};
  int64_t weight = k->digit[a->reg].extent.n;
  int16_t thread = fg_kernel_new_digit(k, FG_GUARD_DIGIT, FG_ROLE_THREAD, fg_num_const(k->launch.threads));
  own.index.at.offset = fg_num_const(0);
  fg_affine_add(&own.index.at, a->reg, fg_num_const(1));
  for (int l = s->nloop - 1; l >= 0; l--) {
    const fg_digit *d = &k->digit[s->loop[l]];
    if (!counts_iterations(d)) continue;
    fg_affine_add(&own.index.at, s->loop[l], fg_num_const(weight));
    weight *= d->extent.n;
  }
  fg_affine_add(&own.index.at, thread, fg_num_const(each));
  s->loop[s->nloop++] = thread;
  return own;
}

/* The copy into registers, from which the stage has its factors from now on. */
static fg_stage keep(fg_builder *b, fg_stage *s, int64_t each) {
  fg_kernel *k = b->kernel;
  for (int l = 0; l < s->nloop; l++)
    if (counts_iterations(&k->digit[s->loop[l]])) fg_map_count_by_one(k, s, s->loop[l]);
  fg_access own = own_access(b, s, each);
  fg_stage copy = {.what = "factors into registers", .vectors.lane = -1, .nloop = s->nloop, .npred = s->npred};
  memcpy(copy.loop, s->loop, sizeof copy.loop);
  memcpy(copy.pred, s->pred, sizeof copy.pred);
  copy.load = s->factors.twiddle, copy.store = own;
  s->factors.twiddle = own;
  return copy;
}

int fg_map_keep_factors(fg_builder *b, fg_stage *copies) {
  fg_program *p = b->program;
  fg_kernel *k = b->kernel;
  int largest = 0;
  int64_t bytes = 0;
  for (int s = 0; s < k->nstage; s++) {
    int64_t size =
        elements_of_thread(b, &k->stage[s]) ? fg_buffer_bytes(&p->buffer[k->stage[s].factors.twiddle.buffer]) : 0;
    if (size > bytes) largest = s, bytes = size;
  }
  if (!bytes) return 0;
  int64_t each = elements_of_thread(b, &k->stage[largest]), words = each * fg_precision_bytes(p->problem.compute) / 2;
  if (words > fg_cost_spare_registers(p, k) + limit->found_registers) return 0;
  *copies = keep(b, &k->stage[largest], each);
  return 1;
}

/* ---- shared memory -------------------------------------------------------------------- */

static bool is_small(const fg_program *p, const fg_stage *s) {
  const fg_buffer *table = &p->buffer[s->factors.twiddle.buffer];
  return s->factors.has_twiddle && table->space == FG_SPACE_TABLE && table->elem == FG_ELEM_COMPLEX &&
         table->layout == FG_LAYOUT_INTERLEAVED && fg_buffer_bytes(table) <= limit->shared_table;
}

static int16_t shared_memory(fg_builder *b, int16_t table) {
  fg_buffer like = b->program->buffer[table];
  snprintf(like.name, sizeof like.name, "near%d", b->program->nbuffer);
  like.space = FG_SPACE_LOCAL, like.table = -1;
  like.local = (fg_buffer_local){.plain = true, .own = true};
  return fg_build_buffer(b->program, &like);
}

static fg_stage copy_of(fg_builder *b, int16_t table, int16_t memory) {
  fg_stage s = fg_map_copy_elements(b, table, memory, b->kernel->launch.threads, b->program->buffer[table].size);
  s.what = "a table into shared memory";
  return s;
}

int fg_map_share_tables(fg_builder *b, int64_t room, fg_stage *copies) {
  fg_program *p = b->program;
  fg_kernel *k = b->kernel;
  int n = 0;
  for (int s = 0; s < k->nstage; s++) {
    int16_t table = k->stage[s].factors.twiddle.buffer;
    if (!is_small(p, &k->stage[s]) || fg_buffer_bytes(&p->buffer[table]) > room) continue;
    int16_t memory = shared_memory(b, table);
    room -= fg_buffer_bytes(&p->buffer[memory]);
    copies[n++] = copy_of(b, table, memory);
    for (int i = s; i < k->nstage; i++)
      if (k->stage[i].factors.has_twiddle && k->stage[i].factors.twiddle.buffer == table)
        k->stage[i].factors.twiddle.buffer = memory;
  }
  return n;
}
