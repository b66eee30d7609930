/* Neighbours of the batch as lanes, on GPUs.
 *
 * In: a problem whose transforms are next to each other, element by element, as along the first axis of an array: a
 * dimension of the batch has stride 1, those of the transform have not. Out: that dimension as two axes, groups and
 * members, of which the members are lanes: a block transforms as many neighbours as a segment of memory holds, and its
 * warps move whole segments. Steps that take several lines side by side take as many fewer (fg_build_own_lines). */
#include "generator/assemble/neighbours.h"
#include "generator/base/invariant.h"
#include "generator/ir/program_machine.h"

static bool is_apart(fg_num stride) { return stride.form == FG_NUM_CONST && (stride.n > 1 || stride.n < -1); }

static bool are_neighbours(const fg_problem *q, int i) {
  const fg_dim *d = &q->batch[i];
  if (d->n.form != FG_NUM_CONST || d->n.n < 2 || !fg_num_is(d->is, 1) || !fg_num_is(d->os, 1)) return false;
  for (int k = 0; k < q->rank; k++)
    if (q->dim[k].n.n > 1 && (!is_apart(q->dim[k].is) || !is_apart(q->dim[k].os))) return false;
  return true;
}

/* Blocks of a cluster hold one transform together; a queue's ring buffer is as many transforms as L2 has room for. */
static bool takes_one(const fg_plan *p) {
  bool found = fg_plan_param_value(p, FG_PARAM_CLUSTER) || fg_plan_param_value(p, FG_PARAM_QUEUE);
  for (int i = 0; i < p->nchild; i++) found = found || takes_one(p->child[i]);
  return found;
}

/* Of a transform or what it is made of. */
static int64_t longest(const fg_plan *p) {
  int64_t n = fg_plan_length(p);
  for (int i = 0; i < p->nchild; i++) {
    int64_t child = longest(p->child[i]);
    if (child > n) n = child;
  }
  return n;
}

/* Points of what a block holds whole; 0: its step takes tiles. */
static int64_t held_whole(const fg_problem *q, const fg_plan *plan) {
  int64_t points = 1, inside = fg_plan_param_value(plan, FG_PARAM_INSIDE);
  if (q->rank == 1) return plan->step == FG_FOUR_STEP ? 0 : longest(plan);
  for (int64_t d = q->rank - inside; d < q->rank; d++) points *= q->dim[d].n.n;
  return inside ? points : 0;
}

/* How many are side by side: a segment's worth, no more than a block takes lines, or holds transforms. Groups are as
 * even as can be, of whole sectors. */
static int64_t lanes_of(const fg_builder *b, const fg_plan *plan, int64_t count) {
  const fg_problem *q = &b->program->problem;
  const fg_machine *m = fg_program_machine(b->program);
  int64_t element = 2 * fg_precision_bytes(q->compute), lines = fg_plan_param_value(plan, FG_PARAM_TILE);
  int64_t lanes = m->segment_bytes / element, unit = m->sector_bytes / element;
  if (lines && lines < lanes) lanes = lines;
  if (count < lanes) lanes = count;
  while (lanes > 1 && lanes * held_whole(q, plan) * element > (int64_t)b->map->local_bytes) lanes /= 2;
  int64_t groups = (count + lanes - 1) / lanes, even = (count + groups - 1) / groups;
  int64_t wide = (even + unit - 1) / unit * unit;
  return groups > 1 && wide <= lanes ? wide : even;
}

void fg_build_neighbours(fg_builder *b, const fg_plan *plan, fg_task *t) {
  const fg_problem *q = &b->program->problem;
  bool alone = (q->kind == FG_C2C || q->kind == FG_R2C || q->kind == FG_C2R) && !q->nload && !q->nstore;
  b->neighbours = 1;
  for (int i = 0; alone && b->map->threads && i < q->batch_rank; i++) {
    fg_axis *groups = &b->axis[i], *members = &b->axis[b->naxis];
    if (!are_neighbours(q, i) || takes_one(plan)) continue;
    int64_t lanes = lanes_of(b, plan, q->batch[i].n.n);
    if (lanes < 2) return;
    fg_invariant(b->naxis < FG_MAX_AXES);
    *members = (fg_axis){.extent = fg_num_const(lanes), .kind = FG_AXIS_LANES, .name = "c"};
    t->in.coef[b->naxis] = t->out.coef[b->naxis] = fg_num_const(1);
    groups->extent = fg_num_const((q->batch[i].n.n + lanes - 1) / lanes);
    t->in.coef[i] = t->out.coef[i] = fg_num_const(lanes);
    b->naxis++;
    b->neighbours = lanes, b->neighbours_axis = i;
    return;
  }
}

bool fg_build_counts_batch(const fg_builder *b, const fg_axis *axis) {
  bool lanes = b->neighbours > 1 && axis == &b->axis[b->program->problem.batch_rank];
  return axis->kind == FG_AXIS_BATCH || lanes;
}

int64_t fg_build_own_lines(const fg_builder *b, int64_t lines) {
  int64_t own = b->neighbours > 1 ? lines / b->neighbours : lines;
  return own > 0 ? own : 1;
}

static bool is_array(const fg_program *p, int16_t buffer) {
  return fg_buffer_root(p, buffer) == FG_BUFFER_IN || fg_buffer_root(p, buffer) == FG_BUFFER_OUT;
}

void fg_build_keep_neighbours(fg_builder *b) {
  int64_t count = b->neighbours > 1 ? b->program->problem.batch[b->neighbours_axis].n.n : 0;
  if (b->neighbours < 2 || count % b->neighbours == 0) return;
  int members = b->program->problem.batch_rank;
  for (int k = 0; k < b->nkernel; k++)
    for (int i = 0; i < b->kernels[k]->nstage; i++) {
      fg_stage *s = &b->kernels[k]->stage[i];
      int16_t group = fg_build_axis_digit(b, s, b->neighbours_axis), member = fg_build_axis_digit(b, s, members);
      if (is_array(b->program, s->load.buffer)) fg_build_keep_member(&s->load, group, member, b->neighbours, count);
      if (is_array(b->program, s->store.buffer)) fg_build_keep_member(&s->store, group, member, b->neighbours, count);
    }
}
