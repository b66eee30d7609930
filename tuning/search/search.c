/* See search.h. Rounds of two phases: candidates are prepared, several at once, the
 * cheapest by the model first, until three fifths of a round's time are over; then
 * nothing else runs while they are timed, one at a time. The first round is of the
 * space's plans, the next ones of what it says is worth a try around the fastest. */
#include "tuning/search/search.h"
#include "generator/problem/shape.h"
#include "generator/prove/prove.h"
#include "targets/env.h"
#include "targets/timing.h"
#include "tuning/baselines/fftw.h"
#include "tuning/measure/arrays.h"
#include "tuning/search/candidates.h"
#include <ftw.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_MOST = 24, MOST_JOBS = 16, REPEATS = 3, LAST_REPEATS = 7, ALIVE_AT_END = 2 };
static const double usual_seconds = 4.2, longest_usual = 120, preparing_share = 0.6, shortest_slice = 2e-3;
/* Ends of the rounds, and of those that have none but the first: shares of the time. */
static const double round_end[] = {0.5, 0.7, 0.85};
enum { NROUND = sizeof round_end / sizeof *round_end };
static const double only_round_end = 0.9;

typedef struct search {
  const fg_compilation *c;
  const fg_search_options *o;
  fg_search_result *out;
  double start, deadline;
  int next, rung; /* candidate that was not started yet; number of the last one */
  int usual;      /* candidate that would be taken without a search */
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
  fg_settings_lowest(p, NULL, params);
  for (int i = 0; i < p->nparam && s->o->params; i++) params[i] = s->o->params[i];
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
  const char *tmp = fg_env("TMPDIR");
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
                         .once = k->steps > 0,
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
 * problem is not spent in vain, and what would be taken without a search: then preparing may take most of it. */
static void prepare(search *s, double until) {
  double last = s->start + 0.9 * (s->deadline - s->start);
  int jobs = s->o->jobs > 0 ? s->o->jobs : (int)sysconf(_SC_NPROCESSORS_ONLN);
  jobs = jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
  for (;;) {
    int busy = count_state(s, FG_WORKER_PREPARING), ready = count_state(s, FG_WORKER_READY);
    bool waits = !ready || is_busy(&s->out->candidate[s->usual]);
    double now = fg_timing_now(), end = waits ? last : until;
    if (stopped(s)) end = now - 1;
    while (busy < jobs && s->next < s->out->count && now < (ready || busy ? until : end)) {
      start(s, &s->out->candidate[s->next++], end);
      busy++;
    }
    if (!busy) break;
    stop_late(s, end);
    hear_all(s);
    watch(s, "build", s->next - busy, s->out->count);
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
  s->rung++;
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
    k->rungs = s->rung;
  }
  return going;
}

/* The same code takes a little more in one process than in another: of many, one is lucky. Each step away from what
 * the model says must gain more than that. */
static double doubted(const fg_candidate *k) {
  static const double doubt = 0.015;
  return k->ns * (1 + doubt * k->steps);
}

static int by_speed(const void *a, const void *b) {
  const fg_candidate *x = *(fg_candidate *const *)a, *y = *(fg_candidate *const *)b;
  if (x->rungs != y->rungs) return y->rungs - x->rungs; /* went further */
  return (doubted(x) > doubted(y)) - (doubted(x) < doubted(y));
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

/* Halves those that are ready until two are left. */
static bool time_some(search *s, double until) {
  int total = 0, done = 0;
  bool going = true;
  s->nalive = 0;
  for (int i = 0; i < s->next; i++)
    if (s->out->candidate[i].worker.state == FG_WORKER_READY) s->alive[s->nalive++] = &s->out->candidate[i];
  for (int n = s->nalive; n > ALIVE_AT_END; n = (n + 1) / 2) total++;
  while (going && s->nalive > ALIVE_AT_END) {
    double left = until - fg_timing_now();
    watch(s, "time", done, total + 1);
    going = rung(s, REPEATS, 0.7 * left / (total - done++));
    drop(s, going ? (s->nalive + 1) / 2 : s->nalive);
  }
  return going;
}

static void time_last(search *s, bool going) {
  watch(s, "time", 0, 1);
  if (going && s->nalive) rung(s, LAST_REPEATS, 0.7 * (s->deadline - fg_timing_now()));
  drop(s, s->nalive);
  const fg_candidate *best = s->nalive ? s->alive[0] : NULL;
  s->out->final = going && best && best->samples - best->rung_from >= REPEATS;
}

/* ---- rounds ---------------------------------------------------------------- */

static double end_of(const search *s, int round, bool only) {
  return s->start + (only ? only_round_end : round_end[round]) * (s->deadline - s->start);
}

/* What is worth a try around the fastest so far takes the places of those that were never started. */
static fg_status go_around(search *s, int most) {
  if (!s->nalive || s->c->request.plan) return FG_OK;
  s->out->count = s->next;
  return fg_candidates_around(s->c, s->o, s->alive[0], most, s->out);
}

static fg_status run_rounds(search *s, int most, bool only) {
  fg_status status = FG_OK;
  bool going = true;
  for (int r = 0; r < (only ? 1 : NROUND) && going && status == FG_OK && !stopped(s); r++) {
    double now = fg_timing_now(), end = end_of(s, r, only);
    if (r) status = go_around(s, most);
    if (r && s->next == s->out->count) break;
    prepare(s, now + preparing_share * (end - now));
    if (!r && !stopped(s)) make_reference(s);
    if (!stopped(s)) going = time_some(s, end);
  }
  if (!stopped(s)) time_last(s, going);
  return status;
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
    k->failed = !k->dismissed && !k->worker.same;
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

/* What would be taken without a search comes first, behind a user's; a user's space says itself what is tried. */
static fg_status place_usual(search *s, const fg_candidate *list, int count, int most) {
  fg_search_result *r = s->out;
  fg_candidate usual = {0};
  fg_status status = s->o->space->own ? fg_candidates_usual(s->c, s->o, &usual) : FG_OK;
  if (status != FG_OK) return status;
  r->candidate = fg_arena_new(s->c->cx->arena, fg_candidate, count + most + 2);
  r->count = 0;
  while (r->count < count && list[r->count].users) r->candidate[r->count] = list[r->count], r->count++;
  int users = s->usual = r->count;
  if (usual.plan) r->candidate[r->count++] = usual;
  for (int i = users; i < count; i++) {
    const fg_candidate *k = &list[i];
    bool again = usual.plan && !strcmp(k->plan, usual.plan) && k->compiler == usual.compiler;
    if (again && (!k->isa || !strcmp(k->isa, usual.isa))) continue;
    r->candidate[r->count] = *k;
    r->candidate[r->count++].steps = 1;
  }
  return FG_OK;
}

/* Two thirds of the candidates are the first round's, where there is anything to try around the fastest. */
static fg_status make_room(search *s, int most, bool *only) {
  fg_search_result *r = s->out;
  s->alive = fg_arena_new(s->c->cx->arena, fg_candidate *, most + 1);
  if (s->c->request.plan || !r->count) {
    *only = true;
    return FG_OK;
  }
  fg_status status = place_usual(s, r->candidate, r->count, most);
  int listed = r->count;
  if (status == FG_OK) status = fg_candidates_around(s->c, s->o, &r->candidate[s->usual], listed + most, r);
  *only = r->count == listed;
  int first = *only ? most : most - most / 3;
  r->count = listed < first ? listed : first;
  return status;
}

fg_status fg_search_run(const fg_compilation *c, const fg_search_options *options, fg_search_result *out) {
  search s = {.c = c, .o = options, .out = out, .start = fg_timing_now()};
  *out = (fg_search_result){0};
  s.deadline = s.start + worth(&s);
  int most = options->most > 0 ? options->most : options->space->most > 0 ? options->space->most : USUAL_MOST;
  fg_status status = fg_candidates_list(c, options, out);
  if (status != FG_OK) return status;
  bool only = true;
  status = make_room(&s, most, &only);
  if (status != FG_OK) return status;
  make_temp(&s);
  status = run_rounds(&s, most, only);
  finish(&s);
  return status == FG_OK ? judge(&s) : status;
}
