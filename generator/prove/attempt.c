/* One walk, from setup to outcome. In: a program, values of its parameters, fields. Out: whether its results were
 * those of the definition, and counts.
 *
 * The idea: memory and threads decide how it runs. All fields together is the least work. The blocks of a long walk
 * are divided among threads if possible (shares.c), else each field has a thread. If memory is short, one field
 * follows the other. Races, bank conflicts and segments are checked over one field only, since addresses are the
 * same in the others. */
#include "generator/prove/attempt.h"
#include "generator/base/invariant.h"
#include "generator/problem/shape.h"
#include "generator/prove/block_operations.h"
#include "generator/prove/block_sample.h"
#include "generator/prove/compare.h"
#include "generator/prove/memory.h"
#include "generator/prove/shares.h"
#include "generator/prove/values.h"
#include "targets/thread.h"
#include <math.h>
#include <mpfr.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 16 };
#define LONG_WALK (INT64_C(1) << 17)  /* elements of all batches: from there on several threads walk */
#define ROOMY_WALK (INT64_C(1) << 30) /* bytes: from there on one at a time */
#define ASKED_ROOM (double)(1 << 28)  /* bytes: from there on it is asked how many there are */

static bool has_parts(const fg_program *p) {
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++)
      if (p->kernel[i]->stage[s].vectors.part) return true;
  return false;
}

int fg_attempt_threads(int most) {
  long have = sysconf(_SC_NPROCESSORS_ONLN);
  if (have > MOST_THREADS) have = MOST_THREADS;
  return have < most ? have < 1 ? 1 : (int)have : most;
}

/* For a walk that is long, where settings leave processors to it. */
static int threads_of(const fg_attempt *a) {
  const fg_problem *q = &a->p->problem;
  int64_t elements = fg_problem_points(q) * fg_problem_batch_count(q, a->params);
  int threads = fg_attempt_threads(MOST_THREADS);
  bool busy = a->others > 1 && a->others >= threads;
  if (a->by_one || a->alone || a->reals || busy || elements < LONG_WALK) return 1;
  return threads - threads / 4; /* they wait for each other: none is to share its processor with a compiler */
}

static bool is_shareable(const fg_attempt *a) { return !a->ends && !a->sample && fg_shares_possible(a->p); }

/* By one thread, which finds what several have found, and says it. */
static fg_status begin_again(fg_attempt *a) {
  a->by_one = true;
  a->outcome = FG_OUTCOME_AGAIN;
  return FG_OK;
}

static fg_apart results_apart(const fg_attempt *a) {
  fg_strides results = fg_strides_create(&a->p->problem, a->params, true);
  return fg_strides_apart(&results);
}

static void set_up(fg_vm *m, const fg_attempt *a) {
  m->primes = a->reals ? 0 : a->fields;
  m->first_prime = a->first;
  memcpy(m->field, a->field + a->first, sizeof *m->field * (size_t)a->fields);
  m->reals = a->reals;
  m->seen = a->seen;
  m->sample = a->sample;
  m->iteration = a->in_iteration ? a->first : 0;
  m->iterations = a->in_iteration ? FG_PRIMES : 1;
  m->threads = fg_walk_has_threads(a->p);
  m->parts = has_parts(a->p);
  m->partial = a->ends > 0;
  bool by_strides = m->partial || fg_ram_packs(a->p, a->params, FG_BUFFER_OUT);
  m->nested = by_strides && results_apart(a) == FG_APART;
}

static bool create_tensors(fg_vm *m) {
  if (m->sample && m->p->problem.in_place) {
    m->replaced = fg_arena_new(m->cx->arena, fg_bits, 1);
    const fg_ram *in = &m->memory[FG_BUFFER_IN];
    *m->replaced = fg_bits_create(m->cx->arena, 2 * in->elements / m->sample->unit[FG_BUFFER_IN]);
  }
  fg_problem q = m->p->problem;
  if (m->sample && !fg_block_operations_create(m)) return false;
  if (m->stored[0]) q.scale = FG_SCALE_NONE; /* it is one of them */
  for (int i = 0; m->sample && i < m->primes; i++) {
    uint64_t seed = m->seed + (uint64_t)(m->first_prime + i) * 0x9e3779b97f4a7c15u;
    m->tensor[i] = fg_tensor_create(m->cx, &q, &m->sample->form, &m->sample->spectrum, &m->field[i], seed);
    if (!m->tensor[i]) return false;
  }
  return true;
}

static fg_status compare(fg_vm *m, fg_attempt *a) {
  if (!m->sample) return fg_compare_all(m, &a->compared);
  a->compared = fg_problem_batch_count(&m->p->problem, m->params);
  fg_block_sample_compare(m);
  return FG_OK;
}

static fg_status run(fg_vm *m, fg_attempt *a) {
  a->outcome = FG_OUTCOME_WRONG;
  if (!fg_ram_create(m)) return FG_OK;
  int threads = m->team = is_shareable(a) ? threads_of(a) : 1;
  if (threads > 1 && !fg_shares_create(m, threads)) return begin_again(a);
  fg_status status = fg_prove_value_tables(m);
  if (status != FG_OK) return status;
  if (!create_tensors(m)) return FG_ENA;
  if (!fg_compare_own(m)) {
    a->outcome = FG_OUTCOME_NO_CALL;
    return FG_OK;
  }
  if (threads < 2)
    status = fg_vm_run(m, a->ends);
  else if (!fg_shares_run(m))
    return begin_again(a);
  if (status == FG_OK && !m->failures) {
    if (a->reals && fg_compare_known(m, 0))
      a->value_error = fg_compare_real(m);
    else if (!a->reals)
      status = compare(m, a);
  }
  a->outcome = m->failures ? m->incomplete ? FG_OUTCOME_INCOMPLETE : FG_OUTCOME_WRONG : FG_OUTCOME_DONE;
  return status;
}

typedef struct walk {
  fg_attempt *a;
  fg_proof *proof;
  fg_pool *pool;
  fg_progress progress;
} walk;

static fg_status walk_all(fg_context *cx, void *data) {
  const walk *w = data;
  fg_attempt *a = w->a;
  fg_vm *m = fg_arena_new(cx->arena, fg_vm, 1);
  *m = (fg_vm){.cx = cx, .p = a->p, .proof = w->proof, .params = a->params, .seed = a->seed, .pool = w->pool};
  m->progress = w->progress;
  set_up(m, a);
  fg_status status = run(m, a);
  fg_shares_release(m);
  return status;
}

/* A walk has an arena of its own: it needs much, and for a short time. */
static fg_status try_walk(fg_context *caller, fg_attempt *a, fg_proof *proof) {
  fg_context cx = {.arena = fg_arena_create()};
  if (!cx.arena) return FG_ENOMEM;
  if (fg_arena_guard(cx.arena)) {
    fg_arena_destroy(cx.arena);
    return FG_ENOMEM;
  }
  fg_pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};
  walk w = {.a = a, .proof = proof, .pool = &pool, .progress = caller->progress};
  fg_status status = fg_invariant_run(&cx, walk_all, &w);
  if (status != FG_OK && cx.diag.message[0]) fg_diag_set(&caller->diag, status, "%s", cx.diag.message);
  fg_arena_destroy(cx.arena);
  return status;
}

static fg_status walk_fields(fg_context *cx, fg_attempt *a, fg_proof *proof) {
  fg_status status = try_walk(cx, a, proof);
  if (status != FG_OK || a->outcome != FG_OUTCOME_AGAIN) return status;
  *proof = (fg_proof){0};
  return try_walk(cx, a, proof);
}

/* ---- field by field ------------------------------------------------------------------ */

typedef struct one_field {
  fg_context cx;
  fg_attempt a;
  fg_proof proof;
  fg_status status;
} one_field;

static void *walk_one(void *data) {
  one_field *f = data;
  f->status = walk_fields(&f->cx, &f->a, &f->proof);
  return NULL;
}

static void *walk_one_in_thread(void *data) {
  walk_one(data);
  mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); /* it keeps constants for each thread */
  return NULL;
}

/* The first one looks for races. */
static one_field field_number(const fg_attempt *a, int number) {
  one_field f = {.a = *a};
  f.a.first = number;
  f.a.fields = 1;
  f.a.seen = number > 0;
  return f;
}

/* Both are right where each of them is. */
static fg_status both(fg_context *cx, const one_field *f, fg_attempt *a, fg_proof *proof) {
  const one_field *bad = f[0].status != FG_OK || f[0].a.outcome != FG_OUTCOME_DONE ? &f[0] : &f[1];
  if (bad->status != FG_OK && bad->cx.diag.message[0]) fg_diag_set(&cx->diag, bad->status, "%s", bad->cx.diag.message);
  *proof = f[0].proof;
  memcpy(proof->failure, bad->proof.failure, sizeof proof->failure);
  a->compared = f[0].a.compared;
  a->outcome = bad->a.outcome;
  return bad->status;
}

static fg_status walk_apart(fg_context *cx, fg_attempt *a, fg_proof *proof, bool side_by_side) {
  one_field f[FG_PRIMES] = {field_number(a, 0), field_number(a, 1)};
  pthread_t thread;
  for (int i = 0; i < FG_PRIMES; i++) f[i].a.alone = side_by_side, f[i].a.in_iteration = !side_by_side;
  f[0].cx.progress = cx->progress;
  if (!side_by_side) f[1].cx.progress = cx->progress;
  bool at_once = side_by_side && !fg_thread_create(&thread, walk_one_in_thread, &f[1]);
  walk_one(&f[0]);
  if (at_once)
    pthread_join(thread, NULL);
  else if (f[0].status == FG_OK && f[0].a.outcome == FG_OUTCOME_DONE)
    walk_one(&f[1]);
  return both(cx, f, a, proof);
}

/* ---- the whole ------------------------------------------------------------------------- */

static fg_status too_large(fg_context *cx, const fg_attempt *a, double need, double have) {
  return fg_refuse(cx,
                   "proof: walking one transform of %.0f points over one field takes %.2f GiB of memory, there are "
                   "%.2f GiB; allowed: what can be proved here (FFTGEN_PROOF_MIB: how much a proof may take)",
                   (double)fg_problem_points(&a->p->problem), need * 0x1p-30, have * 0x1p-30);
}

fg_status fg_attempt_walk(fg_context *cx, fg_attempt *a, fg_proof *proof) {
  static pthread_mutex_t roomy = PTHREAD_MUTEX_INITIALIZER; /* walks that need much wait for one another */
  if (results_apart(a) == FG_APART_NOT) return a->outcome = FG_OUTCOME_NO_CALL, FG_OK;
  if (a->reals) return walk_fields(cx, a, proof);
  double need = fg_prove_memory_of_walk(a->p, a->params, a->ends, FG_PRIMES);
  double least = fg_prove_memory_of_walk(a->p, a->params, a->ends, 1);
  if (a->sample) need = fmin(need, fg_block_sample_room(a->sample)), least = fmin(least, need);
  if (need >= ROOMY_WALK) pthread_mutex_lock(&roomy);
  double have = cx->memory > 0 ? (double)cx->memory : need < ASKED_ROOM ? need : fg_prove_memory_free();
  fg_status status;
  if (least > have)
    status = too_large(cx, a, least, have);
  else if (need > have)
    status = walk_apart(cx, a, proof, false);
  else if (threads_of(a) > 1 && !is_shareable(a) && !a->sample)
    status = walk_apart(cx, a, proof, true);
  else
    status = walk_fields(cx, a, proof);
  if (need >= ROOMY_WALK) pthread_mutex_unlock(&roomy);
  return status;
}
