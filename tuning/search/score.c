/* See score.h. Both choices are built again and timed alternately, FFTW's plans among them; the least of many short
 * timings counts. */
#include "tuning/search/score.h"
#include "generator/prove/prove.h"
#include "targets/timing.h"
#include "tuning/baselines/fftw.h"
#include "tuning/measure/arrays.h"
#include "tuning/search/candidates.h"
#include <math.h>
#include <string.h>

enum { ROUNDS = 9 };
static const double slice = 6e-3, patience = 120;

const char *const fg_score_problems[] = {"c2c f32 n=4",           "c2c f32 n=6",
                                         "c2c f32 n=10",          "c2c f32 n=24",
                                         "c2c f32 n=32",          "c2c f32 n=36",
                                         "c2c f32 n=48",          "c2c f32 n=64",
                                         "c2c f32 n=80",          "c2c f32 n=120",
                                         "c2c f32 n=256",         "c2c f32 n=360",
                                         "c2c f32 n=512",         "c2c f32 n=729",
                                         "c2c f32 n=960",         "c2c f32 n=2000",
                                         "c2c f32 n=2048",        "c2c f32 n=4096",
                                         "c2c f32 n=6000",        "c2c f32 n=10000",
                                         "c2c f32 n=16384",       "c2c f32 n=2003",
                                         "c2c f32 n=32768",       "c2c f32 n=32 batch=256",
                                         "c2c f64 n=4",           "c2c f64 n=12",
                                         "c2c f64 n=20",          "c2c f64 n=32",
                                         "c2c f64 n=64",          "c2c f64 n=100",
                                         "c2c f64 n=256",         "c2c f64 n=512",
                                         "c2c f64 n=1000",        "c2c f64 n=2048",
                                         "c2c f64 n=4096",        "c2c f64 n=16384",
                                         "c2c f64 n=24 batch=64", NULL};

typedef struct match {
  fg_context *cx;
  const fg_compilation *c;
  const fg_search_options *o;
  fg_score *out;
  fg_worker_pool *pool;
  fg_work work[2];    /* estimated, tuned */
  fg_module *peer[2]; /* ESTIMATE, MEASURE; NULL: none */
  fg_call call;
} match;

static bool stopped(const match *m) { return m->o->stop && *m->o->stop; }

static bool same(const fg_candidate *a, const fg_candidate *b) {
  bool compiler = a->compiler && b->compiler ? !strcmp(a->compiler, b->compiler) : a->compiler == b->compiler;
  return compiler && !strcmp(a->plan, b->plan) && !strcmp(a->isa, b->isa);
}

static fg_status build(match *m, int i, const fg_candidate *k) {
  fg_work *w = &m->work[i];
  const fg_build b = {.plan = k->plan, .isa = k->isa, .compiler = k->compiler};
  fg_worker_pool_build(m->pool, w, i, &b, patience);
  bool built = fg_worker_pool_await(m->pool, w, fg_timing_now() + patience, m->o->stop);
  if (built && w->state == FG_WORK_BUILT) {
    fg_worker_pool_check(m->pool, w, patience);
    fg_worker_pool_await(m->pool, w, fg_timing_now() + patience, m->o->stop);
  }
  if (w->state == FG_WORK_READY) return FG_OK;
  return fg_diag_set(&m->cx->diag, FG_EWRONG, "problem \"%s\" by %s: %s", m->c->request.problem, k->plan,
                     w->why[0] ? w->why : "not ready in time");
}

static fg_worker_pool *make_pool(match *m) {
  const fg_drawn *drawn;
  fg_context quiet = {.arena = m->cx->arena};
  bool has_truth = fg_drawn_create(&quiet, &m->c->problem, m->o->params, 0, &drawn) == FG_OK;
  const fg_worker_task common = {.device = m->o->device,
                                 .facts = m->o->facts,
                                 .problem = m->c->request.problem,
                                 .params = m->o->params,
                                 .drawn = has_truth ? drawn : NULL};
  return fg_worker_pool_create(m->cx, &common);
}

static void plan_peers(match *m) {
  char why[FG_WHY_SIZE];
  const fg_problem *p = &m->c->problem;
  int64_t *params = fg_arena_new(m->cx->arena, int64_t, p->nparam + 1);
  fg_settings_lowest(p, NULL, params);
  for (int i = 0; i < p->nparam && m->o->params; i++) params[i] = m->o->params[i];
  if (fg_peer_create(p, params, FG_EFFORT_ESTIMATE, &m->peer[0], why)) return;
  if (fg_peer_create(p, params, FG_EFFORT_MEASURE, &m->peer[1], why)) return;
  fg_geometry *g = fg_arena_new(m->cx->arena, fg_geometry, 1);
  fg_arrays *a = fg_arena_new(m->cx->arena, fg_arrays, 1);
  fg_geometry_create(m->cx, p, params, g);
  fg_arrays_create(m->cx, p, g, a);
  for (int i = 0; i < a->nslot; i++) memset(a->slot[i], 0, a->bytes[i]);
  m->call = (fg_call){.slot = a->slot, .bytes = a->bytes, .params = params};
}

static void take(double *least, double ns) {
  if (ns > 0 && (*least == 0 || ns < *least)) *least = ns;
}

static void time_work(match *m, fg_work *w, double *least) {
  if (w->state != FG_WORK_READY) return;
  fg_worker_pool_time(m->pool, w, slice, patience);
  fg_worker_pool_await(m->pool, w, fg_timing_now() + patience, m->o->stop);
  if (w->state == FG_WORK_READY) take(least, w->ns);
}

static void time_peer(match *m, fg_module *peer, double *least) {
  char why[FG_WHY_SIZE];
  double ns;
  if (peer && !fg_peer_device.time(peer, &m->call, slice, &ns, why)) take(least, ns);
}

static void compete(match *m) {
  fg_score *s = m->out;
  bool alike = same(&s->estimated, &s->tuned);
  s->estimated.ns = s->tuned.ns = 0;
  for (int r = 0; r < ROUNDS && !stopped(m); r++) {
    time_work(m, &m->work[1], &s->tuned.ns);
    if (!alike) time_work(m, &m->work[0], &s->estimated.ns);
    if (!m->peer[1]) continue;
    time_peer(m, m->peer[0], &s->peer_estimate);
    time_peer(m, m->peer[1], &s->peer_measure);
  }
  if (alike) s->estimated.ns = s->tuned.ns;
  if (s->tuned.ns > 0) s->ratio = s->estimated.ns / s->tuned.ns;
  if (s->peer_measure > 0) s->peer_ratio = s->peer_estimate / s->peer_measure;
}

static fg_status choose(match *m) {
  fg_search_result all, found;
  fg_status status = fg_candidates_list(m->c, m->o, &all);
  if (status != FG_OK) return status;
  const fg_candidate *best = fg_candidates_estimate(&all);
  if (!best)
    return fg_diag_set(&m->cx->diag, FG_EUSER, "problem \"%s\": nothing is fitted for it here: fftgen model fit",
                       m->c->request.problem);
  m->out->estimated = *best;
  status = fg_search_run(m->c, m->o, &found);
  if (status == FG_OK) m->out->tuned = found.candidate[0];
  return status;
}

fg_status fg_score_run(fg_context *cx, const fg_request *request, const fg_search_options *search, fg_score *out) {
  fg_compilation *c = fg_arena_new(cx->arena, fg_compilation, 1);
  match m = {.cx = cx, .c = c, .o = search, .out = out};
  *out = (fg_score){.problem = request->problem};
  fg_status status = fg_pipeline_parse(cx, request, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) status = choose(&m);
  if (status == FG_OK) m.pool = make_pool(&m);
  if (status == FG_OK) status = build(&m, 1, &out->tuned);
  if (status == FG_OK && !same(&out->estimated, &out->tuned)) status = build(&m, 0, &out->estimated);
  if (status == FG_OK) {
    plan_peers(&m);
    compete(&m);
    if (!(out->ratio > 0)) status = fg_diag_set(&cx->diag, FG_ENA, "problem \"%s\": not timed", request->problem);
  }
  if (m.pool) fg_worker_pool_destroy(m.pool);
  for (int i = 0; i < 2; i++) fg_peer_device.destroy(m.peer[i]);
  return status;
}
