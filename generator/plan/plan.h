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
 *   parts(127)
 */
#ifndef FG_PLAN_H
#define FG_PLAN_H
#include "generator/problem/problem.h"
#include <stdbool.h>
#include <stdint.h>

enum { FG_PLAN_ARGS = 40, FG_PLAN_CHILDREN = 7, FG_PLAN_PARAMS = 40 };

typedef enum fg_step {
  FG_DIRECT,
  FG_STOCKHAM,
  FG_COOLEY_TUKEY,
  FG_BLUESTEIN,
  FG_RADER,
  FG_PRIME_FACTOR,
  FG_FOUR_STEP,
  FG_ND,
  FG_REAL,
  FG_TRIG,
  FG_PARTS,
  FG_STEP_COUNT
} fg_step;

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

/* params.def: the tuning parameters, one line each. */
#define PARAM(NAME, text, lo, hi, preset, help) FG_PARAM_##NAME,
typedef enum fg_param_id {
#include "generator/plan/params.def"
  FG_PARAM_COUNT
} fg_param_id;
#undef PARAM

/* Forms of text that rules fitted on measurements decide, and plans may turn around (`forms`): bits. */
typedef enum fg_form {
  FG_EARLY = 1,
  FG_ORDERED = 2,
  FG_HALVED = 4,
  FG_ALTERNATING = 8,
  FG_LISTED = 16,
  FG_WOVEN = 32,
  FG_BALANCED = 64,
  FG_SKEWED = 128
} fg_form;

typedef struct fg_param_info {
  const char *name, *help;
  int64_t lo, hi, preset;
  bool of_parts; /* plans inside of others have it, too */
} fg_param_info;
const fg_param_info *fg_param_table(void); /* FG_PARAM_COUNT rows */
/* -1 when there is none of that name. */
int fg_param_find(const char *name);

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
/* The transform, and its length, that trig reduces a cosine or sine transform of n to. */
fg_kind fg_plan_inner(fg_kind kind, int64_t n, int64_t *inner);
int64_t fg_plan_length(const fg_plan *p); /* points that p transforms; bluestein: 0 (any that fits) */
/* Points of the convolution that bluestein and rader do. */
int64_t fg_plan_convolution(const fg_plan *p);
/* The value given in the plan's node, else the preset. */
int64_t fg_plan_param_value(const fg_plan *p, fg_param_id id);
const char *fg_step_name(fg_step s);
const char *fg_step_form(fg_step s); /* "four-step(PLAN, PLAN)" */
const char *fg_step_help(fg_step s); /* what it computes, one line */
/* -1 when there is none of that name. */
int fg_step_find(const char *name);
#endif
