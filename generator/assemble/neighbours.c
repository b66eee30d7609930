/* Neighbours of the batch as lanes, on GPUs.
 *
 * In: a problem whose transforms are next to each other, element by element, as along the first axis of an array: a
 * dimension of the batch has stride 1, those of the transform have not. Out: that dimension as two axes, groups and
 * members, of which the members are lanes: a block transforms as many neighbours as a segment of memory holds, or all
 * with the whole run that they are, and its warps move whole segments. Columns of several dimensions that the
 * neighbours follow are one with them (steps/nd_tiles.c). Steps that take several lines side by side take as many fewer
 * (fg_build_own_lines). */
#include "generator/assemble/neighbours.h"
#include "generator/base/integer.h"
#include "generator/base/invariant.h"
#include "generator/ir/program_machine.h"
#include "generator/problem/arrays.h"
#include "generator/problem/bank.h"
#include "targets/machine/limits.h"

static bool is_apart(fg_num stride) { return stride.form == FG_NUM_CONST && (stride.n > 1 || stride.n < -1); }

static bool are_neighbours(const fg_problem *q, int i) {
  const fg_dim *d = &q->batch[i];
  if (d->n.form != FG_NUM_CONST || d->n.n < 2 || !fg_num_is(d->is, 1) || !fg_num_is(d->os, 1)) return false;
  for (int k = 0; k < q->rank; k++)
    if (q->dim[k].n.n > 1 && (!is_apart(q->dim[k].is) || !is_apart(q->dim[k].os))) return false;
  return true;
}

static bool has(const fg_plan *p, fg_param_id id) {
  bool found = fg_plan_param_value(p, id) > 0;
  for (int i = 0; i < p->nchild; i++) found = found || has(p->child[i], id);
  return found;
}

/* Whether columns follow each other and the neighbours: tiles of them are cut from all (steps/nd_tiles.c). */
static bool are_joined(const fg_problem *q, int64_t count) {
  const fg_dim *last = &q->dim[q->rank - 1];
  return q->rank > 1 && last->n.n > 1 && fg_num_is(last->is, count) && fg_num_is(last->os, count);
}

/* Points of what a block holds whole: of several dimensions of a line, where tiles are not cut from all. */
static int64_t held_whole(const fg_problem *q, const fg_plan *plan, bool joined) {
  int64_t points = 1, inside = fg_plan_param_value(plan, FG_PARAM_INSIDE);
  if (q->rank == 1) return plan->step == FG_FOUR_STEP ? 0 : fg_plan_held(plan);
  for (int64_t d = q->rank - inside; d < q->rank; d++) points *= q->dim[d].n.n;
  for (int d = joined ? q->rank - 1 : 0; d < q->rank; d++) points = fg_larger(points, q->dim[d].n.n);
  return points;
}

/* Whether a transform and its neighbours are one run of memory, which a block takes whole where parts of them would
 * begin within segments. */
static bool are_whole(const fg_problem *q, int64_t count, int64_t segment, int64_t bytes) {
  int d = q->rank - 1;
  while (d > 0 && q->dim[d].n.n == 1) d--;
  bool run = fg_num_is(q->dim[d].is, count) && fg_num_is(q->dim[d].os, count);
  return run && count % segment && bytes <= limit->neighbours_most;
}

/* Blocks with one group each, of a kernel that takes line after line of the others. */
static int64_t blocks_of(const fg_problem *q, int64_t count, int64_t lanes) {
  int64_t blocks = (count + lanes - 1) / lanes;
  for (int i = 0; i < q->batch_rank; i++)
    if (!fg_num_is(q->batch[i].is, 1)) blocks *= q->batch[i].n.form == FG_NUM_CONST ? q->batch[i].n.n : INT32_MAX;
  return q->rank > 1 ? INT32_MAX : blocks;
}

/* How many are side by side: a segment's worth, no more than a block takes lines, or holds transforms, and fewer where
 * most multiprocessors would have none. Groups are as even as can be, of whole sectors. */
static int64_t lanes_of(const fg_builder *b, const fg_plan *plan, int64_t count) {
  const fg_problem *q = &b->program->problem;
  const fg_machine *m = fg_program_machine(b->program);
  int64_t element = 2 * fg_precision_bytes(q->compute), lines = fg_plan_param_value(plan, FG_PARAM_TILE);
  int64_t lanes = m->segment_bytes / element, unit = m->sector_bytes / element;
  int64_t one = held_whole(q, plan, are_joined(q, count)) * element;
  if (are_whole(q, count, lanes, count * one) || count < lanes) lanes = count;
  while (!lines && lanes >= 2 * unit && 2 * blocks_of(q, count, lanes) < m->multiprocessors) lanes /= 2;
  if (lines && lines < lanes) lanes = lines;
  while (lanes > 1 && lanes * one > (int64_t)b->map->local_bytes) lanes /= 2;
  int64_t groups = (count + lanes - 1) / lanes, even = (count + groups - 1) / groups;
  int64_t wide = (even + unit - 1) / unit * unit;
  return groups > 1 && wide <= lanes ? wide : even;
}

/* Of several dimensions elements of one are among lanes of others: no operations on them. */
static bool may_be_lanes(const fg_problem *q) {
  bool plain = !q->nload && !q->nstore, one = q->rank == 1 && !fg_problem_bank(q) && !fg_problem_factors(q);
  if (q->kind == FG_CONV) return one && !q->summed;
  return (q->kind == FG_C2C || q->kind == FG_R2C || q->kind == FG_C2R) && (plain || one);
}

/* -1: there are none. A queue's ring buffer is as many transforms as L2 has room for. */
static int axis_of_neighbours(const fg_builder *b, const fg_plan *plan) {
  const fg_problem *q = &b->program->problem;
  if (!may_be_lanes(q) || !b->map->threads || has(plan, FG_PARAM_QUEUE)) return -1;
  for (int i = 0; i < q->batch_rank; i++)
    if (are_neighbours(q, i)) return i;
  return -1;
}

/* Blocks of a cluster hold one transform together, or columns that are joined. */
static bool takes_one(const fg_problem *q, const fg_plan *plan, int64_t count) {
  bool found = fg_plan_param_value(plan, FG_PARAM_CLUSTER) > 0, joined = are_joined(q, count);
  for (int i = 0; i < plan->nchild; i++)
    found = found || (has(plan->child[i], FG_PARAM_CLUSTER) && (!joined || i + 1 == q->rank));
  return found;
}

void fg_build_neighbours(fg_builder *b, const fg_plan *plan, fg_task *t) {
  int i = b->neighbours_axis = axis_of_neighbours(b, plan);
  int64_t count = i < 0 ? 1 : b->program->problem.batch[i].n.n;
  int64_t lanes = i < 0 || takes_one(&b->program->problem, plan, count) ? 1 : lanes_of(b, plan, count);
  b->neighbours = lanes > 1 ? lanes : 1;
  if (b->neighbours == 1) return;
  fg_axis *groups = &b->axis[i], *members = &b->axis[b->naxis];
  fg_invariant(b->naxis < FG_MAX_AXES);
  *members = (fg_axis){.extent = fg_num_const(lanes), .kind = FG_AXIS_LANES, .name = "c"};
  t->in.coef[b->naxis] = t->out.coef[b->naxis] = fg_num_const(1);
  groups->extent = fg_num_const((count + lanes - 1) / lanes);
  t->in.coef[i] = t->out.coef[i] = fg_num_const(lanes);
  b->naxis++;
}

int64_t fg_build_adjoining(const fg_builder *b, const fg_view *in, const fg_view *out) {
  int i = b->neighbours_axis, members = b->program->problem.batch_rank;
  if (i < 0 || !fg_num_is(in->coef[i], b->neighbours) || !fg_num_is(out->coef[i], b->neighbours)) return 1;
  bool lanes = b->neighbours == 1 || (fg_num_is(in->coef[members], 1) && fg_num_is(out->coef[members], 1));
  return lanes ? b->program->problem.batch[i].n.n : 1;
}

fg_neighbours fg_build_join_neighbours(fg_builder *b) {
  fg_axis *groups = &b->axis[b->neighbours_axis], *members = &b->axis[b->program->problem.batch_rank];
  fg_neighbours before = {groups->extent, b->neighbours, b->nkernel - (b->kernel->nstage == 0)};
  groups->extent = fg_num_const(1);
  if (b->neighbours > 1) members->extent = fg_num_const(1);
  b->neighbours = 1;
  return before;
}

void fg_build_part_neighbours(fg_builder *b, const fg_neighbours *before) {
  b->axis[b->neighbours_axis].extent = before->groups;
  if (before->lanes > 1) b->axis[b->program->problem.batch_rank].extent = fg_num_const(before->lanes);
  b->neighbours = before->lanes;
  for (int k = before->kernel; k < b->nkernel; k++) b->joined |= 1u << k;
}

bool fg_build_counts_batch(const fg_builder *b, const fg_axis *axis) {
  bool lanes = b->neighbours > 1 && axis == &b->axis[b->program->problem.batch_rank];
  return axis->kind == FG_AXIS_BATCH || axis->kind == FG_AXIS_ADDED || axis->kind == FG_AXIS_TURN || lanes;
}

int64_t fg_build_own_lines(const fg_builder *b, int64_t lines) {
  int64_t own = b->neighbours > 1 ? lines / b->neighbours : lines;
  return own > 0 ? own : 1;
}

/* Where the next group's members are behind those that a group lacks. */
static bool has_all(const fg_program *p, int16_t buffer) {
  int root = fg_buffer_root(p, buffer);
  bool work = p->problem.rank > 1 && p->buffer[root].space == FG_SPACE_WORK;
  return root == FG_BUFFER_IN || root == FG_BUFFER_OUT || work;
}

/* What the caller brings for each transform ends with the batch. */
static void keep_given(const fg_builder *b, fg_access *a, int16_t group, int16_t member, int64_t count) {
  bool given =
      b->program->buffer[a->buffer].space == FG_SPACE_GIVEN || b->program->buffer[a->buffer].space == FG_SPACE_TABLE;
  bool own = fg_affine_mentions(&a->index.at, member) || fg_affine_mentions(&a->index.base, member);
  if (given && own) fg_build_keep_member(a, group, member, b->neighbours, count);
}

static void keep_operands(const fg_builder *b, fg_operations *o, int16_t group, int16_t member, int64_t count) {
  for (int i = 0; o && i < o->count; i++)
    if (o->operation[i].has_operand) keep_given(b, &o->operation[i].operand, group, member, count);
}

void fg_build_keep_neighbours(fg_builder *b) {
  int64_t count = b->neighbours > 1 ? b->program->problem.batch[b->neighbours_axis].n.n : 0;
  if (b->neighbours < 2 || count % b->neighbours == 0) return;
  int members = b->program->problem.batch_rank;
  for (int k = 0; k < b->nkernel; k++)
    for (int i = 0; !(b->joined >> k & 1) && i < b->kernels[k]->nstage; i++) {
      fg_stage *s = &b->kernels[k]->stage[i];
      int16_t group = fg_build_axis_digit(b, s, b->neighbours_axis), member = fg_build_axis_digit(b, s, members);
      if (has_all(b->program, s->load.buffer)) fg_build_keep_member(&s->load, group, member, b->neighbours, count);
      if (has_all(b->program, s->store.buffer)) fg_build_keep_member(&s->store, group, member, b->neighbours, count);
      if (s->factors.has_twiddle) keep_given(b, &s->factors.twiddle, group, member, count);
      if (s->factors.has_more) keep_given(b, &s->factors.more, group, member, count);
      keep_operands(b, s->operations.loaded, group, member, count);
      keep_operands(b, s->operations.stored, group, member, count);
    }
}
