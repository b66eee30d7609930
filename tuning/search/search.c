/* See search.h. If the device is not this CPU, building continues while it checks and times. On hosts phases
 * alternate: a few candidates are built in parallel, then nothing else runs while they are timed. In the end the
 * candidates that are not clearly slower race, and the fastest is proven. */
#include "tuning/search/search.h"
#include "generator/problem/shape.h"
#include "generator/prove/prove.h"
#include "targets/env.h"
#include "targets/timing.h"
#include "tuning/search/candidates.h"
#include "tuning/search/explore.h"
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_MOST = 64, MOST_JOBS = 64, MOST_MOVES = 512, SMALL_LOG = 16, LARGE_LOG = 22 };
/* Seconds by default: for small problems, and for large ones on a host and on other devices. */
static const double small_host = 4.5, large_host = 18, small_device = 9, longest = 120;
static const double far_slower = 1.3; /* by the model of GPUs, which is right within a fifth, mostly */

/* ---- how long ------------------------------------------------------------------------ */

/* Between the two in proportion to the logarithm of the transform's length; beyond, to the length itself. */
static double usual_seconds(const fg_exploration *s) {
  double points = (double)fg_problem_points(&s->c->problem), log_points = log2(points);
  if (!s->quiet) return fmin(small_device * fmax(1, points / (1 << 22)), longest);
  double part = (log_points - SMALL_LOG) / (LARGE_LOG - SMALL_LOG);
  if (part > 1) return fmin(large_host * points / (1 << LARGE_LOG), longest);
  return small_host * pow(large_host / small_host, fmax(part, 0));
}

/* ---- files of candidates ---------------------------------------------------------------- */

static void make_temp(fg_exploration *s) {
  const char *tmp = fg_env("TMPDIR");
  char *path = fg_arena_printf(s->c->cx->arena, "%s/fftgen-tune-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  s->temp = mkdtemp(path);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where) {
  (void)st, (void)type, (void)where;
  return remove(path);
}

/* Those that were stopped left theirs behind. */
static void remove_temp(const fg_exploration *s) {
  if (s->temp) nftw(s->temp, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- which candidates --------------------------------------------------------------------- */

static bool is_same(const fg_candidate *a, const fg_candidate *b) {
  if (!a->plan || !b->plan || strcmp(a->plan, b->plan) || a->compiler != b->compiler) return false;
  return !a->isa || !b->isa || !strcmp(a->isa, b->isa);
}

/* What would be taken without a search is first, behind a user's, and then what wisdom has; a user's space says itself
 * what is tried. */
static fg_status place_usual(fg_exploration *s, const fg_candidate *list, int count) {
  enum { USUAL, KNOWN, FIRST };
  fg_search_result *r = s->out;
  fg_candidate first[FIRST] = {0};
  fg_status status = s->o->space->own ? fg_candidates_usual(s->c, s->o, &first[USUAL]) : FG_OK;
  if (status == FG_OK) status = fg_candidates_known(s->c, s->o, &first[KNOWN]);
  if (status != FG_OK) return status;
  if (is_same(&first[USUAL], &first[KNOWN])) first[KNOWN].plan = NULL;
  first[KNOWN].known = true;
  s->room = count + MOST_MOVES + FIRST + 1;
  r->candidate = fg_arena_new(s->c->cx->arena, fg_candidate, s->room);
  r->count = 0;
  while (r->count < count && list[r->count].users) r->candidate[r->count] = list[r->count], r->count++;
  int users = r->count;
  for (int i = 0; i < FIRST; i++) {
    if (!first[i].plan) continue;
    first[i].group = 1;
    r->candidate[r->count++] = first[i];
  }
  for (int i = users; i < count; i++) {
    if (is_same(&list[i], &first[USUAL]) || is_same(&list[i], &first[KNOWN])) continue;
    r->candidate[r->count] = list[i];
    r->candidate[r->count++].steps = 1;
  }
  return FG_OK;
}

static fg_status list_candidates(fg_exploration *s) {
  fg_search_result all;
  fg_status status = fg_candidates_list(s->c, s->o, &all);
  if (status == FG_OK && s->c->request.plan) {
    s->out->candidate = all.candidate;
    s->out->count = s->room = all.count;
    return FG_OK;
  }
  return status == FG_OK ? place_usual(s, all.candidate, all.count) : status;
}

static fg_status draw(fg_exploration *s) {
  fg_context quiet = {.arena = s->c->cx->arena};
  if (!s->quiet && s->o->device->load) return FG_OK; /* who has the device does */
  fg_status status = fg_drawn_create(&quiet, &s->c->problem, s->o->params, s->o->seed, &s->drawn);
  if (status == FG_ENA) s->drawn = NULL, status = FG_OK;
  return status == FG_OK ? FG_OK : fg_diag_set(&s->c->cx->diag, status, "%s", quiet.diag.message);
}

static void make_pool(fg_exploration *s) {
  const fg_worker_task common = {.device = s->o->device,
                                 .facts = s->o->facts,
                                 .problem = fg_problem_print(s->c->cx, &s->c->problem),
                                 .temp = s->temp,
                                 .params = s->o->params,
                                 .drawn = s->drawn,
                                 .seed = s->o->seed,
                                 .impatient = s->o->hang > 0};
  s->pool = fg_worker_pool_create(s->c->cx, &common);
}

/* ---- large batches ------------------------------------------------------------------------- */

/* Of a batch whose arrays are far beyond the caches, a part says which plan is fast: on hosts, where a few executions
 * of all of it would take the budget. The largest dimension is cut. */
static bool cut_batch(const fg_exploration *s, fg_problem *p) {
  double most = 1 << LARGE_LOG, points = (double)fg_problem_points(p) * (double)fg_problem_batch_count(p, s->o->params);
  int largest = 0;
  if (!s->quiet || points <= most || !p->batch_rank || p->nparam) return false;
  for (int d = 1; d < p->batch_rank; d++)
    if (p->batch[d].n.n > p->batch[largest].n.n) largest = d;
  int64_t n = (int64_t)((double)p->batch[largest].n.n * most / points);
  if (n < 2) n = 2;
  if (n >= p->batch[largest].n.n) return false;
  fg_problem_cut_batch(p, largest, n);
  return true;
}

/* The compilation that is searched: c itself, or of the cut problem. */
static fg_status choose_problem(fg_exploration *s) {
  fg_context *cx = s->c->cx;
  fg_problem p = s->c->problem;
  s->out->timed_transforms = s->out->transforms = fg_problem_batch_count(&p, s->o->params);
  if (!cut_batch(s, &p)) return FG_OK;
  fg_request request = s->c->request;
  fg_compilation *cut = fg_arena_new(cx->arena, fg_compilation, 1);
  request.problem = fg_problem_print(cx, &p);
  fg_status status = fg_pipeline_parse(cx, &request, cut);
  if (status == FG_OK) status = fg_pipeline_decide(cut);
  if (status != FG_OK) return status;
  s->whole = s->c, s->c = cut;
  s->out->timed_transforms = fg_problem_batch_count(&p, s->o->params);
  return FG_OK;
}

/* Whether the plan is one of the whole batch, too. */
static bool fits_whole(fg_exploration *s, const fg_candidate *k, const char **why) {
  fg_context quiet = {.arena = s->c->cx->arena};
  fg_compilation c;
  if (!s->whole) return true;
  fg_request request = s->whole->request;
  request.plan = k->plan, request.isa = k->isa;
  fg_status status = fg_pipeline_parse(&quiet, &request, &c);
  if (status == FG_OK) status = fg_pipeline_decide(&c);
  *why = fg_arena_printf(s->c->cx->arena, "not of the whole batch: %s", quiet.diag.message);
  return status == FG_OK;
}

/* ---- the proof ------------------------------------------------------------------------------ */

/* Of the fastest, of the next one where that fails. Until the deadline, and a little longer where it has just begun. */
static void prove(fg_exploration *s) {
  const char *why;
  fg_candidate *k;
  while ((k = fg_explore_best(s)) && !fg_explore_stopped(s)) {
    if (!fits_whole(s, k, &why)) {
      fg_explore_fail(s, k, why);
      continue;
    }
    fg_explore_prove(s, k);
    while (fg_worker_pool_proof(s->pool, &why) == FG_PROOF_RUNS && fg_timing_now() < s->deadline &&
           !fg_explore_stopped(s)) {
      fg_worker_pool_wait(s->pool, 0.1);
      fg_explore_report(s, "prove");
    }
    s->out->proved = fg_worker_pool_proof(s->pool, &why) == FG_PROOF_YES;
    if (fg_worker_pool_proof(s->pool, &why) != FG_PROOF_NO) return;
    fg_explore_fail(s, k, why);
  }
}

/* ---- the end of it ------------------------------------------------------------------------------ */

/* Best first; those that were timed before the others. */
static int by_result(const void *a, const void *b) {
  const fg_candidate *x = a, *y = b;
  bool fast_x = x->ns > 0, fast_y = y->ns > 0;
  if (fast_x != fast_y) return fast_x ? -1 : 1;
  if (fast_x && x->entrant.out != y->entrant.out) return x->entrant.out - y->entrant.out;
  double late_x = fg_halving_doubted(&x->entrant), late_y = fg_halving_doubted(&y->entrant);
  if (fast_x) return (late_x > late_y) - (late_x < late_y);
  return x->failed != y->failed ? y->failed - x->failed : y->started - x->started;
}

/* What the plan leaves to where the text is compiled. */
static const char *say_assembly(fg_context *cx, const char *text) {
  fg_plan *p;
  if (fg_plan_parse(cx, text, &p) != FG_OK || fg_plan_param_value(p, FG_PARAM_ASSEMBLY) != FG_OPTION_AUTO) return text;
  return fg_plan_print(cx, fg_plan_with(cx, p, FG_PARAM_ASSEMBLY, FG_OPTION_ON));
}

static void finish(fg_exploration *s) {
  double whole = (double)s->out->transforms / (double)s->out->timed_transforms;
  fg_worker_pool_destroy(s->pool);
  for (int i = 0; i < s->out->count; i++) {
    fg_candidate *k = &s->out->candidate[i];
    k->ns *= whole;
    if (k->work.assembled) k->plan = say_assembly(s->c->cx, k->plan);
    if (!k->started) continue;
    fg_worker_pool_drop(s->pool, &k->work, "");
    k->failed = !k->work.dropped && !k->work.same;
    if (k->failed) k->why = fg_arena_strdup(s->c->cx->arena, k->work.why), k->ns = 0;
  }
  fg_explore_end(s);
  remove_temp(s);
  qsort(s->out->candidate, (size_t)s->out->count, sizeof *s->out->candidate, by_result);
  while (s->out->count && !s->out->candidate[s->out->count - 1].started) s->out->count--; /* not looked at */
  s->out->seconds = fg_timing_now() - s->start;
}

const fg_candidate *fg_search_missed(const fg_search_result *r, const fg_candidate *best) {
  for (int i = 0; i < r->count; i++) {
    const fg_candidate *k = &r->candidate[i];
    bool lost = k->work.state == FG_WORK_LOST && !k->work.dropped;
    if (k->ns > 0 || lost || k->base || k->cost <= 0) continue;
    if (k->known && k->started && !k->work.same) return k;
    if ((double)best->cost > far_slower * (double)k->cost) return k;
  }
  return NULL;
}

/* As the user named it. */
static const char *problem_of(const fg_exploration *s) { return (s->whole ? s->whole : s->c)->request.problem; }

static double time_given(const fg_exploration *s) { return (s->deadline - s->start) / FG_EXPLORE_PART; }

static fg_status judge_best(const fg_exploration *s) {
  const fg_candidate *missed = s->quiet ? NULL : fg_search_missed(s->out, &s->out->candidate[0]);
  if (!missed) return FG_OK;
  return fg_diag_set(&s->c->cx->diag, FG_ENA, "problem \"%s\": within %.3g s %s: %s", problem_of(s), time_given(s),
                     missed->known ? "the plan that wisdom has was not ready"
                                   : "only slow plans were ready; not ready, and by the model far faster",
                     missed->plan);
}

static fg_status judge(const fg_exploration *s) {
  fg_context *cx = s->c->cx;
  const fg_search_result *r = s->out;
  fg_diag_clear(&cx->diag); /* what was said of candidates that are none */
  const char *problem = problem_of(s), *failure = fg_worker_pool_failure(s->pool);
  if (r->count && r->candidate[0].ns > 0) return judge_best(s);
  int i = 0;
  while (i < r->count && !r->candidate[i].failed) i++;
  const char *why = i < r->count ? r->candidate[i].why : "all need longer than that";
  if (fg_explore_stopped(s)) return fg_diag_set(&cx->diag, FG_ENA, "problem \"%s\": stopped", problem);
  if (failure) return fg_diag_set(&cx->diag, FG_ESYS, "problem \"%s\": %s", problem, failure);
  if (fg_timing_now() > s->deadline - 0.15 * (s->deadline - s->start))
    return fg_diag_set(&cx->diag, FG_ENA, "problem \"%s\": no candidate was ready and timed within %.3g s (%s)",
                       problem, time_given(s), why);
  return fg_diag_set(&cx->diag, FG_EWRONG, "problem \"%s\": every candidate failed; %s: %s", problem,
                     i < r->count ? r->candidate[i].plan : "none", why);
}

static int jobs_of(const fg_exploration *s) {
  int asked = s->o->jobs, here = (int)sysconf(_SC_NPROCESSORS_ONLN), jobs = asked > 0 ? asked : here;
  if (!s->quiet && asked <= 0 && here > 3) jobs = here - 1; /* one processor stays free to launch kernels */
  return jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs;
}

fg_status fg_search_run(const fg_compilation *c, const fg_search_options *options, fg_search_result *out) {
  fg_exploration s = {.c = c, .o = options, .out = out, .start = options->begun > 0 ? options->begun : fg_timing_now()};
  *out = (fg_search_result){0};
  s.quiet = options->device->on_host || !options->facts->is_gpu_like;
  s.usual = usual_seconds(&s);
  s.deadline = s.start + FG_EXPLORE_PART * (options->seconds > 0 ? options->seconds : s.usual);
  s.most = options->most > 0 ? options->most : options->space->most > 0 ? options->space->most : USUAL_MOST;
  s.jobs = jobs_of(&s);
  fg_status status = choose_problem(&s);
  if (status == FG_OK) status = list_candidates(&s);
  if (status == FG_OK) status = draw(&s);
  if (status != FG_OK) return status;
  make_temp(&s);
  make_pool(&s);
  status = fg_explore_run(&s);
  bool cut = fg_explore_stopped(&s);
  if (status == FG_OK && !cut) out->final = fg_explore_race(&s);
  if (status == FG_OK) prove(&s);
  finish(&s);
  return status == FG_OK ? judge(&s) : status;
}
