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
#include "generator/prove_build.h"
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 16 };
#define FULL_WALK (INT64_C(1) << 20)     /* elements of all batches: walked in full */
#define LARGE (1 << 17)                  /* points of transforms of which few are walked */
#define LONG_WALK (INT64_C(1) << 24)     /* the same, when the ends alone decide nothing */
#define SETTINGS_WORK (INT64_C(1) << 21) /* points of transforms, after which no further parameters are walked */
#define SHARED_WALK (INT64_C(1) << 17)   /* elements of all batches: from there on several threads walk */
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
  struct checked *checked; /* room for what comes of each setting */
} prover;

/* ---- one walk ------------------------------------------------------------------------ */

typedef enum outcome { WALK_DONE, WALK_NO_CALL, WALK_INCOMPLETE, WALK_WRONG, WALK_AGAIN } outcome;

typedef struct attempt {
  const int64_t *params;
  int64_t ends;
  bool reals;
  bool by_one;      /* several threads have found something */
  int64_t compared; /* transforms */
  double value_error;
  outcome outcome;
} attempt;

static bool has_parts(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++)
      if (p->kernel[i]->stage[s].part) return true;
  return false;
}

static int threads_for(int most) {
  long have = sysconf(_SC_NPROCESSORS_ONLN);
  if (have > MOST_THREADS) have = MOST_THREADS;
  return have < most ? have < 1 ? 1 : (int)have : most;
}

/* Whether several threads walk: where it is long, and there are more processors than settings. */
static int threads_of_walk(const prover *v, const fg_machine *m, const attempt *a) {
  int64_t points = fg_problem_points(&v->p->problem) * fg_problem_batch_count(&v->p->problem, a->params);
  int threads = threads_for(MOST_THREADS);
  bool busy = v->at->count > 1 && v->at->count >= threads;
  return a->by_one || busy || points < SHARED_WALK || !fg_shares_possible(m) ? 1 : threads;
}

/* By one thread, which finds what several have found, and says it. */
static fg_status begin_again(attempt *a) {
  a->by_one = true;
  a->outcome = WALK_AGAIN;
  return FG_OK;
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
  fg_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
  m->pool = &pool;
  if (!fg_ram_create(m)) return FG_OK;
  int threads = m->team = threads_of_walk(v, m, a);
  if (threads > 1 && !fg_shares_create(m, threads)) return begin_again(a);
  fg_status status = fg_value_tables(m);
  if (status != FG_OK) return status;
  if (!fg_compare_own(m)) {
    a->outcome = WALK_NO_CALL;
    return FG_OK;
  }
  if (threads < 2)
    status = fg_machine_run(m, a->ends);
  else if (!fg_shares_run(m))
    return begin_again(a);
  if (status == FG_OK && !m->failures) {
    if (a->reals && fg_compare_known(m, 0))
      a->value_error = fg_compare_real(m);
    else if (!a->reals)
      status = fg_compare_all(m, &a->compared);
  }
  a->outcome = m->failures ? m->incomplete ? WALK_INCOMPLETE : WALK_WRONG : WALK_DONE;
  return status;
}

/* A walk has an arena of its own: it needs much, and for a short time. */
static fg_status try_walk(prover *v, attempt *a, fg_proof *proof) {
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return FG_ENOMEM;
  if (fg_arena_guard(cx.arena)) {
    fg_arena_destroy(cx.arena);
    return FG_ENOMEM;
  }
  fg_machine *m = fg_arena_new(cx.arena, fg_machine, 1);
  m->cx = &cx;
  fg_status status = run_attempt(v, m, a, proof);
  fg_shares_release(m);
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

static fg_status walk_once(prover *v, attempt *a, fg_proof *proof) {
  fg_status status = try_walk(v, a, proof);
  if (status != FG_OK || a->outcome != WALK_AGAIN) return status;
  *proof = (fg_proof){0};
  return try_walk(v, a, proof);
}

typedef struct checked { /* one setting, walked */
  fg_status status;
  bool legal, done, reduced;
  int64_t count, compared; /* transforms of a call; of them walked */
  fg_proof proof;
  fg_diag diag;
} checked;

/* Walks one setting: in full, or its ends, or in full after all when the ends
 * alone do not make whole transforms. */
static void check_setting(prover *v, const int64_t *params, checked *c) {
  int64_t count = fg_problem_batch_count(&v->p->problem, params), points = fg_problem_points(&v->p->problem);
  bool small = count <= FULL_WALK && count * points <= FULL_WALK;
  int64_t ends = points < LARGE ? FG_BATCH_ENDS : 1;
  attempt a = {.params = params, .ends = small || count <= 2 * ends ? 0 : ends};
  *c = (checked){.count = count};
  c->status = walk_once(v, &a, &c->proof);
  if (c->status == FG_OK && a.ends && a.outcome == WALK_INCOMPLETE && count <= LONG_WALK &&
      count * points <= LONG_WALK) {
    a.ends = 0;
    c->proof = (fg_proof){0};
    c->status = walk_once(v, &a, &c->proof);
  }
  c->legal = a.outcome != WALK_NO_CALL;
  c->compared = a.compared;
  c->reduced = a.ends > 0;
}

/* Settings are walked by several threads, and counted in their order: what is proved
 * does not depend on how many there are. */
typedef struct crew {
  prover *v;
  pthread_mutex_t lock;
  int next, counted; /* settings that somebody has taken; that are in v */
  bool any, over;    /* some setting is a call; no more of them are wanted */
  fg_status status;
  checked *result;
} crew;

static void count_setting(prover *v, const int64_t *params, const checked *c) {
  char text[96], first[sizeof c->proof.failure];
  fg_proof proof = c->proof;
  if (proof.failure[0]) {
    memcpy(first, proof.failure, sizeof first);
    snprintf(proof.failure, sizeof proof.failure, "%.150s%s", first, fg_setting_text(&v->p->problem, params, text));
  }
  add_counts(v->out, &proof);
  v->settings++;
  v->spent += c->compared * fg_problem_points(&v->p->problem);
  v->reduced |= c->reduced;
  if (c->compared > v->most) v->most = c->compared;
  if (c->count > v->most_batch) v->most_batch = c->count;
}

/* Counts those that are done and have none before them that is not. */
static void count_done(crew *w) {
  prover *v = w->v;
  while (!w->over && w->counted < v->at->count && w->result[w->counted].done) {
    const checked *c = &w->result[w->counted];
    w->status = c->status;
    if (c->status != FG_OK && c->diag.message[0]) fg_diag_set(&v->cx->diag, c->status, "%s", c->diag.message);
    if (c->status == FG_OK && c->legal) count_setting(v, v->at->value[w->counted], c);
    w->any |= c->legal;
    w->counted++;
    w->over = w->status != FG_OK || v->out->failure[0] || (w->counted >= 2 && v->spent >= SETTINGS_WORK);
  }
}

/* Takes settings until there are no more. */
static void walk_settings(crew *w, bool tells) {
  fg_context cx = {.arena = NULL}; /* for messages only */
  pthread_mutex_lock(&w->lock);
  prover own = *w->v;
  if (tells) cx.progress = own.cx->progress;
  own.cx = &cx;
  while (!w->over && w->next < own.at->count) {
    int i = w->next++;
    pthread_mutex_unlock(&w->lock);
    checked c;
    check_setting(&own, own.at->value[i], &c);
    c.done = true;
    c.diag = cx.diag;
    pthread_mutex_lock(&w->lock);
    w->result[i] = c;
    count_done(w);
  }
  pthread_mutex_unlock(&w->lock);
}

static void *walk_settings_in_thread(void *data) {
  walk_settings(data, false);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

static fg_status prove_settings(prover *v) {
  pthread_t thread[MOST_THREADS];
  int helpers = 0, wanted = threads_for(v->at->count) - 1;
  crew w = {.v = v, .result = v->checked};
  v->cut_parameters = v->at->cut;
  v->planned = v->at->count;
  pthread_mutex_init(&w.lock, NULL);
  while (helpers < wanted && !pthread_create(&thread[helpers], NULL, walk_settings_in_thread, &w)) helpers++;
  walk_settings(&w, true);
  for (int i = 0; i < helpers; i++) pthread_join(thread[i], NULL);
  pthread_mutex_destroy(&w.lock);
  if (w.status == FG_OK && !w.any)
    snprintf(v->out->failure, sizeof v->out->failure, "results of two transforms share elements: no call to walk");
  return w.status;
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
  if (!(r->a.value_error <= REAL_LOSS))
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
  v->checked = fg_arena_new(v->cx->arena, checked, v->at->count);
  begin_real(v, &real);
  fg_status status = prove_settings(v), real_status = end_real(v, &real, status == FG_OK && !v->out->failure[0]);
  return status == FG_OK ? real_status : status;
}

static fg_status create_fields(fg_context *cx, const fg_program *p, uint64_t seed, fg_field field[FG_PRIMES]) {
  uint64_t order = fg_program_order(p), state = seed;
  fg_status status = FG_OK;
  if (!order)
    return fg_diag_set(&cx->diag, FG_EUSER, "proof: the roots of unity of this plan need a prime of more than 62 bits");
  for (int i = 0; i < FG_PRIMES && status == FG_OK; i++)
    status = fg_field_create(cx, order, fg_random(&state), &field[i]);
  return status;
}

fg_status fg_prove_possible(fg_context *cx, const fg_program *p, uint64_t seed) {
  uint64_t order = fg_program_order(p);
  fg_field field[FG_PRIMES];
  return order && order <= FG_FIELD_ALWAYS ? FG_OK : create_fields(cx, p, seed, field);
}

fg_status fg_prove(fg_context *cx, const fg_program *p, uint64_t seed, fg_proof *out) {
  *out = (fg_proof){.primes = FG_PRIMES, .value_error = -1};
  prover v = {.cx = cx, .p = p, .seed = seed * 2 + 1, .out = out};
  const char *why = fg_prove_not_walked(&p->problem);
  if (why) {
    snprintf(out->failure, sizeof out->failure, "%s", why);
    return FG_OK;
  }
  fg_status status = enough_memory(cx, p);
  if (status == FG_OK) status = create_fields(cx, p, seed, v.field);
  if (status == FG_OK) status = prove_both(&v);
  if (status != FG_OK) return status;
  out->proved = !out->failure[0];
  describe(&v);
  return FG_OK;
}
