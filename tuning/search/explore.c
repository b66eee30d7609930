/* See explore.h. */
#include "tuning/search/explore.h"
#include "generator/problem/shape.h"
#include "generator/prove/prove.h"
#include "targets/timing.h"
#include "tuning/search/beside.h"
#include "tuning/search/candidates.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCREENING = 3, FINALISTS = 8, CALM = 5, CALM_TRIES = 3, MOST_STARTED = 1000, LONGER = 3 };
static const double least_gain = 1e-3, nearly = 1.04, tolerated_spread = 0.05, report_every = 0.2;

/* Shares of the time: until when candidates are begun, exploring lasts, and the race. The rest is the proof's. */
typedef struct shares {
  double feed, explore, last_chance, race;
} shares;
static const shares of_hosts = {0.5, 0.66, 0.85, 0.93}, of_devices = {0.7, 0.82, 0.9, 0.95};
/* What a move away from the model must gain: on hosts the same code takes a little more in one process than in another,
 * and of many, one is fast by chance. */
static const double doubt_of_host = 0.015, doubt_of_device = 0.002;

static const shares *shares_of(const fg_exploration *s) { return s->quiet ? &of_hosts : &of_devices; }

static double at(const fg_exploration *s, double share) { return s->start + share * (s->deadline - s->start); }

bool fg_explore_stopped(const fg_exploration *s) { return s->o->stop && *s->o->stop; }

static int count_state(const fg_exploration *s, fg_work_state state) {
  int n = 0;
  for (int i = 0; i < s->out->count; i++) n += s->out->candidate[i].started && s->out->candidate[i].work.state == state;
  return n;
}

static bool is_untimed(const fg_candidate *k) {
  return k->started && k->work.state == FG_WORK_READY && !k->entrant.count;
}

fg_candidate *fg_explore_best(fg_exploration *s) {
  fg_candidate *best = NULL;
  for (int i = 0; i < s->out->count; i++) {
    fg_candidate *k = &s->out->candidate[i];
    bool lost = k->work.state == FG_WORK_LOST && !k->work.dropped;
    if (!(k->ns > 0) || lost || k->entrant.out) continue;
    if (!best || fg_halving_doubted(&k->entrant) < fg_halving_doubted(&best->entrant)) best = k;
  }
  return best;
}

/* Seconds that may be added where no candidate, or not what wisdom has, was timed yet: who gave no budget rather waits
 * than has no plan, and of a list's budget a long transform takes the time that short ones leave. */
static double more_seconds(fg_exploration *s) {
  double most = FG_EXPLORE_PART * (s->o->seconds > 0 ? s->o->most_seconds : LONGER * s->usual);
  const fg_candidate *best = fg_explore_best(s), *missed = best && !s->quiet ? fg_search_missed(s->out, best) : NULL;
  return best && !(missed && missed->known) ? 0 : fmax(0, most - (s->deadline - s->start));
}

static void lengthen(fg_exploration *s) { s->deadline += fmin(more_seconds(s), 0.5 * (s->deadline - s->start)); }

static bool is_over(fg_exploration *s) {
  if (fg_explore_stopped(s) || fg_worker_pool_failure(s->pool)) return true;
  if (fg_timing_now() > at(s, shares_of(s)->last_chance)) lengthen(s);
  return fg_timing_now() > s->deadline;
}

void fg_explore_report(fg_exploration *s, const char *phase) {
  double now = fg_timing_now();
  if (!s->o->watch.call || now - s->reported < report_every) return;
  int done = 0, total = 0;
  for (int i = 0; i < s->out->count; i++) {
    total += s->out->candidate[i].started;
    done += s->out->candidate[i].ns > 0 || s->out->candidate[i].work.why[0];
  }
  s->reported = now;
  const fg_candidate *best = fg_explore_best(s);
  if (best && !s->quiet && fg_search_missed(s->out, best)) best = NULL; /* no result yet */
  fg_candidate whole = best ? *best : (fg_candidate){0};
  whole.ns *= (double)s->out->transforms / (double)s->out->timed_transforms;
  s->o->watch.call(s->o->watch.context, phase, done, total, fmax(s->deadline - now, 0), best ? &whole : NULL);
}

/* Texts that others have already cost next to nothing. */
static int count_same(const fg_exploration *s) {
  int n = 0;
  for (int i = 0; i < s->out->count; i++) n += s->out->candidate[i].work.same;
  return n;
}

/* ---- the next candidate ---------------------------------------------------------------------- */

/* Plans of the same steps and parameters, whatever their numbers: a model is off by the same for all of them. */
enum { FAMILIES = 64, KEY_SIZE = 128 };
struct fg_families {
  int count;
  char key[FAMILIES][KEY_SIZE];
  fg_guesses guesses[FAMILIES];
};

static void key_of(const fg_candidate *k, char key[KEY_SIZE]) {
  int n = 0;
  for (const char *c = k->plan; *c && n < KEY_SIZE - 2; c++)
    if (!strchr("0123456789, ", *c)) key[n++] = *c;
  key[n++] = k->predicted > 0 ? '!' : '.';
  key[n] = 0;
}

static fg_guesses *family_of(const fg_exploration *s, const fg_candidate *k) {
  struct fg_families *f = s->families;
  char key[KEY_SIZE];
  int i = 0;
  key_of(k, key);
  while (i < f->count && strcmp(f->key[i], key) != 0) i++;
  if (i == FAMILIES) return &f->guesses[FAMILIES - 1];
  if (i == f->count) {
    memcpy(f->key[f->count++], key, sizeof key);
    f->guesses[i] = (fg_guesses){.prior_sd = k->predicted > 0 ? 0.12 : 0.2, .weight = 2};
  }
  return &f->guesses[i];
}

/* The likeliest time of one that was not tried, and how far such guesses were off. */
static fg_guesses *guess(fg_exploration *s, const fg_candidate *k, double *ns) {
  if (k->base && k->base->ns > 0) {
    double more = k->base->cost > 0 ? (double)k->cost / (double)k->base->cost : 1;
    *ns = k->base->ns * fmin(fmax(more, 0.9), 1.1);
    return &s->moves;
  }
  bool fitted = k->predicted > 0 && s->anchor[1];
  const fg_candidate *a = s->anchor[fitted];
  if (!a) a = s->anchor[!fitted];
  double more = fitted ? k->predicted / a->predicted : (double)k->cost / fmax((double)a->cost, 1);
  *ns = a->ns * more;
  return family_of(s, k);
}

static void learn(fg_exploration *s, fg_candidate *k) {
  double ns = 0;
  bool fitted = k->predicted > 0;
  if (!k->base && !s->anchor[fitted]) {
    s->anchor[fitted] = k;
    return;
  }
  fg_guesses *g = guess(s, k, &ns);
  fg_guesses_add(g, ns, k->ns);
}

/* NULL: none is worth it. Before anything was timed, the list's order counts; a user's own are first, and what
 * wisdom has or a user's space says is tried whatever its expected gain. */
static fg_candidate *choose_next(fg_exploration *s, const fg_candidate *best) {
  fg_candidate *next = NULL;
  double most = 0, ns = 0;
  bool may_guess = best && (s->anchor[0] || s->anchor[1]);
  if (s->started - count_same(s) >= s->most || s->started >= MOST_STARTED) return NULL;
  for (int i = 0; i < s->out->count; i++) {
    fg_candidate *k = &s->out->candidate[i];
    if (k->started) continue;
    if (!may_guess || k->users || k->known) return k;
    const fg_guesses *g = guess(s, k, &ns);
    double gain = fg_expected_gain(g, ns, best->ns);
    if (!next || gain > most) next = k, most = gain;
  }
  return next && (most >= least_gain || !s->o->space->own) ? next : NULL;
}

/* A step of this process ends when it ends: none is begun that would last beyond the time. */
static bool has_time(const fg_exploration *s) { return fg_timing_now() + s->longest < s->deadline; }

static void note_step(fg_exploration *s, double begin) { s->longest = fmax(s->longest, fg_timing_now() - begin); }

static fg_status list_moves(fg_exploration *s, fg_candidate *k) {
  double begin = fg_timing_now();
  if (!k || k->moved || s->c->request.plan || !has_time(s)) return FG_OK;
  k->moved = true;
  fg_status status = fg_candidates_around(s->c, s->o, k, s->room, s->out);
  note_step(s, begin);
  return status;
}

/* When no candidate has an expected gain any more, the moves around those that are nearly as fast are left: what is
 * best for one plan need not be for another. NULL: there are none. */
static fg_candidate *near_best(fg_exploration *s) {
  const fg_candidate *best = fg_explore_best(s);
  fg_candidate *near = NULL;
  for (int i = 0; best && i < s->out->count; i++) {
    fg_candidate *k = &s->out->candidate[i];
    bool lost = k->work.state == FG_WORK_LOST && !k->work.dropped;
    if (!(k->ns > 0) || lost || k->moved || k->base == best || k->ns > nearly * best->ns) continue;
    if (!near || k->ns < near->ns) near = k;
  }
  return near;
}

static void start(fg_exploration *s, fg_candidate *k) {
  const shares *share = shares_of(s);
  bool waits = !fg_explore_best(s);
  double more = more_seconds(s);
  fg_build b = {.plan = k->plan, .isa = k->isa, .compiler = k->compiler, .once = k->steps > 0};
  k->started = true;
  k->entrant.doubt = (s->quiet ? doubt_of_host : doubt_of_device) * k->steps;
  k->entrant.stays = s->quiet && !k->steps && !k->users && !k->known; /* the model's choice */
  fg_worker_pool_build(s->pool, &k->work, s->started++, &b,
                       at(s, waits ? share->last_chance : share->explore) + more - fg_timing_now());
  s->wave++;
}

/* A host's wave is so large that timing it is worth an interruption. */
static bool wave_is_full(const fg_exploration *s) { return s->quiet && s->wave >= 4 * s->jobs; }

static void feed(fg_exploration *s) {
  const fg_candidate *best = fg_explore_best(s);
  const shares *share = shares_of(s);
  if (fg_explore_stopped(s) || fg_timing_now() > at(s, best ? share->feed : share->explore)) s->wave_closed = true;
  while (!s->wave_closed && count_state(s, FG_WORK_BUILDING) < s->jobs) {
    fg_candidate *k = wave_is_full(s) ? NULL : choose_next(s, best);
    if (k)
      start(s, k);
    else if (s->quiet)
      s->wave_closed = true;
    if (!k) break;
  }
}

/* ---- checking and timing ------------------------------------------------------------------ */

/* Until the pool has a reply; other candidates are built meanwhile, which does not disturb devices. */
static void await(fg_exploration *s, fg_candidate *k, const char *phase) {
  while (fg_worker_pool_is_busy(s->pool)) {
    if (is_over(s)) {
      fg_worker_pool_drop(s->pool, &k->work, "");
      break;
    }
    if (!s->quiet) feed(s);
    fg_worker_pool_wait(s->pool, 0.05);
    fg_explore_report(s, phase);
  }
}

/* Seconds of a processor, at most, for what a process does with all elements before it has a result: where there are no
 * drawn inputs, arrays are filled and compared element by element. */
static double sweeping(const fg_exploration *s) {
  const fg_problem *p = &s->c->problem;
  int64_t lowest[FG_MAX_PARAMS];
  fg_settings_lowest(p, NULL, lowest);
  const int64_t *params = s->o->params ? s->o->params : lowest;
  double elements = (double)fg_problem_extent(p, false, params) + (double)fg_problem_extent(p, true, params);
  return (fg_drawn_serves(p) ? 1e-8 : 5e-7) * elements;
}

/* For a call that takes so many seconds, and the sweeps around it. */
static double patience(const fg_exploration *s, double needed) {
  double limit = fmax(2 + 20 * needed + sweeping(s), 0.2 * (s->deadline - s->start));
  return s->o->hang > 0 ? s->o->hang : limit;
}

static void check(fg_exploration *s, fg_candidate *k) {
  fg_worker_pool_check(s->pool, &k->work, patience(s, 0));
  await(s, k, "check");
}

/* false: there is no time for it. A measurement takes seven calls at least. */
static bool take_turn(fg_exploration *s, fg_candidate *k, double slice, double slower) {
  double needed = fmax(1.5 * slice, 8e-9 * k->entrant.ns);
  if (is_over(s) || fg_timing_now() + needed > s->deadline) return false;
  if (k->work.state != FG_WORK_READY) return true;
  fg_worker_pool_time(s->pool, &k->work, slice, patience(s, needed));
  await(s, k, "time");
  if (k->work.state != FG_WORK_READY) return !is_over(s);
  fg_halving_add(&k->entrant, k->work.ns / slower);
  k->ns = k->entrant.ns, k->spread = k->entrant.spread;
  return true;
}

static double slice_of(const fg_exploration *s, double share, int turns) {
  double shortest = 2e-3, longest = s->quiet ? 4e-2 : 4e-3;
  return fmin(fmax(share * (s->deadline - s->start) / fmax(turns, 1), shortest), longest);
}

static double slower_now(fg_exploration *s, double slice) {
  double begin = fg_timing_now();
  if (!has_time(s)) return 1;
  double slower = fg_beside_slower(s->reference, slice);
  note_step(s, begin);
  return slower;
}

/* A candidate that is slower beyond doubt frees its place. */
static void drop_beaten(fg_exploration *s) {
  fg_entrant *e[FG_HALVING_SAMPLES];
  int n = 0;
  for (int i = 0; i < s->out->count && n < FG_HALVING_SAMPLES; i++) {
    fg_candidate *k = &s->out->candidate[i];
    if (k->ns > 0 && k->work.state == FG_WORK_READY) e[n++] = &k->entrant;
  }
  fg_halving_cut(e, n);
  for (int i = 0; i < s->out->count; i++) {
    fg_candidate *k = &s->out->candidate[i];
    if (k->ns > 0 && k->entrant.out && k->work.state == FG_WORK_READY) fg_worker_pool_drop(s->pool, &k->work, "");
  }
}

/* One round is enough. */
static bool is_far_behind(fg_exploration *s, const fg_candidate *k) {
  const fg_candidate *best = fg_explore_best(s);
  return k->ns > 0 && best && k->ns > 1.5 * best->ns;
}

/* All that are right and were not timed, a few rounds each, one after the other. */
static fg_status screen(fg_exploration *s) {
  fg_candidate *k[FG_HALVING_SAMPLES];
  int n = 0;
  for (int i = 0; i < s->out->count && n < FG_HALVING_SAMPLES; i++)
    if (is_untimed(&s->out->candidate[i])) k[n++] = &s->out->candidate[i];
  double slice = slice_of(s, 0.1, n * SCREENING);
  for (int turn = 0; turn < SCREENING; turn++) {
    double slower = slower_now(s, slice);
    for (int i = 0; i < n; i++)
      if (!is_far_behind(s, k[i]) && !take_turn(s, k[i], slice, slower)) break;
  }
  for (int i = 0; i < n; i++)
    if (k[i]->ns > 0 && k[i]->work.state == FG_WORK_READY) learn(s, k[i]);
  drop_beaten(s);
  s->wave = 0, s->wave_closed = false;
  fg_candidate *best = fg_explore_best(s);
  if (best && !s->quiet) fg_explore_prove(s, best);
  return is_over(s) ? FG_OK : list_moves(s, best);
}

static fg_candidate *find_state(fg_exploration *s, fg_work_state state) {
  for (int i = 0; i < s->out->count; i++)
    if (s->out->candidate[i].started && s->out->candidate[i].work.state == state) return &s->out->candidate[i];
  return NULL;
}

static bool has_untimed(const fg_exploration *s) {
  for (int i = 0; i < s->out->count; i++)
    if (is_untimed(&s->out->candidate[i])) return true;
  return false;
}

/* One thing of what there is to do. *going: there may be more. */
static fg_status do_next(fg_exploration *s, bool *going) {
  bool host = s->quiet, building = count_state(s, FG_WORK_BUILDING) > 0;
  fg_candidate *built = find_state(s, FG_WORK_BUILT), *near;
  if (built) {
    check(s, built);
  } else if (has_untimed(s) && (!building || !host)) {
    if (host && !s->reference) s->reference = fg_beside_create(s->c, s->o->params);
    return screen(s);
  } else if (building) {
    fg_worker_pool_wait(s->pool, 0.05);
    fg_explore_report(s, "build");
  } else if (fg_timing_now() > at(s, shares_of(s)->feed)) {
    *going = false;
  } else if (choose_next(s, fg_explore_best(s))) {
    s->wave_closed = false, s->wave = 0; /* all of a wave failed */
  } else if ((near = near_best(s))) {
    s->wave_closed = false;
    return list_moves(s, near);
  } else {
    *going = false;
  }
  return FG_OK;
}

fg_status fg_explore_run(fg_exploration *s) {
  fg_status status = FG_OK;
  bool going = true;
  s->families = fg_arena_new(s->c->cx->arena, struct fg_families, 1);
  s->families->count = 0;
  s->moves = (fg_guesses){.prior_mean = 0.01, .prior_sd = 0.05, .weight = 4};
  while (going && !is_over(s) && status == FG_OK) {
    const fg_candidate *best = fg_explore_best(s);
    bool none = !best && !find_state(s, FG_WORK_BUILT) && !has_untimed(s);
    if (none && fg_timing_now() > at(s, shares_of(s)->explore)) lengthen(s);
    if (best && fg_timing_now() > at(s, shares_of(s)->explore)) break;
    feed(s);
    status = do_next(s, &going);
  }
  for (fg_candidate *k; (k = find_state(s, FG_WORK_BUILDING)) || (k = find_state(s, FG_WORK_BUILT));)
    fg_worker_pool_drop(s->pool, &k->work, "");
  return status;
}

/* ---- the race -------------------------------------------------------------------------------- */

typedef struct race {
  fg_candidate *k[FINALISTS];
  fg_entrant *e[FINALISTS];
  int count;
} race;

static fg_candidate *whose(fg_exploration *s, const fg_entrant *e) {
  for (int i = 0; i < s->out->count; i++)
    if (&s->out->candidate[i].entrant == e) return &s->out->candidate[i];
  return NULL;
}

/* The fastest so far; the others are done. */
static void gather(fg_exploration *s, race *r) {
  fg_entrant *e[FG_HALVING_SAMPLES];
  int n = 0;
  for (int i = 0; i < s->out->count && n < FG_HALVING_SAMPLES; i++) {
    fg_candidate *k = &s->out->candidate[i];
    if (k->started && k->work.state == FG_WORK_READY && k->entrant.count) e[n++] = &k->entrant;
  }
  int kept = fg_halving_cut(e, n);
  r->count = kept < FINALISTS ? kept : FINALISTS;
  for (int i = r->count; i < kept; i++) {
    if (!e[i]->stays) continue;
    fg_entrant *last = e[r->count - 1];
    e[r->count - 1] = e[i], e[i] = last;
  }
  for (int i = 0; i < n; i++) {
    if (i < r->count) {
      r->e[i] = e[i];
      continue;
    }
    e[i]->out = true;
    fg_worker_pool_drop(s->pool, &whose(s, e[i])->work, "");
  }
}

static void cut(fg_exploration *s, race *r) {
  int n = 0;
  for (int i = 0; i < r->count; i++)
    if (whose(s, r->e[i])->work.state == FG_WORK_READY) r->e[n++] = r->e[i];
  int kept = fg_halving_cut(r->e, n);
  for (int i = kept; i < n; i++) fg_worker_pool_drop(s->pool, &whose(s, r->e[i])->work, "");
  r->count = kept;
}

/* One round, in the reverse order of the one before. */
static bool go_round(fg_exploration *s, race *r, double slice, int turn) {
  double slower = slower_now(s, slice);
  for (int i = 0; i < r->count; i++)
    if (!take_turn(s, whose(s, r->e[turn % 2 ? r->count - 1 - i : i]), slice, slower)) return false;
  return true;
}

static bool is_calm(const fg_entrant *e) { return e->spread >= 0 && e->spread <= tolerated_spread; }

/* A spread that a disturbance made disappears when it is measured again; one that is not known becomes known. */
static void calm(fg_exploration *s, race *r) {
  for (int i = 0; i < CALM_TRIES && !is_calm(r->e[0]); i++) {
    fg_candidate *k = whose(s, r->e[0]);
    for (int turn = 0; turn < CALM; turn++)
      if (!take_turn(s, k, slice_of(s, 0.03, CALM), slower_now(s, 2e-3))) return;
    fg_halving_calmest(&k->entrant, CALM);
    k->ns = k->entrant.ns, k->spread = k->entrant.spread;
    s->out->calmed = true;
  }
}

bool fg_explore_race(fg_exploration *s) {
  race r = {.count = 0};
  double end = at(s, shares_of(s)->race);
  bool decided = false, going = true;
  gather(s, &r);
  for (int turn = 0; r.count && going && !decided && fg_timing_now() < end; turn++) {
    double slice = slice_of(s, 0.2, r.count * 4 * SCREENING);
    going = go_round(s, &r, slice, turn);
    if (turn % SCREENING != SCREENING - 1) continue;
    cut(s, &r);
    decided = r.count <= 1 || fg_halving_is_decided(r.e, r.count);
  }
  if (!r.count) return false;
  r.e[0]->won = true;
  calm(s, &r);
  const fg_candidate *best = whose(s, r.e[0]);
  return best->work.state == FG_WORK_READY && best->entrant.count - best->entrant.from >= SCREENING;
}

/* ---- the rest ---------------------------------------------------------------------------------- */

void fg_explore_prove(fg_exploration *s, const fg_candidate *k) {
  bool same = s->proving.plan && !strcmp(s->proving.plan, k->plan) && s->proving.isa == k->isa;
  if (same) return;
  s->proving = (fg_build){.plan = k->plan, .isa = k->isa};
  fg_worker_pool_prove(s->pool, &s->proving);
}

void fg_explore_fail(fg_exploration *s, fg_candidate *k, const char *why) {
  snprintf(k->work.why, sizeof k->work.why, "%s", why);
  fg_worker_pool_drop(s->pool, &k->work, why);
  k->work.dropped = false;
  k->ns = 0;
}

void fg_explore_end(fg_exploration *s) { fg_beside_destroy(s->reference); }
