/* Fuse. In: a network. Out: the nodes of a codelet.
 *
 * Two ideas. First, for the fused form: a sum may be computed up to a factor, so
 * a u + b v becomes u + (b/a) v, which is one fused operation, and a is handed on
 * to the users; c x - s y is c (x - tan y) (Linzer and Feig 1993; Goedecker
 * 1997). Every product by a constant disappears where the users are sums.
 *
 * Second, signs: each node may be computed as its negative. A sum of two terms of
 * one sign fixes its own; a difference is free. Free ones are chosen so that
 * every output comes out positive and no operation is spent on a sign: outputs in
 * turn first, then by a random walk through what wrong outputs depend on (as in
 * WalkSAT; Selman, Kautz and Cohen 1994). Where differences do not suffice,
 * products are free too, by a negative constant. */
#include "generator/codelet/fuse.h"
#include "generator/base/invariant.h"
#include "generator/math/constant_value.h"
#include <string.h>

enum { NO_TWIDDLE = -1, STEPS = 300 };

typedef struct term { /* sign * coefficient * what `vertex` holds */
  uint32_t vertex;
  bool negative;
  fg_const c;  /* positive */
  int twiddle; /* slot in place of c, or NO_TWIDDLE */
} term;

typedef struct fuse {
  fg_context *cx;
  const fg_network *net;
  const fg_dag *dag;
  fg_const_pool *pool;
  const uint32_t *uses;
  fg_const one;
  term (*terms)[2]; /* of SUM vertices */
  fg_const *scale;  /* vertex = scale * what its node holds; positive */
  bool *negated;    /* the node holds the negative */
  bool *choice;     /* `negated` of vertices that are free to choose */
  bool loose;       /* constants may be negative */
  fg_codelet *c;
  uint32_t capacity;
  fg_node *raw, *unscaled[2];             /* per vertex, [1]: the negative; FG_NO_NODE: not made yet */
  fg_node *constant, *twiddle, *negative; /* per constant, twiddle slot, node */
} fuse;

/* ---- terms and scales --------------------------------------------------- */

static term plain_term(const fuse *f, fg_edge e) {
  return (term){.vertex = e >> 1, .negative = e & 1, .c = f->one, .twiddle = NO_TWIDDLE};
}

/* The edge as coefficient times a vertex that is no product by a constant. */
static term scaled_term(const fuse *f, fg_edge e) {
  term t = plain_term(f, e);
  const fg_vertex *x = &f->dag->vertex[t.vertex];
  if (x->kind == FG_V_SCALE) {
    t.c = x->slot;
    t.vertex = x->a >> 1;
  }
  if (f->scale[t.vertex] != f->one) t.c = fg_const_mul(f->pool, t.c, f->scale[t.vertex]);
  return t;
}

/* Which term keeps coefficient 1: one that has it already, else the larger, so
 * that the quotient stays below 1. */
static int kept_term(const fuse *f, const term *t) {
  if (t[0].c == f->one) return 0;
  if (t[1].c == f->one) return 1;
  return fg_const_double(f->pool, t[0].c) >= fg_const_double(f->pool, t[1].c) ? 0 : 1;
}

/* A product by a twiddle that only this sum uses is fused with it. */
static bool absorb_twiddle(const fuse *f, term *t) {
  const fg_vertex *x = &f->dag->vertex[t->vertex];
  if (x->kind != FG_V_TWIDDLE || f->uses[t->vertex] != 1 || f->scale[x->a >> 1] != f->one) return false;
  if (f->dag->vertex[x->a >> 1].kind == FG_V_SCALE) return false;
  t->vertex = x->a >> 1;
  t->twiddle = (int)x->slot;
  return true;
}

static void choose_terms(fuse *f, uint32_t v, bool fused) {
  const fg_vertex *x = &f->dag->vertex[v];
  term *t = f->terms[v];
  t[0] = fused ? scaled_term(f, x->a) : plain_term(f, x->a);
  t[1] = fused ? scaled_term(f, x->b) : plain_term(f, x->b);
  if (!fused) return;
  int keep = kept_term(f, t);
  f->scale[v] = t[keep].c;
  if (t[0].c == t[1].c) {
    t[0].c = t[1].c = f->one;
    if (!absorb_twiddle(f, &t[0])) absorb_twiddle(f, &t[1]);
    return;
  }
  t[!keep].c = fg_const_div(f->pool, t[!keep].c, t[keep].c);
  t[keep].c = f->one;
}

/* ---- signs -------------------------------------------------------------- */

static bool term_negative(const fuse *f, const term *t) { return t->negative != f->negated[t->vertex]; }

/* The factor with which a vertex that is a product by a constant is written. */
static fg_const product_factor(const fuse *f, uint32_t v) {
  const fg_vertex *x = &f->dag->vertex[v];
  fg_const scale = f->scale[x->a >> 1];
  return scale == f->one ? x->slot : fg_const_mul(f->pool, x->slot, scale);
}

static bool has_constant(const fuse *f, uint32_t v) { return f->terms[v][0].c != f->one || f->terms[v][1].c != f->one; }

static bool is_free(const fuse *f, uint32_t v) {
  if (!f->uses[v]) return false;
  if (f->dag->vertex[v].kind == FG_V_SCALE) return f->loose && product_factor(f, v) != f->one;
  if (f->dag->vertex[v].kind != FG_V_SUM) return false;
  if (f->loose && has_constant(f, v)) return true;
  return term_negative(f, &f->terms[v][0]) != term_negative(f, &f->terms[v][1]);
}

/* An output that is multiplied at the end may take its sign there. */
static bool is_wrong(const fuse *f, fg_edge out) {
  if (f->loose && f->scale[out >> 1] != f->one) return false;
  return (out & 1) != f->negated[out >> 1];
}

/* Signs of all vertices from the choices; returns how many outputs are negated. */
static int derive_signs(fuse *f) {
  for (uint32_t v = 1; v < f->dag->count; v++) {
    const fg_vertex *x = &f->dag->vertex[v];
    if (!f->uses[v] || x->kind == FG_V_IN) continue;
    bool inherited = x->kind == FG_V_SUM ? term_negative(f, &f->terms[v][0]) : f->negated[x->a >> 1];
    f->negated[v] = is_free(f, v) ? f->choice[v] : inherited;
  }
  int wrong = 0;
  for (int i = 0; i < f->net->nout; i++) wrong += is_wrong(f, f->net->out[i]);
  return wrong;
}

static int flip_outputs(fuse *f) {
  int wrong = derive_signs(f);
  for (int i = 0; i < f->net->nout && wrong; i++) {
    uint32_t v = f->net->out[i] >> 1;
    if (!is_wrong(f, f->net->out[i]) || !is_free(f, v)) continue;
    f->choice[v] = !f->choice[v];
    int now = derive_signs(f);
    if (now >= wrong) {
      f->choice[v] = !f->choice[v];
      derive_signs(f);
    } else {
      wrong = now;
    }
  }
  return wrong;
}

/* Some free vertex that a wrong output depends on; 0: the walk found none. */
static uint32_t walk_from_wrong(const fuse *f, uint64_t *random) {
  int n = f->net->nout, at = (int)(fg_random(random) % (uint64_t)n);
  while (!is_wrong(f, f->net->out[at])) at = (at + 1) % n;
  uint32_t v = f->net->out[at] >> 1;
  while (v) {
    const fg_vertex *x = &f->dag->vertex[v];
    if (x->kind == FG_V_IN || (is_free(f, v) && fg_random(random) % 3 == 0)) break;
    v = (x->kind == FG_V_SUM && fg_random(random) % 2 ? x->b : x->a) >> 1;
  }
  return is_free(f, v) ? v : 0;
}

static int walk(fuse *f, int wrong) {
  size_t size = sizeof *f->choice * f->dag->count;
  bool *before = fg_arena_alloc(f->cx->arena, size);
  uint64_t random = 1;
  for (int i = 0; i < STEPS && wrong; i++) {
    uint32_t v = walk_from_wrong(f, &random);
    if (!v) continue;
    memcpy(before, f->choice, size);
    f->choice[v] = !f->choice[v];
    int now = flip_outputs(f);
    if (now > wrong) {
      memcpy(f->choice, before, size);
      now = derive_signs(f);
    }
    wrong = now;
  }
  return wrong;
}

static void choose_signs(fuse *f) {
  int wrong = flip_outputs(f);
  if (wrong) wrong = walk(f, wrong);
  if (wrong) {
    memcpy(f->choice, f->negated, sizeof *f->choice * f->dag->count);
    f->loose = true;
    wrong = flip_outputs(f);
    if (wrong) walk(f, wrong);
  }
  derive_signs(f);
}

/* ---- nodes -------------------------------------------------------------- */

static fg_node new_node(fuse *f, fg_dnode n) {
  fg_codelet *c = f->c;
  fg_invariant((uint32_t)c->nnode < f->capacity);
  c->node[c->nnode] = n;
  return (fg_node)c->nnode++;
}

static fg_node leaf(fuse *f, fg_op op, uint32_t slot) {
  return new_node(f, (fg_dnode){op, slot, FG_NO_NODE, FG_NO_NODE, FG_NO_NODE});
}

static fg_node constant_node(fuse *f, fg_const c) {
  if (f->constant[c] == FG_NO_NODE) f->constant[c] = leaf(f, FG_OP_CONST, c);
  return f->constant[c];
}

static fg_node twiddle_node(fuse *f, uint32_t slot) {
  if (f->twiddle[slot] == FG_NO_NODE) f->twiddle[slot] = leaf(f, FG_OP_TW, slot);
  return f->twiddle[slot];
}

static fg_node operation(fuse *f, fg_op op, fg_node a, fg_node b, fg_node c) {
  return new_node(f, (fg_dnode){op, 0, a, b, c});
}

static fg_node raw_node(fuse *f, uint32_t v);

static fg_const with_sign(const fuse *f, fg_const c, bool negative) { return negative ? fg_const_neg(f->pool, c) : c; }

/* What the vertex computes: up to the sign of its node, or up to the opposite one
 * where the vertex is scaled. */
static fg_node unscaled_node(fuse *f, uint32_t v, bool opposite) {
  fg_node x = raw_node(f, v);
  if (f->scale[v] == f->one) return x;
  fg_node *made = &f->unscaled[opposite][v];
  if (*made == FG_NO_NODE)
    *made = operation(f, FG_OP_MUL, constant_node(f, with_sign(f, f->scale[v], opposite)), x, FG_NO_NODE);
  return *made;
}

static bool has_factor(const fuse *f, const term *t) { return t->twiddle != NO_TWIDDLE || t->c != f->one; }

static fg_node sum_node(fuse *f, uint32_t v) {
  const term *p = &f->terms[v][0], *q = &f->terms[v][1];
  if (has_factor(f, q)) p = &f->terms[v][1], q = &f->terms[v][0];
  bool pn = term_negative(f, p) != f->negated[v], qn = term_negative(f, q) != f->negated[v];
  bool flip = pn && qn; /* by the constant */
  fg_invariant(!(flip && (p->c == f->one || p->twiddle != NO_TWIDDLE)) && !has_factor(f, q));
  if (flip) pn = false;
  fg_node x = raw_node(f, p->vertex), y = raw_node(f, q->vertex);
  if (has_factor(f, p)) {
    fg_node k =
        p->twiddle != NO_TWIDDLE ? twiddle_node(f, (uint32_t)p->twiddle) : constant_node(f, with_sign(f, p->c, flip));
    return operation(f, pn ? FG_OP_FNMA : qn ? FG_OP_FMS : FG_OP_FMA, k, x, y);
  }
  if (pn) return operation(f, FG_OP_SUB, y, x, FG_NO_NODE);
  return operation(f, qn ? FG_OP_SUB : FG_OP_ADD, x, y, FG_NO_NODE);
}

/* A product by a constant of something that is itself scaled: one product. */
static fg_node scale_node(fuse *f, uint32_t v) {
  uint32_t base = f->dag->vertex[v].a >> 1;
  fg_node operand = raw_node(f, base);
  fg_const c = product_factor(f, v);
  if (c == f->one) return operand;
  c = with_sign(f, c, f->negated[v] != f->negated[base]);
  return operation(f, FG_OP_MUL, constant_node(f, c), operand, FG_NO_NODE);
}

static fg_node raw_node(fuse *f, uint32_t v) {
  if (f->raw[v] != FG_NO_NODE) return f->raw[v];
  const fg_vertex *x = &f->dag->vertex[v];
  fg_node made = FG_NO_NODE, operand;
  switch (x->kind) {
  case FG_V_ZERO: made = constant_node(f, fg_const_rational(f->pool, 0, 1)); break;
  case FG_V_IN: made = leaf(f, FG_OP_IN, x->slot); break;
  case FG_V_SUM: made = sum_node(f, v); break;
  case FG_V_SCALE: made = scale_node(f, v); break;
  case FG_V_TWIDDLE:
    operand = unscaled_node(f, x->a >> 1, false);
    made = operation(f, FG_OP_MUL, twiddle_node(f, x->slot), operand, FG_NO_NODE);
    break;
  }
  return f->raw[v] = made;
}

static fg_node output_node(fuse *f, fg_edge e) {
  bool opposite = (e & 1) != f->negated[e >> 1];
  fg_node x = unscaled_node(f, e >> 1, opposite);
  if (!opposite || f->scale[e >> 1] != f->one) return x;
  if (f->negative[x] == FG_NO_NODE) f->negative[x] = operation(f, FG_OP_NEG, x, FG_NO_NODE, FG_NO_NODE);
  return f->negative[x];
}

static fg_node *no_nodes(fuse *f, size_t count) {
  fg_node *n = fg_arena_new(f->cx->arena, fg_node, count ? count : 1);
  for (size_t i = 0; i < count; i++) n[i] = FG_NO_NODE;
  return n;
}

static void allocate(fuse *f) {
  uint32_t count = f->dag->count;
  /* Each vertex makes up to four more constants while nodes are written. */
  uint32_t constants = (uint32_t)fg_const_count(f->pool) + 4 * count + 1;
  f->capacity = 3 * count + constants + (uint32_t)(f->c->ntw + f->c->nout);
  f->c->node = fg_arena_new(f->cx->arena, fg_dnode, f->capacity);
  f->c->out = fg_arena_new(f->cx->arena, fg_node, f->c->nout);
  f->raw = no_nodes(f, count);
  for (int i = 0; i < 2; i++) f->unscaled[i] = no_nodes(f, count);
  f->constant = no_nodes(f, constants);
  f->twiddle = no_nodes(f, (size_t)f->c->ntw);
  f->negative = no_nodes(f, f->capacity);
}

void fg_fuse(fg_context *cx, const fg_network *net, fg_codelet *c) {
  fuse f = {.cx = cx, .net = net, .dag = net->dag, .pool = net->dag->pool, .one = net->dag->one, .c = c};
  uint32_t count = f.dag->count;
  f.uses = fg_network_uses(net);
  f.terms = fg_arena_alloc(cx->arena, sizeof *f.terms * count);
  f.scale = fg_arena_new(cx->arena, fg_const, count);
  f.negated = fg_arena_new(cx->arena, bool, count);
  f.choice = fg_arena_new(cx->arena, bool, count);
  for (uint32_t v = 0; v < count; v++) {
    f.scale[v] = f.one;
    if (f.uses[v] && f.dag->vertex[v].kind == FG_V_SUM) choose_terms(&f, v, c->key.form == FG_FORM_FMA);
  }
  choose_signs(&f);
  allocate(&f);
  c->pool = f.pool;
  c->nnode = 0;
  for (int i = 0; i < c->nout; i++) c->out[i] = output_node(&f, net->out[i]);
}
