/* See effort.h. In: a problem, an effort, a time limit. Out: the fastest of the model's best plans, and a line of
 * wisdom about it, which later plans of the problem use.
 *
 * Candidates are proved as all kernels are, so they are timed in this process. Plan after plan is made, and only the
 * fastest is kept. A candidate that cannot be made costs only its own time. The time of a plan is the least of
 * several samples; a new plan must be faster by more than the samples vary. */
#include "runtime/plan/effort.h"
#include "generator/problem/arrays.h"
#include "runtime/load/plugin.h"
#include "runtime/plan/exec.h"
#include "runtime/plan/public.h"
#include "runtime/store/fingerprint.h"
#include "runtime/store/wisdom_file.h"
#include "runtime/version.h"
#include "targets/env.h"
#include "targets/timing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLANS = 32, MEASURED_PLANS = 6, SAMPLES = 7 };

static const double SAMPLE_SECONDS = 1e-3, MOST_SECONDS = 0.05, FASTER = 0.985; /* of a sample; of all; of the time */

typedef struct comparison {
  const char *problem;
  const fftgen_options *options;
  double deadline, step; /* step: seconds that the longest candidate took */
  fftgen_plan *best;
  double ns; /* of the best */
  int timed, most, nplan;
  char *plan[MOST_PLANS]; /* texts, from malloc */
} comparison;

static void take_plan(void *context, const char *plan) {
  comparison *c = context;
  char *copy = c->nplan < c->most ? strdup(plan) : NULL;
  if (copy) c->plan[c->nplan++] = copy;
}

/* Seconds of `count` executions. */
static double run(const fftgen_plan *p, const fftgen_arrays *a, int64_t count) {
  double begin = fg_timing_now();
  for (int64_t i = 0; i < count; i++) fftgen_execute_arrays(p, a);
  return fg_timing_now() - begin;
}

/* The least of some samples, each long enough for the clock: what else the machine does only adds. */
static double least_ns(const fftgen_plan *p, const fftgen_arrays *a) {
  int64_t count = 1;
  double seconds = run(p, a, 1), least;
  while ((seconds = run(p, a, count)) < SAMPLE_SECONDS) count *= seconds > 0 && SAMPLE_SECONDS / seconds < 2 ? 2 : 4;
  least = seconds / (double)count;
  double stop = fg_timing_now() + MOST_SECONDS;
  for (int i = 1; i < SAMPLES && fg_timing_now() < stop; i++) {
    seconds = run(p, a, count) / (double)count;
    if (seconds < least) least = seconds;
  }
  return least * 1e9;
}

/* Numbers of any type: random signs and mantissas, with the exponent of 1/2; of whole numbers random bits. */
static void fill(void *array, size_t bytes, fg_precision type) {
  static const uint64_t keep[FG_STORAGE_COUNT] = {
      [FG_F16] = 0x83ff83ff83ff83ff, [FG_BF16] = 0x807f807f807f807f, [FG_F32] = 0x807fffff807fffff,
      [FG_F64] = 0x800fffffffffffff, [FG_U8] = UINT64_MAX,           [FG_I16] = UINT64_MAX};
  static const uint64_t exponent[FG_STORAGE_COUNT] = {[FG_F16] = 0x3800380038003800,
                                                      [FG_BF16] = 0x3f003f003f003f00,
                                                      [FG_F32] = 0x3f0000003f000000,
                                                      [FG_F64] = 0x3fe0000000000000};
  uint64_t word = 1;
  for (size_t i = 0; i < bytes; i += sizeof word) {
    word = word * 6364136223846793005u + 1442695040888963407u; /* Knuth's, its high bits in all places */
    uint64_t number = ((word ^ word >> 32) & keep[type]) | exponent[type];
    memcpy((char *)array + i, &number, bytes - i < sizeof number ? bytes - i : sizeof number);
  }
}

/* Random numbers; in place zeros, which do not leave the range of numbers, however often a plan works on its results.
 */
static double time_plan(const comparison *c, const fftgen_plan *p) {
  fftgen_info info = {.size = sizeof info};
  fftgen_allocator m = fg_public_allocator(c->options);
  if (fftgen_plan_info(p, &info) != FFTGEN_OK) return 0;
  size_t most = info.in_bytes > info.out_bytes ? info.in_bytes : info.out_bytes;
  void *in = m.allocate(m.context, most, FG_PUBLIC_ALIGN), *out = m.allocate(m.context, most, FG_PUBLIC_ALIGN);
  double ns = 0;
  if (in && out) {
    fg_problem problem;
    fg_context cx = {.arena = fg_arena_create()};
    bool read = cx.arena && !fg_arena_guard(cx.arena) && fg_problem_parse(&cx, c->problem, &problem) == FG_OK;
    memset(in, 0, most);
    memset(out, 0, most);
    if (read && !problem.in_place) fill(in, info.in_bytes, fg_problem_stored(&problem, false));
    fg_arena_destroy(cx.arena);
    fftgen_arrays a = fg_exec_arrays(p, in, out);
    ns = least_ns(p, &a);
  }
  if (in) m.release(m.context, in);
  if (out) m.release(m.context, out);
  return ns;
}

/* Times a plan against the best one so far, and keeps the faster of the two. */
static void compare(comparison *c, fftgen_plan *p) {
  double ns = time_plan(c, p);
  c->timed += ns > 0;
  bool wins = ns > 0 && (!c->best || c->ns == 0 || ns < FASTER * c->ns);
  fftgen_plan *loser = wins ? c->best : p;
  if (wins) c->best = p, c->ns = ns;
  if (loser != c->best) fftgen_plan_destroy(loser);
}

static void try_plans(comparison *c, const char *first) {
  fftgen_options o = *c->options;
  o.flags |= FFTGEN_NO_WISDOM | FFTGEN_NO_LINKED | FFTGEN_NO_PACK;
  for (int i = 0; i < c->nplan; i++) {
    fftgen_plan *p = NULL;
    double begin = fg_timing_now();
    if (begin + c->step > c->deadline) break;
    o.plan = c->plan[i];
    if (strcmp(o.plan, first) && fg_exec_make(c->problem, &o, &p, NULL) == FFTGEN_OK) compare(c, p);
    c->step = fmax(c->step, fg_timing_now() - begin);
  }
}

static void ask_for_plans(comparison *c, fg_context *cx) {
  const char *why;
  fg_jit_result result;
  const fg_jit *j = fg_plugin_find(cx, &why);
  fg_jit_request request = {.problem = c->problem};
  if (j) j->plans(&request, c->most, take_plan, c, &result);
}

/* Advice that cannot be written costs the next plan its time, no more. */
static void write_line(const comparison *c, fg_context *cx) {
  fftgen_info info = {.size = sizeof info};
  const fftgen_options *o = c->options;
  const char *path = o->wisdom ? o->wisdom : fg_wisdom_path(cx->arena);
  if (!path || (o->flags & FFTGEN_NO_WISDOM) || fftgen_plan_info(c->best, &info) != FFTGEN_OK) return;
  fg_wisdom_entry e = {.device = fg_fingerprint_host(),
                       .problem = info.problem,
                       .target = fg_env_compiler() ? "c" : "llvm",
                       .plan = info.plan,
                       .isa = info.isa,
                       .ns = c->ns,
                       .spread = -1, /* the least of some samples */
                       .compiler = "libfftgen",
                       .kind = "",
                       .flags = "",
                       .generator = fg_version,
                       .final = o->effort == FFTGEN_PATIENT};
  if (fg_wisdom_add(cx, path, &e, 1, (fg_wisdom_warn){o->warning, o->warning_context}) != FG_OK && o->warning)
    o->warning(o->warning_context, cx->diag.message);
}

static fg_status hold(fg_context *cx, comparison *c) {
  fftgen_info info = {.size = sizeof info};
  if (fg_arena_guard(cx->arena)) return FG_ENOMEM;
  if (fftgen_plan_info(c->best, &info) != FFTGEN_OK) return FG_OK;
  const char *first = fg_arena_strdup(cx->arena, info.plan); /* the plan may be destroyed when others are compared */
  if ((c->ns = time_plan(c, c->best)) > 0) c->timed++;
  if (fg_timing_now() + c->step > c->deadline) return FG_OK;
  ask_for_plans(c, cx);
  try_plans(c, first);
  if (c->timed > 1) write_line(c, cx);
  return FG_OK;
}

/* Why nothing is measured; NULL: it is. */
static const char *settled(const fftgen_plan *p, const fftgen_options *o) {
  const fg_loaded *l = fg_exec_loaded(p);
  if (o->plan) return "the plan is given";
  if (!strcmp(l->origin, "none")) return "the batch has no transforms";
  if (o->arch) return "planned for another machine";
  if (o->flags & FFTGEN_NO_JIT) return "other plans cannot be made: FFTGEN_NO_JIT";
  if (!strcmp(l->origin, "linked") || !strcmp(l->origin, "pack")) return "the kernel came with the program";
  if (l->final || (l->measured && o->effort == FFTGEN_MEASURE)) return "wisdom has it";
  if (!fg_exec_runs_alone(p)) return "it depends on parameters or arrays of the caller's; fftgen tune";
  return NULL;
}

fftgen_status fg_effort_make(const char *problem, const fftgen_options *o, fftgen_plan **plan, fftgen_error *error) {
  double begin = fg_timing_now();
  fftgen_status status = fg_exec_make(problem, o, plan, error);
  if (status != FFTGEN_OK || o->effort == FFTGEN_ESTIMATE) return status;
  const char *why = settled(*plan, o);
  if (why) return fg_exec_remark(*plan, "effort", why), status;
  bool patient = o->effort == FFTGEN_PATIENT;
  comparison c = {.problem = problem, .options = o, .best = *plan, .most = patient ? MOST_PLANS : MEASURED_PLANS};
  c.step = fg_timing_now() - begin;
  c.deadline = o->time_limit > 0 ? begin + o->time_limit : fg_timing_now() + (patient ? 20 : 1);
  fg_context cx = {.arena = fg_arena_create()};
  if (cx.arena) hold(&cx, &c); /* without memory the first plan stays */
  fg_arena_destroy(cx.arena);
  for (int i = 0; i < c.nplan; i++) free(c.plan[i]);
  *plan = c.best;
  if (c.ns > 0) fg_exec_measured(c.best, c.ns);
  fg_exec_remark(*plan, "effort", c.timed > 1 ? "the fastest of those that were timed" : "no other plan was timed");
  return FFTGEN_OK;
}
