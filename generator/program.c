/* Programs: sizes, orders of roots, operation and byte counts, validity, dumps. */
#include "generator/program.h"
#include "generator/definition.h"
#include <string.h>

int64_t fg_buffer_bytes(const fg_buffer *b) {
  if (b->elem == FG_ELEM_INDEX) return 4 * b->size;
  int64_t reals = b->elem == FG_ELEM_COMPLEX ? 2 * b->size : b->size;
  return reals * fg_precision_bytes(b->precision);
}

/* ---- orders ------------------------------------------------------------------------ */

static uint64_t table_order(const fg_table *t) {
  uint64_t order = fg_lcm(4, (uint64_t)t->order);
  return t->fill == FG_FILL_BLUESTEIN ? fg_lcm(order, fg_field_dft_order(t->cols)) : order;
}

uint64_t fg_program_order(const fg_program *p) {
  uint64_t order = fg_definition_order(&p->problem);
  for (int i = 0; i < p->problem.rank; i++) order = fg_lcm(order, 8 * (uint64_t)p->problem.dim[i].n.n);
  for (int i = 0; i < p->ntable; i++) order = fg_lcm(order, table_order(&p->table[i]));
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++)
      if (p->kernel[i]->stage[s].codelet) order = fg_lcm(order, fg_codelet_order(p->kernel[i]->stage[s].codelet));
  return order;
}

int fg_buffer_parts(const fg_buffer *b) { return b->elem == FG_ELEM_COMPLEX ? 2 : 1; }

/* ---- counts ------------------------------------------------------------------------ */

int64_t fg_stage_instances(const fg_kernel *k, const fg_stage *s, const int64_t *params) {
  int64_t count = 1;
  for (int i = 0; i < k->nouter; i++) count *= fg_digit_extent(&k->digit[k->outer[i]], params);
  for (int i = 0; i < s->nloop; i++) {
    const fg_digit *d = &k->digit[s->loop[i]];
    bool is_guard = d->role == FG_ROLE_THREAD && strcmp(d->name, FG_GUARD_DIGIT) == 0;
    if (!is_guard) count *= fg_digit_extent(d, params);
  }
  return count;
}

static void count_access(const fg_program *p, const fg_access *a, int64_t elements, fg_program_cost *out) {
  const fg_buffer *b = &p->buffer[a->buffer];
  int64_t bytes = elements * (b->size ? fg_buffer_bytes(b) / b->size : 0);
  if (b->space == FG_SPACE_LOCAL)
    out->local_bytes += bytes;
  else
    out->bytes += bytes;
}

/* A copy whose loads never happen. */
static bool fills_zeros(const fg_stage *s) {
  const fg_pred *never = &s->load.pred[0];
  return !s->codelet && s->load.npred && !never->value.nterm && fg_num_is(never->bound, 0);
}

static void count_stage(const fg_program *p, const fg_kernel *k, const fg_stage *s, const int64_t *params,
                        fg_program_cost *out) {
  int64_t count = fg_stage_instances(k, s, params);
  int64_t loads = k->digit[s->load.reg].extent.n, stores = k->digit[s->store.reg].extent.n;
  if (s->codelet) {
    out->add += count * (s->codelet->count.add + s->codelet->count.neg);
    out->mul += count * s->codelet->count.mul;
    out->fma += count * s->codelet->count.fma;
  }
  if (!fills_zeros(s)) count_access(p, &s->load, count * loads, out);
  count_access(p, &s->store, count * stores, out);
  if (s->has_twiddle) count_access(p, &s->twiddle, count * s->codelet->ntw / 2, out);
  out->passes++;
}

void fg_program_count(const fg_program *p, fg_program_cost *out) {
  int64_t params[FG_MAX_PARAMS];
  for (int i = 0; i < p->problem.nparam; i++) params[i] = p->problem.param[i].lo;
  *out = (fg_program_cost){0};
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++) count_stage(p, p->kernel[i], &p->kernel[i]->stage[s], params, out);
  for (int i = 0; i < p->nbuffer; i++) {
    const fg_buffer *b = &p->buffer[i];
    int64_t bytes = b->alias < 0 ? fg_buffer_bytes(b) : 0;
    if (b->space == FG_SPACE_LOCAL) out->local_size += bytes;
    if (b->space == FG_SPACE_LOCAL || b->space == FG_SPACE_WORK) out->scratch_bytes += bytes;
    if (b->space == FG_SPACE_TABLE) out->table_bytes += bytes;
  }
  out->flops = out->add + out->mul + 2 * out->fma;
  out->cost = fg_cost_estimate(p, out);
}

/* ---- validity ---------------------------------------------------------------------- */

typedef struct checker {
  const fg_program *p;
  const fg_kernel *k;
  const char *why;
} checker;

static bool fail(checker *c, const char *why) {
  c->why = why;
  return false;
}

static bool digit_in_scope(const fg_kernel *k, const fg_stage *s, int16_t digit, int16_t reg) {
  if (digit == reg) return true;
  for (int i = 0; i < s->nloop; i++)
    if (s->loop[i] == digit) return true;
  for (int i = 0; i < k->nouter; i++)
    if (k->outer[i] == digit) return true;
  return false;
}

/* `numbers`: the codelet's slots, as many as the access's elements have parts. */
static bool access_valid(checker *c, const fg_stage *s, const fg_access *a, int numbers) {
  if (a->buffer < 0 || a->buffer >= c->p->nbuffer) return fail(c, "access to a buffer that does not exist");
  if (a->reg < 0 || a->reg >= c->k->ndigit) return fail(c, "slot digit does not exist");
  const fg_digit *reg = &c->k->digit[a->reg];
  if (reg->role != FG_ROLE_REG) return fail(c, "slot digit is not of role REG");
  if (numbers % fg_buffer_parts(&c->p->buffer[a->buffer])) return fail(c, "complex elements for real slots");
  if (!fg_num_is(reg->extent, numbers / fg_buffer_parts(&c->p->buffer[a->buffer])))
    return fail(c, "slot digit's extent is not the codelet's slot count");
  for (int i = 0; i < a->index.at.nterm; i++)
    if (!digit_in_scope(c->k, s, a->index.at.term[i].digit, a->reg))
      return fail(c, "address uses a digit out of scope");
  return true;
}

static int numbers_of(const checker *c, const fg_access *a) {
  if (a->buffer < 0 || a->buffer >= c->p->nbuffer || a->reg < 0 || a->reg >= c->k->ndigit) return 0;
  return fg_buffer_parts(&c->p->buffer[a->buffer]) * (int)c->k->digit[a->reg].extent.n;
}

static bool stage_valid(checker *c, const fg_stage *s) {
  int in = s->codelet ? s->codelet->nin : numbers_of(c, &s->load);
  int out = s->codelet ? s->codelet->nout : in;
  if (!access_valid(c, s, &s->load, in) || !access_valid(c, s, &s->store, out)) return false;
  if (s->has_twiddle && !s->codelet) return fail(c, "a copy with twiddles");
  if (s->codelet && s->has_twiddle != (s->codelet->ntw > 0)) return fail(c, "twiddles of stage and codelet differ");
  if (s->has_twiddle && !access_valid(c, s, &s->twiddle, s->codelet->ntw)) return false;
  if (c->p->buffer[s->store.buffer].space == FG_SPACE_TABLE) return fail(c, "store to a table");
  for (int i = 0; i < s->nloop; i++) {
    fg_role role = c->k->digit[s->loop[i]].role;
    if (role == FG_ROLE_BLOCK || role == FG_ROLE_HOST) return fail(c, "BLOCK or HOST digit inside a stage");
    if ((role == FG_ROLE_LANE) != (s->loop[i] == s->lane)) return fail(c, "LANE digit and stage.lane disagree");
  }
  return true;
}

bool fg_program_valid(const fg_program *p, const char **why) {
  checker c = {.p = p};
  bool good = true;
  for (int i = 0; good && i < p->nkernel; i++) {
    c.k = p->kernel[i];
    for (int s = 0; good && s < c.k->nstage; s++) good = stage_valid(&c, &c.k->stage[s]);
    for (int d = 0; good && d < c.k->nouter; d++) {
      fg_role role = c.k->digit[c.k->outer[d]].role;
      if (role != FG_ROLE_BLOCK && role != FG_ROLE_HOST) good = fail(&c, "outer digit is not BLOCK or HOST");
    }
  }
  if (!good) *why = c.why;
  return good;
}
