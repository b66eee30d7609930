/* One stage as a function. In: a stage of a kernel. Out: its text and its parameters.
 *
 * The codelet's operations are in the order of the schedule, one a statement, each load right before its first use
 * and each store as soon as an element is complete. If there is a barrier between loads and stores, an array holds
 * the values across it, and the loops are written twice. */
#include "generator/lower/stage.h"
#include "generator/base/invariant.h"
#include "generator/codelet/library.h"
#include "generator/lower/access.h"
#include "generator/lower/cluster.h"
#include "generator/lower/codelet_text.h"
#include "generator/lower/complex_vectors.h"
#include "generator/lower/element_moves.h"
#include "generator/lower/fence.h"
#include "generator/lower/loops.h"
#include "generator/lower/memory.h"
#include "generator/lower/move.h"
#include "generator/lower/operations.h"
#include "generator/lower/parallel.h"
#include "generator/lower/persistent.h"
#include "generator/lower/port_balance.h"
#include "generator/lower/prefetch.h"
#include "generator/lower/products.h"
#include "generator/lower/reorder.h"
#include "generator/lower/shuffle.h"
#include "generator/lower/value.h"
#include "generator/opt/software_pipeline.h"
#include "generator/text/recorder_ops.h"
#include "generator/text/recorder_order.h"
#include "generator/text/recorder_statements.h"
#include "generator/text/recorder_variables.h"
#include "targets/machine/limits.h"
#include <string.h>

static bool has_threads(const fg_writer *w) {
  for (int i = 0; i < w->stage->nloop; i++)
    if (w->k->digit[w->stage->loop[i]].role == FG_ROLE_THREAD && w->digit[w->stage->loop[i]]) return true;
  return false;
}

static void declare_threads(fg_writer *w, fg_nest *n, const char *id) {
  for (int i = 0; i < w->stage->nloop; i++) {
    const fg_digit *d = &w->k->digit[w->stage->loop[i]];
    if (d->role != FG_ROLE_THREAD) continue;
    bool whole = d->extent.form == FG_NUM_CONST && d->div * d->extent.n >= w->k->launch.threads;
    fg_nest_hardware(n, w->stage->loop[i], id, whole);
  }
}

static bool is_loop(const fg_writer *w, int digit) {
  fg_role role = w->k->digit[digit].role;
  return role == FG_ROLE_LOOP || role == FG_ROLE_REG || (role == FG_ROLE_LANE && w->lanes == 1);
}

/* Iterations of all loops of one thread (or, where threads are loops, of all), -1: not
 * known before the call. */
static int64_t count_iterations(const fg_writer *w) {
  int64_t iterations = !w->e->launched && has_threads(w) ? w->k->launch.threads : 1;
  for (int i = 0; i < w->stage->nloop; i++) {
    const fg_digit *d = &w->k->digit[w->stage->loop[i]];
    if (!is_loop(w, w->stage->loop[i])) continue;
    if (d->extent.form != FG_NUM_CONST) return -1;
    iterations *= d->extent.n;
  }
  return iterations;
}

/* Iterations of a few operations wait for memory one by one unless their loads are issued together. */
enum { SHORT_NODES = 24, SHORT_ITERATIONS = 16 };

static bool is_short(const fg_writer *w) { return w->e->launched && w->codelet && w->codelet->nnode <= SHORT_NODES; }

/* Those of all iterations are: they fit in registers. */
static bool loads_together(const fg_writer *w) {
  const fg_stage *s = w->stage;
  bool plain = is_short(w) && !s->factors.has_twiddle && !s->operations.loaded && !s->operations.stored;
  if (!plain || fg_exchange_waits(&s->exchange.between) || !fg_access_plan_is_global(w)) return false;
  int64_t elements = fg_access_slots(w->k, &s->load) * count_iterations(w);
  int64_t numbers = elements * fg_buffer_parts(&w->e->p->buffer[s->load.buffer]);
  return numbers > 0 && numbers <= fg_access_plan_together(w);
}

static bool is_unrolled(const fg_writer *w) {
  return w->hold || w->come_row || w->together || fg_shuffle_touches(w->e, w->stage) ||
         (is_short(w) && w->hold_iterations <= SHORT_ITERATIONS);
}

static void open_loops(fg_writer *w, fg_nest *n) {
  if (!w->e->launched && has_threads(w)) {
    fg_nest_threads(n, w->k->launch.threads);
    declare_threads(w, n, "thread");
  }
  for (int i = fg_stage_shared(w->k, w->stage); i < w->stage->nloop; i++)
    if (is_loop(w, w->stage->loop[i])) fg_nest_loop(n, w->stage->loop[i], w->hold_iterations > 1 && is_unrolled(w));
}

/* A condition that all iterations of a thread's loops share. */
static bool is_shared(const fg_writer *w, const fg_pred *p) {
  if (w->hold) return false;
  for (int i = 0; i < p->value.nterm; i++) {
    const fg_digit *d = &w->k->digit[p->value.term[i].digit];
    if (!d->turns && (d->role != FG_ROLE_THREAD || !w->e->launched)) return false;
  }
  return true;
}

static const char *guard_text(fg_writer *w, bool shared) {
  fg_pred pred[FG_MAX_PREDS];
  int npred = 0;
  for (int i = 0; i < w->stage->npred; i++) {
    bool whole = !fg_access_plan_takes(w, &w->stage->pred[i]);
    if (whole && is_shared(w, &w->stage->pred[i]) == shared) pred[npred++] = w->stage->pred[i];
  }
  return fg_access_plan_pred(w, pred, npred, -1, -1, -1);
}

static void write_stores_of_hold(fg_writer *w) {
  for (int i = 0; i < w->results; i++) w->result[i] = fg_lower_held(w, w->hold_row ? i / 2 : i);
  for (int s = 0; s < w->after.slots; s++) fg_lower_operations_finish(w, s);
  fg_move_store_all(w);
}

static void verify(const fg_writer *w) { fg_invariant(fg_coder_holds_from(w->e->coder, w->begun)); }

/* Of those whose values are in rows of an array. */
static void count_iteration(fg_writer *w) {
  fg_coder *c = w->e->coder;
  if (w->hold_iterations > 1) fg_coder_assign(c, "it", fg_coder_index(c, FG_CODE_ADD, "it", fg_coder_int(c, 1)));
}

static void write_nest(fg_writer *w, void (*body)(fg_writer *)) {
  fg_nest n = {.e = w->e, .k = w->k, .digit = w->digit, .uses = &w->uses};
  n.part_digit = fg_parallel_is_stage(w->e, w->stage) ? w->stage->vectors.part - 1 : -1;
  const char *shared = guard_text(w, true);
  if (shared) fg_value_if(w, shared);
  int32_t loops = fg_coder_position(w->e->coder);
  open_loops(w, &n);
  const char *guard = guard_text(w, false);
  if (guard) fg_value_if(w, guard);
  int32_t iteration = fg_coder_position(w->e->coder);
  fg_prefetch_open(w);
  int32_t from = fg_coder_position(w->e->coder);
  w->pointers_end = -1;
  body(w);
  verify(w);
  if (fg_reorder_list(w, from)) verify(w);
  int32_t end = fg_coder_position(w->e->coder);
  fg_fence_write(w);
  fg_prefetch_spread(w);
  if (fg_coder_position(w->e->coder) != end) verify(w);
  if (!guard && fg_reorder_pipelines(w) && fg_software_pipeline(w->e->coder, loops, iteration)) {
    n.depth = 1;
    verify(w);
  }
  if (guard) fg_coder_close(w->e->coder);
  if (w->hold || w->come_row) count_iteration(w);
  fg_nest_close(&n);
  if (shared) fg_coder_close(w->e->coder);
}

/* Some threads of a block that stays store no values there. Those of the tile before would be kept for them, and
 * registers with them: a queue of f64 373248 had 348 bytes of spills, 4 with zeros. */
static bool would_last(const fg_writer *w) {
  return w->stage->npred && (fg_persistent_has(w->e, w->k) || w->k->launch.persistent);
}

static void write_with_barrier(fg_writer *w) {
  int64_t values = w->hold_iterations * w->results;
  if (w->hold_row)
    fg_coder_words(w->e->coder, w->hold_row, "hold", values / 2);
  else
    fg_coder_array(w->e->coder, w->type, w->lanes, "hold", values);
  if (would_last(w)) fg_coder_begin_with_zeros(w->e->coder, "hold");
  if (w->hold_iterations > 1) fg_coder_variable(w->e->coder, "int", "it", "0");
  write_nest(w, w->codelet ? fg_lower_codelet : fg_lower_copy);
  if (fg_exchange_crosses(&w->stage->exchange.between))
    fg_cluster_cross(w);
  else if (w->e->d->barrier_block && w->k->launch.threads > 1)
    fg_coder_act(w->e->coder, FG_CODE_BARRIER, 0);
  if (w->hold_iterations > 1) fg_coder_assign(w->e->coder, "it", "0");
  write_nest(w, write_stores_of_hold);
}

static void write_coming(fg_writer *w) {
  fg_access_plan *p = &w->load;
  fg_access_plan_open(w, p);
  for (int s = 0; s < p->slots; s++) {
    if (!p->needed[2 * s] && !p->needed[2 * s + 1]) continue;
    const char *word = fg_storage_read_word(w, p, fg_access_plan_pair(w, p, s, 0), NULL);
    fg_coder_put_element(w->e->coder, fg_move_come(w, s), word);
  }
}

/* All iterations' loads are issued before the first one's result is used. */
static void write_from_far(fg_writer *w) {
  fg_coder_words(w->e->coder, w->come_row, "come", w->hold_iterations * w->load.slots);
  fg_coder_variable(w->e->coder, "int", "it", "0");
  write_nest(w, write_coming);
  fg_coder_assign(w->e->coder, "it", "0");
  write_nest(w, w->codelet ? fg_lower_codelet : fg_lower_copy);
}

/* Addresses that depend on the thread alone: in a queue, compilers keep them from one item to the next. */
static int64_t addresses_of(const fg_writer *w) {
  int64_t addresses = 0;
  for (const fg_access_plan *p = &w->load; p; p = p->rest) addresses += p->direct ? 1 : p->slots;
  for (const fg_access_plan *p = &w->store; p; p = p->rest) addresses += p->direct ? 1 : p->slots;
  return addresses * (is_unrolled(w) ? w->hold_iterations : 1);
}

/* Where they are too many for registers, the thread's number is one that compilers do not know to be the same. */
static const char *thread_of(const fg_writer *w) {
  bool again = fg_persistent_has(w->e, w->k) && addresses_of(w) > limit->queue_addresses;
  return again ? w->e->d->queue->thread : w->e->d->thread_id;
}

static fg_status write_body(fg_writer *w) {
  if (fg_lower_is_product(w->e, w->stage)) {
    fg_status status = fg_lower_products(w);
    if (status == FG_OK) verify(w);
    return status;
  }
  if (fg_exchange_is_shuffle(&w->stage->exchange.before)) {
    fg_shuffle_write(w);
    verify(w);
    return FG_OK;
  }
  fg_lower_declare_constants(w);
  fg_port_balance_begin(w);
  fg_lower_operations_declare(w);
  if (w->e->launched && has_threads(w)) {
    fg_nest n = {.e = w->e, .k = w->k, .digit = w->digit, .uses = &w->uses, .part_digit = -1};
    declare_threads(w, &n, thread_of(w));
  }
  if (w->hold)
    write_with_barrier(w);
  else if (w->come_row)
    write_from_far(w);
  else
    write_nest(w, w->pack ? fg_complex_vectors_write : w->codelet ? fg_lower_codelet : fg_lower_copy);
  return FG_OK;
}

static void note_needed(fg_writer *w) {
  if (!w->codelet) {
    for (fg_access_plan *p = &w->load; p; p = p->rest)
      memset(p->needed, 1, sizeof *p->needed * (size_t)(p->parts * p->slots));
    return;
  }
  for (int i = 0; !fg_lower_is_product(w->e, w->stage) && i < w->schedule->count; i++) {
    const fg_dnode *d = &w->codelet->node[w->schedule->order[i]];
    int number = (int)d->slot;
    if (d->op == FG_OP_IN) fg_access_plan_of(&w->load, &number)->needed[number] = true;
    if (d->op == FG_OP_TW && !w->stage->factors.product) w->twiddle.needed[d->slot] = true;
  }
  for (int i = 0; w->stage->factors.product && i < 2 * w->twiddle.slots; i++) w->twiddle.needed[i] = true;
  for (fg_access_plan *p = w->stage->factors.has_more ? &w->more : NULL; p; p = p->rest)
    for (int i = 0; i < 2 * p->slots; i++) p->needed[i] = true;
}

static fg_status check_stage(fg_writer *w) {
  const char *what = w->stage->what ? w->stage->what : "stage";
  fg_scope widest = w->k->launch.cluster > 1 ? FG_SCOPE_CLUSTER : FG_SCOPE_BLOCK;
  if (w->stage->exchange.between.scope > widest ||
      (fg_exchange_crosses(&w->stage->exchange.after) && widest < FG_SCOPE_CLUSTER))
    return fg_refuse(w->e->cx, "emit: %s: the dialect %s synchronises blocks at most", what, w->e->d->name);
  if (w->hold && w->hold_iterations < 0)
    return fg_refuse(w->e->cx, "emit: %s: a barrier inside a loop of run-time length", what);
  if (fg_shuffle_touches(w->e, w->stage) && !w->e->d->lane)
    return fg_refuse(w->e->cx, "emit: %s: the lanes of the dialect %s give each other no numbers", what, w->e->d->name);
  return FG_OK;
}

/* Lanes of the stage's vectors; 1: a lane digit, if any, is a loop of scalars. */
static int vector_lanes(const fg_writer *w) {
  if (w->stage->vectors.lane < 0 || !w->e->d->vector.possible) return 1;
  fg_num extent = w->k->digit[w->stage->vectors.lane].extent;
  bool possible = extent.form == FG_NUM_CONST && extent.n > 1 && extent.n <= 64 && (extent.n & (extent.n - 1)) == 0;
  return possible ? (int)extent.n : 1;
}

/* Loops at given counters are no loops. */
static void fix_digits(fg_writer *w, const int64_t *counter) {
  for (int i = 0; i < w->stage->nloop; i++) {
    int d = w->stage->loop[i];
    if (d == w->stage->vectors.lane) continue;
    w->digit[d] = NULL;
    w->digit_value[d] = fg_digit_value(&w->k->digit[d], counter[i], NULL);
  }
}

static fg_status prepare(fg_writer *w, const int64_t *counter) {
  const fg_stage *s = w->stage;
  fg_emitter *e = w->e;
  w->codelet = s->codelet;
  w->section = fg_kernel_section(w->k, s);
  w->lanes = vector_lanes(w);
  fg_nest_name_digits(e, w->k, s, w->digit, w->digit_value);
  if (counter) fix_digits(w, counter);
  fg_shuffle_leave_threads(w);
  w->together = loads_together(w);
  fg_status status = fg_access_plan_init(w, &w->load, &s->load, 'x');
  if (status == FG_OK) status = fg_access_plan_init(w, &w->store, &s->store, 'y');
  if (status == FG_OK && s->factors.has_twiddle) status = fg_access_plan_init(w, &w->twiddle, &s->factors.twiddle, 'w');
  if (status == FG_OK && s->factors.has_more) status = fg_access_plan_init(w, &w->more, &s->factors.more, 'v');
  if (status != FG_OK) return status;
  fg_prefetch_prepare(w);
  w->hold_iterations = count_iterations(w);
  w->hold = fg_exchange_waits(&s->exchange.between) && (e->launched || w->hold_iterations != 1);
  w->pack = fg_complex_vectors_create(w);
  w->width = w->pack ? 2 * w->lanes : w->lanes;
  if (w->width > 1) e->lanes |= (uint64_t)w->width;
  w->type = fg_spell_vector_type(e, w->width);
  if (s->codelet && !fg_lower_is_product(e, s)) {
    w->schedule = fg_codelet_library_schedule(e->cx, s->codelet);
    w->node = fg_arena_new(w->arena, const char *, s->codelet->nnode + 1);
    w->factor = fg_arena_new(w->arena, const char *, s->codelet->ntw + 1);
    w->doubled = fg_arena_new(w->arena, const char *, s->codelet->ntw + 1);
  }
  status = fg_lower_operations_prepare(w);
  if (status != FG_OK) return status;
  if (w->hold) w->hold_row = fg_storage_hold_row(w);
  w->word_row = fg_storage_word_row(w);
  w->come_row = w->word_row ? NULL : fg_storage_come_row(w);
  note_needed(w);
  fg_lower_operations_note_needed(w);
  fg_move_choose_lane_order(w);
  return check_stage(w);
}

int fg_lower_function_digits(const fg_kernel *k, const fg_stage *s, int16_t digit[2 * FG_MAX_LOOPS]) {
  int n = 0;
  for (int i = 0; i < k->nouter; i++) digit[n++] = k->outer[i];
  for (int i = 0; s && i < fg_stage_shared(k, s); i++) digit[n++] = s->loop[i];
  return n;
}

void fg_lower_function_head(const fg_emitter *e, const fg_function *f, const char *what, const fg_uses *uses,
                            fg_strbuf *out) {
  const fg_kernel *k = f->k;
  fg_arena *a = e->cx->arena;
  const char *item[FG_MAX_ITEMS], *digit[FG_MAX_DIGITS];
  int64_t value[FG_MAX_DIGITS];
  int n = 0;
  fg_nest_name_digits(e, k, f->stage, digit, value);
  int16_t given[2 * FG_MAX_LOOPS];
  int ngiven = fg_lower_function_digits(k, f->stage, given);
  for (int m = 0; m < e->p->nbuffer; m++) n += fg_memory_declare(e, uses, m, e->stage_restrict_word, &item[n]);
  for (int i = 0; i < ngiven; i++)
    if (uses->digit[given[i]])
      item[n++] = fg_arena_printf(a, "const %s %s", fg_nest_digit_type(e, k, given[i]), digit[given[i]]);
  for (int i = 0; i < e->p->problem.nparam; i++)
    if (uses->param[i]) item[n++] = fg_arena_printf(a, "const %s %s", e->d->index_type, fg_spell_param(e, i));
  for (int i = 0; i < 2 && f->part; i++)
    item[n++] = fg_arena_printf(a, "const %s %s", e->d->index_type, i ? "parts" : "part");
  if (e->d->arguments) item[n++] = e->d->arguments->stage;
  const char *head = fg_arena_printf(a, "%s %s", e->d->function_qualifier, f->name);
  fg_strbuf_addf(out, "/* %s */\n%s {\n", what, fg_spell_call(e, head, item, n, 0));
}

/* Those around the function. */
static void give_digits(const fg_writer *w) {
  int16_t digit[2 * FG_MAX_LOOPS];
  int count = fg_lower_function_digits(w->k, w->stage, digit);
  for (int i = 0; i < count; i++)
    if (w->digit[digit[i]]) fg_coder_argument(w->e->coder, FG_CODE_INDEX, w->digit[digit[i]]);
}

void fg_lower_add_uses(fg_uses *all, const fg_uses *u) {
  for (int i = 0; i < FG_MAX_BUFFERS; i++) {
    all->memory[i] |= u->memory[i], all->stored[i] |= u->stored[i];
    all->imaginary[i] |= u->imaginary[i];
  }
  for (int i = 0; i < FG_MAX_DIGITS; i++) all->digit[i] |= u->digit[i];
  for (int i = 0; i < FG_MAX_PARAMS; i++) all->param[i] |= u->param[i];
}

fg_status fg_lower_iteration(fg_emitter *e, const fg_iteration *iteration, fg_uses *uses) {
  fg_writer *w = fg_arena_new(e->cx->arena, fg_writer, 1);
  *w = (fg_writer){.e = e, .arena = e->cx->arena, .k = iteration->k, .stage = &iteration->k->stage[iteration->stage]};
  fg_status status = prepare(w, iteration->counter);
  if (status != FG_OK) return status;
  give_digits(w);
  w->begun = fg_coder_position(e->coder);
  status = write_body(w);
  fg_lower_add_uses(uses, &w->uses);
  return status;
}

fg_status fg_lower_stage(fg_emitter *e, const fg_kernel *k, int stage, fg_uses *uses) {
  *uses = (fg_uses){0};
  return fg_lower_iteration(e, &(fg_iteration){k, stage, NULL}, uses);
}
