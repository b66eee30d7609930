/* Several transforms of a batch at a time, on CPUs.
 *
 * In: a batch of short transforms, a plan of passes. Out: stages over groups of the batch, in one of two forms:
 *
 *   side_by_side=L  L transforms are the lanes of vectors. A copy turns their rows into columns, so that element e of
 *                   all of them is one vector of scratch; passes exchange nothing between lanes, whatever their
 *                   radices; a copy turns the results back
 *   rows=R          each pass takes R transforms, one behind the other in scratch: its loops are R times as long, and
 *                   what it loads was stored long before
 *
 * Where a group does not divide the batch, the last one overlaps its neighbour and stores the same numbers again. */
#include "generator/assemble/groups.h"
#include "generator/assemble/memory.h"
#include "generator/assemble/stage_form.h"
#include "generator/base/invariant.h"
#include "generator/problem/arrays.h"
#include "generator/problem/shape.h"

static int64_t lanes_of(const fg_plan *plan) { return fg_plan_param_value(plan, FG_PARAM_SIDE_BY_SIDE); }

static bool is_of_passes(const fg_plan *plan) {
  return plan->step == FG_STOCKHAM || (plan->step == FG_REAL && plan->child[0]->step != FG_FOUR_STEP);
}

/* Transforms of a group by rows=R; 0: none. In place they must divide the batch. */
static int64_t rows_of(const fg_builder *b, const fg_plan *plan) {
  const fg_problem *q = &b->program->problem;
  int64_t rows = fg_plan_param_value(plan, FG_PARAM_ROWS);
  bool batch = q->rank == 1 && q->batch_rank > 0 && q->batch[q->batch_rank - 1].n.form == FG_NUM_CONST;
  if (!is_of_passes(plan) || rows < 2 || !batch || fg_problem_has_operations(q)) return 0;
  int64_t count = q->batch[q->batch_rank - 1].n.n;
  return rows > count || (q->in_place && count % rows) ? 0 : rows;
}

bool fg_build_is_side_by_side(const fg_plan *plan) { return lanes_of(plan) > 0; }

bool fg_build_has_groups(const fg_builder *b, const fg_plan *plan) {
  return lanes_of(plan) > 0 || (!b->map->threads && !b->map->blocks && rows_of(b, plan) > 0);
}

static fg_status refuse(fg_builder *b, const char *why) {
  return fg_diag_set(&b->cx->diag, FG_ENA, "plan: side_by_side takes %s", why);
}

/* The innermost dimension of the batch as two axes: groups, and their members. */
static void split_batch(fg_builder *b, fg_task *t, int64_t members, fg_axis_kind kind) {
  int outer = b->naxis - 1, inner = b->naxis++;
  fg_axis *groups = &b->axis[outer];
  int64_t count = groups->extent.n;
  fg_invariant(b->naxis <= FG_MAX_AXES);
  b->axis[inner] = (fg_axis){.extent = fg_num_const(members), .kind = kind, .name = "c"};
  t->in.coef[inner] = t->in.coef[outer], t->out.coef[inner] = t->out.coef[outer];
  groups->extent = fg_num_const((count + members - 1) / members);
  if (count % members) {
    groups->step = members, groups->last = count - members;
    return;
  }
  t->in.coef[outer] = fg_num_scaled(t->in.coef[outer], members);
  t->out.coef[outer] = fg_num_scaled(t->out.coef[outer], members);
}

/* `slots` neighbours at a time, `chunks` times from element `first` on. */
static fg_status turn_some(fg_builder *b, const fg_view *in, const fg_view *out, int64_t first, int64_t chunks,
                           int64_t slots) {
  fg_view from = fg_build_shifted(in, first), to = fg_build_shifted(out, first);
  fg_stage_form form = {.what = fg_arena_printf(b->cx->arena, "rows and columns of %lld", (long long)(chunks * slots)),
                        .in = &from,
                        .out = &to,
                        .loop = {{"q", chunks, slots, slots, 0}},
                        .slots = (int)slots,
                        .load = 1,
                        .store = 1};
  fg_status status = fg_build_key(b, (fg_codelet_key){.kind = FG_CODELET_COPY, .sign = 1}, slots, &form.codelet);
  if (status == FG_OK) fg_build_stage(b, &form);
  return status;
}

/* As many numbers of a row as one vector has parts, then the others. */
static fg_status turn(fg_builder *b, const fg_view *in, const fg_view *out, int64_t n) {
  int64_t slots = b->map->lanes > 2 ? b->map->lanes / 2 : 1, chunks = n / slots;
  fg_status status = chunks ? turn_some(b, in, out, 0, chunks, slots) : FG_OK;
  return status == FG_OK && n % slots ? turn_some(b, in, out, chunks * slots, 1, n % slots) : status;
}

typedef struct side { /* of complex numbers, or reals two by two */
  fg_view view;
  int64_t length;
} side;

static bool side_of(fg_builder *b, const fg_task *t, bool output, side *out) {
  const fg_view *v = output ? &t->out : &t->in;
  out->view = *v;
  out->length = t->kind == FG_C2C ? t->n : t->n / 2 + 1;
  if (!fg_problem_is_real(&b->program->problem, output)) return true;
  out->length = t->n / 2;
  return t->n % 2 == 0 && fg_build_complex_view(b, v, &out->view);
}

static fg_status check_lanes(fg_builder *b, int64_t lanes) {
  const fg_problem *q = &b->program->problem;
  bool known = q->kind == FG_C2C || q->kind == FG_R2C || q->kind == FG_C2R;
  if (b->map->threads || b->map->blocks) return refuse(b, "CPUs, by functions of C or machine code");
  if (!known || q->rank != 1 || fg_problem_has_operations(q)) return refuse(b, "plain transforms of one dimension");
  if (!b->naxis || b->axis[b->naxis - 1].extent.form != FG_NUM_CONST) return refuse(b, "a batch whose number is known");
  int64_t count = b->axis[b->naxis - 1].extent.n;
  if (count < lanes) return refuse(b, "as many transforms as a batch has, at most");
  return q->in_place && count % lanes ? refuse(b, "in place a part of the batch that divides it") : FG_OK;
}

static fg_status build_side_by_side(fg_builder *b, const fg_plan *plan, const fg_task *task) {
  fg_task t = *task;
  side in, out;
  fg_status status = check_lanes(b, lanes_of(plan));
  if (status != FG_OK) return status;
  split_batch(b, &t, lanes_of(plan), FG_AXIS_LANES);
  if (!side_of(b, &t, false, &in) || !side_of(b, &t, true, &out)) return refuse(b, "reals two by two");
  fg_task inside = t;
  inside.pairs = t.kind != FG_C2C;
  inside.in = fg_build_scratch(b, in.length);
  inside.out = fg_build_scratch(b, out.length);
  status = turn(b, &in.view, &inside.in, in.length);
  if (status == FG_OK) status = fg_build_plan(b, plan, &inside);
  return status == FG_OK ? turn(b, &inside.out, &out.view, out.length) : status;
}

fg_status fg_build_groups(fg_builder *b, const fg_plan *plan, const fg_task *task) {
  fg_task t = *task;
  if (fg_build_is_side_by_side(plan)) return build_side_by_side(b, plan, task);
  split_batch(b, &t, rows_of(b, plan), FG_AXIS_INNER);
  return fg_build_plan(b, plan, &t);
}
