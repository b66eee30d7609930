/* The proof. In: a program. Out: whether it computes its problem, for which parameters and batches that was shown,
 * and the counts of the walk.
 *
 * The idea: a program over the reals that is built from exact constants is also a program over a prime field that
 * has the same roots of unity. There, arithmetic is exact, and two different polynomial maps agree on a random input
 * with probability at most degree / p (Schwartz 1980, Zippel 1979): below 2^-50 with two random primes over 2^60.
 * The reference is the definition: weighted sums of all outputs (reference/checksum.c), or each by fg_field_dft
 * (definition.c); neither shares code with what is proved.
 *
 * Walks: parameters at several settings (the ends, around multiples of the vector length, a value between), one
 * parameter after the other; batches in full if that is affordable, else their ends. One more walk with the
 * constants' real values of 113 bits shows that field elements and values belong to the same numbers. */
#include "generator/base/invariant.h"
#include "generator/base/strbuf.h"
#include "generator/ir/count.h"
#include "generator/problem/shape.h"
#include "generator/prove/attempt.h"
#include "generator/prove/block_sample.h"
#include "generator/prove/codelets_alone.h"
#include "generator/prove/compare.h"
#include "generator/prove/prove_parts.h"
#include "generator/prove/settings.h"
#include "generator/prove/stages_apart.h"
#include "targets/number.h"
#include "targets/thread.h"
#include <math.h>
#include <mpfr.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FULL_WALK (INT64_C(1) << 20) /* elements of all batches: walked in full, */
#define OPERATED_WALK                                                                                                  \
  (INT64_C(1) << 16)                     /* with operations on each, of which one takes as long as a transform's part  \
                                          */
#define SAMPLED_WALK (INT64_C(1) << 21)  /* the same, from which values are walked by sample, if they can be */
#define CUT_WALK (INT64_C(1) << 18)      /* the same of stages' own blocks, which are small */
#define CHIRPED_WALK (INT64_C(1) << 19)  /* the same by Bluestein's algorithm */
#define MIDDLE_WALK (INT64_C(1) << 22)   /* points of c2r in one dimension, which are walked */
#define LARGE (1 << 17)                  /* points of transforms of which few are walked */
#define LONG_WALK (INT64_C(1) << 24)     /* the same, when the ends alone decide nothing */
#define SETTINGS_WORK (INT64_C(1) << 21) /* points of transforms, after which no further parameters are walked */
#define REAL_WALK (INT64_C(1) << 22)     /* operations evaluated with 113 bits */
#define REAL_APART (INT64_C(1) << 15)    /* operations from which they are evaluated beside the fields */

typedef struct prover {
  fg_context *cx; /* the caller's: for messages only */
  const fg_program *p;
  uint64_t seed;
  fg_proof *out;
  const fg_settings *at;
  int settings, planned;
  int64_t sampled_from, cut_from; /* elements of all batches; the latter of stages' own blocks */
  int64_t spent;                  /* points of the transforms walked so far */
  int64_t least, most;            /* transforms walked per call, of how many */
  int64_t most_batch;
  char sample[140]; /* see checked: of the first setting that has one */
  bool reduced, cut_parameters;
  fg_field field[FG_PRIMES];
  struct checked *checked; /* room for the results of each setting */
} prover;

/* ---- settings ---------------------------------------------------------------------- */

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

static fg_attempt attempt_of(const prover *v, const int64_t *params, int64_t ends) {
  return (fg_attempt){.p = v->p,
                      .field = v->field,
                      .seed = v->seed,
                      .fields = FG_PRIMES,
                      .others = v->at->count,
                      .params = params,
                      .ends = ends,
                      .value_error = -1};
}

enum { SAMPLE_TEXT = 140 };

typedef struct checked {    /* one setting, walked */
  char sample[SAMPLE_TEXT]; /* of what values were walked; "": of everything */
  fg_status status;
  bool legal, done, reduced;
  int64_t count, compared; /* transforms of a call; of them walked */
  fg_proof proof;
  fg_diag diag;
} checked;

typedef struct sampling { /* of one setting */
  prover *v;
  const int64_t *params;
  checked *c;
  int64_t elements; /* of transforms that would be walked else */
  fg_attempt a;
  bool done;
} sampling;

static void note_wrong(const fg_block_sample *s, checked *c) {
  c->proof.races = s->races;
  c->proof.out_of_bounds = s->out_of_bounds;
  c->proof.uninitialised = s->uninitialised;
  snprintf(c->proof.failure, sizeof c->proof.failure, "%s", s->failure);
}

static void note_sample(const fg_block_sample *s, char text[SAMPLE_TEXT]) {
  char classes[40] = "", factors[60] = "";
  if (s->classes > s->p->nkernel) snprintf(classes, sizeof classes, " in %lld classes", (long long)s->classes);
  if (s->factors) snprintf(factors, sizeof factors, " by %lld of a spectrum", (long long)s->factors);
  snprintf(text, SAMPLE_TEXT, "; addresses of all %lld blocks%s, values of %lld: from %lld inputs%s to %lld outputs",
           (long long)s->blocks, classes, (long long)s->walked, (long long)s->inputs, factors, (long long)s->outputs);
}

/* By a sample of these blocks. A program of stages apart is not judged by the text of what is wrong: no result, then.
 */
static fg_status walk_blocks(sampling *w, fg_context *cx, const fg_program *p, const fg_stages_apart *apart) {
  fg_block_sample *s = fg_block_sample_create(cx, p, w->params, w->v->seed, apart);
  bool own = p == w->v->p;
  if (!s) return FG_OK;
  if (!s->failure[0]) fg_prove_codelets_alone(cx, p, w->v->field, w->v->seed, s->failure);
  w->c->proof = (fg_proof){0};
  w->a.p = p;
  w->a.sample = s;
  w->done = true;
  if (s->failure[0]) return note_wrong(s, w->c), FG_OK;
  note_sample(s, w->c->sample);
  fg_status status = fg_attempt_walk(w->v->cx, &w->a, &w->c->proof);
  if (status == FG_ENA) w->done = false; /* no field with the roots that its inputs need */
  if (!own && w->c->proof.failure[0]) w->done = false;
  return status == FG_ENA ? FG_OK : status;
}

/* A kernel of one block says nothing of others: its stages may. Those of a tile have smaller blocks than tiles are. */
static fg_status walk_sample(fg_context *cx, void *data) {
  sampling *w = data;
  fg_stages_apart *apart = fg_arena_new(cx->arena, fg_stages_apart, 1);
  if (w->elements >= w->v->cut_from && fg_prove_stages_cut(cx, w->v->p, w->params, apart)) {
    fg_status status = walk_blocks(w, cx, apart->p, apart);
    if (w->done || status != FG_OK) return status;
  }
  if (w->elements < w->v->sampled_from) return FG_OK;
  if (fg_prove_stages_apart(cx, w->v->p, apart)) return walk_blocks(w, cx, apart->p, apart);
  return walk_blocks(w, cx, w->v->p, NULL);
}

/* Programs that are large, and whose blocks are alike: few of them for their values. False: it is none of these. */
static bool check_sample(prover *v, const int64_t *params, int64_t elements, checked *c) {
  sampling w = {.v = v, .params = params, .elements = elements, .c = c, .a = attempt_of(v, params, 0)};
  fg_context cx = {.arena = fg_arena_create()};
  *c = (checked){.count = fg_problem_batch_count(&v->p->problem, params), .status = FG_ENOMEM};
  if (cx.arena && !fg_arena_guard(cx.arena)) c->status = fg_invariant_run(&cx, walk_sample, &w);
  if (c->status != FG_OK && cx.diag.message[0]) fg_diag_set(&v->cx->diag, c->status, "%s", cx.diag.message);
  fg_arena_destroy(cx.arena);
  c->legal = w.a.outcome != FG_OUTCOME_NO_CALL;
  c->compared = w.a.compared;
  return w.done || c->status != FG_OK;
}

/* Walks one setting: in full, or its ends, or in full after all when the ends
 * alone do not make whole transforms. */
static void check_setting(prover *v, const int64_t *params, checked *c) {
  int64_t count = fg_problem_batch_count(&v->p->problem, params), points = fg_problem_points(&v->p->problem);
  int64_t most = v->p->problem.nload + v->p->problem.nstore ? OPERATED_WALK : FULL_WALK;
  bool small = count <= most && count * points <= most;
  int64_t ends = points < LARGE ? FG_BATCH_ENDS : 1;
  /* Of many short transforms for a CPU the ends are less than a sample. */
  int64_t some = count <= 2 * ends || fg_walk_has_threads(v->p) ? count : 2 * ends;
  bool sampled = some * points >= v->sampled_from || some * points >= v->cut_from;
  if (sampled && check_sample(v, params, some * points, c)) return;
  fg_attempt a = attempt_of(v, params, small || count <= 2 * ends ? 0 : ends);
  *c = (checked){.count = count};
  c->status = fg_attempt_walk(v->cx, &a, &c->proof);
  if (c->status == FG_OK && a.ends && a.outcome == FG_OUTCOME_INCOMPLETE && count <= LONG_WALK &&
      count * points <= LONG_WALK) {
    a.ends = 0;
    c->proof = (fg_proof){0};
    c->status = fg_attempt_walk(v->cx, &a, &c->proof);
  }
  c->legal = a.outcome != FG_OUTCOME_NO_CALL;
  c->compared = a.compared;
  c->reduced = a.ends > 0;
}

/* Settings are walked by several threads, and counted in their order: what is proved
 * does not depend on how many there are. */
typedef struct walkers {
  prover *v;
  pthread_mutex_t lock;
  int next, counted; /* settings that a thread has taken; that are counted in v */
  bool any, over;    /* some setting is a call; no more of them are wanted */
  fg_status status;
  checked *result;
} walkers;

static void count_setting(prover *v, const int64_t *params, const checked *c) {
  char text[96], first[sizeof c->proof.failure];
  fg_proof proof = c->proof;
  if (proof.failure[0]) {
    memcpy(first, proof.failure, sizeof first);
    snprintf(proof.failure, sizeof proof.failure, "%.150s%s", first, fg_settings_text(&v->p->problem, params, text));
  }
  add_counts(v->out, &proof);
  v->settings++;
  v->spent += c->compared * fg_problem_points(&v->p->problem);
  v->reduced |= c->reduced;
  if (!v->sample[0]) memcpy(v->sample, c->sample, sizeof v->sample);
  if (c->compared > v->most) v->most = c->compared;
  if (c->count > v->most_batch) v->most_batch = c->count;
}

/* Counts those that are done and have none before them that is not. */
static void count_done(walkers *w) {
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
static void walk_settings(walkers *w, bool tells) {
  fg_context cx = {.arena = NULL}; /* for messages only */
  pthread_mutex_lock(&w->lock);
  prover own = *w->v;
  cx.memory = own.cx->memory;
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
  int helpers = 0, wanted = fg_attempt_threads(v->at->count) - 1;
  pthread_t *thread = fg_arena_new(v->cx->arena, pthread_t, wanted + 1);
  walkers w = {.v = v, .result = v->checked};
  v->cut_parameters = v->at->cut;
  v->planned = v->at->count;
  pthread_mutex_init(&w.lock, NULL);
  while (helpers < wanted && !fg_thread_create(&thread[helpers], walk_settings_in_thread, &w)) helpers++;
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
  fg_attempt a;
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
  r->a = attempt_of(v, r->base, count > 4 ? 1 : 0);
  r->a.reals = true;
  bool all = count < 64 || q->summed; /* none that is added is left out */
  r->operations = count < 1 ? INFINITY : one * (double)(all ? count : 64);
}

static void walk_real(real_walk *r) {
  if (r->operations <= (double)REAL_WALK) r->status = fg_attempt_walk(&r->cx, &r->a, &r->proof);
}

static void *walk_in_thread(void *data) {
  walk_real(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

/* Short ones are run after the fields, if those are right. */
static void begin_real(const prover *v, real_walk *r) {
  plan_real(v, r);
  if (r->operations < (double)REAL_APART || r->operations > (double)REAL_WALK) return;
  r->has_thread = fg_thread_create(&r->thread, walk_in_thread, r) == 0;
}

static fg_status end_real(prover *v, real_walk *r, bool wanted) {
  if (r->has_thread)
    pthread_join(r->thread, NULL);
  else if (wanted)
    walk_real(r);
  if (!wanted || r->status == FG_ENA || r->a.outcome == FG_OUTCOME_NO_CALL) return FG_OK;
  if (r->status != FG_OK)
    return r->cx.diag.message[0] ? fg_diag_set(&v->cx->diag, r->status, "%s", r->cx.diag.message) : r->status;
  v->out->value_error = r->a.value_error;
  if (!(r->a.value_error <= FG_COMPARE_LOSS))
    fg_number_print(v->out->failure, sizeof v->out->failure,
                    "with the constants' real values of 113 bits the error is %.2g, though the images are right",
                    r->a.value_error);
  return FG_OK;
}

/* ---- the whole ----------------------------------------------------------------------- */

const char *fg_prove_not_walked(const fg_problem *q) {
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
  used += (size_t)snprintf(out->walked + used, sizeof out->walked - used, "%s", v->sample);
  snprintf(out->walked + used, sizeof out->walked - used, "%s",
           out->value_error < 0 ? ", real values not evaluated" : ", real values in 113 bits");
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

fg_status fg_prove_field(fg_context *cx, const fg_program *p, uint64_t seed, fg_field *out) {
  const fg_problem *q = &p->problem;
  uint64_t order = fg_program_order(p);
  fg_context quiet = *cx;
  fg_status status = order ? fg_field_create(&quiet, order, seed, out) : FG_EUSER;
  if (status != FG_EUSER) return status;
  fg_strbuf length = fg_strbuf_new(cx->arena);
  for (int i = 0; i < q->rank; i++) fg_strbuf_addf(&length, "%s%lld", i ? "x" : "", (long long)q->dim[i].n.n);
  const char *factors = q->kind == FG_DCT1 ? "length less 1" : q->kind == FG_DST1 ? "length plus 1" : "length";
  return fg_refuse(cx,
                   "length %s cannot be proved: the roots of unity that its plan needs exist modulo no prime below "
                   "2^62; allowed: smaller prime factors in the %s, or another plan",
                   length.text, factors);
}

static fg_status create_fields(fg_context *cx, const fg_program *p, uint64_t seed, fg_field field[FG_PRIMES]) {
  uint64_t state = seed;
  fg_status status = FG_OK;
  for (int i = 0; i < FG_PRIMES && status == FG_OK; i++) status = fg_prove_field(cx, p, fg_random(&state), &field[i]);
  return status;
}

fg_status fg_prove_possible(fg_context *cx, const fg_program *p, uint64_t seed) {
  uint64_t order = fg_program_order(p);
  fg_field field[FG_PRIMES];
  return order && order <= FG_FIELD_ALWAYS ? FG_OK : create_fields(cx, p, seed, field);
}

static bool has_chirps(const fg_program *p) {
  for (int b = 0; b < p->nbuffer; b++)
    if (fg_footprints_chirps(p, b)) return true;
  return false;
}

/* Lines of c2r may have a middle column of which few rows matter, each from another block; a sample looks at some of
 * them. In one dimension what a walk can afford is walked. */
static bool is_walked(const fg_problem *q) {
  return q->kind == FG_C2R && q->rank == 1 && fg_problem_points(q) <= MIDDLE_WALK;
}

static int64_t cut_from(const fg_program *p) { return is_walked(&p->problem) ? INT64_MAX : CUT_WALK; }

/* Bluestein's algorithm moves an element about ten times as often as others do. */
static int64_t sampled_from(const fg_program *p) {
  if (has_chirps(p) && fg_problem_points(&p->problem) >= LARGE) return CHIRPED_WALK;
  return is_walked(&p->problem) ? INT64_MAX : SAMPLED_WALK;
}

static fg_status prove_as(prover v, uint64_t seed) {
  fg_context *cx = v.cx;
  const fg_program *p = v.p;
  fg_proof *out = v.out;
  *out = (fg_proof){.primes = FG_PRIMES, .value_error = -1};
  v.seed = seed * 2 + 1;
  const char *why = fg_prove_not_walked(&p->problem);
  if (why) {
    snprintf(out->failure, sizeof out->failure, "%s", why);
    return FG_OK;
  }
  fg_status status = create_fields(cx, p, seed, v.field);
  if (status == FG_OK) status = prove_both(&v);
  if (status != FG_OK) return status;
  out->proved = !out->failure[0];
  describe(&v);
  return FG_OK;
}

fg_status fg_prove(fg_context *cx, const fg_program *p, uint64_t seed, fg_proof *out) {
  return prove_as((prover){.cx = cx, .p = p, .out = out, .sampled_from = sampled_from(p), .cut_from = cut_from(p)},
                  seed);
}

fg_status fg_prove_from(fg_context *cx, const fg_program *p, uint64_t seed, int64_t from, fg_proof *out) {
  return prove_as((prover){.cx = cx, .p = p, .out = out, .sampled_from = from, .cut_from = from}, seed);
}
