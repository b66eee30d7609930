/* See run.h. Everything that is compared alternates, round by round, so that disturbances of the machine affect all
 * alike. */
#include "tuning/portability/run.h"
#include "generator/pipeline/pipeline.h"
#include "generator/problem/arrays.h"
#include "generator/prove/prove.h"
#include "targets/timing.h"
#include "tuning/baselines/baselines.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/copy.h"
#include "tuning/measure/reference.h"
#include "tuning/measure/roof.h"
#include "tuning/measure/verify.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5 };

const char *const fg_port_inputs[FG_PORT_INPUTS] = {"random numbers", "f(x) = x"};

typedef struct contender {
  const fg_device *device;
  fg_module *module;
  double round[ROUNDS];
} contender;

typedef struct child {
  const fg_port_task *task;
  fg_port_result *out;
  fg_context cx;
  fg_compilation base; /* the problem, and its candidates */
  const int64_t *params;
  fg_geometry geometry;
  fg_arrays arrays;
  fg_call call;
  fg_truths *truths;
  contender ours[FG_PORT_PLANS], theirs[FG_PORT_RIVALS];
} child;

static fg_request request_for(const child *k, const char *plan) {
  const fg_port_backend *w = k->task->backend;
  return (fg_request){.problem = k->task->problem,
                      .target = w->device->dialect,
                      .isa = w->device->has_lanes ? "native" : "scalar",
                      .plan = plan,
                      .facts = w->facts.local_bytes ? &w->facts : NULL,
                      .entry = true};
}

/* The error, in words; the next run may fail, too. */
static void take_complaint(child *k, fg_status status, char why[FG_WHY_SIZE]) {
  snprintf(why, FG_WHY_SIZE, "%.500s", k->cx.diag.message[0] ? k->cx.diag.message : fg_status_name(status));
  fg_diag_clear(&k->cx.diag);
}

/* ---- ours -------------------------------------------------------------------- */

static void name_plans(child *k) {
  fg_port_result *r = k->out;
  int given = k->task->nplan,
      most = k->task->candidates < k->base.ncandidate ? k->task->candidates : k->base.ncandidate;
  r->nplan = given ? given : most;
  for (int i = 0; i < r->nplan; i++)
    snprintf(r->plan[i].text, sizeof r->plan[i].text, "%s",
             given ? k->task->plan[i] : fg_plan_print(&k->cx, k->base.candidate[i].plan));
}

static fg_status verify(child *k, const fg_device *d, fg_module *m, bool ours, double *l2) {
  fg_verified v = {.ok = false};
  fg_verify_options o = {.params = k->params,
                         .inputs = 1,
                         .no_properties = true,
                         .unscaled = !ours,
                         .seed = k->task->seed,
                         .truths = k->truths};
  fg_status status = fg_verify(&k->cx, &k->base.problem, d, m, &o, &v);
  *l2 = v.l2;
  if (status == FG_OK && !v.ok) return fg_diag_set(&k->cx.diag, FG_EWRONG, "computes wrongly: %s", v.why);
  return status;
}

static fg_status build_plan(child *k, int i) {
  char why[FG_WHY_SIZE] = "";
  fg_port_plan *p = &k->out->plan[i];
  fg_compilation *c = fg_arena_new(k->cx.arena, fg_compilation, 1);
  contender *us = &k->ours[i];
  fg_request request = request_for(k, p->text);
  us->device = k->task->backend->device;
  fg_status status = fg_pipeline_parse(&k->cx, &request, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) status = fg_pipeline_produce(c);
  if (status != FG_OK) return status;
  double start = fg_timing_now();
  if (us->device->build(&c->emitted.artifact, &us->module, why)) return fg_diag_set(&k->cx.diag, FG_ESYS, "%s", why);
  p->build_seconds = fg_timing_now() - start;
  p->flops = c->chosen.cost.flops;
  p->fallbacks = c->chosen.program->nfallback;
  return verify(k, us->device, us->module, true, &p->l2);
}

/* A plan that cannot be made here says why, and the others are run. */
static int build_plans(child *k) {
  int here = 0;
  for (int i = 0; i < k->out->nplan; i++) {
    fg_status status = build_plan(k, i);
    if (status == FG_OK) {
      here++;
      continue;
    }
    take_complaint(k, status, k->out->plan[i].why);
    if (k->ours[i].module) k->ours[i].device->destroy(k->ours[i].module);
    k->ours[i].module = NULL;
  }
  return here;
}

/* ---- theirs ------------------------------------------------------------------ */

static void build_rival(child *k, const fg_rival *r) {
  fg_port_rival *p = &k->out->rival[k->out->nrival];
  contender *they = &k->theirs[k->out->nrival++];
  they->device = r->as_device;
  snprintf(p->name, sizeof p->name, "%s", r->name);
  if (r->create(&k->base.problem, k->params, k->task->effort, &they->module, p->why)) {
    they->module = NULL;
    return;
  }
  fg_status status = verify(k, they->device, they->module, false, &p->l2);
  if (status == FG_OK) return;
  take_complaint(k, status, p->why);
  they->device->destroy(they->module);
  they->module = NULL;
}

static void build_rivals(child *k) {
  const fg_rival *r;
  for (int i = 0; i < FG_PORT_RIVALS && (r = fg_rival_of(k->task->backend->device, i)); i++) build_rival(k, r);
}

/* ---- time -------------------------------------------------------------------- */

static void make_arrays(child *k) {
  fg_arrays_create(&k->cx, &k->base.problem, &k->geometry, &k->arrays);
  fg_arrays_fill(&k->arrays, &k->geometry, k->task->seed);
  k->call = (fg_call){.slot = k->arrays.slot, .bytes = k->arrays.bytes, .params = k->params};
}

/* In place, transforms of transforms would leave the range of numbers: zeros stay. */
static void make_zeros(child *k) {
  for (int i = 0; k->arrays.in_place && i < k->arrays.nslot; i++) memset(k->arrays.slot[i], 0, k->arrays.bytes[i]);
}

/* One that fails is out. */
static void time_round(child *k, contender *c, int round, char why[FG_WHY_SIZE]) {
  if (!c->module || !c->device->time(c->module, &k->call, k->task->seconds / ROUNDS, &c->round[round], why)) return;
  c->device->destroy(c->module);
  c->module = NULL;
}

static void time_all(child *k) {
  fg_port_result *r = k->out;
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < r->nplan; i++) time_round(k, &k->ours[i], round, r->plan[i].why);
    for (int i = 0; i < r->nrival; i++) time_round(k, &k->theirs[i], round, r->rival[i].why);
  }
  r->best = -1;
  for (int i = 0; i < r->nplan; i++) {
    if (!k->ours[i].module) continue;
    r->plan[i].why[0] = 0;
    r->plan[i].ns = fg_timing_median(k->ours[i].round, ROUNDS);
    if (r->best < 0 || r->plan[i].ns < r->plan[r->best].ns) r->best = i;
  }
  for (int i = 0; i < r->nrival; i++)
    if (k->theirs[i].module) r->rival[i].why[0] = 0, r->rival[i].ns = fg_timing_median(k->theirs[i].round, ROUNDS);
}

/* ---- limits ------------------------------------------------------------------- */

/* What this CPU can do at best, whatever the language: measured by the C compiler. */
static double cpu_flops(const child *k) {
  fg_roof roof;
  fg_device_facts facts;
  char why[FG_WHY_SIZE];
  const fg_device *cc = fg_device_find("cc");
  if (!k->task->backend->threads || cc->probe(&facts, why)) return 0;
  memset(facts.cache, 0, sizeof facts.cache); /* copies are measured below, at the problem's size */
  fg_roof_measure(cc, &facts, fg_isa_native()->name, k->base.problem.compute, &roof);
  return roof.flops;
}

static int find_limits(child *k, char why[FG_WHY_SIZE]) {
  fg_port_result *r = k->out;
  const fg_geometry *g = &k->geometry;
  const fg_port_backend *w = k->task->backend;
  int64_t in = (g->real_in ? 1 : 2) * g->count_in * fg_precision_bytes(fg_problem_stored(&k->base.problem, false));
  int64_t out = (g->real_out ? 1 : 2) * g->count_out * fg_precision_bytes(fg_problem_stored(&k->base.problem, true));
  size_t half = (size_t)((in + out) * g->transforms) / 2;
  double seconds = k->task->seconds / 2, other;
  char missed[FG_WHY_SIZE];
  if (fg_copy_measure(w->device, half, seconds, &r->copy_ns, why)) return 1;
  /* A CPU's own memcpy may be better than what is copied through a driver. */
  if (w->threads && !w->device->on_host && !fg_copy_measure(fg_device_find("cc"), half, seconds, &other, missed))
    r->copy_ns = fmin(r->copy_ns, other);
  double flops = cpu_flops(k);
  if (flops > 0) r->roof_ns = (double)r->plan[r->best].flops / flops;
  return 0;
}

/* ---- one by one ----------------------------------------------------------------- */

static int launch(child *k, const contender *c, fg_port_launches *l, char why[FG_WHY_SIZE]) {
  enum { LONGEST = 5 }; /* seconds */
  fg_samples s = {.most = k->task->samples, .seconds = LONGEST, .total = l->total, .inside = l->inside};
  if (!c->module) return 0;
  if (c->device->sample(c->module, &k->call, &s, why)) return 1;
  l->count = s.count;
  l->has_inside = s.has_inside;
  return 0;
}

/* ---- outputs -------------------------------------------------------------------- */

static int keep_output(child *k, const contender *us, int input) {
  char why[FG_WHY_SIZE];
  const fg_geometry *g = &k->geometry;
  int64_t longest = g->count_in > g->count_out ? g->count_in : g->count_out;
  double *x = calloc((size_t)longest, 2 * sizeof *x);
  fg_arrays_fill(&k->arrays, g, k->task->seed);
  if (input == 1)
    for (int64_t i = 0; x && i < g->count_in; i++) x[2 * i] = (double)i;
  if (x && input == 1) fg_arrays_put_input(&k->arrays, g, 0, x);
  int bad = !x || us->device->run(us->module, &k->call, why);
  if (!bad) fg_arrays_get_output(&k->arrays, g, 0, x);
  if (!bad) memcpy(k->out->output + 2 * input * k->out->bins, x, 2 * sizeof *x * (size_t)k->out->bins);
  free(x);
  return bad;
}

static void keep_outputs(child *k) {
  k->out->has_output = true;
  for (int i = 0; i < FG_PORT_INPUTS; i++)
    if (keep_output(k, &k->ours[k->out->best], i)) k->out->has_output = false;
}

/* ---- all of it ------------------------------------------------------------------ */

static const int64_t *lowest_params(fg_context *cx, const fg_problem *p) {
  int64_t *value = fg_arena_new(cx->arena, int64_t, p->nparam + 1);
  fg_settings_lowest(p, NULL, value);
  return value;
}

static fg_status prepare(child *k) {
  fg_request request = request_for(k, k->task->nplan ? k->task->plan[0] : NULL);
  fg_status status = fg_pipeline_parse(&k->cx, &request, &k->base);
  if (status == FG_OK && !k->task->nplan) status = fg_pipeline_decide(&k->base);
  if (status != FG_OK) return status;
  k->params = lowest_params(&k->cx, &k->base.problem);
  fg_geometry_create(&k->cx, &k->base.problem, k->params, &k->geometry);
  name_plans(k);
  return FG_OK;
}

static fg_status measure(child *k) {
  char why[FG_WHY_SIZE] = "";
  bool alone = k->task->nplan > 0;
  if (fg_port_backend_enter(k->task->backend, why)) return fg_diag_set(&k->cx.diag, FG_ESYS, "%s", why);
  fg_status status = prepare(k);
  if (status != FG_OK) return status;
  if (!build_plans(k)) return fg_diag_set(&k->cx.diag, FG_ENA, "%s", k->out->nplan ? k->out->plan[0].why : "no plan");
  if (!alone) build_rivals(k);
  make_arrays(k);
  make_zeros(k);
  time_all(k);
  if (k->out->best < 0) return fg_diag_set(&k->cx.diag, FG_ESYS, "%s", k->out->plan[0].why);
  if (alone) return FG_OK;
  if (launch(k, &k->ours[k->out->best], &k->out->launches, why)) return fg_diag_set(&k->cx.diag, FG_ESYS, "%s", why);
  for (int i = 0; i < k->out->nrival; i++)
    (void)launch(k, &k->theirs[i], &k->out->rival[i].launches, k->out->rival[i].why);
  keep_outputs(k);
  return find_limits(k, why) ? fg_diag_set(&k->cx.diag, FG_ESYS, "%s", why) : FG_OK;
}

typedef struct job {
  const fg_port_task *task;
  fg_port_result *out;
} job;

static void be_child(void *context) {
  static child k;
  const job *j = context;
  k = (child){.task = j->task, .out = j->out, .cx = {.arena = fg_arena_create()}, .truths = fg_truths_create()};
  fg_status status = FG_ENOMEM;
  snprintf(j->out->why, sizeof j->out->why, "out of memory");
  if (!k.cx.arena || fg_arena_guard(k.cx.arena)) return;
  status = measure(&k);
  j->out->why[0] = 0;
  if (status != FG_OK) take_complaint(&k, status, j->out->why);
}

size_t fg_port_result_bytes(int64_t bins) {
  return sizeof(fg_port_result) + sizeof(double) * 2 * FG_PORT_INPUTS * (size_t)bins;
}

void fg_port_run(const fg_port_task *t, fg_port_patience patience, fg_port_result *out) {
  char why[FG_WHY_SIZE] = "";
  if (fg_port_in_child(be_child, &(job){t, out}, patience, why)) snprintf(out->why, sizeof out->why, "%s", why);
}
