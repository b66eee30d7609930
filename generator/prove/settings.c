/* Settings: values of run-time parameters at which a program is walked or run.
 *
 * In: a problem and the length of vectors. Out: a list, a middle one first, all upper ends second. The idea: from
 * either, one parameter moves at a time, to the values at which loops change their form: the ends of its range and
 * around multiples of the vector length. */
#include "generator/prove/settings.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"
#include "generator/prove/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 40, SHORT_RANGE = 32, LARGE = 1 << 17 /* points */ };
#define MOST_MARKED (INT64_C(1) << 20)  /* elements that are marked one by one, to see that no two are one */
#define MOST_ADDED (INT64_C(1) << 18)   /* points of transforms whose results are added */
#define LARGEST_SPAN (INT64_C(1) << 34) /* elements; parameters stay below it */

static bool add_value(int64_t *value, int *count, const fg_param *range, int64_t x) {
  if (x < range->lo || x > range->hi || *count == MOST_VALUES) return false;
  for (int i = 0; i < *count; i++)
    if (value[i] == x) return false;
  value[(*count)++] = x;
  return true;
}

/* Whether a walk can hold the results (the input, if nothing stores to it, has no cells): there are
 * not too many addresses, or of elements far apart, which have places of their own. Those that meet
 * are no call, and no walk. */
static bool can_be_held(const fg_program *p, const int64_t *params) {
  const fg_problem *q = &p->problem;
  if (q->summed && fg_problem_summands(q, params) > MOST_ADDED / fg_problem_points(q))
    return false; /* none is left out */
  fg_strides results = fg_strides_create(q, params, true), inputs = fg_strides_create(q, params, false);
  int64_t span = results.span[0];
  if (q->in_place && inputs.span[0] > span) span = inputs.span[0];
  fg_apart apart = fg_strides_apart(&results);
  if (apart == FG_APART_UNKNOWN && results.elements > MOST_MARKED) return false;
  if (span < LARGEST_SPAN || apart == FG_APART_NOT) return true;
  return results.elements <= LARGEST_SPAN && fg_ram_packs(p, params, q->in_place ? FG_BUFFER_IN : FG_BUFFER_OUT);
}

/* The highest value whose arrays a walk can hold. */
static int64_t highest(const fg_program *p, int which, const int64_t *base) {
  const fg_param *range = &p->problem.param[which];
  int64_t at[FG_MAX_PARAMS], high = range->hi;
  memcpy(at, base, sizeof at);
  for (at[which] = high; !can_be_held(p, at) && high > range->lo; at[which] = high) high /= 2;
  if (high < range->lo) high = range->lo;
  return high;
}

/* Does any distance between elements depend on it? */
static bool is_stride(const fg_problem *q, int which) {
  for (int i = 0; i < q->batch_rank + q->rank; i++) {
    const fg_dim *d = fg_problem_axis(q, i);
    if (d->is.form != FG_NUM_CONST && d->is.param == which) return true;
    if (d->os.form != FG_NUM_CONST && d->os.param == which) return true;
  }
  return false;
}

/* Where there is one more part of what it counts, of a sum. */
static void add_parts(const fg_program *p, int which, int64_t high, int64_t *value, int *count) {
  for (int k = 0; k < p->nkernel && p->problem.summed; k++)
    for (int d = 0; d < p->kernel[k]->ndigit; d++) {
      fg_num n = p->kernel[k]->digit[d].extent;
      bool parts = n.form == FG_NUM_CEIL && n.param == which;
      for (int64_t x = parts ? n.div - 1 : 1; parts && x <= 2 * n.div + 1; x += x == n.div + 1 ? n.div : 1)
        if (x <= high) add_value(value, count, &p->problem.param[which], x);
    }
}

/* Values of one parameter: all of a short range; else its ends, small ones and
 * the highest ones around multiples of the vector length, and, of strides, where
 * the data of one transform just fit. */
static int choose_values(const fg_program *p, int64_t lanes, int which, const int64_t *base, int64_t *value) {
  const fg_problem *q = &p->problem;
  const fg_param *range = &q->param[which];
  int64_t points = fg_problem_points(q), high = highest(p, which, base);
  int64_t full = high - high % lanes; /* whole vectors up to there */
  const int64_t tries[] = {range->lo, range->lo + 1, lanes - 1, lanes, lanes + 1,        2 * lanes,   3 * lanes + 2,
                           high,      high - 1,      full - 1,  full,  full - lanes + 1, base[which], base[which] + 1};
  int count = 0;
  for (int64_t x = range->lo; range->hi - range->lo < SHORT_RANGE && x <= high; x++) add_value(value, &count, range, x);
  for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
    if (tries[i] <= high) add_value(value, &count, range, tries[i]);
  for (int more = 0; more <= 3 && is_stride(q, which); more += 3)
    if (points + more <= high) add_value(value, &count, range, points + more);
  add_parts(p, which, high, value, &count);
  return count;
}

bool fg_settings_nested(const fg_problem *q, const int64_t *params) {
  int64_t stride[2 * FG_MAX_RANK], length[2 * FG_MAX_RANK], span = 0;
  int count = 0;
  for (int i = 0; i < q->batch_rank + q->rank; i++) {
    const fg_dim *d = fg_problem_axis(q, i);
    int64_t n = fg_problem_axis_length(q, i, true, params);
    int64_t s = fg_num_value(d->os, params);
    int at = count;
    if (n <= 1) continue;
    s = s < 0 ? -s : s;
    for (; at > 0 && stride[at - 1] > s; at--) stride[at] = stride[at - 1], length[at] = length[at - 1];
    stride[at] = s, length[at] = n;
    count++;
  }
  for (int i = 0; i < count; i++) {
    if (stride[i] <= span) return false;
    span += (length[i] - 1) * stride[i];
  }
  return true;
}

static void set_stride(const fg_problem *q, const fg_num *s, int64_t stride, int64_t *at) {
  const fg_param *range = &q->param[s->param];
  at[s->param] = stride < range->lo ? range->lo : stride > range->hi ? range->hi : stride;
}

/* Each stride the least that exceeds what those further in span. fixed: parameters that stay; NULL: none. */
static void nest_upwards(const fg_problem *q, const bool *fixed, int64_t *at) {
  int64_t span = 0;
  for (int i = q->batch_rank + q->rank - 1; i >= 0; i--) {
    const fg_num *s = &fg_problem_axis(q, i)->os;
    if (s->form == FG_NUM_PARAM && !(fixed && fixed[s->param])) set_stride(q, s, span / s->n + 1, at);
    span += (fg_problem_axis_length(q, i, true, at) - 1) * fg_num_value(*s, at);
  }
}

/* Each stride the largest that leaves room for those further out. */
static void nest_downwards(const fg_problem *q, int64_t *at) {
  int64_t above = INT64_MAX;
  for (int i = 0; i < q->batch_rank + q->rank; i++) {
    const fg_num *s = &fg_problem_axis(q, i)->os;
    if (s->form == FG_NUM_PARAM) set_stride(q, s, above / fg_problem_axis_length(q, i, true, at) / s->n, at);
    above = fg_num_value(*s, at);
  }
}

/* Strides as small as the elements inside them allow: parameters start at their
 * lower ends and double, the innermost first, until no two results are one. Some
 * transforms, not one, so that strides matter; few where they are large. */
static void choose_base(const fg_problem *q, int64_t lanes, int64_t *base) {
  for (int i = 0; i < q->nparam; i++) base[i] = q->param[i].lo;
  for (int i = 0; i < q->batch_rank; i++) {
    const fg_num *n = &q->batch[i].n;
    if (n->form == FG_NUM_CONST) continue;
    int64_t wanted = fg_problem_points(q) < LARGE ? lanes + 3 : 2, hi = q->param[n->param].hi;
    if (base[n->param] < wanted) base[n->param] = wanted < hi ? wanted : hi;
  }
  for (int round = 0; round < 40 && !fg_settings_nested(q, base); round++)
    for (int i = q->batch_rank + q->rank - 1; i >= 0 && !fg_settings_nested(q, base); i--) {
      const fg_num *s = &fg_problem_axis(q, i)->os;
      if (s->form == FG_NUM_CONST) continue;
      int64_t twice = base[s->param] > 0 ? 2 * base[s->param] : base[s->param] + 1, hi = q->param[s->param].hi;
      base[s->param] = twice < hi ? twice : hi;
    }
  if (!fg_settings_nested(q, base)) nest_upwards(q, NULL, base);
}

bool fg_settings_lowest(const fg_problem *q, const bool *fixed, int64_t *at) {
  for (int i = 0; i < q->nparam; i++)
    if (!fixed || !fixed[i]) at[i] = q->param[i].lo;
  fg_strides results = fg_strides_create(q, at, true);
  if (fg_strides_apart(&results) == FG_APART_NOT) nest_upwards(q, fixed, at);
  results = fg_strides_create(q, at, true);
  return fg_strides_apart(&results) != FG_APART_NOT;
}

/* Strides as large as the elements outside them allow: upper ends, those of inner ones halved
 * until no two results are one. */
static void lower_to_call(const fg_problem *q, int64_t *at) {
  fg_strides results = fg_strides_create(q, at, true);
  for (int round = 0; round < 64 && fg_strides_apart(&results) == FG_APART_NOT; round++)
    for (int i = q->batch_rank + q->rank - 1; i >= 0 && fg_strides_apart(&results) == FG_APART_NOT; i--) {
      const fg_num *s = &fg_problem_axis(q, i)->os;
      if (s->form == FG_NUM_CONST) continue;
      int64_t half = at[s->param] / 2, lo = q->param[s->param].lo;
      at[s->param] = half > lo ? half : lo;
      results = fg_strides_create(q, at, true);
    }
  if (fg_strides_apart(&results) == FG_APART_NOT) nest_downwards(q, at);
}

static void add_setting(fg_settings *s, const fg_program *p, const int64_t *at) {
  size_t bytes = sizeof *at * (size_t)p->problem.nparam;
  if (!can_be_held(p, at)) {
    s->cut = true;
    return;
  }
  for (int i = 0; i < s->count; i++)
    if (!memcmp(s->value[i], at, bytes)) return;
  memcpy(s->value[s->count++], at, bytes);
}

/* One parameter after the other moves away from a setting. */
static void add_around(fg_settings *s, const fg_program *p, int64_t lanes, const int64_t *from) {
  int64_t at[FG_MAX_PARAMS], value[MOST_VALUES];
  for (int i = 0; i < p->problem.nparam; i++) {
    int count = choose_values(p, lanes, i, from, value);
    memcpy(at, from, sizeof at);
    for (int k = 0; k < count; k++) {
      at[i] = value[k];
      add_setting(s, p, at);
    }
  }
}

fg_settings *fg_settings_create(fg_context *cx, const fg_program *p) {
  const fg_problem *q = &p->problem;
  int64_t lanes = p->vectors.lanes > 1 ? p->vectors.lanes : 4, base[FG_MAX_PARAMS] = {0}, top[FG_MAX_PARAMS];
  fg_settings *s = fg_arena_new(cx->arena, fg_settings, 1);
  s->value = fg_arena_alloc(cx->arena, sizeof *s->value * (size_t)(2 + 2 * q->nparam * MOST_VALUES));
  choose_base(q, lanes, base);
  memcpy(top, base, sizeof top);
  for (int i = 0; i < q->nparam; i++) {
    top[i] = highest(p, i, top);
    s->cut |= top[i] != q->param[i].hi;
  }
  memcpy(s->value[s->count++], base, sizeof base);
  lower_to_call(q, top);
  add_setting(s, p, top);
  add_around(s, p, lanes, base);
  add_around(s, p, lanes, top);
  return s;
}

char *fg_settings_text(const fg_problem *q, const int64_t *params, char text[96]) {
  size_t used = 0;
  text[0] = 0;
  for (int i = 0; i < q->nparam && used < 90; i++)
    used +=
        (size_t)snprintf(text + used, 96 - used, "%s%s=%lld", i ? " " : " at ", q->param[i].name, (long long)params[i]);
  return text;
}
