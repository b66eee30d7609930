/* See cpu_fit.h. Programs are planned for this CPU, and their machine's costs are those of the fit. */
#include "tuning/search/cpu_fit.h"
#include "generator/cost/cost.h"
#include "generator/ir/program_machine.h"
#include "generator/pipeline/pipeline.h"
#include <stddef.h>
#include <string.h>

static const fg_cpu_cost table[] = {
#define UNIT(name, fitted, meaning) {"units", #name, meaning, fitted},
#include "targets/machine/cpu_costs.def"
#define CACHE(name, fitted, meaning) {"caches", #name, meaning, fitted},
#include "targets/machine/cpu_costs.def"
#define MOVE(name, fitted, meaning) {"moves", #name, meaning, fitted},
#include "targets/machine/cpu_costs.def"
    {0},
};

enum {
  FIGURES = sizeof table / sizeof *table - 1,
  LEAST = 8 /* plans: figures that they say little about stay as they are */
};
_Static_assert((int)FIGURES <= (int)FG_FIGURES_MOST, "figures of a CPU");
_Static_assert(sizeof(fg_cpu_costs) == offsetof(fg_cpu_costs, units) + FIGURES * sizeof(int64_t),
               "figures are one behind the other");

const fg_cpu_cost *fg_cpu_fit_table(void) { return table; }

typedef struct fitting {
  const fg_cpu_fit_options *o;
  fg_cpu_costs now;
} fitting;

static fg_status compile(void *self, fg_context *own, const fg_figure_sample *s, const fg_program **out) {
  fitting *f = self;
  fg_compilation *c = fg_arena_new(own->arena, fg_compilation, 1);
  const fg_request r = {.problem = s->problem, .plan = s->plan, .target = "c", .isa = s->isa, .facts = f->o->facts};
  fg_status status = fg_pipeline_parse(own, &r, c);
  if (status == FG_OK) status = fg_pipeline_decide(c);
  if (status != FG_OK) return status;
  fg_program *p = fg_arena_copy(own->arena, c->chosen.program, sizeof *p);
  fg_machine *m = fg_arena_copy(own->arena, fg_program_machine(p), sizeof *m);
  m->costs = &f->now;
  p->machine = m;
  *out = p;
  return FG_OK;
}

static void use(void *self, const int64_t *figures) {
  fitting *f = self;
  memcpy(&f->now.units, figures, FIGURES * sizeof *figures);
}

static int64_t cost(const void *self, const fg_program *p) {
  fg_program_cost counts;
  (void)self;
  fg_program_count(p, &counts);
  return fg_cost_estimate(p, &counts);
}

/* The costs that the widest of the samples' instruction sets has. */
static void first_costs(const fg_cpu_fit_options *o, fg_cpu_costs *out) {
  const fg_isa *widest = fg_isa_find("scalar");
  for (int i = 0; i < o->count; i++) {
    const fg_isa *isa = fg_isa_find(o->sample[i].isa);
    if (isa && isa->vector_bytes > widest->vector_bytes) widest = isa;
  }
  const fg_machine *m = fg_machine_find(widest->machine);
  out->units = *fg_machine_unit_costs(m, widest->registers);
  out->caches = *fg_machine_cache_costs(m, fg_program_machine_l2(m));
  out->moves = *fg_machine_move_costs(m);
}

fg_status fg_cpu_fit_run(fg_context *cx, const fg_cpu_fit_options *options, fg_figure_fit *out) {
  fitting f = {.o = options};
  bool fitted[FIGURES];
  int64_t first[FIGURES];
  first_costs(options, &f.now);
  memcpy(first, &f.now.units, sizeof first);
  for (int i = 0; i < FIGURES; i++) fitted[i] = table[i].fitted;
  fg_figure_fit_options o = {.sample = options->sample, .count = options->count, .least = LEAST};
  o.figures = FIGURES, o.fitted = fitted, o.first = first;
  o.self = &f, o.compile = compile, o.use = use, o.cost = cost;
  o.stop = options->stop, o.watch = options->watch, o.context = options->context;
  return fg_figure_fit_run(cx, &o, out);
}
