/* See clock.h. */
#include "targets/cuda/clock.h"
#include "targets/cuda/graph.h"
#include "targets/timing.h"
#include <stdlib.h>

enum { NON_BLOCKING = 1 };

int fg_cuda_clock_create(fg_cuda_clock *c, const fg_cu_api *cu, char why[FG_WHY_SIZE]) {
  *c = (fg_cuda_clock){.cu = cu};
  int status = cu->stream_create(&c->stream, NON_BLOCKING);
  if (status == FG_CU_SUCCESS) status = cu->event_create(&c->begin, 0);
  if (status == FG_CU_SUCCESS) status = cu->event_create(&c->end, 0);
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(why, "creating a stream", status);
}

void fg_cuda_clock_destroy(fg_cuda_clock *c) {
  if (c->begin) c->cu->event_destroy(c->begin);
  if (c->end) c->cu->event_destroy(c->end);
  if (c->stream) c->cu->stream_destroy(c->stream);
  *c = (fg_cuda_clock){0};
}

typedef struct timed {
  const fg_cuda_clock *clock;
  const fg_cuda_work *work;
  fg_cuda_graph graph;
  char *why;
} timed;

/* Executions by whole graphs, if there is one. */
static int enqueue(const timed *t, int64_t repeat) {
  int status = FG_CU_SUCCESS;
  for (int64_t i = 0; i < repeat && status == FG_CU_SUCCESS; i += t->graph.executions ? t->graph.executions : 1) {
    if (t->graph.executions)
      status = t->clock->cu->graph_launch(t->graph.run, t->clock->stream);
    else if (t->work->launch(t->work->context, t->why))
      return 1;
  }
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(t->why, "launching a graph", status);
}

/* Seconds on the GPU's own clock for `repeat` executions. Before those of a graph come as many that are not timed, in
 * whose time the host launches the others. */
static int clocked(const timed *t, int64_t repeat, double *seconds) {
  const fg_cuda_clock *c = t->clock;
  float milliseconds = 0;
  if (enqueue(t, t->graph.executions)) return 1;
  int status = c->cu->event_record(c->begin, c->stream);
  if (status == FG_CU_SUCCESS && enqueue(t, repeat)) return 1;
  if (status == FG_CU_SUCCESS) status = c->cu->event_record(c->end, c->stream);
  if (status == FG_CU_SUCCESS) status = c->cu->stream_wait(c->stream);
  if (status == FG_CU_SUCCESS) status = c->cu->event_between(&milliseconds, c->begin, c->end);
  *seconds = 1e-3 * (double)milliseconds;
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(t->why, "timing on the GPU", status);
}

/* Executions of so many seconds are as short as a launch, and are timed in graphs of so many. */
static const double SHORT = 2e-5;
enum { TOGETHER = 32 };

/* How many make a sample of at least 200 us: the GPU's clock resolves half a microsecond. */
static int choose_repeat(timed *by, int64_t *repeat) {
  const double aim = 2e-4;
  double t = 0;
  if (clocked(by, 1, &t)) return 1; /* warms up */
  for (*repeat = 1; *repeat < 1 << 20; *repeat *= 2) {
    if (*repeat == TOGETHER && t < SHORT * TOGETHER / 2) by->graph = fg_cuda_graph_of(by->clock, by->work, TOGETHER);
    if (clocked(by, *repeat, &t)) return 1;
    if (t >= aim && (t >= SHORT * (double)*repeat || *repeat >= TOGETHER)) break;
  }
  return 0;
}

static int take_samples(timed *by, double start, double seconds, double *ns) {
  enum { LEAST = 5, MOST = 1001 };
  double taken[MOST], t = 0;
  int64_t repeat = 1;
  int count = 0;
  if (choose_repeat(by, &repeat)) return 1;
  while (count < MOST && (count < LEAST || fg_timing_now() - start < seconds)) {
    if (clocked(by, repeat, &t)) return 1;
    taken[count++] = t / (double)repeat;
  }
  *ns = 1e9 * fg_timing_median(taken, count);
  return 0;
}

int fg_cuda_clock_time(const fg_cuda_clock *c, const fg_cuda_work *w, double seconds, double *ns,
                       char why[FG_WHY_SIZE]) {
  timed by = {.clock = c, .work = w, .why = why};
  int bad = take_samples(&by, fg_timing_now(), seconds, ns);
  fg_cuda_graph_destroy(&by.graph);
  return bad;
}

/* One execution until the host knows that it is over. */
static int once(void *context, int64_t repeat) {
  const timed *t = context;
  int status = FG_CU_SUCCESS;
  for (int64_t i = 0; i < repeat && status == FG_CU_SUCCESS; i++) {
    if (t->work->launch(t->work->context, t->why)) return 1;
    status = t->clock->cu->stream_wait(t->clock->stream);
  }
  return status == FG_CU_SUCCESS ? 0 : fg_cu_failed(t->why, "running on the GPU", status);
}

int fg_cuda_clock_sample(const fg_cuda_clock *c, const fg_cuda_work *w, fg_samples *s, char why[FG_WHY_SIZE]) {
  timed by = {.clock = c, .work = w, .why = why};
  double first;
  if (fg_timing_each(once, &by, s->seconds, s->most, s->total, &s->count) || clocked(&by, 1, &first)) return 1;
  s->has_inside = true;
  for (int i = 0; i < s->count; i++) {
    if (clocked(&by, 1, &s->inside[i])) return 1;
    s->inside[i] *= 1e9;
  }
  return 0;
}
