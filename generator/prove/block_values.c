/* Codelets in block floating point (block.h), for the proof's real values. In: a tape, rows of floats. Out: rows of
 * floats, as if each had been computed in more than 113 bits.
 *
 * This works for what is linear in its inputs: one exponent, that of the largest input, serves for all results. The
 * operations bound the growth of numbers; if it is too large, or a factor very small, floats are used instead. */
#include "generator/prove/values.h"
#include <limits.h>
#include <math.h>

enum { MOST_FACTOR = 1, LEAST_FACTOR = -30, MOST_GROWTH = 40 }; /* exponents of two */

struct fg_block_tape {
  bool linear;
  const int *place;
  fg_block **constant; /* per node: FG_WALK_WIDTH copies */
  const fg_block **row;
  fg_block *work, *in, *tw;
};

typedef struct bound { /* of a node */
  int degree;          /* in the inputs */
  double size;         /* at most this, for inputs and factors of 1 and 2 */
} bound;

/* a * b + c; NULL: absent. False: not linear. */
static bool bind(const bound *a, const bound *b, const bound *c, bound *out) {
  *out = *a;
  if (b) *out = (bound){a->degree + b->degree, a->size * b->size};
  bool same = !c || c->degree == out->degree;
  if (c) out->size += c->size;
  return same && out->degree <= 1 && out->size <= ldexp(1, MOST_GROWTH);
}

static bool bind_node(const fg_codelet *c, const fg_quad *const *constant, int i, bound *all) {
  static const bound one = {0, 1};
  const fg_dnode *d = &c->node[i];
  switch (d->op) {
  case FG_OP_IN: return all[i] = (bound){1, 1}, true;
  case FG_OP_TW: return all[i] = (bound){0, ldexp(1, MOST_FACTOR)}, true;
  case FG_OP_CONST: return all[i] = (bound){0, fabs((double)constant[i][0])}, all[i].size <= ldexp(1, MOST_GROWTH);
  case FG_OP_NEG: return all[i] = all[d->a], true;
  case FG_OP_ADD:
  case FG_OP_SUB: return bind(&all[d->a], &one, &all[d->b], &all[i]);
  case FG_OP_MUL: return bind(&all[d->a], &all[d->b], NULL, &all[i]);
  case FG_OP_FMA:
  case FG_OP_FMS:
  case FG_OP_FNMA: return bind(&all[d->a], &all[d->b], &all[d->c], &all[i]);
  case FG_OP_COUNT: break;
  }
  return false;
}

static bool is_linear(fg_context *cx, const fg_tape *t) {
  const fg_codelet *c = t->codelet;
  bound *all = fg_arena_new(cx->arena, bound, c->nnode);
  for (int i = 0; i < c->nnode; i++)
    if (!bind_node(c, t->real, i, all)) return false;
  for (int s = 0; s < c->nout; s++)
    if (all[c->out[s]].degree != 1) return false;
  return true;
}

struct fg_block_tape *fg_prove_block_tape_create(fg_context *cx, const fg_tape *t) {
  const fg_codelet *c = t->codelet;
  struct fg_block_tape *b = fg_arena_new(cx->arena, struct fg_block_tape, 1);
  size_t nodes = (size_t)c->nnode;
  b->linear = is_linear(cx, t);
  if (!b->linear) return b;
  b->constant = fg_arena_new(cx->arena, fg_block *, nodes);
  b->row = fg_arena_new(cx->arena, const fg_block *, nodes);
  b->place = t->place;
  size_t row = sizeof(fg_block) * FG_WALK_WIDTH;
  b->work = fg_arena_raw(cx->arena, (size_t)t->places * row);
  b->in = fg_arena_raw(cx->arena, (size_t)c->nin * row);
  b->tw = fg_arena_raw(cx->arena, (size_t)c->ntw * row);
  for (int i = 0; i < c->nnode; i++) {
    if (c->node[i].op != FG_OP_CONST) continue;
    b->constant[i] = fg_arena_new(cx->arena, fg_block, FG_WALK_WIDTH);
    for (int k = 0; k < FG_WALK_WIDTH; k++) b->constant[i][k] = fg_block_from(t->real[i][0], 0);
  }
  return b;
}

/* ---- running ------------------------------------------------------------------------- */

/* A call by value for each number of a row, so that the loop is inside. */
static void operate(fg_op op, int width, const fg_block *a, const fg_block *b, const fg_block *c, fg_block *out) {
  for (int i = 0; i < width; i++) switch (op) {
    case FG_OP_NEG: out[i] = fg_block_neg(a[i]); break;
    case FG_OP_ADD: out[i] = fg_block_add(a[i], b[i]); break;
    case FG_OP_SUB: out[i] = fg_block_sub(a[i], b[i]); break;
    case FG_OP_MUL: out[i] = fg_block_mul(a[i], b[i]); break;
    case FG_OP_FMA: out[i] = fg_block_add(fg_block_mul(a[i], b[i]), c[i]); break;
    case FG_OP_FMS: out[i] = fg_block_sub(fg_block_mul(a[i], b[i]), c[i]); break;
    case FG_OP_FNMA: out[i] = fg_block_sub(c[i], fg_block_mul(a[i], b[i])); break;
    case FG_OP_IN:
    case FG_OP_TW:
    case FG_OP_CONST:
    case FG_OP_COUNT: break;
    }
}

/* The exponent of what is read; INT_MIN: nothing but zeros. */
static int exponent_of(const fg_quad *rows, const bool *reads, int slots, int width) {
  int most = INT_MIN;
  for (int s = 0; s < slots; s++) {
    int e = reads[s] ? fg_block_exponent(rows + (size_t)s * (size_t)width, width) : INT_MIN;
    if (e > most) most = e;
  }
  return most;
}

static void take_rows(const fg_quad *rows, const bool *reads, int slots, int width, int e, fg_block *out) {
  for (int s = 0; s < slots; s++)
    for (int k = 0; reads[s] && k < width; k++) out[s * width + k] = fg_block_from(rows[s * width + k], e);
}

static void run(const struct fg_block_tape *b, const fg_codelet *c, int width) {
  for (int i = 0; i < c->nnode; i++) {
    const fg_dnode *d = &c->node[i];
    if (d->op == FG_OP_IN) {
      b->row[i] = b->in + (size_t)d->slot * (size_t)width;
    } else if (d->op == FG_OP_TW) {
      b->row[i] = b->tw + (size_t)d->slot * (size_t)width;
    } else if (d->op == FG_OP_CONST) {
      b->row[i] = b->constant[i];
    } else {
      int n = fg_op_operands(d->op);
      fg_block *to = b->work + (size_t)b->place[i] * FG_WALK_WIDTH;
      operate(d->op, width, b->row[d->a], n > 1 ? b->row[d->b] : NULL, n > 2 ? b->row[d->c] : NULL, to);
      b->row[i] = to;
    }
  }
}

bool fg_prove_block_run(const fg_vm *m, const fg_tape *t, int width, fg_quad *out) {
  const fg_codelet *c = t->codelet;
  const struct fg_block_tape *b = t->block;
  if (!b->linear) return false;
  int e = exponent_of(m->real_in, t->reads, c->nin, width);
  int factor = c->ntw ? fg_block_exponent(m->real_tw, (int64_t)c->ntw * width) : 0;
  if (e == INT_MAX || factor > MOST_FACTOR || (factor != INT_MIN && factor < LEAST_FACTOR)) return false;
  if (e == INT_MIN) e = 0;
  take_rows(m->real_in, t->reads, c->nin, width, e, b->in);
  for (int i = 0; i < c->ntw * width; i++) b->tw[i] = fg_block_from(m->real_tw[i], 0);
  run(b, c, width);
  for (int s = 0; s < c->nout; s++)
    for (int k = 0; k < width; k++) out[s * width + k] = fg_block_quad(b->row[c->out[s]][k], e);
  return true;
}
