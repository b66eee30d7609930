/* What tests of recipes for GPUs share, beside the frame of proofs: plans offered for a device as large as an H100, and
 * their programs. */
#ifndef FG_OFFERS_H
#define FG_OFFERS_H
#include "generator/plan/recipe.h"
#include "tests/unit/proving.h"

typedef struct offers {
  fg_problem problem;
  fg_candidates plans;
  fg_mapping mapping;
} offers;

/* cluster: most blocks of one; queue: whether blocks can stay. */
static inline void offers_for(const char *problem, int cluster, bool queue, offers *o) {
  const fg_device_facts facts = {.is_gpu_like = true,
                                 .lanes_f32 = 1,
                                 .lanes_f64 = 1,
                                 .registers = 255,
                                 .local_bytes = 227 << 10,
                                 .max_threads = 1024,
                                 .cluster = cluster,
                                 .queue = queue,
                                 .has_f64 = true,
                                 .has_fma = true};
  o->mapping = (fg_mapping)OF_THREADS(.local_bytes = facts.local_bytes, .cluster = 16, .queue = queue);
  o->mapping.max_threads = facts.max_threads;
  fg_diag_clear(&context.diag);
  if (fg_problem_parse(&context, problem, &o->problem) ||
      fg_recipe_plans(&context, &o->problem, &facts, NULL, 0, &o->plans))
    fail_msg("%s: %s", problem, context.diag.message);
}

static inline fg_program *offered_program(const offers *o, int plan) {
  fg_program *p = NULL;
  if (fg_pipeline_program(&context, &o->problem, o->plans.plan[plan], &o->mapping, &p) != FG_OK)
    fail_msg("%s", context.diag.message);
  return p;
}
#endif
