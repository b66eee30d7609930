/* Executions on CPUs. In: a plan, arrays, what a call says beside them. Out: results.
 *
 * An execution claims one piece of the plan's scratch by an atomic exchange. Small scratch is on the caller's stack. */
#define FFTGEN_NO_INLINE
#include "runtime/include/fftgen/shared.h"
#include "runtime/plan/exec_plan.h"
#include "runtime/plan/full.h"
#include "runtime/plan/halves.h"
#include "runtime/plan/staged.h"
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

typedef struct run { /* one call, or one part of it */
  const fftgen_plan *plan;
  const fftgen_arrays *arrays;
  int parts; /* that it is divided into, at most */
} run;

/* Pointers of the arrays into their places, `from` transforms into the batch. */
static void place_arrays(const run *r, int64_t from, void **place) {
  const fftgen_plan *p = r->plan;
  const fftgen_arrays *a = r->arrays;
  const int64_t *params = (const int64_t *)a->params;
  int64_t in = 0, out = 0;
  if (from) {
    in = from * fg_num_value(p->cut.is, params) * p->cut.in_bytes;
    out = from * fg_num_value(p->cut.os, params) * p->cut.out_bytes;
  }
  bool in_place = p->problem.in_place;
  const char *to = in_place ? a->in : a->out, *to_im = in_place ? a->in_im : a->out_im;
  place[p->in] = (char *)a->in + in;
  if (p->split_in) place[p->in + 1] = (char *)a->in_im + in;
  place[p->out] = (char *)to + out;
  if (p->split_out) place[p->out + 1] = (char *)to_im + out;
  for (int i = 0; i < p->nplace && p->ngiven; i++) {
    int given = p->given_at[i] - 1;
    if (given < 0) continue;
    int64_t later = from ? from * fg_num_value(p->cut.given[given], params) : 0;
    place[i] = (char *)(uintptr_t)a->given[given] + later;
  }
}

typedef struct step { /* what the parts of a step share */
  const fftgen_plan *plan;
  void *const *place;
  const long long *param;
  int number, parts;
} step;

static void run_part(void *data, int part) {
  const step *s = data;
  s->plan->host.kernel->part(s->place, s->param, s->number, part, s->parts);
}

static void run_steps(const fftgen_plan *p, int parts, void *const *place, const long long *param) {
  for (int i = 0; i < p->host.kernel->steps; i++) {
    step s = {p, place, param, i, parts};
    p->parallel_for(p->parallel_context, parts, run_part, &s);
  }
}

static void call(const run *r, int64_t from, int64_t count, char *scratch) {
  const fftgen_plan *p = r->plan;
  void *place[FG_EXEC_PLACES];
  long long param[FG_EXEC_PARAMS];
  const fftgen_kernel *k = p->host.kernel;
  for (int i = 0; i < p->nplace; i++) place[i] = p->work_at[i] ? scratch + p->work_at[i] - 1 : p->table[i];
  place_arrays(r, from, place);
  for (int i = 0, given = 0; i < k->nparam; i++)
    param[i] = p->cut.parts > 1 && i == p->cut.param ? count : r->arrays->params[given++];
  int parts = p->parts < r->parts ? p->parts : r->parts;
  if (parts > 1)
    run_steps(p, parts, place, param);
  else
    k->entry(place, param);
}

fg_exec_slot *fg_exec_claim(const fftgen_plan *p) {
  for (;;) {
    for (int i = 0; i < p->nslot; i++)
      if (!atomic_exchange_explicit(&p->slot[i].busy, true, memory_order_acquire)) return &p->slot[i];
    sched_yield();
  }
}

static void __attribute__((noinline)) call_on_stack(const run *r, int64_t from, int64_t count) {
  char memory[FG_EXEC_STACK + FG_EXEC_ALIGN];
  call(r, from, count, memory + (FG_EXEC_ALIGN - (uintptr_t)memory % FG_EXEC_ALIGN));
}

static void call_with_slot(const run *r, int64_t from, int64_t count) {
  fg_exec_slot *s = fg_exec_claim(r->plan);
  call(r, from, count, s->memory);
  atomic_store_explicit(&s->busy, false, memory_order_release);
}

static void execute_some(const run *r, int64_t from, int64_t count) {
  if (!r->plan->scratch)
    call(r, from, count, NULL);
  else if (r->plan->scratch <= FG_EXEC_STACK)
    call_on_stack(r, from, count);
  else
    call_with_slot(r, from, count);
}

static void execute_part(void *data, int part) {
  const run *r = data;
  const fg_exec_cut *c = &r->plan->cut;
  int64_t from = c->count / r->parts * part + (part < c->count % r->parts ? part : c->count % r->parts);
  execute_some(r, from, c->count / r->parts + (part < c->count % r->parts));
}

/* NULL, or what is wrong. The factor of a call is not the caller's to bring. */
static const char *wrong_arrays(const fftgen_plan *p, const fftgen_arrays *a) {
  const fg_problem *q = &p->problem;
  if (!a->in || (p->split_in && !a->in_im)) return "no input";
  if (q->in_place && a->out && a->out != a->in) return "the problem is in place: no other output";
  if (!q->in_place && (!a->out || (p->split_out && !a->out_im))) return "no output";
  if (!q->in_place && a->out == a->in) return "the problem is out of place: another output than the input";
  int given = p->ngiven - (p->scale_at > 0);
  for (int i = 0; i < given; i++)
    if (!a->given || !a->given[i]) return "an array that load=, store= or conv takes is missing";
  return NULL;
}

static void execute(const run *r) {
  const fftgen_plan *p = r->plan;
  if (p->cut.parts > 1 && r->parts > 1)
    p->parallel_for(p->parallel_context, r->parts, execute_part, (void *)(uintptr_t)r);
  else if (r->arrays->scratch && p->cut.parts == 1)
    call(r, 0, 0, r->arrays->scratch);
  else
    execute_some(r, 0, p->cut.count);
}

/* With the factor among the caller's arrays. */
static void execute_scaled(const run *r, double scale) {
  const fftgen_plan *p = r->plan;
  const void *given[FG_EXEC_GIVEN + 1];
  float single = (float)scale;
  int at = p->scale_at - 1;
  for (int i = 0; i < p->ngiven; i++)
    if (i != at) given[i] = r->arrays->given[i - (i > at)];
  given[at] = p->problem.compute == FG_F64 ? (const void *)&scale : &single;
  fftgen_arrays a = *r->arrays;
  a.given = given;
  execute(&(run){p, &a, r->parts});
}

static const char *wrong_call(const fftgen_plan *p, const fftgen_call *c) {
  const char *wrong = NULL;
  if (c->threads < 0) return "fftgen_call.threads: 1 and more, 0: as many as the plan has";
  if (!isfinite(c->scale)) return "fftgen_call.scale: a finite number";
  if (p->problem.compute != FG_F64 && !isfinite((float)c->scale))
    return "fftgen_call.scale: a number that a float holds";
  if (p->staged) wrong = fg_staged_wrong(p, c);
  if (!p->staged && (c->in_lengths || c->out_lengths))
    return "fftgen_call.in_lengths, out_lengths: of structs with FFTGEN_CALL_LENGTHS";
  if (wrong) return wrong;
  if (c->scale != 0 && c->scale != 1 && !p->scale_at) return "fftgen_call.scale: of problems with FFTGEN_CALL_SCALE";
  return NULL;
}

/* NULL, or what is wrong; then nothing was written. */
static const char *execute_checked(const fftgen_plan *p, const fftgen_arrays *a, const fftgen_call *c) {
  if (!fg_public_params_fit(&p->problem, a->params)) return "run-time parameters: missing, or not in their ranges";
  const char *wrong = wrong_call(p, c);
  if (wrong || fg_public_is_empty(&p->problem, a->params)) return wrong;
  if ((wrong = wrong_arrays(p, a))) return wrong;
  int most = p->cut.parts > 1 ? p->cut.parts : p->parts;
  run r = {p, a, c->threads && c->threads < most ? c->threads : most};
  if (p->staged)
    fg_staged_execute(p, a, c, r.parts);
  else if (p->halves)
    fg_halves_execute(p, a, c->scale != 0 ? c->scale : 1, r.parts);
  else if (p->scale_at)
    execute_scaled(&r, c->scale != 0 ? c->scale : 1);
  else
    execute(&r);
  if (p->full) fg_full_fill(p, a);
  return NULL;
}

fftgen_status fftgen_execute_arrays(const fftgen_plan *p, const fftgen_arrays *a) {
  static const fftgen_call usual = {.scale = 1};
  return p && a && !execute_checked(p, a, &usual) ? FFTGEN_OK : FFTGEN_EPROBLEM;
}

fftgen_status fftgen_execute_call(const fftgen_plan *p, const fftgen_arrays *a, const fftgen_call *given,
                                  fftgen_error *error) {
  fftgen_call c = {.scale = 1};
  if (!p || !a) return fg_public_tell(error, FFTGEN_EPROBLEM, "no plan or no arrays");
  if (given && given->size < sizeof given->size)
    return fg_public_tell(error, FFTGEN_EPROBLEM, "fftgen_call.size must be sizeof(fftgen_call)");
  if (given) memcpy(&c, given, given->size < sizeof c ? given->size : sizeof c);
  const char *wrong = execute_checked(p, a, &c);
  return wrong ? fg_public_tell(error, FFTGEN_EPROBLEM, wrong) : fg_public_tell(error, FFTGEN_OK, "");
}

static void __attribute__((noinline)) call_plain_on_stack(const fftgen_plan *p, void **place) {
  char memory[FG_EXEC_STACK + FG_EXEC_ALIGN], *scratch = memory + (FG_EXEC_ALIGN - (uintptr_t)memory % FG_EXEC_ALIGN);
  for (int i = 0; i < p->nplace; i++)
    if (p->work_at[i]) place[i] = scratch + p->work_at[i] - 1;
  p->entry(place, NULL);
}

static void __attribute__((noinline)) call_plain(const fftgen_plan *p, const void *in, void *out) {
  void *place[FG_EXEC_FEW];
  memcpy(place, p->fixed, sizeof place);
  place[p->in] = (void *)(uintptr_t)in;
  place[p->out] = p->in_place ? place[p->in] : out;
  if (p->works)
    call_plain_on_stack(p, place);
  else
    p->entry(place, NULL);
}

fftgen_status fftgen_execute_called(const fftgen_plan *p, const void *in, void *out) {
  if (!p || !in || (!out || out == in) != p->in_place || !p->entry)
    return fftgen_execute_arrays(p, &(fftgen_arrays){.in = in, .out = out});
  if (p->inside)
    p->inside(in, out);
  else
    call_plain(p, in, out);
  return FFTGEN_OK;
}

fftgen_status fftgen_execute(const fftgen_plan *p, const void *in, void *out) {
  if (!p || !p->direct || !in || !out || in == out) return fftgen_execute_called(p, in, out);
  p->direct(in, out);
  return FFTGEN_OK;
}
