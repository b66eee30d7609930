/* Kernels with bulk copies. In: a persistent kernel whose first stage, and perhaps its last, or one between, is a bulk
 * copy. Out: the lines around and between its other stages (double buffering).
 *
 *   declare shared memory and its mbarrier; begin the first copy
 *   for each group of the block {
 *     wait; run stages; when the data has been read, begin the next copy; run stages;
 *     begin to copy the results out
 *   }
 *
 * A row may begin at any element. Its buffer begins at the same distance from a multiple of the engine's alignment as
 * its part of the array does, so that the copy is aligned on both sides. Of a row that has no room, its last part is
 * copied. A copy between other stages uses the first one's memory in turn. */
#include "generator/lower/async_copy.h"
#include "generator/lower/memory.h"
#include "generator/lower/storage.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include "generator/text/statements.h"

bool fg_bulk_is_wanted(const fg_emitter *e, const fg_kernel *k) { return e->launched && fg_kernel_fetches(k); }

fg_status fg_bulk_check(const fg_emitter *e, const fg_kernel *k) {
  if (!fg_bulk_is_wanted(e, k) || e->d->bulk) return FG_OK;
  return fg_refuse(e->cx, "emit: %s: bulk copies: the dialect %s has none", k->name, e->d->name);
}

static bool leaves(const fg_kernel *k) { return fg_stage_is_bulk(&k->stage[k->nstage - 1]); }

/* Its side in shared memory, and the other one. */
static const fg_access *inside(const fg_kernel *k, int stage) {
  return stage && stage + 1 == k->nstage ? &k->stage[stage].load : &k->stage[stage].store;
}
static const fg_access *outside(const fg_kernel *k, int stage) {
  return stage && stage + 1 == k->nstage ? &k->stage[stage].store : &k->stage[stage].load;
}

static int root_of(const fg_emitter *e, const fg_access *a) { return fg_buffer_root(e->p, a->buffer); }

bool fg_bulk_uses(const fg_emitter *e, const fg_kernel *k, int memory) {
  if (!fg_bulk_is_wanted(e, k)) return false;
  return root_of(e, inside(k, 0)) == memory || (leaves(k) && root_of(e, inside(k, k->nstage - 1)) == memory);
}

/* ---- memory ------------------------------------------------------------------------------ */

static int64_t rounded(int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; }

fg_bulk_room fg_bulk_place(const fg_emitter *e, const fg_kernel *k, int memory, int64_t before) {
  fg_bulk_room r = {.at = before, .bytes = fg_memory_local_bytes(e, memory)};
  if (!fg_bulk_uses(e, k, memory)) return r;
  r.at = rounded(before, e->d->bulk->align_bytes);
  r.bytes += e->d->bulk->align_bytes;
  return r;
}

int64_t fg_bulk_mbarrier(const fg_emitter *e, int64_t before) { return rounded(before, e->d->bulk->align_bytes); }

/* ---- statements ---------------------------------------------------------------------------- */

/* Reals of the array that belong to a number. */
static int64_t unit_of(const fg_emitter *e, const fg_kernel *k, int stage) {
  const fg_access *a = outside(k, stage);
  const fg_digit *d = &k->digit[k->outer[0]];
  int64_t unit = 0;
  for (int t = 0; t < a->index.at.nterm; t++)
    if (a->index.at.term[t].digit == k->outer[0]) unit = a->index.at.term[t].coef.n;
  return unit * d->step * fg_buffer_parts(&e->p->buffer[a->buffer]);
}

/* Of these, how many are copied, and from where on. */
static int64_t count_of(const fg_emitter *e, const fg_kernel *k, int stage) {
  const fg_access *a = inside(k, stage);
  int64_t elements = k->digit[a->reg].extent.n * k->digit[k->stage[stage].loop[0]].extent.n;
  return (a->npred ? a->pred[0].bound.n : elements) * fg_buffer_parts(&e->p->buffer[a->buffer]);
}

static int64_t first_of(const fg_emitter *e, const fg_kernel *k, int stage) {
  const fg_access *a = outside(k, stage);
  return a->index.at.offset.n * fg_buffer_parts(&e->p->buffer[a->buffer]);
}

static bool is_part(const fg_emitter *e, const fg_kernel *k, int stage) {
  return count_of(e, k, stage) < unit_of(e, k, stage);
}

/* The bound that the batch sets; where there is none, all numbers are whole. */
static const char *all_text(const fg_bulk_frame *f, int stage) {
  const fg_access *a = outside(f->k, stage);
  for (int i = 0; i < a->npred; i++)
    for (int t = 0; t < a->pred[i].value.nterm; t++) {
      if (a->pred[i].value.term[t].digit != f->k->outer[0]) continue;
      fg_num bound = fg_num_scaled(a->pred[i].bound, fg_buffer_parts(&f->e->p->buffer[a->buffer]));
      return fg_statements_number(f->e, f->uses, bound);
    }
  return "0x7fffffffffffffff";
}

/* Numbers of all blocks. */
static const char *iterations_text(const fg_bulk_frame *f) {
  return fg_statements_number(f->e, f->uses, f->k->digit[f->k->outer[0]].extent);
}

static const char *array_of(const fg_bulk_frame *f, int stage) {
  int array = root_of(f->e, outside(f->k, stage));
  f->uses->memory[array] = true;
  return f->e->memory[array].name;
}

/* Where real number `first` of a tile is in the array. */
static const char *place_text(const fg_bulk_frame *f, int stage, const char *number, int64_t first) {
  const fg_emitter *e = f->e;
  bool sum = number == e->d->bulk->next;
  fg_marks marks = {.a = sum ? fg_arena_printf(e->cx->arena, "(%s)", number) : number,
                    .b = fg_arena_printf(e->cx->arena, "%lld", (long long)unit_of(e, f->k, stage)),
                    .i = e->d->index_type,
                    .v = array_of(f, stage)};
  const char *row = fg_spell(e, 1, e->d->bulk->place, marks);
  return first ? fg_arena_printf(e->cx->arena, "%s + %lld", row, (long long)first) : row;
}

static const char *memory_of(const fg_bulk_frame *f, int stage) {
  int memory = root_of(f->e, inside(f->k, stage));
  f->uses->memory[memory] = true;
  return fg_arena_printf(f->e->cx->arena, "%s_memory", f->e->memory[memory].name);
}

static fg_marks marks_of(const fg_bulk_frame *f, int stage, const char *number) {
  const fg_emitter *e = f->e;
  const char *count = fg_arena_printf(e->cx->arena, "%lld", (long long)count_of(e, f->k, stage));
  bool part = is_part(e, f->k, stage);
  return (fg_marks){.a = part ? "0" : number,
                    .b = count,
                    .c = part ? count : all_text(f, stage),
                    .v = part ? place_text(f, stage, number, first_of(e, f->k, stage)) : array_of(f, stage),
                    .p = memory_of(f, stage)};
}

void fg_bulk_note(const fg_bulk_frame *f) {
  int last = f->k->nstage - 1;
  for (int s = 0; s <= last; s++)
    if (fg_stage_is_bulk(&f->k->stage[s])) marks_of(f, s, "");
  if (leaves(f->k)) f->uses->stored[root_of(f->e, outside(f->k, last))] = true;
  iterations_text(f);
}

/* Begins to copy a stage's part of a tile, `where` there is one; of what has no room L2 is asked, so that threads wait
 * less for it. */
static const char *fetch_text(const fg_bulk_frame *f, int stage, const char *number, const char *where) {
  const fg_emitter *e = f->e;
  const fg_bulk_form *form = e->d->bulk;
  int64_t first = first_of(e, f->k, stage);
  const char *fetch = fg_spell(e, 1, form->fetch, marks_of(f, stage, number));
  if (!first) return fg_arena_printf(e->cx->arena, "%s%s\n", where, fetch);
  fg_marks before = {.b = fg_arena_printf(e->cx->arena, "%lld", (long long)first),
                     .v = place_text(f, stage, number, 0)};
  return fg_arena_printf(e->cx->arena, "%s%s\n%s%s\n", where, fetch, where, fg_spell(e, 1, form->ask, before));
}

const char *fg_bulk_open(const fg_bulk_frame *f, const char *mbarrier) {
  const fg_bulk_form *form = f->e->d->bulk;
  const fg_kernel *k = f->k;
  fg_arena *a = f->e->cx->arena;
  fg_marks range = {.a = iterations_text(f), .b = fg_arena_printf(a, "%d", k->launch.iterations)};
  bool one = k->launch.iterations == 1;
  const char *fetch = fetch_text(f, 0, one ? form->iteration : form->first, one ? "" : form->if_first);
  return fg_arena_printf(a, "%s\n%s\n%s\n%s\n%s", fg_spell(f->e, 1, form->mbarrier, (fg_marks){.p = mbarrier}),
                         form->open, f->e->d->barrier_block,
                         fg_spell(f->e, 1,
                                  one                    ? form->one
                                  : k->launch.persistent ? form->all
                                                         : form->some,
                                  range),
                         fetch);
}

/* What has come by two copies in turn begins at two places, perhaps. */
static const char *name_of(const fg_bulk_frame *f, int stage) {
  const fg_emitter *e = f->e;
  const char *name = e->memory[root_of(e, inside(f->k, stage))].name;
  return stage && stage == fg_kernel_second_copy(f->k)
             ? fg_arena_printf(e->cx->arena, "%s_%s", name, array_of(f, stage))
             : name;
}

const char *fg_bulk_name(const fg_bulk_frame *f, int memory, int stage) {
  int second = fg_kernel_second_copy(f->k);
  bool moved = second && stage > second && fg_bulk_uses(f->e, f->k, memory);
  return moved ? name_of(f, second) : NULL;
}

static const char *destination_text(const fg_bulk_frame *f, int stage) {
  const fg_emitter *e = f->e;
  const fg_buffer *b = &e->p->buffer[root_of(e, inside(f->k, stage))];
  fg_marks marks = {.p = memory_of(f, stage),
                    .v = place_text(f, stage, e->d->bulk->iteration, first_of(e, f->k, stage))};
  return fg_arena_printf(e->cx->arena, "%s *const %s = %s;\n", fg_storage_type(e, b), name_of(f, stage),
                         fg_spell(e, 1, e->d->bulk->destination, marks));
}

/* Of two copies in turn, one comes in even phases, the other in odd ones. */
static const char *wait_text(const fg_bulk_frame *f, int stage) {
  const fg_bulk_form *form = f->e->d->bulk;
  const char *phase = !fg_kernel_second_copy(f->k) ? form->phase : stage ? "1" : "0";
  return fg_spell(f->e, 1, form->wait, (fg_marks){.i = phase});
}

const char *fg_bulk_loop(const fg_emitter *e, const fg_kernel *k) {
  return fg_kernel_second_copy(k) ? e->d->bulk->loop_of_two : e->d->bulk->loop;
}

const char *fg_bulk_before(const fg_bulk_frame *f, int stage) {
  const fg_bulk_form *form = f->e->d->bulk;
  fg_arena *a = f->e->cx->arena;
  int second = fg_kernel_second_copy(f->k);
  bool waits = fg_exchange_is_engine_wait(&f->k->stage[stage].exchange.before);
  if (stage) return waits ? fg_arena_printf(a, "%s%s\n", destination_text(f, second), wait_text(f, second)) : "";
  const char *zero = f->k->launch.iterations == 1 ? "" : fg_arena_printf(a, "%s\n", form->zero);
  return fg_arena_printf(a, "%s%s%s%s\n", zero, destination_text(f, 0),
                         leaves(f->k) ? destination_text(f, f->k->nstage - 1) : "", wait_text(f, 0));
}

/* Behind stage `stage`, which ends with a barrier. */
const char *fg_bulk_after(const fg_bulk_frame *f, int stage) {
  const fg_bulk_form *form = f->e->d->bulk;
  const fg_kernel *k = f->k;
  fg_arena *a = f->e->cx->arena;
  const char *barrier = f->e->d->barrier_block;
  bool many = k->launch.iterations != 1, fetches = many && stage + 1 == k->launch.fetch,
       goes = stage + 1 < k->nstage && fg_stage_is_bulk(&k->stage[stage + 1]);
  bool over = stage + 1 == k->nstage, waits = over ? many : fg_exchange_waits(&k->stage[stage].exchange.after);
  const char *fence = fetches || goes ? fg_arena_printf(a, "%s\n", form->fence) : "";
  const char *first = waits ? fg_arena_printf(a, "%s%s\n", fence, barrier) : "";
  return fetches ? fg_arena_printf(a, "%s%s", first, fetch_text(f, 0, form->next, form->if_next)) : first;
}

const char *fg_bulk_copy(const fg_bulk_frame *f, int stage) {
  const char *number = f->e->d->bulk->iteration;
  if (stage + 1 < f->k->nstage) return fetch_text(f, stage, number, "");
  fg_marks marks = marks_of(f, stage, number);
  marks.p = f->e->memory[root_of(f->e, inside(f->k, stage))].name;
  return fg_arena_printf(f->e->cx->arena, "%s\n%s\n", fg_spell(f->e, 1, f->e->d->bulk->store, marks),
                         f->e->d->bulk->drained);
}
