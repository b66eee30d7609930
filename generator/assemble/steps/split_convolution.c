/* Convolutions that exceed a block, in three kernels or by clusters in one.
 *
 * In: a task, a plan of Rader's or Bluestein's over a four-step plan. Out: kernels. The convolution's points are a
 * matrix of n1 rows and n2 columns, as in four_step.c:
 *
 *   columns  n1 points each, from the input - in Rader's order, or times the chirp -
 *            to the workspace, without transposition
 *   rows     twiddle factors, n2 points, the product with the spectrum, n2 points back,
 *            twiddle factors back: a row is loaded and stored once (fused_convolution.c)
 *   columns  n1 points back, to the output
 *
 * No array is transposed; the table of the spectrum is, once. Rows are stored in place. With queue=R all three kernels
 * are one, and the buffer between them is a ring buffer in L2; of Rader's and Bluestein's the first two, whose rows are
 * stored to a buffer of their own.
 *
 * By clusters (cluster=C of the four-step plan): all three in one kernel. Block r of a cluster has the r-th part of
 * the columns, then that of the rows, then its columns again. Between these, all data passes once through the shared
 * memories of the cluster: by rows on the way there, by columns on the way back, each time so that both an element's
 * data and the stores of neighbouring threads are contiguous. */
#include "generator/assemble/memory.h"
#include "generator/assemble/neighbours.h"
#include "generator/assemble/steps/convolution.h"
#include "generator/assemble/steps/steps.h"
#include "generator/assemble/steps/stockham.h"
#include "generator/base/integer.h"
#include "generator/ir/program_machine.h"
#include "targets/machine/limits.h"

typedef struct matrix {
  const fg_plan *columns, *rows;
  int64_t n1, n2;
  int sign;               /* of the transform forward */
  int64_t tile, together; /* columns, and rows, of a block */
  int blocks;             /* of a cluster; 0: three kernels */
  bool apart;             /* rows are stored elsewhere, so that a queue joins the first two kernels alone */
  fg_view work;           /* columns on the way there, */
  fg_view back;           /* and back */
  fg_view sent[2];        /* of clusters, in its place: rows, then columns, as blocks send them to each other */
  int64_t pitch[2]; /* from a row to the next there, and from a column: odd, so that threads have no bank conflicts */
  const fg_view *chirp; /* NULL: Rader's */
  int64_t points;       /* of the transform: with a chirp, elements from there on are padding */
} matrix;

static int64_t element_bytes(const fg_builder *b) { return 2 * fg_precision_bytes(b->program->problem.compute); }

static matrix matrix_of(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *split = plan->child[0];
  int64_t tile = fg_plan_param_value(split, FG_PARAM_TILE), rows = fg_plan_param_value(split, FG_PARAM_ROWS);
  matrix m = {.columns = split->child[0], .rows = split->child[1], .points = t->n, .sign = -1};
  m.n1 = fg_plan_length(m.columns), m.n2 = fg_plan_length(m.rows);
  m.blocks = (int)fg_plan_param_value(split, FG_PARAM_CLUSTER);
  if (m.blocks) {
    m.tile = m.n2 / m.blocks, m.together = m.n1 / m.blocks;
    return m;
  }
  /* A segment of memory, two where several blocks have room for them. */
  int64_t room = (int64_t)b->map->local_bytes / (m.n1 * element_bytes(b)),
          usual = fg_program_machine(b->program)->segment_bytes / element_bytes(b);
  if (limit->split_blocks * 2 * usual <= room) usual *= 2;
  m.tile = fg_build_divisor(m.n2, tile ? tile : fg_smaller(usual, room), 1);
  m.together = fg_build_divisor(m.n1, rows ? rows : limit->split_points / m.n2, 1);
  return m;
}

bool fg_build_can_split(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *split = plan->child[0];
  if (split->step != FG_FOUR_STEP) return false;
  bool outside = b->map->threads && t->kind == FG_C2C && !b->kernel->nstage;
  bool bent = t->in.lookup || t->out.lookup || t->in.mod || t->out.mod;
  bool simple = split->child[0]->step == FG_STOCKHAM || split->child[0]->step == FG_DIRECT;
  for (int i = 0; i < b->naxis; i++) outside = outside && fg_build_counts_batch(b, &b->axis[i]);
  if (!outside || bent || !simple || split->child[1]->step != FG_STOCKHAM || split->child[1]->narg < 2) return false;
  return plan->step == FG_BLUESTEIN || plan->step == FG_CONVOLVE || fg_plan_length(split) == t->n - 1;
}

/* What the blocks of a cluster send each other: as many rows, and columns, to each. */
static fg_status open_exchanges(fg_builder *b, matrix *m, int64_t resident) {
  fg_status status = fg_build_check_cluster(b, m->blocks, m->n1, m->n2);
  if (status != FG_OK) return status;
  for (int i = 0; i < 2; i++) {
    m->pitch[i] = (i ? m->n1 : m->n2) | 1;
    int64_t size = (i ? m->tile : m->together) * m->pitch[i];
    if (size * element_bytes(b) > (int64_t)b->map->local_bytes)
      return fg_refuse(
          b->cx, "plan: cluster=%d: blocks hold %lld bytes of a convolution of %lld points, and here up to %lld",
          m->blocks, (long long)(size * element_bytes(b)), (long long)(m->n1 * m->n2), (long long)b->map->local_bytes);
    m->sent[i] = fg_build_exchange(b, size, m->blocks);
  }
  b->kernel->launch.resident = (int)resident;
  return FG_OK;
}

/* Every n2-th element of a view, the axes of a tile of columns appended. */
static fg_view column_of(const fg_builder *b, const fg_view *v, const matrix *m) {
  if (!v->lookup) return fg_build_stepping(b, v, m->n2, m->tile, 1);
  fg_view c = *v;
  c.step = m->n2;
  c.key[b->naxis] = m->tile, c.key[b->naxis + 1] = 1;
  return c;
}

/* A column between the kernels, or between the parts of one. */
static fg_view column_between(const fg_builder *b, const matrix *m, bool back) {
  if (!m->blocks) return column_of(b, back ? &m->back : &m->work, m);
  return back ? fg_build_stepping(b, &m->sent[1], 1, m->tile * m->pitch[1], m->pitch[1])
              : fg_build_stepping(b, &m->sent[0], m->pitch[0], m->tile, 1);
}

/* A row there. */
static fg_view row_between(const fg_builder *b, const matrix *m, bool back) {
  if (!m->blocks) return fg_build_stepping(b, back ? &m->back : &m->work, 1, m->together * m->n2, m->n2);
  return back ? fg_build_stepping(b, &m->sent[1], m->pitch[1], m->together, 1)
              : fg_build_stepping(b, &m->sent[0], 1, m->together * m->pitch[0], m->pitch[0]);
}

/* Where the chirp's element numbers pass those of the transform is padding. */
static void keep_points(fg_access *a, const fg_stage *s, int64_t points) {
  fg_pred *p = &a->pred[a->npred++];
  *p = (fg_pred){.value = s->factors.twiddle.index.at, .bound = fg_num_const(points)};
  fg_affine_rename(&p->value, s->factors.twiddle.reg, a->reg);
}

/* The passes of a column, forward from a view of it to the workspace, or the other way. */
static fg_status pass_columns(fg_builder *b, const matrix *m, const fg_view *outside, bool back) {
  int passes = m->columns->narg;
  fg_view chirp, end = column_of(b, outside, m), work = column_between(b, m, back);
  if (m->chirp) chirp = column_of(b, m->chirp, m);
  fg_build_axis(b, "t", m->n2 / m->tile, m->blocks ? FG_AXIS_RANK : FG_AXIS_TILE);
  fg_build_axis(b, "c", m->tile, FG_AXIS_LANES);
  fg_view at = passes > 1 ? fg_build_interleaved(b, m->n1) : work;
  int64_t done = back ? m->n1 : 1;
  for (int p = 0; p < passes; p++) {
    int i = back ? passes - 1 - p : p;
    int64_t r = m->columns->arg[i];
    if (back) done /= r;
    fg_task pass = {.n = m->n1, .sign = back ? -m->sign : m->sign, .frequency = back, .in = p ? at : back ? work : end};
    pass.out = p < passes - 1 ? at : back ? end : work;
    if (!i && m->chirp) pass.multiply = &chirp, pass.inputs = back ? 0 : (m->points + m->n2 - 1) / m->n2;
    fg_status status = fg_build_pass(b, &pass, r, done);
    if (status != FG_OK) return status;
    fg_stage *s = &b->kernel->stage[b->kernel->nstage - 1];
    fg_build_wait_inside(s);
    if (!i && m->chirp) keep_points(back ? &s->store : &s->load, s, m->points);
    if (!back) done *= r;
  }
  b->naxis -= 2;
  return FG_OK;
}

/* Of clusters, whose threads are numbered along the rows, the spectrum is in its natural order, as the caller's is. */
static fg_status convolve_rows(fg_builder *b, const matrix *m, const fg_view *spectrum, const fg_task *point) {
  fg_twiddle_exponents exponents = {.order = m->n1 * m->n2, .count = m->n1, .step = 1};
  fg_convolved_rows r = {
      .passes = m->rows, .exponents = &exponents, .axis = b->naxis, .together = m->together, .sign = m->sign};
  for (int i = 0; i < FG_MAX_AXES; i++) exponents.coef[i] = fg_num_const(0);
  exponents.coef[r.axis] = fg_num_const(m->together), exponents.coef[r.axis + 1] = fg_num_const(1);
  r.row = row_between(b, m, false), r.back = row_between(b, m, true);
  bool as_it_comes = m->blocks || b->program->buffer[spectrum->buffer].space == FG_SPACE_GIVEN;
  r.spectrum = as_it_comes ? fg_build_stepping(b, spectrum, m->n1, m->together, 1)
                           : fg_build_stepping(b, spectrum, 1, m->together * m->n2, m->n2);
  if (point) r.point_in = &point->in, r.point_out = &point->out;
  if (!m->blocks) b->kernel->launch.by_place = m->n1 * m->n2 * element_bytes(b) >= limit->split_table_most;
  fg_build_axis(b, "t", m->n1 / m->together, m->blocks ? FG_AXIS_RANK : FG_AXIS_TILE);
  fg_build_axis(b, "c", m->together, m->blocks ? FG_AXIS_LANES : FG_AXIS_INNER);
  fg_status status = fg_build_convolved(b, &r);
  b->naxis -= 2;
  return status;
}

static fg_status build(fg_builder *b, matrix *m, const fg_task *ends, const fg_view *spectrum, const fg_task *point) {
  if (!m->blocks) m->work = m->back = fg_build_workspace(b, m->n1 * m->n2);
  if (!m->blocks && m->apart) m->back = fg_build_workspace(b, m->n1 * m->n2);
  fg_status status = pass_columns(b, m, &ends->in, false);
  if (!m->blocks) fg_build_kernel(b);
  if (status == FG_OK) status = convolve_rows(b, m, spectrum, point);
  if (status != FG_OK) return status;
  if (!m->blocks) fg_build_kernel(b);
  return pass_columns(b, m, &ends->out, true);
}

static fg_status open(fg_builder *b, matrix *m, const fg_plan *plan) {
  return m->blocks ? open_exchanges(b, m, fg_plan_param_value(plan->child[0], FG_PARAM_RESIDENT)) : FG_OK;
}

fg_status fg_build_split_with(fg_builder *b, const fg_plan *plan, const fg_task *ends, const fg_view *spectrum) {
  matrix m = matrix_of(b, plan, ends);
  m.sign = ends->sign;
  fg_status status = open(b, &m, plan);
  return status == FG_OK ? build(b, &m, ends, spectrum, NULL) : status;
}

fg_status fg_build_split_convolution(fg_builder *b, const fg_plan *plan, const fg_task *t, const fg_view *given) {
  (void)given;
  matrix m = matrix_of(b, plan, t);
  int64_t n = t->n, length = m.n1 * m.n2;
  m.apart = fg_plan_param_value(b->program->plan, FG_PARAM_QUEUE) > 0;
  fg_table with = {.sign = t->sign, .rows = 1, .cols = length, .n = n, .across = m.blocks ? 0 : m.n1};
  fg_task ends = *t;
  fg_status status = open(b, &m, plan);
  if (status != FG_OK) return status;
  if (plan->step == FG_BLUESTEIN) {
    with.fill = FG_FILL_BLUESTEIN, with.order = 2 * n;
    fg_table exponents = {.fill = FG_FILL_CHIRP, .sign = t->sign, .rows = 1, .cols = length, .order = 2 * n, .n = n};
    fg_view chirp = fg_build_table(b, &exponents);
    fg_view spectrum = fg_build_table(b, &with);
    m.chirp = &chirp;
    return build(b, &m, &ends, &spectrum, NULL);
  }
  with.fill = FG_FILL_POWERS, with.order = n;
  fg_table power = {.fill = FG_FILL_POWER, .sign = 1, .rows = 1, .cols = n - 1, .order = 1, .n = n}, inverse = power;
  inverse.sign = -1;
  ends.in.lookup = fg_build_table(b, &power).buffer;
  ends.out.lookup = fg_build_table(b, &inverse).buffer;
  fg_view spectrum = fg_build_table(b, &with);
  return build(b, &m, &ends, &spectrum, t);
}
