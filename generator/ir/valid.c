/* Whether a program is what kernel.h says: buffers, digits, slots and barriers fit together. */
#include "generator/ir/program.h"

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
  if (digit == reg || k->digit[digit].role == FG_ROLE_RING) return true; /* of the queue, once there is one */
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
  if (!fg_program_goes_on(c->p, a)) return fail(c, "an access that goes on in another buffer");
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

static bool exchange_valid(checker *c, const fg_exchange *x, fg_exchange_point point) {
  const char *why = fg_exchange_wrong(*x, point);
  if (why) return fail(c, why);
  return !fg_exchange_crosses(x) || c->k->launch.cluster > 1 ? true : fail(c, "a cluster's exchange without a cluster");
}

static bool exchanges_valid(checker *c, const fg_stage *s) {
  const fg_exchange *const x[] = {&s->exchange.before, &s->exchange.between, &s->exchange.after, &s->exchange.offer};
  for (int i = 0; i < 4; i++)
    if (!exchange_valid(c, x[i], (fg_exchange_point)(FG_EXCHANGE_BEFORE + i))) return false;
  return exchange_valid(c, &c->p->buffer[s->load.buffer].exchange, FG_EXCHANGE_BUFFER) &&
         exchange_valid(c, &c->p->buffer[s->store.buffer].exchange, FG_EXCHANGE_BUFFER);
}

/* Registers of lanes are a block's, and leave them by a stage of shuffles alone. */
static bool lanes_valid(checker *c, const fg_stage *s) {
  const fg_buffer *from = &c->p->buffer[s->load.buffer], *to = &c->p->buffer[s->store.buffer];
  const fg_buffer *const both[] = {from, to};
  for (int i = 0; i < 2; i++) {
    if (!fg_buffer_is_of_lanes(both[i])) continue;
    bool real =
        both[i]->elem == FG_ELEM_REAL && both[i]->alias >= 0 && fg_buffer_is_of_lanes(&c->p->buffer[both[i]->alias]);
    if (both[i]->space != FG_SPACE_LOCAL || (both[i]->alias >= 0 && !real) || both[i]->local.each < 1 ||
        both[i]->size != (int64_t)both[i]->local.each * c->k->launch.threads)
      return fail(c, "registers of lanes that are not as many for each thread");
  }
  if (!fg_exchange_is_shuffle(&s->exchange.before)) return true;
  bool copies = !s->codelet && fg_buffer_is_of_lanes(from) && fg_buffer_is_of_lanes(to) && from != to;
  return copies || fail(c, "shuffles that are no copy from registers to others");
}

/* Products of matrices: a complex transform alone, and the table of its roots in whole blocks. */
static bool matrix_valid(checker *c, const fg_stage *s) {
  enum { SIDE = 16 };
  if (!s->factors.matrix) return true;
  const fg_codelet *of = s->codelet;
  if (s->factors.matrix < 0 || s->factors.matrix >= c->p->nbuffer || c->p->buffer[s->factors.matrix].table < 0)
    return fail(c, "products of matrices without a table");
  const fg_table *t = &c->p->table[c->p->buffer[s->factors.matrix].table];
  if (!of || !of->key.matrix || s->factors.has_twiddle || s->operations.loaded || s->operations.stored)
    return fail(c, "products of matrices that are no transform alone");
  bool whole = t->rows == t->cols && t->rows % SIDE == 0 && t->rows > of->key.n / 2;
  bool roots = t->fill == FG_FILL_TWIDDLE && t->order == of->key.n && t->panel == 4 && t->sign > 0;
  return (whole && roots) || fail(c, "products of matrices by a table of another transform");
}

static bool stage_valid(checker *c, const fg_stage *s) {
  int in = s->codelet ? s->codelet->nin : numbers_of(c, &s->load);
  int out = s->codelet ? s->codelet->nout : in;
  if (s->store.buffer < 0 || s->store.buffer >= c->p->nbuffer) return fail(c, "store to a buffer that does not exist");
  if (!access_valid(c, s, &s->load, in, parts_of(c, &s->load))) return false;
  if (!access_valid(c, s, &s->store, out, fg_stage_result_parts(c->p, s))) return false;
  if (s->factors.has_twiddle && !s->codelet) return fail(c, "a copy with twiddles");
  if (s->codelet && s->factors.has_twiddle != (s->codelet->ntw > 0))
    return fail(c, "twiddles of stage and codelet differ");
  if (s->factors.has_more && (!s->factors.has_twiddle || !s->factors.product))
    return fail(c, "further roots without products");
  int roots = 2 * fg_stage_roots(c->k, s),
      more = s->factors.has_more ? 2 * (int)fg_access_slots(c->k, &s->factors.more) : 0;
  if (s->factors.has_twiddle && !s->factors.product && roots != s->codelet->ntw)
    return fail(c, "not as many roots as factors");
  if (s->factors.has_twiddle &&
      !access_valid(c, s, &s->factors.twiddle, roots - more, parts_of(c, &s->factors.twiddle)))
    return false;
  if (s->factors.has_more && !access_valid(c, s, &s->factors.more, more, parts_of(c, &s->factors.more))) return false;
  for (int f = 0; s->factors.product && f < s->codelet->ntw / 2; f++)
    if (!fg_product_possible(&s->factors.product[f], f, roots / 2))
      return fail(c, "a twiddle factor of what is not there");
  if (fg_program_is_constant(c->p, s->store.buffer)) return fail(c, "store to a table");
  for (int i = 0; i < s->nloop; i++) {
    fg_role role = c->k->digit[s->loop[i]].role;
    if (role <= FG_ROLE_RING) return fail(c, "BLOCK, RING or HOST digit inside a stage");
    if ((role == FG_ROLE_LANE) != (s->loop[i] == s->vectors.lane)) return fail(c, "LANE digit and stage.lane disagree");
  }
  return exchanges_valid(c, s) && lanes_valid(c, s) && matrix_valid(c, s);
}

bool fg_program_valid(const fg_program *p, const char **why) {
  checker c = {.p = p};
  bool good = true;
  for (int i = 0; good && i < p->nkernel; i++) {
    c.k = p->kernel[i];
    good = exchange_valid(&c, &c.k->launch.offer, FG_EXCHANGE_OFFER);
    for (int s = 0; good && s < c.k->nstage; s++) good = stage_valid(&c, &c.k->stage[s]);
    if (good && !fg_kernel_groups_fit(c.k)) good = fail(&c, "stages that share loops which are not the same");
    for (int d = 0; good && d < c.k->ndigit; d++)
      if (c.k->digit[d].step < 1) good = fail(&c, "a digit that does not count upwards");
    for (int d = 0; good && d < c.k->nouter; d++) {
      fg_role role = c.k->digit[c.k->outer[d]].role;
      if (role > FG_ROLE_RING && role != FG_ROLE_LOOP) good = fail(&c, "outer digit is not BLOCK, RING, HOST or LOOP");
    }
  }
  if (!good) *why = c.why;
  return good;
}
