/* Recipes: problem + device facts -> candidate plans.
 *
 * A recipe is a Lua file with two functions, applies(problem, device) and plans(problem, device). It runs in a
 * sandbox: no I/O, no os, no load, a limit on steps and on memory. The built-in ones are in recipes/, compiled into
 * the program. */
#ifndef FG_RECIPE_H
#define FG_RECIPE_H
#include "generator/plan/plan.h"
#include "targets/device.h"

typedef struct fg_candidates {
  int count;
  fg_plan **plan; /* checked against the problem's length */
} fg_candidates;

/* All candidate plans of all recipes that apply, in a fixed order, duplicates
 * dropped. files: user recipes, asked first. A recipe that fails (syntax, error,
 * no end, memory, a bad plan) gives FG_EUSER naming file, line and reason. */
fg_status fg_recipe_plans(fg_context *cx, const fg_problem *problem, const fg_device_facts *device,
                          const char *const *files, int nfile, fg_candidates *out);
#endif
