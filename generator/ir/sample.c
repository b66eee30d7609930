/* See sample.h. In: a program, values of its parameters, how much may be walked. Out: counters of every loop.
 *
 * The idea: text has the same lines for all iterations of a loop, so a fault in them shows at any of several values.
 * Comparisons make the difference between iterations, and the values at which their results change are known. */
#include "generator/ir/sample.h"
#include <string.h>

enum {
  MOST_EDGES = 8 /* values of a loop around which something changes */,
  EDGES_FACTOR = 4 /* by which these may exceed what is to be walked */,
  FEW = 2 /* values of a loop that are walked in any case */,
  MOST_PICKS = 64 /* and at most */
};

typedef struct picker {
  fg_context *cx;
  const fg_program *p;
  const fg_sample_options *o;
  const fg_kernel *k;
  bool joined;
  fg_picks *picks; /* of k's digits */
  uint64_t random;
} picker;

/* ---- sets of counters ----------------------------------------------------------------- */

int64_t fg_sample_next(const fg_picks *x, int64_t i) {
  if (x->all) return i + 1;
  int low = 0, high = x->count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (x->at[middle] <= i)
      low = middle + 1;
    else
      high = middle;
  }
  return low < x->count ? x->at[low] : x->extent;
}

/* Where it is among them; -1: it is not, or was there before. */
static int insert(picker *w, fg_picks *x, int64_t counter) {
  if (counter < 0 || counter >= x->extent) return -1;
  int i = x->count;
  for (; i > 0 && x->at[i - 1] > counter; i--)
    ;
  if (i > 0 && x->at[i - 1] == counter) return -1;
  if (x->count == x->room) {
    x->room = 2 * x->room + 8;
    x->at = fg_arena_more(w->cx->arena, x->at, x->count, x->room);
  }
  memmove(&x->at[i + 1], &x->at[i], sizeof *x->at * (size_t)(x->count - i));
  x->at[i] = counter;
  x->count++;
  return i;
}

static void take_out(fg_picks *x, int i) {
  memmove(&x->at[i], &x->at[i + 1], sizeof *x->at * (size_t)(--x->count - i));
}

/* One more, at random, from the widest gap between those that are there. */
static int insert_random(picker *w, fg_picks *x) {
  int widest = 0;
  for (int i = 1; i + 1 < x->count; i++)
    if (x->at[i + 1] - x->at[i] > x->at[widest + 1] - x->at[widest]) widest = i;
  int64_t from = x->at[widest] + 1, gap = x->at[widest + 1] - from;
  return gap > 0 ? insert(w, x, from + (int64_t)fg_random_below((uint64_t)gap, &w->random)) : -1;
}

static int64_t walked(const fg_picks *x) { return x->all ? x->extent : x->count; }

/* ---- loops ------------------------------------------------------------------------------ */

bool fg_sample_has_loop(const fg_digit *d) { return !(fg_num_is(d->extent, 1) && d->start.form == FG_NUM_CONST); }

int64_t fg_sample_value(const fg_digit *d, int64_t counter, const int64_t *params) {
  return (fg_digit_is_clipped(d) ? 0 : fg_num_value(d->start, params)) + counter * d->step;
}

/* Lanes are walked all at once; threads have their own number. */
static bool is_sampled(const picker *w, int digit) {
  const fg_digit *d = &w->k->digit[digit];
  if (fg_kernel_is_outer(w->k, digit)) return fg_sample_has_loop(d);
  return !w->joined && (d->role == FG_ROLE_LOOP || d->role == FG_ROLE_REG) && fg_sample_has_loop(d);
}

/* Elements that a stage moves in the iterations that are walked. */
static double work_of(const picker *w, const fg_stage *s) {
  const fg_kernel *k = w->k;
  double work = (double)(fg_access_slots(k, &s->load) + fg_access_slots(k, &s->store));
  if (s->factors.has_twiddle) work += (double)fg_access_slots(k, &s->factors.twiddle);
  for (int i = 0; i < k->nouter; i++) work *= (double)walked(&w->picks[k->outer[i]]);
  for (int i = 0; i < s->nloop; i++)
    if (k->digit[s->loop[i]].role != FG_ROLE_THREAD) work *= (double)walked(&w->picks[s->loop[i]]);
  return fg_stage_has_threads(k, s) ? work * (double)walked(&w->picks[FG_MAX_DIGITS]) : work;
}

static double most_work(const picker *w) {
  double most = 0;
  for (int i = 0; i < w->k->nstage; i++) {
    double work = work_of(w, &w->k->stage[i]);
    if (work > most) most = work;
  }
  return most;
}

/* ---- edges ------------------------------------------------------------------------------- */

typedef struct edges {
  int64_t low, high; /* of all terms of a sum but one */
} edges;

static int64_t term_value(const picker *w, const fg_term *t, bool last) {
  const fg_digit *d = &w->k->digit[t->digit];
  int64_t n = fg_digit_extent(d, w->o->params);
  return fg_num_value(t->coef, w->o->params) * fg_digit_value(d, last && n > 0 ? n - 1 : 0, w->o->params);
}

static edges others_of(const picker *w, const fg_affine *a, int but) {
  edges e = {fg_num_value(a->offset, w->o->params), 0};
  e.high = e.low;
  for (int t = 0; t < a->nterm; t++) {
    int64_t first = term_value(w, &a->term[t], false), last = term_value(w, &a->term[t], true);
    if (t == but) continue;
    e.low += first < last ? first : last;
    e.high += first < last ? last : first;
  }
  return e;
}

/* The counters on both sides of where start + counter * step, times coef, comes to `at`. */
static void add_edge(picker *w, const fg_term *t, int64_t at) {
  const fg_digit *d = &w->k->digit[t->digit];
  bool thread = d->role == FG_ROLE_THREAD;
  fg_picks *x = &w->picks[thread ? FG_MAX_DIGITS : t->digit];
  int64_t by = fg_num_value(t->coef, w->o->params) * d->step, times = thread ? d->div : 1;
  if (x->all || by == 0 || x->count >= FEW + MOST_EDGES) return;
  int64_t counter = (at - fg_num_value(t->coef, w->o->params) * fg_num_value(d->start, w->o->params)) / by;
  for (int64_t i = counter - 1; i <= counter + 1; i++) insert(w, x, i * times);
}

static void add_edges_at(picker *w, const fg_affine *a, int64_t bound, int but) {
  for (int t = 0; t < a->nterm; t++) {
    edges e = others_of(w, a, t);
    if (t == but) continue;
    if (but >= 0) { /* that term is in the bound already */
      int64_t first = term_value(w, &a->term[but], false), last = term_value(w, &a->term[but], true);
      e.low -= first < last ? first : last;
      e.high -= first < last ? last : first;
    }
    add_edge(w, &a->term[t], bound - e.low);
    add_edge(w, &a->term[t], bound - e.high);
  }
}

/* Where a sum reaches a bound, each of its loops has such counters for the others' ends, and for each of the slots. */
static void add_edges(picker *w, const fg_affine *a, int64_t bound, int16_t reg) {
  int slot = -1;
  for (int t = 0; t < a->nterm; t++)
    if (reg >= 0 && a->term[t].digit == reg) slot = t;
  if (slot < 0) {
    add_edges_at(w, a, bound, -1);
    return;
  }
  const fg_digit *d = &w->k->digit[reg];
  int64_t coef = fg_num_value(a->term[slot].coef, w->o->params);
  for (int64_t i = 0; i < d->extent.n; i++) add_edges_at(w, a, bound - coef * fg_digit_value(d, i, w->o->params), slot);
}

static void add_edges_of(picker *w, const fg_pred *pred, int npred, int16_t reg) {
  for (int i = 0; i < npred; i++)
    if (!pred[i].mod) add_edges(w, &pred[i].value, fg_num_value(pred[i].bound, w->o->params), reg);
}

/* Where an address that wraps, is reduced or padded does so first. */
static void add_edges_of_index(picker *w, const fg_index *x, int16_t reg) {
  for (int i = 0; i < x->nwrap; i++) add_edges(w, &x->wrap[i].position, x->wrap[i].split, reg);
  if (x->mod) add_edges(w, &x->at, x->mod, reg);
  if (x->pad_every) add_edges(w, &x->at, x->pad_every, reg);
  if (x->xor_mask) add_edges(w, &x->at, INT64_C(1) << x->xor_shift, reg);
}

static void add_all_edges(picker *w) {
  add_edges_of(w, w->k->pred, w->k->npred, -1);
  for (int s = 0; s < w->k->nstage; s++) {
    const fg_access *a;
    add_edges_of(w, w->k->stage[s].pred, w->k->stage[s].npred, -1);
    for (int i = 0; (a = fg_stage_access(&w->k->stage[s], i)); i++) {
      add_edges_of(w, a->pred, a->npred, a->reg);
      add_edges_of_index(w, &a->index, a->reg);
    }
  }
}

/* ---- the whole ----------------------------------------------------------------------------- */

static void begin(picker *w, fg_picks *x, int64_t extent, bool sampled) {
  *x = (fg_picks){.extent = extent, .all = !sampled || extent <= FEW};
  if (x->all) return;
  insert(w, x, 0);
  insert(w, x, extent - 1);
}

/* Values of this loop more, if there is room for them. True: it grew. */
static bool grow(picker *w, fg_picks *x) {
  int at = x->all || x->count >= MOST_PICKS ? -1 : insert_random(w, x);
  if (at < 0 || most_work(w) <= (double)w->o->most) return at >= 0;
  take_out(x, at);
  return false;
}

static void grow_all(picker *w) {
  for (bool grew = true; grew;) {
    grew = false;
    for (int d = 0; d <= w->k->ndigit; d++) {
      fg_picks *x = &w->picks[d < w->k->ndigit ? d : FG_MAX_DIGITS];
      if (grow(w, x)) grew = true;
    }
  }
}

static void begin_all(picker *w) {
  for (int d = 0; d < w->k->ndigit; d++)
    begin(w, &w->picks[d], fg_digit_extent(&w->k->digit[d], w->o->params), is_sampled(w, d));
  begin(w, &w->picks[FG_MAX_DIGITS], w->k->launch.threads > 1 ? w->k->launch.threads : 1, true);
}

static fg_picks *pick(picker *w) {
  w->picks = fg_arena_new(w->cx->arena, fg_picks, FG_MAX_DIGITS + 1);
  begin_all(w);
  add_all_edges(w);
  if (most_work(w) > (double)(EDGES_FACTOR * w->o->most)) begin_all(w);
  grow_all(w);
  return w->picks;
}

fg_sample *fg_sample_create(fg_context *cx, const fg_program *p, const fg_sample_options *o) {
  fg_sample *s = fg_arena_new(cx->arena, fg_sample, 1);
  for (int i = 0; i < p->nkernel; i++) {
    picker w = {.cx = cx, .p = p, .o = o, .k = p->kernel[i], .joined = o->joined && o->joined[i], .random = o->seed};
    s->of[i] = pick(&w);
  }
  return s;
}
