/* The proof. In: a program. Out: whether it computes its problem, for which
 * parameters and batches that was shown, and what the walk counted.
 *
 * The idea: a program over the reals that is built from exact constants is also a
 * program over a prime field that has the same roots of unity; there, arithmetic
 * is exact, and two different polynomial maps agree on a random input with
 * probability at most degree / p (Schwartz 1980, Zippel 1979): below 2^-50 with
 * two random primes over 2^60. The reference is the definition: weighted sums of all
 * outputs (definition_sum.c), or each by fg_field_dft (definition.c); neither shares
 * code with what is proved.
 *
 * Walks: parameters at several settings (the ends, around multiples of the vector
 * length, a value between), one parameter after the other; batches in full where
 * that is affordable, else their ends. One more walk with the constants' real
 * values of 113 bits shows that images and values belong to the same numbers. */
#include "generator/definition.h"
#include "generator/definition_sum.h"
#include "generator/prove_build.h"
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BATCH_ENDS = 4, COMPARE_ENDS = 512 * BATCH_ENDS + 64 };
#define FULL_WALK (INT64_C(1) << 20)     /* elements of all batches: walked in full */
#define LARGE (1 << 17)                  /* points of transforms of which few are walked */
#define LONG_WALK (INT64_C(1) << 24)     /* the same, when the ends alone decide nothing */
#define SETTINGS_WORK (INT64_C(1) << 21) /* points of transforms, after which no further parameters are walked */
#define REAL_WALK (INT64_C(1) << 22)     /* operations evaluated with 113 bits */
#define REAL_APART (INT64_C(1) << 15)    /* operations from which they are evaluated beside the fields */
#define REAL_LOSS 0x1p-100               /* error of a good program: a few times 2^-113 */
#define PLACE_BYTES 21                   /* of a page, for each real number: fields, bundle, flag */

typedef struct prover {
  fg_context *cx; /* the caller's: for messages only */
  const fg_program *p;
  uint64_t seed;
  fg_proof *out;
  const fg_settings *at;
  int settings, planned;
  int64_t spent;       /* points of the transforms walked so far */
  int64_t least, most; /* transforms walked per call, of how many */
  int64_t most_batch;
  bool reduced, cut_parameters;
  fg_field field[FG_PRIMES];
} prover;

/* ---- the result's elements ------------------------------------------------------------ */

/* The batch as one list of numbers, slowest dimension first. */
static int64_t batch_count(const fg_machine *m) { return fg_problem_batch_count(&m->p->problem, m->params); }

/* Offsets of the elements of one transform. */
static int64_t *element_offsets(const fg_machine *m, fg_context *cx, bool output) {
  int64_t n = fg_problem_elements(&m->p->problem, output), *at = fg_arena_new(cx->arena, int64_t, n);
  for (int64_t k = 0; k < n; k++) at[k] = fg_problem_element_at(&m->p->problem, output, k, m->params);
  return at;
}

/* In a walk of ends: whether this transform lies near the ends of all dimensions. */
static bool near_ends(const fg_machine *m, int64_t number) {
  const fg_problem *q = &m->p->problem;
  if (!m->partial) return true;
  for (int i = q->batch_rank - 1; i >= 0; i--) {
    int64_t n = fg_num_value(q->batch[i].n, m->params), at = number % n;
    if (at >= COMPARE_ENDS && at < n - COMPARE_ENDS) return false;
    number /= n;
  }
  return true;
}

/* The next transform that is near the ends. */
static int64_t next_batch(const fg_machine *m, int64_t number) {
  const fg_problem *q = &m->p->problem;
  number++;
  if (m->partial && q->batch_rank > 0) {
    int64_t n = fg_num_value(q->batch[q->batch_rank - 1].n, m->params), at = number % n;
    if (at >= COMPARE_ENDS && at < n - COMPARE_ENDS) number += n - COMPARE_ENDS - at;
  }
  while (number < batch_count(m) && !near_ends(m, number)) number++;
  return number;
}

/* In place, the input's elements may be written too, though they are no results. */
static void own_input(fg_machine *m) {
  const fg_problem *q = &m->p->problem;
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_IN]];
  int64_t n = fg_problem_elements(q, false), count = batch_count(m);
  for (int64_t b = 0; b < count; b++) {
    int64_t at = fg_problem_batch_at(q, false, b, m->params);
    for (int64_t k = 0; k < n; k++) {
      fg_spot place = fg_ram_place(m, FG_BUFFER_IN, at + fg_problem_element_at(q, false, k, m->params));
      fg_ram_page(m, memory, place.re)->flag[place.re % FG_PAGE] |= FG_SPOT_OWN;
      fg_ram_page(m, memory, place.im)->flag[place.im % FG_PAGE] |= FG_SPOT_OWN;
    }
  }
}

/* Marks the elements of the result as such. False: two of them are one, so that
 * this setting is no call that anybody could make. A walk of ends marks nothing:
 * fg_ram_own knows nested strides. */
static bool own_result(fg_machine *m) {
  const fg_problem *q = &m->p->problem;
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  int64_t n = fg_problem_elements(q, true), count = batch_count(m);
  if (m->nested) return true;
  for (int64_t b = 0; b < count; b++) {
    int64_t at = fg_problem_batch_at(q, true, b, m->params);
    for (int64_t k = 0; k < n; k++) {
      fg_spot place = fg_ram_place(m, FG_BUFFER_OUT, at + m->result[k]);
      fg_page *re = fg_ram_page(m, memory, place.re), *im = fg_ram_page(m, memory, place.im);
      if (re->flag[place.re % FG_PAGE] & FG_SPOT_OWN) return false;
      re->flag[place.re % FG_PAGE] |= FG_SPOT_OWN;
      im->flag[place.im % FG_PAGE] |= FG_SPOT_OWN;
    }
  }
  if (q->in_place) own_input(m);
  return true;
}

/* ---- comparison ---------------------------------------------------------------------- */

static bool place_known(const fg_ram *memory, int64_t place) {
  const fg_page *page = memory->page[place / FG_PAGE];
  return page && page->flag[place % FG_PAGE] & FG_SPOT_KNOWN && page->stored[place % FG_PAGE];
}

static bool result_known(const fg_machine *m, int64_t batch) {
  const fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  int64_t n = fg_problem_elements(&m->p->problem, true),
          at = fg_problem_batch_at(&m->p->problem, true, batch, m->params);
  for (int64_t k = 0; k < n; k++) {
    fg_spot place = fg_ram_place(m, FG_BUFFER_OUT, at + m->result[k]);
    if (!place_known(memory, place.re) || !place_known(memory, place.im)) return false;
  }
  return true;
}

/* Row `row` of a transform's elements, in one field: the program's results, or its inputs. */
static void read_row(fg_machine *m, int prime, bool output, int64_t batch, int64_t row, fg_gfc *out) {
  const fg_problem *q = &m->p->problem;
  const fg_dim *last = &q->dim[q->rank - 1];
  int64_t n = fg_problem_length(q, q->rank - 1, output), step = fg_num_value(output ? last->os : last->is, m->params);
  int64_t at = fg_problem_batch_at(q, output, batch, m->params);
  at += fg_problem_element_at(q, output, row * n, m->params);
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  bool real = fg_problem_is_real(q, output);
  for (int64_t k = 0; k < n; k++, at += step) {
    if (!output) {
      out[k] = fg_input_gf(m, prime, at);
      continue;
    }
    fg_spot place = fg_ram_place(m, FG_BUFFER_OUT, at);
    out[k].re = fg_ram_page(m, memory, place.re)->value[prime][place.re % FG_PAGE];
    out[k].im = real ? 0 : fg_ram_page(m, memory, place.im)->value[prime][place.im % FG_PAGE];
  }
}

static int64_t rows_of(const fg_problem *q, bool output) {
  return fg_problem_elements(q, output) / fg_problem_length(q, q->rank - 1, output);
}

/* Where the weighted sum of the results is right, all of them are. */
static bool sums_agree(fg_machine *m, int64_t batch, int prime) {
  fg_sums *s = m->sums[prime];
  fg_sums_begin(s);
  for (int64_t r = 0; r < rows_of(&m->p->problem, false); r++) {
    read_row(m, prime, false, batch, r, m->line);
    fg_sums_input(s, r, m->line);
  }
  for (int64_t r = 0; r < rows_of(&m->p->problem, true); r++) {
    read_row(m, prime, true, batch, r, m->line);
    fg_sums_result(s, r, m->line);
  }
  return fg_sums_agree(s);
}

/* Every result by itself: which one is wrong. */
static fg_status compare_each(fg_machine *m, fg_context *cx, int64_t batch, int prime) {
  const fg_problem *q = &m->p->problem;
  int64_t count = fg_problem_length(q, q->rank - 1, false), n = fg_problem_length(q, q->rank - 1, true);
  fg_gfc *x = fg_arena_new(cx->arena, fg_gfc, fg_problem_elements(q, false));
  fg_gfc *y = fg_arena_new(cx->arena, fg_gfc, fg_problem_elements(q, true));
  bool real = fg_problem_is_real(q, true);
  for (int64_t r = 0; r < rows_of(q, false); r++) read_row(m, prime, false, batch, r, x + r * count);
  fg_status status = fg_definition_gf(cx, q, &m->field[prime], x, y);
  for (int64_t r = 0; r < rows_of(q, true) && status == FG_OK; r++) {
    read_row(m, prime, true, batch, r, m->line);
    for (int64_t k = 0; k < n; k++) {
      if (m->line[k].re == y[r * n + k].re && (real || m->line[k].im == y[r * n + k].im)) continue;
      fg_prove_fail(m, "output %lld of transform %lld is not that of the DFT", (long long)(r * n + k),
                    (long long)batch);
      return FG_OK;
    }
  }
  return status;
}

/* By sums where the kind of transform has them; they say whether, not where. */
static fg_status compare_gf(fg_machine *m, fg_context *cx, int64_t batch, int prime) {
  if (m->sums[prime] && sums_agree(m, batch, prime)) return FG_OK;
  fg_status status = compare_each(m, cx, batch, prime);
  if (m->sums[prime] && status == FG_OK && !m->failures)
    fg_prove_fail(m, "the outputs of transform %lld are not those of the DFT", (long long)batch);
  return status;
}

static void prepare_comparison(fg_machine *m) {
  const fg_problem *q = &m->p->problem;
  int64_t in = fg_problem_length(q, q->rank - 1, false), out = fg_problem_length(q, q->rank - 1, true);
  uint64_t random = m->seed ^ 0x73756d73;
  m->line = fg_arena_new(m->cx->arena, fg_gfc, in > out ? in : out);
  for (int prime = 0; prime < m->primes; prime++) m->sums[prime] = fg_sums_create(m->cx, q, &m->field[prime], &random);
}

/* One transform over all primes; the reference's memory goes at once. */
static fg_status compare_batch(fg_machine *m, int64_t batch) {
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return FG_ENOMEM;
  if (fg_arena_guard(cx.arena)) {
    fg_arena_destroy(cx.arena);
    return FG_ENOMEM;
  }
  fg_status status = FG_OK;
  for (int prime = 0; prime < m->primes && status == FG_OK; prime++) status = compare_gf(m, &cx, batch, prime);
  fg_arena_destroy(cx.arena);
  return status;
}

/* Compares what is known; a transform known in part is wrong when the walk was whole. */
static fg_status compare_all(fg_machine *m, int64_t *compared) {
  int64_t count = batch_count(m);
  fg_status status = FG_OK;
  prepare_comparison(m);
  for (int64_t b = 0; b < count && status == FG_OK && !m->failures; b = next_batch(m, b)) {
    bool known = result_known(m, b);
    if (!known && (!m->partial || b == 0 || b == count - 1)) {
      m->incomplete = m->partial;
      fg_prove_fail(m, "transform %lld: not every output was stored", (long long)b);
    }
    if (!known) continue;
    status = compare_batch(m, b);
    ++*compared;
  }
  return status;
}

/* Relative L2 distance of transform 0 from the definition, all in 113 bits. */
static double real_error(fg_machine *m) {
  const fg_problem *q = &m->p->problem;
  int64_t count = fg_problem_elements(q, false), n = fg_problem_elements(q, true),
          *from = element_offsets(m, m->cx, false);
  fg_quadc *x = fg_arena_new(m->cx->arena, fg_quadc, count), *y = fg_arena_new(m->cx->arena, fg_quadc, n);
  fg_ram *memory = &m->memory[m->memory_of[FG_BUFFER_OUT]];
  bool real = fg_problem_is_real(q, true);
  fg_quad distance = 0, size = 0;
  for (int64_t j = 0; j < count; j++) x[j] = fg_input_real(m, from[j]);
  fg_definition_quad(m->cx, q, x, y);
  for (int64_t k = 0; k < n; k++) {
    fg_spot at = fg_ram_place(m, FG_BUFFER_OUT, m->result[k]);
    fg_quad re = fg_ram_page(m, memory, at.re)->real[at.re % FG_PAGE] - y[k].re;
    fg_quad im = real ? 0 : fg_ram_page(m, memory, at.im)->real[at.im % FG_PAGE] - y[k].im;
    distance += re * re + im * im;
    size += y[k].re * y[k].re + y[k].im * y[k].im;
  }
  return size > 0 ? sqrt((double)(distance / size)) : 0;
}

/* ---- one walk ------------------------------------------------------------------------ */

typedef enum outcome { WALK_DONE, WALK_NO_CALL, WALK_INCOMPLETE, WALK_WRONG } outcome;

typedef struct attempt {
  const int64_t *params;
  int64_t ends;
  bool reals;
  int64_t compared; /* transforms */
  double value_error;
  outcome outcome;
} attempt;

static bool has_parts(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++)
      if (p->kernel[i]->part || p->kernel[i]->stage[s].part) return true;
  return false;
}

static fg_status run_attempt(prover *v, fg_machine *m, attempt *a, fg_proof *proof) {
  *m = (fg_machine){.cx = m->cx, .p = v->p, .proof = proof, .params = a->params, .seed = v->seed};
  m->progress = v->cx->progress;
  m->primes = a->reals ? 0 : FG_PRIMES;
  m->reals = a->reals;
  m->threads = fg_walk_has_threads(v->p);
  m->parts = has_parts(v->p);
  m->partial = a->ends > 0;
  m->nested = m->partial && fg_settings_nested(&v->p->problem, a->params);
  memcpy(m->field, v->field, sizeof m->field);
  a->outcome = WALK_WRONG;
  m->result = element_offsets(m, m->cx, true);
  if (!fg_ram_create(m)) return FG_OK;
  fg_status status = fg_value_tables(m);
  if (status != FG_OK) return status;
  if (!own_result(m)) {
    a->outcome = WALK_NO_CALL;
    return FG_OK;
  }
  status = fg_machine_run(m, a->ends);
  if (status == FG_OK && !m->failures) {
    if (a->reals && result_known(m, 0))
      a->value_error = real_error(m);
    else if (!a->reals)
      status = compare_all(m, &a->compared);
  }
  a->outcome = m->failures ? m->incomplete ? WALK_INCOMPLETE : WALK_WRONG : WALK_DONE;
  return status;
}

/* A walk has an arena of its own: it needs much, and for a short time. */
static fg_status walk_once(prover *v, attempt *a, fg_proof *proof) {
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return FG_ENOMEM;
  if (fg_arena_guard(cx.arena)) {
    fg_arena_destroy(cx.arena);
    return FG_ENOMEM;
  }
  fg_machine *m = fg_arena_new(cx.arena, fg_machine, 1);
  m->cx = &cx;
  fg_status status = run_attempt(v, m, a, proof);
  if (status != FG_OK && cx.diag.message[0]) fg_diag_set(&v->cx->diag, status, "%s", cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status;
}

static void add_counts(fg_proof *sum, const fg_proof *walk) {
  sum->addresses += walk->addresses;
  sum->races += walk->races;
  sum->out_of_bounds += walk->out_of_bounds;
  sum->uninitialised += walk->uninitialised;
  sum->block_conflicts += walk->block_conflicts;
  sum->bank_conflicts += walk->bank_conflicts;
  sum->segments += walk->segments;
  sum->segments_ideal += walk->segments_ideal;
  if (!sum->failure[0]) memcpy(sum->failure, walk->failure, sizeof sum->failure);
}

/* Walks one setting: in full, or its ends, or in full after all when the ends
 * alone do not make whole transforms. */
static fg_status prove_setting(prover *v, const int64_t *params, bool *legal) {
  int64_t count = fg_problem_batch_count(&v->p->problem, params), points = fg_problem_points(&v->p->problem);
  bool small = count <= FULL_WALK && count * points <= FULL_WALK;
  int64_t ends = points < LARGE ? BATCH_ENDS : 1;
  attempt a = {.params = params, .ends = small || count <= 2 * ends ? 0 : ends};
  fg_proof proof = {0};
  fg_status status = walk_once(v, &a, &proof);
  if (status == FG_OK && a.ends && a.outcome == WALK_INCOMPLETE && count <= LONG_WALK && count * points <= LONG_WALK) {
    a.ends = 0;
    proof = (fg_proof){0};
    status = walk_once(v, &a, &proof);
  }
  *legal = a.outcome != WALK_NO_CALL;
  if (status != FG_OK || !*legal) return status;
  char text[96], first[sizeof proof.failure];
  if (proof.failure[0]) {
    memcpy(first, proof.failure, sizeof first);
    snprintf(proof.failure, sizeof proof.failure, "%.150s%s", first, fg_setting_text(&v->p->problem, params, text));
  }
  add_counts(v->out, &proof);
  v->settings++;
  v->spent += a.compared * points;
  v->reduced |= a.ends > 0;
  if (a.compared > v->most) v->most = a.compared;
  if (count > v->most_batch) v->most_batch = count;
  return FG_OK;
}

static fg_status prove_settings(prover *v) {
  const fg_settings *at = v->at;
  bool legal, any = false;
  v->cut_parameters = at->cut;
  v->planned = at->count;
  for (int i = 0; i < at->count && !v->out->failure[0] && (i < 2 || v->spent < SETTINGS_WORK); i++) {
    fg_status status = prove_setting(v, at->value[i], &legal);
    if (status != FG_OK) return status;
    any |= legal;
  }
  if (!any)
    snprintf(v->out->failure, sizeof v->out->failure, "results of two transforms share elements: no call to walk");
  return FG_OK;
}

/* ---- real values ----------------------------------------------------------------------- */

typedef struct real_walk {
  fg_context cx; /* for its message */
  prover v;
  fg_proof proof;
  int64_t base[FG_MAX_PARAMS];
  attempt a;
  double operations;
  fg_status status;
  bool has_thread;
  pthread_t thread;
} real_walk;

static void plan_real(const prover *v, real_walk *r) {
  const fg_problem *q = &v->p->problem;
  fg_program_cost cost;
  fg_program_count(v->p, &cost);
  *r = (real_walk){.v = *v, .status = FG_ENA};
  r->v.cx = &r->cx;
  memcpy(r->base, v->at->value[0], sizeof r->base);
  for (int i = 0; i < q->batch_rank; i++) /* few transforms are enough here */
    if (q->batch[i].n.form != FG_NUM_CONST) r->base[q->batch[i].n.param] = q->param[q->batch[i].n.param].lo;
  int64_t low[FG_MAX_PARAMS];
  for (int i = 0; i < q->nparam; i++) low[i] = q->param[i].lo;
  double one = (double)cost.flops / (double)fg_problem_batch_count(q, low);
  int64_t count = fg_problem_batch_count(q, r->base);
  r->a = (attempt){.params = r->base, .reals = true, .value_error = -1, .ends = count > 4 ? 1 : 0};
  r->operations = count < 1 ? INFINITY : one * (double)(count < 64 ? count : 64);
}

static void walk_real(real_walk *r) {
  if (r->operations <= (double)REAL_WALK) r->status = walk_once(&r->v, &r->a, &r->proof);
}

static void *walk_in_thread(void *data) {
  walk_real(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

/* Short ones come after the fields, if those are right. */
static void begin_real(const prover *v, real_walk *r) {
  plan_real(v, r);
  if (r->operations < (double)REAL_APART || r->operations > (double)REAL_WALK) return;
  r->has_thread = pthread_create(&r->thread, NULL, walk_in_thread, r) == 0;
}

static fg_status end_real(prover *v, real_walk *r, bool wanted) {
  if (r->has_thread)
    pthread_join(r->thread, NULL);
  else if (wanted)
    walk_real(r);
  if (!wanted || r->status == FG_ENA || r->a.outcome == WALK_NO_CALL) return FG_OK;
  if (r->status != FG_OK)
    return r->cx.diag.message[0] ? fg_diag_set(&v->cx->diag, r->status, "%s", r->cx.diag.message) : r->status;
  v->out->value_error = r->a.value_error;
  if (r->a.value_error > REAL_LOSS)
    snprintf(v->out->failure, sizeof v->out->failure,
             "with the constants' real values of 113 bits the error is %.2g, though the images are right",
             r->a.value_error);
  return FG_OK;
}

/* ---- the whole ----------------------------------------------------------------------- */

const char *fg_prove_not_walked(const fg_problem *q) {
  if (q->kind == FG_CONV) return "a convolution is not walked";
  for (int i = 0; i < q->rank; i++)
    if (q->dim[i].n.form != FG_NUM_CONST) return "a length known at run time is not walked";
  return NULL;
}

static void describe(prover *v) {
  fg_proof *out = v->out;
  const fg_problem *q = &v->p->problem;
  size_t used = 0;
  for (int i = 0; i < q->rank; i++)
    used += (size_t)snprintf(out->walked + used, sizeof out->walked - used, "%s%lld",
                             i ? "x" : "n=", (long long)q->dim[i].n.n);
  used += (size_t)snprintf(out->walked + used, sizeof out->walked - used, ", %lld of %lld transforms",
                           (long long)v->most, (long long)v->most_batch);
  if (v->reduced) used += (size_t)snprintf(out->walked + used, sizeof out->walked - used, " (ends of the batch)");
  if (q->nparam)
    used += (size_t)snprintf(out->walked + used, sizeof out->walked - used, ", %d of %d settings of %d parameters%s",
                             v->settings, v->planned, q->nparam, v->cut_parameters ? " (not to their upper ends)" : "");
  used += (size_t)snprintf(out->walked + used, sizeof out->walked - used, ", %d primes, %lld addresses", out->primes,
                           (long long)out->addresses);
  snprintf(out->walked + used, sizeof out->walked - used, "%s",
           out->value_error < 0 ? ", real values not evaluated" : ", real values in 113 bits");
}

/* A walk holds at least one whole transform: every buffer of memory that is as
 * long, and tables in both fields. */
static fg_status enough_memory(fg_context *cx, const fg_program *p) {
  const double gib = 0x1p30, have = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  double points = (double)fg_problem_points(&p->problem), need = 0;
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    if (b->space == FG_SPACE_TABLE)
      need += (double)b->size * (double)sizeof(fg_gfc) * FG_PRIMES;
    else if (b->alias < 0 && (double)b->size >= points)
      need += points * fg_buffer_parts(b) * PLACE_BYTES;
  }
  if (have <= 0 || need <= have) return FG_OK;
  return fg_diag_set(&cx->diag, FG_EUSER,
                     "proof: walking one transform of %.0f points takes %.0f GiB of memory, this machine has %.0f GiB; "
                     "allowed: what can be proved here",
                     points, need / gib, have / gib);
}

/* While the thread is there, nothing is allocated that could jump away from it. */
static fg_status prove_both(prover *v) {
  real_walk real;
  v->at = fg_settings_create(v->cx, v->p);
  begin_real(v, &real);
  fg_status status = prove_settings(v), real_status = end_real(v, &real, status == FG_OK && !v->out->failure[0]);
  return status == FG_OK ? real_status : status;
}

fg_status fg_prove(fg_context *cx, const fg_program *p, uint64_t seed, fg_proof *out) {
  *out = (fg_proof){.primes = FG_PRIMES, .value_error = -1};
  prover v = {.cx = cx, .p = p, .seed = seed * 2 + 1, .out = out};
  const char *why = fg_prove_not_walked(&p->problem);
  if (why) {
    snprintf(out->failure, sizeof out->failure, "%s", why);
    return FG_OK;
  }
  uint64_t order = fg_program_order(p), state = seed;
  if (!order)
    return fg_diag_set(&cx->diag, FG_EUSER, "proof: the roots of unity of this plan need a prime of more than 62 bits");
  fg_status room = enough_memory(cx, p);
  if (room != FG_OK) return room;
  for (int i = 0; i < FG_PRIMES; i++) {
    fg_status status = fg_field_create(cx, order, fg_random(&state), &v.field[i]);
    if (status != FG_OK) return status;
  }
  fg_status status = prove_both(&v);
  if (status != FG_OK) return status;
  out->proved = !out->failure[0];
  describe(&v);
  return FG_OK;
}
