/* A stage of shuffles (map/shuffle.c). In: digits that are bits of places, of lanes and of a thread's numbers. Out:
 * each thread's numbers, given from lane to lane.
 *
 * A bit of the lane and one of the number change places so: of two numbers that differ in the latter, a lane keeps one
 * and gives the other to the lane that differs in the former. Any order of bits is made of such steps, since bits of
 * numbers may be named at will. */
#include "generator/lower/shuffle.h"
#include "generator/base/integer.h"
#include "generator/lower/memory.h"
#include "generator/text/matrix.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_statements.h"
#include "targets/machine/simt.h"

enum { BITS = 16 };

typedef struct places {
  int each, numbers, bits;     /* numbers: bits of a thread's own */
  int wanted[BITS], now[BITS]; /* the bit that is to be in a place, and the one that is there */
  const char **value;          /* [2 * each] */
  const char *upper[BITS];     /* truth: the lane has this bit */
  int parts, named;
} places;

bool fg_shuffle_is_in(const fg_kernel *k) {
  for (int s = 0; s < k->nstage; s++)
    if (fg_exchange_is_shuffle(&k->stage[s].exchange.before)) return true;
  return false;
}

bool fg_shuffle_touches(const fg_emitter *e, const fg_stage *s) {
  const fg_buffer *of = e->p->buffer;
  bool factors = s->factors.has_twiddle && fg_buffer_is_of_lanes(&of[s->factors.twiddle.buffer]);
  return factors || fg_buffer_is_of_lanes(&of[s->load.buffer]) || fg_buffer_is_of_lanes(&of[s->store.buffer]);
}

bool fg_shuffle_has_registers(const fg_emitter *e, const fg_kernel *k) {
  for (int s = 0; s < k->nstage; s++)
    if (fg_shuffle_touches(e, &k->stage[s])) return true;
  return false;
}

static void note(bool *used, const fg_affine *a) {
  for (int t = 0; t < a->nterm; t++) used[a->term[t].digit] = true;
}

static void note_access(bool *used, const fg_access *a) {
  note(used, &a->index.at);
  note(used, &a->index.base);
  for (int i = 0; i < a->index.nwrap; i++) note(used, &a->index.wrap[i].position);
  for (int i = 0; i < a->npred; i++) note(used, &a->pred[i].value);
}

void fg_shuffle_leave_threads(fg_writer *w) {
  bool used[FG_MAX_DIGITS] = {false};
  fg_access *a;
  if (!fg_shuffle_touches(w->e, w->stage)) return;
  for (int n = 0; (a = fg_stage_access((fg_stage *)w->stage, n)); n++)
    if (!fg_buffer_is_of_lanes(&w->e->p->buffer[a->buffer])) note_access(used, a);
  for (int i = 0; i < w->stage->npred; i++) note(used, &w->stage->pred[i].value);
  for (int l = 0; l < w->stage->nloop; l++) {
    int d = w->stage->loop[l];
    if (w->k->digit[d].role == FG_ROLE_THREAD && !used[d]) w->digit[d] = NULL, w->digit_value[d] = 0;
  }
}

static places places_of(const fg_writer *w) {
  const fg_stage *s = w->stage;
  const fg_buffer *b = &w->e->p->buffer[s->load.buffer];
  places p = {.each = b->local.each, .numbers = fg_log2(b->local.each), .parts = fg_buffer_parts(b)};
  for (int i = 0; i < BITS; i++) p.wanted[i] = p.now[i] = i;
  for (int l = 0; l < s->nloop; l++) {
    int64_t to = fg_affine_coef(&s->store.index.at, s->loop[l]).n,
            from = fg_affine_coef(&s->load.index.at, s->loop[l]).n;
    if (to >= FG_WARP * p.each) continue; /* the number of the warp */
    int place = fg_log2(to);
    p.wanted[place] = fg_log2(from);
    if (place >= p.bits) p.bits = place + 1;
  }
  p.value = fg_arena_new(w->arena, const char *, p.parts *p.each);
  return p;
}

static const char *array_of(fg_writer *w, int buffer, bool stored) {
  int memory = fg_buffer_root(w->e->p, buffer);
  w->uses.memory[memory] = true;
  w->uses.stored[memory] = w->uses.stored[memory] || stored;
  return fg_memory_pointer(w->e, memory, 0);
}

static const char *new_name(const fg_writer *w, places *p) { return fg_arena_printf(w->arena, "v%d", p->named++); }

static const char *type_of(const fg_writer *w) { return fg_arena_printf(w->arena, "const %s", w->e->real); }

static const char *named(fg_writer *w, places *p, const char *value) {
  const char *name = new_name(w, p);
  fg_coder_name(w->e->coder, type_of(w), name, value);
  return name;
}

static void load_own(fg_writer *w, places *p) {
  fg_coder *c = w->e->coder;
  const char *from = array_of(w, w->stage->load.buffer, false);
  for (int i = 0; i < p->parts * p->each; i++) {
    const char *at = fg_coder_at(c, from, NULL, i);
    p->value[i] = named(w, p, fg_coder_real(c, FG_CODE_LOAD, 1, (const char *const[]){at, NULL, NULL}));
  }
}

static const char *either(fg_writer *w, const char *truth, const char *a, const char *b) {
  return fg_coder_real(w->e->coder, FG_CODE_SELECT, 1, (const char *const[]){truth, a, b});
}

/* Whether the lane has the bit of a place. */
static const char *is_upper(fg_writer *w, places *p, int place) {
  fg_coder *c = w->e->coder;
  if (p->upper[place]) return p->upper[place];
  int bit = place - p->numbers;
  const char *name = fg_arena_printf(w->arena, "l%d", bit), *thread = fg_coder_thread(c);
  if (bit) thread = fg_coder_index(c, FG_CODE_SHR, thread, fg_coder_int(c, bit));
  fg_coder_name(c, "const int", name, fg_coder_index(c, FG_CODE_AND, thread, fg_coder_int(c, 1)));
  return p->upper[place] = fg_coder_index(c, FG_CODE_LESS, fg_coder_int(c, 0), name);
}

/* Two numbers that differ in the bit of a place. */
static void give_one(fg_writer *w, places *p, int lane, int low, int high) {
  const char *upper = is_upper(w, p, lane), *a = p->value[low], *b = p->value[high];
  const char *given = named(w, p, either(w, upper, a, b)), *got = new_name(w, p);
  fg_coder_from_lane(w->e->coder, type_of(w), got, given, 1 << (lane - p->numbers));
  p->value[low] = named(w, p, either(w, upper, got, a));
  p->value[high] = named(w, p, either(w, upper, b, got));
}

static void swap_places(fg_writer *w, places *p, int lane, int number) {
  for (int i = 0; i < p->each; i++)
    for (int part = 0; part < p->parts && !(i >> number & 1); part++)
      give_one(w, p, lane, p->parts * i + part, p->parts * (i | 1 << number) + part);
  int bit = p->now[lane];
  p->now[lane] = p->now[number], p->now[number] = bit;
}

static int place_of(const places *p, int bit) {
  int place = 0;
  while (p->now[place] != bit) place++;
  return place;
}

/* Whether some lane's bit was put in its place, whose bit was one of numbers. */
static bool put_some(fg_writer *w, places *p) {
  bool some = false;
  for (int lane = p->numbers; lane < p->bits; lane++) {
    int place = place_of(p, p->wanted[lane]);
    if (place >= p->numbers) continue;
    swap_places(w, p, lane, place);
    some = true;
  }
  return some;
}

/* What is left are bits of lanes that are wanted in other lanes: one becomes a bit of numbers first. */
static bool free_one(fg_writer *w, places *p) {
  for (int lane = p->numbers; lane < p->bits; lane++) {
    if (p->now[lane] == p->wanted[lane]) continue;
    swap_places(w, p, lane, 0);
    return true;
  }
  return false;
}

static void store_own(fg_writer *w, const places *p) {
  fg_coder *c = w->e->coder;
  const char *array = array_of(w, w->stage->store.buffer, true);
  for (int i = 0; i < p->each; i++) {
    int from = 0;
    for (int bit = 0; bit < p->numbers; bit++) from |= (i >> bit & 1) << place_of(p, p->wanted[bit]);
    for (int part = 0; part < p->parts; part++) {
      const char *to = fg_coder_at(c, array, NULL, p->parts * i + part), *x = p->value[p->parts * from + part];
      fg_coder_add_of(c, fg_coder_instr(FG_CODE_STORE, FG_CODE_NONE, 1), to, x, NULL);
    }
  }
}

void fg_shuffle_write(fg_writer *w) {
  places p = places_of(w);
  load_own(w, &p);
  while (put_some(w, &p) || free_one(w, &p)) continue;
  store_own(w, &p);
}
