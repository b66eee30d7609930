/* See calibrate.h. Problem after problem, a few of its candidates - the best by the shipped model and some further
 * down - are prepared in parallel, then timed alternately with nothing else running. The least of several short
 * timings counts, because interruptions only add. */
#include "tuning/search/calibrate.h"
#include "runtime/store/fingerprint.h"
#include "runtime/version.h"
#include "targets/timing.h"
#include "tuning/search/candidates.h"
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_MOST = 3, MOST_JOBS = 16, TIMINGS = 5, MOST_ISAS = 8, LEAST_SAMPLES = 10 };
static const double slice = 8e-3, hang = 120;

/* Every kind of stage in every cache; half of the powers of two, none of the
 * other lengths that scores are taken on. */
const char *const fg_calibrate_problems[] = {"c2c f32 n=8",
                                             "c2c f32 n=12",
                                             "c2c f32 n=16",
                                             "c2c f32 n=60",
                                             "c2c f32 n=100",
                                             "c2c f32 n=128",
                                             "c2c f32 n=243",
                                             "c2c f32 n=331",
                                             "c2c f32 n=500",
                                             "c2c f32 n=1000",
                                             "c2c f32 n=1009",
                                             "c2c f32 n=1024",
                                             "c2c f32 n=3125",
                                             "c2c f32 n=5040",
                                             "c2c f32 n=8192",
                                             "c2c f32 n=46656",
                                             "c2c f32 n=65536",
                                             "c2c f32 n=5 batch=128",
                                             "c2c f32 n=16 batch=64",
                                             "c2c f32 n=64 batch=512",
                                             "c2c f32 n=256 batch=8192",
                                             "c2c f64 n=8",
                                             "c2c f64 n=15",
                                             "c2c f64 n=16",
                                             "c2c f64 n=72",
                                             "c2c f64 n=128",
                                             "c2c f64 n=400",
                                             "c2c f64 n=1024",
                                             "c2c f64 n=2401",
                                             "c2c f64 n=8192",
                                             "c2c f64 n=65536",
                                             "c2c f64 n=8 batch=200",
                                             "c2c f64 n=30 batch=300",
                                             "c2c f64 n=524288",
                                             NULL};

typedef struct run {
  fg_context *cx;
  const fg_calibrate_options *o;
  fg_calibration *out;
  int room; /* for samples */
} run;

static bool stopped(const run *r) { return r->o->stop && *r->o->stop; }

/* ---- one problem ---------------------------------------------------------------- */

/* Candidates of one instruction set, the cheapest first: the first two, then
 * others at even distances over the better half. */
static int choose(const fg_search_result *r, const char *isa, int most, fg_candidate **chosen) {
  int all = 0, n = 0, last = -1;
  for (int i = 0; i < r->count; i++) all += !strcmp(r->candidate[i].isa, isa);
  for (int k = 0; k < most && k < all; k++) {
    int wanted = k < 2 ? k : 1 + (all / 2) * (k - 1) / (most > 2 ? most - 1 : 1), at = -1;
    if (wanted <= last) wanted = last + 1;
    if (wanted >= all) break;
    for (int i = 0; i < r->count; i++) {
      at += !strcmp(r->candidate[i].isa, isa);
      if (at == wanted) {
        chosen[n++] = &r->candidate[i];
        break;
      }
    }
    last = wanted;
  }
  return n;
}

/* Built one after the other on all processors, then checked. */
static void prepare(const run *r, fg_worker_pool *pool, fg_candidate **k, int count) {
  int jobs = r->o->jobs > 0 ? r->o->jobs : (int)sysconf(_SC_NPROCESSORS_ONLN), next = 0;
  jobs = jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
  for (int done = 0; done < count && !stopped(r); done++) {
    for (; next < count && next < done + jobs; next++) {
      fg_build b = {.plan = k[next]->plan, .isa = k[next]->isa, .compiler = r->o->compiler};
      fg_worker_pool_build(pool, &k[next]->work, next, &b, hang);
      k[next]->started = true;
    }
    fg_worker_pool_await(pool, &k[done]->work, fg_timing_now() + hang, r->o->stop);
  }
  for (int i = 0; i < count && !stopped(r); i++) {
    if (!k[i]->started || k[i]->work.state != FG_WORK_BUILT) continue;
    fg_worker_pool_check(pool, &k[i]->work, hang);
    fg_worker_pool_await(pool, &k[i]->work, fg_timing_now() + hang, r->o->stop);
  }
}

static void measure(const run *r, fg_worker_pool *pool, fg_candidate **k, int count) {
  for (int t = 0; t < TIMINGS; t++)
    for (int i = 0; i < count && !stopped(r); i++) {
      fg_work *w = &k[i]->work;
      if (!k[i]->started || w->state != FG_WORK_READY) continue;
      fg_worker_pool_time(pool, w, slice, hang);
      fg_worker_pool_await(pool, w, fg_timing_now() + hang, r->o->stop);
      if (w->state == FG_WORK_READY && (k[i]->ns == 0 || w->ns < k[i]->ns)) k[i]->ns = w->ns;
    }
}

static void keep(run *r, const char *problem, fg_candidate **k, int count) {
  for (int i = 0; i < count; i++) {
    if (!(k[i]->ns > 0)) {
      r->out->nfailed += !stopped(r);
      continue;
    }
    r->out->sample[r->out->nsample++] = (fg_calibrate_sample){problem, k[i]->plan, k[i]->isa, k[i]->ns, k[i]->features};
  }
}

static void make_room(run *r, int more) {
  if (r->out->nsample + more <= r->room) return;
  r->room = 2 * (r->out->nsample + more);
  fg_calibrate_sample *s = fg_arena_new(r->cx->arena, fg_calibrate_sample, r->room);
  if (r->out->nsample) memcpy(s, r->out->sample, (size_t)r->out->nsample * sizeof *s);
  r->out->sample = s;
}

static void name_isas(const fg_search_result *r, const char *known[MOST_ISAS], int *count) {
  for (int i = 0; i < r->count && *count < MOST_ISAS; i++) {
    bool is_new = true;
    for (int k = 0; k < *count; k++) is_new = is_new && strcmp(known[k], r->candidate[i].isa) != 0;
    if (is_new) known[(*count)++] = r->candidate[i].isa;
  }
}

static fg_status run_problem(run *r, const char *problem) {
  fg_compilation *c = fg_arena_new(r->cx->arena, fg_compilation, 1);
  fg_request request = {.problem = problem, .target = "c", .isa = r->o->isa};
  if (!request.isa) request.isa = r->o->device->has_lanes ? "native" : "scalar";
  fg_status status = fg_pipeline_parse(r->cx, &request, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  fg_search_options o = {.device = r->o->device,
                         .facts = r->o->facts,
                         .compiler = r->o->compiler,
                         .one_compiler = true,
                         .space = r->o->space};
  fg_search_result all;
  if (status == FG_OK) status = fg_candidates_list(c, &o, &all);
  if (status != FG_OK) return status;
  const char *isa[MOST_ISAS];
  int nisa = 0, most = r->o->most > 0 ? r->o->most : USUAL_MOST, count = 0;
  name_isas(&all, isa, &nisa);
  fg_candidate **chosen = fg_arena_new(r->cx->arena, fg_candidate *, nisa * most + 1);
  for (int i = 0; i < nisa; i++) count += choose(&all, isa[i], most, chosen + count);
  make_room(r, count);
  const fg_drawn *drawn;
  fg_context quiet = {.arena = r->cx->arena};
  bool has_truth = fg_drawn_create(&quiet, &c->problem, NULL, 0, &drawn) == FG_OK;
  const fg_worker_task common = {
      .device = r->o->device, .facts = r->o->facts, .problem = problem, .drawn = has_truth ? drawn : NULL};
  fg_worker_pool *pool = fg_worker_pool_create(r->cx, &common);
  prepare(r, pool, chosen, count);
  measure(r, pool, chosen, count);
  fg_worker_pool_destroy(pool);
  keep(r, problem, chosen, count);
  return FG_OK;
}

/* ---- the fits -------------------------------------------------------------------- */

/* Fast ones decide between plans: the slow count less. */
static double weight_of(const run *r, const fg_calibrate_sample *s) {
  double best = s->ns;
  for (int i = 0; i < r->out->nsample; i++) {
    const fg_calibrate_sample *other = &r->out->sample[i];
    if (!strcmp(other->problem, s->problem) && !strcmp(other->isa, s->isa)) best = fmin(best, other->ns);
  }
  return best / s->ns;
}

static void fit_isa(run *r, const char *isa) {
  fg_model_sample *sample = fg_arena_new(r->cx->arena, fg_model_sample, r->out->nsample + 1);
  int count = 0;
  for (int i = 0; i < r->out->nsample; i++) {
    const fg_calibrate_sample *s = &r->out->sample[i];
    if (!strcmp(s->isa, isa)) sample[count++] = (fg_model_sample){s->features, s->ns, weight_of(r, s)};
  }
  if (count < LEAST_SAMPLES) return;
  fg_model_fit *fit = &r->out->fit[r->out->nfit++];
  *fit = (fg_model_fit){.device = fg_fingerprint_host(),
                        .target = strcmp(r->o->device->name, "cc") ? r->o->device->name : "c",
                        .compiler = r->o->facts->version,
                        .isa = isa,
                        .generator = fg_version};
  fg_model_solve(r->cx, sample, count, fit);
}

static void fit_all(run *r) {
  r->out->fit = fg_arena_new(r->cx->arena, fg_model_fit, MOST_ISAS);
  for (int i = 0; i < r->out->nsample; i++) {
    bool is_new = r->out->nfit < MOST_ISAS;
    for (int k = 0; k < i; k++) is_new = is_new && strcmp(r->out->sample[k].isa, r->out->sample[i].isa) != 0;
    if (is_new) fit_isa(r, r->out->sample[i].isa);
  }
}

fg_status fg_calibrate_run(fg_context *cx, const fg_calibrate_options *options, fg_calibration *out) {
  run r = {.cx = cx, .o = options, .out = out};
  const char *const *problem = options->problem ? options->problem : fg_calibrate_problems;
  int total = 0;
  *out = (fg_calibration){0};
  while (problem[total]) total++;
  double start = fg_timing_now();
  for (int i = 0; i < total && !stopped(&r); i++) {
    double left = i ? (fg_timing_now() - start) / i * (total - i) : total;
    if (options->watch.call) options->watch.call(options->watch.context, "fit", i, total, left, NULL);
    fg_status status = run_problem(&r, problem[i]);
    if (status != FG_OK) return status;
  }
  if (stopped(&r)) return fg_diag_set(&cx->diag, FG_ENA, "stopped: nothing is fitted");
  fit_all(&r);
  if (out->nfit) return FG_OK;
  return fg_diag_set(&cx->diag, FG_ESYS, "%d kernels were measured, %d failed: too few to fit a model on", out->nsample,
                     out->nfailed);
}
