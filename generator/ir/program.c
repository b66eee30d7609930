/* Programs: sizes, orders of roots, operation and byte counts, validity, dumps. */
#include "generator/ir/program.h"
#include "generator/reference/checksum.h"
#include "generator/reference/definition.h"
#include <string.h>

const fg_machine *fg_program_machine(const fg_program *p) {
  return p->machine ? p->machine
                    : fg_machine_find(p->lanes > 1 || !p->nkernel || p->kernel[0]->threads < 2 ? "cpu" : "gpu");
}

int64_t fg_program_segment(const fg_program *p) {
  int64_t bytes = fg_program_machine(p)->segment_bytes;
  return bytes > 0 ? bytes : fg_machine_find("gpu")->segment_bytes;
}

int64_t fg_program_machine_l2(const fg_machine *m) {
  return m->l2_bytes ? m->l2_bytes : fg_machine_find("cpu")->l2_bytes;
}

bool fg_program_is_constant(const fg_program *p, int buffer) {
  return p->buffer[buffer].space == FG_SPACE_TABLE || p->buffer[buffer].space == FG_SPACE_GIVEN;
}

int64_t fg_buffer_bytes(const fg_buffer *b) {
  if (b->elem == FG_ELEM_INDEX) return 4 * b->size;
  int64_t reals = b->elem == FG_ELEM_COMPLEX ? 2 * b->size : b->size;
  if (b->layout == FG_LAYOUT_DOUBLED) reals *= 2;
  return reals * fg_precision_bytes(b->precision);
}

enum { HALF_LINE = 32 /* bytes */ };

int fg_program_rows_from(const fg_program *p, const fg_buffer *b, bool load, int lanes) {
  if (p->one_source) return 1;
  if (load && b->space == FG_SPACE_LOCAL) return lanes;
  bool pairs = b->elem == FG_ELEM_COMPLEX && b->layout == FG_LAYOUT_INTERLEAVED;
  int slots = HALF_LINE / ((pairs ? 2 : 1) * fg_precision_bytes(b->precision));
  return slots < lanes ? slots : lanes;
}

int fg_buffer_lane_half(const fg_buffer *b) { return 8 / fg_precision_bytes(b->precision); }

/* The bit that says which half of the vector comes down to where halves of 16 bytes are told apart, the others between
 * go up. */
int64_t fg_buffer_lane_position(const fg_buffer *b, int64_t e) {
  if (!b->permuted) return e;
  int64_t half = fg_buffer_lane_half(b), top = b->permuted / 2;
  return (e & ~(int64_t)(b->permuted - half)) | (e & (top - half)) << 1 | (e / (top / half) & half);
}

void fg_buffer_position(const fg_buffer *b, int64_t e, int64_t *re, int64_t *im) {
  int64_t i = fg_buffer_lane_position(b, e);
  *re = 2 * i, *im = 2 * i + 1;
  if (b->elem == FG_ELEM_REAL)
    *re = *im = i;
  else if (b->layout == FG_LAYOUT_SPLIT)
    *re = i, *im = b->size + i;
  else if (b->layout == FG_LAYOUT_BLOCKED)
    *re = i / b->block * 2 * b->block + i % b->block, *im = *re + b->block;
  else if (b->layout == FG_LAYOUT_DOUBLED)
    *im = 2 * (b->size + i);
}

enum { FETCHED_ROWS = 5 << 20 };

bool fg_program_fetches_rows(const fg_program *p) {
  int64_t bytes = fg_buffer_bytes(&p->buffer[FG_BUFFER_IN]) + fg_buffer_bytes(&p->buffer[FG_BUFFER_OUT]);
  return fg_small_l2(p) && !p->problem.in_place && bytes >= FETCHED_ROWS;
}

bool fg_stage_sends(const fg_program *p, const fg_stage *s) { return p->buffer[s->store.buffer].spread > 1; }

int16_t fg_buffer_root(const fg_program *p, int buffer) {
  while (p->buffer[buffer].alias >= 0) buffer = p->buffer[buffer].alias;
  return (int16_t)buffer;
}

/* ---- orders ------------------------------------------------------------------------ */

static uint64_t table_order(const fg_table *t) {
  if (fg_table_is_index(t)) return 4;
  uint64_t order = fg_integer_lcm(4, (uint64_t)fg_table_root_order(t));
  return fg_table_is_sum(t) ? fg_integer_lcm(order, fg_field_dft_order(t->cols)) : order;
}

static uint64_t own_order(const fg_program *p) {
  uint64_t order = 4;
  for (int i = 0; i < p->problem.rank; i++) order = fg_integer_lcm(order, 8 * (uint64_t)p->problem.dim[i].n.n);
  for (int i = 0; i < p->ntable; i++) order = fg_integer_lcm(order, table_order(&p->table[i]));
  for (int i = 0; i < p->nkernel; i++)
    for (int s = 0; s < p->kernel[i]->nstage; s++)
      if (p->kernel[i]->stage[s].codelet)
        order = fg_integer_lcm(order, fg_codelet_order(p->kernel[i]->stage[s].codelet));
  return order;
}

uint64_t fg_program_order(const fg_program *p) {
  uint64_t own = own_order(p), order = fg_integer_lcm(own, fg_definition_order(&p->problem));
  bool roomy = order && order <= FG_FIELD_ALWAYS;
  return roomy || !fg_sums_possible(&p->problem) ? order : own;
}

/* An operation may make complex results real. */
int fg_stage_result_parts(const fg_program *p, const fg_stage *s) {
  return s->stored ? s->stored->parts : fg_buffer_parts(&p->buffer[s->store.buffer]);
}

int fg_buffer_parts(const fg_buffer *b) { return b->elem == FG_ELEM_COMPLEX ? 2 : 1; }

/* ---- counts ------------------------------------------------------------------------ */

int64_t fg_stage_instances(const fg_kernel *k, const fg_stage *s, const int64_t *params) {
  int64_t count = 1;
  for (int i = 0; i < k->nouter; i++)
    if (!k->digit[k->outer[i]].again) count *= fg_digit_extent(&k->digit[k->outer[i]], params);
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
  if (b->space == FG_SPACE_TABLE) out->table_moves += bytes;
}

/* A copy whose loads never happen. */
static bool fills_zeros(const fg_stage *s) {
  const fg_pred *never = &s->load.pred[0];
  return !s->codelet && s->load.npred && !never->value.nterm && fg_num_is(never->bound, 0);
}

/* The letters of its expressions that are operations. */
static void count_point(const fg_operation_row *row, int64_t elements, fg_program_cost *out) {
  const char *text[] = {row->re, row->im};
  for (int i = 0; i < 2; i++)
    for (const char *c = text[i]; c && *c; c++) {
      if (strchr("+-~", *c)) out->add += elements;
      if (strchr("*ql", *c)) out->mul += elements;
    }
}

static void count_stage(const fg_program *p, const fg_kernel *k, const fg_stage *s, const int64_t *params,
                        fg_program_cost *out) {
  int64_t count = fg_stage_instances(k, s, params);
  int64_t loads = fg_access_slots(k, &s->load), stores = fg_access_slots(k, &s->store);
  if (s->codelet) {
    out->add += count * (s->codelet->count.add + s->codelet->count.neg);
    out->mul += count * s->codelet->count.mul;
    out->fma += count * s->codelet->count.fma;
  }
  if (!fills_zeros(s)) count_access(p, &s->load, count * loads, out);
  count_access(p, &s->store, count * stores, out);
  if (s->has_twiddle) count_access(p, &s->twiddle, count * k->digit[s->twiddle.reg].extent.n, out);
  if (s->has_more) count_access(p, &s->more, count * k->digit[s->more.reg].extent.n, out);
  out->mul += 2 * count * fg_stage_products(s);
  out->fma += 2 * count * fg_stage_products(s);
  for (int side = 0; side < 2; side++) {
    const fg_operations *operations = side ? s->stored : s->loaded;
    int64_t elements = count * (side ? stores : loads);
    for (int i = 0; operations && i < operations->count; i++) {
      if (operations->operation[i].has_operand) count_access(p, &operations->operation[i].operand, elements, out);
      count_point(operations->operation[i].row, elements, out);
    }
  }
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

static bool affine_in_scope(const checker *c, const fg_stage *s, const fg_affine *a, int16_t reg) {
  for (int i = 0; i < a->nterm; i++)
    if (!digit_in_scope(c->k, s, a->term[i].digit, reg)) return false;
  return true;
}

static bool access_valid(checker *c, const fg_stage *s, const fg_access *a, int numbers, int parts);

/* The slots behind those of `a`, of `numbers` in all. */
static bool rest_valid(checker *c, const fg_stage *s, const fg_access *a, int numbers, int parts) {
  int own = parts * (int)c->k->digit[a->reg].extent.n;
  if (a->rest->buffer != a->buffer) return fail(c, "an access that goes on in another buffer");
  return own < numbers ? access_valid(c, s, a->rest, numbers - own, parts) : fail(c, "more slots than the codelet has");
}

/* `numbers`: the codelet's slots, `parts` for each of the access's elements. */
static bool access_valid(checker *c, const fg_stage *s, const fg_access *a, int numbers, int parts) {
  if (a->buffer < 0 || a->buffer >= c->p->nbuffer) return fail(c, "access to a buffer that does not exist");
  if (a->reg < 0 || a->reg >= c->k->ndigit) return fail(c, "slot digit does not exist");
  const fg_digit *reg = &c->k->digit[a->reg];
  if (reg->role != FG_ROLE_REG) return fail(c, "slot digit is not of role REG");
  if (a->rest && !rest_valid(c, s, a, numbers, parts)) return false;
  if (a->rest) numbers = parts * (int)reg->extent.n;
  if (numbers % parts) return fail(c, "complex elements for real slots");
  if (!fg_num_is(reg->extent, numbers / parts)) return fail(c, "slot digit's extent is not the codelet's slot count");
  if (!affine_in_scope(c, s, &a->index.at, a->reg) || !affine_in_scope(c, s, &a->index.base, a->reg))
    return fail(c, "address uses a digit out of scope");
  const fg_buffer *b = &c->p->buffer[a->buffer];
  if (b->permuted && !fg_access_is_whole(c->k, s, a, b->permuted))
    return fail(c, "parts of vectors in an order of their own");
  return true;
}

static int parts_of(const checker *c, const fg_access *a) {
  return a->buffer < 0 || a->buffer >= c->p->nbuffer ? 1 : fg_buffer_parts(&c->p->buffer[a->buffer]);
}

static int numbers_of(const checker *c, const fg_access *a) {
  if (a->buffer < 0 || a->buffer >= c->p->nbuffer || a->reg < 0 || a->reg >= c->k->ndigit) return 0;
  return fg_buffer_parts(&c->p->buffer[a->buffer]) * (int)fg_access_slots(c->k, a);
}

static bool stage_valid(checker *c, const fg_stage *s) {
  int in = s->codelet ? s->codelet->nin : numbers_of(c, &s->load);
  int out = s->codelet ? s->codelet->nout : in;
  if (s->store.buffer < 0 || s->store.buffer >= c->p->nbuffer) return fail(c, "store to a buffer that does not exist");
  if (!access_valid(c, s, &s->load, in, parts_of(c, &s->load))) return false;
  if (!access_valid(c, s, &s->store, out, fg_stage_result_parts(c->p, s))) return false;
  if (s->has_twiddle && !s->codelet) return fail(c, "a copy with twiddles");
  if (s->codelet && s->has_twiddle != (s->codelet->ntw > 0)) return fail(c, "twiddles of stage and codelet differ");
  if (s->has_more && (!s->has_twiddle || !s->product)) return fail(c, "further roots without products");
  int roots = 2 * fg_stage_roots(c->k, s), more = s->has_more ? 2 * (int)c->k->digit[s->more.reg].extent.n : 0;
  if (s->has_twiddle && !s->product && roots != s->codelet->ntw) return fail(c, "not as many roots as factors");
  if (s->has_twiddle && !access_valid(c, s, &s->twiddle, roots - more, parts_of(c, &s->twiddle))) return false;
  if (s->has_more && !access_valid(c, s, &s->more, more, parts_of(c, &s->more))) return false;
  for (int f = 0; s->product && f < s->codelet->ntw / 2; f++)
    if (!fg_product_possible(&s->product[f], f, roots / 2)) return fail(c, "a twiddle factor of what is not there");
  if (fg_program_is_constant(c->p, s->store.buffer)) return fail(c, "store to a table");
  for (int i = 0; i < s->nloop; i++) {
    fg_role role = c->k->digit[s->loop[i]].role;
    if (role == FG_ROLE_BLOCK || role == FG_ROLE_HOST) return fail(c, "BLOCK or HOST digit inside a stage");
    if ((role == FG_ROLE_LANE) != (s->loop[i] == s->lane)) return fail(c, "LANE digit and stage.lane disagree");
  }
  bool crosses = s->sync_mid == FG_SCOPE_CLUSTER || s->sync_begin == FG_SCOPE_CLUSTER || s->arrives;
  if (crosses && c->k->cluster < 2) return fail(c, "a cluster's barrier without a cluster");
  bool spread = c->p->buffer[s->store.buffer].spread > 1 || c->p->buffer[s->load.buffer].spread > 1;
  if (spread && c->k->cluster < 2) return fail(c, "a buffer spread over a cluster, without a cluster");
  return true;
}

bool fg_program_valid(const fg_program *p, const char **why) {
  checker c = {.p = p};
  bool good = true;
  for (int i = 0; good && i < p->nkernel; i++) {
    c.k = p->kernel[i];
    for (int s = 0; good && s < c.k->nstage; s++) good = stage_valid(&c, &c.k->stage[s]);
    if (good && !fg_kernel_groups_fit(c.k)) good = fail(&c, "stages that share loops which are not the same");
    for (int d = 0; good && d < c.k->nouter; d++) {
      fg_role role = c.k->digit[c.k->outer[d]].role;
      if (role != FG_ROLE_BLOCK && role != FG_ROLE_HOST && role != FG_ROLE_LOOP)
        good = fail(&c, "outer digit is not BLOCK, HOST or LOOP");
    }
  }
  if (!good) *why = c.why;
  return good;
}
