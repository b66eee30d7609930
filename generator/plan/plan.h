/* fg_plan: HOW. A tree of steps with numbers, children and named parameters.
 *
 * One line of text, what wisdom stores and --plan takes:
 *
 *   direct(8)
 *   stockham(16,8,8)
 *   cooley-tukey(2, bluestein(32768, stockham(16,16,16,8)))
 *   rader(1009, stockham(16,9,7))
 *   prime-factor(direct(16), stockham(7,9))
 *   stockham(16,16,4; lanes=8)
 *   nd(stockham(16,16), direct(12))
 *   real(16, stockham(8,8))
 *   trig(real(16, stockham(8,8)))
 *   dense(127)
 */
#ifndef FG_PLAN_H
#define FG_PLAN_H
#include "generator/plan/param.h"
#include "generator/plan/step.h"
#include "generator/problem/problem.h"
#include <stdbool.h>
#include <stdint.h>

#define FG_PLAN_LIMIT (INT64_C(1) << 62) /* of numbers and lengths */
enum { FG_PLAN_ARGS = 40, FG_PLAN_CHILDREN = 7, FG_PLAN_PARAMS = 64 };

typedef struct fg_plan_param {
  int id; /* FG_PARAM_... of params.def */
  int64_t value;
} fg_plan_param;

typedef struct fg_plan fg_plan;

struct fg_plan {
  fg_step step;
  int narg, nchild, nparam;
  int64_t arg[FG_PLAN_ARGS]; /* radices, lengths: meaning per step */
  fg_plan *child[FG_PLAN_CHILDREN];
  fg_plan_param param[FG_PLAN_PARAMS];
  const char *recipe; /* name of the recipe that made it; NULL when parsed */
};

/* Checks syntax, step names, argument counts and parameter ranges; that the
 * plan fits a problem is for fg_plan_check. */
fg_status fg_plan_parse(fg_context *cx, const char *text, fg_plan **out);
char *fg_plan_print(fg_context *cx, const fg_plan *p);
/* FG_EUSER unless p computes transforms of n points (products of radices,
 * lengths of children, Bluestein's length >= 2n-1). */
fg_status fg_plan_check(fg_context *cx, const fg_plan *p, int64_t n);
/* FG_EUSER unless p computes the problem's transform: rank 1 by fg_plan_check, more
 * by nd with a plan for each dimension; real ones by direct. */
fg_status fg_plan_fits(fg_context *cx, const fg_plan *p, const fg_problem *problem);
int64_t fg_plan_length(const fg_plan *p); /* points that p transforms; bluestein: 0 (any that fits) */
int64_t fg_plan_held(const fg_plan *p);   /* numbers that its convolutions hold at once, or its points */
/* Points of the convolution that bluestein and rader do. */
int64_t fg_plan_convolution(const fg_plan *p);
/* The value given in the plan's node, else the preset. */
int64_t fg_plan_param_value(const fg_plan *p, fg_param_id id);
/* The plan with this value of a parameter. */
fg_plan *fg_plan_with(fg_context *cx, const fg_plan *p, fg_param_id id, int64_t value);
/* Its one codelet is products of matrices that warps compute. */
bool fg_plan_has_matrix(const fg_plan *p);
/* What a plan's option makes of the rule that it may overrule; NULL: no plan. */
bool fg_plan_option(const fg_plan *p, fg_param_id id, bool rule);
#endif
