/* Values: codelets and tables in the proof's number systems.
 *
 * In: rows of numbers, one row per slot and part, one number per instance of a
 * SIMD group. Out: rows of results. The idea: a codelet becomes a tape with its
 * constants evaluated once per field; then each operation runs over all instances
 * at once. The operations' meaning is ops.def's. */
#include "generator/prove/values.h"
#include "generator/ir/table_values.h"
#include "generator/math/constant_value.h"
#include "generator/prove/block_sample.h"
#include "generator/prove/table_values.h"
#include "generator/reference/operation_values.h"
#include <string.h>

/* ---- tapes ---------------------------------------------------------------------------- */

/* A list in an arena has room for the next power of two. */
static void *grown(fg_vm *m, const void *list, int count, size_t size) {
  if (count & (count - 1)) return (void *)(uintptr_t)list;
  void *out = fg_arena_alloc(m->cx->arena, size * (size_t)(2 * count + 1));
  if (count) memcpy(out, list, size * (size_t)count);
  return out;
}

static const fg_pool_images *images_of(fg_vm *m, const fg_const_pool *pool) {
  for (int i = 0; i < m->nimages; i++)
    if (m->images[i].pool == pool) return &m->images[i];
  m->images = grown(m, m->images, m->nimages, sizeof *m->images);
  fg_pool_images *x = &m->images[m->nimages++];
  *x = (fg_pool_images){.pool = pool};
  for (int prime = 0; prime < m->primes; prime++) {
    x->image[prime] = fg_arena_new(m->cx->arena, fg_gf, fg_const_count(pool));
    fg_const_images(pool, &m->field[prime], x->image[prime]);
  }
  return x;
}

static void constants_gf(fg_vm *m, fg_tape *t, int prime) {
  const fg_codelet *c = t->codelet;
  const fg_gf *images = images_of(m, c->pool)->image[prime];
  t->constant[prime] = fg_arena_new(m->cx->arena, const fg_gf *, c->nnode);
  for (int i = 0; i < c->nnode; i++) {
    if (c->node[i].op != FG_OP_CONST) continue;
    fg_gf image = images[c->node[i].slot];
    fg_gf *row = fg_arena_new(m->cx->arena, fg_gf, FG_WALK_WIDTH);
    for (int k = 0; k < FG_WALK_WIDTH; k++) row[k] = image;
    t->constant[prime][i] = row;
  }
}

static void constants_real(fg_vm *m, fg_tape *t) {
  const fg_codelet *c = t->codelet;
  mpfr_t x;
  mpfr_init2(x, FG_CONST_BITS);
  t->real = fg_arena_new(m->cx->arena, const fg_quad *, c->nnode);
  for (int i = 0; i < c->nnode; i++) {
    if (c->node[i].op != FG_OP_CONST) continue;
    fg_const_real(c->pool, c->node[i].slot, x);
    fg_quad *row = fg_arena_new(m->cx->arena, fg_quad, FG_WALK_WIDTH), value = fg_quad_from(x);
    for (int k = 0; k < FG_WALK_WIDTH; k++) row[k] = value;
    t->real[i] = row;
  }
  mpfr_clear(x);
}

static void last_uses(const fg_codelet *c, int *last) {
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *d = &c->node[i];
    int n = fg_op_operands(d->op);
    last[i] = i;
    if (n > 0) last[d->a] = i;
    if (n > 1) last[d->b] = i;
    if (n > 2) last[d->c] = i;
  }
  for (int s = 0; s < c->nout; s++) last[c->out[s]] = c->nnode;
}

/* Where operations put their results: in the row of an operand that is not used afterwards, if there is one, so that
 * few rows are in use at once. */
static void place_results(fg_vm *m, fg_tape *t) {
  const fg_codelet *c = t->codelet;
  int *last = fg_arena_new(m->cx->arena, int, 2 * c->nnode + 1), *idle = last + c->nnode, count = 0;
  t->place = fg_arena_new(m->cx->arena, int, c->nnode);
  last_uses(c, last);
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *d = &c->node[i];
    int n = fg_op_operands(d->op), from[3] = {d->a, d->b, d->c};
    t->place[i] = -1;
    if (!n) continue;
    for (int k = 0; k < n; k++) {
      int x = from[k];
      if (last[x] != i || t->place[x] < 0) continue;
      idle[count++] = t->place[x];
      last[x] = c->nnode; /* an operand may be used again */
    }
    t->place[i] = count ? idle[--count] : t->places++;
  }
}

static fg_tape *tape_of(fg_vm *m, const fg_codelet *c) {
  for (int i = 0; i < m->ntape; i++)
    if (m->tape[i]->codelet == c) return m->tape[i];
  fg_tape *t = fg_arena_new(m->cx->arena, fg_tape, 1);
  t->codelet = c;
  size_t nodes = (size_t)c->nnode;
  t->reads = fg_arena_new(m->cx->arena, bool, c->nin + 1);
  for (int i = 0; i < c->nnode; i++)
    if (c->node[i].op == FG_OP_IN) t->reads[c->node[i].slot] = true;
  place_results(m, t);
  for (int prime = 0; prime < m->primes; prime++) constants_gf(m, t, prime);
  if (m->reals) {
    constants_real(m, t);
    t->real_row = fg_arena_new(m->cx->arena, const fg_quad *, nodes);
    t->block = fg_prove_block_tape_create(m->cx, t);
  } else {
    t->row = fg_arena_new(m->cx->arena, const fg_gf *, nodes);
    t->work = fg_arena_raw(m->cx->arena, sizeof *t->work * (size_t)t->places * FG_WALK_WIDTH);
  }
  m->tape = grown(m, m->tape, m->ntape, sizeof(fg_tape *));
  return m->tape[m->ntape++] = t;
}

/* The field is copied: no store to out changes it, and it stays in registers. */
static void operate_gf(const fg_field *field, fg_op op, int width, const fg_gf *a, const fg_gf *b, const fg_gf *c,
                       fg_gf *out) {
  const fg_field own = *field, *f = &own;
  switch (op) {
  case FG_OP_NEG:
    for (int i = 0; i < width; i++) out[i] = fg_gf_neg(f, a[i]);
    break;
  case FG_OP_ADD:
    for (int i = 0; i < width; i++) out[i] = fg_gf_add(f, a[i], b[i]);
    break;
  case FG_OP_SUB:
    for (int i = 0; i < width; i++) out[i] = fg_gf_sub(f, a[i], b[i]);
    break;
  case FG_OP_MUL:
    for (int i = 0; i < width; i++) out[i] = fg_gf_mul(f, a[i], b[i]);
    break;
  case FG_OP_FMA:
    for (int i = 0; i < width; i++) out[i] = fg_gf_add(f, fg_gf_mul(f, a[i], b[i]), c[i]);
    break;
  case FG_OP_FMS:
    for (int i = 0; i < width; i++) out[i] = fg_gf_sub(f, fg_gf_mul(f, a[i], b[i]), c[i]);
    break;
  case FG_OP_FNMA:
    for (int i = 0; i < width; i++) out[i] = fg_gf_sub(f, c[i], fg_gf_mul(f, a[i], b[i]));
    break;
  case FG_OP_IN:
  case FG_OP_TW:
  case FG_OP_CONST:
  case FG_OP_COUNT: break;
  }
}

static void operate_real(fg_op op, int width, const fg_quad *a, const fg_quad *b, const fg_quad *c, fg_quad *out) {
  for (int i = 0; i < width; i++) switch (op) {
    case FG_OP_NEG: out[i] = -a[i]; break;
    case FG_OP_ADD: out[i] = a[i] + b[i]; break;
    case FG_OP_SUB: out[i] = a[i] - b[i]; break;
    case FG_OP_MUL: out[i] = a[i] * b[i]; break;
    case FG_OP_FMA: out[i] = a[i] * b[i] + c[i]; break;
    case FG_OP_FMS: out[i] = a[i] * b[i] - c[i]; break;
    case FG_OP_FNMA: out[i] = c[i] - a[i] * b[i]; break;
    case FG_OP_IN:
    case FG_OP_TW:
    case FG_OP_CONST:
    case FG_OP_COUNT: break;
    }
}

static void run_gf(const fg_vm *m, fg_tape *t, int prime, int width, fg_gf *out) {
  const fg_codelet *c = t->codelet;
  const fg_gf **row = t->row;
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *d = &c->node[i];
    if (d->op == FG_OP_IN) {
      row[i] = m->in[prime] + (size_t)d->slot * (size_t)width;
    } else if (d->op == FG_OP_TW) {
      row[i] = m->tw[prime] + (size_t)d->slot * (size_t)width;
    } else if (d->op == FG_OP_CONST) {
      row[i] = t->constant[prime][i];
    } else {
      int n = fg_op_operands(d->op);
      fg_gf *to = t->work + (size_t)t->place[i] * FG_WALK_WIDTH;
      operate_gf(&m->field[prime], d->op, width, row[d->a], n > 1 ? row[d->b] : NULL, n > 2 ? row[d->c] : NULL, to);
      row[i] = to;
    }
  }
  for (int s = 0; s < c->nout; s++)
    memcpy(out + (size_t)s * (size_t)width, row[c->out[s]], sizeof *out * (size_t)width);
}

static void run_real(const fg_vm *m, fg_tape *t, int width, fg_quad *out) {
  const fg_codelet *c = t->codelet;
  const fg_quad **row = t->real_row;
  if (!t->real_work) t->real_work = fg_arena_new(m->cx->arena, fg_quad, t->places * FG_WALK_WIDTH);
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *d = &c->node[i];
    if (d->op == FG_OP_IN) {
      row[i] = m->real_in + (size_t)d->slot * (size_t)width;
    } else if (d->op == FG_OP_TW) {
      row[i] = m->real_tw + (size_t)d->slot * (size_t)width;
    } else if (d->op == FG_OP_CONST) {
      row[i] = t->real[i];
    } else {
      int n = fg_op_operands(d->op);
      fg_quad *to = t->real_work + (size_t)t->place[i] * FG_WALK_WIDTH;
      operate_real(d->op, width, row[d->a], n > 1 ? row[d->b] : NULL, n > 2 ? row[d->c] : NULL, to);
      row[i] = to;
    }
  }
  for (int s = 0; s < c->nout; s++)
    memcpy(out + (size_t)s * (size_t)width, row[c->out[s]], sizeof *out * (size_t)width);
}

const bool *fg_prove_value_reads(fg_vm *m, const fg_codelet *c) { return tape_of(m, c)->reads; }

void fg_prove_value_run(fg_vm *m, const fg_codelet *c, int width, fg_held *out) {
  fg_tape *t = tape_of(m, c);
  for (int prime = 0; prime < m->primes; prime++) run_gf(m, t, prime, width, out->re[prime]);
  if (m->reals && !fg_prove_block_run(m, t, width, out->real)) run_real(m, t, width, out->real);
}

/* ---- room ------------------------------------------------------------------------------ */

void fg_prove_value_rooms(fg_vm *m, size_t in, size_t tw) {
  fg_arena *a = m->cx->arena;
  if (in > m->in_room) {
    m->in_room = 2 * in;
    for (int prime = 0; prime < m->primes; prime++) m->in[prime] = fg_arena_new(a, fg_gf, 2 * m->in_room);
    if (m->reals) m->real_in = fg_arena_new(a, fg_quad, 2 * m->in_room);
  }
  if (tw > m->tw_room) {
    m->tw_room = 2 * tw;
    for (int prime = 0; prime < m->primes; prime++) m->tw[prime] = fg_arena_new(a, fg_gf, 2 * m->tw_room);
    for (int prime = 0; prime < m->primes; prime++) m->root[prime] = fg_arena_new(a, fg_gf, 2 * m->tw_room);
    if (m->reals)
      m->real_tw = fg_arena_new(a, fg_quad, 2 * m->tw_room), m->real_root = fg_arena_new(a, fg_quad, 2 * m->tw_room);
  }
}

fg_held *fg_prove_value_held(fg_vm *m, int number, size_t complexes) {
  fg_arena *a = m->cx->arena;
  if (number >= m->nheld) {
    m->held = fg_arena_more(a, m->held, m->nheld, 2 * number + 1);
    m->nheld = 2 * number + 1;
  }
  fg_held *h = m->held[number];
  if (!h) h = m->held[number] = fg_arena_new(a, fg_held, 1);
  if (h->room < complexes) {
    h->room = complexes;
    for (int prime = 0; prime < m->primes; prime++) h->re[prime] = fg_arena_new(a, fg_gf, 2 * complexes);
    if (m->reals) h->real = fg_arena_new(a, fg_quad, 2 * complexes);
  }
  return h;
}

/* ---- tables ---------------------------------------------------------------------------- */

static void given_array(fg_vm *m, int buffer) {
  const fg_buffer *b = &m->p->buffer[buffer];
  bool complex = b->elem == FG_ELEM_COMPLEX;
  for (int prime = 0; prime < m->primes; prime++) {
    fg_gfc *x = fg_arena_new(m->cx->arena, fg_gfc, b->size);
    fg_system system = {.field = &m->field[prime]};
    for (int64_t i = 0; i < b->size; i++) x[i] = fg_operation_values_given(&system, b->given, i, complex).gf;
    m->table[buffer][prime] = x;
  }
  fg_quadc *x = m->reals ? fg_arena_new(m->cx->arena, fg_quadc, b->size) : NULL;
  fg_system reals = {.field = NULL};
  for (int64_t i = 0; x && i < b->size; i++) x[i] = fg_operation_values_given(&reals, b->given, i, complex).quad;
  m->real_table[buffer] = x;
}

/* Neighbouring reals of a table or a given array, as complex numbers. */
static void two_by_two(fg_vm *m, int buffer) {
  const fg_buffer *b = &m->p->buffer[buffer];
  for (int prime = 0; prime < m->primes; prime++) {
    const fg_gfc *of = m->table[b->alias][prime];
    fg_gfc *x = fg_arena_new(m->cx->arena, fg_gfc, b->size);
    for (int64_t i = 0; i < b->size; i++) x[i] = (fg_gfc){of[2 * i].re, of[2 * i + 1].re};
    m->table[buffer][prime] = x;
  }
  const fg_quadc *of = m->real_table[b->alias];
  fg_quadc *x = m->reals ? fg_arena_new(m->cx->arena, fg_quadc, b->size) : NULL;
  for (int64_t i = 0; x && i < b->size; i++) x[i] = (fg_quadc){of[2 * i].re, of[2 * i + 1].re};
  m->real_table[buffer] = x;
}

/* Elements, from which those alone are made that are loaded: of tables by samples, of given arrays by all walks. */
enum { LONG_TABLE = 1 << 16 };

/* Of a sample, the spectrum is the tensor's. */
static bool is_sampled(const fg_vm *m, int buffer) { return m->sample && fg_footprints_is_spectrum(m->p, buffer); }

fg_gfc fg_prove_value_element(const fg_vm *m, int buffer, int prime, int64_t e) {
  const fg_buffer *b = &m->p->buffer[buffer];
  fg_system system = {.field = &m->field[prime]};
  if (b->alias >= 0)
    return (fg_gfc){fg_value_constant(m, b->alias, prime, 2 * e).re,
                    fg_value_constant(m, b->alias, prime, 2 * e + 1).re};
  if (is_sampled(m, buffer)) return fg_tensor_spectrum(m->tensor[prime], e);
  if (b->space == FG_SPACE_GIVEN) return fg_operation_values_given(&system, b->given, e, b->elem == FG_ELEM_COMPLEX).gf;
  return fg_table_element_gf(&m->p->table[m->p->buffer[buffer].table], &m->field[prime], e);
}

static bool is_aliased(const fg_program *p, int buffer) {
  for (int b = 0; b < p->nbuffer; b++)
    if (p->buffer[b].alias == buffer) return true;
  return false;
}

fg_status fg_prove_value_tables(fg_vm *m) {
  for (int t = 0; t < m->p->ntable; t++) {
    const fg_table *table = &m->p->table[t];
    bool by_element = m->sample && fg_table_has_roots(table) && table->rows * table->cols > LONG_TABLE;
    if (fg_table_is_index(table) || is_sampled(m, table->buffer) || (by_element && !is_aliased(m->p, table->buffer)))
      continue;
    for (int prime = 0; prime < m->primes; prime++) {
      fg_gfc *content = fg_arena_new(m->cx->arena, fg_gfc, table->rows * table->cols);
      fg_status status = fg_table_fill_gf(m->cx, m->p, t, &m->field[prime], content);
      if (status != FG_OK) return status;
      m->table[table->buffer][prime] = content;
    }
    if (m->reals) m->real_table[table->buffer] = fg_table_values_quad(m->cx, table);
  }
  for (int b = 0; b < m->p->nbuffer; b++) {
    const fg_buffer *x = &m->p->buffer[b];
    bool by_element = is_sampled(m, b) || (x->size > LONG_TABLE && !m->reals);
    if (x->space == FG_SPACE_GIVEN && x->alias < 0 && !by_element) given_array(m, b);
  }
  for (int b = 0; b < m->p->nbuffer; b++)
    if (m->p->buffer[b].alias >= 0 && fg_program_is_constant(m->p, b) &&
        (m->reals || m->table[m->p->buffer[b].alias][0]))
      two_by_two(m, b);
  return FG_OK;
}
