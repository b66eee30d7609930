/* See search.h. Two phases: candidates are prepared, several at once, the
 * cheapest by the model first, until three fifths of the time are over; then
 * nothing else runs while they are timed, one at a time. */
#include "tuning/search.h"
#include "targets/timing.h"
#include "tuning/arrays.h"
#include "tuning/candidates.h"
#include "tuning/peer.h"
#include <ftw.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_MOST = 24, MOST_JOBS = 16, REPEATS = 3, LAST_REPEATS = 7, ALIVE_AT_END = 2 };
static const double usual_seconds = 4.2, longest_usual = 120, preparing_share = 0.6, shortest_slice = 2e-3;

typedef struct search {
  const fg_compilation *c;
  const fg_search_options *o;
  fg_search_result *out;
  double start, deadline;
  int nalive;
  fg_candidate **alive;
  fg_module *reference; /* FFTW, planned without measuring: the same on every run */
  fg_call call;
  const char *temp; /* folder of this search; NULL: there is none */
  double base;      /* the reference's first time; 0: there is none */
} search;

static bool stopped(const search *s) { return s->o->stop && *s->o->stop; }

static void watch(const search *s, const char *phase, int done, int total) {
  double left = s->deadline - fg_timing_now();
  if (s->o->watch.call) s->o->watch.call(s->o->watch.context, phase, done, total, left > 0 ? left : 0);
}

/* ---- the reference --------------------------------------------------------- */

static void make_reference(search *s) {
  fg_context *cx = s->c->cx;
  const fg_problem *p = &s->c->problem;
  char why[FG_WHY_SIZE];
  if (s->o->facts->is_gpu_like) return;
  int64_t *params = fg_arena_new(cx->arena, int64_t, p->nparam + 1);
  for (int i = 0; i < p->nparam; i++) params[i] = s->o->params ? s->o->params[i] : p->param[i].lo;
  if (fg_peer_create(p, params, FG_EFFORT_ESTIMATE, &s->reference, why)) return;
  fg_geometry *g = fg_arena_new(cx->arena, fg_geometry, 1);
  fg_arrays *a = fg_arena_new(cx->arena, fg_arrays, 1);
  fg_geometry_create(cx, p, params, g);
  fg_arrays_create(cx, p, g, a);
  for (int i = 0; i < a->nplace; i++) memset(a->place[i], 0, a->bytes[i]);
  s->call = (fg_call){.place = a->place, .bytes = a->bytes, .params = params};
}

/* How much slower the machine is now than at first. */
static double noise(search *s, double slice) {
  char why[FG_WHY_SIZE];
  double ns;
  if (!s->reference || fg_peer_device.time(s->reference, &s->call, slice, &ns, why)) return 1;
  if (!(s->base > 0)) s->base = ns;
  return ns / s->base;
}

/* ---- files of candidates ---------------------------------------------------- */

static void make_temp(search *s) {
  const char *tmp = getenv("TMPDIR");
  char *path = fg_arena_printf(s->c->cx->arena, "%s/fftgen-tune-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  s->temp = mkdtemp(path);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where) {
  (void)st, (void)type, (void)where;
  return remove(path);
}

/* Those that were stopped left theirs behind. */
static void remove_temp(const search *s) {
  if (s->temp) nftw(s->temp, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- preparing ------------------------------------------------------------- */

static void start(search *s, fg_candidate *k, double until) {
  fg_worker_task task = {.device = s->o->device,
                         .facts = s->o->facts,
                         .problem = s->c->request.problem,
                         .plan = k->plan,
                         .isa = k->isa,
                         .temp = s->temp,
                         .compiler = k->compiler,
                         .params = s->o->params,
                         .seed = s->o->seed,
                         .prepare_seconds = until - fg_timing_now()};
  k->started = true;
  fg_worker_start(&k->worker, &task);
}

static bool is_busy(const fg_candidate *k) { return k->started && k->worker.state == FG_WORKER_PREPARING; }

static void dismiss(fg_candidate *k) {
  if (k->worker.state == FG_WORKER_LOST) return;
  k->dismissed = true;
  fg_worker_stop(&k->worker, "");
}

static void stop_late(search *s, double until) {
  double now = fg_timing_now(), hang = s->o->hang > 0 ? s->o->hang : INFINITY;
  for (int i = 0; i < s->out->count; i++) {
    fg_candidate *k = &s->out->candidate[i];
    if (!is_busy(k)) continue;
    if (now > until)
      dismiss(k);
    else if (now - k->worker.since > hang)
      fg_worker_stop(&k->worker, "hangs");
  }
}

/* Waits a moment for any of those in preparation. */
static void hear_all(search *s) {
  struct pollfd wait[MOST_JOBS];
  fg_candidate *who[MOST_JOBS];
  int n = 0;
  for (int i = 0; i < s->out->count && n < MOST_JOBS; i++)
    if (is_busy(&s->out->candidate[i])) {
      who[n] = &s->out->candidate[i];
      wait[n] = (struct pollfd){who[n]->worker.fd, POLLIN, 0};
      n++;
    }
  if (!n || poll(wait, (nfds_t)n, 20) <= 0) return;
  for (int i = 0; i < n; i++)
    if (wait[i].revents) fg_worker_hear(&who[i]->worker);
}

static int count_state(const search *s, fg_worker_state state) {
  int n = 0;
  for (int i = 0; i < s->out->count; i++)
    n += s->out->candidate[i].started && s->out->candidate[i].worker.state == state;
  return n;
}

/* One candidate at least must come through, so that a short budget for a large
 * problem is not spent in vain: then preparing may take most of it. */
static void prepare(search *s) {
  double all = s->deadline - s->start, until = s->start + preparing_share * all;
  int jobs = s->o->jobs > 0 ? s->o->jobs : (int)sysconf(_SC_NPROCESSORS_ONLN), next = 0;
  jobs = jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
  for (;;) {
    int busy = count_state(s, FG_WORKER_PREPARING), ready = count_state(s, FG_WORKER_READY);
    double now = fg_timing_now(), end = ready ? until : s->start + 0.9 * all;
    if (stopped(s)) end = now - 1;
    while (busy < jobs && next < s->out->count && now < (ready || busy ? until : end)) {
      start(s, &s->out->candidate[next++], end);
      busy++;
    }
    if (!busy) break;
    stop_late(s, end);
    hear_all(s);
    watch(s, "build", next - busy, s->out->count);
  }
}

/* ---- timing ---------------------------------------------------------------- */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Of the present rung. */
static double median_of(const fg_candidate *k, double *spread) {
  double x[FG_SEARCH_SAMPLES];
  int n = k->samples - k->rung_from;
  memcpy(x, k->sample + k->rung_from, (size_t)n * sizeof *x);
  qsort(x, (size_t)n, sizeof *x, by_value);
  double median = n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
  *spread = (x[n - 1 - n / 4] - x[n / 4]) / median;
  return median;
}

/* false: time is over, or somebody wants it to be. A measurement takes seven calls
 * at least, and on a busy machine longer than it was asked to. */
static bool take_sample(search *s, fg_candidate *k, double slice, double slower) {
  double needed = fmax(1.5 * slice, k->samples ? 7e-9 * k->ns : 0), now = fg_timing_now(), hang = now + 2 + 20 * needed;
  if (stopped(s) || now + needed > s->deadline) return false;
  fg_worker_time(&k->worker, slice);
  if (hang < s->deadline) {
    if (!fg_worker_await(&k->worker, hang, s->o->stop) && !stopped(s))
      fg_worker_stop(&k->worker, "hangs while it is timed");
  } else if (!fg_worker_await(&k->worker, s->deadline, s->o->stop)) {
    dismiss(k);
    return false;
  }
  if (k->worker.state == FG_WORKER_READY && k->samples < FG_SEARCH_SAMPLES) {
    k->sample[k->samples++] = k->worker.ns / slower;
    if (k->samples == 1) k->ns = k->worker.ns;
  }
  return !stopped(s);
}

/* All that are alive, a few times over, one after the other. */
static bool rung(search *s, int repeats, double seconds) {
  double slice = seconds / (repeats * (s->nalive + (s->reference ? 1 : 0)));
  bool going = true;
  if (slice < shortest_slice) slice = shortest_slice;
  for (int i = 0; i < s->nalive; i++) s->alive[i]->rung_from = s->alive[i]->samples;
  for (int r = 0; r < repeats && going; r++) {
    double slower = noise(s, slice);
    for (int i = 0; i < s->nalive && going; i++)
      if (s->alive[i]->worker.state == FG_WORKER_READY) going = take_sample(s, s->alive[i], slice, slower);
  }
  for (int i = 0; i < s->nalive; i++) {
    fg_candidate *k = s->alive[i];
    if (k->samples == k->rung_from) continue;
    k->ns = median_of(k, &k->spread);
    k->rungs++;
  }
  return going;
}

static int by_speed(const void *a, const void *b) {
  const fg_candidate *x = *(fg_candidate *const *)a, *y = *(fg_candidate *const *)b;
  if (x->rungs != y->rungs) return y->rungs - x->rungs; /* went further */
  return (x->ns > y->ns) - (x->ns < y->ns);
}

static void drop(search *s, int keep) {
  int n = 0;
  for (int i = 0; i < s->nalive; i++) {
    fg_candidate *k = s->alive[i];
    if (k->samples && (k->worker.state != FG_WORKER_LOST || k->dismissed))
      s->alive[n++] = k;
    else
      k->ns = 0;
  }
  qsort(s->alive, (size_t)n, sizeof *s->alive, by_speed);
  for (int i = keep; i < n; i++) dismiss(s->alive[i]);
  s->nalive = n < keep ? n : keep;
}

static void time_all(search *s) {
  int total = 0, done = 0;
  for (int i = 0; i < s->out->count; i++)
    if (s->out->candidate[i].started && s->out->candidate[i].worker.state == FG_WORKER_READY)
      s->alive[s->nalive++] = &s->out->candidate[i];
  for (int n = s->nalive; n > ALIVE_AT_END; n = (n + 1) / 2) total++;
  bool going = true;
  while (going && s->nalive > ALIVE_AT_END) {
    double left = s->deadline - fg_timing_now();
    watch(s, "time", done, total + 1);
    going = rung(s, REPEATS, 0.7 * left / (total - done++ + 2));
    drop(s, going ? (s->nalive + 1) / 2 : s->nalive);
  }
  watch(s, "time", total, total + 1);
  if (going && s->nalive) rung(s, LAST_REPEATS, 0.7 * (s->deadline - fg_timing_now()));
  drop(s, s->nalive);
  const fg_candidate *best = s->nalive ? s->alive[0] : NULL;
  s->out->final = going && best && best->samples - best->rung_from >= REPEATS;
}

/* ---- all of it ------------------------------------------------------------- */

static double worth(const search *s) {
  if (s->o->seconds > 0) return s->o->seconds;
  const fg_problem *p = &s->c->problem;
  double points = (double)fg_problem_points(p) * (double)fg_problem_batch_count(p, s->o->params);
  return fmin(usual_seconds * fmax(1, points / 16384), longest_usual);
}

/* Best first; those that were timed before the others. */
static int by_result(const void *a, const void *b) {
  const fg_candidate *x = a, *y = b;
  bool fast_x = x->ns > 0, fast_y = y->ns > 0;
  if (fast_x != fast_y) return fast_x ? -1 : 1;
  if (fast_x) return by_speed(&(const fg_candidate *){x}, &(const fg_candidate *){y});
  return x->failed != y->failed ? y->failed - x->failed : y->started - x->started;
}

static void finish(search *s) {
  for (int i = 0; i < s->out->count; i++) {
    fg_candidate *k = &s->out->candidate[i];
    if (!k->started) continue;
    dismiss(k);
    k->failed = !k->dismissed;
    if (k->failed) k->why = fg_arena_strdup(s->c->cx->arena, k->worker.why);
  }
  fg_peer_device.destroy(s->reference);
  remove_temp(s);
  qsort(s->out->candidate, (size_t)s->out->count, sizeof *s->out->candidate, by_result);
  s->out->seconds = fg_timing_now() - s->start;
}

static fg_status judge(const search *s) {
  fg_context *cx = s->c->cx;
  const fg_search_result *r = s->out;
  if (r->count && r->candidate[0].ns > 0) return FG_OK;
  int i = 0;
  while (i < r->count && !r->candidate[i].failed) i++;
  const char *why = i < r->count ? r->candidate[i].why : "all need longer than that";
  if (stopped(s)) return fg_diag_set(&cx->diag, FG_ENA, "problem \"%s\": stopped", s->c->request.problem);
  if (fg_timing_now() > s->deadline - 0.15 * (s->deadline - s->start))
    return fg_diag_set(&cx->diag, FG_ENA, "problem \"%s\": no candidate was ready and timed within %.3g s (%s)",
                       s->c->request.problem, s->deadline - s->start, why);
  return fg_diag_set(&cx->diag, FG_EWRONG, "problem \"%s\": every candidate failed; %s: %s", s->c->request.problem,
                     i < r->count ? r->candidate[i].plan : "none", why);
}

fg_status fg_search_run(const fg_compilation *c, const fg_search_options *options, fg_search_result *out) {
  search s = {.c = c, .o = options, .out = out, .start = fg_timing_now()};
  *out = (fg_search_result){0};
  s.deadline = s.start + worth(&s);
  int most = options->most > 0 ? options->most : options->space->most > 0 ? options->space->most : USUAL_MOST;
  fg_status status = fg_candidates_list(c, options, out);
  if (status != FG_OK) return status;
  if (out->count > most) out->count = most;
  s.alive = fg_arena_new(c->cx->arena, fg_candidate *, out->count + 1);
  make_temp(&s);
  prepare(&s);
  if (!stopped(&s)) make_reference(&s);
  if (!stopped(&s)) time_all(&s);
  finish(&s);
  return judge(&s);
}
