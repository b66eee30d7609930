/* Stages: their lanes, loops, twiddle factors and accesses. */
#include "generator/ir/kernel.h"

int fg_stage_roots(const fg_kernel *k, const fg_stage *s) {
  int64_t n = s->factors.has_twiddle ? k->digit[s->factors.twiddle.reg].extent.n : 0;
  return (int)(n + (s->factors.has_more ? fg_access_slots(k, &s->factors.more) : 0));
}

int fg_stage_products(const fg_stage *s) {
  int n = 0;
  for (int f = 0; s->factors.product && f < s->codelet->ntw / 2; f++)
    n += s->factors.product[f].factor >= 0 || s->factors.product[f].also;
  return n;
}

bool fg_product_possible(const fg_product *x, int f, int loaded) {
  if (x->made) return x->load >= 0 && x->load < f && x->factor >= 0 && x->factor < f && !x->also;
  bool known = x->load >= 0 && x->load < loaded && x->also >= 0 && x->also <= loaded && !x->twice;
  return known && x->factor < f && (x->factor < 0 || !x->also);
}

enum { MOST_TURNS = 4 };

int64_t fg_stage_iterations(const fg_kernel *k, const fg_stage *s) {
  int64_t iterations = 1;
  for (int i = 0; i < s->nloop; i++) {
    const fg_digit *d = &k->digit[s->loop[i]];
    if (s->loop[i] == s->vectors.lane) continue;
    if (d->role != FG_ROLE_LOOP || d->extent.form != FG_NUM_CONST || d->start.form != FG_NUM_CONST) return -1;
    if (d->extent.n < 1 || d->extent.n > MOST_TURNS) return -1;
    iterations *= d->extent.n;
  }
  return iterations <= MOST_TURNS ? iterations : -1;
}

bool fg_stage_has_threads(const fg_kernel *k, const fg_stage *s) {
  for (int i = 0; i < s->nloop; i++)
    if (k->digit[s->loop[i]].role == FG_ROLE_THREAD) return true;
  return false;
}

int fg_stage_lanes(const fg_kernel *k, const fg_stage *s) {
  return s->vectors.lane < 0 ? 1 : (int)k->digit[s->vectors.lane].extent.n;
}

fg_access *fg_stage_access(fg_stage *s, int number) {
  fg_access *first[] = {&s->load, &s->store, s->factors.has_twiddle ? &s->factors.twiddle : NULL,
                        s->factors.has_more ? &s->factors.more : NULL};
  for (int i = 0; i < 4; i++)
    for (fg_access *a = first[i]; a; a = a->rest)
      if (number-- == 0) return a;
  fg_operations *const both[] = {s->operations.loaded, s->operations.stored};
  for (int side = 0; side < 2; side++)
    for (int i = 0; both[side] && i < both[side]->count; i++)
      for (fg_access *a = both[side]->operation[i].has_operand ? &both[side]->operation[i].operand : NULL; a;
           a = a->rest)
        if (number-- == 0) return a;
  return NULL;
}

/* The access with all that hangs on it, apart from the original. */
static void own(fg_arena *arena, fg_access *a) {
  if (a->index.nwrap) a->index.wrap = fg_arena_copy(arena, a->index.wrap, sizeof(fg_wrap) * (size_t)a->index.nwrap);
  for (; a->rest; a = a->rest) a->rest = fg_arena_copy(arena, a->rest, sizeof *a->rest);
}

static fg_operations *own_operations(fg_arena *arena, const fg_operations *operations) {
  fg_operations *twin = operations ? fg_arena_copy(arena, operations, sizeof *operations) : NULL;
  for (int i = 0; twin && i < twin->count; i++) own(arena, &twin->operation[i].operand);
  return twin;
}

fg_stage fg_stage_twin(fg_arena *arena, const fg_stage *s) {
  fg_stage twin = *s;
  twin.operations.loaded = own_operations(arena, s->operations.loaded);
  twin.operations.stored = own_operations(arena, s->operations.stored);
  own(arena, &twin.load);
  own(arena, &twin.store);
  own(arena, &twin.factors.twiddle);
  own(arena, &twin.factors.more);
  return twin;
}

int fg_stage_shared(const fg_kernel *k, const fg_stage *s) {
  return s->vectors.shared || s + 1 == k->stage + k->nstage ? s->vectors.shared : s[1].vectors.shared;
}

const fg_stage *fg_stage_after(const fg_kernel *k, const fg_stage *s) {
  for (const fg_stage *next = s + 1; next < k->stage + k->nstage; next++)
    if (next->load.buffer == s->store.buffer) return next;
  return NULL;
}

bool fg_stage_is_rest(const fg_kernel *k, const fg_stage *s) {
  return s != k->stage && s->codelet == s[-1].codelet && s->load.buffer == s[-1].load.buffer &&
         fg_stage_lanes(k, s) < fg_stage_lanes(k, s - 1);
}

bool fg_stage_is_clipped(const fg_kernel *k, const fg_stage *s) {
  for (int i = 0; i < s->nloop; i++)
    if (k->digit[s->loop[i]].last != INT64_MAX) return true;
  return false;
}
