/* Transforms that are added, one after the other: axes of the batch as loops of a kernel around all its stages.
 *
 * In: a problem with sum=, the axes in scope. Out: these axes as turns, and conditions for stages. The idea: an error
 * grows with the numbers that are added one by one. So of many transforms some are a part, whose sum begins anew, and
 * parts are added then: by blocks of their own and further kernels, or as turns, too. The axis at which parts begin is
 * divided: it counts parts, and a further axis the turns of one. */
#include "generator/assemble/memory.h"
#include "generator/assemble/steps/summed.h"
#include "generator/base/integer.h"
#include "generator/base/invariant.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/shape.h"
#include "generator/problem/spectrum.h"

enum { WAVES = 2 /* blocks for each multiprocessor, where many may be */ };

/* Lines that are taken together, and how many such there are of each result. */
static void count_lines(const fg_builder *b, int64_t *together, int64_t *tiles) {
  *together = *tiles = 1;
  for (int i = b->program->problem.batch_rank; i < b->naxis; i++)
    *(fg_build_is_outer(&b->axis[i]) ? tiles : together) *= b->axis[i].extent.n;
}

bool fg_build_may_take_turns(const fg_builder *b, int64_t numbers) {
  const fg_problem *q = &b->program->problem;
  int64_t together, tiles;
  count_lines(b, &together, &tiles);
  if (!b->map->threads) return !b->map->blocks;
  return !b->apart && 2 * fg_precision_bytes(q->compute) * 2 * numbers * together <= (int64_t)b->map->local_bytes;
}

int64_t fg_build_blocks_of_lines(const fg_builder *b) {
  int64_t together, tiles;
  count_lines(b, &together, &tiles);
  return fg_problem_result_count(&b->program->problem, NULL) * tiles;
}

int64_t fg_build_turns_of_part(const fg_builder *b, int64_t blocks) {
  int64_t count = fg_problem_summands(&b->program->problem, NULL), most = FG_SUMMED_IN_TURN;
  if (!b->map->threads) {
    while (most * most < count) most++;
    return most;
  }
  int64_t wanted = WAVES * fg_program_machine(b->program)->multiprocessors;
  if (2 * WAVES * blocks >= wanted && count <= most) return count;
  return fg_larger(1, fg_smaller(most, wanted ? count * blocks / wanted : most));
}

static int64_t most_of(const fg_builder *b, fg_num n) {
  return n.form == FG_NUM_CONST ? n.n : n.n * b->program->problem.param[n.param].hi;
}

/* Parts of `each` of an axis' values, a multiple of what a parameter counts. */
static fg_num parts_of(fg_num extent, int64_t each) {
  if (extent.form == FG_NUM_CONST) return fg_num_const((extent.n + each - 1) / each);
  return (fg_num){.n = 1, .form = FG_NUM_CEIL, .param = extent.param, .div = each / extent.n};
}

/* So many turns of an axis in each part, at most; parts of a number that is known are as even as can be. */
static int64_t even_part(fg_num extent, int64_t most) {
  if (extent.form != FG_NUM_CONST) return most / extent.n * extent.n;
  int64_t parts = (extent.n + most - 1) / most;
  return (extent.n + parts - 1) / parts;
}

static void divide(fg_builder *b, int axis, int64_t each) {
  fg_summing *t = &b->turns;
  fg_invariant(b->naxis < FG_MAX_AXES);
  t->whole = b->axis[axis].extent;
  t->each = each, t->split = axis, t->inside = b->naxis;
  b->axis[axis].extent = parts_of(t->whole, each);
  b->axis[b->naxis++] = (fg_axis){.name = "i", .extent = fg_num_const(each), .kind = FG_AXIS_TURN};
  t->turns |= 1u << t->inside;
}

void fg_build_split_turns(const fg_builder *b, fg_view *v) {
  const fg_summing *t = &b->turns;
  if (!t->each) return;
  v->coef[t->inside] = v->coef[t->split];
  v->coef[t->split] = fg_num_scaled(v->coef[t->split], t->each);
}

void fg_build_take_turns(fg_builder *b, int64_t most, bool own_parts, fg_view *in) {
  int64_t turns = 1;
  b->turns = (fg_summing){.axes = b->naxis};
  for (int i = b->program->problem.summed - 1; i >= 0; i--) {
    fg_num extent = b->axis[i].extent;
    if (fg_num_is(extent, 1)) continue;
    bool whole = !b->turns.parts && turns * most_of(b, extent) <= most;
    int64_t each = b->turns.parts || whole ? 0 : even_part(extent, most / turns);
    *(whole ? &b->turns.turns : &b->turns.parts) |= 1u << i;
    b->axis[i].kind = whole || !own_parts ? FG_AXIS_TURN : FG_AXIS_ADDED;
    if (whole) turns *= most_of(b, extent);
    if (each > 1) divide(b, i, each);
  }
  b->turns.own_parts = own_parts && b->turns.parts;
  fg_build_split_turns(b, in);
}

void fg_build_end_turns(fg_builder *b) {
  if (b->turns.each) b->axis[b->turns.split].extent = b->turns.whole;
  b->naxis = b->turns.axes;
  for (int i = 0; i < b->program->problem.summed; i++) b->axis[i].kind = FG_AXIS_ADDED;
  b->turns = (fg_summing){0};
}

void fg_build_keep_turns(fg_builder *b, int first) {
  const fg_summing *t = &b->turns;
  bool full = t->whole.form == FG_NUM_CONST && t->whole.n % (t->each ? t->each : 1) == 0;
  for (int i = first; i < b->kernel->nstage && t->each && !full; i++) {
    fg_stage *s = &b->kernel->stage[i];
    fg_affine number = {.offset = fg_num_const(0)};
    fg_affine_add(&number, fg_build_axis_digit(b, s, t->split), fg_num_const(t->each));
    fg_affine_add(&number, fg_build_axis_digit(b, s, t->inside), fg_num_const(1));
    fg_invariant(s->npred < FG_MAX_PREDS);
    s->pred[s->npred++] = (fg_pred){.value = number, .bound = t->whole};
  }
}

/* The sum of the axes' digits, each `by` so many; of how many values the last ones are, as far as it is known. */
static fg_affine counted(const fg_builder *b, const fg_stage *stage, unsigned axes, int64_t by, int64_t *last) {
  fg_affine value = {.offset = fg_num_const(0)};
  *last = 0;
  for (int i = 0; i < b->naxis; i++) {
    int16_t digit = axes >> i & 1 ? fg_build_axis_digit(b, stage, i) : -1;
    if (digit < 0) continue;
    fg_affine_add(&value, digit, fg_num_const(by));
    *last += b->axis[i].extent.form == FG_NUM_CONST ? b->axis[i].extent.n - 1 : -1;
    if (b->axis[i].extent.form != FG_NUM_CONST) value.offset = b->axis[i].extent;
  }
  return value;
}

void fg_build_only_in(fg_builder *b, fg_stage *stage, fg_sum_step which, bool of_parts) {
  unsigned axes = of_parts ? b->turns.parts : b->turns.turns;
  int64_t last;
  fg_affine value = counted(b, stage, axes, which == FG_SUM_FIRST ? 1 : -1, &last);
  if (which != FG_SUM_LAST) value.offset = fg_num_const(0);
  if (!value.nterm) return;
  int64_t bound = which == FG_SUM_FIRST ? 1 : which == FG_SUM_FURTHER ? 0 : 1 - last;
  fg_invariant(stage->npred < FG_MAX_PREDS);
  stage->pred[stage->npred++] = (fg_pred){.value = value, .bound = fg_num_const(bound)};
}

void fg_build_in_last_turn(fg_builder *b, int first) {
  for (int i = first; i < b->kernel->nstage; i++)
    for (int of_parts = 0; of_parts < 2; of_parts++) fg_build_only_in(b, &b->kernel->stage[i], FG_SUM_LAST, of_parts);
}

void fg_build_without_summands(fg_builder *b, fg_num extent[FG_MAX_AXES]) {
  for (int i = 0; i < b->naxis; i++) {
    extent[i] = b->axis[i].extent;
    bool added = i < b->program->problem.summed || (b->turns.each && i == b->turns.inside);
    if (added) b->axis[i].extent = fg_num_const(1);
  }
}

void fg_build_with_summands(fg_builder *b, const fg_num extent[FG_MAX_AXES]) {
  for (int i = 0; i < b->naxis; i++) b->axis[i].extent = extent[i];
}
