/* See bench.h. The order is: build, verify, then rounds of A (fftgen) and B (FFTW) on the same arrays, each with its
 * own median; the result is the median of the rounds. */
#include "tuning/report/bench.h"
#include "generator/problem/shape.h"
#include "generator/prove/prove.h"
#include "targets/timing.h"
#include "tuning/measure/arrays.h"
#include "tuning/measure/copy.h"
#include "tuning/measure/testbed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_ROUNDS = 5, MOST_ROUNDS = 1000, USUAL_INPUTS = 20, POINTS_VERIFIED = 1 << 18 };

typedef struct bench_run {
  fg_compilation *c;
  const fg_device *device;
  fg_bench_options options;
  const int64_t *params;
  fg_module *ours, *peer;
  fg_bench *out;
  fg_geometry g;   /* hosts */
  fg_testbed *bed; /* devices that keep memory: arrays are made and results checked there; NULL: none */
  double points, transforms;
} bench_run;

static fg_status device_failed(bench_run *k, const char *name, const char *why) {
  return fg_diag_set(&k->c->cx->diag, FG_ESYS, "device %s: %s", name, why);
}

static fg_status build(bench_run *k) {
  char why[FG_WHY_SIZE] = "";
  if (k->device->probe(&k->out->facts, why)) return device_failed(k, k->device->name, why);
  double start = fg_timing_now();
  if (k->device->build(&k->c->emitted.artifact, &k->ours, why)) return device_failed(k, k->device->name, why);
  k->out->build_seconds = fg_timing_now() - start;
  if (k->options.no_peer || k->out->facts.is_gpu_like) return FG_OK;
  k->out->has_peer = !fg_peer_create(&k->c->problem, k->params, k->options.effort, &k->peer, why);
  return FG_OK; /* no opponent for this problem: the bench runs without */
}

/* On a device that keeps memory, for problems that inputs are drawn for. */
static fg_status open_bed(bench_run *k) {
  char why[FG_WHY_SIZE] = "";
  const fg_drawn *drawn;
  fg_context quiet = {.arena = k->c->cx->arena};
  if (k->device->on_host || !k->device->memory) return FG_OK;
  if (fg_drawn_create(&quiet, &k->c->problem, k->params, k->options.seed, &drawn) != FG_OK) return FG_OK;
  return fg_testbed_open(k->device, drawn, &k->bed, why) ? device_failed(k, k->device->name, why) : FG_OK;
}

static fg_status check(bench_run *k) {
  char why[FG_WHY_SIZE] = "";
  fg_verdict v;
  fg_verified *out = &k->out->verified;
  if (fg_testbed_check(k->bed, k->ours, &v, why)) return device_failed(k, k->device->name, why);
  *out = (fg_verified){.ok = v.ok, .l2 = v.l2, .l2_worst = v.l2, .max = v.max};
  out->bound_l2 = fg_verify_bound(&k->c->problem), out->bound_max = 8 * out->bound_l2;
  out->compared = out->transforms = (int64_t)k->transforms;
  memcpy(out->why, v.why, sizeof out->why);
  if (v.ok) return FG_OK;
  return fg_diag_set(&k->c->cx->diag, FG_EWRONG, "problem \"%s\" by %s on %s: %s", k->out->problem, k->out->plan,
                     k->device->name, v.why);
}

static fg_status verify(bench_run *k) {
  if (k->bed) return check(k);
  fg_geometry_create(k->c->cx, &k->c->problem, k->params, &k->g);
  int64_t inputs = POINTS_VERIFIED / k->g.points / k->g.transforms;
  fg_verify_options o = {.params = k->params, .seed = k->options.seed};
  o.inputs = inputs < 1 ? 1 : inputs > USUAL_INPUTS ? USUAL_INPUTS : (int)inputs;
  fg_context *cx = k->c->cx;
  fg_status status = fg_verify(cx, &k->c->problem, k->device, k->ours, &o, &k->out->verified);
  if (status) return status;
  if (!k->out->verified.ok)
    return fg_diag_set(&cx->diag, FG_EWRONG, "problem \"%s\" by %s on %s: %s", k->out->problem, k->out->plan,
                       k->device->name, k->out->verified.why);
  if (!k->out->has_peer) return FG_OK;
  fg_verified v; /* the same inputs */
  o.unscaled = o.no_properties = true;
  status = fg_verify(cx, &k->c->problem, &fg_peer_device, k->peer, &o, &v);
  if (!status && !v.ok) return fg_diag_set(&cx->diag, FG_ESYS, "FFTW on \"%s\": %s", k->out->problem, v.why);
  k->out->peer_l2 = v.l2;
  return status;
}

static fg_status one_sample(bench_run *k, const fg_device *d, fg_module *m, const fg_call *call, double *ns) {
  char why[FG_WHY_SIZE] = "";
  if (d->time(m, call, k->options.seconds / k->options.rounds, ns, why)) return device_failed(k, d->name, why);
  return FG_OK;
}

static fg_status time_on_bed(bench_run *k) {
  char why[FG_WHY_SIZE] = "";
  int rounds = k->options.rounds;
  double *ours = fg_arena_new(k->c->cx->arena, double, rounds);
  for (int r = 0; r < rounds; r++)
    if (fg_testbed_time(k->bed, k->ours, k->options.seconds / rounds, r, &ours[r], why))
      return device_failed(k, k->device->name, why);
  k->out->ns = fg_timing_median(ours, rounds);
  k->out->ns_spread = (ours[rounds - 1] - ours[0]) / k->out->ns;
  return FG_OK;
}

static fg_status time_rounds(bench_run *k) {
  if (k->bed) return time_on_bed(k);
  fg_arrays a;
  fg_context *cx = k->c->cx;
  int rounds = k->options.rounds;
  double *ours = fg_arena_new(cx->arena, double, rounds), *peer = fg_arena_new(cx->arena, double, rounds);
  fg_arrays_create(cx, &k->c->problem, &k->g, &a);
  fg_arrays_fill(&a, &k->g, k->options.seed);
  /* In place, transforms of transforms would leave the range of numbers: zeros stay. */
  for (int i = 0; a.in_place && i < a.nslot; i++) memset(a.slot[i], 0, a.bytes[i]);
  fg_call call = {.slot = a.slot, .bytes = a.bytes, .params = k->params};
  for (int r = 0; r < rounds; r++) {
    fg_status status = one_sample(k, k->device, k->ours, &call, &ours[r]);
    if (!status && k->peer) status = one_sample(k, &fg_peer_device, k->peer, &call, &peer[r]);
    if (status) return status;
  }
  k->out->ns = fg_timing_median(ours, rounds);
  k->out->ns_spread = (ours[rounds - 1] - ours[0]) / k->out->ns; /* sorted by now */
  if (k->peer) k->out->peer_ns = fg_timing_median(peer, rounds);
  return FG_OK;
}

static fg_status measure_copy(bench_run *k) {
  char why[FG_WHY_SIZE] = "";
  const fg_problem *p = &k->c->problem;
  int64_t numbers = (fg_problem_is_real(p, false) ? 1 : 2) * fg_problem_elements(p, false) +
                    (fg_problem_is_real(p, true) ? 1 : 2) * fg_problem_elements(p, true);
  k->out->bytes = numbers * (int64_t)k->transforms * fg_precision_bytes(p->storage);
  if (k->bed && fg_testbed_copy(k->bed, k->options.seconds / 4, &k->out->copy_ns, why))
    return device_failed(k, k->device->name, why);
  if (!k->bed && fg_copy_measure(k->device, (size_t)k->out->bytes / 2, k->options.seconds / 4, &k->out->copy_ns, why))
    return device_failed(k, k->device->name, why);
  k->out->copy_fraction = k->out->copy_ns / k->out->ns;
  return FG_OK;
}

static void rates(bench_run *k) {
  fg_bench *b = k->out;
  const fg_problem *p = &k->c->problem;
  double n = k->points, work = 5 * n * log2(n) * k->transforms;
  if (fg_problem_is_real(p, false) || fg_problem_is_real(p, true)) work /= 2;
  b->gflops = work / b->ns;
  if (!b->has_peer) return;
  b->peer_gflops = work / b->peer_ns;
  b->ratio = b->peer_ns / b->ns;
}

static const int64_t *lowest_params(fg_context *cx, const fg_problem *p) {
  int64_t *value = fg_arena_new(cx->arena, int64_t, p->nparam + 1);
  fg_settings_lowest(p, NULL, value);
  return value;
}

fg_status fg_bench_run(fg_compilation *c, const fg_device *d, const fg_bench_options *options, fg_bench *out) {
  bench_run k = {.c = c, .device = d, .options = *options, .out = out};
  fg_context *cx = c->cx;
  if (!(k.options.seconds > 0)) k.options.seconds = 0.2;
  if (k.options.rounds < 1) k.options.rounds = USUAL_ROUNDS;
  if (k.options.rounds > MOST_ROUNDS)
    return fg_diag_set(&cx->diag, FG_EUSER, "bench: %d rounds; allowed: up to %d", k.options.rounds, MOST_ROUNDS);
  k.params = options->params ? options->params : lowest_params(cx, &c->problem);
  *out = (fg_bench){.problem = fg_problem_print(cx, &c->problem),
                    .plan = fg_plan_print(cx, c->chosen.plan),
                    .device = d->name,
                    .isa = c->isa ? c->isa->name : "",
                    .nfallback = c->chosen.program->nfallback,
                    .fallback = c->chosen.program->fallback};
  k.points = (double)fg_problem_points(&c->problem);
  k.transforms = (double)fg_problem_batch_count(&c->problem, k.params);
  fg_status status = build(&k);
  if (!status) status = open_bed(&k);
  if (!status) status = verify(&k);
  if (!status) status = time_rounds(&k);
  if (!status) status = measure_copy(&k);
  if (!status) rates(&k);
  fg_testbed_close(k.bed);
  d->destroy(k.ours);
  fg_peer_device.destroy(k.peer);
  return status;
}
