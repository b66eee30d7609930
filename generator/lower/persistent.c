/* Persistent queues: kernels as one launch of persistent blocks, which take tiles of all (persistent_queue.h). In: the
 * functions of the kernels. Out: a kernel with a loop that takes an item, finds its tile, waits, calls the stages
 * and marks the tile as done; and a kernel before it that clears the counters. Launches are ordered, so nothing else
 * clears them.
 *
 * One thread waits for the tiles that the present one depends on, while another thread marks the previous tile as
 * done. No item is taken before that, because other blocks would wait for a tile that no block has begun. With
 * `early` one thread takes the next item while the others run their last stage, and checks whether its dependences
 * are ready.
 *
 * With `swap`, the tiles of the second kernel have one counter for each slot of the ring buffer, which counts how
 * often that slot has become free.
 *
 * Tables are passed with an added zero that no compiler can see: otherwise compilers hoist their loads out of the
 * loop, into registers that do not suffice. */
#include "generator/lower/persistent.h"
#include "generator/base/integer.h"
#include "generator/base/template.h"
#include "generator/lower/memory.h"
#include "generator/text/emitter.h"
#include "generator/text/spell.h"
#include "generator/text/statements.h"
#include "targets/machine/simt.h"

static const fg_queue *queue_of(const fg_emitter *e) { return &e->p->queue; }

static fg_status check(const fg_emitter *e) {
  if (!queue_of(e)->ring || (e->d->queue && e->d->function_form)) return FG_OK;
  return fg_refuse(e->cx, "emit: persistent blocks: the dialect %s has none", e->d->name);
}

bool fg_persistent_has(const fg_emitter *e, const fg_kernel *k) {
  for (int i = 0; i < fg_queue_joined(queue_of(e)); i++)
    if (k == e->p->kernel[i]) return true;
  return false;
}

fg_access_way fg_persistent_read(const fg_emitter *e, const fg_kernel *k, int memory) {
  if (!fg_persistent_has(e, k)) return FG_WAY_PLAIN;
  if (memory == FG_BUFFER_IN && !e->p->problem.in_place) return e->d->queue->pair_once ? FG_WAY_ONCE : FG_WAY_PLAIN;
  return fg_buffer_is_ring(&e->p->buffer[memory]) ? FG_WAY_FRESH : FG_WAY_PLAIN;
}

fg_access_way fg_persistent_write(const fg_emitter *e, const fg_kernel *k, int memory) {
  if (!fg_persistent_has(e, k)) return FG_WAY_PLAIN;
  if (memory == FG_BUFFER_OUT) return FG_WAY_EVICT_FIRST;
  return queue_of(e)->evict_last && fg_buffer_is_ring(&e->p->buffer[memory]) ? FG_WAY_EVICT_LAST : FG_WAY_PLAIN;
}

/* Places in the ring that are left one by one; 0: with their transforms. */
static long long places_of(const fg_emitter *e) {
  const fg_queue *q = queue_of(e);
  return q->swap ? (long long)(q->ring * q->tiles[1]) : 0;
}

int64_t fg_persistent_bytes(const fg_emitter *e) {
  const fg_num n = queue_of(e)->transforms;
  int64_t most = n.form == FG_NUM_CONST ? n.n : n.n * e->p->problem.param[n.param].hi;
  int64_t others = places_of(e) ? places_of(e) : (queue_of(e)->kernels - 1) * most;
  return queue_of(e)->ring ? 4 * (FG_QUEUE_FIRST + most + others) : 0;
}

/* Where a tile of the last kernel says that it is done, and one of the first waits for that. */
static const char *left_text(const fg_emitter *e) {
  return places_of(e) ? fg_arena_printf(e->cx->arena, "taken + tile %% %lld", places_of(e)) : "taken + transform";
}

/* How often before a tile, whose number among those of all transforms has that name. */
static const char *room_count(const fg_emitter *e, const char *tile) {
  return places_of(e) ? fg_arena_printf(e->cx->arena, "%s / %lld", tile, places_of(e))
                      : fg_arena_printf(e->cx->arena, "%lld", (long long)queue_of(e)->waits[0]);
}

static const char *room_text(const fg_emitter *e) {
  return places_of(e) ? left_text(e) : fg_arena_printf(e->cx->arena, "taken + transform - %d", queue_of(e)->ring);
}

const char *fg_persistent_symbol(const fg_emitter *e, bool prepares) {
  return fg_arena_printf(e->cx->arena, "%s_%s", e->name, prepares ? "begin" : "queue");
}

static bool frees_early(const fg_emitter *e, int kernel) {
  return kernel + 1 == fg_queue_joined(queue_of(e)) && queue_of(e)->frees + 1 < e->p->kernel[kernel]->nstage;
}

/* Whether tiles of the first kernel wait for room within. */
static bool waits_within(const fg_emitter *e) { return queue_of(e)->deferred_wait && queue_of(e)->waits[0]; }

static bool defers_waits(const fg_emitter *e) { return queue_of(e)->deferred_wait > 1; }

int fg_persistent_arguments(const fg_emitter *e, int kernel, bool given, const char **item) {
  int n = 0;
  if (kernel >= fg_queue_joined(queue_of(e))) return n;
  fg_arena *a = e->cx->arena;
  const char *counter = e->d->queue->counter;
  if (kernel == 0 && waits_within(e))
    item[n++] = !given         ? fg_arena_printf(a, "%s *room", counter)
                : places_of(e) ? room_text(e)
                               : fg_arena_printf(a, "transform >= %d ? %s : %s", queue_of(e)->ring, room_text(e),
                                                 e->d->queue->null);
  if (frees_early(e, kernel)) item[n++] = given ? left_text(e) : fg_arena_printf(a, "%s *freed", counter);
  if (!defers_waits(e)) return n;
  item[n++] = given ? "queue" : fg_arena_printf(a, "%s *queue", counter);
  item[n++] = given ? "transforms" : fg_arena_printf(a, "const %s transforms", counter);
  item[n++] = given ? "&next" : fg_arena_printf(a, "%s *next", counter);
  return n;
}

static const char *by_one_thread(const fg_emitter *e, const char *also, const char *statement) {
  return fg_arena_printf(e->cx->arena, "if (%s == 0%s) %s", e->d->thread_id, also, statement);
}

const char *fg_persistent_arrive(const fg_emitter *e, int kernel, int stage) {
  if (kernel != 0 || !waits_within(e) || stage != queue_of(e)->last[0]) return NULL;
  fg_marks marks = {.p = "room", .i = room_count(e, "block")};
  return by_one_thread(e, places_of(e) ? "" : " && room", fg_spell(e, 1, e->d->queue->wait, marks));
}

static const char *take_text(const fg_emitter *e) {
  if (!defers_waits(e)) return fg_spell(e, 1, e->d->queue->take, (fg_marks){.p = "queue"});
  return fg_arena_printf(e->cx->arena, "%s_take(queue, transforms)", e->name);
}

const char *fg_persistent_next(const fg_emitter *e, int kernel, int stage) {
  if (!defers_waits(e) || kernel >= fg_queue_joined(queue_of(e)) || stage != queue_of(e)->last[kernel]) return NULL;
  return by_one_thread(e, "", fg_arena_printf(e->cx->arena, "*next = %s;", take_text(e)));
}

static void set_number(fg_template_values *v, const char *name, int64_t x) {
  fg_template_setf(v, name, "%lld", (long long)x);
}

/* The buffer whose elements are in the ring. */
static int round_memory(const fg_emitter *e) {
  int m = 0;
  while (!fg_buffer_is_ring(&e->p->buffer[m])) m++;
  return fg_buffer_root(e->p, m);
}

/* All lines of a tile's part of the ring; the phase says which digit of the address the tile is. */
static const char *discard_text(fg_emitter *e) {
  const fg_queue *q = queue_of(e);
  const fg_buffer *b = &e->p->buffer[round_memory(e)];
  int64_t tiles = q->tiles[1], low = q->part[q->part[0] > q->part[1]], high = q->part[q->part[0] < q->part[1]],
          line = FG_DROP_BYTES / (2 * (int64_t)fg_precision_bytes(b->precision)), room = b->size / q->ring;
  fg_arena *a = e->cx->arena;
  fg_template_values *v = fg_template_create(e->cx);
  const char *phase = fg_arena_printf(a, "(block / %lld %% 2)", places_of(e));
  fg_marks marks = {.p = fg_arena_printf(a, "%s + 2 * (e + %lld * (block / %lld %% %d))",
                                         e->memory[round_memory(e)].name, (long long)room, (long long)tiles, q->ring)};
  fg_strbuf out = fg_strbuf_new(a);
  fg_template_set(v, "counter", e->d->queue->counter);
  fg_template_set(v, "thread", e->d->thread_id);
  fg_template_set(v, "index", e->index);
  fg_template_set(v, "turned", q->part[1] == high ? phase : fg_arena_printf(a, "(1 - %s)", phase));
  fg_template_set(v, "drop", fg_spell(e, 1, e->d->queue->discard, marks));
  fg_template_set(v, "barrier", e->d->barrier_block);
  set_number(v, "threads", e->p->kernel[1]->launch.threads);
  set_number(v, "lines", room / tiles / line);
  set_number(v, "each", high / line);
  set_number(v, "spacing", tiles * high);
  set_number(v, "high", high);
  set_number(v, "line", line);
  set_number(v, "tiles", tiles);
  set_number(v, "low_bits", fg_log2(low));
  set_number(v, "high_bits", fg_log2(high));
  set_number(v, "mask", tiles - 1);
  set_number(v, "both", low + high);
  return fg_template_expand(e->cx, "drop.tmpl", v, &out) == FG_OK ? out.text : "";
}

const char *fg_persistent_free(fg_emitter *e, int kernel, int stage) {
  if (!frees_early(e, kernel) || stage != queue_of(e)->frees) return NULL;
  const char *dropped = queue_of(e)->discard ? fg_arena_printf(e->cx->arena, "%s  ", discard_text(e)) : "";
  return fg_arena_printf(e->cx->arena, "%s%s", dropped,
                         by_one_thread(e, "", fg_spell(e, 1, e->d->queue->done, (fg_marks){.p = "freed"})));
}

/* The queue, and what the text of the number of transforms mentions. */
static int last_arguments(const fg_emitter *e, const fg_uses *u, const char **item) {
  int n = 0;
  item[n++] = fg_arena_printf(e->cx->arena, "%s *queue", e->d->queue->counter);
  for (int i = 0; i < e->p->problem.nparam; i++)
    if (u->param[i]) item[n++] = fg_arena_printf(e->cx->arena, "const %s %s", e->d->index_type, fg_spell_param(e, i));
  return n;
}

/* What other blocks store to meanwhile has more than one name. */
static const char *head_text(const fg_emitter *e, const fg_uses *u) {
  const fg_kernel *k = e->p->kernel[0];
  const char *item[FG_MAX_ITEMS];
  int n = 0;
  for (int m = 0; m < e->p->nbuffer; m++)
    if (e->p->buffer[m].space != FG_SPACE_LOCAL)
      n += fg_memory_declare(e, u, m, fg_buffer_is_ring(&e->p->buffer[m]) ? "" : e->restrict_word, &item[n]);
  n += last_arguments(e, u, &item[n]);
  fg_marks marks = {.a = k->launch.resident ? fg_arena_printf(e->cx->arena, ", %d", k->launch.resident) : "", .b = ""};
  const char *qualifier = fg_spell(e, k->launch.threads, e->d->kernel_qualifier, marks);
  return fg_spell_call(e, fg_arena_printf(e->cx->arena, "%s %s", qualifier, fg_persistent_symbol(e, false)), item, n,
                       0);
}

static const char *begin_text(const fg_emitter *e, const fg_uses *u) {
  const char *item[FG_MAX_ITEMS], *qualifier = fg_spell(e, FG_QUEUE_THREADS, e->d->queue->qualifier, (fg_marks){0});
  int n = last_arguments(e, u, item);
  return fg_spell_call(e, fg_arena_printf(e->cx->arena, "%s %s", qualifier, fg_persistent_symbol(e, true)), item, n, 0);
}

/* What the functions of items and the kernel that calls them have alike. */
static void set_items(const fg_emitter *e, fg_template_values *v) {
  const fg_queue *q = queue_of(e);
  fg_template_set(v, "name", e->name);
  fg_template_set(v, "counter", e->d->queue->counter);
  set_number(v, "lag", q->distance);
  set_number(v, "tiles0", q->tiles[0]);
  set_number(v, "tiles1", q->tiles[1]);
  set_number(v, "both", fg_queue_period(q));
  if (q->kernels > 2) {
    set_number(v, "tiles2", q->tiles[2]);
    set_number(v, "behind", fg_queue_lag(q));
    set_number(v, "rest", q->tiles[1] + q->tiles[2]);
  }
  set_number(v, "ready", FG_QUEUE_READY);
}

fg_status fg_lower_queue_items(fg_emitter *e, fg_strbuf *out) {
  fg_status status = check(e);
  if (!queue_of(e)->ring || status != FG_OK) return status;
  const fg_queue_form *form = e->d->queue;
  fg_template_values *v = fg_template_create(e->cx);
  set_items(e, v);
  fg_marks marks = {
      .p = fg_arena_printf(e->cx->arena, "queue + %d + tile / %lld", FG_QUEUE_FIRST, (long long)queue_of(e)->tiles[1]),
      .i = fg_arena_printf(e->cx->arena, "%lld", (long long)queue_of(e)->waits[1])};
  fg_template_set(v, "inner", form->inner);
  fg_template_set(v, "early", defers_waits(e) ? "yes" : "");
  fg_template_set(v, "take", fg_spell(e, 1, form->take, (fg_marks){.p = "queue"}));
  if (queue_of(e)->kernels > 2) {
    fg_marks third = {.p = "done + transforms",
                      .i = fg_arena_printf(e->cx->arena, "%lld", (long long)queue_of(e)->waits[2])};
    marks.p = "done";
    set_number(v, "first", FG_QUEUE_FIRST);
    fg_template_set(v, "is_ready2", fg_spell(e, 1, form->ready, third));
  }
  fg_template_set(v, "is_ready", fg_spell(e, 1, form->ready, marks));
  return fg_template_expand(e->cx, queue_of(e)->kernels > 2 ? "items3.tmpl" : "items.tmpl", v, out);
}

/* What a tile of the last kernel is counted by. */
static const char *through_text(const fg_emitter *e) {
  return frees_early(e, queue_of(e)->kernels - 1) ? e->d->queue->null : left_text(e);
}

/* How many items there are. */
static const char *items_text(const fg_emitter *e) {
  const fg_queue *q = queue_of(e);
  long long both = fg_queue_period(q);
  if (q->kernels == 2) return fg_arena_printf(e->cx->arena, "ahead + transforms * %lld", both);
  return fg_arena_printf(e->cx->arena, "(transforms + 2 * %lld) * %lld", (long long)fg_queue_lag(q), both);
}

/* A row for each kernel: its branch, what it waits for, its call. */
static void add_kernels(const fg_emitter *e, fg_template_values *v, const char *const *call) {
  static const char *const branches[2][3] = {{"if (!second)", "} else"},
                                             {"if (kernel == 0)", "} else if (kernel == 1)", "} else"}};
  static const char *const counts[] = {NULL, "stored + transform", "passed + transform"};
  const fg_queue *q = queue_of(e);
  bool triple = q->kernels > 2;
  for (int k = 0; k < q->kernels; k++) {
    fg_template_values *row = fg_template_add_row(v, "kernel");
    fg_marks marks = {.p = k ? counts[k] : room_text(e),
                      .i = k ? fg_arena_printf(e->cx->arena, "%lld", (long long)q->waits[k]) : room_count(e, "tile")};
    bool here = q->waits[k] && (k || !q->deferred_wait), early = defers_waits(e);
    const char *wait = here ? fg_spell(e, 1, e->d->queue->wait, marks) : "";
    fg_template_set(row, "branch", branches[triple][k]);
    fg_template_set(row, "finished", !triple ? "" : k + 1 < q->kernels ? counts[k + 1] : through_text(e));
    fg_template_set(row, "room", k ? "" : wait);
    fg_template_set(row, "together", k || q->deferred_wait ? "" : "yes");
    fg_template_set(row, "wait", wait);
    fg_template_set(row, "now", k && !early ? "yes" : "");
    fg_template_set(row, "early", k && early ? wait : "");
    fg_template_set(row, "call", call[k]);
  }
}

fg_status fg_lower_queue(fg_emitter *e, const fg_queue_text *t, fg_strbuf *out) {
  const fg_queue *q = queue_of(e);
  const fg_queue_form *form = e->d->queue;
  fg_template_values *v = fg_template_create(e->cx);
  fg_uses uses = *t->uses, number = {0};
  const char *transforms = fg_statements_number(e, &number, q->transforms);
  fg_template_set(v, "transforms", transforms);
  if (places_of(e))
    fg_template_setf(v, "counters", "(%s)%s + %lld", form->counter, transforms, places_of(e));
  else
    fg_template_setf(v, "counters", "%d * (%s)%s", q->kernels, form->counter, transforms);
  for (int i = 0; i < FG_MAX_PARAMS; i++) uses.param[i] |= number.param[i];
  fg_template_set(v, "begin", begin_text(e, &number));
  fg_template_set(v, "head", head_text(e, &uses));
  fg_template_set(v, "thread", e->d->thread_id);
  fg_template_set(v, "barrier", e->d->barrier_block);
  fg_template_set(v, "local", e->d->function_form->declare_local);
  fg_template_set(v, "declare", fg_spell(e, 1, form->declare, (fg_marks){.v = "next"}));
  fg_template_set(v, "opaque", fg_spell(e, 1, form->opaque, (fg_marks){.v = FG_QUEUE_ZERO}));
  fg_template_set(v, "take", take_text(e));
  fg_template_set(v, defers_waits(e) ? "early" : "now", "yes");
  fg_template_set(v, defers_waits(e) ? "now" : "early", "");
  fg_template_set(v, "done", fg_spell(e, 1, form->done, (fg_marks){.p = "finished"}));
  fg_template_set(v, "null", form->null);
  fg_template_set(v, "through", through_text(e));
  fg_template_set(v, q->kernels > 2 ? "triple" : "pair", "yes");
  fg_template_set(v, q->kernels > 2 ? "pair" : "triple", "");
  fg_template_set(v, "all", q->kernels > 2 ? "all three" : "both");
  fg_template_set(v, "items", items_text(e));
  fg_template_set(v, "each", places_of(e) ? " (of the second one, for each slot of the ring)" : "");
  set_number(v, "last", e->p->kernel[0]->launch.threads - 1);
  set_number(v, "threads", FG_QUEUE_THREADS);
  set_number(v, "first", FG_QUEUE_FIRST);
  set_number(v, "ring", q->ring);
  set_items(e, v);
  add_kernels(e, v, t->call);
  return fg_template_expand(e->cx, "queue.tmpl", v, out);
}
