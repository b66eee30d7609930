/* Spreads a stream's work over its calls. In: levels, costs. Out: for each task the tick in which it is done.
 *
 * A tick is a block of level 0. A level's block is complete every `ticks` of them, and has `window` ticks for its
 * forward transform, its sums and its backward transform, in this order. Levels are placed from the shortest blocks on,
 * each the same way in each of its periods; transforms take the emptiest ticks, sums fill up what is between. */
#include "generator/base/integer.h"
#include "generator/stream/parts.h"
#include <math.h>

enum { LEAST_SUM = 192, PIECES = 4, SUMS_A_TICK = 2 };

typedef struct planner {
  fg_context *cx;
  const fg_stream *s;
  const fg_stream_costs *costs;
  double *load; /* of each tick of the longest level's period */
  fg_stream_schedule *out;
} planner;

/* The load of a level's tick: the largest of all ticks with the same place in the schedule. */
static double load_at(const planner *p, int64_t phase, int64_t ticks) {
  int64_t period = p->s->level[p->s->nlevel - 1].ticks;
  double most = 0;
  for (int64_t t = phase; t < period; t += ticks) most = fmax(most, p->load[t]);
  return most;
}

static void place(planner *p, fg_stream_task *task, int64_t phase, int64_t ticks) {
  int64_t period = p->s->level[p->s->nlevel - 1].ticks;
  task->phase = phase;
  for (int64_t t = phase; t < period; t += ticks) p->load[t] += task->cost;
}

/* The emptiest of ticks from..to; of equals the first, or the last. */
static int64_t emptiest(const planner *p, int64_t from, int64_t to, int64_t ticks, bool late) {
  int64_t best = late ? to : from;
  double least = load_at(p, best, ticks);
  for (int64_t i = from; i <= to; i++) {
    int64_t phase = late ? to - (i - from) : i;
    double load = load_at(p, phase, ticks);
    if (load < least) least = load, best = phase;
  }
  return best;
}

/* A sum's bins and pieces: as many sums as two in each tick of the window, of runs that are worth fetching. */
typedef struct sums {
  int64_t bins, parts; /* of one */
  int along, across;   /* sums along the bins, and across the pieces */
} sums;

static sums sums_of(const planner *p, const fg_stream_level *l) {
  int64_t bins = fg_stream_bins(p->s, l), wanted = SUMS_A_TICK * l->window;
  if (l->window == 1) return (sums){bins, l->parts, 1, 1};
  sums s = {.parts = l->parts < PIECES ? l->parts : PIECES};
  int64_t across = (l->parts + s.parts - 1) / s.parts, along = (wanted + across - 1) / across;
  int64_t each = (bins + along - 1) / along;
  s.bins = fg_stream_padded(p->s, each > LEAST_SUM ? each : LEAST_SUM);
  s.along = (int)((bins + s.bins - 1) / s.bins);
  s.across = (int)across;
  return s;
}

static void add_tasks(planner *p, int level, int channel, fg_stream_task *task, int count) {
  const fg_stream_level *l = &p->s->level[level];
  sums s = sums_of(p, l);
  if (l->fused) {
    task[0] = (fg_stream_task){.op = FG_STREAM_FUSED, .channel = channel, .cost = p->costs->fused[level]};
    return;
  }
  task[0] = (fg_stream_task){.op = FG_STREAM_FORWARD, .channel = channel, .cost = p->costs->forward[level]};
  for (int i = 0; i < count - 2; i++) {
    fg_stream_task *t = &task[1 + i];
    *t = (fg_stream_task){.op = FG_STREAM_SUM, .channel = channel};
    t->from = i / s.across * s.bins, t->count = fg_smaller(fg_stream_bins(p->s, l) - t->from, s.bins);
    t->part = i % s.across * s.parts, t->parts = fg_smaller(l->parts - t->part, s.parts);
    t->cost = p->costs->bin * (double)(t->count * t->parts);
  }
  task[count - 1] = (fg_stream_task){.op = FG_STREAM_BACKWARD, .channel = channel, .cost = p->costs->backward[level]};
}

/* Sums of the same bins begin with the first pieces: ticks in the order of the tasks. */
static void sort_phases(fg_stream_task *task, int count) {
  for (int i = 1; i < count; i++) {
    int64_t phase = task[i].phase;
    int at = i;
    for (; at > 0 && task[at - 1].phase > phase; at--) task[at].phase = task[at - 1].phase;
    task[at].phase = phase;
  }
}

static void place_tasks(planner *p, const fg_stream_level *l, fg_stream_task *task, int count) {
  int64_t last = l->window - 1;
  int64_t begin = emptiest(p, 0, count > 1 ? last / 3 : last, l->ticks, false);
  place(p, &task[0], begin, l->ticks);
  if (count == 1) return;
  int64_t from = last - last / 3, end = emptiest(p, from > begin ? from : begin, last, l->ticks, true);
  place(p, &task[count - 1], end, l->ticks);
  for (int i = 1; i < count - 1; i++) place(p, &task[i], emptiest(p, begin, end, l->ticks, false), l->ticks);
  sort_phases(task + 1, count - 2);
}

/* By phase, and within one as they were: forward, sums, backward. */
static void sort(fg_stream_task *task, int count) {
  for (int i = 1; i < count; i++) {
    fg_stream_task moved = task[i];
    int at = i;
    for (; at > 0 && task[at - 1].phase > moved.phase; at--) task[at] = task[at - 1];
    task[at] = moved;
  }
}

fg_status fg_stream_plan_work(fg_context *cx, const fg_stream *s, const fg_stream_costs *costs,
                              fg_stream_schedule *out) {
  int64_t period = s->level[s->nlevel - 1].ticks;
  planner p = {cx, s, costs, fg_arena_new(cx->arena, double, period), out};
  *out = (fg_stream_schedule){.ntask = {0}};
  for (int64_t t = 0; t < period; t++) p.load[t] = costs->tap * (double)(s->head * s->level[0].block * s->channels);
  for (int i = 0; i < s->nlevel; i++) {
    const fg_stream_level *l = &s->level[i];
    sums parts = sums_of(&p, l);
    int count = l->fused ? 1 : 2 + parts.along * parts.across;
    out->ntask[i] = count * s->channels;
    out->task[i] = fg_arena_new(cx->arena, fg_stream_task, out->ntask[i]);
    for (int c = 0; c < s->channels; c++) {
      add_tasks(&p, i, c, out->task[i] + c * count, count);
      place_tasks(&p, l, out->task[i] + c * count, count);
    }
    sort(out->task[i], out->ntask[i]);
  }
  for (int64_t t = 0; t < period; t++) {
    out->mean += p.load[t] / (double)period;
    out->worst = fmax(out->worst, p.load[t]);
  }
  return FG_OK;
}
