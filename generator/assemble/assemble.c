/* Assemble: makes stages over plain loops of a checked plan.
 *
 * In: problem, plan, the target's features. Out: fg_program. Each step of a plan is one function that adds stages
 * between two views; the table at the end lists them. map/passes.c assigns the digits' roles. */
#include "generator/assemble/groups.h"
#include "generator/assemble/guard.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/neighbours.h"
#include "generator/assemble/operations.h"
#include "generator/assemble/steps/bank.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/twiddle.h"
#include "generator/base/integer.h"
#include "generator/problem/arrays.h"
#include "generator/problem/frames.h"
#include "generator/problem/shape.h"
#include "targets/machine/limits.h"
#include <stdio.h>

/* ---- the steps -------------------------------------------------------------- */

static const struct step {
  fg_status (*build)(fg_builder *, const fg_plan *, const fg_task *);
  bool multiplies; /* knows what to do with a task's table */
} steps[] = {
#define STEP(ID, NAME, FORM, LEAST, MOST, LEAST_CHILD, NCHILD, SERVES, LENGTH, CHECK, BUILD, TABLES, HELP)             \
  [FG_##ID] = {fg_build_##BUILD, TABLES},
#include "generator/plan/steps.def"
};

fg_status fg_build_plan(fg_builder *b, const fg_plan *plan, const fg_task *task) {
  const struct step *step = &steps[plan->step];
  if (task->factors && plan->step != FG_DIRECT) return FG_ENA;
  if ((!task->multiply && !task->exponents) || step->multiplies) return step->build(b, plan, task);
  bool turns = plan->step == FG_COOLEY_TUKEY && fg_build_has_turns(b, plan->child[0], task->n);
  fg_task rest = *task;
  rest.in = turns ? fg_build_workspace(b, task->n) : fg_build_scratch(b, task->n);
  rest.multiply = NULL;
  rest.exponents = NULL;
  fg_view exponents;
  if (task->exponents) exponents = fg_build_exponent_table(b, task);
  fg_status status = fg_build_pointwise(b, &task->in, &rest.in, task->exponents ? &exponents : task->multiply, task->n);
  if (turns) fg_build_kernel(b);
  return status == FG_OK ? step->build(b, plan, &rest) : status;
}

/* ---- the whole ----------------------------------------------------------------- */

static fg_elem elem_of(const fg_problem *q, bool output) {
  return fg_problem_is_real(q, output) ? FG_ELEM_REAL : FG_ELEM_COMPLEX;
}

/* In place, the input's array holds the results: of r2c they are longer, and of all kinds
 * where the input lacks zeros. */
static int64_t input_size(const fg_problem *q) {
  int64_t size = fg_problem_extent(q, false, NULL), results = fg_problem_extent(q, true, NULL);
  bool from = fg_problem_is_real(q, false), to = fg_problem_is_real(q, true);
  if (!q->in_place) return size;
  return fg_larger(size, from == to ? results : from ? 2 * results : (results + 1) / 2);
}

/* The same of complex numbers that become reals. */
static int64_t output_size(const fg_problem *q) {
  int64_t size = fg_problem_extent(q, true, NULL);
  bool shrinks = q->in_place && fg_problem_is_real(q, true) && !fg_problem_is_real(q, false);
  return shrinks ? fg_larger(size, 2 * fg_problem_extent(q, false, NULL)) : size;
}

static void add_problem_buffers(fg_program *p) {
  const fg_problem *q = &p->problem;
  fg_buffer in = {.name = "in",
                  .space = FG_SPACE_INPUT,
                  .elem = elem_of(q, false),
                  .layout = q->split_in ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED,
                  .precision = fg_problem_stored(q, false),
                  .size = input_size(q),
                  .alias = -1,
                  .table = -1};
  fg_buffer out = in;
  snprintf(out.name, sizeof out.name, "out");
  out.space = FG_SPACE_OUTPUT;
  out.precision = fg_problem_stored(q, true);
  out.elem = elem_of(q, true);
  out.layout = q->split_out ? FG_LAYOUT_SPLIT : FG_LAYOUT_INTERLEAVED;
  out.size = output_size(q);
  out.alias = q->in_place ? FG_BUFFER_IN : -1;
  fg_build_buffer(p, &in);
  fg_build_buffer(p, &out);
}

/* A parameter that has one value is that number. A loop over it could not overlap with itself; GCC 12 takes stores of
 * one that would for unneeded, though it runs once. */
static fg_num known(const fg_problem *q, fg_num x) {
  const fg_param *of = x.form == FG_NUM_CONST ? NULL : &q->param[x.param];
  return of && of->lo == of->hi ? fg_num_const(x.n * of->lo) : x;
}

static fg_task problem_task(fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  fg_task t = {.kind = q->kind, .n = q->dim[0].n.n, .sign = q->conjugated ? -q->sign : q->sign};
  t.in = (fg_view){.buffer = FG_BUFFER_IN, .stride = q->dim[0].is, .offset = fg_num_const(0), .ends = true};
  t.out = (fg_view){.buffer = FG_BUFFER_OUT, .stride = q->dim[0].os, .offset = fg_num_const(0), .ends = true};
  for (int i = 0; i < q->batch_rank; i++) {
    fg_axis *axis = &b->axis[b->naxis];
    *axis = (fg_axis){.extent = known(q, q->batch[i].n), .kind = i < q->summed ? FG_AXIS_ADDED : FG_AXIS_BATCH};
    snprintf(axis->name, sizeof axis->name, q->batch_rank > 1 ? "b%d" : "b", i);
    t.in.coef[b->naxis] = q->batch[i].is;
    t.out.coef[b->naxis++] = q->batch[i].os;
  }
  return t;
}

static const fg_machine *machine_of(const fg_mapping *map) {
  return map->machine ? map->machine : fg_machine_find(map->threads ? "gpu" : "cpu");
}

/* Short transforms do not fill vectors of one part, and shuffle more than they add.
 * Long ones do where their first radix is whole vectors; where it is none, lanes stay
 * empty and rows are turned, both half as many for pairs. Lengths from measurements
 * with AVX-512; where additions have units of their own, and shuffles more than one. */
static bool prefers_pairs(const fg_plan *plan, const fg_problem *q, int64_t n, const fg_mapping *map) {
  int64_t bytes = n * 2 * fg_precision_bytes(q->compute), first = plan->arg[0];
  if (plan->step == FG_DIRECT ||
      bytes <= (machine_of(map)->separate_fadd ? limit->interleaved_most_fadd : limit->interleaved_most))
    return true;
  if (plan->step != FG_STOCKHAM || first % map->lanes == 0 || bytes > limit->interleaved_turned_most) return false;
  return machine_of(map)->separate_fadd || first < map->lanes || map->lanes < limit->interleaved_wide_lanes ||
         n <= limit->interleaved_many_points;
}

/* What pairs as such allow. */
static bool may_have_pairs(const fg_builder *b) {
  const fg_problem *q = &b->program->problem;
  const fg_plan *root = b->program->plan;
  int64_t lanes = fg_plan_param_value(root, FG_PARAM_LANES);
  if (fg_build_is_side_by_side(root)) return false;
  if (fg_plan_param_value(root, FG_PARAM_COMPLEX_VECTORS) == 1) return false;
  if (fg_plan_param_value(root, FG_PARAM_DETERMINISTIC)) return false; /* their signs of zeros differ */
  if (b->map->threads || b->map->lanes < 4 || (lanes && lanes < 4) || q->split_in || q->split_out) return false;
  return !fg_problem_acts_on_parts(q) && q->storage == q->compute;
}

/* Of all that is complex. */
static bool may_be_pairs(const fg_builder *b) {
  fg_kind kind = b->program->problem.kind;
  return (kind == FG_C2C || kind == FG_CONV) && may_have_pairs(b);
}

/* One pass. Half of what reals give are complex numbers, too. */
static bool may_begin_on_pairs(const fg_builder *b) {
  fg_kind kind = b->program->problem.kind;
  return may_be_pairs(b) || ((kind == FG_R2C || kind == FG_C2R || kind == FG_RCONV) && may_have_pairs(b));
}

/* Transforms forward and back that may be fused (fg_build_has_fused_rows) are faster so than on pairs. */
bool fg_build_wants_interleaved(const fg_builder *b, const fg_plan *plan, int64_t n) {
  int64_t pairs = fg_plan_param_value(b->program->plan, FG_PARAM_COMPLEX_VECTORS);
  bool prefers = !fg_build_has_fused_rows(plan) && prefers_pairs(plan, &b->program->problem, n, b->map);
  return may_be_pairs(b) && pairs != 3 && (pairs == 2 || prefers);
}

bool fg_build_wants_first_interleaved(const fg_builder *b) {
  int64_t pairs = fg_plan_param_value(b->program->plan, FG_PARAM_COMPLEX_VECTORS);
  return may_begin_on_pairs(b) && pairs != 2 && !fg_plan_param_value(b->program->plan, FG_PARAM_LANES) &&
         (pairs == 3 ||
          b->map->lanes * fg_precision_bytes(b->program->problem.compute) >= limit->interleaved_first_bytes);
}

fg_status fg_assemble(fg_context *cx, const fg_problem *problem, const fg_plan *plan, const fg_mapping *map, bool apart,
                      fg_builder *b) {
  fg_program *p = fg_arena_new(cx->arena, fg_program, 1);
  p->problem = *problem;
  p->plan = plan;
  p->vectors.lanes = 1;
  p->vectors.registers = map->registers;
  p->machine = machine_of(map);
  p->vectors.one_source = map->one_source;
  *b = (fg_builder){.cx = cx, .map = map, .program = p, .apart = apart};
  b->packed = problem->rank == 1 && fg_build_wants_interleaved(b, plan, problem->dim[0].n.n); /* else rows may be */
  fg_build_kernel(b);
  add_problem_buffers(p);
  if (fg_problem_kind_convolves(problem->kind))
    fg_build_given_spectrum(b); /* before all other arrays of the caller's */
  fg_task task = problem_task(b);
  fg_build_neighbours(b, plan, &task);
  fg_view factors;
  if (fg_problem_factors(problem)) factors = fg_build_given_factors(b, &task.in), task.factors = &factors;
  fg_status status = fg_problem_has_frames(problem) ? fg_build_plan(b, plan, &task)
                     : fg_build_has_groups(b, plan) ? fg_build_groups(b, plan, &task)
                                                    : fg_build_banked(b, plan, &task);
  if (status != FG_OK) return status;
  if (b->trouble != FG_OK) return b->trouble;
  fg_build_guard_operations(b);
  fg_build_keep_neighbours(b);
  return FG_OK;
}
