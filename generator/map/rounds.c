/* Exchanges of a block in rounds. In: blocks whose stages load from shared memory what the stage before stored, more
 * numbers than there is memory. Out: registers on both sides, and two copies for each round between them: one part of
 * the numbers, or half of it, to the memory, and from there.
 *
 * The numbers of a round are those of one half of the places of all. Of a pass's own kind of access they are either the
 * same slots of all threads, or all slots of some threads: its loads are a length apart, its stores neighbours. */
#include "generator/map/rounds.h"
#include "generator/assemble/memory.h"
#include "generator/map/digits.h"
#include "generator/map/registers.h"
#include <stdio.h>
#include <string.h>

typedef struct exchange {
  fg_builder *b;
  fg_kernel *k;
  int16_t memory; /* of the exchanges that are in rounds already; 0: none is */
  int64_t room;   /* places at once */
  int halves;
} exchange;

/* Which of a thread's slots are in a half. */
typedef struct slots {
  int64_t first, count;
  bool whole; /* of some threads or iterations: all of them */
} slots;

int fg_map_rounds_of(const fg_builder *b) {
  return b->map->threads ? 1 << fg_plan_param_value(b->program->plan, FG_PARAM_EXCHANGE) : 1;
}

static bool find_slots(const exchange *x, const fg_registers *side, int half, slots *found) {
  int64_t n = fg_access_slots(x->k, side->a), most = side->threads * side->each / n, all = 0;
  int64_t *of_slot = fg_arena_new(x->b->cx->arena, int64_t, n);
  bool whole = true, alike = true;
  for (int64_t i = 0; i < most; i++) {
    int64_t here = 0;
    for (int64_t slot = 0; slot < n; slot++) {
      bool in = side->at[i * n + slot] / x->room == half;
      of_slot[slot] += in, here += in;
    }
    whole = whole && (here == 0 || here == n);
    all += here;
  }
  *found = (slots){.first = n, .count = 0};
  for (int64_t slot = n - 1; slot >= 0; slot--) {
    alike = alike && (of_slot[slot] == 0 || of_slot[slot] == most);
    if (of_slot[slot]) found->first = slot, found->count++;
  }
  if (alike && found->count * most == all && of_slot[found->first + found->count - 1]) return true;
  *found = (slots){0, n, true};
  return whole;
}

/* ---- copies ------------------------------------------------------------------------------ */

static void rename_slots(fg_affine *a, int16_t from, int16_t to, int64_t first) {
  for (int t = 0; t < a->nterm; t++) {
    if (a->term[t].digit != from) continue;
    a->term[t].digit = to;
    a->offset.n += first * a->term[t].coef.n;
  }
}

static fg_access part_of_registers(const exchange *x, const fg_access *of, int16_t buffer, int part, const slots *s) {
  fg_access a = *of;
  a.buffer = buffer, a.reg = fg_kernel_new_digit(x->k, "m", FG_ROLE_REG, fg_num_const(s->count));
  rename_slots(&a.index.at, of->reg, a.reg, s->first);
  for (int t = 0; t < a.index.at.nterm; t++) a.index.at.term[t].coef.n *= 2;
  a.index.at.offset.n = 2 * a.index.at.offset.n + part;
  return a;
}

static fg_access half_of_memory(const exchange *x, const fg_access *of, int half, const slots *s) {
  fg_access a = *of;
  a.buffer = x->memory, a.reg = fg_kernel_new_digit(x->k, "m", FG_ROLE_REG, fg_num_const(s->count));
  a.move = FG_MOVE_NONE, a.stream = false;
  rename_slots(&a.index.at, of->reg, a.reg, s->first);
  a.index.at.offset.n -= half * x->room;
  return a;
}

/* Of threads whose slots are in the half. */
static fg_pred is_in_half(const exchange *x, const fg_access *of, int half) {
  fg_affine at = of->index.at;
  fg_affine_drop(&at, of->reg);
  if (!half) return (fg_pred){.value = at, .bound = fg_num_const(x->room)};
  at.offset.n = -at.offset.n;
  for (int t = 0; t < at.nterm; t++) at.term[t].coef.n = -at.term[t].coef.n;
  return (fg_pred){.value = at, .bound = fg_num_const(1 - x->room)};
}

/* To memory, or from there; `was`: the access before it had registers. */
typedef struct copy {
  const fg_registers *side;
  const fg_access *was;
  int16_t parts; /* the registers as reals */
  bool stored;
} copy;

static bool make_copy(const exchange *x, fg_stage *s, const copy *c, int part, int half) {
  static const char *const names[] = {"real", "imaginary"};
  slots found;
  if (!find_slots(x, c->side, half, &found)) return false;
  *s = (fg_stage){.vectors.lane = -1, .nloop = c->side->s->nloop, .exchange.after = fg_exchange_barrier()};
  memcpy(s->loop, c->side->s->loop, sizeof s->loop);
  fg_access registers = part_of_registers(x, c->side->a, c->parts, part, &found),
            memory = half_of_memory(x, c->was, half, &found);
  s->load = c->stored ? registers : memory, s->store = c->stored ? memory : registers;
  if (found.whole && x->halves > 1) s->pred[s->npred++] = is_in_half(x, c->was, half);
  s->what = fg_arena_printf(x->b->cx->arena, "%s parts%s %s", names[part],
                            x->halves == 1 ? ""
                            : half         ? ", upper half,"
                                           : ", lower half,",
                            c->stored ? "to shared memory" : "from there");
  return true;
}

/* ---- exchanges ---------------------------------------------------------------------------- */

static int16_t as_reals(fg_builder *b, int16_t buffer) {
  fg_program *p = b->program;
  fg_buffer *reals = &p->buffer[p->nbuffer];
  *reals = p->buffer[buffer];
  reals->elem = FG_ELEM_REAL, reals->alias = buffer, reals->size *= 2, reals->local.each *= 2;
  return (int16_t)p->nbuffer++;
}

static bool in_rounds(exchange *x, int stage, fg_registers *stored, fg_registers *loaded) {
  fg_kernel *k = x->k;
  int rounds = 2 * x->halves;
  bool first = true, good = true;
  for (int i = 0; i < stage; i++) first = first && k->stage[i].store.buffer != x->memory;
  fg_stage *all = fg_arena_new(x->b->cx->arena, fg_stage, k->nstage + 2 * rounds);
  memcpy(all, k->stage, sizeof *all * (size_t)(stage + 1));
  memcpy(&all[stage + 1 + 2 * rounds], &k->stage[stage + 1], sizeof *all * (size_t)(k->nstage - stage - 1));
  k->stage = all, k->nstage += 2 * rounds;
  fg_stage *from = &all[stage], *to = &all[stage + 1 + 2 * rounds];
  stored->s = from, stored->a = &from->store, loaded->s = to, loaded->a = &to->load;
  const fg_access left = from->store, wanted = to->load;
  from->exchange.after = first ? fg_exchange_none() : fg_exchange_barrier();
  to->exchange.between = fg_exchange_none();
  const copy out = {stored, &left, as_reals(x->b, fg_map_use_registers(x->b, k, stored)), true};
  const copy in = {loaded, &wanted, as_reals(x->b, fg_map_use_registers(x->b, k, loaded)), false};
  for (int r = 0; r < rounds && good; r++) {
    fg_stage *s = &all[stage + 1 + 2 * r];
    good = make_copy(x, &s[0], &out, r / x->halves, r % x->halves) &&
           make_copy(x, &s[1], &in, r / x->halves, r % x->halves);
    if (r == rounds - 1) s[1].exchange.after = fg_exchange_none();
  }
  return good;
}

static bool is_exchange(const exchange *x, int stage, fg_registers *stored, fg_registers *loaded) {
  const fg_program *p = x->b->program;
  fg_stage *from = &x->k->stage[stage], *to = &x->k->stage[stage + 1];
  *stored = (fg_registers){x->k, from, &from->store, 0, 0, NULL};
  *loaded = (fg_registers){x->k, to, &to->load, 0, 0, NULL};
  const fg_buffer *left = &p->buffer[from->store.buffer], *wanted = &p->buffer[to->load.buffer];
  if (left->elem != FG_ELEM_COMPLEX || wanted->elem != FG_ELEM_COMPLEX) return false;
  if (fg_program_root(p, from->store.buffer) != fg_program_root(p, to->load.buffer)) return false;
  if (fg_index_is_bent(&from->store.index) || fg_index_is_bent(&to->load.index)) return false;
  return fg_map_find_registers(x->b, stored) && fg_map_find_registers(x->b, loaded) && stored->each == loaded->each;
}

static bool uses_memory(const exchange *x, const fg_access *a) {
  return fg_buffer_is_shared(&x->b->program->buffer[a->buffer]) && a->buffer != x->memory;
}

/* One memory for all, of reals. */
static void make_memory(exchange *x, int16_t like) {
  fg_buffer of = x->b->program->buffer[fg_buffer_root(x->b->program, like)];
  of.elem = FG_ELEM_REAL, of.layout = FG_LAYOUT_INTERLEAVED, of.size /= x->halves;
  snprintf(of.name, sizeof of.name, "parts%d", x->b->program->nbuffer);
  x->room = of.size, x->memory = fg_build_buffer(x->b->program, &of);
}

/* No stage uses what there was before. */
static bool leave_memory(const exchange *x) {
  fg_program *p = x->b->program;
  for (int s = 0; s < x->k->nstage; s++)
    if (uses_memory(x, &x->k->stage[s].load) || uses_memory(x, &x->k->stage[s].store)) return false;
  for (int16_t i = 0; i < x->memory; i++)
    if (fg_map_is_local(x->b, i) && p->buffer[i].alias < 0) p->buffer[i].alias = x->memory;
  return true;
}

/* So that a number of iterations says which of a thread's registers it is. */
static void count_iterations(fg_kernel *k) {
  for (int s = 0; s < k->nstage; s++)
    for (int l = 0; l < k->stage[s].nloop; l++) {
      const fg_digit *d = &k->digit[k->stage[s].loop[l]];
      bool iterates = d->role == FG_ROLE_REG || d->role == FG_ROLE_LOOP;
      if (iterates && d->last == INT64_MAX && d->step > 1) fg_map_count_by_one(k, &k->stage[s], k->stage[s].loop[l]);
    }
}

static fg_status refuse(const fg_builder *b, const char *why) { return fg_refuse(b->cx, "plan: exchange: %s", why); }

static fg_status exchange_kernel(fg_builder *b, fg_kernel *k) {
  exchange x = {.b = b, .k = k, .halves = fg_map_rounds_of(b) / 2};
  if (k->launch.cluster > 1 || fg_kernel_fetches(k)) return refuse(b, "of a block alone, without bulk copies");
  count_iterations(k);
  for (int s = 0; s + 1 < k->nstage; s++) {
    fg_registers stored, loaded;
    if (!uses_memory(&x, &k->stage[s].store)) continue;
    if (b->program->nbuffer + 5 > FG_MAX_BUFFERS || !is_exchange(&x, s, &stored, &loaded))
      return refuse(b, "numbers of threads and of their points are to be powers of two");
    if (!x.memory) make_memory(&x, k->stage[s].store.buffer);
    if (!in_rounds(&x, s, &stored, &loaded)) return refuse(b, "no half of the places is some slots, or some threads");
    s += 4 * x.halves;
  }
  return !x.memory || leave_memory(&x) ? FG_OK : refuse(b, "of all stages of a block");
}

fg_status fg_map_rounds(fg_builder *b) {
  fg_status status = FG_OK;
  for (int i = 0; i < b->nkernel && status == FG_OK; i++) status = exchange_kernel(b, b->kernel = b->kernels[i]);
  return status;
}
