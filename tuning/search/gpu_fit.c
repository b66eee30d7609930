/* See gpu_fit.h. Figures are those of the table, one behind the other. */
#include "tuning/search/gpu_fit.h"
#include "generator/cost/cost.h"
#include "generator/pipeline/pipeline.h"
#include <string.h>

enum { FIGURES = sizeof(fg_gpu_costs) / sizeof(int64_t), EACH = 5 /* plans for a figure */ };
_Static_assert((int)FIGURES <= (int)FG_FIGURES_MOST, "figures of a GPU");

typedef struct fitting {
  const fg_gpu_fit_options *o;
  fg_gpu_costs now;
} fitting;

static fg_status compile(void *self, fg_context *own, const fg_figure_sample *s, const fg_program **out) {
  const fitting *f = self;
  fg_compilation *c = fg_arena_new(own->arena, fg_compilation, 1);
  const fg_request r = {.problem = s->problem, .plan = s->plan, .target = f->o->target, .machine = f->o->machine};
  fg_status status = fg_pipeline_parse(own, &r, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status == FG_OK) *out = c->chosen.program;
  return status;
}

static void use(void *self, const int64_t *figures) {
  fitting *f = self;
  memcpy(&f->now, figures, sizeof f->now);
}

static int64_t cost(const void *self, const fg_program *p) {
  const fitting *f = self;
  return fg_cost_threads_by(p, &f->now);
}

fg_status fg_gpu_fit_run(fg_context *cx, const fg_gpu_fit_options *options, fg_gpu_costs *costs, fg_figure_fit *out) {
  fitting f = {.o = options};
  bool fitted[FIGURES];
  int64_t first[FIGURES];
  int moved = 0;
  memcpy(first, fg_machine_gpu_costs(options->machine), sizeof first);
  for (int i = 0; i < FIGURES; i++) moved += fitted[i] = fg_machine_gpu_cost_table()[i].fitted;
  fg_figure_fit_options o = {.sample = options->sample, .count = options->count, .least = EACH * moved};
  o.figures = FIGURES, o.fitted = fitted, o.first = first;
  o.self = &f, o.compile = compile, o.use = use, o.cost = cost;
  o.stop = options->stop, o.watch = options->watch, o.context = options->context;
  fg_status status = fg_figure_fit_run(cx, &o, out);
  memcpy(costs, out->value, sizeof *costs);
  return status;
}
