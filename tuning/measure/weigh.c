/* See weigh.h. */
#include "tuning/measure/weigh.h"
#include "generator/reference/operation_values.h"
#include "tuning/measure/numbers.h"
#include <math.h>
#include <string.h>

void fg_weigh_create(fg_context *cx, const fg_problem *p, int64_t results, int64_t count, fg_weigh *out) {
  *out = (fg_weigh){.p = p, .results = results, .count = count};
  out->own = fg_arena_new(cx->arena, fg_quadc, results);
  out->moved = fg_arena_new(cx->arena, fg_quadc, results);
  out->other = fg_arena_new(cx->arena, fg_quadc, count);
  out->argument = fg_arena_new(cx->arena, fg_quadc, count);
  out->off = fg_arena_new(cx->arena, long double, count);
  out->blind = fg_arena_new(cx->arena, bool, count);
}

static long double size_of(fg_quadc x) { return hypotl((long double)x.re, (long double)x.im); }

static long double distance(fg_quadc a, fg_quadc b) { return size_of((fg_quadc){a.re - b.re, a.im - b.im}); }

/* Into w->moved: every result by its error further from zero, or nearer. */
static void move(fg_weigh *w, const long double *result, long double error, long double relative, int sign) {
  for (int64_t k = 0; k < w->results; k++) {
    long double re = result[2 * k], im = result[2 * k + 1], size = hypotl(re, im);
    if (size == 0)
      w->moved[k] = (fg_quadc){sign * error, 0};
    else
      w->moved[k] = (fg_quadc){(fg_quad)re * (1 + sign * (fg_quad)(error / size + relative)),
                               (fg_quad)im * (1 + sign * (fg_quad)(error / size + relative))};
  }
}

static void apply(fg_context *cx, const fg_weigh *w, const fg_problem *p, const fg_quadc *results, fg_quadc *array) {
  fg_system reals = {.which = w->which};
  fg_operation_values_store(cx, &reals, p, results, array);
}

static bool is_logarithm(const fg_pointwise *op) {
  const fg_operation_row *row = fg_operation_find(op->name);
  return row->act == FG_ACT_VALUE && strstr(*op->text ? op->text : row->value, "log");
}

/* The problem up to store operation `last`, which is left out; elements stay where they were. */
static fg_problem until(const fg_problem *p, int last) {
  fg_problem q = *p;
  q.nstore = last;
  for (int i = last; i < p->nstore; i++)
    if (fg_operation_find(p->store[i].name)->act != FG_ACT_VALUE) q.store[q.nstore++] = p->store[i];
  return q;
}

/* Of this argument, which becomes that one by an error. The square, which is computed first, has to have all its bits.
 */
static bool is_blind(const fg_problem *p, fg_quadc argument, fg_quadc moved) {
  long double size = size_of(argument), least = fg_numbers_least(p->compute) / fg_numbers_unit(p->compute);
  return !(distance(moved, argument) <= size / 4) || (size > 0 && size * size < least);
}

static void find_blind(fg_context *cx, fg_weigh *w) {
  for (int i = 0; i < w->p->nstore; i++) {
    if (!is_logarithm(&w->p->store[i])) continue;
    fg_problem before = until(w->p, i);
    apply(cx, w, &before, w->own, w->argument);
    apply(cx, w, &before, w->moved, w->other);
    for (int64_t k = 0; k < w->count; k++) w->blind[k] |= is_blind(w->p, w->argument[k], w->other[k]);
  }
}

void fg_weigh_run(fg_context *cx, fg_weigh *w, const long double *result, const fg_quadc *array, long double error,
                  long double relative) {
  memset(w->off, 0, sizeof *w->off * (size_t)w->count);
  memset(w->blind, 0, sizeof *w->blind * (size_t)w->count);
  for (int64_t k = 0; k < w->results; k++) w->own[k] = (fg_quadc){result[2 * k], result[2 * k + 1]};
  for (int sign = -1; sign <= 1; sign += 2) {
    move(w, result, error, relative, sign);
    find_blind(cx, w);
    apply(cx, w, w->p, w->moved, w->other);
    for (int64_t k = 0; k < w->count; k++) {
      long double off = distance(w->other[k], array[k]);
      if (isfinite(off) && off > w->off[k]) w->off[k] = off;
    }
  }
}
