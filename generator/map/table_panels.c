/* Map: tables of factors in the order in which vectors read them.
 *
 * In: mapped kernels of loops and lanes. Out: tables in panels: each has as many columns as a vector has lanes, all
 * rows one after the other.
 *
 * The idea: an iteration of a pass reads one vector from each row of its table. Row by row these are as many streams
 * as there are rows, often a power of two apart: lines of one set of L1, and of one bank of L2. In panels they are
 * adjacent, one stream, and an iteration's displacements are small. */
#include "generator/map/map.h"

typedef struct panels {
  fg_program *p;
  int64_t columns[FG_MAX_BUFFERS]; /* of a table's panels; 0: nothing reads it yet; -1: it stays as it is */
} panels;

/* The sum of all that a digit may add. */
static int64_t most_of(const fg_digit *d, fg_num coef) {
  int64_t last = d->start.n + (d->extent.n - 1) * d->step;
  return coef.n * (last < d->last ? last : d->last);
}

static bool is_counted(const fg_digit *d, fg_num coef) {
  return coef.form == FG_NUM_CONST && d->start.form == FG_NUM_CONST && d->extent.form == FG_NUM_CONST && coef.n >= 0 &&
         d->start.n >= 0;
}

/* Vectors of `lanes` neighbours of a row, which begin at multiples of that; each digit counts rows or columns. */
static bool reads_panels(const fg_kernel *k, const fg_stage *s, const fg_access *a, const fg_table *t, int64_t lanes) {
  const fg_index *x = &a->index;
  bool plain = !fg_index_is_bent(x) && !x->nwrap && !x->pad_every && !x->xor_mask && !x->swap.count;
  if (!plain || a->move != FG_MOVE_CONTIG || a->npred || x->at.offset.form != FG_NUM_CONST) return false;
  int64_t column = x->at.offset.n % t->cols;
  bool possible = column % lanes == 0 && x->at.offset.n >= 0;
  for (int i = 0; i < x->at.nterm && possible; i++) {
    const fg_term *term = &x->at.term[i];
    const fg_digit *d = &k->digit[term->digit];
    possible = is_counted(d, term->coef);
    if (!possible || term->coef.n % t->cols == 0) continue;
    column += most_of(d, term->coef);
    possible = term->digit == s->vectors.lane ? term->coef.n == 1 : fg_digit_steps_by(d, term->coef, lanes);
  }
  return possible && column < t->cols;
}

static bool has_rows(const fg_program *p, int16_t number) {
  const fg_buffer *b = &p->buffer[number];
  for (int i = 0; i < p->nbuffer; i++)
    if (p->buffer[i].alias == number) return false;
  return b->alias < 0 && b->elem == FG_ELEM_COMPLEX && p->table[b->table].rows > 1;
}

static void look_at(panels *of, const fg_kernel *k, const fg_stage *s, fg_access *a) {
  const fg_buffer *b = &of->p->buffer[a->buffer];
  int64_t lanes = fg_stage_lanes(k, s), *columns = &of->columns[a->buffer];
  if (b->space != FG_SPACE_TABLE) return;
  const fg_table *t = &of->p->table[b->table];
  bool same = *columns == 0 || *columns == lanes, whole = lanes > 1 && t->cols > lanes && t->cols % lanes == 0;
  bool possible = same && whole && has_rows(of->p, a->buffer) && !a->rest && reads_panels(k, s, a, t, lanes);
  *columns = possible ? lanes : -1;
}

/* Counts panels where it counted columns. */
static void iteration(panels *of, const fg_kernel *k, const fg_stage *s, fg_access *a) {
  (void)k;
  if (of->p->buffer[a->buffer].space != FG_SPACE_TABLE || of->columns[a->buffer] <= 0) return;
  const fg_table *t = &of->p->table[of->p->buffer[a->buffer].table];
  fg_affine *at = &a->index.at;
  at->offset.n = fg_table_element(t, at->offset.n / t->cols, at->offset.n % t->cols);
  for (int i = 0; i < at->nterm; i++) {
    int64_t *coef = &at->term[i].coef.n;
    if (at->term[i].digit == s->vectors.lane) continue;
    *coef = *coef % t->cols ? *coef * t->rows : *coef / t->cols * t->panel;
  }
}

typedef void act_on(panels *of, const fg_kernel *k, const fg_stage *s, fg_access *a);

static void for_all(panels *of, act_on *act) {
  fg_access *a;
  for (int i = 0; i < of->p->nkernel; i++)
    for (int j = 0; j < of->p->kernel[i]->nstage; j++)
      for (int n = 0; (a = fg_stage_access(&of->p->kernel[i]->stage[j], n)); n++)
        act(of, of->p->kernel[i], &of->p->kernel[i]->stage[j], a);
}

fg_status fg_map_table_panels(fg_builder *b) {
  fg_program *p = b->program;
  panels of = {.p = p};
  for_all(&of, look_at);
  for (int i = 0; i < p->ntable; i++) {
    int64_t columns = of.columns[p->table[i].buffer];
    if (columns > 0) p->table[i].panel = columns;
  }
  for_all(&of, iteration);
  return FG_OK;
}
