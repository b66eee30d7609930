/* Kernels with bulk copies. In: a persistent kernel whose first stage, and perhaps its last, is a bulk copy. Out: the
 * lines around and between its other stages (double buffering).
 *
 *   declare shared memory and its mbarrier; begin the first copy
 *   for each group of the block {
 *     wait; run stages; when the data has been read, begin the next copy; run stages;
 *     begin to copy the results out
 *   }
 *
 * A row may begin at any element. Its buffer begins at the same distance from a multiple of the engine's alignment as
 * its part of the array does, so that the copy is aligned on both sides. */
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
static const fg_access *inside(const fg_kernel *k, bool out) {
  return out ? &k->stage[k->nstage - 1].load : &k->stage[0].store;
}
static const fg_access *outside(const fg_kernel *k, bool out) {
  return out ? &k->stage[k->nstage - 1].store : &k->stage[0].load;
}

static int root_of(const fg_emitter *e, const fg_access *a) { return fg_buffer_root(e->p, a->buffer); }

bool fg_bulk_uses(const fg_emitter *e, const fg_kernel *k, int memory) {
  if (!fg_bulk_is_wanted(e, k)) return false;
  return root_of(e, inside(k, false)) == memory || (leaves(k) && root_of(e, inside(k, true)) == memory);
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
static int64_t unit_of(const fg_emitter *e, const fg_kernel *k, bool out) {
  const fg_access *a = outside(k, out);
  const fg_digit *d = &k->digit[k->outer[0]];
  int64_t unit = 0;
  for (int t = 0; t < a->index.at.nterm; t++)
    if (a->index.at.term[t].digit == k->outer[0]) unit = a->index.at.term[t].coef.n;
  return unit * d->step * fg_buffer_parts(&e->p->buffer[a->buffer]);
}

/* The bound that the batch sets; where there is none, all numbers are whole. */
static const char *all_text(const fg_bulk_frame *f, bool out) {
  const fg_access *a = outside(f->k, out);
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

static fg_marks marks_of(const fg_bulk_frame *f, bool out, const char *number) {
  const fg_emitter *e = f->e;
  fg_arena *a = e->cx->arena;
  int array = root_of(e, outside(f->k, out)), memory = root_of(e, inside(f->k, out));
  f->uses->memory[array] = f->uses->memory[memory] = true;
  if (out) f->uses->stored[array] = true;
  return (fg_marks){.a = number,
                    .b = fg_arena_printf(a, "%lld", (long long)unit_of(e, f->k, out)),
                    .c = all_text(f, out),
                    .i = e->d->index_type,
                    .v = e->memory[array].name,
                    .p = fg_arena_printf(a, "%s_memory", e->memory[memory].name)};
}

void fg_bulk_note(const fg_bulk_frame *f) {
  marks_of(f, false, "");
  if (leaves(f->k)) marks_of(f, true, "");
  iterations_text(f);
}

const char *fg_bulk_open(const fg_bulk_frame *f, const char *mbarrier) {
  const fg_bulk_form *form = f->e->d->bulk;
  const fg_kernel *k = f->k;
  fg_arena *a = f->e->cx->arena;
  fg_marks range = {.a = iterations_text(f), .b = fg_arena_printf(a, "%d", k->launch.iterations)};
  bool one = k->launch.iterations == 1;
  const char *fetch = fg_spell(f->e, 1, form->fetch, marks_of(f, false, one ? form->iteration : form->first));
  return fg_arena_printf(a, "%s\n%s\n%s\n%s\n%s%s\n", fg_spell(f->e, 1, form->mbarrier, (fg_marks){.p = mbarrier}),
                         form->open, f->e->d->barrier_block,
                         fg_spell(f->e, 1,
                                  one                    ? form->one
                                  : k->launch.persistent ? form->all
                                                         : form->some,
                                  range),
                         one ? "" : form->if_first, fetch);
}

static const char *destination_text(const fg_bulk_frame *f, bool out) {
  int memory = root_of(f->e, inside(f->k, out));
  const char *type = fg_storage_type(f->e, &f->e->p->buffer[memory]), *name = f->e->memory[memory].name;
  return fg_arena_printf(f->e->cx->arena, "%s *const %s = %s;\n", type, name,
                         fg_spell(f->e, 1, f->e->d->bulk->destination, marks_of(f, out, "")));
}

/* At the start of each iteration. */
const char *fg_bulk_begin(const fg_bulk_frame *f) {
  const fg_bulk_form *form = f->e->d->bulk;
  const char *zero = f->k->launch.iterations == 1 ? "" : fg_arena_printf(f->e->cx->arena, "%s\n", form->zero);
  return fg_arena_printf(f->e->cx->arena, "%s%s%s%s\n", zero, destination_text(f, false),
                         leaves(f->k) ? destination_text(f, true) : "", form->wait);
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
  const char *fetch = fg_spell(f->e, 1, form->fetch, marks_of(f, false, form->next));
  return fetches ? fg_arena_printf(a, "%s%s%s\n", first, form->if_next, fetch) : first;
}

/* In place of the last stage. */
const char *fg_bulk_leave(const fg_bulk_frame *f) {
  fg_marks marks = marks_of(f, true, f->e->d->bulk->iteration);
  marks.p = f->e->memory[root_of(f->e, inside(f->k, true))].name;
  return fg_arena_printf(f->e->cx->arena, "%s\n%s\n", fg_spell(f->e, 1, f->e->d->bulk->store, marks),
                         f->e->d->bulk->drained);
}
