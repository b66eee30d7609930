/* Convolutions that no block holds, in three kernels.
 *
 * In: a task, a plan of Rader's or Bluestein's over a four-step plan. Out: kernels. The
 * convolution's points are a matrix of n1 rows and n2 columns, as in assemble_four_step.c:
 *
 *   columns  n1 points each, from the input - in Rader's order, or times the chirp -
 *            to the workspace, where they lie as they were
 *   rows     twiddle factors, n2 points, the product with the spectrum, n2 points back,
 *            twiddle factors back: a row comes and goes once (assemble_fused.c)
 *   columns  n1 points back, to the output
 *
 * Nothing is turned on the way: the spectrum's table is, once. */
#include "generator/assemble_build.h"

enum {
  SEGMENT = 128,   /* bytes that GPUs move at once: two, where several blocks have room for them */
  AT_ONCE = 3,     /* blocks on a multiprocessor */
  TOGETHER = 2048, /* points of the rows of a block, at least where there are as many */
  STAYS = 4 << 20, /* bytes of a table that a cache does not keep beside the numbers */
};

typedef struct matrix {
  const fg_plan *columns, *rows;
  int64_t n1, n2;
  int64_t tile, together; /* columns, and rows, of a block */
  fg_view work;
  const fg_view *chirp; /* NULL: Rader's */
  int64_t points;       /* of the transform: with a chirp, elements from there on are padding */
} matrix;

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t element_bytes(const fg_builder *b) { return 2 * fg_precision_bytes(b->program->problem.compute); }

/* The largest divisor of n up to `most`. */
static int64_t part_of(int64_t n, int64_t most) {
  int64_t best = 1;
  for (int64_t t = 1; t <= smaller(n, most); t++)
    if (n % t == 0) best = t;
  return best;
}

static matrix matrix_of(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *split = plan->child[0];
  int64_t tile = fg_plan_param_value(split, FG_PARAM_TILE), rows = fg_plan_param_value(split, FG_PARAM_ROWS);
  matrix m = {.columns = split->child[0], .rows = split->child[1], .points = t->n};
  m.n1 = fg_plan_length(m.columns), m.n2 = fg_plan_length(m.rows);
  int64_t room = (int64_t)b->map->local_bytes / (m.n1 * element_bytes(b)), usual = SEGMENT / element_bytes(b);
  if (AT_ONCE * 2 * usual <= room) usual *= 2;
  m.tile = part_of(m.n2, tile ? tile : smaller(usual, room));
  m.together = part_of(m.n1, rows ? rows : TOGETHER / m.n2);
  return m;
}

bool fg_build_can_split(const fg_builder *b, const fg_plan *plan, const fg_task *t) {
  const fg_plan *split = plan->child[0];
  if (split->step != FG_FOUR_STEP || fg_plan_param_value(split, FG_PARAM_CLUSTER)) return false;
  bool outside = b->map->threads && t->kind == FG_C2C && b->nkernel == 1 && !b->kernel->nstage;
  bool bent = t->in.lookup || t->out.lookup || t->in.mod || t->out.mod;
  bool simple = split->child[0]->step == FG_STOCKHAM || split->child[0]->step == FG_DIRECT;
  for (int i = 0; i < b->naxis; i++) outside = outside && b->axis[i].kind == FG_AXIS_BATCH;
  if (!outside || bent || !simple || split->child[1]->step != FG_STOCKHAM || split->child[1]->narg < 2) return false;
  return plan->step == FG_BLUESTEIN || fg_plan_length(split) == t->n - 1;
}

/* Every n2-th element of a view, the axes of a tile of columns appended. */
static fg_view column_of(const fg_builder *b, const fg_view *v, const matrix *m) {
  fg_view c = *v;
  if (v->lookup) {
    c.step = m->n2;
    c.key[b->naxis] = m->tile, c.key[b->naxis + 1] = 1;
    return c;
  }
  c.stride = fg_num_scaled(v->stride, m->n2);
  c.coef[b->naxis] = fg_num_scaled(v->stride, m->tile);
  c.coef[b->naxis + 1] = v->stride;
  return c;
}

/* Where the chirp's element numbers pass those of the transform is padding. */
static void keep_points(fg_access *a, const fg_stage *s, int64_t points) {
  fg_pred *p = &a->pred[a->npred++];
  *p = (fg_pred){.value = s->twiddle.index.at, .bound = fg_num_const(points)};
  for (int i = 0; i < p->value.nterm; i++)
    if (p->value.term[i].digit == s->twiddle.reg) p->value.term[i].digit = a->reg;
}

static void wait_inside(fg_stage *s) {
  if (s->load.buffer == s->store.buffer) s->sync_mid = FG_SCOPE_BLOCK;
}

/* The passes of a column, forward from a view of it to the workspace, or the other way. */
static fg_status pass_columns(fg_builder *b, const matrix *m, const fg_view *outside, bool back) {
  int passes = m->columns->narg;
  fg_view chirp, end = column_of(b, outside, m), work = column_of(b, &m->work, m);
  if (m->chirp) chirp = column_of(b, m->chirp, m);
  fg_build_axis(b, "t", m->n2 / m->tile, FG_AXIS_TILE);
  fg_build_axis(b, "c", m->tile, FG_AXIS_LANES);
  fg_view at = passes > 1 ? fg_build_pairs(b, m->n1) : work;
  int64_t done = back ? m->n1 : 1;
  for (int p = 0; p < passes; p++) {
    int i = back ? passes - 1 - p : p;
    int64_t r = m->columns->arg[i];
    if (back) done /= r;
    fg_task pass = {.n = m->n1, .sign = back ? 1 : -1, .frequency = back, .in = p ? at : back ? work : end};
    pass.out = p < passes - 1 ? at : back ? end : work;
    if (!i && m->chirp) pass.multiply = &chirp, pass.inputs = back ? 0 : (m->points + m->n2 - 1) / m->n2;
    fg_status status = fg_build_pass(b, &pass, r, done);
    if (status != FG_OK) return status;
    fg_stage *s = &b->kernel->stage[b->kernel->nstage - 1];
    wait_inside(s);
    if (!i && m->chirp) keep_points(back ? &s->store : &s->load, s, m->points);
    if (!back) done *= r;
  }
  b->naxis -= 2;
  return FG_OK;
}

static fg_status convolve_rows(fg_builder *b, const matrix *m, const fg_view *spectrum, const fg_task *point) {
  fg_turns turns = {.order = m->n1 * m->n2, .count = m->n1, .step = 1};
  fg_convolved_rows r = {.passes = m->rows, .row = m->work, .spectrum = *spectrum, .turns = &turns};
  for (int i = 0; i < FG_MAX_AXES; i++) turns.coef[i] = fg_num_const(0);
  r.axis = b->naxis, r.together = m->together;
  for (int i = 0; i < 2; i++) {
    int64_t rows = i ? 1 : m->together;
    turns.coef[r.axis + i] = fg_num_const(rows);
    r.row.coef[r.axis + i] = r.spectrum.coef[r.axis + i] = fg_num_const(rows * m->n2);
  }
  if (point) r.point_in = &point->in, r.point_out = &point->out;
  fg_build_kernel(b);
  b->kernel->by_place = m->n1 * m->n2 * element_bytes(b) >= STAYS;
  fg_build_axis(b, "t", m->n1 / m->together, FG_AXIS_TILE);
  fg_build_axis(b, "c", m->together, FG_AXIS_INNER);
  fg_status status = fg_build_convolved(b, &r);
  b->naxis -= 2;
  return status;
}

static fg_status build(fg_builder *b, matrix *m, const fg_task *ends, const fg_table *with, const fg_task *point) {
  fg_view spectrum = fg_build_table(b, with);
  m->work = fg_build_workspace(b, m->n1 * m->n2);
  fg_status status = pass_columns(b, m, &ends->in, false);
  if (status == FG_OK) status = convolve_rows(b, m, &spectrum, point);
  if (status != FG_OK) return status;
  fg_build_kernel(b);
  return pass_columns(b, m, &ends->out, true);
}

fg_status fg_build_split_convolution(fg_builder *b, const fg_plan *plan, const fg_task *t) {
  matrix m = matrix_of(b, plan, t);
  int64_t n = t->n, length = m.n1 * m.n2;
  fg_table with = {.sign = t->sign, .rows = 1, .cols = length, .n = n, .across = m.n1};
  fg_task ends = *t;
  if (plan->step == FG_BLUESTEIN) {
    with.fill = FG_FILL_BLUESTEIN, with.order = 2 * n;
    fg_table turns = {.fill = FG_FILL_CHIRP, .sign = t->sign, .rows = 1, .cols = length, .order = 2 * n, .n = n};
    fg_view chirp = fg_build_table(b, &turns);
    m.chirp = &chirp;
    return build(b, &m, &ends, &with, NULL);
  }
  with.fill = FG_FILL_POWERS, with.order = n;
  fg_table power = {.fill = FG_FILL_POWER, .sign = 1, .rows = 1, .cols = n - 1, .order = 1, .n = n}, inverse = power;
  inverse.sign = -1;
  ends.in.lookup = fg_build_table(b, &power).buffer;
  ends.out.lookup = fg_build_table(b, &inverse).buffer;
  return build(b, &m, &ends, &with, t);
}
